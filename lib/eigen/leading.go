package eigen

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// smallest n for which Leading iterates; below, a dense factorisation costs less.
const smallestLanczos = 64

// Leading returns the k algebraically largest eigenpairs of op (within the complement of
// cfg.Deflate), by the thick-restart Lanczos method with full reorthogonalisation. When k is a
// large part of n, or n is small, it forms the matrix and factors it instead.
//
// Repeated eigenvalues are returned as often as they occur. One Krylov space holds a single
// vector of each eigenspace, so a run that has converged is tested: a second Krylov space with
// a random start in the complement of everything found so far is built until it has met a
// missing copy, or a missing copy of any value that would change the result has a probability
// below 1e-4 by the bound of Kuczyński & Woźniakowski. A copy that turns up joins the iteration,
// which then continues with a block of two, three, …
//
// A run that reaches cfg.MaxProducts, or is stopped by cfg.Progress, returns what it has (fewer
// than k pairs if it had fewer products), with Converged false. The error wraps ErrShape, ErrConfig or ErrRank for unusable arguments (want
// 1 ≤ k ≤ n − len(cfg.Deflate)), ErrNotFinite if a product is not finite, and ctx.Err() after
// cancellation. User code (op, Src, Progress) runs on the calling goroutine.
func Leading(ctx context.Context, op Operator, k int, cfg Config) (*Pairs, error) {
	if op == nil || op.Dim() < 1 {
		return nil, fmt.Errorf("%w: the operator is empty, want n at least 1", ErrShape)
	}
	n := op.Dim()
	cfg, err := cfg.resolve(n, k)
	if err != nil {
		return nil, err
	}
	deflated, err := directions(cfg.Deflate, n)
	if err != nil {
		return nil, err
	}
	if n <= smallestLanczos || float64(cfg.Basis) > 0.6*float64(n) {
		return leadingDense(ctx, op, k, deflated, cfg.Tol)
	}
	return newLanczos(op, k, cfg, deflated).run(ctx)
}

// leadingDense factors the whole matrix. Deflated directions are moved to the lower end of the
// spectrum, at −2|P A P|, and cut off with it.
func leadingDense(ctx context.Context, op Operator, k int, deflated []float64, tol float64) (*Pairs, error) {
	n := op.Dim()
	a, products, err := matrixOf(ctx, op)
	if err != nil {
		return nil, err
	}
	if len(deflated) > 0 {
		deflate(a, deflated)
	}
	all, err := symmetric(a)
	if err != nil {
		return nil, err
	}
	p := &Pairs{
		Values:    all.Values[:k:k],
		Vectors:   mat.DenseCopyOf(all.Vectors.Slice(0, n, 0, k)),
		Residuals: make([]float64, k),
		Products:  products + k,
		Converged: true,
	}
	smallest := all.Values[n-1-len(deflated)/n] // below it are the deflated directions
	largest := max(math.Abs(all.Values[0]), math.Abs(smallest))
	for j := range k {
		p.Residuals[j] = residual(op, deflated, p.Values[j], mat.Col(nil, j, p.Vectors))
		p.Converged = p.Converged && p.Residuals[j] <= tol*largest
	}
	return p, nil
}

// residual returns |P A v − λ v|.
func residual(op Operator, deflated []float64, value float64, v []float64) float64 {
	n := len(v)
	r := make([]float64, n)
	op.Apply(r, v)
	floats.AddScaled(r, -value, v)
	for i := 0; i < len(deflated); i += n {
		d := deflated[i : i+n]
		floats.AddScaled(r, -floats.Dot(d, r), d)
	}
	return floats.Norm(r, 2)
}

// matrixOf returns the matrix of op and the number of products that took.
func matrixOf(ctx context.Context, op Operator) (*mat.SymDense, int, error) {
	if d, ok := op.(*dense); ok {
		a, err := copySymmetric("a", d.a)
		return a, 0, err
	}
	n := op.Dim()
	columns := mat.NewDense(n, n, nil)
	unit := make([]float64, n)
	for j := range n {
		if err := ctx.Err(); err != nil {
			return nil, j, fmt.Errorf("eigen: stopped after %d products: %w", j, err)
		}
		column := columns.RawRowView(j)
		unit[j] = 1
		op.Apply(column, unit)
		unit[j] = 0
		for i, x := range column {
			if !isFinite(x) {
				return nil, j, fmt.Errorf("%w: entry %d of the product with unit vector %d is %v", ErrNotFinite, i, j, x)
			}
		}
	}
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, columns.At(i, j)/2+columns.At(j, i)/2)
		}
	}
	return a, n, nil
}

// deflate replaces a by P a P − 2 |P a P| D Dᵀ, where the rows of deflated hold Dᵀ.
func deflate(a *mat.SymDense, deflated []float64) {
	n := a.SymmetricDim()
	d := mat.NewDense(len(deflated)/n, n, deflated)
	var inner, projected mat.Dense
	for range 2 { // P from the right, transpose, and again
		var source mat.Matrix = a
		if !projected.IsEmpty() {
			source = mat.DenseCopyOf(projected.T())
		}
		inner.Reset()
		inner.Mul(source, d.T())
		var next mat.Dense
		next.Mul(&inner, d)
		next.Sub(source, &next)
		projected = next
	}
	shift := 2 * mat.Norm(&projected, 1) // at least twice the spectral norm
	if shift == 0 {
		shift = 1
	}
	var outer mat.Dense
	outer.Mul(d.T(), d)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, projected.At(i, j)/2+projected.At(j, i)/2-shift*outer.At(i, j))
		}
	}
}
