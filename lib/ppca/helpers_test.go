package ppca_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/ppca"
)

var ctx = context.Background()

func gaussian(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	return x
}

// stretched returns Gaussian rows with standard deviations d, d−1 … 1 in rotated axes about a mean.
func stretched(n, d int, seed uint64) *mat.Dense {
	x := gaussian(n, d, seed)
	for i := range n {
		for j := range d {
			x.Set(i, j, x.At(i, j)*float64(d-j))
		}
	}
	var y mat.Dense
	y.Mul(x, rotation(d, seed+1))
	y.Apply(func(_, j int, v float64) float64 { return v + float64(j) - 1 }, &y)
	return &y
}

// rotation returns a d×d orthogonal matrix.
func rotation(d int, seed uint64) *mat.Dense {
	var qr mat.QR
	qr.Factorize(gaussian(d, d, seed))
	var q mat.Dense
	qr.QTo(&q)
	return &q
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func primal(t testing.TB, x mat.Matrix, cfg ppca.Config) *ppca.Model {
	t.Helper()
	return must[*ppca.Model](t)(ppca.FitPrimal(x, cfg))
}

func dual(t testing.TB, x mat.Matrix, k kernel.Kernel, cfg ppca.Config) *ppca.DualModel {
	t.Helper()
	return must[*ppca.DualModel](t)(ppca.FitDual(ctx, x, k, cfg))
}

func rowsOf(t testing.TB, m *ppca.DualModel, z mat.Matrix) (*mat.Dense, []float64) {
	t.Helper()
	kc, self, err := m.Rows(ctx, z)
	if err != nil {
		t.Fatal(err)
	}
	return kc, self
}

func matrix(t testing.TB) func(m *mat.Dense, err error) *mat.Dense { return must[*mat.Dense](t) }
func number(t testing.TB) func(v float64, err error) float64       { return must[float64](t) }
func values(t testing.TB) func(v []float64, err error) []float64   { return must[[]float64](t) }

// centred returns K_c of x.
func centred(t testing.TB, x mat.Matrix, k kernel.Kernel) *mat.SymDense {
	t.Helper()
	kc, _, err := gram.ComputeCentered(ctx, k, x)
	if err != nil {
		t.Fatal(err)
	}
	return kc
}

// near asserts that two matrices agree to tol of the largest entry of want, at least of 1e-300.
func near(t testing.TB, what string, got, want mat.Matrix, tol float64) {
	t.Helper()
	r, c := got.Dims()
	if wr, wc := want.Dims(); wr != r || wc != c {
		t.Fatalf("%s is %d×%d, want %d×%d", what, r, c, wr, wc)
	}
	size := 0.0
	for i := range r {
		for j := range c {
			size = math.Max(size, math.Abs(want.At(i, j)))
		}
	}
	for i := range r {
		for j := range c {
			if g, w := got.At(i, j), want.At(i, j); !(math.Abs(g-w) <= tol*size) {
				t.Fatalf("%s[%d,%d] is %.15g, want %.15g ± %.2g", what, i, j, g, w, tol*size)
			}
		}
	}
}

// close asserts that two numbers agree to tol relative to the larger of |want| and 1.
func close(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
		t.Errorf("%s is %.15g, want %.15g ± %.2g", what, got, want, tol*math.Max(1, math.Abs(want)))
	}
}

func vector(v []float64) *mat.VecDense { return mat.NewVecDense(len(v), v) }

func mul(factors ...mat.Matrix) *mat.Dense {
	out := mat.DenseCopyOf(factors[0])
	for _, f := range factors[1:] {
		var next mat.Dense
		next.Mul(out, f)
		out = &next
	}
	return out
}

func diag(v []float64) *mat.DiagDense { return mat.NewDiagDense(len(v), v) }

func abs(m *mat.Dense) *mat.Dense {
	var a mat.Dense
	a.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, m)
	return &a
}

func scaled(f float64, m mat.Matrix) *mat.Dense {
	var out mat.Dense
	out.Scale(f, m)
	return &out
}

// toy is case-like two-dimensional data for kernels.
func toy(n int, seed uint64) *mat.Dense { return scaled(1.5, gaussian(n, 2, seed)) }

var rbf = kernel.RBF{LengthScale: 2}
