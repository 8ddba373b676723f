package kernel

import (
	"errors"
	"fmt"
)

// ErrDomain is wrapped by the errors about points at which a kernel is not defined.
var ErrDomain = errors.New("kernel: point outside the kernel's domain")

// CheckPoint returns an error that wraps ErrDomain if k is not defined at x, as Cosine is not at
// a zero vector. A kernel of another package takes part by having a method
// CheckPoint(x []float64) error.
func CheckPoint(k Kernel, x []float64) error {
	if c, ok := k.(composed); ok {
		for _, p := range c.parts() {
			if err := CheckPoint(p, x); err != nil {
				return err
			}
		}
	}
	if c, ok := k.(interface{ CheckPoint(x []float64) error }); ok {
		return c.CheckPoint(x)
	}
	return nil
}

// CheckPoint returns an error that wraps ErrDomain if the angle between x and another vector
// cannot be computed: if x is zero, or |x|² so small or so large that it loses digits.
func (Cosine) CheckPoint(x []float64) error {
	const smallest, largest = 1e-290, 1e300
	s := Dot(x, x)
	if s >= smallest && s <= largest {
		return nil
	}
	for _, v := range x {
		if v != 0 {
			return fmt.Errorf("%w: |x|² is %v, want %v to %v for Cosine; scale the data", ErrDomain, s, smallest, largest)
		}
	}
	return fmt.Errorf("%w: a zero vector has no angle, so Cosine is not defined there", ErrDomain)
}
