package eigen_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
)

// tridiagonal returns the matrix with this diagonal and off-diagonal.
func tridiagonal(n int, d, e func(i int) float64) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		a.SetSym(i, i, d(i))
		if i < n-1 {
			a.SetSym(i, i+1, e(i))
		}
	}
	return a
}

// spectral returns a matrix with these eigenvalues and random eigenvectors.
func spectral(n int, rng *rand.Rand, value func(i int) float64) *mat.SymDense {
	g := mat.NewDense(n, n, nil)
	g.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, g)
	var qr mat.QR
	qr.Factorize(g)
	var q, scaled, full mat.Dense
	qr.QTo(&q)
	scaled.Apply(func(_, j int, v float64) float64 { return v * value(j) }, &q)
	full.Mul(&scaled, q.T())
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, full.At(i, j))
		}
	}
	return a
}

// hard are matrices on which eigensolvers have failed: repeated and clustered eigenvalues, blocks
// glued together, grades of size.
func hard(n int, rng *rand.Rand) map[string]*mat.SymDense {
	constant := func(v float64) func(int) float64 { return func(int) float64 { return v } }
	every := func(f func(i, j int) float64) *mat.SymDense {
		a := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				a.SetSym(i, j, f(i, j))
			}
		}
		return a
	}
	return map[string]*mat.SymDense{
		"zero":      mat.NewSymDense(n, nil),
		"identity":  tridiagonal(n, constant(1), constant(0)),
		"ones":      every(func(i, j int) float64 { return 1 }),
		"1-2-1":     tridiagonal(n, constant(2), constant(-1)),
		"wilkinson": tridiagonal(n, func(i int) float64 { return math.Abs(float64(i) - float64(n-1)/2) }, constant(1)),
		"glued": tridiagonal(n, func(i int) float64 { return math.Abs(float64(i%21) - 10) }, func(i int) float64 {
			if i%21 == 20 {
				return 1e-8
			}
			return 1
		}),
		"clement":   tridiagonal(n, constant(0), func(i int) float64 { return math.Sqrt(float64((i + 1) * (n - 1 - i))) }),
		"random":    every(func(i, j int) float64 { return rng.NormFloat64() }),
		"huge":      every(func(i, j int) float64 { return 1e300 * rng.NormFloat64() }),
		"tiny":      every(func(i, j int) float64 { return 1e-300 * rng.NormFloat64() }),
		"graded":    every(func(i, j int) float64 { return math.Pow(10, -float64(max(i, j))/10) * rng.NormFloat64() }),
		"geometric": spectral(n, rng, func(i int) float64 { return math.Pow(10, -float64(i)/20) }),
		"cluster":   spectral(n, rng, func(i int) float64 { return float64(i/50) + 1e-13*rng.Float64() }),
		"one large": spectral(n, rng, func(i int) float64 { return math.Pow(1e-15, float64(min(i, 1))) }),
		"rank 3":    spectral(n, rng, func(i int) float64 { return float64(max(0, 3-i)) }),
		"rbf": every(func(i, j int) float64 {
			return math.Exp(-math.Pow(float64(i-j)/float64(n)*4, 2))
		}),
		"narrow rbf": every(func(i, j int) float64 { return math.Exp(-math.Pow(float64(i-j), 2)) }),
	}
}

// The residual and the loss of orthogonality are a few roundings per dimension, and the eigenvalues
// those of the QR iteration.
func TestSymmetricOnHardMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{1, 3, 64, 65, 66, 97, 200} {
		tol := 5 * float64(n) * 0x1p-53
		if n >= 100 {
			tol = float64(n) * 0x1p-53
		}
		for name, a := range hard(n, rng) {
			p, err := eigen.Symmetric(a)
			if err != nil {
				t.Errorf("n=%d, %s: %v", n, name, err)
				continue
			}
			size := 0.0
			for _, v := range p.Values {
				size = max(size, math.Abs(v))
			}
			if size == 0 {
				size = 1
			}
			var scaled, residual, gram mat.Dense
			scaled.Scale(1/size, a)
			residual.Mul(&scaled, p.Vectors)
			gram.Mul(p.Vectors.T(), p.Vectors)
			for i := range n {
				for j := range n {
					r := residual.At(i, j) - p.Values[j]/size*p.Vectors.At(i, j)
					g := gram.At(i, j)
					if i == j {
						g--
					}
					if !(math.Abs(r) <= tol && math.Abs(g) <= tol) {
						t.Fatalf("n=%d, %s: at %d,%d the residual is %.2g and QᵀQ−I is %.2g, want up to %.2g", n, name, i, j, r, g, tol)
					}
				}
			}
			values, err := eigen.Values(a)
			if err != nil {
				t.Fatalf("n=%d, %s: %v", n, name, err)
			}
			for i, v := range values {
				if i > 0 && p.Values[i] > p.Values[i-1] || !(math.Abs(p.Values[i]-v) <= 2*tol*size) {
					t.Fatalf("n=%d, %s: λ%d is %.17g, by QR iteration %.17g ± %.2g", n, name, i+1, p.Values[i], v, 2*tol*size)
				}
			}
		}
	}
}

// Known eigenvalues: 2 − 2cos(iπ/(n+1)), and −(n−1), −(n−3), … n−1.
func TestSymmetricKnownSpectra(t *testing.T) {
	const n = 201
	for name, tc := range map[string]struct {
		a     *mat.SymDense
		value func(i int) float64
	}{
		"1-2-1":   {tridiagonal(n, func(int) float64 { return 2 }, func(int) float64 { return -1 }), func(i int) float64 { return 2 - 2*math.Cos(float64(n-i)*math.Pi/(n+1)) }},
		"clement": {tridiagonal(n, func(int) float64 { return 0 }, func(i int) float64 { return math.Sqrt(float64((i + 1) * (n - 1 - i))) }), func(i int) float64 { return float64(n - 1 - 2*i) }},
	} {
		p, err := eigen.Symmetric(tc.a)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range p.Values {
			if want := tc.value(i); !(math.Abs(v-want) <= n*0x1p-53*p.Values[0]) {
				t.Errorf("%s: λ%d is %.16g, want %.16g", name, i+1, v, want)
			}
		}
	}
}

// The bits do not depend on the number of processors.
func TestSymmetricRepeats(t *testing.T) {
	a := spectral(260, rand.New(rand.NewPCG(8, 8)), func(i int) float64 { return 1 / float64(i+1) })
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var want *eigen.Pairs
	for _, procs := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(procs)
		p, err := eigen.Symmetric(a)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = p
		}
		if !mat.Equal(p.Vectors, want.Vectors) {
			t.Errorf("GOMAXPROCS=%d gives other bits than 1", procs)
		}
	}
}
