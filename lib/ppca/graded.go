package ppca

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
)

// gradeStep is how far eigenvalues may fall below the largest of their block before they are
// computed anew. They have nine digits of their own, or more.
const gradeStep = 1e-6

// refine sharpens the small eigenpairs of xᵀx, x being n×d with d ≤ n and pairs its d eigenpairs.
// Eigenvalues up to floor need no digits. It returns x V, n×d with orthogonal columns, of which
// each may have the other sign; nil if no eigenvalue above floor is small.
//
// The eigenvalues of a product are known to rounding of the largest, so columns in units of 10⁷ and
// of 1 would leave the smaller variance not one digit. The vectors, though, are orthonormal: x V₂,
// with V₂ those of the small eigenvalues, has lost the large directions before it is squared. So V₂
// is rotated by the eigenvectors of (x V₂)ᵀ(x V₂), which are known to rounding of its own largest,
// and so on block by block. An error of about 2⁻⁵²·√(λ₁/λ_p) relative to λ_p remains, as in a
// singular value decomposition of x.
func refine(x mat.Matrix, pairs *eigen.Pairs, floor float64) (*mat.Dense, error) {
	v, values := pairs.Vectors, pairs.Values
	d := len(values)
	start := blockEnd(values, 0)
	if start == d {
		return nil, nil
	}
	var small mat.Dense
	small.Mul(x, v.Slice(0, d, start, d))
	if rest := squaredNorms(&small); sum(rest) <= floor {
		clear(values[start:]) // as of dependent columns
		return nil, nil
	}
	n, _ := small.Dims()
	xv := mat.NewDense(n, d, nil)
	xv.Slice(0, n, 0, start).(*mat.Dense).Mul(x, v.Slice(0, d, 0, start))
	xv.Slice(0, n, start, d).(*mat.Dense).Copy(&small)
	for ; start < d; start = blockEnd(values, start) {
		separate(v, xv, values[:start])
		block, err := eigenOf(xv.Slice(0, n, start, d))
		if err != nil {
			return nil, err
		}
		for p, value := range block.Values {
			values[start+p] = math.Max(0, value)
		}
		rotateFrom(start, v, block.Vectors)
		rotateFrom(start, xv, block.Vectors)
		if values[start] <= floor {
			break
		}
	}
	eigen.FixSigns(v)
	return xv, nil
}

// blockEnd returns the first place after start where the descending values have fallen by gradeStep.
func blockEnd(values []float64, start int) int {
	end := start + 1
	for end < len(values) && values[end] >= gradeStep*values[start] {
		end++
	}
	return end
}

// eigenOf returns the eigenpairs of yᵀy.
func eigenOf(y mat.Matrix) (*eigen.Pairs, error) {
	var a mat.SymDense
	a.SymOuterK(1, y.T())
	return eigen.Symmetric(&a)
}

// separate makes the columns of xv beyond the first k = len(values) orthogonal to those, whose
// squared lengths are values, by a small rotation of the columns of v.
func separate(v, xv *mat.Dense, values []float64) {
	k := len(values)
	n, d := xv.Dims()
	first, rest := xv.Slice(0, n, 0, k), xv.Slice(0, n, k, d)
	var b mat.Dense
	b.Mul(first.T(), rest)
	for i, value := range values {
		row := b.RawRowView(i)
		for j := range row {
			row[j] /= value
		}
	}
	for _, m := range []*mat.Dense{v, xv} {
		rows, _ := m.Dims()
		first, rest := m.Slice(0, rows, 0, k).(*mat.Dense), m.Slice(0, rows, k, d).(*mat.Dense)
		var back, forth mat.Dense
		back.Mul(first, &b)
		forth.Mul(rest, b.T())
		rest.Sub(rest, &back)
		first.Add(first, &forth)
	}
}

// rotateFrom multiplies the columns of m from start on by q.
func rotateFrom(start int, m, q *mat.Dense) {
	rows, d := m.Dims()
	part := m.Slice(0, rows, start, d).(*mat.Dense)
	var rotated mat.Dense
	rotated.Mul(part, q)
	part.Copy(&rotated)
}
