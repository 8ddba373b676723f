package asymptotic_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"eigenbook/lib/asymptotic"
	"eigenbook/lib/dataset"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

// gaussian returns n×d independent standard normal numbers.
func gaussian(t testing.TB, n, d int, seed uint64) *mat.Dense {
	t.Helper()
	return must[*mat.Dense](t)(dataset.GaussianMatrix(n, d, seed))
}

// near fails unless got is want within a relative tolerance.
func near(t testing.TB, name string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s = %.17g, want %.17g within %.1g of it", name, got, want, tol)
	}
}

// sameMatrix fails unless two matrices agree within tol times the largest entry.
func sameMatrix(t testing.TB, name string, got, want mat.Matrix, tol float64) {
	t.Helper()
	var d mat.Dense
	d.Sub(got, want)
	if off, size := mat.Max(dabs(&d)), mat.Max(dabs(want)); !(off <= tol*size) {
		t.Errorf("%s: off by %.2g of %.2g, want a share of at most %.1g", name, off, size, tol)
	}
}

func dabs(m mat.Matrix) *mat.Dense {
	var a mat.Dense
	a.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, m)
	return &a
}

// The eccentricity is at least 1 and does not change under a shift, a rotation, a scale and an
// order of the rows.
func TestEccentricityIsInvariant(t *testing.T) {
	x := gaussian(t, 41, 3, 7)
	want := must[float64](t)(asymptotic.Eccentricity(ctx, x))
	if want < 1 {
		t.Errorf("ρ = %v, want at least 1", want)
	}
	var qr mat.QR
	qr.Factorize(gaussian(t, 3, 3, 8))
	var q, moved mat.Dense
	qr.QTo(&q)
	moved.Mul(x, &q)
	moved.Apply(func(_, j int, v float64) float64 { return 2.5*v + float64(100*j) }, &moved)
	near(t, "ρ after a similarity", must[float64](t)(asymptotic.Eccentricity(ctx, &moved)), want, 1e-12)
	if got := must[float64](t)(asymptotic.Eccentricity(ctx, permuted(x))); got != want {
		t.Errorf("ρ of permuted rows = %v, want %v", got, want)
	}
}

// permuted returns the rows of x in another order.
func permuted(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	p := mat.NewDense(n, d, nil)
	for i, k := range rand.New(rand.NewPCG(3, 3)).Perm(n) {
		p.SetRow(i, x.RawRowView(k))
	}
	return p
}

// The medians by selection are those of sorted lists, with repeated rows among the data, and for
// N² both odd and even.
func TestMedianIsTheMedianOfTheWholeMatrix(t *testing.T) {
	for n := 2; n <= 40; n++ {
		for _, repeats := range []int{0, n / 3} {
			x := gaussian(t, n, 2, uint64(n))
			for i := range repeats {
				x.SetRow(n-1-i, x.RawRowView(0))
			}
			s := distances(t, x)
			all := entries(s.Matrix())
			var pairs, positive []float64
			for i := range n {
				for j := i + 1; j < n; j++ {
					pairs = append(pairs, s.At(i, j))
					if s.At(j, i) > 0 {
						positive = append(positive, s.At(i, j))
					}
				}
			}
			for m, list := range map[asymptotic.Median][]float64{
				asymptotic.FullMatrix: all, asymptotic.Pairs: pairs, asymptotic.PositivePairs: positive,
			} {
				slices.Sort(list)
				want := (list[(len(list)-1)/2] + list[len(list)/2]) / 2
				if got, err := s.Median(m); got != want || (err != nil) != (want == 0) {
					t.Errorf("n = %d, %d repeats, %v: %v, %v; want %v", n, repeats, m, got, err, want)
				}
			}
		}
	}
}

// Selection keeps its speed on ordered lists with few values: quadratic time would take minutes here.
// Of the 1,124,250 pairs 561,390 are at 219 or less.
func TestMedianOfOrderedDistances(t *testing.T) {
	x := mat.NewDense(1500, 1, nil)
	for i := range 1500 {
		x.Set(i, 0, float64(i/2))
	}
	if got := must[float64](t)(distances(t, x).Median(asymptotic.Pairs)); got != 220 {
		t.Errorf("median %v, want 220", got)
	}
}

// Lemma 1: centring keeps distances in feature space. Lemma 2: the Euclidean and the linear Gram
// matrix are the same when centred. Corollary 1: so their embeddings are isometric.
func TestLemmas(t *testing.T) {
	for name, x := range map[string]*mat.Dense{"random": gaussian(t, 30, 4, 1), "iris": dataset.Iris().X, "wine": dataset.Wine().X} {
		s := distances(t, x)
		scale := must[float64](t)(s.Median(asymptotic.FullMatrix))
		k := must[*mat.SymDense](t)(s.GaussianGram(scale))
		from := must[*mat.SymDense](t)(asymptotic.RKHSDistances(k))
		gram.Center(k)
		// Distances are roots of differences, so half of the digits are left at repeated rows.
		sameMatrix(t, name+": Lemma 1", must[*mat.SymDense](t)(asymptotic.RKHSDistances(k)), from, 1e-7)
		sameMatrix(t, name+": expm1", must[*mat.SymDense](t)(s.GaussianDistances(scale)), from, 1e-7)

		linear, _, err := gram.ComputeCentered(ctx, kernel.Linear{}, x)
		if err != nil {
			t.Fatal(err)
		}
		euclidean := s.EuclideanGram()
		gram.Center(euclidean)
		sameMatrix(t, name+": Lemma 2", euclidean, linear, 1e-12)
		sameMatrix(t, name+": Corollary 1", must[*mat.SymDense](t)(asymptotic.RKHSDistances(linear)), s.Matrix(), 1e-6)

		b := must[*mat.SymDense](t)(s.GaussianGramMinusOne(scale))
		gram.Center(b)
		sameMatrix(t, name+": J expm1(−u) J = J exp(−u) J", b, k, 1e-13)
	}
}

// σ_X d_G ≤ d_L, with the gap largest at the diameter: the definition over all pairs equals the
// closed form, below the sharp and the published bound.
func TestMetricDissonanceIsAFunctionOfRho(t *testing.T) {
	x := gaussian(t, 60, 5, 2)
	s := distances(t, x)
	rho := must[float64](t)(s.Eccentricity(asymptotic.FullMatrix))
	median := s.Diameter() / rho
	eta := must[float64](t)(s.Spread())
	for p := -4.0; p <= 26; p += 3 {
		sigma := math.Exp2(p)
		g := must[float64](t)(asymptotic.MetricDissonance(rho, sigma))
		near(t, "gap/diameter", must[float64](t)(s.MetricGap(median*sigma))/s.Diameter(), g, 1e-13)
		bound := rho * rho / sigma / sigma
		if g > bound/8 || bound/8 > bound*eta {
			t.Errorf("p = %v: %v, want at most %v and %v", p, g, bound/8, bound*eta)
		}
		dG := must[*mat.SymDense](t)(s.GaussianDistances(median * sigma))
		for i := range 60 {
			for j := range i {
				if d := median * sigma * dG.At(i, j); d > s.At(i, j)*(1+1e-15) {
					t.Fatalf("σ_X d_G = %v beyond d_L = %v", d, s.At(i, j))
				}
			}
		}
	}
	if naive := must[float64](t)(s.NaiveMetricGap(median * 8)); math.Abs(naive/s.Diameter()-must[float64](t)(asymptotic.MetricDissonance(rho, 8))) > 1e-10 {
		t.Error("the definition by subtraction disagrees at σ = 8")
	}
}

func TestDissonanceRatioLimits(t *testing.T) {
	last := 0.0
	for p := -30.0; p <= 60; p += 0.25 {
		v := math.Exp2(p)
		g := asymptotic.DissonanceRatio(v)
		if g < last || g > v*v/8 || g > 1 {
			t.Errorf("g(2^%v) = %v after %v, want increasing, at most t²/8 and 1", p, g, last)
		}
		last = g
	}
	near(t, "8g(t)/t²", 8*asymptotic.DissonanceRatio(1e-7)/1e-14, 1, 1e-14)
	for at, want := range map[float64]float64{0: 0, math.Inf(1): 1, 1e200: 1} {
		if g := asymptotic.DissonanceRatio(at); g != want {
			t.Errorf("g(%v) = %v, want %v", at, g, want)
		}
	}
	if !math.IsNaN(asymptotic.DissonanceRatio(-1)) {
		t.Error("g(−1) is a number")
	}
}

// Corollary 2: angles converge with slope −2, and with slope −1 where the points are collinear.
func TestAnglesConverge(t *testing.T) {
	generic := distances(t, gaussian(t, 3, 2, 5))
	collinear := distances(t, mat.NewDense(3, 1, []float64{0, 1, 3}))
	for _, tc := range []struct {
		name  string
		s     *asymptotic.Distances
		slope float64
	}{{"generic", generic, -2}, {"collinear", collinear, -1}} {
		limit := must[float64](t)(tc.s.Angle(0, 1, 2))
		off := func(scale float64) float64 {
			return math.Abs(must[float64](t)(tc.s.GaussianAngle(0, 1, 2, scale)) - limit)
		}
		if slope := math.Log2(off(512) / off(256)); math.Abs(slope-tc.slope) > 1e-3 {
			t.Errorf("%s: slope %v, want %v", tc.name, slope, tc.slope)
		}
	}
	if a := must[float64](t)(collinear.Angle(0, 1, 2)); a != math.Pi {
		t.Errorf("angle of collinear points %v, want π", a)
	}
}

// Repeated rows have distance 0 and no NaN anywhere.
func TestRepeatedRows(t *testing.T) {
	x := gaussian(t, 20, 2, 4)
	for i := range 5 {
		x.SetRow(i+10, x.RawRowView(i))
	}
	a := analysis(t, x, asymptotic.Config{})
	dG := must[*mat.SymDense](t)(a.Distances().GaussianDistances(1))
	if dG.At(0, 10) != 0 || a.Distances().At(10, 0) != 0 {
		t.Error("equal rows are apart")
	}
	for p := -4.0; p <= 20; p += 4 {
		c := compare(t, a, p)
		for k, v := range append(slices.Clone(c.Angles), c.Differences...) {
			if math.IsNaN(v) {
				t.Errorf("p = %v: value %d is NaN", p, k)
			}
		}
	}
	if _, err := a.Distances().Angle(0, 10, 1); !errors.Is(err, asymptotic.ErrNoScale) {
		t.Errorf("angle at a repeated row: %v", err)
	}
}

// CKA is in [0,1], 1 of a kernel with itself, and does not see a scale; Theorem 1: with another
// representation it converges with slope −2, with the same one with slope −4.
func TestCKA(t *testing.T) {
	a := analysis(t, gaussian(t, 25, 3, 9), asymptotic.Config{})
	other := distances(t, gaussian(t, 25, 3, 10)).EuclideanGram()
	same := a.Distances().EuclideanGram()
	gaussianAt := func(p float64) *mat.SymDense {
		return must[*mat.SymDense](t)(a.Distances().GaussianGramMinusOne(a.Scale(math.Exp2(p))))
	}
	limit := must[float64](t)(asymptotic.CKA(same, other))
	off := func(p float64) float64 {
		v := must[float64](t)(asymptotic.CKA(gaussianAt(p), other))
		if v < 0 || v > 1 {
			t.Errorf("CKA = %v", v)
		}
		return math.Abs(v - limit)
	}
	near(t, "slope for another representation", math.Log2(off(9)/off(8)), -2, 1e-3)
	gap := func(p float64) float64 { return must[float64](t)(asymptotic.CKAGap(gaussianAt(p), same)) }
	near(t, "slope for the same representation", math.Log2(gap(12)/gap(11)), -4, 1e-3)
	scaled := mat.NewSymDense(25, nil)
	scaled.ScaleSym(7, other)
	near(t, "CKA of scaled kernels", must[float64](t)(asymptotic.CKA(same, scaled)), limit, 1e-13)
	near(t, "CKA of a kernel with itself", must[float64](t)(asymptotic.CKA(same, same)), 1, 1e-14)
	near(t, "debiased CKA of a kernel with itself", must[float64](t)(asymptotic.DebiasedCKA(same, same)), 1, 1e-14)
	near(t, "debiased CKA of scaled kernels", must[float64](t)(asymptotic.DebiasedCKA(same, scaled)),
		must[float64](t)(asymptotic.DebiasedCKA(other, same)), 1e-12)
}

// The biased alignment of independent data is well above 0 and the debiased one scatters about it.
func TestDebiasedCKAOfIndependentData(t *testing.T) {
	biased, debiased := 0.0, 0.0
	for seed := uint64(0); seed < 40; seed++ {
		a := distances(t, gaussian(t, 20, 10, 2*seed)).EuclideanGram()
		b := distances(t, gaussian(t, 20, 10, 2*seed+1)).EuclideanGram()
		biased += must[float64](t)(asymptotic.CKA(a, b)) / 40
		debiased += must[float64](t)(asymptotic.DebiasedCKA(a, b)) / 40
	}
	if biased < 0.2 || math.Abs(debiased) > 0.05 {
		t.Errorf("means %v and %v, want above 0.2 and within 0.05 of 0", biased, debiased)
	}
}
