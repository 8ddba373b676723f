// Package kernel has the kernels k(x, y) of the library: similarity functions that are inner
// products of feature vectors, k(x, y) = ⟨φ(x), φ(y)⟩. (A Jupyter kernel is something else and
// is called nbkernel here.)
//
// A kernel is a small value with its parameters in exported fields:
//
//	k := kernel.RBF{LengthScale: 2}          // exp(−|x−y|²/(2·2²))
//	k := kernel.RBFGamma(0.125)              // the same kernel, as scikit-learn states it
//	k := kernel.Sum{Kernels: []kernel.Kernel{kernel.Linear{}, kernel.RBF{LengthScale: 1}}}
//	k.Eval([]float64{0, 1}, []float64{2, 2}) // one value
//
// Kernels of the linear family depend on the inner product x·y: [Linear], [Polynomial],
// [Cosine], [Sigmoid]. Stationary ones depend on x−y: [RBF], [Laplacian], [Matern],
// [InverseMultiquadric]; they equal 1 at x = y. [Sum], [Product] and [Scaled] combine kernels
// and stay positive semi-definite, [Func] makes a kernel of any function. The parameter that
// this library calls a length scale ℓ is the bandwidth σ or γ of other texts; it has the unit
// of the data. [MedianLengthScale] proposes one.
//
// # Whole matrices
//
// Package gram computes matrices of kernel values. A kernel that implements [RowKernel] is
// evaluated there many pairs at a time from matrix products and on several goroutines; all
// kernels of this package but Func do, and Sum, Product and Scaled do when their parts do.
//
// # Parameters
//
// Eval does not check parameters; Validate does and names what is wrong and what is allowed.
// Every function of the library that takes a kernel calls Validate first. The zero value of a
// kernel with a length scale is not valid: a scale belongs to the data, so there is no default.
package kernel

import (
	"errors"
	"fmt"
	"math"
)

// ErrParameter is wrapped by the errors about a kernel's parameters.
var ErrParameter = errors.New("kernel: invalid parameter")

// ErrEncoding is wrapped by the errors of Marshal and Unmarshal that are not about parameters.
var ErrEncoding = errors.New("kernel: cannot encode or decode")

// A Kernel is a symmetric function of two points.
type Kernel interface {
	// Eval returns k(x, y). It panics if x and y differ in length.
	Eval(x, y []float64) float64
	// Validate returns an error that wraps ErrParameter if a parameter is out of range.
	Validate() error
	// String returns the kernel with its parameters, as RBF(ℓ=2).
	String() string
}

// Needs says which quantities EvalRow wants to find in its Row. It is a set of bits.
type Needs uint8

const (
	// NeedDots asks for Row.Dots, Row.SquaredNorm and Row.SquaredNorms.
	NeedDots Needs = 1 << iota
	// NeedSquaredDistances asks for Row.SquaredDistances.
	NeedSquaredDistances
)

// A Row describes one point x together with m points y₁ … y_m. X and Y are always set, the
// other fields if they were asked for.
type Row struct {
	X []float64 // x, length d
	Y []float64 // y₁ … y_m one after the other, length m·d

	Dots         []float64 // x·yⱼ, length m
	SquaredNorm  float64   // |x|²
	SquaredNorms []float64 // |yⱼ|², length m

	SquaredDistances []float64 // |x−yⱼ|², length m, never negative
}

// A RowKernel evaluates a row of kernel values at once, from quantities that come from one
// matrix product for the whole matrix.
type RowKernel interface {
	Kernel
	// Needs returns what EvalRow uses besides the points themselves.
	Needs() Needs
	// EvalRow sets dst[j] = k(x, yⱼ) for j = 0 … len(dst)−1. It neither modifies nor keeps
	// the slices of r, none of which overlaps dst, and may be called from several
	// goroutines at once.
	EvalRow(dst []float64, r Row)
}

// Rows returns k as a RowKernel, and whether it is one. A composed kernel is one only if all
// its parts are.
func Rows(k Kernel) (RowKernel, bool) {
	if c, ok := k.(composed); ok {
		for _, p := range c.parts() {
			if _, ok := Rows(p); !ok {
				return nil, false
			}
		}
	}
	r, ok := k.(RowKernel)
	return r, ok
}

// composed is implemented by the kernels made of other kernels.
type composed interface{ parts() []Kernel }

// StrictlyPositiveDefinite reports whether k is known to give a non-singular Gram matrix for
// any set of distinct points. It is true of RBF, Laplacian, Matern and InverseMultiquadric,
// their multiples and products, and of sums of positive semi-definite kernels with at least one
// such term. A kernel of another package takes part by having a method StrictlyPositiveDefinite() bool.
func StrictlyPositiveDefinite(k Kernel) bool {
	s, ok := k.(interface{ StrictlyPositiveDefinite() bool })
	return ok && s.StrictlyPositiveDefinite()
}

// PositiveSemidefinite reports whether k is known to give a positive semi-definite Gram matrix for
// any points. It is true of Linear, Cosine, Polynomial, what is StrictlyPositiveDefinite, and
// multiples, sums and products of these. A kernel of another package takes part by having a method
// PositiveSemidefinite() bool.
func PositiveSemidefinite(k Kernel) bool {
	if c, ok := k.(composed); ok {
		for _, p := range c.parts() {
			if !PositiveSemidefinite(p) {
				return false
			}
		}
		return true
	}
	s, ok := k.(interface{ PositiveSemidefinite() bool })
	return ok && s.PositiveSemidefinite() || StrictlyPositiveDefinite(k)
}

// checkPositive returns an error unless v is positive and finite.
func checkPositive(k, name string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return fmt.Errorf("%w: %s of %s is %v, want a finite number above 0", ErrParameter, name, k, v)
	}
	return nil
}

// checkFinite returns an error if v is NaN or infinite.
func checkFinite(k, name string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%w: %s of %s is %v, want a finite number", ErrParameter, name, k, v)
	}
	return nil
}

// sameLength panics if x and y differ in length.
func sameLength(x, y []float64) {
	if len(x) != len(y) {
		panic(fmt.Sprintf("kernel: points of %d and %d coordinates", len(x), len(y)))
	}
}
