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

// panel is how many columns are reduced before the rest of the matrix is updated.
const panel = 32

// reduce returns the reduction of a, of which the upper triangle is read, and which it overwrites.
// It is LAPACK's Dsytrd, from the last column down, with the updates as matrix products.
func reduce(a blas64.Symmetric) *reduction {
	var l gonum.Implementation
	n := a.N
	r := &reduction{d: make([]float64, n), e: make([]float64, max(n-1, 1)), tau: make([]float64, max(n-1, 1)), a: a}
	w := make([]float64, n*panel)
	x, y := make([]float64, 2*n*panel), make([]float64, 2*n*panel)
	rest := n
	for ; rest > 2*panel; rest -= panel {
		l.Dlatrd(gonumblas.Upper, rest, panel, a.Data, a.Stride, r.e, r.tau, w, panel)
		r.update(rest-panel, w, x, y)
		for j := rest - panel; j < rest; j++ {
			r.d[j] = a.Data[j*a.Stride+j]
		}
	}
	l.Dsytd2(gonumblas.Upper, rest, a.Data, a.Stride, r.d, r.e, r.tau)
	return r
}

// update subtracts V Wᵀ + W Vᵀ from the first n rows and columns of a, in strips of rows from the
// diagonal on; V is in the columns after these, and x = (V W) and y = (W V) are scratch.
func (r *reduction) update(n int, w, x, y []float64) {
	for i := range n {
		v, wi := r.a.Data[i*r.a.Stride+n:][:panel], w[i*panel:][:panel]
		copy(x[2*i*panel:], v)
		copy(x[(2*i+1)*panel:], wi)
		copy(y[2*i*panel:], wi)
		copy(y[(2*i+1)*panel:], v)
	}
	const strip = 128
	for i := 0; i < n; i += strip {
		blas.Implementation{}.Dgemm(gonumblas.NoTrans, gonumblas.Trans, min(strip, n-i), n-i, 2*panel, -1,
			x[2*i*panel:], 2*panel, y[2*i*panel:], 2*panel, 1, r.a.Data[i*r.a.Stride+i:], r.a.Stride)
	}
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
