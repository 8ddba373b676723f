package asymptotic

import (
	"context"
	"math"
	"math/rand/v2"

	"eigenbook/lib/blas"
	"eigenbook/lib/eigen"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// leadingPairs are the first eigenpairs of an operator.
type leadingPairs struct {
	values    []float64
	vectors   *mat.Dense // unit columns
	complete  bool       // whether values has all N
	converged bool
	sweeps    int
}

const (
	guard     = 8     // pairs that an iteration keeps beyond those asked for
	depth     = 3     // blocks of a Krylov space before a restart
	tolerance = 1e-12 // of residuals, relative to the largest eigenvalue
	accepted  = 1e-10 // the same, for a result that no longer improves
)

// leading returns the m first eigenpairs of o, or all N with the first m vectors at least.
func (a *Analysis) leading(ctx context.Context, o *operator, m int, warm *mat.Dense) (*leadingPairs, error) {
	if o.n <= a.cfg.DenseLimit || o.n < depth*(m+guard)+1 {
		return o.dense()
	}
	return o.iterative(ctx, m, a.start(m, warm), a.cfg.MaxSweeps)
}

// dense returns all pairs.
func (o *operator) dense() (*leadingPairs, error) {
	means := make([]float64, o.n)
	grand := 0.0
	for i := range means {
		means[i] = floats.Sum(o.a[i*o.n:(i+1)*o.n]) / float64(o.n)
		grand += means[i] / float64(o.n)
	}
	c := mat.NewSymDense(o.n, nil)
	raw := c.RawSymmetric().Data
	for i := range means {
		for j := i; j < o.n; j++ {
			raw[i*o.n+j] = o.a[i*o.n+j] - (means[i] + means[j]) + grand
		}
	}
	e, err := eigen.Symmetric(c)
	if err != nil {
		return nil, err
	}
	return &leadingPairs{values: e.Values, vectors: e.Vectors, complete: true, converged: true, sweeps: 1}, nil
}

// start returns rows to start from: those of warm, then linear eigenvectors, then random ones.
func (a *Analysis) start(m int, warm *mat.Dense) [][]float64 {
	n, r := a.w.Dims()
	rows := make([][]float64, 0, m+guard)
	if warm != nil {
		_, c := warm.Dims()
		for k := range min(c, m+guard) {
			rows = append(rows, column(warm, k))
		}
	}
	for k := 0; k < r && len(rows) < m+guard/2; k++ {
		rows = append(rows, column(a.w, k))
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	for len(rows) < m+guard {
		v := make([]float64, n)
		for i := range v {
			v[i] = rnd.NormFloat64()
		}
		rows = append(rows, v)
	}
	return rows
}

// applyRows returns J A J v for each row v of the block.
func (o *operator) applyRows(block [][]float64) [][]float64 {
	b := len(block)
	in, out := make([]float64, b*o.n), make([]float64, b*o.n)
	for i, v := range block {
		copy(in[i*o.n:], v)
		center(in[i*o.n : (i+1)*o.n])
	}
	blas.Implementation{}.Dgemm(gonumblas.NoTrans, gonumblas.NoTrans, b, o.n, o.n, 1, in, o.n, o.a, o.n, 0, out, o.n)
	images := make([][]float64, b)
	for i := range images {
		images[i] = out[i*o.n : (i+1)*o.n]
		center(images[i])
	}
	return images
}

// center subtracts from v its mean.
func center(v []float64) { floats.AddConst(-floats.Sum(v)/float64(len(v)), v) }

// iterative returns the m leading pairs by block Krylov iteration with restarts: from the Ritz
// vectors X the space of X, AX, A²X is built, and its first Ritz vectors are the next X. The images
// of the basis are kept, so that a restart takes no product.
func (o *operator) iterative(ctx context.Context, m int, x [][]float64, maxSweeps int) (*leadingPairs, error) {
	for _, v := range x {
		center(v)
	}
	basis := orthonormalize(nil, x)
	images := o.applyRows(basis)
	result := &leadingPairs{sweeps: 1}
	keep := len(basis)
	last := math.Inf(1)
	for {
		fresh := 0
		for range depth - 1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			block := make([][]float64, 0, keep)
			for _, v := range images[fresh:] {
				block = append(block, append([]float64(nil), v...))
			}
			fresh = len(basis)
			next := orthonormalize(basis, block)
			if len(next) == 0 {
				break
			}
			basis = append(basis, next...)
			images = append(images, o.applyRows(next)...)
			result.sweeps++
		}
		values, err := restart(&basis, &images, keep)
		if err != nil {
			return nil, err
		}
		worst := 0.0
		for k := range m {
			r := append([]float64(nil), images[k]...)
			floats.AddScaled(r, -values[k], basis[k])
			worst = max(worst, vectorNorm(r)/values[0])
		}
		stalled := worst < accepted && worst > last/2
		result.converged = worst < tolerance || stalled
		if result.converged || result.sweeps >= maxSweeps {
			result.converged = worst < accepted
			result.values = values[:keep]
			result.vectors = mat.NewDense(o.n, keep, nil)
			for k := range keep {
				result.vectors.SetCol(k, basis[k])
			}
			return result, nil
		}
		last = worst
	}
}

// restart replaces basis and its images by the first keep Ritz vectors and theirs, and returns the
// Ritz values.
func restart(basis, images *[][]float64, keep int) ([]float64, error) {
	size := len(*basis)
	h := mat.NewSymDense(size, nil)
	for i := range size {
		for j := i; j < size; j++ {
			h.SetSym(i, j, floats.Dot((*basis)[i], (*images)[j]))
		}
	}
	e, err := eigen.Symmetric(h)
	if err != nil {
		return nil, err
	}
	*basis, *images = combine(*basis, e.Vectors, keep), combine(*images, e.Vectors, keep)
	return e.Values[:keep], nil
}

// combine returns keep sums of the rows with the weights in the columns of c.
func combine(rows [][]float64, c *mat.Dense, keep int) [][]float64 {
	out := make([][]float64, keep)
	for k := range out {
		out[k] = make([]float64, len(rows[0]))
		for i, v := range rows {
			floats.AddScaled(out[k], c.At(i, k), v)
		}
	}
	return out
}

// orthonormalize returns an orthonormal basis of what the rows add to the span of basis,
// by Gram and Schmidt, twice. It overwrites the rows.
func orthonormalize(basis, rows [][]float64) [][]float64 {
	var fresh [][]float64
	for _, v := range rows {
		size := vectorNorm(v)
		if size == 0 {
			continue
		}
		floats.Scale(1/size, v)
		length := 1.0
		for range 2 {
			for _, b := range basis {
				floats.AddScaled(v, -floats.Dot(b, v), b)
			}
			for _, b := range fresh {
				floats.AddScaled(v, -floats.Dot(b, v), b)
			}
			length = vectorNorm(v)
			if length < 1e-14 {
				break
			}
			floats.Scale(1/length, v)
		}
		if length >= 0.5 { // the second pass leaves what the first has made orthogonal
			fresh = append(fresh, v)
		}
	}
	return fresh
}

// orthonormalized returns an orthonormal basis of the columns of v, which are independent.
func orthonormalized(v *mat.Dense) *mat.Dense {
	n, m := v.Dims()
	rows := make([][]float64, m)
	for k := range rows {
		rows[k] = column(v, k)
	}
	rows = orthonormalize(nil, rows)
	out := mat.NewDense(n, len(rows), nil)
	for k, r := range rows {
		out.SetCol(k, r)
	}
	return out
}
