package kpca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
)

// RidgeConfig holds the settings of a Ridge. The zero value is scikit-learn's KernelPCA with
// fit_inverse_transform.
type RidgeConfig struct {
	Alpha float64 // α, added to the diagonal; 0 means 1
	// Centre regresses on the deviations of the training rows from their mean, to which far
	// points then fall back instead of to the origin.
	Centre bool
}

// A Ridge learns the map from scores to inputs by kernel ridge regression (Bakır, Weston &
// Schölkopf, "Learning to find pre-images", 2004). With T the N×q training scores,
//
//	D = (k(T, T) + α I)⁻¹ X,   x̂ = k(t, T) D.
type Ridge struct {
	kernel kernel.Kernel
	t      *mat.Dense // N×q
	dual   *mat.Dense // D, N×d
	mean   []float64  // nil unless centred
}

// NewRidge returns the method for the training rows x (N×d), their scores t (N×q), and the kernel
// k on scores, in scikit-learn the kernel of the model. The error wraps ErrConfig if Alpha is
// negative or not finite or k(T, T) + α I is not positive definite, and those of gram.Compute for
// unusable data. x and t are neither modified nor retained.
func NewRidge(ctx context.Context, x, t mat.Matrix, k kernel.Kernel, cfg RidgeConfig) (*Ridge, error) {
	rows, err := finiteCopy("x", x)
	if err != nil {
		return nil, err
	}
	scores, err := finiteCopy("t", t)
	if err != nil {
		return nil, err
	}
	n, d := rows.Dims()
	if nt, _ := scores.Dims(); nt != n {
		return nil, fmt.Errorf("%w: x has %d rows and t %d, want equal numbers", gram.ErrShape, n, nt)
	}
	alpha := cfg.Alpha
	if alpha == 0 {
		alpha = 1
	}
	if !(alpha > 0) || math.IsInf(alpha, 1) {
		return nil, fmt.Errorf("%w: Alpha is %v, want a positive finite number, or 0 for 1", ErrConfig, cfg.Alpha)
	}
	g, err := gram.Compute(ctx, k, scores)
	if err != nil {
		return nil, err
	}
	for i := range n {
		g.SetSym(i, i, g.At(i, i)+alpha)
	}
	var chol mat.Cholesky
	if !chol.Factorize(g) {
		return nil, fmt.Errorf("%w: k(T, T) + %g I (%d×%d) is not positive definite, want a larger Alpha", ErrConfig, alpha, n, n)
	}
	r := &Ridge{kernel: k, t: scores, dual: mat.NewDense(n, d, nil)}
	if cfg.Centre {
		r.mean = subtractMeans(rows)
	}
	if err := chol.SolveTo(r.dual, rows); err != nil {
		return nil, fmt.Errorf("%w: k(T, T) + %g I (%d×%d) is singular in floating point, want a larger Alpha", ErrConfig, alpha, n, n)
	}
	return r, nil
}

// PreImages uses p.Scores (M×q). The error wraps gram.ErrShape, gram.ErrNotFinite and those of
// gram.Cross.
func (r *Ridge) PreImages(ctx context.Context, p gram.FeaturePoints) (*mat.Dense, error) {
	_, q := r.t.Dims()
	if err := checkPoints(p.Scores, "Scores", q); err != nil {
		return nil, err
	}
	rows, err := gram.Cross(ctx, r.kernel, p.Scores, r.t)
	if err != nil {
		return nil, err
	}
	var images mat.Dense
	images.Mul(rows, r.dual)
	m, _ := images.Dims()
	for i := range m {
		row := images.RawRowView(i)
		for j, mean := range r.mean {
			row[j] += mean
		}
	}
	return &images, nil
}

// subtractMeans takes the column means off x and returns them.
func subtractMeans(x *mat.Dense) []float64 {
	n, d := x.Dims()
	means := make([]float64, d)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			means[j] += v
		}
	}
	for j := range means {
		means[j] /= float64(n)
	}
	for i := range n {
		row := x.RawRowView(i)
		for j, mean := range means {
			row[j] -= mean
		}
	}
	return means
}
