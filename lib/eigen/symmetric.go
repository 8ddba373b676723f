package eigen

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Symmetric returns all n eigenpairs of a, an n×n symmetric matrix: values descending, unit
// vectors in the columns of an n×n matrix, signed as FixSigns does.
//
// The error wraps ErrShape if a is nil or empty, ErrNotFinite if an entry is NaN or Inf, and
// ErrNoConvergence if the QR iteration fails. a is neither modified nor retained.
func Symmetric(a mat.Symmetric) (*Pairs, error) {
	s, err := copySymmetric("a", a)
	if err != nil {
		return nil, err
	}
	return symmetric(s)
}

// symmetric is Symmetric for a checked matrix.
func symmetric(s *mat.SymDense) (*Pairs, error) {
	n := s.SymmetricDim()
	var f mat.EigenSym
	if !f.Factorize(s, true) {
		return nil, fmt.Errorf("%w: the QR iteration failed on a %d×%d matrix", ErrNoConvergence, n, n)
	}
	values := f.Values(nil)
	var ascending mat.Dense
	f.VectorsTo(&ascending)

	slices.Reverse(values)
	raw := ascending.RawMatrix()
	for i := range n {
		slices.Reverse(raw.Data[i*raw.Stride : i*raw.Stride+n])
	}
	FixSigns(&ascending)
	return &Pairs{Values: values, Vectors: &ascending, Converged: true}, nil
}

// Values returns the n eigenvalues of a, descending. It costs a fraction of Symmetric; errors
// are the same.
func Values(a mat.Symmetric) ([]float64, error) {
	s, err := copySymmetric("a", a)
	if err != nil {
		return nil, err
	}
	var f mat.EigenSym
	if !f.Factorize(s, false) {
		n := s.SymmetricDim()
		return nil, fmt.Errorf("%w: the QR iteration failed on a %d×%d matrix", ErrNoConvergence, n, n)
	}
	values := f.Values(nil)
	slices.Reverse(values)
	return values, nil
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
