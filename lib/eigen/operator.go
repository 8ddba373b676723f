package eigen

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// An Operator is a symmetric linear map of R^n that is known by its products.
type Operator interface {
	// Dim returns n.
	Dim() int
	// Apply writes A x to dst. Both have length n and do not overlap; x must not be changed.
	Apply(dst, x []float64)
}

// Func is the Operator of a function, for products that no matrix stands for.
type Func struct {
	N int                    // dimension n
	F func(dst, x []float64) // writes A x to dst
}

// Dim returns f.N.
func (f Func) Dim() int { return f.N }

// Apply calls f.F.
func (f Func) Apply(dst, x []float64) { f.F(dst, x) }

// Dense returns the operator of a, which must not change while the operator is in use.
func Dense(a *mat.SymDense) Operator { return &dense{a: a} }

type dense struct{ a *mat.SymDense }

func (d *dense) Dim() int { return d.a.SymmetricDim() }

func (d *dense) Apply(dst, x []float64) {
	blas64.Symv(1, d.a.RawSymmetric(), blas64.Vector{N: len(x), Inc: 1, Data: x}, 0,
		blas64.Vector{N: len(dst), Inc: 1, Data: dst})
}
