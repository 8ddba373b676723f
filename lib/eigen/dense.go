package eigen

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"
)

// Shape of the parallel symmetric product. The parts depend on n alone, so a product has the
// same bits whatever GOMAXPROCS is.
const (
	symvRows     = 4   // rows of one block, what gonum's gemv takes at a time
	symvTile     = 512 // columns of one block: 16 kB of matrix stay in L1 for the second use
	symvParts    = 4
	symvParallel = 256 // smallest n that is worth a second goroutine
)

// Dense returns the operator of a, which must not change while the operator is in use. Apply
// reads only the upper triangle, each entry once, and runs on up to four goroutines; the result
// has the same bits for any GOMAXPROCS. Apply may be called concurrently, and allocates only the
// first time and when calls overlap.
func Dense(a *mat.SymDense) Operator {
	n := a.SymmetricDim()
	d := &dense{a: a, bounds: equalAreas(n, symvParts)}
	return d
}

type dense struct {
	a      *mat.SymDense
	bounds [symvParts + 1]int // part p has the rows bounds[p] to bounds[p+1]

	mu   sync.Mutex
	free []*symv // workspaces not in use
}

func (d *dense) Dim() int { return d.a.SymmetricDim() }

func (d *dense) Apply(dst, x []float64) {
	s := d.take()
	s.run(dst, x)
	d.mu.Lock()
	d.free = append(d.free, s)
	d.mu.Unlock()
}

// take returns a workspace for one product, a new one if all are in use.
func (d *dense) take() *symv {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := len(d.free) - 1
	if last < 0 {
		return newSymv(d)
	}
	s := d.free[last]
	d.free = d.free[:last]
	return s
}

// equalAreas cuts the rows of an upper triangle into parts of about equal area, at multiples
// of symvRows: rows below b hold (1 − b/n)² of it.
func equalAreas(n, parts int) [symvParts + 1]int {
	var bounds [symvParts + 1]int
	for p := 1; p < parts; p++ {
		share := 1 - math.Sqrt(float64(parts-p)/float64(parts))
		bounds[p] = int(share*float64(n)) / symvRows * symvRows
	}
	bounds[parts] = n
	return bounds
}

// symv is the workspace of one product.
type symv struct {
	d       *dense
	x       []float64
	private [symvParts][]float64 // the contribution of each part
	next    atomic.Int32
	helpers sync.WaitGroup
	help    func() // takes parts until none is left; made once, so that a product allocates nothing
}

func newSymv(d *dense) *symv {
	s := &symv{d: d}
	n := d.Dim()
	for p := range s.private {
		s.private[p] = make([]float64, n)
	}
	s.help = func() {
		s.takeParts()
		s.helpers.Done()
	}
	return s
}

func (s *symv) run(dst, x []float64) {
	s.x = x
	s.next.Store(0)
	if len(x) >= symvParallel {
		for range min(runtime.GOMAXPROCS(0), symvParts) - 1 {
			s.helpers.Add(1)
			go s.help()
		}
	}
	s.takeParts()
	s.helpers.Wait()
	s.x = nil

	p0, p1, p2, p3 := s.private[0], s.private[1], s.private[2], s.private[3]
	for i := range dst {
		dst[i] = (p0[i] + p1[i]) + (p2[i] + p3[i])
	}
}

func (s *symv) takeParts() {
	for {
		p := int(s.next.Add(1)) - 1
		if p >= symvParts {
			return
		}
		s.d.upperRows(s.private[p], s.x, s.d.bounds[p], s.d.bounds[p+1])
	}
}

// upperRows sets y to the share of A x that comes from the entries of the upper triangle in
// rows lo to hi and their mirror images.
func (d *dense) upperRows(y, x []float64, lo, hi int) {
	clear(y)
	a := d.a.RawSymmetric()
	var level2 gonum.Implementation
	for i0 := lo; i0 < hi; i0 += symvRows {
		i1 := min(hi, i0+symvRows)
		for i := i0; i < i1; i++ {
			row := a.Data[i*a.Stride+i : i*a.Stride+i1]
			sum := row[0] * x[i]
			for j, v := range row[1:] {
				sum += v * x[i+1+j]
				y[i+1+j] += v * x[i]
			}
			y[i] += sum
		}
		for j0 := i1; j0 < a.N; j0 += symvTile {
			j1 := min(a.N, j0+symvTile)
			block := a.Data[i0*a.Stride+j0 : (i1-1)*a.Stride+j1]
			level2.Dgemv(blas.NoTrans, i1-i0, j1-j0, 1, block, a.Stride, x[j0:j1], 1, 1, y[i0:i1], 1)
			level2.Dgemv(blas.Trans, i1-i0, j1-j0, 1, block, a.Stride, x[i0:i1], 1, 1, y[j0:j1], 1)
		}
	}
}
