package eigen

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// Symmetric returns all n eigenpairs of a, an n×n symmetric matrix: values descending, unit
// vectors in the columns of an n×n matrix, signed as FixSigns does.
//
// The error wraps ErrShape if a is nil or empty, ErrNotFinite if an entry is NaN or Inf, and
// ErrNoConvergence if the QR iteration fails. a is neither modified nor retained. Of the time for
// large n most goes into the reduction to tridiagonal form; the rest is matrix products.
func Symmetric(a mat.Symmetric) (*Pairs, error) {
	s, err := copySymmetric("a", a)
	if err != nil {
		return nil, err
	}
	return symmetric(s)
}

// symmetric is Symmetric for a checked matrix, which it overwrites.
func symmetric(s *mat.SymDense) (*Pairs, error) {
	scale := scaleToOne(s)
	values, rows, err := ascending(s.RawSymmetric())
	if err != nil {
		return nil, err
	}
	n := len(values)
	slices.Reverse(values)
	if err := unscale(values, scale); err != nil {
		return nil, err
	}
	vectors := mat.NewDense(n, n, nil)
	transposeReversed(vectors.RawMatrix().Data, rows, n)
	FixSigns(vectors)
	return &Pairs{Values: values, Vectors: vectors, Converged: true}, nil
}

// small is the size up to which the QR iteration of LAPACK's Dsyev is as fast as dividing.
const small = 64

// ascending returns the eigenvalues of a, ascending, and the eigenvectors as rows, in the same order;
// it overwrites a.
func ascending(a blas64.Symmetric) (values, rows []float64, err error) {
	n := a.N
	if n <= small {
		return iterated(a)
	}
	r := reduce(a)
	v, ok := divide(r.d, r.e)
	if !ok {
		return nil, nil, noConvergence(n)
	}
	values, rows = make([]float64, n), v.halves // done with
	for i, at := range v.order {
		values[i] = v.d[at]
		copy(rows[i*n:(i+1)*n], v.row(at, 0, n))
	}
	r.restore(rows)
	return values, rows, nil
}

// iterated is ascending by QR iteration.
func iterated(a blas64.Symmetric) (values, rows []float64, err error) {
	var s mat.SymDense
	s.SetRawSymmetric(a)
	var f mat.EigenSym
	if !f.Factorize(&s, true) {
		return nil, nil, noConvergence(a.N)
	}
	var columns mat.Dense
	f.VectorsTo(&columns)
	return f.Values(nil), mat.DenseCopyOf(columns.T()).RawMatrix().Data, nil
}

// transposeReversed sets dst to the transpose of src, both n×n, with its columns in reverse order.
func transposeReversed(dst, src []float64, n int) {
	const tile = 16 // two cache lines
	for i0 := 0; i0 < n; i0 += tile {
		for j0 := 0; j0 < n; j0 += tile {
			for i := i0; i < min(n, i0+tile); i++ {
				row := dst[i*n : (i+1)*n]
				for j := j0; j < min(n, j0+tile); j++ {
					row[n-1-j] = src[j*n+i]
				}
			}
		}
	}
}

// Values returns the n eigenvalues of a, descending. It costs a fraction of Symmetric; errors
// are the same.
func Values(a mat.Symmetric) ([]float64, error) {
	s, err := copySymmetric("a", a)
	if err != nil {
		return nil, err
	}
	scale := scaleToOne(s)
	values, err := tridiagonalValues(s.RawSymmetric())
	if err != nil {
		return nil, err
	}
	slices.Reverse(values)
	if err := unscale(values, scale); err != nil {
		return nil, err
	}
	return values, nil
}

// unscale multiplies values by scale.
func unscale(values []float64, scale float64) error {
	for i := range values {
		values[i] *= scale
		if !isFinite(values[i]) {
			return fmt.Errorf("%w: eigenvalue %d is %v, beyond the range of float64", ErrNotFinite, i, values[i])
		}
	}
	return nil
}

// tridiagonalValues returns the ascending eigenvalues of a, which it overwrites. It reduces to
// tridiagonal form and iterates there with LAPACK's Dsteqr: gonum v0.17 panics in Dsterf, which
// EigenSym uses for values alone, when the form has a block with entries below about 1e-122.
func tridiagonalValues(a blas64.Symmetric) ([]float64, error) {
	r := reduce(a)
	if !(gonum.Implementation{}).Dsteqr(lapack.EVCompNone, a.N, r.d, r.e, nil, 1, nil) {
		return nil, noConvergence(a.N)
	}
	return r.d, nil
}

// scaleToOne multiplies s by a power of two that brings its largest entry to about 1, and returns
// the inverse of that power: eigenvalues are multiplied by it afterwards. Both are exact, but for
// entries that underflow beside much larger ones.
func scaleToOne(s *mat.SymDense) float64 {
	raw := s.RawSymmetric()
	largest := 0.0
	for i := range raw.N {
		for _, x := range raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N] {
			largest = max(largest, math.Abs(x))
		}
	}
	if largest == 0 {
		return 1
	}
	exponent := math.Ilogb(largest)
	for i := range raw.N {
		row := raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N]
		for j := range row {
			row[j] = math.Ldexp(row[j], -exponent)
		}
	}
	return math.Ldexp(1, exponent)
}

func noConvergence(n int) error {
	return fmt.Errorf("%w: the QR iteration failed on a %d×%d matrix", ErrNoConvergence, n, n)
}

// copySymmetric returns a copy of a, or an error that names the first entry of the upper
// triangle that is not finite.
func copySymmetric(name string, a mat.Symmetric) (*mat.SymDense, error) {
	if isNil(a) || a.SymmetricDim() == 0 {
		return nil, fmt.Errorf("%w: %s is empty, want at least 1×1", ErrShape, name)
	}
	n := a.SymmetricDim()
	s := mat.NewSymDense(n, nil)
	s.CopySym(a)
	if err := checkSymmetric(name, s); err != nil {
		return nil, err
	}
	return s, nil
}

// checkSymmetric returns an error if the upper triangle of s holds NaN or Inf.
func checkSymmetric(name string, s *mat.SymDense) error {
	raw := s.RawSymmetric()
	for i := range raw.N {
		for j, x := range raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N] {
			if !isFinite(x) {
				return fmt.Errorf("%w: %s[%d,%d] is %v", ErrNotFinite, name, i, i+j, x)
			}
		}
	}
	return nil
}

// isNil reports whether a is nil or a nil pointer to one of gonum's symmetric matrices.
func isNil(a mat.Matrix) bool {
	switch a := a.(type) {
	case nil:
		return true
	case *mat.SymDense:
		return a == nil
	case *mat.Dense:
		return a == nil
	case *mat.DiagDense:
		return a == nil
	case *mat.SymBandDense:
		return a == nil
	}
	return false
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
