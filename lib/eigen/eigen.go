// Package eigen solves symmetric eigenproblems and decides order and sign once for the whole
// library.
//
// # What there is
//
//	Symmetric     all pairs of a symmetric matrix, by divide and conquer
//	Values        all eigenvalues
//	Leading       the k algebraically largest pairs of an Operator, by thick-restart Lanczos
//	Generalized   a v = λ b v with b positive definite
//	PrincipalAngles  the angles between two subspaces, accurate for tiny ones
//
// # Conventions
//
// Eigenvalues are descending, eigenvectors are the columns of an n×k matrix and have unit
// length (b-length one for Generalized). A column is signed so that its entry of largest
// magnitude is positive; among entries that agree in magnitude to 1e-8 of the largest the
// first one decides, so that a tie does not hang on rounding. FixSigns is that rule.
//
// # What is checked
//
// Every entry is checked for NaN and Inf before a factorisation starts: gonum's EigenSym
// reports success on NaN and its SVD does not return on Inf. Errors wrap one of the sentinels
// below and name the value, its place and the valid range. Leading does not treat a run that
// stopped at its limit as an error: Pairs.Converged and Pairs.Residuals tell.
//
// # References
//
//   - K. Wu and H. Simon, "Thick-restart Lanczos method for large symmetric eigenvalue
//     problems", SIAM J. Matrix Anal. Appl. 22 (2000).
//   - J. Kuczyński and H. Woźniakowski, "Estimating the largest eigenvalue by the power and
//     Lanczos algorithms with a random start", SIAM J. Matrix Anal. Appl. 13 (1992).
//   - J. Cuppen, "A divide and conquer method for the symmetric tridiagonal eigenproblem", Numer.
//     Math. 36 (1981).
//   - M. Gu and S. Eisenstat, "A divide-and-conquer algorithm for the symmetric tridiagonal
//     eigenproblem", SIAM J. Matrix Anal. Appl. 16 (1995).
//   - R.-C. Li, "Solving secular equations stably and efficiently", LAPACK working note 89 (1994).
//   - A. Knyazev and M. Argentati, "Principal angles between subspaces in an A-based scalar
//     product", SIAM J. Sci. Comput. 23 (2002).
package eigen

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Errors that the functions of this package wrap.
var (
	// ErrShape reports an empty matrix or sizes that do not fit together.
	ErrShape = errors.New("eigen: invalid shape")
	// ErrNotFinite reports NaN or Inf in a matrix, a direction or a product.
	ErrNotFinite = errors.New("eigen: not finite")
	// ErrConfig reports a setting, or a number of pairs, out of range.
	ErrConfig = errors.New("eigen: invalid config")
	// ErrNotDefinite reports that the second matrix of Generalized is not positive definite.
	ErrNotDefinite = errors.New("eigen: not positive definite")
	// ErrRank reports linearly dependent columns where a basis is needed.
	ErrRank = errors.New("eigen: rank deficient")
	// ErrNoConvergence reports that a dense factorisation did not converge.
	ErrNoConvergence = errors.New("eigen: no convergence")
)

// Pairs are eigenpairs of a symmetric problem.
type Pairs struct {
	Values  []float64  // λ, descending, length k
	Vectors *mat.Dense // n×k, column j belongs to Values[j]

	// Residuals holds |A v − λ v| for each pair of Leading, computed from A v. Symmetric and
	// Generalized leave it nil: theirs are of order n·2⁻⁵³·|A|.
	Residuals []float64

	Products int // products A x of Leading

	// Converged is whether each residual of Leading is at most Tol·max|λ| and the test for
	// missing copies of repeated eigenvalues was passed. It is true otherwise.
	Converged bool
}

// signTie is the relative difference below which two magnitudes count as equal in FixSigns.
const signTie = 1e-8

// FixSigns multiplies columns of v by −1 where needed, in place, so that the entry of largest
// magnitude of each column is positive. Of entries whose magnitudes agree to 1e-8 of the
// largest, the first one decides. Zero columns and columns with NaN stay as they are.
func FixSigns(v *mat.Dense) {
	if v == nil || v.IsEmpty() {
		return
	}
	rows, cols := v.Dims()
	raw := v.RawMatrix()
	largest := make([]float64, cols)
	for i := range rows {
		for j, x := range raw.Data[i*raw.Stride : i*raw.Stride+cols] {
			largest[j] = max(largest[j], math.Abs(x))
		}
	}
	const undecided = 0
	sign := make([]float64, cols)
	for i := range rows {
		for j, x := range raw.Data[i*raw.Stride : i*raw.Stride+cols] {
			if sign[j] == undecided && x != 0 && math.Abs(x) >= (1-signTie)*largest[j] {
				sign[j] = math.Copysign(1, x)
			}
		}
	}
	for i := range rows {
		row := raw.Data[i*raw.Stride : i*raw.Stride+cols]
		for j := range row {
			if sign[j] < 0 {
				row[j] = -row[j]
			}
		}
	}
}
