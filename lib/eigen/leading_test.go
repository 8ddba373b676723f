package eigen_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"eigenbook/lib/eigen"
)

// withSpectrum returns Q diag(values) Qᵀ, Q a product of five random reflections.
func withSpectrum(values []float64) *mat.SymDense {
	n := len(values)
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	a := mat.NewSymDense(n, nil)
	for i, v := range values {
		a.SetSym(i, i, v)
	}
	for range 5 {
		v, w := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			v.SetVec(i, rng.NormFloat64())
		}
		v.ScaleVec(1/v.Norm(2), v)
		w.MulVec(a, v)
		w.AddScaledVec(w, -mat.Dot(v, w), v)
		a.RankTwo(a, -2, v, w)
	}
	return a
}

func spectrum(n int, f func(i int) float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = f(i)
	}
	return values
}

// hardSpectra are the spectra every solver has to survive, for n at least 20.
func hardSpectra(n int) map[string][]float64 {
	rng := rand.New(rand.NewPCG(3, 4))
	return map[string][]float64{
		"zero":          spectrum(n, func(int) float64 { return 0 }),
		"identity":      spectrum(n, func(int) float64 { return 1 }),
		"minus":         spectrum(n, func(int) float64 { return -1 }),
		"rank 1":        spectrum(n, func(i int) float64 { return float64(max(0, 1-i)) }),
		"rank 3":        spectrum(n, func(i int) float64 { return float64(max(0, 3-i)) }),
		"clusters of 4": spectrum(n, func(i int) float64 { return float64(n - i/4) }),
		"top times 7":   spectrum(n, func(i int) float64 { return 2 - float64(max(0, i-6))/float64(n) }),
		"near pairs":    spectrum(n, func(i int) float64 { return float64(n-i/2) + 1e-9*float64(i%2) }),
		"third twice":   spectrum(n, func(i int) float64 { return 5 - float64(i) + map[bool]float64{true: 1}[i >= 3] - 0.01*float64(i) }),
		"cut twice":     spectrum(n, func(i int) float64 { return float64(n-i) + map[bool]float64{true: 1}[i == 10] }),
		"geometric":     spectrum(n, func(i int) float64 { return math.Pow(0.5, float64(i)) }),
		"one big":       spectrum(n, func(i int) float64 { return map[bool]float64{true: 1, false: 1e-15}[i == 0] }),
		"indefinite":    spectrum(n, func(i int) float64 { return float64(n - 2*i) }),
		"large":         spectrum(n, func(i int) float64 { return 1e150 * float64(n-i) }),
		"small":         spectrum(n, func(i int) float64 { return 1e-150 * float64(n-i) }),
		"uniform":       spectrum(n, func(int) float64 { return rng.Float64() }),
	}
}

func largestMagnitude(values []float64) float64 { return floats.Norm(values, math.Inf(1)) }

// checkPairs asserts that p holds orthonormal eigenvectors of a to tol, relative to scale.
func checkPairs(t *testing.T, a mat.Symmetric, p *eigen.Pairs, scale, tol float64) {
	t.Helper()
	n, k := p.Vectors.Dims()
	if n != a.SymmetricDim() || k != len(p.Values) {
		t.Fatalf("%d values and %d×%d vectors for n = %d", len(p.Values), n, k, a.SymmetricDim())
	}
	var av, gram mat.Dense
	av.Mul(a, p.Vectors)
	gram.Mul(p.Vectors.T(), p.Vectors)
	for j := range k {
		sum := 0.0
		for i := range n {
			r := av.At(i, j) - p.Values[j]*p.Vectors.At(i, j)
			if scale > 0 {
				r /= scale
			}
			sum += r * r
		}
		if r := math.Sqrt(sum); !(r <= tol) {
			t.Errorf("pair %d: |A v − λ v| is %.3g of the largest |λ|, want at most %.3g", j, r, tol)
		}
		for i := range k {
			want := 0.0
			if i == j {
				want = 1
			}
			if d := math.Abs(gram.At(i, j) - want); !(d <= 1e-12) {
				t.Errorf("v%d·v%d is off by %.3g", i, j, d)
			}
		}
		if j > 0 && p.Values[j] > p.Values[j-1] {
			t.Errorf("value %d is %v, after %v", j, p.Values[j], p.Values[j-1])
		}
	}
}

func sortedDown(values []float64) []float64 {
	s := append([]float64(nil), values...)
	floats.Scale(-1, s)
	slices.Sort(s)
	floats.Scale(-1, s)
	return s
}

func TestLeadingOnHardSpectra(t *testing.T) {
	for _, n := range []int{200, 400} {
		for name, values := range hardSpectra(n) {
			for _, k := range []int{1, 3, 10} {
				t.Run(fmt.Sprintf("%s/n=%d/k=%d", name, n, k), func(t *testing.T) {
					a := withSpectrum(values)
					p, err := eigen.Leading(context.Background(), eigen.Dense(a), k, eigen.Config{})
					if err != nil {
						t.Fatal(err)
					}
					if !p.Converged {
						t.Errorf("not converged after %d products, residuals %v", p.Products, p.Residuals)
					}
					scale := largestMagnitude(values)
					checkPairs(t, a, p, scale, 1.1e-10)
					for j, want := range sortedDown(values)[:k] {
						// Pairs nearer than the tolerance may come out mixed.
						tol := 1e-12
						if name == "near pairs" {
							tol = 1e-10
						}
						if d := math.Abs(p.Values[j] - want); !(d <= tol*scale) {
							t.Errorf("value %d is %.17g, want %.17g", j, p.Values[j], want)
						}
					}
				})
			}
		}
	}
}

func TestLeadingDeflates(t *testing.T) {
	for _, n := range []int{30, 300} { // dense and iterative
		k := gaussianGram(n)
		p, err := eigen.Leading(context.Background(), eigen.Dense(k), 5, eigen.Config{Deflate: [][]float64{ones(n)}})
		if err != nil {
			t.Fatal(err)
		}
		centred := centre(k)
		all, err := eigen.Symmetric(centred)
		if err != nil {
			t.Fatal(err)
		}
		checkPairs(t, centred, p, all.Values[0], 1e-10)
		for j, v := range p.Values {
			if math.Abs(v-all.Values[j]) > 1e-12*all.Values[0] {
				t.Errorf("n=%d value %d: %.17g, the centred matrix has %.17g", n, j, v, all.Values[j])
			}
			sum := 0.0
			for i := range n {
				sum += p.Vectors.At(i, j)
			}
			if math.Abs(sum) > 1e-12 {
				t.Errorf("n=%d vector %d sums to %g, want 0", n, j, sum)
			}
		}
	}
}

// centre returns J k J.
func centre(k *mat.SymDense) *mat.SymDense {
	n := k.SymmetricDim()
	means := make([]float64, n)
	grand := 0.0
	for i := range n {
		for j := range n {
			means[i] += k.At(i, j) / float64(n)
		}
		grand += means[i] / float64(n)
	}
	c := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			c.SetSym(i, j, k.At(i, j)-means[i]-means[j]+grand)
		}
	}
	return c
}

// Every direction that is deflated is absent even if it belongs to the largest value, and all
// others are found, up to k = n − 2.
func TestLeadingDeflatesEigenvectors(t *testing.T) {
	for _, n := range []int{12, 120} {
		a := withSpectrum(spectrum(n, func(i int) float64 { return float64(i) - 5 }))
		all, err := eigen.Symmetric(a)
		if err != nil {
			t.Fatal(err)
		}
		deflate := [][]float64{mat.Col(nil, 0, all.Vectors), mat.Col(nil, 2, all.Vectors)}
		floats.Scale(1e6, deflate[0]) // length does not matter
		for _, k := range []int{4, n - 2} {
			p, err := eigen.Leading(context.Background(), eigen.Dense(a), k, eigen.Config{Deflate: deflate})
			if err != nil {
				t.Fatal(err)
			}
			want := append([]float64{all.Values[1]}, all.Values[3:]...)
			if !floats.EqualApprox(p.Values, want[:k], 1e-11*float64(n)) {
				t.Errorf("n=%d k=%d: values %v, want %v", n, k, p.Values, want[:k])
			}
		}
	}
}

func TestLeadingSmall(t *testing.T) {
	for n := 1; n <= 3; n++ {
		for k := 1; k <= n; k++ {
			a := withSpectrum(spectrum(n, func(i int) float64 { return float64(2 - i) }))
			for _, op := range []eigen.Operator{eigen.Dense(a), applied(a)} {
				p, err := eigen.Leading(context.Background(), op, k, eigen.Config{})
				if err != nil {
					t.Fatalf("n=%d k=%d: %v", n, k, err)
				}
				checkPairs(t, a, p, 2, 1e-14)
				if !p.Converged || len(p.Residuals) != k {
					t.Errorf("n=%d k=%d: converged %v, residuals %v", n, k, p.Converged, p.Residuals)
				}
			}
		}
	}
}

// A value near zero beside a large negative one has converged when its residual is small beside the
// latter, on both paths.
func TestLeadingBesideLargeNegative(t *testing.T) {
	for _, n := range []int{20, 200} {
		a := withSpectrum(spectrum(n, func(i int) float64 { return -1e6 * float64(i) }))
		p, err := eigen.Leading(context.Background(), eigen.Dense(a), 1, eigen.Config{})
		if err != nil || !p.Converged || math.Abs(p.Values[0]) > 1e-10*1e6*float64(n) {
			t.Errorf("n=%d: %v, %+v", n, err, p)
		}
	}
}

// applied hides the matrix of an operator.
func applied(a mat.Symmetric) eigen.Operator {
	n := a.SymmetricDim()
	return eigen.Func{N: n, F: func(dst, x []float64) {
		mat.NewVecDense(n, dst).MulVec(a, mat.NewVecDense(n, x))
	}}
}

// A closed form: the eigenvalues of tridiag(−1, 2, −1) are 2 − 2 cos(π j/(n+1)). The top of the
// spectrum is dense, so that the basis is restarted many times.
func TestLeadingRestarts(t *testing.T) {
	const n, k = 400, 6
	laplace := eigen.Func{N: n, F: func(dst, x []float64) {
		for i := range dst {
			dst[i] = 2 * x[i]
			if i > 0 {
				dst[i] -= x[i-1]
			}
			if i < n-1 {
				dst[i] -= x[i+1]
			}
		}
	}}
	calls := 0
	p, err := eigen.Leading(context.Background(), laplace, k, eigen.Config{Basis: 40, Progress: func(s eigen.Step) bool {
		calls++
		return true
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !p.Converged || p.Products < 150 || calls < 10 {
		t.Errorf("converged %v after %d products and %d tests; want a run with several restarts", p.Converged, p.Products, calls)
	}
	for j, v := range p.Values {
		want := 2 - 2*math.Cos(math.Pi*float64(n-j)/(n+1))
		if math.Abs(v-want) > 1e-13 {
			t.Errorf("value %d is %.17g, want %.17g", j, v, want)
		}
		if p.Residuals[j] > 4e-10 {
			t.Errorf("residual %d is %g", j, p.Residuals[j])
		}
	}
}

func TestLeadingOfImplicitGrams(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x := mat.NewDense(150, 90, nil)
	for i := range 150 {
		for j := range 90 {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	g, err := eigen.Leading(context.Background(), eigen.Gram(x), 4, eigen.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := eigen.Leading(context.Background(), eigen.Scatter(x), 4, eigen.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var svd mat.SVD
	svd.Factorize(x, mat.SVDNone)
	for j, sigma := range svd.Values(nil)[:4] {
		for name, v := range map[string]float64{"X Xᵀ": g.Values[j], "Xᵀ X": s.Values[j]} {
			if math.Abs(v-sigma*sigma) > 1e-11*sigma*sigma {
				t.Errorf("%s: value %d is %.17g, want σ² = %.17g", name, j, v, sigma*sigma)
			}
		}
	}
}

func TestLeadingRepeatsBits(t *testing.T) {
	const n = 700
	k := gaussianGram(n)
	var first *eigen.Pairs
	for _, procs := range []int{1, 2, 3, 8} {
		previous := runtime.GOMAXPROCS(procs)
		p, err := eigen.Leading(context.Background(), eigen.Dense(k), 5, eigen.Config{Deflate: [][]float64{ones(n)}})
		runtime.GOMAXPROCS(previous)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = p
		} else if !floats.Equal(p.Values, first.Values) || !mat.Equal(p.Vectors, first.Vectors) {
			t.Errorf("GOMAXPROCS %d changes the result", procs)
		}
	}
	other, err := eigen.Leading(context.Background(), eigen.Dense(k), 5, eigen.Config{
		Deflate: [][]float64{ones(n)}, Src: rand.NewPCG(99, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if !floats.EqualApprox(other.Values, first.Values, 1e-12*first.Values[0]) {
		t.Errorf("values depend on the seed: %v and %v", other.Values, first.Values)
	}
	if mat.Equal(other.Vectors, first.Vectors) {
		t.Error("another source gives the same bits: Src is not used")
	}
}

func TestLeadingStops(t *testing.T) {
	a := withSpectrum(spectrum(300, func(i int) float64 { return 1 / float64(i+1) }))
	ctx, cancel := context.WithCancel(context.Background())
	count := 0
	op := eigen.Func{N: 300, F: func(dst, x []float64) {
		if count++; count == 5 {
			cancel()
		}
		eigen.Dense(a).Apply(dst, x)
	}}
	if p, err := eigen.Leading(ctx, op, 3, eigen.Config{}); !errors.Is(err, context.Canceled) || p != nil || count != 5 {
		t.Errorf("cancelled in product 5: %v, %v, %d products", p, err, count)
	}
	for name, cfg := range map[string]eigen.Config{
		"limit":    {MaxProducts: 10},
		"progress": {Progress: func(s eigen.Step) bool { return s.Products < 10 }},
		"tiny":     {MaxProducts: 2},
	} {
		p, err := eigen.Leading(context.Background(), eigen.Dense(a), 3, cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if p.Converged || p.Products > 20 || len(p.Residuals) != min(3, p.Products) || !(p.Residuals[len(p.Residuals)-1] > 1e-10) {
			t.Errorf("%s: converged %v, %d products, residuals %v", name, p.Converged, p.Products, p.Residuals)
		}
	}
	// Beyond the reach of float64 the run ends, and says that it did not converge.
	p, err := eigen.Leading(context.Background(), eigen.Dense(a), 3, eigen.Config{Tol: 1e-20})
	if err != nil || p.Converged || p.Products > 500 {
		t.Errorf("Tol 1e-20: %v, converged %v, %d products", err, p.Converged, p.Products)
	}
}

func TestLeadingErrors(t *testing.T) {
	good := eigen.Dense(withSpectrum(spectrum(200, func(i int) float64 { return float64(i) })))
	bad := withSpectrum(spectrum(200, func(i int) float64 { return float64(i) }))
	bad.SetSym(7, 150, math.NaN())
	inf := withSpectrum(spectrum(20, func(i int) float64 { return float64(i) }))
	inf.SetSym(3, 4, math.Inf(1))
	nan := ones(200)
	nan[9] = math.NaN()
	for _, tc := range []struct {
		name string
		op   eigen.Operator
		k    int
		cfg  eigen.Config
		want error
	}{
		{"nil", nil, 1, eigen.Config{}, eigen.ErrShape},
		{"empty", eigen.Func{}, 1, eigen.Config{}, eigen.ErrShape},
		{"k = 0", good, 0, eigen.Config{}, eigen.ErrConfig},
		{"k > n", good, 201, eigen.Config{}, eigen.ErrConfig},
		{"k > n − deflated", good, 200, eigen.Config{Deflate: [][]float64{ones(200)}}, eigen.ErrConfig},
		{"Tol < 0", good, 1, eigen.Config{Tol: -1}, eigen.ErrConfig},
		{"Tol NaN", good, 1, eigen.Config{Tol: math.NaN()}, eigen.ErrConfig},
		{"MaxProducts < 0", good, 1, eigen.Config{MaxProducts: -1}, eigen.ErrConfig},
		{"Guard < 0", good, 1, eigen.Config{Guard: -1}, eigen.ErrConfig},
		{"Basis too small", good, 10, eigen.Config{Basis: 12}, eigen.ErrConfig},
		{"direction too short", good, 1, eigen.Config{Deflate: [][]float64{ones(199)}}, eigen.ErrShape},
		{"direction zero", good, 1, eigen.Config{Deflate: [][]float64{make([]float64, 200)}}, eigen.ErrRank},
		{"directions equal", good, 1, eigen.Config{Deflate: [][]float64{ones(200), ones(200)}}, eigen.ErrRank},
		{"direction NaN", good, 1, eigen.Config{Deflate: [][]float64{nan}}, eigen.ErrNotFinite},
		{"matrix NaN", eigen.Dense(bad), 1, eigen.Config{}, eigen.ErrNotFinite},
		{"matrix Inf, dense path", eigen.Dense(inf), 1, eigen.Config{}, eigen.ErrNotFinite},
		{"function NaN", applied(bad), 1, eigen.Config{}, eigen.ErrNotFinite},
		{"function Inf, dense path", applied(inf), 1, eigen.Config{}, eigen.ErrNotFinite},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if p, err := eigen.Leading(context.Background(), tc.op, tc.k, tc.cfg); !errors.Is(err, tc.want) || p != nil {
				t.Errorf("Leading = %v, %v; want nil and %v", p, err, tc.want)
			}
		})
	}
}

// Whatever the multiplicities, no copy is missing and none is invented.
func TestLeadingMultiplicities(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(180, 260).Draw(rt, "n")
		k := rapid.IntRange(1, 12).Draw(rt, "k")
		values := make([]float64, 0, n)
		level := 1.0
		for len(values) < n {
			for range rapid.SampledFrom([]int{1, 1, 1, 2, 3, 6, 20}).Draw(rt, "multiplicity") {
				values = append(values, level)
			}
			level *= rapid.Float64Range(0.3, 0.97).Draw(rt, "ratio")
		}
		values = values[:n]
		p, err := eigen.Leading(context.Background(), eigen.Dense(withSpectrum(values)), k, eigen.Config{})
		if err != nil || !p.Converged {
			rt.Fatalf("%v, %+v", err, p)
		}
		if !floats.EqualApprox(p.Values, values[:k], 1e-11) {
			rt.Errorf("values %v\nwant %v", p.Values, values[:k])
		}
	})
}
