package kpca

import (
	"context"
	"fmt"
	"math"
	"reflect"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
)

// A PreImage finds inputs whose features are near given points of feature space. The rows of the
// result (M×d) belong to the M points, which must be expressed in the training rows the method
// was built on.
type PreImage interface {
	PreImages(ctx context.Context, p gram.FeaturePoints) (*mat.Dense, error)
}

// Distances returns |φ(x̂ᵢ) − φᵢ|, the error of pre-images x̂ (the rows of images, M×d) of the
// points p, under kernel k with training rows x (N×d):
//
//	|φ(x̂) − Σ c_i φ(x_i)|² = k(x̂, x̂) − 2 Σ c_i k(x_i, x̂) + c·Kc
//
// clamped at 0. Rounding limits it to about 1e-8 of the norm of φ. Errors are those of
// gram.Cross, and wrap gram.ErrShape if the sizes do not fit.
func Distances(ctx context.Context, k kernel.Kernel, x, images mat.Matrix, p gram.FeaturePoints) ([]float64, error) {
	rows, err := gram.Cross(ctx, k, images, x)
	if err != nil {
		return nil, err
	}
	m, n := rows.Dims()
	if err := checkPoints(p.Coefficients, "Coefficients", n); err != nil {
		return nil, err
	}
	if err := checkPoints(p.Kernel, "Kernel", n); err != nil {
		return nil, err
	}
	if c, kc := p.Coefficients.RawMatrix().Rows, p.Kernel.RawMatrix().Rows; c != m || kc != m {
		return nil, fmt.Errorf("%w: %d images for points with %d rows of coefficients and %d of kernel values",
			gram.ErrShape, m, c, kc)
	}
	squares, err := gram.Diagonal(k, images)
	if err != nil {
		return nil, err
	}
	for i := range squares {
		c := p.Coefficients.RawRowView(i)
		d := squares[i] - 2*floats.Dot(c, rows.RawRowView(i)) + floats.Dot(c, p.Kernel.RawRowView(i))
		squares[i] = math.Sqrt(max(0, d))
	}
	return squares, nil
}

// PreImageErrors is Distances with the kernel and the training rows of the model.
func (m *Model) PreImageErrors(ctx context.Context, images mat.Matrix, p gram.FeaturePoints) ([]float64, error) {
	if m.kernel == nil {
		return nil, fmt.Errorf("%w: use Distances", ErrNoKernel)
	}
	return Distances(ctx, m.kernel, m.x, images, p)
}

// A Barycentre returns x̂ = Σ c_i x_i, linear in the point and exact for the linear kernel.
type Barycentre struct{ x *mat.Dense }

// NewBarycentre returns the method for the training rows x (N×d). The error wraps gram.ErrShape
// and gram.ErrNotFinite. x is neither modified nor retained.
func NewBarycentre(x mat.Matrix) (*Barycentre, error) {
	d, err := finiteCopy("x", x)
	if err != nil {
		return nil, err
	}
	return &Barycentre{x: d}, nil
}

// PreImages uses p.Coefficients (M×N). The error wraps gram.ErrShape and gram.ErrNotFinite.
func (b *Barycentre) PreImages(_ context.Context, p gram.FeaturePoints) (*mat.Dense, error) {
	n, _ := b.x.Dims()
	if err := checkPoints(p.Coefficients, "Coefficients", n); err != nil {
		return nil, err
	}
	var images mat.Dense
	images.Mul(p.Coefficients, b.x)
	return &images, nil
}

// checkPoints returns an error unless a has the given number of columns and is finite.
func checkPoints(a *mat.Dense, name string, columns int) error {
	if a == nil || a.IsEmpty() {
		return fmt.Errorf("%w: the points have no %s", gram.ErrShape, name)
	}
	r, c := a.Dims()
	if c != columns {
		return fmt.Errorf("%w: %s of the points is %d×%d, want %d columns", gram.ErrShape, name, r, c, columns)
	}
	for i := range r {
		for j, v := range a.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%w: %s of the points has %v at row %d, column %d", gram.ErrNotFinite, name, v, i, j)
			}
		}
	}
	return nil
}

// finiteCopy returns a copy of a, which must not be empty and must be finite.
func finiteCopy(name string, a mat.Matrix) (*mat.Dense, error) {
	if a == nil {
		return nil, fmt.Errorf("%w: %s is nil", gram.ErrShape, name)
	}
	if v := reflect.ValueOf(a); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fmt.Errorf("%w: %s is nil", gram.ErrShape, name)
	}
	r, c := a.Dims()
	if r == 0 || c == 0 {
		return nil, fmt.Errorf("%w: %s is %d×%d, want 1 or more rows and columns", gram.ErrShape, name, r, c)
	}
	d := mat.DenseCopyOf(a)
	for i := range r {
		for j, v := range d.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%w: %s has %v at row %d, column %d", gram.ErrNotFinite, name, v, i, j)
			}
		}
	}
	return d, nil
}
