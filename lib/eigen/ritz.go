package eigen

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// ritz diagonalises T.
func (l *lanczos) ritz() {
	l.values, l.y = diagonalize(l.t, 0)
	l.scale = max(l.scale, math.Abs(l.values[0]), math.Abs(l.values[l.m-1]))
}

// diagonalize returns the eigenpairs, descending, of the trailing block of t from row and
// column first on.
func diagonalize(t [][]float64, first int) ([]float64, *mat.Dense) {
	size := len(t) - first
	s := mat.NewSymDense(size, nil)
	for i := range size {
		for j, x := range t[first+i][first:] {
			s.SetSym(i, j, x)
		}
	}
	var f mat.EigenSym
	if !f.Factorize(s, true) {
		// T is finite and small; LAPACK's QR iteration converges on every such matrix.
		panic("eigen: the QR iteration failed on a projected matrix")
	}
	values := f.Values(nil)
	slices.Reverse(values)
	var y mat.Dense
	f.VectorsTo(&y)
	for i := range size {
		slices.Reverse(y.RawRowView(i))
	}
	return values, &y
}

// estimates returns how many of the k leading Ritz pairs have converged, without a gap from the
// top, and the largest of their residuals: |Σ f cᵀy| ≤ Σ |f| |cᵀy|.
func (l *lanczos) estimates() (converged int, worst float64) {
	gap := false
	for j := range l.k {
		residual := 0.0
		for _, q := range l.queue {
			sum := 0.0
			for i, c := range q.c {
				sum += c * l.y.At(i, j)
			}
			residual += q.norm * math.Abs(sum)
		}
		worst = max(worst, residual)
		if residual > l.limit() {
			gap = true
		}
		if !gap {
			converged++
		}
	}
	return converged, worst
}

// limit is the residual, in the scale of the products, at which a pair is taken as converged:
// the tolerance, or what rounding can reach if that is more.
func (l *lanczos) limit() float64 { return max(l.cfg.Tol, 4*epsilon) * l.scale }

// restart shrinks the basis to the leading Ritz vectors, in which T is diagonal.
func (l *lanczos) restart() {
	keep := min(l.k+l.cfg.Guard, l.m-1)
	keep = min(keep+(l.m-keep)/4, l.m-1)
	l.ritz()
	l.v = l.combine(l.v, keep)
	l.w = l.combine(l.w, keep)
	for _, q := range l.queue {
		c := make([]float64, keep, l.m+l.cfg.Basis)
		for i, x := range q.c {
			axpy(x, l.y.RawRowView(i)[:keep], c)
		}
		q.c = c
	}
	l.m = keep
	l.t = l.t[:0]
	for i := range keep {
		row := make([]float64, i+1)
		row[i] = l.values[i]
		l.t = append(l.t, row)
	}
}

// combine replaces the rows of x by their combinations with the first keep columns of y.
func (l *lanczos) combine(x []float64, keep int) []float64 {
	product := l.combination(x, keep)
	copy(x, product)
	return x[:keep*l.n]
}

// combination returns Yᵀ X for the first columns of y, one vector a row.
func (l *lanczos) combination(x []float64, columns int) []float64 {
	product := make([]float64, columns*l.n)
	y := l.y.Slice(0, l.m, 0, columns).(*mat.Dense).RawMatrix()
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, y,
		blas64.General{Rows: l.m, Cols: l.n, Stride: l.n, Data: x[:l.m*l.n]}, 0,
		blas64.General{Rows: columns, Cols: l.n, Stride: l.n, Data: product})
	return product
}

// missProbability is the accepted probability that verify overlooks a copy that is there.
const missProbability = 1e-4

// verify reports whether no copy of a repeated eigenvalue is missing. It builds a second Krylov
// space from a random start in the complement of the basis. A missing copy of λ_i would be an
// eigenvector of A restricted to that complement; after j products the largest Ritz value θ
// there is below λ_i − ε (λ_i − λ_min) with a probability of at most 1.648 √n exp(−√ε (2j−1)).
// Only copies of values above λ_k matter: another copy of λ_k itself changes nothing. The test
// takes no more products than the search did, for then a copy would have been found as the
// first one was.
//
// Rounding may have brought a part of a missing eigenvector into the basis, where its Ritz value
// is still small, and left the rest in the complement, where it is small too. The Ritz values of
// both spaces together show it.
//
// If a copy is missing the second space stays in the basis and its candidate in the queue.
func (l *lanczos) verify(ctx context.Context) (complete bool, err error) {
	cut := l.values[l.k-1]
	i := l.k - 1
	for i >= 0 && l.values[i] <= cut+2*l.limit() {
		i--
	}
	if i < 0 || l.m >= l.n-len(l.cfg.Deflate) {
		return true, nil
	}
	target, first := l.values[i], l.m
	lowest := l.values[l.m-1]
	waiting := l.queue
	l.queue = []*candidate{l.random()}
	budget := min(l.count, l.n-len(l.cfg.Deflate)-l.m)

	for j := 1; j <= budget && !l.exhausted(); j++ {
		if err := l.extendBeside(ctx, waiting); err != nil {
			return false, err
		}
		invariant := len(l.queue) == 0
		if j%checkEvery != 0 && j != budget && !invariant {
			continue
		}
		values, _ := diagonalize(l.t, first)
		l.ritz()
		if values[0] > cut+l.limit() || l.values[l.k-1] > cut+l.limit() {
			break
		}
		lowest = min(lowest, values[j-1])
		epsilon := (target - values[0]) / (target - lowest)
		miss := 1.648 * math.Sqrt(float64(l.n)) * math.Exp(-math.Sqrt(epsilon)*float64(2*j-1))
		if complete = miss < missProbability || j == budget || invariant; complete {
			break
		}
	}
	l.queue = append(waiting, l.queue...)
	l.ritz()
	return complete, nil
}

// extendBeside extends the basis by the candidate in the queue; those that wait take no part
// but stay orthogonal to the basis.
func (l *lanczos) extendBeside(ctx context.Context, waiting []*candidate) error {
	if err := l.extend(ctx); err != nil {
		return err
	}
	added := l.v[(l.m-1)*l.n:]
	for _, q := range waiting {
		axpy(-dot(added, q.f), added, q.f)
		q.norm = norm2(q.f)
		q.c = append(q.c, 0)
	}
	return nil
}

// pairs returns the k leading Ritz pairs with residuals computed from W. They count as converged
// if each residual is within the tolerance.
func (l *lanczos) pairs() *Pairs {
	k := min(l.k, l.m)
	x, ax := l.combination(l.v, k), l.combination(l.w, k)
	p := &Pairs{
		Values:    make([]float64, k),
		Vectors:   mat.NewDense(l.n, k, nil),
		Residuals: make([]float64, k),
		Products:  l.count,
		Converged: k == l.k,
	}
	factor := l.factorOrOne()
	for j := range k {
		vector, residual := x[j*l.n:(j+1)*l.n], ax[j*l.n:(j+1)*l.n]
		axpy(-l.values[j], vector, residual)
		size := norm2(residual)
		p.Converged = p.Converged && size <= l.cfg.Tol*l.scale
		p.Values[j] = l.values[j] / factor
		p.Residuals[j] = size / factor
		p.Vectors.SetCol(j, vector)
	}
	FixSigns(p.Vectors)
	return p
}
