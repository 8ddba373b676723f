package eigen_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
)

// randomSymmetric fills the upper triangle; the other one holds NaN, which must not be read.
func randomSymmetric(n int) *mat.SymDense {
	rng := rand.New(rand.NewPCG(8, uint64(n)))
	stride := n + 3
	data := make([]float64, n*stride)
	for i := range data {
		data[i] = math.NaN()
	}
	for i := range n {
		for j := i; j < n; j++ {
			data[i*stride+j] = rng.NormFloat64()
		}
	}
	a := mat.NewSymDense(1, nil)
	raw := a.RawSymmetric()
	raw.N, raw.Stride, raw.Data = n, stride, data
	a.SetRawSymmetric(raw)
	return a
}

func TestDenseIsTheProduct(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 100, 255, 256, 257, 600, 1100} {
		a := randomSymmetric(n)
		x, got, want := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = math.Sin(float64(i + 1))
		}
		for i := range n {
			for j := range n {
				want[i] += a.At(i, j) * x[j]
			}
		}
		before := slices.Clone(x)
		eigen.Dense(a).Apply(got, x)
		for i := range want {
			if d := math.Abs(got[i] - want[i]); !(d <= 1e-13*float64(n)) {
				t.Errorf("n=%d: entry %d is off by %g", n, i, d)
				break
			}
		}
		if !slices.Equal(x, before) {
			t.Errorf("n=%d: Apply changed x", n)
		}
	}
}

func TestDenseRepeatsBits(t *testing.T) {
	const n = 900
	op := eigen.Dense(randomSymmetric(n))
	x, first := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = math.Cos(float64(i))
	}
	op.Apply(first, x)
	for _, procs := range []int{1, 2, 4, 7} {
		previous := runtime.GOMAXPROCS(procs)
		var all sync.WaitGroup
		for range 4 { // concurrent products do not disturb each other
			all.Go(func() {
				y := make([]float64, n)
				for range 5 {
					op.Apply(y, x)
					if !slices.Equal(y, first) {
						t.Errorf("GOMAXPROCS %d changes bits", procs)
					}
				}
			})
		}
		all.Wait()
		runtime.GOMAXPROCS(previous)
	}
}

func TestDenseAllocatesNothing(t *testing.T) {
	const n = 300
	op := eigen.Dense(randomSymmetric(n))
	x, y := make([]float64, n), make([]float64, n)
	if allocs := testing.AllocsPerRun(50, func() { op.Apply(y, x) }); allocs >= 1 {
		t.Errorf("%v allocations a product, want none", allocs)
	}
}
