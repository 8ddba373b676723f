package kernel

import (
	"fmt"
	"math"
)

// Linear is the kernel k(x, y) = x·y. Its feature vector is x itself.
type Linear struct{}

// Eval returns x·y.
func (Linear) Eval(x, y []float64) float64 { return Dot(x, y) }

// Validate returns nil.
func (Linear) Validate() error { return nil }

// String returns "Linear".
func (Linear) String() string { return "Linear" }

// PositiveSemidefinite returns true.
func (Linear) PositiveSemidefinite() bool { return true }

// Needs returns NeedDots.
func (Linear) Needs() Needs { return NeedDots }

// EvalRow copies the inner products.
func (Linear) EvalRow(dst []float64, r Row) { copy(dst, r.Dots) }

// Polynomial is the kernel k(x, y) = (Scale x·y + Offset)^Degree. Its feature space is spanned
// by the monomials of degree Degree, and by those of lower degree too if Offset > 0.
type Polynomial struct {
	Degree int     // at least 1
	Scale  float64 // above 0
	Offset float64 // 0 or above: a negative one is not positive semi-definite
}

// Eval returns (Scale x·y + Offset)^Degree.
func (k Polynomial) Eval(x, y []float64) float64 { return k.value(Dot(x, y)) }

func (k Polynomial) value(dot float64) float64 {
	b := float64(k.Scale*dot) + k.Offset
	switch k.Degree {
	case 1:
		return b
	case 2:
		return b * b
	case 3:
		return b * b * b
	}
	p := 1.0
	for n := k.Degree; n > 0; n >>= 1 {
		if n&1 == 1 {
			p *= b
		}
		b *= b
	}
	return p
}

// Validate checks that Degree is at least 1, Scale above 0, Offset not negative, all finite.
func (k Polynomial) Validate() error {
	if k.Degree < 1 {
		return fmt.Errorf("%w: Degree of Polynomial is %d, want 1 or more", ErrParameter, k.Degree)
	}
	if err := checkPositive("Polynomial", "Scale", k.Scale); err != nil {
		return err
	}
	if !(k.Offset >= 0) || math.IsInf(k.Offset, 1) {
		return fmt.Errorf("%w: Offset of Polynomial is %v, want a finite number, 0 or above", ErrParameter, k.Offset)
	}
	return nil
}

// String returns the kernel and its parameters.
func (k Polynomial) String() string {
	return fmt.Sprintf("Polynomial(degree=%d, scale=%g, offset=%g)", k.Degree, k.Scale, k.Offset)
}

// PositiveSemidefinite returns true.
func (Polynomial) PositiveSemidefinite() bool { return true }

// Needs returns NeedDots.
func (Polynomial) Needs() Needs { return NeedDots }

// EvalRow evaluates the polynomial at the inner products.
func (k Polynomial) EvalRow(dst []float64, r Row) {
	for j, g := range r.Dots[:len(dst)] {
		dst[j] = k.value(g)
	}
}

// Cosine is the kernel k(x, y) = x·y/(|x||y|), the cosine of the angle between the points as
// seen from the origin. It is not defined for a zero vector: Eval then returns NaN, and package
// gram an error that names the row.
type Cosine struct{}

// Eval returns the cosine of the angle between x and y.
func (Cosine) Eval(x, y []float64) float64 {
	return cosine(Dot(x, y), math.Sqrt(Dot(x, x)), math.Sqrt(Dot(y, y)))
}

// cosine returns g/(nx·ny), kept within ±1.
func cosine(g, nx, ny float64) float64 { return max(-1, min(1, g/(nx*ny))) }

// Validate returns nil.
func (Cosine) Validate() error { return nil }

// String returns "Cosine".
func (Cosine) String() string { return "Cosine" }

// PositiveSemidefinite returns true.
func (Cosine) PositiveSemidefinite() bool { return true }

// Needs returns NeedDots.
func (Cosine) Needs() Needs { return NeedDots }

// EvalRow divides the inner products by the norms.
func (Cosine) EvalRow(dst []float64, r Row) {
	nx := math.Sqrt(r.SquaredNorm)
	for j, g := range r.Dots[:len(dst)] {
		dst[j] = cosine(g, nx, math.Sqrt(r.SquaredNorms[j]))
	}
}

// Sigmoid is the kernel k(x, y) = tanh(Scale x·y + Offset). It is not positive semi-definite
// for most data; a model that needs that finds out from the eigenvalues.
type Sigmoid struct {
	Scale  float64 // finite, not 0
	Offset float64 // finite
}

// Eval returns tanh(Scale x·y + Offset).
func (k Sigmoid) Eval(x, y []float64) float64 {
	return math.Tanh(float64(k.Scale*Dot(x, y)) + k.Offset)
}

// Validate checks that Scale is finite and not 0 and that Offset is finite.
func (k Sigmoid) Validate() error {
	if k.Scale == 0 {
		return fmt.Errorf("%w: Scale of Sigmoid is 0, want a finite number other than 0", ErrParameter)
	}
	if err := checkFinite("Sigmoid", "Scale", k.Scale); err != nil {
		return err
	}
	return checkFinite("Sigmoid", "Offset", k.Offset)
}

// String returns the kernel and its parameters.
func (k Sigmoid) String() string {
	return fmt.Sprintf("Sigmoid(scale=%g, offset=%g)", k.Scale, k.Offset)
}

// Needs returns NeedDots.
func (Sigmoid) Needs() Needs { return NeedDots }

// EvalRow evaluates the function at the inner products.
func (k Sigmoid) EvalRow(dst []float64, r Row) {
	for j, g := range r.Dots[:len(dst)] {
		dst[j] = math.Tanh(float64(k.Scale*g) + k.Offset)
	}
}
