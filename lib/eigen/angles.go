package eigen

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// PrincipalAngles returns the principal angles between the column spaces of u (n×p) and v
// (n×q), in radians from 0 to π/2, ascending, min(p, q) of them. The columns need not be
// orthonormal, but they must be linearly independent.
//
// With orthonormal bases U and V, the cosines are the singular values of UᵀV and the sines
// those of V − U UᵀV (p ≥ q). An angle below π/4 is taken from its sine and any other from its
// cosine (Knyazev & Argentati 2002), so that angles of 1e-12 are as good as those near π/2.
//
// The error wraps ErrShape if a matrix is empty or the numbers of rows differ, ErrNotFinite
// for NaN or Inf, and ErrRank if the columns are dependent (smallest singular value of the
// columns scaled to unit length at most n·2⁻⁵² of the largest). u and v are not modified.
func PrincipalAngles(u, v mat.Matrix) ([]float64, error) {
	qu, err := orthonormal("u", u)
	if err != nil {
		return nil, err
	}
	qv, err := orthonormal("v", v)
	if err != nil {
		return nil, err
	}
	n, p := qu.Dims()
	nv, q := qv.Dims()
	if n != nv {
		return nil, fmt.Errorf("%w: u has %d rows and v has %d, want equal numbers", ErrShape, n, nv)
	}
	if p < q {
		qu, qv = qv, qu
		q = p
	}

	var overlap, rest mat.Dense
	overlap.Mul(qu.T(), qv)
	rest.Mul(qu, &overlap)
	rest.Sub(qv, &rest)
	cosines, err := singularValues(&overlap)
	if err != nil {
		return nil, err
	}
	sines, err := singularValues(&rest)
	if err != nil {
		return nil, err
	}

	angles := make([]float64, q)
	for i := range angles {
		sine := sines[q-1-i] // ascending, as the angles
		if sine*sine < 0.5 {
			angles[i] = math.Asin(sine)
		} else {
			angles[i] = math.Acos(min(cosines[i], 1))
		}
	}
	return angles, nil
}

// orthonormal returns an orthonormal basis of the columns of a.
func orthonormal(name string, a mat.Matrix) (*mat.Dense, error) {
	if isNil(a) {
		return nil, fmt.Errorf("%w: %s is nil", ErrShape, name)
	}
	n, p := a.Dims()
	if n == 0 || p == 0 {
		return nil, fmt.Errorf("%w: %s is %d×%d, want at least 1×1", ErrShape, name, n, p)
	}
	if p > n {
		return nil, fmt.Errorf("%w: %s has %d columns of length %d, at most %d can be independent", ErrRank, name, p, n, n)
	}
	unit := mat.DenseCopyOf(a)
	for j := range p {
		if err := normalizeColumn(name, unit, j); err != nil {
			return nil, err
		}
	}
	var svd mat.SVD
	if !svd.Factorize(unit, mat.SVDThinU) {
		return nil, fmt.Errorf("%w: singular values of %s (%d×%d)", ErrNoConvergence, name, n, p)
	}
	s := svd.Values(nil)
	if limit := float64(n) * epsilon * s[0]; s[p-1] <= limit {
		return nil, fmt.Errorf("%w: the columns of %s (%d×%d, scaled to unit length) have smallest singular value %.3g, want above %.3g",
			ErrRank, name, n, p, s[p-1], limit)
	}
	var q mat.Dense
	svd.UTo(&q)
	return &q, nil
}

// normalizeColumn scales column j of a to unit length, without overflow.
func normalizeColumn(name string, a *mat.Dense, j int) error {
	n, _ := a.Dims()
	largest := 0.0
	for i := range n {
		x := a.At(i, j)
		if !isFinite(x) {
			return fmt.Errorf("%w: %s[%d,%d] is %v", ErrNotFinite, name, i, j, x)
		}
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		return fmt.Errorf("%w: column %d of %s is zero", ErrRank, j, name)
	}
	sum := 0.0
	for i := range n {
		x := a.At(i, j) / largest
		a.Set(i, j, x)
		sum += x * x
	}
	length := math.Sqrt(sum)
	for i := range n {
		a.Set(i, j, a.At(i, j)/length)
	}
	return nil
}

// singularValues returns the singular values of a finite matrix, descending.
func singularValues(a *mat.Dense) ([]float64, error) {
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDNone) {
		r, c := a.Dims()
		return nil, fmt.Errorf("%w: singular values of a %d×%d matrix", ErrNoConvergence, r, c)
	}
	return svd.Values(nil), nil
}
