package gram

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// symmetryTol is the asymmetry, relative to the largest entry, that Precomputed takes for
// rounding.
const symmetryTol = 1e-8

// Precomputed checks a Gram matrix that the caller has computed and returns a symmetric copy,
// (K+Kᵀ)/2, with both triangles of the backing array filled. The error wraps ErrShape if k is
// empty or not square, ErrNotFinite, ErrNotSymmetric if |Kᵢⱼ−Kⱼᵢ| is above 1e-8 of the largest
// entry in absolute value, or ErrTooLarge, and names the first bad entry. k is neither modified
// nor retained.
func Precomputed(k mat.Matrix) (*mat.SymDense, error) {
	if isNil(k) {
		return nil, fmt.Errorf("%w: the Gram matrix is nil", ErrShape)
	}
	n, cols := k.Dims()
	if n != cols || n == 0 {
		return nil, fmt.Errorf("%w: the Gram matrix is %d×%d, want a square matrix", ErrShape, n, cols)
	}
	if err := checkSize("Gram matrix", n, n); err != nil {
		return nil, err
	}
	out := make([]float64, n*n)
	for i := range n {
		copyRow(out[i*n:(i+1)*n], i, k)
	}
	if at := firstNotFinite(out); at >= 0 {
		return nil, fmt.Errorf("%w: the Gram matrix has %v at row %d, column %d", ErrNotFinite, out[at], at/n, at%n)
	}
	var largest float64
	for _, v := range out {
		largest = max(largest, math.Abs(v))
	}
	for i := range n {
		for j := range i {
			v, w := out[i*n+j], out[j*n+i]
			if v == w {
				continue
			}
			if !(math.Abs(v-w) <= symmetryTol*largest) {
				return nil, fmt.Errorf("%w: entry (%d, %d) is %v but (%d, %d) is %v; they may differ by %.3g, "+
					"1e-8 of the largest entry", ErrNotSymmetric, j, i, w, i, j, v, symmetryTol*largest)
			}
			v = v/2 + w/2
			out[i*n+j], out[j*n+i] = v, v
		}
	}
	return mat.NewSymDense(n, out), nil
}

// copyRow sets dst to row i of k.
func copyRow(dst []float64, i int, k mat.Matrix) {
	if s, ok := k.(mat.RawSymmetricer); ok { // only the upper triangle counts
		raw := s.RawSymmetric()
		copy(dst[i:], raw.Data[i*raw.Stride+i:i*raw.Stride+raw.N])
		for j := range i {
			dst[j] = raw.Data[j*raw.Stride+i]
		}
		return
	}
	mat.Row(dst, i, k)
}
