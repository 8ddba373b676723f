package eigen

import (
	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/gonum"

	"eigenbook/lib/blas"
)

// A reduction is A = Q T Qᵀ with T tridiagonal.
type reduction struct {
	d, e, tau []float64
	a         blas64.Symmetric // holds the reflectors of Q above the diagonal
}

// reduce returns the reduction of a, of which the upper triangle is read, and which it overwrites.
func reduce(a blas64.Symmetric) *reduction {
	var l gonum.Implementation
	n := a.N
	r := &reduction{d: make([]float64, n), e: make([]float64, max(n-1, 1)), tau: make([]float64, max(n-1, 1)), a: a}
	work := make([]float64, 1)
	l.Dsytrd(gonumblas.Upper, n, a.Data, a.Stride, r.d, r.e, r.tau, work, -1)
	work = make([]float64, max(int(work[0]), 2*n))
	l.Dsytrd(gonumblas.Upper, n, a.Data, a.Stride, r.d, r.e, r.tau, work, len(work))
	return r
}

// reflectors is how many of them are applied at a time.
const reflectors = 64

// restore replaces the rows y of z (n×n, row after row), eigenvectors of T, by Q y, those of A. Q is
// H_{n−2} … H_0 with H_i = I − τ_i v_i v_iᵀ, v_i zero beyond entry i, where it is 1; a block of them
// is I − V T Vᵀ with T upper triangular, so that rows times a block are two matrix products.
func (r *reduction) restore(z []float64) {
	n := r.a.N
	var impl blas.Implementation
	v, tv := make([]float64, reflectors*n), make([]float64, reflectors*n)
	gram, t := make([]float64, reflectors*reflectors), make([]float64, reflectors*reflectors)
	w := make([]float64, n*reflectors)
	for i0 := 0; i0 < n-1; i0 += reflectors {
		i1 := min(n-1, i0+reflectors)
		k, cols := i1-i0, i1
		clear(v[:k*cols])
		for row := range cols {
			for i := max(i0, row+1); i < i1; i++ {
				v[(i-i0)*cols+row] = r.a.Data[row*r.a.Stride+i+1]
			}
			if row >= i0 {
				v[(row-i0)*cols+row] = 1
			}
		}
		impl.Dgemm(gonumblas.NoTrans, gonumblas.Trans, k, k, cols, 1, v, cols, v, cols, 0, gram, k)
		clear(t)
		for j := range k {
			tau := r.tau[i0+j]
			t[j*k+j] = tau
			for i := range j {
				s := 0.0
				for l := i; l < j; l++ {
					s += t[i*k+l] * gram[l*k+j]
				}
				t[i*k+j] = -tau * s
			}
		}
		multiply(k, cols, k, t, k, v, cols, tv, cols)
		impl.Dgemm(gonumblas.NoTrans, gonumblas.Trans, n, k, cols, 1, z, n, v, cols, 0, w, k)
		impl.Dgemm(gonumblas.NoTrans, gonumblas.NoTrans, n, cols, k, -1, w, k, tv, cols, 1, z, n)
	}
}
