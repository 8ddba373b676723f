// Package gram computes and centres Gram matrices: the N×N matrix K with entries k(xᵢ, xⱼ) of a
// kernel on N observations, and the M×N matrix of kernel values between new points and those.
//
//	k, err := gram.Compute(ctx, kernel.RBF{LengthScale: 2}, x) // K
//	c := gram.Center(k)                                        // K becomes K_c = J K J
//	rows, err := gram.Cross(ctx, kernel.RBF{LengthScale: 2}, z, x)
//	c.Rows(rows)                                               // new rows, centred alike
//
// Data matrices have one observation per row. With φ the feature map of k and φ_c the mean of
// the φ(xᵢ), centring replaces φ by φ − φ_c; J = I − 11ᵀ/N. Row means and grand mean are kept in
// a [Centering], so that new points are centred by the training data, never by their own batch.
//
// # Accuracy
//
// Squared distances come from one matrix product of the data with their column means taken off,
// so a common offset costs nothing, and are computed again from differences where the points are
// near each other compared with their distance from the mean: they have about 14 digits, and
// repeated rows are at distance 0 exactly. [ComputeCentered] takes the column means off before a
// linear kernel is evaluated; centring afterwards would lose the digits of the offset squared.
//
// # Results repeat
//
// Kernels that implement kernel.RowKernel are evaluated on all processors in blocks that depend
// on the shape only. The bits are the same for any GOMAXPROCS, K is symmetric to the last bit,
// and a row of Cross for a training point equals the row of Compute, also after centring. Other
// kernels, kernel.Func among them, are evaluated on the caller's goroutine.
//
// # Size
//
// K takes 8N² bytes: 800 MB for N = 10,000. Compute allocates that once and works in it, and so
// does Center. A request above [MaxBytes] is refused. For more points use features of a fixed
// dimension, whose inner products approximate the kernel: [FitNystrom] or [NewFourier].
package gram

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Errors that the functions of this package wrap. Errors about the kernel itself wrap
// kernel.ErrParameter or kernel.ErrDomain.
var (
	ErrShape        = errors.New("gram: unusable shape")
	ErrNotFinite    = errors.New("gram: value is not finite")
	ErrNotSymmetric = errors.New("gram: matrix is not symmetric")
	ErrNotPSD       = errors.New("gram: matrix is not positive semi-definite")
	ErrTooLarge     = errors.New("gram: matrix is too large")
	ErrKernel       = errors.New("gram: kernel failed")
	ErrConfig       = errors.New("gram: invalid config")
)

// MaxBytes is the size in bytes above which a matrix is refused with ErrTooLarge instead of
// being allocated. The default, 8 GiB, allows N = 32,768. Set it before, not while, functions of
// this package run.
var MaxBytes int64 = 8 << 30

// Bytes returns the memory that a rows×cols matrix of float64 takes, in bytes. It is what
// Compute and Cross allocate, up to a copy of the data and a few tiles.
func Bytes(rows, cols int) float64 { return 8 * float64(rows) * float64(cols) }

// checkSize returns an error if a rows×cols matrix is above MaxBytes.
func checkSize(what string, rows, cols int) error {
	if b := Bytes(rows, cols); b > float64(MaxBytes) {
		return fmt.Errorf("%w: the %d×%d %s takes %.3g bytes, above gram.MaxBytes = %d; raise it, "+
			"or use features (FitNystrom, NewFourier)", ErrTooLarge, rows, cols, what, b, MaxBytes)
	}
	return nil
}

// FeaturePoints are M points of feature space in terms of the N training points, as the models
// hand them to a pre-image method.
type FeaturePoints struct {
	// Coefficients is c, M×N: point m is Σᵢ c_mi φ(xᵢ). Rows sum to 1 for a centred model.
	Coefficients *mat.Dense
	// Kernel is K c, M×N: the inner products of the points with the φ(xᵢ), not centred.
	Kernel *mat.Dense
	// Scores is t, M×q: the coordinates along the leading kernel principal axes.
	Scores *mat.Dense
}

// finite reports whether every value is finite.
func finite(v []float64) bool {
	var s0, s1, s2, s3 float64 // stay 0 unless v−v is NaN
	for len(v) >= 4 {
		s0 += v[0] - v[0]
		s1 += v[1] - v[1]
		s2 += v[2] - v[2]
		s3 += v[3] - v[3]
		v = v[4:]
	}
	for _, x := range v {
		s0 += x - x
	}
	return s0+s1+s2+s3 == 0
}

// firstNotFinite returns the position of the first value that is NaN or infinite, or −1.
func firstNotFinite(v []float64) int {
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return i
		}
	}
	return -1
}
