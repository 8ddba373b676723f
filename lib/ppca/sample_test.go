package ppca_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/ppca"
)

// B Bᵀ = S_k for both roots; the symmetric one is symmetric and positive semi-definite.
func TestSquareRoots(t *testing.T) {
	x := toy(10, 1)
	eachKernel(t, func(t *testing.T, k kernel.Kernel) {
		m := dual(t, x, k, ppca.Config{Latent: 1})
		s := must[*mat.SymDense](t)(m.Covariance())
		a := m.DualLoadings()
		kc := centred(t, x, k)
		want := mul(kc, outer(a), kc)
		want.Add(want, scaled(m.NoiseVariance(), kc))
		near(t, "S_k", s, want, 1e-11)
		near(t, "canonical", outer(matrix(t)(m.SquareRoot(ppca.Canonical))), s, 1e-12)
		b := matrix(t)(m.SquareRoot(ppca.SymmetricRoot))
		near(t, "symmetric", outer(b), s, 1e-12)
		near(t, "Bᵀ", b.T(), b, 1e-12)
		if v := values(t)(eigen.Values(symmetric(b))); v[9] < -1e-12*v[0] {
			t.Errorf("the symmetric root has the eigenvalue %g", v[9])
		}
		near(t, "σ²K_c", must[*mat.SymDense](t)(m.CovarianceGiven()), scaled(m.NoiseVariance(), kc), 1e-10)
		near(t, "given", outer(matrix(t)(m.SquareRootGiven(ppca.Canonical))), scaled(m.NoiseVariance(), kc), 1e-10)
	})
}

func symmetric(m *mat.Dense) *mat.SymDense {
	n, _ := m.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	return s
}

// moment asserts that the second moment of samples is want, within 5.5 standard errors of each
// entry: a product of normal numbers has the variance Sᵢᵢ Sⱼⱼ + Sᵢⱼ².
func moment(t *testing.T, what string, samples *mat.Dense, want mat.Matrix) {
	t.Helper()
	n, d := samples.Dims()
	got := scaled(1/float64(n), mul(samples.T(), samples))
	for i := range d {
		for j := range d {
			w := want.At(i, j)
			limit := 5.5*math.Sqrt((want.At(i, i)*want.At(j, j)+w*w)/float64(n)) + 1e-14
			if math.Abs(got.At(i, j)-w) > limit {
				t.Errorf("%s: second moment [%d,%d] is %g, want %g ± %.2g", what, i, j, got.At(i, j), w, limit)
			}
		}
	}
}

func numericalRank(t *testing.T, m *mat.Dense) int {
	t.Helper()
	v := values(t)(eigen.Values(symmetric(mul(m.T(), m))))
	rank := 0
	for _, x := range v {
		if x > 1e-11*v[0] {
			rank++
		}
	}
	return rank
}

// Samples sum to zero and have the covariance S_k: rank r, or q without noise.
func TestSamples(t *testing.T) {
	const n = 20000
	x := toy(8, 3)
	for _, k := range []kernel.Kernel{kernel.RBF{LengthScale: 1}, kernel.Linear{}, kernel.Scaled{Factor: 3, Kernel: kernel.Laplacian{LengthScale: 1}}} {
		m := dual(t, x, k, ppca.Config{Latent: 1})
		s := must[*mat.SymDense](t)(m.Covariance())
		all := matrix(t)(m.Sample(n, rand.NewPCG(1, 2)))
		moment(t, "Sample", all, s)
		for i := range 20 {
			if v := mat.Sum(all.RowView(i)); math.Abs(v) > 1e-12*m.Trace() {
				t.Errorf("a sample sums to %g", v)
			}
		}
		if r := numericalRank(t, all); r != m.Rank() {
			t.Errorf("samples have rank %d, want r = %d", r, m.Rank())
		}
		leading, jitter, err := m.SampleLeading(ctx, n, rand.NewPCG(3, 4))
		if err != nil {
			t.Fatal(err)
		}
		if jitter != 0 {
			t.Errorf("jitter is %g", jitter)
		}
		moment(t, "SampleLeading", leading, s)
		h := matrix(t)(m.SampleLatent(n, rand.NewPCG(5, 6)))
		moment(t, "SampleLatent", h, diag(ones(1)))
		moment(t, "SampleGiven latents drawn", matrix(t)(m.SampleGiven(h, rand.NewPCG(7, 8))), s)
		fixed := mat.NewDense(n, 1, ones(n))
		rest := matrix(t)(m.SampleGiven(fixed, rand.NewPCG(7, 9)))
		rest.Sub(rest, matrix(t)(m.RowsGiven(fixed)))
		moment(t, "SampleGiven one latent", rest, must[*mat.SymDense](t)(m.CovarianceGiven()))

		quiet := dual(t, x, k, ppca.Config{Latent: 1, Noiseless: true})
		if r := numericalRank(t, matrix(t)(quiet.Sample(50, nil))); r != 1 {
			t.Errorf("samples without noise have rank %d, want q = 1", r)
		}
		same, _, err := quiet.SampleLeading(ctx, 50, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r := numericalRank(t, same); r != 1 {
			t.Errorf("leading samples without noise have rank %d, want q = 1", r)
		}
	}
}

// Sampling from the leading pairs needs no others: Gram matrix at hand, uncentred model, singular
// Gram matrix.
func TestSampleLeading(t *testing.T) {
	const n = 20000
	x := gaussian(20, 2, 5)
	for i := range 4 {
		x.SetRow(i+4, x.RawRowView(i)) // repeated rows: K is singular
	}
	for _, uncentred := range []bool{false, true} {
		full := dual(t, x, kernel.RBF{LengthScale: 1}, ppca.Config{Latent: 2, Uncentred: uncentred})
		g := must[*mat.SymDense](t)(gram.Compute(ctx, full.Kernel(), x))
		s := must[*mat.SymDense](t)(full.Covariance())
		for name, m := range map[string]*ppca.DualModel{
			"kernel":       dual(t, x, full.Kernel(), ppca.Config{Latent: 2, Uncentred: uncentred, Solver: ppca.Leading}),
			"Gram matrix":  must[*ppca.DualModel](t)(ppca.FitGram(ctx, g, ppca.Config{Latent: 2, Uncentred: uncentred, Solver: ppca.Leading})),
			"Gram matrix2": must[*ppca.DualModel](t)(ppca.FitGram(ctx, g, ppca.Config{Latent: 2, Uncentred: uncentred})),
		} {
			rows, jitter, err := m.SampleLeading(ctx, n, rand.NewPCG(1, 7))
			if err != nil {
				t.Fatal(err)
			}
			if jitter > 1e-8 {
				t.Errorf("%s: jitter %g", name, jitter)
			}
			moment(t, name, rows, s)
		}
	}
}

// Primal samples have the covariance of the model, in all dimensions or in the span.
func TestPrimalSamples(t *testing.T) {
	const n = 20000
	x := stretched(4, 6, 9)
	for _, cfg := range []ppca.Config{{Latent: 2}, {Latent: 1, Noise: ppca.Explicit(6)}, {Isotropic: true}, {Latent: 2, Noiseless: true}} {
		m := primal(t, x, cfg)
		s := matrix(t)(m.Sample(n, rand.NewPCG(1, 3)))
		mean := mat.NewDense(1, 6, m.Mean())
		for i := range n {
			row := s.RawRowView(i)
			for j := range row {
				row[j] -= mean.At(0, j)
			}
		}
		moment(t, "Sample", s, m.Covariance())
		if m.Latent() == 0 {
			continue
		}
		h := matrix(t)(m.SampleLatent(n, rand.NewPCG(2, 3)))
		given := matrix(t)(m.SampleGiven(h, rand.NewPCG(4, 3)))
		for i := range n {
			row := given.RawRowView(i)
			for j := range row {
				row[j] -= mean.At(0, j)
			}
		}
		moment(t, "SampleGiven", given, m.Covariance())
	}
}

// Equal sources give equal samples; nil is a fixed one.
func TestSamplesRepeat(t *testing.T) {
	m := dual(t, toy(9, 11), rbf, ppca.Config{Latent: 2})
	a, b := matrix(t)(m.Sample(3, rand.NewPCG(1, 1))), matrix(t)(m.Sample(3, nil))
	if !mat.Equal(a, b) {
		t.Error("nil is not rand.NewPCG(1, 1)")
	}
	if mat.Equal(a, matrix(t)(m.Sample(3, rand.NewPCG(1, 2)))) {
		t.Error("another source gives the same samples")
	}
}
