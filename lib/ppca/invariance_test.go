package ppca_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
	"eigenbook/lib/ppca"
)

// Coefficients of feature points sum to 1, their kernel row is K c, and centring it gives the row
// back.
func TestFeaturePoints(t *testing.T) {
	x := toy(11, 1)
	eachKernel(t, func(t *testing.T, k kernel.Kernel) {
		for _, uncentred := range []bool{false, true} {
			m := dual(t, x, k, ppca.Config{Latent: 1, Uncentred: uncentred})
			kc, _ := rowsOf(t, m, toy(3, 2))
			raw := must[*mat.SymDense](t)(gram.Compute(ctx, k, x))
			for name, rows := range map[string]*mat.Dense{
				"reconstruction": matrix(t)(m.Reconstruct(kc)),
				"sample":         matrix(t)(m.Sample(3, nil)),
			} {
				p := must[gram.FeaturePoints](t)(m.FeaturePoints(rows))
				near(t, name+": K c", mul(p.Coefficients, raw), p.Kernel, 1e-7)
				back := p.Kernel
				if !uncentred {
					back = matrix(t)(m.CentreRows(p.Kernel))
					for i := range 3 {
						close(t, name+": Σ c", floats.Sum(p.Coefficients.RawRowView(i)), 1, 1e-9)
					}
				}
				near(t, name+": centred again", back, rows, 1e-9)
			}
		}
	})
}

// For the linear kernel the barycentre of a reconstruction is mean + W h, and that of a sample
// has the primal law.
func TestBarycentreIsLinear(t *testing.T) {
	x := stretched(12, 3, 3)
	m, p := dual(t, x, kernel.Linear{}, ppca.Config{Latent: 2}), primal(t, x, ppca.Config{Latent: 2})
	z := gaussian(4, 3, 4)
	kc, _ := rowsOf(t, m, z)
	b := must[*kpca.Barycentre](t)(kpca.NewBarycentre(x))
	images := matrix(t)(b.PreImages(ctx, must[gram.FeaturePoints](t)(m.FeaturePoints(matrix(t)(m.Reconstruct(kc))))))
	near(t, "barycentre", images, matrix(t)(p.Decode(matrix(t)(p.Transform(z)))), 1e-11)
}

// Permuting the training rows permutes E and changes no result.
func TestPermutation(t *testing.T) {
	x, z := toy(10, 5), toy(3, 6)
	shuffled := mat.NewDense(10, 2, nil)
	to := []int{3, 9, 0, 7, 5, 1, 2, 8, 6, 4}
	for i, j := range to {
		shuffled.SetRow(j, x.RawRowView(i))
	}
	eachKernel(t, func(t *testing.T, k kernel.Kernel) {
		a, b := dual(t, x, k, ppca.Config{Latent: 1}), dual(t, shuffled, k, ppca.Config{Latent: 1})
		same(t, a, b, z, 1e-11)
		sa, sb := a.DualLoadings(), b.DualLoadings()
		for i, j := range to {
			close(t, "A", math.Abs(sb.At(j, 0)), math.Abs(sa.At(i, 0)), 1e-10)
		}
	})
}

// same asserts that two models agree on what does not depend on axes.
func same(t *testing.T, a, b *ppca.DualModel, z mat.Matrix, tol float64) {
	t.Helper()
	close(t, "σ²", b.NoiseVariance()/a.TotalVariance(), a.NoiseVariance()/a.TotalVariance(), tol)
	close(t, "LL", number(t)(b.LogLikelihood()), number(t)(a.LogLikelihood()), tol)
	near(t, "hhᵀ", outer(matrix(t)(b.Transform(ctx, z))), outer(matrix(t)(a.Transform(ctx, z))), 10*tol)
	near(t, "densities", vector(values(t)(b.LogDensity(ctx, z))), vector(values(t)(a.LogDensity(ctx, z))), 10*tol)
}

// A multiple of the kernel scales λ and σ², S_k by its square, and leaves latents and pre-images
// alone.
func TestScaledKernel(t *testing.T) {
	const f = 7.3
	x, z := toy(12, 7), toy(3, 8)
	eachKernel(t, func(t *testing.T, k kernel.Kernel) {
		a := dual(t, x, k, ppca.Config{Latent: 1})
		b := dual(t, x, kernel.Scaled{Factor: f, Kernel: k}, ppca.Config{Latent: 1})
		near(t, "λ", vector(b.Eigenvalues()[:a.Rank()]), scaled(f, vector(a.Eigenvalues()[:a.Rank()])), 1e-12)
		close(t, "σ²", b.NoiseVariance(), f*a.NoiseVariance(), 1e-11)
		near(t, "hhᵀ", outer(matrix(t)(b.Transform(ctx, z))), outer(matrix(t)(a.Transform(ctx, z))), 1e-11)
		near(t, "S_k", must[*mat.SymDense](t)(b.Covariance()), scaled(f*f, must[*mat.SymDense](t)(a.Covariance())), 1e-11)
		near(t, "c", coefficients(t, b, z), coefficients(t, a, z), 1e-9)
	})
}

// coefficients returns those of the reconstructions of z, on which all pre-images rest.
func coefficients(t *testing.T, m *ppca.DualModel, z mat.Matrix) *mat.Dense {
	t.Helper()
	kc, _ := rowsOf(t, m, z)
	return must[gram.FeaturePoints](t)(m.FeaturePoints(matrix(t)(m.Reconstruct(kc)))).Coefficients
}

// Shifts change nothing for linear and stationary kernels, rotations nothing for those of x·y and
// |x−y|.
func TestShiftAndRotation(t *testing.T) {
	x, z := toy(12, 9), toy(3, 10)
	shift := func(m *mat.Dense) *mat.Dense {
		var out mat.Dense
		out.Apply(func(_, j int, v float64) float64 { return v + 100*float64(j+1) }, m)
		return &out
	}
	for _, k := range []kernel.Kernel{kernel.Linear{}, rbf} {
		a, b := dual(t, x, k, ppca.Config{Latent: 1}), dual(t, shift(x), k, ppca.Config{Latent: 1})
		near(t, "shifted hhᵀ", outer(matrix(t)(b.Transform(ctx, shift(z)))), outer(matrix(t)(a.Transform(ctx, z))), 1e-10)
		close(t, "shifted LL", number(t)(b.LogLikelihood()), number(t)(a.LogLikelihood()), 1e-10)
		near(t, "shifted densities", vector(values(t)(b.LogDensity(ctx, shift(z)))), vector(values(t)(a.LogDensity(ctx, z))), 1e-10)
	}
	r := rotation(2, 1)
	for _, k := range []kernel.Kernel{kernel.Linear{}, rbf, kernel.Polynomial{Degree: 2, Scale: 1, Offset: 1}} {
		a, b := dual(t, x, k, ppca.Config{Latent: 1}), dual(t, mul(x, r), k, ppca.Config{Latent: 1})
		near(t, "rotated hhᵀ", outer(matrix(t)(b.Transform(ctx, mul(z, r)))), outer(matrix(t)(a.Transform(ctx, z))), 1e-10)
		close(t, "rotated LL", number(t)(b.LogLikelihood()), number(t)(a.LogLikelihood()), 1e-10)
	}
	p, q := primal(t, x, ppca.Config{Latent: 1}), primal(t, shift(x), ppca.Config{Latent: 1})
	near(t, "primal scores", matrix(t)(q.Transform(shift(z))), matrix(t)(p.Transform(z)), 1e-10)
}

// Every row twice: λ doubles; σ² in the range, latents and density stay.
func TestDuplicatedRows(t *testing.T) {
	x, z := toy(9, 11), toy(3, 12)
	twice := mat.NewDense(18, 2, nil)
	for i := range 18 {
		twice.SetRow(i, x.RawRowView(i%9))
	}
	for _, k := range []kernel.Kernel{kernel.Linear{}, rbf, kernel.Laplacian{LengthScale: 1}} {
		a, b := dual(t, x, k, ppca.Config{Latent: 1}), dual(t, twice, k, ppca.Config{Latent: 1})
		if a.Rank() != b.Rank() {
			t.Errorf("%v: rank %d, and %d with every row twice", k, a.Rank(), b.Rank())
		}
		r := a.Rank()
		near(t, "λ", vector(b.Eigenvalues()[:r]), scaled(2, vector(a.Eigenvalues()[:r])), 1e-11)
		close(t, "σ²", b.NoiseVariance(), a.NoiseVariance(), 1e-11)
		near(t, "hhᵀ", outer(matrix(t)(b.Transform(ctx, z))), outer(matrix(t)(a.Transform(ctx, z))), 1e-10)
		close(t, "LL", number(t)(b.LogLikelihood()), 2*number(t)(a.LogLikelihood()), 1e-10)
		s := matrix(t)(b.Sample(5, nil))
		near(t, "samples at equal rows", s.Slice(0, 5, 0, 9), s.Slice(0, 5, 9, 18), 1e-10)
	}
}

// An uncentred model of centred data is the centred model.
func TestUncentredOfCentredData(t *testing.T) {
	x := stretched(12, 4, 13)
	p := primal(t, x, ppca.Config{Latent: 2})
	xc := mat.DenseCopyOf(x)
	for i := range 12 {
		floats.Sub(xc.RawRowView(i), p.Mean())
	}
	for _, noise := range []ppca.NoiseDimension{ppca.Range, ppca.Samples, ppca.Explicit(4)} {
		a := dual(t, xc, kernel.Linear{}, ppca.Config{Latent: 2, Noise: noise})
		b := dual(t, xc, kernel.Linear{}, ppca.Config{Latent: 2, Noise: noise, Uncentred: true})
		same(t, a, b, gaussian(3, 4, 14), 1e-11)
	}
}

// The likelihood rule maximises the likelihood over q at the given σ², the estimator rule is as
// it says.
func TestRules(t *testing.T) {
	x := toy(12, 15)
	m := dual(t, x, rbf, ppca.Config{Isotropic: true})
	for _, s := range []float64{0.2, 0.05, 0.01, 1e-3} {
		chosen := dual(t, x, rbf, ppca.Config{NoiseVariance: s})
		best := number(t)(chosen.LogLikelihood())
		for q := 1; q < m.Rank() && m.Spectrum()[q-1] >= s; q++ {
			if ll := number(t)(dual(t, x, rbf, ppca.Config{Latent: q, NoiseVariance: s}).LogLikelihood()); ll > best+1e-10 {
				t.Errorf("σ² = %g: q = %d has LL %g above %g of the chosen q = %d", s, q, ll, best, chosen.Latent())
			}
		}
		e := dual(t, x, rbf, ppca.Config{NoiseVariance: s, Rule: ppca.Estimator})
		if v := number(t)(m.MLNoiseVariance(e.Latent())); v > s {
			t.Errorf("σ²(q = %d) = %g above %g", e.Latent(), v, s)
		}
		if q := e.Latent(); q > 0 {
			if v := number(t)(m.MLNoiseVariance(q - 1)); v <= s {
				t.Errorf("q = %d is not the smallest for σ² = %g", q, s)
			}
		}
		if e.NoiseVariance() != s || chosen.NoiseVariance() != s {
			t.Errorf("σ² is %g and %g, want %g", e.NoiseVariance(), chosen.NoiseVariance(), s)
		}
	}
}

// The Lanczos path gives what the full one does, for kernels, Gram matrices, linear data and
// primal models.
func TestLeadingIsFull(t *testing.T) {
	x, z := gaussian(120, 40, 17), gaussian(4, 40, 18)
	full, lead := ppca.Config{Latent: 3, Solver: ppca.Full}, ppca.Config{Latent: 3, Solver: ppca.Leading}
	for _, k := range []kernel.Kernel{kernel.RBF{LengthScale: 6}, kernel.Linear{}, kernel.Polynomial{Degree: 2, Scale: 0.1, Offset: 1}} {
		a, b := dual(t, x, k, full), dual(t, x, k, lead)
		if !a.Complete() || b.Complete() || a.Rank() != b.Rank() || !b.Converged() {
			t.Errorf("%v: complete %v and %v, rank %d and %d", k, a.Complete(), b.Complete(), a.Rank(), b.Rank())
		}
		same(t, a, b, z, 1e-9)
		near(t, "c", coefficients(t, b, z), coefficients(t, a, z), 1e-7)
		if _, err := b.Sample(1, nil); err == nil {
			t.Error("a sample from all pairs without all pairs")
		}
	}
	g := must[*mat.SymDense](t)(gram.Compute(ctx, rbf, x))
	a, b := must[*ppca.DualModel](t)(ppca.FitGram(ctx, g, full)), must[*ppca.DualModel](t)(ppca.FitGram(ctx, g, lead))
	close(t, "LL from a Gram matrix", number(t)(b.LogLikelihood()), number(t)(a.LogLikelihood()), 1e-9)
	if a.Rank() != b.Rank() || b.RankSource() != "numerical" {
		t.Errorf("ranks %d and %d, %s", a.Rank(), b.Rank(), b.RankSource())
	}
	p, q := primal(t, x, full), primal(t, x, lead)
	close(t, "primal LL", number(t)(q.LogLikelihood()), number(t)(p.LogLikelihood()), 1e-9)
	near(t, "W", q.Loadings(), p.Loadings(), 1e-7)
	for _, s := range []float64{p.Spectrum()[5] * 1.0001, p.Spectrum()[11] * 1.0001} {
		by := func(solver ppca.Solver) int {
			return primal(t, x, ppca.Config{NoiseVariance: s, Solver: solver}).Latent()
		}
		if by(ppca.Full) != by(ppca.Leading) {
			t.Errorf("σ² = %g: q = %d from all pairs, %d from leading ones", s, by(ppca.Full), by(ppca.Leading))
		}
	}
}

// In-span and full density agree on training rows.
func TestDensitiesOfTrainingRows(t *testing.T) {
	x := toy(12, 19)
	eachKernel(t, func(t *testing.T, k kernel.Kernel) {
		m := dual(t, x, k, ppca.Config{Latent: 1})
		full := values(t)(m.LogDensity(ctx, x))
		near(t, "in span", vector(values(t)(m.InSpanLogDensity(ctx, x))), vector(full), 1e-7)
		close(t, "sum", floats.Sum(full), number(t)(m.LogLikelihood()), 1e-10)
		kc, self := rowsOf(t, m, x)
		near(t, "rows", vector(values(t)(m.LogDensityRows(kc, self))), vector(full), 1e-12)
	})
}

// A structural rank above the numerical one: σ² uses the former, and nothing is divided by
// rounding.
func TestSmoothKernel(t *testing.T) {
	x := toy(60, 21)
	m := dual(t, x, kernel.RBF{LengthScale: 8}, ppca.Config{Latent: 5})
	if m.Rank() != 59 || m.NumericalRank() >= 59 || m.RankSource() != "structural" {
		t.Errorf("rank %d (%s), numerical %d", m.Rank(), m.RankSource(), m.NumericalRank())
	}
	for name, v := range map[string][]float64{
		"LL":      {number(t)(m.LogLikelihood()), number(t)(m.DualLogLikelihood())},
		"density": values(t)(m.InSpanLogDensity(ctx, toy(5, 22))),
		"sample":  matrix(t)(m.Sample(2, nil)).RawMatrix().Data,
	} {
		if floats.HasNaN(v) || math.IsInf(floats.Norm(v, 1), 0) {
			t.Errorf("%s: %v", name, v)
		}
	}
	if c := coefficients(t, m, toy(5, 23)); mat.Norm(c, 2) > 10 {
		t.Errorf("coefficients of a reconstruction have norm %g", mat.Norm(c, 2))
	}
	given := dual(t, x, kernel.RBF{LengthScale: 8}, ppca.Config{Latent: 5, Rank: 20})
	if given.Rank() != 20 || given.NoiseDim() != 20 || given.RankSource() != "given" {
		t.Errorf("prescribed rank 20 gives %d, D = %d, %s", given.Rank(), given.NoiseDim(), given.RankSource())
	}
}

// Components of a reconstruction beyond the q axes are rounding, and division by small eigenvalues must not
// make coefficients of them.
func TestRoundingIsNotAmplified(t *testing.T) {
	x := toy(60, 21)
	m := dual(t, x, kernel.RBF{LengthScale: 8}, ppca.Config{Latent: 5})
	kc, _ := rowsOf(t, m, toy(5, 23))
	factors := make([]float64, 5)
	for p, v := range m.Eigenvalues()[:5] {
		factors[p] = (1 - 60*m.NoiseVariance()/v) / math.Sqrt(v)
	}
	want := mul(matrix(t)(m.Scores(kc)), diag(factors), m.Eigenvectors().Slice(0, 60, 0, 5).T())
	want.Apply(func(_, _ int, v float64) float64 { return v + 1.0/60 }, want)
	near(t, "c", coefficients(t, m, toy(5, 23)), want, 1e-11)

	// A regular ring has eigenvalues close to rounding, beside which the zero eigenvalue of the all-ones
	// vector lies. A sample's inner product with the mean feature is at most its own length.
	ring := mat.DenseCopyOf(waves(50).Slice(0, 50, 0, 2))
	m = dual(t, ring, kernel.RBF{LengthScale: 1}, ppca.Config{Latent: 4})
	samples := matrix(t)(m.Sample(200, nil))
	p := must[gram.FeaturePoints](t)(m.FeaturePoints(samples))
	for i := range 200 {
		beta := p.Kernel.At(i, 0) - samples.At(i, 0) - m.Centering().RowMeans[0]
		if math.Abs(beta) > 4 {
			t.Fatalf("sample %d has the inner product %g with the mean feature", i, beta)
		}
	}
}

// The in-span density has r dimensions whatever D is.
func TestInSpanDimensions(t *testing.T) {
	x := toy(12, 25)
	m := dual(t, x, rbf, ppca.Config{Latent: 2, Noise: ppca.Explicit(40)})
	full, span := values(t)(m.LogDensity(ctx, x)), values(t)(m.InSpanLogDensity(ctx, x))
	for i := range full {
		close(t, "difference", full[i]-span[i], -0.5*29*math.Log(2*math.Pi*m.NoiseVariance()), 1e-8)
	}
}

// σ² never exceeds the last kept variance, not by rounding either.
func TestEqualEigenvalues(t *testing.T) {
	for seed := range uint64(20) {
		half := scaled(0.1, rotation(7, seed))
		x := mat.NewDense(14, 7, nil)
		x.Stack(half, scaled(-1, half))
		for q := 1; q < 7; q++ {
			m := primal(t, x, ppca.Config{Latent: q})
			if v := m.Spectrum()[q-1]; m.NoiseVariance() > v {
				t.Fatalf("q = %d: σ² = %.17g above λ_q/N = %.17g", q, m.NoiseVariance(), v)
			}
			primal(t, x, ppca.Config{Latent: q, NoiseVariance: m.NoiseVariance()})
		}
	}
}
