package ppca_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
	"eigenbook/lib/ppca"
)

var kernels = []kernel.Kernel{
	kernel.Linear{},
	kernel.Scaled{Factor: 2.5, Kernel: kernel.Linear{}},
	kernel.RBF{LengthScale: 2},
	kernel.Laplacian{LengthScale: 1.5},
	kernel.Polynomial{Degree: 3, Scale: 0.5, Offset: 1},
	kernel.Sum{Kernels: []kernel.Kernel{kernel.Linear{}, kernel.RBF{LengthScale: 1}}},
}

func eachKernel(t *testing.T, check func(t *testing.T, k kernel.Kernel)) {
	t.Helper()
	for _, k := range kernels {
		t.Run(k.String(), func(t *testing.T) { check(t, k) })
	}
}

// Kernel rows of training points are the rows of K_c, whose rows sum to zero.
func TestTrainingRowsAsNewRows(t *testing.T) {
	x := toy(12, 1)
	eachKernel(t, func(t *testing.T, k kernel.Kernel) {
		kc := centred(t, x, k)
		m := dual(t, x, k, ppca.Config{Latent: 1})
		rows, self := rowsOf(t, m, x)
		near(t, "rows", rows, kc, 1e-12)
		for i := range 12 {
			if s := floats.Sum(rows.RawRowView(i)); math.Abs(s) > 1e-12*mat.Trace(kc) {
				t.Errorf("row %d sums to %g", i, s)
			}
			close(t, "k_c(x,x)", self[i], kc.At(i, i), 1e-12)
		}
		// and CentreRows with SquaredNorms does the same for kernel values computed elsewhere.
		raw := must[*mat.Dense](t)(gram.Cross(ctx, k, x, x))
		near(t, "CentreRows", matrix(t)(m.CentreRows(raw)), kc, 1e-11)
		norms := values(t)(m.SquaredNorms(raw, values(t)(gram.Diagonal(k, x))))
		near(t, "SquaredNorms", vector(norms), vector(self), 1e-11)
	})
}

// The spectra of scatter and Gram matrix agree, and Φ_c = V Λ^½ Eᵀ, for N > d and N < d.
func TestDuality(t *testing.T) {
	for _, size := range [][2]int{{15, 4}, {5, 9}} {
		x := stretched(size[0], size[1], 3)
		d := dual(t, x, kernel.Linear{}, ppca.Config{Latent: 2})
		p := primal(t, x, ppca.Config{Latent: 2})
		near(t, "eigenvalues", vector(d.Eigenvalues()[:p.Rank()]), vector(p.Eigenvalues()[:p.Rank()]), 1e-12)
		close(t, "σ²", d.NoiseVariance(), p.NoiseVariance(), 1e-12)
		xc := mat.DenseCopyOf(x)
		for i := range size[0] {
			floats.Sub(xc.RawRowView(i), p.Mean())
		}
		e := d.Eigenvectors()
		roots := d.Eigenvalues()[:d.NumericalRank()]
		for i, v := range roots {
			roots[i] = math.Sqrt(v)
		}
		v := mul(xc.T(), e) // V Λ^½
		near(t, "VΛ^½Eᵀ", mul(v, e.T()), xc.T(), 1e-12)
		inverse := make([]float64, len(roots))
		for i, r := range roots {
			inverse[i] = 1 / r
		}
		v = mul(v, diag(inverse))
		near(t, "VᵀV", mul(v.T(), v), diag(ones(len(roots))), 1e-12)
		// W = Φ_c A up to the signs of axes, and AᵀK_cA = WᵀW.
		w, a := p.Loadings(), d.DualLoadings()
		near(t, "Φ_cAAᵀΦ_cᵀ", outer(mul(xc.T(), a)), outer(w), 1e-12)
		near(t, "AᵀK_cA", mul(a.T(), xc, xc.T(), a), mul(w.T(), w), 1e-12)
		near(t, "D = d", must[*ppca.Model](t)(p.WithLatent(1)).Covariance(), explicitCovariance(t, x, 1, size[1]), 1e-11)
	}
}

func ones(k int) []float64 {
	f := make([]float64, k)
	for i := range f {
		f[i] = 1
	}
	return f
}

// explicitCovariance returns Tipping and Bishop's covariance from gonum's own decomposition;
// where rank < d the noise is confined to the span.
func explicitCovariance(t *testing.T, x *mat.Dense, q, dim int) *mat.Dense {
	t.Helper()
	n, d := x.Dims()
	xc := mat.NewDense(n, d, nil)
	for j := range d {
		mean := floats.Sum(mat.Col(nil, j, x)) / float64(n)
		for i := range n {
			xc.Set(i, j, (x.At(i, j)-mean)/math.Sqrt(float64(n)))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(xc, mat.SVDThin) {
		t.Fatal("SVD")
	}
	s := svd.Values(nil)
	rank := min(n-1, d)
	noise := 0.0
	for _, v := range s[q:rank] {
		noise += v * v / float64(min(rank, dim)-q)
	}
	var v mat.Dense
	svd.VTo(&v)
	variances := make([]float64, rank)
	for p := range variances {
		variances[p] = noise
		if p < q {
			variances[p] = s[p] * s[p]
		}
	}
	u := v.Slice(0, d, 0, rank)
	return mul(u, diag(variances), u.T())
}

// σ² is the mean of the discarded variances, zeros included, never rises with q, and never
// exceeds λ_q/N; and the total variance of the model does not depend on q.
func TestNoiseVariance(t *testing.T) {
	x := toy(14, 5)
	eachKernel(t, func(t *testing.T, k kernel.Kernel) {
		for _, noise := range []ppca.NoiseDimension{ppca.Range, ppca.Samples, ppca.Explicit(40)} {
			m := dual(t, x, k, ppca.Config{Isotropic: true, Noise: noise})
			full := values(t)(eigen.Values(centred(t, x, k)))
			before := math.Inf(1)
			for q := range m.Rank() + 1 {
				c := must[*ppca.DualModel](t)(m.WithLatent(q))
				want := 0.0
				if q < m.Rank() {
					want = floats.Sum(full[q:]) / 14 / float64(m.NoiseDim()-q)
				}
				close(t, "σ²", c.NoiseVariance()/full[0], want/full[0], 1e-13)
				if c.NoiseVariance() > before {
					t.Errorf("q = %d: σ² rises from %g to %g", q, before, c.NoiseVariance())
				}
				before = c.NoiseVariance()
				if q > 0 && c.NoiseVariance() > full[q-1]/14*(1+1e-12) {
					t.Errorf("q = %d: σ² = %g above λ_q/N = %g", q, c.NoiseVariance(), full[q-1]/14)
				}
				if c.NoiseVariance() == 0 {
					continue
				}
				total := float64(m.NoiseDim()) * c.NoiseVariance()
				if q > 0 {
					a := c.DualLoadings()
					total += mat.Trace(mul(a.T(), centred(t, x, k), a))
				}
				close(t, "trace WWᵀ + Dσ²", total/m.TotalVariance(), 1, 1e-10)
			}
		}
	})
}

// No perturbation of μ, W or σ² raises the likelihood of the fit.
func TestMaximumLikelihood(t *testing.T) {
	x := stretched(30, 5, 7)
	m := primal(t, x, ppca.Config{Latent: 2})
	best := number(t)(ppca.LogLikelihoodAt(x, m.Mean(), m.Loadings(), m.NoiseVariance()))
	close(t, "LL", best, number(t)(m.LogLikelihood()), 1e-12)
	rng := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		size := math.Pow(10, -4*rng.Float64())
		mean, w, s := m.Mean(), m.Loadings(), m.NoiseVariance()
		for j := range mean {
			mean[j] += size * rng.NormFloat64()
		}
		w.Apply(func(_, _ int, v float64) float64 { return v + size*rng.NormFloat64() }, w)
		s *= math.Exp(size * rng.NormFloat64())
		if ll := number(t)(ppca.LogLikelihoodAt(x, mean, w, s)); ll > best+1e-9 {
			t.Fatalf("a perturbation of size %g raises the log-likelihood by %g", size, ll-best)
		}
	}
	// In the dual form too.
	kc := centred(t, x, rbf)
	d := dual(t, x, rbf, ppca.Config{Latent: 3})
	best = number(t)(d.LogLikelihood())
	for range 100 {
		size := math.Pow(10, -4*rng.Float64())
		a := d.DualLoadings()
		a.Apply(func(_, _ int, v float64) float64 { return v * (1 + size*rng.NormFloat64()) }, a)
		g := must[*ppca.General](t)(ppca.NewGeneral(kc, a, d.NoiseVariance()*math.Exp(size*rng.NormFloat64()), d.NoiseDim()))
		if ll := g.LogLikelihood(); ll > best+1e-9 {
			t.Fatalf("a perturbation of size %g raises the dual model's log-likelihood by %g", size, ll-best)
		}
	}
}

// The likelihood from the spectrum is that of an explicit D×D normal density, also for σ² not ML.
func TestLikelihoodFromCovariance(t *testing.T) {
	x := stretched(20, 4, 9)
	for _, cfg := range []ppca.Config{{Latent: 2}, {Isotropic: true}, {Latent: 1, NoiseVariance: 0.3}, {Latent: 2, Uncentred: true}} {
		m := primal(t, x, cfg)
		want := normalLogDensity(t, x, m.Mean(), m.Covariance())
		close(t, "LL", number(t)(m.LogLikelihood()), floats.Sum(want), 1e-12)
		near(t, "LogDensity", vector(values(t)(m.LogDensity(x))), vector(want), 1e-11)
		d := dual(t, x, kernel.Linear{}, cfg)
		close(t, "dual LL", number(t)(d.LogLikelihood()), floats.Sum(want), 1e-12)
		near(t, "dual LogDensity", vector(values(t)(d.LogDensity(ctx, x))), vector(want), 1e-11)
		close(t, "held out", number(t)(d.HeldOutLogLikelihood(ctx, x)), number(t)(m.HeldOutLogLikelihood(x)), 1e-11)
	}
}

// normalLogDensity evaluates N(mean, cov) by a Cholesky factorisation.
func normalLogDensity(t *testing.T, x *mat.Dense, mean []float64, cov *mat.SymDense) []float64 {
	t.Helper()
	var chol mat.Cholesky
	if !chol.Factorize(cov) {
		t.Fatal("the covariance is not positive definite")
	}
	n, d := x.Dims()
	out := make([]float64, n)
	for i := range n {
		r := mat.Row(nil, i, x)
		floats.Sub(r, mean)
		var s mat.VecDense
		if err := chol.SolveVecTo(&s, vector(r)); err != nil {
			t.Fatal(err)
		}
		out[i] = -0.5 * (float64(d)*math.Log(2*math.Pi) + chol.LogDet() + mat.Dot(vector(r), &s))
	}
	return out
}

// The dual likelihood differs from the primal one by the same constant for every q and σ², and LL
// does not fall with q.
func TestDualLikelihoodShift(t *testing.T) {
	x := toy(12, 11)
	eachKernel(t, func(t *testing.T, k kernel.Kernel) {
		m := dual(t, x, k, ppca.Config{Isotropic: true})
		want := 0.0
		for _, v := range m.Eigenvalues()[:m.Rank()] {
			want -= 6 * math.Log(v)
		}
		before := math.Inf(-1)
		for q := range m.Rank() {
			c := must[*ppca.DualModel](t)(m.WithLatent(q))
			ll := number(t)(c.LogLikelihood())
			close(t, "shift", number(t)(c.DualLogLikelihood())-ll, want, 1e-10)
			if ll < before-1e-9 {
				t.Errorf("q = %d: LL falls from %g to %g", q, before, ll)
			}
			before = ll
			if q > 0 {
				s := dual(t, x, k, ppca.Config{Latent: q, NoiseVariance: c.NoiseVariance() / 3})
				close(t, "shift, other σ²", number(t)(s.DualLogLikelihood())-number(t)(s.LogLikelihood()), want, 1e-10)
				// General agrees for the ML loadings.
				g := must[*ppca.General](t)(ppca.NewGeneral(centred(t, x, k), c.DualLoadings(), c.NoiseVariance(), c.NoiseDim()))
				close(t, "General LL", g.LogLikelihood(), ll, 1e-9)
			}
		}
	})
}

// The posterior is that of conditioning the joint normal law of (h, φ), and of (h, k_c) with the
// pseudo-inverse.
func TestPosteriorByConditioning(t *testing.T) {
	x := stretched(16, 4, 13)
	p := primal(t, x, ppca.Config{Latent: 2})
	w := p.Loadings()
	var inverse mat.Dense
	if err := inverse.Inverse(p.Covariance()); err != nil {
		t.Fatal(err)
	}
	gain := mul(w.T(), &inverse) // cov(h, φ) cov(φ)⁻¹
	z := gaussian(3, 4, 14)
	zc := mat.DenseCopyOf(z)
	for i := range 3 {
		floats.Sub(zc.RawRowView(i), p.Mean())
	}
	near(t, "mean", matrix(t)(p.Transform(z)), mul(zc, gain.T()), 1e-12)
	var cov mat.Dense
	cov.Sub(diag(ones(2)), mul(gain, w))
	near(t, "covariance", p.PosteriorCovariance(), &cov, 1e-10)

	eachKernel(t, func(t *testing.T, k kernel.Kernel) {
		m := dual(t, x, k, ppca.Config{Latent: 2})
		kc := centred(t, x, k)
		pinv := pseudoInverse(t, must[*mat.SymDense](t)(m.Covariance()))
		cross := mul(m.DualLoadings().T(), kc) // cov(h, k_c)
		gain := mul(cross, pinv)
		rows, _ := rowsOf(t, m, x)
		near(t, "mean", matrix(t)(m.TransformRows(rows)), mul(rows, gain.T()), 1e-7)
		near(t, "training latents", m.TrainingLatents(), mul(rows, gain.T()), 1e-7)
		cov.Sub(diag(ones(2)), mul(gain, cross.T()))
		near(t, "covariance", m.PosteriorCovariance(), &cov, 1e-7)
		g := must[*ppca.General](t)(ppca.NewGeneral(kc, m.DualLoadings(), m.NoiseVariance(), m.NoiseDim()))
		near(t, "General mean", matrix(t)(g.TransformRows(rows)), m.TrainingLatents(), 1e-9)
		near(t, "General covariance of k_c", g.Covariance(), must[*mat.SymDense](t)(m.Covariance()), 1e-10)
		near(t, "General posterior", g.PosteriorCovariance(), m.PosteriorCovariance(), 1e-9)
	})
}

func pseudoInverse(t *testing.T, a mat.Symmetric) *mat.Dense {
	t.Helper()
	p := must[*eigen.Pairs](t)(eigen.Symmetric(a))
	inverse := make([]float64, len(p.Values))
	for i, v := range p.Values {
		if v > 1e-13*p.Values[0] {
			inverse[i] = 1 / v
		}
	}
	return mul(p.Vectors, diag(inverse), p.Vectors.T())
}

// Training latents have mean zero, are uncorrelated, and their mean square and the posterior
// variance add up to 1.
func TestTrainingLatents(t *testing.T) {
	x := toy(15, 15)
	eachKernel(t, func(t *testing.T, k kernel.Kernel) {
		q := 3
		if dual(t, x, k, ppca.Config{Isotropic: true}).Rank() < 4 {
			q = 1
		}
		m := dual(t, x, k, ppca.Config{Latent: q})
		h := matrix(t)(m.Transform(ctx, x))
		near(t, "latents", h, m.TrainingLatents(), 1e-10)
		second := scaled(1.0/15, mul(h.T(), h))
		second.Add(second, m.PosteriorCovariance())
		near(t, "E hhᵀ", second, diag(ones(q)), 1e-10)
		for j := range q {
			close(t, "mean of h", floats.Sum(mat.Col(nil, j, h)), 0, 1e-10)
		}
	})
}

// A rotation of the latent axes rotates the latents and changes nothing else.
func TestRotation(t *testing.T) {
	x := stretched(15, 5, 17)
	r := rotation(3, 1)
	p := primal(t, x, ppca.Config{Latent: 3})
	pr := must[*ppca.Model](t)(p.Rotated(r))
	m := dual(t, x, rbf, ppca.Config{Latent: 3})
	mr := must[*ppca.DualModel](t)(must[*ppca.DualModel](t)(m.Rotated(r)).Rotated(r))
	twice := mul(r, r)
	h, hr := matrix(t)(m.Transform(ctx, x)), matrix(t)(mr.Transform(ctx, x))
	near(t, "dual latents", hr, mul(h, twice.T()), 1e-12)
	near(t, "hhᵀ", outer(hr), outer(h), 1e-12)
	near(t, "primal latents", matrix(t)(pr.Transform(x)), mul(matrix(t)(p.Transform(x)), r.T()), 1e-12)
	near(t, "W", pr.Loadings(), mul(p.Loadings(), r.T()), 1e-12)
	near(t, "posterior", mr.PosteriorCovariance(), mul(twice, m.PosteriorCovariance(), twice.T()), 1e-12)
	near(t, "decoded", matrix(t)(mr.RowsGiven(hr)), matrix(t)(m.RowsGiven(h)), 1e-12)
	near(t, "covariance", pr.Covariance(), p.Covariance(), 1e-12)
	near(t, "decoded", matrix(t)(pr.Decode(matrix(t)(pr.Transform(x)))), matrix(t)(p.Reconstruct(x)), 1e-12)
	if _, err := m.Rotated(mat.NewDense(3, 3, ones(9))); !errors.Is(err, ppca.ErrConfig) {
		t.Errorf("a matrix that is not orthogonal: %v", err)
	}
	if _, err := m.Rotated(rotation(2, 1)); !errors.Is(err, gram.ErrShape) {
		t.Errorf("a rotation of another size: %v", err)
	}
}

// k_MAP = K_cAh = Φ_cᵀ(φ_MAP − φ_c); it is shorter than the projection, that than k_c; the mean
// maps to itself.
func TestReconstruction(t *testing.T) {
	x, z := toy(13, 19), toy(4, 20)
	eachKernel(t, func(t *testing.T, k kernel.Kernel) {
		m := dual(t, x, k, ppca.Config{Latent: 1})
		kc, _ := rowsOf(t, m, z)
		back := matrix(t)(m.Reconstruct(kc))
		near(t, "K_cAh", mul(matrix(t)(m.TransformRows(kc)), m.DualLoadings().T(), centred(t, x, k)), back, 1e-11)
		near(t, "RowsGiven", matrix(t)(m.RowsGiven(matrix(t)(m.TransformRows(kc)))), back, 1e-11)
		project := matrix(t)(m.Project(kc))
		for i := range 4 {
			a, b, c := floats.Norm(back.RawRowView(i), 2), floats.Norm(project.RawRowView(i), 2), floats.Norm(kc.RawRowView(i), 2)
			if a > b || b > c*(1+1e-12) {
				t.Errorf("norms %g, %g, %g, want them to rise", a, b, c)
			}
		}
		zero := mat.NewDense(1, 13, nil)
		if h := matrix(t)(m.TransformRows(zero)); mat.Norm(h, 2) != 0 {
			t.Errorf("the mean has latent %v", h)
		}
		if b := matrix(t)(m.Reconstruct(zero)); mat.Norm(b, 2) != 0 {
			t.Errorf("the mean maps to %v", b)
		}
		// q = r returns the rows, up to what lies outside the span.
		full := dual(t, x, k, ppca.Config{Latent: m.Rank()})
		near(t, "q = r", matrix(t)(full.Reconstruct(kc)), kc, 1e-7)
	})
	// With the linear kernel, k_MAP is the product with the primal reconstruction.
	m, p := dual(t, x, kernel.Linear{}, ppca.Config{Latent: 1}), primal(t, x, ppca.Config{Latent: 1})
	kc, _ := rowsOf(t, m, z)
	again, _ := rowsOf(t, m, matrix(t)(p.Reconstruct(z)))
	near(t, "Φ_cᵀ(φ_MAP − φ_c)", again, matrix(t)(m.Reconstruct(kc)), 1e-12)
	again, _ = rowsOf(t, m, matrix(t)(p.Project(z)))
	near(t, "least squares", again, matrix(t)(m.Project(kc)), 1e-12)
}

// At σ² = 0 the model is kernel PCA: scores, projection, whitened latents.
func TestKernelPCALimit(t *testing.T) {
	x, z := toy(13, 21), toy(4, 22)
	m := dual(t, x, rbf, ppca.Config{Latent: 3, Noiseless: true})
	ref, err := kpca.Fit(ctx, x, rbf, kpca.Config{Latent: 3})
	if err != nil {
		t.Fatal(err)
	}
	kc, _ := rowsOf(t, m, z)
	scores := matrix(t)(ref.TransformRows(kc))
	near(t, "scores", matrix(t)(m.Scores(kc)), scores, 1e-12)
	back := matrix(t)(m.Reconstruct(kc))
	near(t, "projection", back, matrix(t)(ref.Reconstruct(kc)), 1e-12)
	near(t, "projected twice", matrix(t)(m.Reconstruct(back)), back, 1e-12)
	f := make([]float64, 3)
	for p, v := range m.Eigenvalues()[:3] {
		f[p] = math.Sqrt(13 / v)
	}
	near(t, "h", matrix(t)(m.TransformRows(kc)), mul(scores, diag(f)), 1e-12)
	points := must[gram.FeaturePoints](t)(m.FeaturePoints(back))
	want := must[gram.FeaturePoints](t)(ref.FeaturePoints(back))
	near(t, "coefficients", points.Coefficients, want.Coefficients, 1e-10)
	near(t, "kernel", points.Kernel, want.Kernel, 1e-12)
	near(t, "point scores", points.Scores, want.Scores, 1e-12)
}
