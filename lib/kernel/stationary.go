package kernel

import (
	"fmt"
	"math"
)

// RBF is the Gaussian kernel k(x, y) = exp(−|x−y|²/(2ℓ²)).
type RBF struct {
	LengthScale float64 // ℓ, above 0
}

// RBFGamma returns the RBF kernel exp(−gamma |x−y|²), that is ℓ = 1/√(2 gamma): scikit-learn's
// way to state the parameter. A gamma that is not positive and finite gives a kernel whose
// Validate fails.
func RBFGamma(gamma float64) RBF { return RBF{LengthScale: math.Sqrt(1 / (2 * gamma))} }

// Eval returns exp(−|x−y|²/(2ℓ²)).
func (k RBF) Eval(x, y []float64) float64 {
	return exp(float64(SquaredDistance(x, y) * k.rate()))
}

// rate returns −1/(2ℓ²), finite, so that its product with a distance of 0 is 0.
func (k RBF) rate() float64 { return max(-0.5/k.LengthScale/k.LengthScale, -math.MaxFloat64) }

// Validate checks that LengthScale is positive and finite.
func (k RBF) Validate() error { return checkPositive("RBF", "LengthScale", k.LengthScale) }

// String returns the kernel and its length scale.
func (k RBF) String() string { return fmt.Sprintf("RBF(ℓ=%g)", k.LengthScale) }

// StrictlyPositiveDefinite returns true.
func (RBF) StrictlyPositiveDefinite() bool { return true }

// Needs returns NeedSquaredDistances.
func (RBF) Needs() Needs { return NeedSquaredDistances }

// EvalRow evaluates the kernel at the squared distances.
func (k RBF) EvalRow(dst []float64, r Row) { expScaled(dst, r.SquaredDistances[:len(dst)], k.rate()) }

// Laplacian is the kernel k(x, y) = exp(−|x−y|₁/ℓ) with the Manhattan distance.
type Laplacian struct {
	LengthScale float64 // ℓ, above 0
}

// Eval returns exp(−|x−y|₁/ℓ).
func (k Laplacian) Eval(x, y []float64) float64 {
	return exp(-ManhattanDistance(x, y) / k.LengthScale)
}

// Validate checks that LengthScale is positive and finite.
func (k Laplacian) Validate() error {
	return checkPositive("Laplacian", "LengthScale", k.LengthScale)
}

// String returns the kernel and its length scale.
func (k Laplacian) String() string { return fmt.Sprintf("Laplacian(ℓ=%g)", k.LengthScale) }

// StrictlyPositiveDefinite returns true.
func (Laplacian) StrictlyPositiveDefinite() bool { return true }

// Needs returns 0: the points themselves are enough.
func (Laplacian) Needs() Needs { return 0 }

// EvalRow evaluates the kernel at each pair of points.
func (k Laplacian) EvalRow(dst []float64, r Row) {
	d := len(r.X)
	for j := range dst {
		dst[j] = -ManhattanDistance(r.X, r.Y[j*d:(j+1)*d]) / k.LengthScale
	}
	expScaled(dst, dst, 1)
}

// Matern is the Matérn kernel of smoothness ν = 1/2, 3/2 or 5/2. With r = |x−y| and
// s = √(2ν) r/ℓ it is
//
//	ν = 1/2:  exp(−s)
//	ν = 3/2:  (1 + s) exp(−s)
//	ν = 5/2:  (1 + s + s²/3) exp(−s)
type Matern struct {
	Nu          float64 // ν: 0.5, 1.5 or 2.5
	LengthScale float64 // ℓ, above 0
}

// Eval returns the kernel at |x−y|.
func (k Matern) Eval(x, y []float64) float64 {
	v := [1]float64{SquaredDistance(x, y)}
	k.fromSquared(v[:], v[:])
	return v[0]
}

// Validate checks that Nu is 0.5, 1.5 or 2.5 and that LengthScale is positive and finite.
func (k Matern) Validate() error {
	if k.Nu != 0.5 && k.Nu != 1.5 && k.Nu != 2.5 {
		return fmt.Errorf("%w: Nu of Matern is %v, want 0.5, 1.5 or 2.5", ErrParameter, k.Nu)
	}
	return checkPositive("Matern", "LengthScale", k.LengthScale)
}

// String returns the kernel and its parameters.
func (k Matern) String() string { return fmt.Sprintf("Matern(ν=%g, ℓ=%g)", k.Nu, k.LengthScale) }

// StrictlyPositiveDefinite returns true.
func (Matern) StrictlyPositiveDefinite() bool { return true }

// Needs returns NeedSquaredDistances.
func (Matern) Needs() Needs { return NeedSquaredDistances }

// EvalRow evaluates the kernel at the squared distances.
func (k Matern) EvalRow(dst []float64, r Row) { k.fromSquared(dst, r.SquaredDistances[:len(dst)]) }

// fromSquared sets dst[j] to the kernel at the squared distance r2[j]. dst and r2 may be the
// same slice.
func (k Matern) fromSquared(dst, r2 []float64) {
	var s, e [128]float64
	root := min(math.Sqrt(2*k.Nu)/k.LengthScale, math.MaxFloat64) // so that 0·root is 0
	for len(dst) > 0 {
		n := min(len(dst), len(s))
		for j, v := range r2[:n] {
			s[j] = root * math.Sqrt(v)
		}
		expScaled(e[:n], s[:n], -1)
		for j, v := range s[:n] {
			dst[j] = k.polynomial(v, e[j])
		}
		dst, r2 = dst[n:], r2[n:]
	}
}

// polynomial returns p(s)·e with e = exp(−s). Where e has underflowed to 0 so has the value,
// however large p(s) is.
func (k Matern) polynomial(s, e float64) float64 {
	switch {
	case e == 0 || k.Nu == 0.5:
		return e
	case k.Nu == 1.5:
		return (1 + s) * e
	}
	return (1 + s + float64(s*s)/3) * e
}

// InverseMultiquadric is the kernel k(x, y) = 1/√(1 + |x−y|²/ℓ²).
type InverseMultiquadric struct {
	LengthScale float64 // ℓ, above 0
}

// Eval returns 1/√(1 + |x−y|²/ℓ²).
func (k InverseMultiquadric) Eval(x, y []float64) float64 { return k.value(SquaredDistance(x, y)) }

func (k InverseMultiquadric) value(r2 float64) float64 {
	return 1 / math.Sqrt(1+r2/k.LengthScale/k.LengthScale)
}

// Validate checks that LengthScale is positive and finite.
func (k InverseMultiquadric) Validate() error {
	return checkPositive("InverseMultiquadric", "LengthScale", k.LengthScale)
}

// String returns the kernel and its length scale.
func (k InverseMultiquadric) String() string {
	return fmt.Sprintf("InverseMultiquadric(ℓ=%g)", k.LengthScale)
}

// StrictlyPositiveDefinite returns true.
func (InverseMultiquadric) StrictlyPositiveDefinite() bool { return true }

// Needs returns NeedSquaredDistances.
func (InverseMultiquadric) Needs() Needs { return NeedSquaredDistances }

// EvalRow evaluates the kernel at the squared distances.
func (k InverseMultiquadric) EvalRow(dst []float64, r Row) {
	for j, v := range r.SquaredDistances[:len(dst)] {
		dst[j] = k.value(v)
	}
}
