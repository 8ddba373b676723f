package asymptotic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// CKA returns the centred kernel alignment of two N×N Gram matrices, with entries as they are or
// centred,
//
//	⟨JAJ, JBJ⟩ / (|JAJ| |JBJ|)
//
// in Frobenius products: the biased estimate, from 0 to 1 for positive semi-definite matrices. The
// error wraps ErrShape, ErrNotFinite, or ErrNoScale if a centred matrix is zero.
func CKA(a, b mat.Symmetric) (float64, error) {
	ca, cb, err := unitCentred(a, b)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i, v := range ca {
		sum += v * cb[i]
	}
	return sum, nil
}

// CKAGap returns 1 − CKA(a, b) as half the squared distance of the centred matrices scaled to
// unit norm, which keeps its digits near 0.
func CKAGap(a, b mat.Symmetric) (float64, error) {
	ca, cb, err := unitCentred(a, b)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i, v := range ca {
		d := v - cb[i]
		sum += d * d
	}
	return sum / 2, nil
}

// DebiasedCKA returns the alignment by the unbiased estimate of the Hilbert-Schmidt independence
// criterion (Song et al. 2012): with diagonals set to zero and N ≥ 4,
//
//	HSIC = (tr(AB) + 1ᵀA1·1ᵀB1/((N−1)(N−2)) − 2·1ᵀAB1/(N−2)) / (N(N−3)).
//
// It may be negative. The error is that of CKA, and wraps ErrShape for N < 4 and ErrNoScale if
// the estimate of a matrix with itself is not positive.
func DebiasedCKA(a, b mat.Symmetric) (float64, error) {
	if err := checkGrams(a, b); err != nil {
		return 0, err
	}
	if n := a.SymmetricDim(); n < 4 {
		return 0, fmt.Errorf("%w: %d points, want at least 4 for the unbiased estimate", ErrShape, n)
	}
	aa, bb := hsic(a, a), hsic(b, b)
	if !(aa > 0 && bb > 0) {
		return 0, fmt.Errorf("%w: unbiased estimates %g and %g of the Gram matrices with themselves, want above 0", ErrNoScale, aa, bb)
	}
	return hsic(a, b) / math.Sqrt(aa) / math.Sqrt(bb), nil
}

// hsic returns N(N−3) times the unbiased estimate. A shift of all entries does not change it,
// so the mean entries off the diagonal are removed first.
func hsic(a, b mat.Symmetric) float64 {
	n := a.SymmetricDim()
	ma, mb := offDiagonalMean(a), offDiagonalMean(b)
	trace, mixed, sumA, sumB := 0.0, 0.0, 0.0, 0.0
	for i := range n {
		ra, rb := 0.0, 0.0
		for j := range n {
			if i != j {
				x, y := a.At(i, j)-ma, b.At(i, j)-mb
				trace += x * y
				ra += x
				rb += y
			}
		}
		mixed += ra * rb
		sumA += ra
		sumB += rb
	}
	m := float64(n)
	return trace + sumA*sumB/((m-1)*(m-2)) - 2*mixed/(m-2)
}

func offDiagonalMean(a mat.Symmetric) float64 {
	n := a.SymmetricDim()
	sum := 0.0
	for i := range n {
		for j := i + 1; j < n; j++ {
			sum += a.At(i, j)
		}
	}
	return sum / (float64(n) * float64(n-1) / 2)
}

// unitCentred returns the entries of both matrices, centred and scaled to Frobenius norm 1.
func unitCentred(a, b mat.Symmetric) (ca, cb []float64, err error) {
	if err := checkGrams(a, b); err != nil {
		return nil, nil, err
	}
	if ca, err = unitCentredOne("first", a); err != nil {
		return nil, nil, err
	}
	if cb, err = unitCentredOne("second", b); err != nil {
		return nil, nil, err
	}
	return ca, cb, nil
}

func unitCentredOne(name string, a mat.Symmetric) ([]float64, error) {
	n := a.SymmetricDim()
	v := make([]float64, n*n)
	largest := 0.0
	for i := range n {
		for j := range n {
			v[i*n+j] = a.At(i, j)
			largest = max(largest, math.Abs(v[i*n+j]))
		}
	}
	c := mat.NewDense(n, n, v)
	for range 2 { // again for the rounding of the first means
		removeColumnMeans(c)
		for i := range n {
			center(v[i*n : (i+1)*n])
		}
	}
	norm := vectorNorm(v)
	if norm <= largest*float64(n)*epsilon {
		return nil, fmt.Errorf("%w: the %s Gram matrix is zero after centring", ErrNoScale, name)
	}
	for i := range v {
		v[i] /= norm
	}
	return v, nil
}

func checkGrams(a, b mat.Symmetric) error {
	if a == nil || b == nil || a.SymmetricDim() == 0 || a.SymmetricDim() != b.SymmetricDim() {
		na, nb := 0, 0
		if a != nil {
			na = a.SymmetricDim()
		}
		if b != nil {
			nb = b.SymmetricDim()
		}
		return fmt.Errorf("%w: Gram matrices of %d and %d points, want equal numbers above 0", ErrShape, na, nb)
	}
	for k, m := range []mat.Symmetric{a, b} {
		n := m.SymmetricDim()
		for i := range n {
			for j := i; j < n; j++ {
				if v := m.At(i, j); !isFinite(v) {
					return fmt.Errorf("%w: Gram matrix %d has %v at (%d,%d)", ErrNotFinite, k+1, v, i, j)
				}
			}
		}
	}
	return nil
}
