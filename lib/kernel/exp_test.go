package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigExp returns e^x to at least 150 bits: Taylor series of x/2^s, squared s times.
func bigExp(x float64) *big.Float {
	const prec = 240
	const s = 20
	r := new(big.Float).SetPrec(prec).SetFloat64(x)
	r.SetMantExp(r, -s)
	sum := new(big.Float).SetPrec(prec).SetInt64(1)
	term := new(big.Float).SetPrec(prec).SetInt64(1)
	for n := int64(1); n < 40; n++ {
		term.Mul(term, r)
		term.Quo(term, new(big.Float).SetPrec(prec).SetInt64(n))
		sum.Add(sum, term)
	}
	for range s {
		sum.Mul(sum, sum)
	}
	return sum
}

// ulps returns the distance of got from want in units in the last place of the float64 nearest
// to want.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	unit := math.Nextafter(w, math.Inf(1)) - w
	diff := new(big.Float).SetPrec(240).SetFloat64(got)
	diff.Sub(diff, want)
	diff.Quo(diff, new(big.Float).SetFloat64(unit))
	f, _ := diff.Float64()
	return math.Abs(f)
}

func TestExpAccuracy(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, tc := range []struct {
		name   string
		lo, hi float64
		tol    float64 // ulp
	}{
		{"tiny", -1e-9, 1e-9, 0.52},
		{"small", -0.4, 0.4, 0.52},
		{"usual", -40, 0, 0.52},
		{"normal", -708.3, 0, 0.52},
		{"positive", 0, 709.78, 0.52},
		{"subnormal", -745, -708.3, 1.02}, // rounded twice
	} {
		t.Run(tc.name, func(t *testing.T) {
			var worst, at float64
			for range 3000 {
				x := tc.lo + (tc.hi-tc.lo)*rnd.Float64()
				if u := ulps(exp(x), bigExp(x)); u > worst {
					worst, at = u, x
				}
			}
			if worst > tc.tol {
				t.Errorf("error of exp(%v) is %.4f ulp, want at most %v", at, worst, tc.tol)
			}
		})
	}
}

func TestExpSpecial(t *testing.T) {
	for _, tc := range []struct{ x, want float64 }{
		{0, 1},
		{math.Copysign(0, -1), 1},
		{5e-324, 1},
		{-5e-324, 1},
		{math.Inf(-1), 0},
		{math.Inf(1), math.Inf(1)},
		{-1e300, 0},
		{-746, 0},
		{-745.2, 0},
		{-745.13, 5e-324},
		{709.782712893384, 1.797693134862273e308}, // the largest x of a finite result
		{709.7827128933841, math.Inf(1)},
		{1e300, math.Inf(1)},
	} {
		got := exp(tc.x)
		if math.Abs(got-tc.want) > 3e-14*math.Abs(tc.want) || math.IsInf(got, 0) != math.IsInf(tc.want, 0) {
			t.Errorf("exp(%v) = %v, want %v", tc.x, got, tc.want)
		}
	}
	if got := exp(math.NaN()); !math.IsNaN(got) {
		t.Errorf("exp(NaN) = %v", got)
	}
}

// The result must not grow when the argument falls, over the seams between table entries too.
func TestExpMonotone(t *testing.T) {
	for _, start := range []float64{0, -math.Ln2 / 256, -1, -700, -689.9999, -744} {
		x, last := start, exp(start)
		for range 20000 {
			x = math.Nextafter(x, math.Inf(-1))
			v := exp(x)
			if v > last {
				t.Fatalf("exp(%v) = %v is above %v, its value at the next larger argument", x, v, last)
			}
			last = v
		}
	}
}

func TestExpTable(t *testing.T) {
	const prec = 240
	root := new(big.Float).SetPrec(prec).SetInt64(2)
	for n := 1; n < expN; n *= 2 {
		root.Sqrt(root)
	}
	want := new(big.Float).SetPrec(prec).SetInt64(1)
	for i, e := range expTable {
		hi, _ := want.Float64()
		rest := new(big.Float).SetPrec(prec).SetFloat64(hi)
		rest.Quo(want, rest)
		rest.Sub(rest, big.NewFloat(1))
		lo, _ := rest.Float64()
		if got := math.Float64frombits(e.hi); got != hi || math.Abs(e.lo-lo) > 1e-30 {
			t.Errorf("entry %d is %v(1%+v), want %v(1%+v)", i, got, e.lo, hi, lo)
		}
		want.Mul(want, root)
	}
}

func BenchmarkExp(b *testing.B) {
	src, dst := make([]float64, 4096), make([]float64, 4096)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range src {
		src[i] = 20 * rnd.Float64()
	}
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			expScaled(dst, src, -1)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/value")
	})
	b.Run("math.Exp", func(b *testing.B) {
		for b.Loop() {
			for j, v := range src {
				dst[j] = math.Exp(-v)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/value")
	})
}
