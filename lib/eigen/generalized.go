package eigen

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Generalized returns all n eigenpairs of a v = λ b v for symmetric n×n matrices, b positive
// definite. With b = L Lᵀ they follow from C = L⁻¹ a L⁻ᵀ, C y = λ y, v = L⁻ᵀ y, so that
//
//	Vᵀ b V = I,   Vᵀ a V = diag(λ).
//
// Values are descending; columns are signed as FixSigns does. The relative accuracy of small
// values is limited by the condition number of b.
//
// The error wraps ErrShape, ErrNotFinite or ErrNotDefinite; the last one names the smallest
// eigenvalue of b and covers a condition number above 1/(n·2⁻⁵²). The arguments are neither
// modified nor retained.
func Generalized(a, b mat.Symmetric) (*Pairs, error) {
	sa, err := copySymmetric("a", a)
	if err != nil {
		return nil, err
	}
	sb, err := copySymmetric("b", b)
	if err != nil {
		return nil, err
	}
	n := sa.SymmetricDim()
	if nb := sb.SymmetricDim(); nb != n {
		return nil, fmt.Errorf("%w: a is %d×%d and b is %d×%d, want equal sizes", ErrShape, n, n, nb, nb)
	}
	l, err := lowerFactor(sb)
	if err != nil {
		return nil, err
	}

	c := mat.DenseCopyOf(sa)
	blas64.Trsm(blas.Left, blas.NoTrans, 1, l, c.RawMatrix())
	blas64.Trsm(blas.Right, blas.Trans, 1, l, c.RawMatrix())
	for i := range n {
		for j := i; j < n; j++ {
			sa.SetSym(i, j, (c.At(i, j)+c.At(j, i))/2)
		}
	}
	if err := checkSymmetric("L⁻¹ a L⁻ᵀ", sa); err != nil {
		return nil, err
	}
	p, err := symmetric(sa)
	if err != nil {
		return nil, err
	}
	blas64.Trsm(blas.Left, blas.Trans, 1, l, p.Vectors.RawMatrix())
	FixSigns(p.Vectors)
	return p, nil
}

// lowerFactor returns L of b = L Lᵀ.
func lowerFactor(b *mat.SymDense) (blas64.Triangular, error) {
	n := b.SymmetricDim()
	var chol mat.Cholesky
	if ok := chol.Factorize(b); !ok || chol.Cond() > 1/(float64(n)*epsilon) {
		values, err := Values(b)
		if err != nil {
			return blas64.Triangular{}, err
		}
		return blas64.Triangular{}, fmt.Errorf("%w: the eigenvalues of b (%d×%d) run from %.6g to %.6g, want all above %.3g",
			ErrNotDefinite, n, n, values[n-1], values[0], float64(n)*epsilon*math.Abs(values[0]))
	}
	var l mat.TriDense
	chol.LTo(&l)
	return l.RawTriangular(), nil
}

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52
