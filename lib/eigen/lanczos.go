package eigen

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// checkEvery is the number of products between convergence tests.
const checkEvery = 8

// A candidate is a vector that waits to enter the basis: the part of A V outside of V.
type candidate struct {
	f    []float64 // orthogonal to the basis
	norm float64   // |f|, or 0 for a random vector, which stands for no residual
	c    []float64 // A V = V T + Σ f cᵀ over all candidates
}

// lanczos is a run of the band Lanczos method: an orthonormal basis V, W = A V, the projection
// T = Vᵀ A V and the candidates, of which there is one unless repeated eigenvalues need more.
type lanczos struct {
	op       Operator
	cfg      Config
	n, k     int
	deflated []float64 // orthonormal rows
	rng      *rand.Rand

	m       int         // vectors in the basis
	v, w    []float64   // V and A V, one vector a row
	t       [][]float64 // T, the lower triangle: row i has i+1 entries
	queue   []*candidate
	spare   [][]float64 // vectors of candidates that are gone
	h       []float64   // workspace of orthogonalize
	factor  float64     // power of two by which products are multiplied, 0 before the first
	scale   float64     // largest |Ritz value| so far
	values  []float64   // Ritz values of the last test, descending
	y       *mat.Dense  // their coordinates, m×m
	count   int         // products
	stopped bool        // by Progress
}

func newLanczos(op Operator, k int, cfg Config, deflated []float64) *lanczos {
	n := op.Dim()
	capacity := (cfg.Basis + cfg.Basis/2) * n
	return &lanczos{
		op: op, cfg: cfg, n: n, k: k, deflated: deflated, rng: rand.New(cfg.Src),
		v: make([]float64, 0, capacity), w: make([]float64, 0, capacity),
	}
}

// run iterates until the k leading pairs have converged and no copy is missing. The pairs are
// those from before the test for missing copies, whose basis holds unconverged Ritz vectors that
// an equal value would mix in.
func (l *lanczos) run(ctx context.Context) (*Pairs, error) {
	l.queue = append(l.queue, l.random())
	attempts := 0
	for {
		done, err := l.search(ctx)
		if err != nil {
			return nil, err
		}
		p := l.pairs()
		if !done {
			p.Converged = false
			return p, nil
		}
		if attempts++; !p.Converged && attempts < maxAttempts && !l.exhausted() {
			continue
		}
		complete, err := l.verify(ctx)
		if err != nil {
			return nil, err
		}
		if complete || l.exhausted() {
			p.Products = l.count
			p.Converged = p.Converged && complete
			return p, nil
		}
		attempts = 0
	}
}

// maxAttempts limits how often a search continues because a computed residual is above the
// tolerance although its estimate is not: then rounding is what stops it.
const maxAttempts = 3

// exhausted reports whether the run has to end.
func (l *lanczos) exhausted() bool {
	return l.stopped || l.count >= l.cfg.MaxProducts
}

// search extends and restarts the basis until the k leading pairs have converged, by their
// estimates; false means that it had to stop before.
func (l *lanczos) search(ctx context.Context) (bool, error) {
	for since := 0; ; {
		if l.m >= l.cfg.Basis {
			l.restart()
		}
		if err := l.extend(ctx); err != nil {
			return false, err
		}
		since++
		full := l.m >= l.cfg.Basis || l.m >= l.n-len(l.cfg.Deflate)
		if l.m < l.k || (since < checkEvery && !full && l.count < l.cfg.MaxProducts) {
			if l.count >= l.cfg.MaxProducts {
				l.ritz()
				return false, nil
			}
			continue
		}
		since = 0
		l.ritz()
		converged, worst := l.estimates()
		if l.cfg.Progress != nil && !l.cfg.Progress(Step{Products: l.count, Converged: converged, Residual: worst / l.factorOrOne()}) {
			l.stopped = true
		}
		if converged == l.k {
			return true, nil
		}
		if l.exhausted() {
			return false, nil
		}
	}
}

// extend moves the first candidate into the basis and makes its successor.
func (l *lanczos) extend(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("eigen: stopped after %d products: %w", l.count, err)
	}
	next := l.pop()
	length := norm2(next.f)
	j := l.m
	for _, x := range next.f {
		l.v = append(l.v, x/length)
	}
	l.m++
	vj := l.v[j*l.n:]
	l.spare = append(l.spare, next.f)

	l.w = append(l.w, vj...) // overwritten by the product
	wj := l.w[j*l.n:]
	if err := l.apply(wj, vj); err != nil {
		return err
	}

	// The other candidates stay orthogonal to the basis.
	for _, other := range l.queue {
		axpy(-dot(vj, other.f), vj, other.f)
		if other.norm > 0 {
			other.norm = norm2(other.f)
		}
		other.c = append(other.c, 0)
	}

	// Successor: A v_j without what is known to lie in the basis, then one or two full passes.
	row := make([]float64, j+1)
	if next.norm > 0 {
		for i, c := range next.c {
			row[i] = length * c
		}
	}
	row[j] = dot(vj, wj)
	f := l.vector()
	copy(f, wj)
	for i, r := range row {
		if r != 0 {
			axpy(-r, l.v[i*l.n:(i+1)*l.n], f)
		}
	}
	norm := l.orthogonalize(f, row)
	l.t = append(l.t, row)
	l.scale = max(l.scale, math.Abs(row[j]))
	if norm <= negligible*l.scale {
		l.spare = append(l.spare, f)
		return nil
	}
	c := make([]float64, l.m, l.m+l.cfg.Basis)
	c[j] = 1
	l.queue = append(l.queue, &candidate{f: f, norm: norm, c: c})
	return nil
}

// negligible is the length of a candidate, relative to the scale of the problem, at which the
// basis counts as invariant: the level of rounding in a product.
const negligible = 8 * epsilon

// pop removes and returns the next candidate that is not negligible, or a random vector.
func (l *lanczos) pop() *candidate {
	for len(l.queue) > 0 {
		next := l.queue[0]
		l.queue = l.queue[1:]
		if next.norm == 0 {
			return next
		}
		if length := l.orthogonalize(next.f, nil); length > negligible*l.scale {
			return next
		}
		l.spare = append(l.spare, next.f)
	}
	return l.random()
}

// random returns a candidate of random direction in the complement of the basis.
func (l *lanczos) random() *candidate {
	f := l.vector()
	for {
		for i := range f {
			f[i] = l.rng.NormFloat64()
		}
		before := norm2(f)
		if norm := l.orthogonalize(f, nil); norm > 1e-8*before {
			for i := range f {
				f[i] /= norm
			}
			l.orthogonalize(f, nil)
			return &candidate{f: f, c: make([]float64, l.m, l.m+l.cfg.Basis)}
		}
	}
}

// vector returns an unused vector.
func (l *lanczos) vector() []float64 {
	if last := len(l.spare) - 1; last >= 0 {
		f := l.spare[last]
		l.spare = l.spare[:last]
		return f
	}
	return make([]float64, l.n)
}

// orthogonalize takes the components along the basis and the deflated directions out of f and
// adds the former to sum, if not nil. It repeats until the length stays, at most three times
// (twice is enough, by Kahan), and returns the length.
func (l *lanczos) orthogonalize(f, sum []float64) float64 {
	norm := norm2(f)
	for range 3 {
		before := norm
		if len(l.deflated) > 0 {
			l.project(f, l.deflated)
		}
		if l.m > 0 {
			h := l.project(f, l.v)
			for i := range sum {
				sum[i] += h[i]
			}
		}
		if norm = norm2(f); norm > 0.7*before || norm == 0 {
			break
		}
	}
	return norm
}

// project takes the components along the orthonormal rows q out of f and returns them.
func (l *lanczos) project(f, q []float64) []float64 {
	rows := len(q) / l.n
	if cap(l.h) < rows {
		l.h = make([]float64, rows+l.cfg.Basis)
	}
	basis := blas64.General{Rows: rows, Cols: l.n, Stride: l.n, Data: q}
	x := blas64.Vector{N: l.n, Inc: 1, Data: f}
	h := blas64.Vector{N: rows, Inc: 1, Data: l.h[:rows]}
	blas64.Gemv(blas.NoTrans, 1, basis, x, 0, h)
	blas64.Gemv(blas.Trans, -1, basis, h, 1, x)
	return h.Data
}

// apply writes P A x to dst, scaled by a power of two, for x in the complement of the deflated
// directions.
func (l *lanczos) apply(dst, x []float64) error {
	l.op.Apply(dst, x)
	l.count++
	largest := 0.0
	for i, p := range dst {
		if !isFinite(p) {
			return l.notFinite(i, p)
		}
		largest = max(largest, math.Abs(p))
	}
	if l.factor == 0 && largest > 0 {
		l.factor = 1
		if largest < 1e-100 || largest > 1e100 {
			_, exponent := math.Frexp(largest)
			l.factor = math.Ldexp(1, max(min(-exponent, 1000), -1000))
		}
	}
	if l.factor != 0 && l.factor != 1 {
		for i := range dst {
			dst[i] *= l.factor
		}
	}
	if len(l.deflated) > 0 {
		l.project(dst, l.deflated)
	}
	return nil
}

// notFinite describes a product whose entry i is NaN or Inf.
func (l *lanczos) notFinite(i int, p float64) error {
	if d, ok := l.op.(*dense); ok {
		if err := checkSymmetric("a", d.a); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: entry %d of product %d is %v", ErrNotFinite, i, l.count, p)
}

func (l *lanczos) factorOrOne() float64 {
	if l.factor == 0 {
		return 1
	}
	return l.factor
}

func dot(x, y []float64) float64 {
	return blas64.Implementation().Ddot(len(x), x, 1, y, 1)
}

func axpy(a float64, x, y []float64) {
	blas64.Implementation().Daxpy(len(x), a, x, 1, y, 1)
}
