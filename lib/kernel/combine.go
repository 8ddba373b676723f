package kernel

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Sum is the kernel k₁ + k₂ + …. Its feature vector is the feature vectors of the parts, one
// after the other.
type Sum struct {
	Kernels []Kernel // at least one
}

// Product is the kernel k₁·k₂·….
type Product struct {
	Kernels []Kernel // at least one
}

// Scaled is the kernel Factor·k.
type Scaled struct {
	Factor float64 // above 0
	Kernel Kernel
}

// Eval returns the sum of the parts at x and y.
func (k Sum) Eval(x, y []float64) float64 {
	var s float64
	for _, p := range k.Kernels {
		s += p.Eval(x, y)
	}
	return s
}

// Validate checks that there is a part and that every part is valid.
func (k Sum) Validate() error { return validateParts("Sum", k.Kernels) }

// String returns Sum(…) with the parts inside.
func (k Sum) String() string { return "Sum" + list(k.Kernels) }

// Needs returns what any of the parts needs.
func (k Sum) Needs() Needs { return needs(k.Kernels) }

// StrictlyPositiveDefinite reports whether one of the parts is and no other takes from it.
func (k Sum) StrictlyPositiveDefinite() bool {
	return slices.ContainsFunc(k.Kernels, StrictlyPositiveDefinite) && PositiveSemidefinite(k)
}

func (k Sum) parts() []Kernel { return k.Kernels }

// EvalRow adds the rows of the parts, which must be RowKernels (see Rows).
func (k Sum) EvalRow(dst []float64, r Row) {
	evalParts(dst, r, k.Kernels, func(dst, part []float64) {
		for j, v := range part {
			dst[j] += v
		}
	})
}

// Eval returns the product of the parts at x and y.
func (k Product) Eval(x, y []float64) float64 {
	s := 1.0
	for _, p := range k.Kernels {
		s *= p.Eval(x, y)
	}
	return s
}

// Validate checks that there is a part and that every part is valid.
func (k Product) Validate() error { return validateParts("Product", k.Kernels) }

// String returns Product(…) with the parts inside.
func (k Product) String() string { return "Product" + list(k.Kernels) }

// Needs returns what any of the parts needs.
func (k Product) Needs() Needs { return needs(k.Kernels) }

// StrictlyPositiveDefinite reports whether all parts are.
func (k Product) StrictlyPositiveDefinite() bool {
	for _, p := range k.Kernels {
		if !StrictlyPositiveDefinite(p) {
			return false
		}
	}
	return len(k.Kernels) > 0
}

func (k Product) parts() []Kernel { return k.Kernels }

// EvalRow multiplies the rows of the parts, which must be RowKernels (see Rows).
func (k Product) EvalRow(dst []float64, r Row) {
	evalParts(dst, r, k.Kernels, func(dst, part []float64) {
		for j, v := range part {
			dst[j] *= v
		}
	})
}

// Eval returns Factor·k(x, y).
func (k Scaled) Eval(x, y []float64) float64 { return k.Factor * k.Kernel.Eval(x, y) }

// Validate checks that Factor is positive and finite and that the kernel is valid.
func (k Scaled) Validate() error {
	if err := checkPositive("Scaled", "Factor", k.Factor); err != nil {
		return err
	}
	return validateParts("Scaled", k.parts())
}

// String returns the factor and the kernel.
func (k Scaled) String() string { return fmt.Sprintf("Scaled(%g, %v)", k.Factor, k.Kernel) }

// Needs returns what the kernel needs.
func (k Scaled) Needs() Needs { return needs(k.parts()) }

// StrictlyPositiveDefinite reports whether the kernel is.
func (k Scaled) StrictlyPositiveDefinite() bool { return StrictlyPositiveDefinite(k.Kernel) }

func (k Scaled) parts() []Kernel { return []Kernel{k.Kernel} }

// EvalRow scales the row of the kernel, which must be a RowKernel (see Rows).
func (k Scaled) EvalRow(dst []float64, r Row) {
	k.Kernel.(RowKernel).EvalRow(dst, r)
	for j := range dst {
		dst[j] *= k.Factor
	}
}

// Func is a kernel made of a function, which must be symmetric. Package gram calls F on the
// caller's goroutine only, one pair after the other, so F may be interpreted code; that takes
// about a hundred times as long as a kernel of this package. It cannot be saved.
type Func struct {
	Name string // what String returns; "" means "Func"
	F    func(x, y []float64) float64
}

// Eval returns F(x, y).
func (k Func) Eval(x, y []float64) float64 { return k.F(x, y) }

// Validate checks that there is a function.
func (k Func) Validate() error {
	if k.F == nil {
		return fmt.Errorf("%w: F of %v is nil, want a function of two points", ErrParameter, k)
	}
	return nil
}

// String returns Name, or "Func" if there is none.
func (k Func) String() string {
	if k.Name == "" {
		return "Func"
	}
	return k.Name
}

func validateParts(name string, parts []Kernel) error {
	if len(parts) == 0 {
		return fmt.Errorf("%w: %s has no kernels, want 1 or more", ErrParameter, name)
	}
	for i, p := range parts {
		if p == nil {
			return fmt.Errorf("%w: kernel %d of %s is nil", ErrParameter, i, name)
		}
		if err := p.Validate(); err != nil {
			return fmt.Errorf("kernel %d of %s: %w", i, name, err)
		}
	}
	return nil
}

func list(parts []Kernel) string {
	s := make([]string, len(parts))
	for i, p := range parts {
		s[i] = fmt.Sprint(p)
	}
	return "(" + strings.Join(s, ", ") + ")"
}

func needs(parts []Kernel) Needs {
	var n Needs
	for _, p := range parts {
		if r, ok := p.(RowKernel); ok {
			n |= r.Needs()
		}
	}
	return n
}

// rowPool keeps the rows in which evalParts computes the second part and those after it.
var rowPool = sync.Pool{New: func() any { return new([]float64) }}

// evalParts evaluates the first part into dst and joins each of the others to it.
func evalParts(dst []float64, r Row, parts []Kernel, join func(dst, part []float64)) {
	buf := rowPool.Get().(*[]float64)
	defer rowPool.Put(buf)
	if cap(*buf) < len(dst) {
		*buf = make([]float64, len(dst))
	}
	part := (*buf)[:len(dst)]
	for i, p := range parts {
		if i == 0 {
			p.(RowKernel).EvalRow(dst, r)
			continue
		}
		p.(RowKernel).EvalRow(part, r)
		join(dst, part)
	}
}
