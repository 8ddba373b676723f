package blas

import (
	"gonum.org/v1/gonum/blas"
)

// Dgemm sets C to alpha·op(A)·op(B) + beta·C, op(A) m×k, op(B) k×n and C m×n, all row after row
// with the given strides; op is the transpose for Trans and ConjTrans. With beta = 0, C is not
// read; with alpha = 0, A and B are not. A and B may overlap, C must not overlap them. Arguments that
// do not fit together panic as gonum's do.
func (impl Implementation) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	transA, okA := transposed(tA)
	transB, okB := transposed(tB)
	usual := active != setGonum && okA && okB && m > 0 && n > 0 && k > 0 && fits(m, n, ldc, len(c))
	if usual && transA {
		usual = fits(k, m, lda, len(a))
	} else if usual {
		usual = fits(m, k, lda, len(a))
	}
	if usual && transB {
		usual = fits(n, k, ldb, len(b))
	} else if usual {
		usual = fits(k, n, ldb, len(b))
	}
	if !usual {
		impl.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	if beta != 1 && (beta != 0 || alpha == 0) {
		for i := range m {
			row := c[i*ldc : i*ldc+n]
			if beta == 0 {
				clear(row)
				continue
			}
			for j := range row {
				row[j] *= beta
			}
		}
	}
	if alpha == 0 {
		return
	}
	p := product{
		m: m, n: n, k: k, alpha: alpha,
		a: operand{a, lda, transA}, b: operand{b, ldb, !transB},
		c: c, ldc: ldc, overwrite: beta == 0,
	}
	p.run()
}

// transposed reports whether t asks for the transpose, and whether it is a known value.
func transposed(t blas.Transpose) (trans, ok bool) {
	switch t {
	case blas.NoTrans:
		return false, true
	case blas.Trans, blas.ConjTrans:
		return true, true
	}
	return false, false
}

// fits reports whether length numbers hold rows×cols, both positive, with stride ld. Nothing in it
// overflows, which matters because assembly has no bounds checks.
func fits(rows, cols, ld, length int) bool {
	return ld >= cols && length >= cols && rows-1 <= (length-cols)/ld
}
