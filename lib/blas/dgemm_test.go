package blas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/blas/testblas"
	"gonum.org/v1/gonum/mat"
)

// onEach runs a test with every instruction set that this processor has.
func onEach(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	before := active
	defer func() { active = before }()
	for _, s := range sets() {
		active = s
		t.Run(s.String(), f)
	}
}

func TestDgemmOfGonum(t *testing.T) {
	onEach(t, func(t *testing.T) { testblas.TestDgemm(t, Implementation{}) })
}

// gemmCase is one call. Matrices lie in the middle of longer slices.
type gemmCase struct {
	tA, tB        blas.Transpose
	m, n, k       int
	alpha, beta   float64
	lda, ldb, ldc int
	a, b, c       []float64
}

const margin = 3

var transposes = []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}

func newCase(rng *rand.Rand, m, n, k, slack int) *gemmCase {
	g := &gemmCase{tA: transposes[rng.IntN(3)], tB: transposes[rng.IntN(3)], m: m, n: n, k: k,
		alpha: []float64{1, -1, 0.3}[rng.IntN(3)], beta: []float64{0, 1, 0.7}[rng.IntN(3)]}
	random := func(rows, cols, ld int) []float64 {
		v := make([]float64, margin+ld*(rows-1)+cols+margin)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return v
	}
	shape := func(t blas.Transpose, rows, cols int) (int, int) {
		if t == blas.NoTrans {
			return rows, cols
		}
		return cols, rows
	}
	ra, ca := shape(g.tA, m, k)
	rb, cb := shape(g.tB, k, n)
	g.lda, g.ldb, g.ldc = ca+rng.IntN(slack+1), cb+rng.IntN(slack+1), n+rng.IntN(slack+1)
	g.a, g.b, g.c = random(ra, ca, g.lda), random(rb, cb, g.ldb), random(m, n, g.ldc)
	return g
}

type dgemmer interface {
	Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int)
}

// inner returns what lies between the margins.
func inner(v []float64) []float64 { return v[margin : len(v)-margin : len(v)-margin] }

// call returns C, margins and all, after the call.
func (g *gemmCase) call(impl dgemmer) []float64 {
	c := slices.Clone(g.c)
	impl.Dgemm(g.tA, g.tB, g.m, g.n, g.k, g.alpha, inner(g.a), g.lda, inner(g.b), g.ldb, g.beta, inner(c), g.ldc)
	return c
}

func (g *gemmCase) String() string {
	return fmt.Sprintf("%c%c m=%d n=%d k=%d α=%g β=%g strides %d %d %d", g.tA, g.tB, g.m, g.n, g.k, g.alpha, g.beta, g.lda, g.ldb, g.ldc)
}

// magnitudes is the call with absolute values everywhere: a bound for what rounding can do.
func (g *gemmCase) magnitudes() *gemmCase {
	abs := func(v []float64) []float64 {
		out := make([]float64, len(v))
		for i := range v {
			out[i] = math.Abs(v[i])
		}
		return out
	}
	h := *g
	h.alpha, h.beta = math.Abs(g.alpha), math.Abs(g.beta)
	h.a, h.b, h.c = abs(g.a), abs(g.b), abs(g.c)
	return &h
}

// check compares with gonum's Dgemm, to what rounding can do in both: 2(k+3) half units in the last
// place of the sum of magnitudes. Whatever is not C must not change.
func (g *gemmCase) check(t *testing.T) {
	t.Helper()
	got, want, bound := g.call(Implementation{}), g.call(gonum.Implementation{}), g.magnitudes().call(gonum.Implementation{})
	for at := range got {
		i, j := (at-margin)/g.ldc, (at-margin)%g.ldc
		if at < margin || at >= len(got)-margin || j >= g.n {
			if got[at] != g.c[at] {
				t.Fatalf("%v: number %d, which is not in C, was %v and is %v", g, at-margin, g.c[at], got[at])
			}
			continue
		}
		if tol := 2 * float64(g.k+3) * 0x1p-53 * bound[at]; !(math.Abs(got[at]-want[at]) <= tol) {
			t.Fatalf("%v: C[%d,%d] is %.17g, want %.17g ± %.2g", g, i, j, got[at], want[at], tol)
		}
	}
}

// All sizes about the edges of tiles, panels, chunks and blocks, with all transposes and strides.
func TestDgemm(t *testing.T) {
	onEach(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		for m := 1; m <= 17; m++ {
			for n := 1; n <= 49; n++ {
				newCase(rng, m, n, 1+rng.IntN(20), 3).check(t)
			}
		}
		for _, k := range []int{1, 2, 3, 4, 5, 255, 256, 257, 258, 511, 512, 513, 700} {
			newCase(rng, 1+rng.IntN(40), 1+rng.IntN(60), k, 3).check(t)
		}
		for range 40 {
			newCase(rng, 1+rng.IntN(200), 1+rng.IntN(200), 1+rng.IntN(300), 3).check(t)
		}
		for _, size := range [][3]int{{1, 500, 300}, {500, 1, 300}, {129, 241, 3}, {257, 481, 31}, {300, 3, 5}, {4100, 5, 2}, {5, 4100, 2}} {
			newCase(rng, size[0], size[1], size[2], 3).check(t)
		}
	})
}

func FuzzDgemm(f *testing.F) {
	f.Add(uint64(1), uint16(8), uint16(24), uint16(256), uint8(0))
	f.Add(uint64(2), uint16(9), uint16(25), uint16(257), uint8(7))
	f.Fuzz(func(t *testing.T, seed uint64, m, n, k uint16, slack uint8) {
		rng := rand.New(rand.NewPCG(seed, 2))
		g := newCase(rng, 1+int(m)%150, 1+int(n)%150, 1+int(k)%300, int(slack))
		onEach(t, g.check)
	})
}

// The bits do not depend on the instruction set, on the number of processors, or on which rows and
// columns are computed together.
func TestDgemmRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, size := range [][3]int{{203, 317, 777}, {9, 5, 3}, {64, 64, 64}} {
		g := newCase(rng, size[0], size[1], size[2], 2)
		g.tA, g.tB, g.lda, g.ldb = blas.NoTrans, blas.NoTrans, g.k, g.n
		g.a, g.b = make([]float64, g.m*g.k+2*margin), make([]float64, g.k*g.n+2*margin)
		for _, v := range [][]float64{g.a, g.b} {
			for i := range v {
				v[i] = rng.NormFloat64()
			}
		}
		var want []float64
		onEach(t, func(t *testing.T) {
			for _, procs := range []int{1, 2, 8} {
				runtime.GOMAXPROCS(procs)
				got := g.call(Implementation{})
				if want == nil {
					want = got
				}
				if !slices.Equal(got, want) {
					t.Errorf("%v: other bits with GOMAXPROCS=%d than with %v", g, procs, sets()[0])
				}
			}
			rows := max(1, g.m/3)
			part := slices.Clone(g.c)
			Implementation{}.Dgemm(g.tA, g.tB, rows, g.n, g.k, g.alpha, inner(g.a)[g.k:], g.lda, inner(g.b), g.ldb, g.beta, inner(part)[g.ldc:], g.ldc)
			for i := range rows {
				at := margin + (i+1)*g.ldc
				if !slices.Equal(part[at:at+g.n], want[at:at+g.n]) {
					t.Errorf("%v: row %d has other bits when %d rows are computed", g, i+1, rows)
				}
			}
			cols := max(1, g.n/3)
			part = slices.Clone(g.c)
			Implementation{}.Dgemm(g.tA, g.tB, g.m, cols, g.k, g.alpha, inner(g.a), g.lda, inner(g.b)[1:], g.ldb, g.beta, inner(part)[1:], g.ldc)
			for i := range g.m {
				at := margin + i*g.ldc + 1
				if !slices.Equal(part[at:at+cols], want[at:at+cols]) {
					t.Errorf("%v: row %d has other bits when %d columns are computed", g, i, cols)
				}
			}
		})
	}
}

// NaN in A reaches its row, NaN in B its column, and nothing else; NaN in C goes when β is 0; with α =
// 0 neither A nor B is read.
func TestDgemmNaN(t *testing.T) {
	onEach(t, func(t *testing.T) {
		const m, n, k = 13, 31, 300
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			for _, zero := range []bool{false, true} {
				a, b := make([]float64, m*k), make([]float64, k*n)
				for i := range a {
					a[i] = 1
				}
				for i := range b {
					b[i] = 1
				}
				if zero {
					clear(a) // 0·NaN and 0·Inf are NaN
				}
				a[5*k+280], b[290*n+30] = bad, bad
				c := make([]float64, m*n)
				c[0] = math.NaN()
				Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, 1, a, k, b, n, 0, c, n)
				for i := range m {
					for j := range n {
						v := c[i*n+j]
						if touched := i == 5 || j == 30; touched != (math.IsNaN(v) || math.IsInf(v, 0)) {
							t.Fatalf("with %v and zeros %v, C[%d,%d] is %v", bad, zero, i, j, v)
						}
					}
				}
			}
		}
		nan := slices.Repeat([]float64{math.NaN()}, 400)
		c := slices.Repeat([]float64{2}, 400)
		Implementation{}.Dgemm(blas.NoTrans, blas.Trans, 20, 20, 20, 0, nan, 20, nan, 20, 0.5, c, 20)
		if !slices.Equal(c, slices.Repeat([]float64{1}, 400)) {
			t.Errorf("α = 0, β = 1/2: %v", c[:3])
		}
	})
}

// Wrong arguments panic with gonum's words, and strides whose product with the rows overflows do not
// reach the assembly.
func TestDgemmPanics(t *testing.T) {
	message := func(impl dgemmer, tA blas.Transpose, m, n, k, la, lda, lb, ldb, lc, ldc int) (text any) {
		defer func() { text = recover() }()
		impl.Dgemm(tA, blas.NoTrans, m, n, k, 1, make([]float64, la), lda, make([]float64, lb), ldb, 1, make([]float64, lc), ldc)
		return nil
	}
	onEach(t, func(t *testing.T) {
		for name, tc := range map[string]struct {
			tA                                 blas.Transpose
			m, n, k, la, lda, lb, ldb, lc, ldc int
		}{
			"transpose": {'x', 20, 20, 20, 400, 20, 400, 20, 400, 20},
			"m < 0":     {'N', -1, 20, 20, 400, 20, 400, 20, 400, 20},
			"n < 0":     {'N', 20, -1, 20, 400, 20, 400, 20, 400, 20},
			"k < 0":     {'N', 20, 20, -1, 400, 20, 400, 20, 400, 20},
			"lda":       {'N', 20, 20, 20, 400, 19, 400, 20, 400, 20},
			"ldb":       {'N', 20, 20, 20, 400, 20, 400, 19, 400, 20},
			"ldc":       {'N', 20, 20, 20, 400, 20, 400, 20, 400, 19},
			"short a":   {'N', 20, 20, 20, 399, 20, 400, 20, 400, 20},
			"short b":   {'T', 20, 20, 20, 400, 20, 399, 20, 400, 20},
			"short c":   {'N', 20, 20, 20, 400, 20, 400, 20, 399, 20},
			"empty a":   {'N', 20, 20, 20, 0, 20, 400, 20, 400, 20},
			"ld 0":      {'N', 20, 20, 20, 400, 0, 400, 0, 400, 0},
			"nothing":   {'N', 0, 20, 20, 0, 20, 400, 20, 0, 20},
		} {
			got, want := message(Implementation{}, tc.tA, tc.m, tc.n, tc.k, tc.la, tc.lda, tc.lb, tc.ldb, tc.lc, tc.ldc),
				message(gonum.Implementation{}, tc.tA, tc.m, tc.n, tc.k, tc.la, tc.lda, tc.lb, tc.ldb, tc.lc, tc.ldc)
			if got != want || (want == nil) != (name == "nothing") {
				t.Errorf("%s: panic %v, want %v", name, got, want)
			}
		}
		if message(Implementation{}, blas.NoTrans, 17, 20, 20, 400, 20, 400, 20, 400, 1<<60) == nil {
			t.Error("ldc = 1<<60: no panic")
		}
	})
}

// Many goroutines at once, factors that are one slice, and gonum/mat on top.
func TestDgemmShared(t *testing.T) {
	defer blas64.Use(gonum.Implementation{})
	rng := rand.New(rand.NewPCG(4, 4))
	x := mat.NewDense(90, 70, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	var want mat.Dense
	want.Mul(x.T(), x)
	blas64.Use(Implementation{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 10 {
				var got mat.Dense
				got.Mul(x.T(), x)
				if !mat.EqualApprox(&got, &want, 1e-13) {
					t.Error("XᵀX differs from gonum's")
				}
			}
		})
	}
	group.Wait()
}

func BenchmarkDgemm(b *testing.B) {
	before := active
	defer func() { active = before }()
	for _, size := range [][3]int{{64, 64, 64}, {256, 256, 256}, {1000, 1000, 1000}, {2000, 2000, 50}, {20000, 50, 50}} {
		m, n, k := size[0], size[1], size[2]
		a, x, c := make([]float64, m*k), make([]float64, k*n), make([]float64, m*n)
		for i := range a {
			a[i] = 1 + float64(i%7)
		}
		for i := range x {
			x[i] = 1 - float64(i%5)
		}
		for _, s := range append([]set{setGonum}, sets()...) {
			b.Run(fmt.Sprintf("%v/m=%d/n=%d/k=%d", s, m, n, k), func(b *testing.B) {
				active = s
				b.ReportAllocs()
				for b.Loop() {
					Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, 1, a, k, x, n, 0, c, n)
				}
				b.ReportMetric(2*float64(m)*float64(n)*float64(k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
			})
		}
	}
}
