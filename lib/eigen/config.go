package eigen

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Config holds the settings of Leading. The zero value is usable.
type Config struct {
	// Tol is the largest accepted residual |A v − λ v|, relative to the largest |λ| seen;
	// 0 means 1e-10. Rounding leaves about 1e-15, so smaller values are never reached.
	Tol float64

	// MaxProducts limits the products A x; 0 means 10·n, at least 1000.
	MaxProducts int

	Guard int // extra pairs kept at a restart; 0 means half of k, at least 6
	Basis int // vectors held before a restart; 0 means 2·(k + Guard) + 64

	// Deflate holds directions to leave out, linearly independent: with D an orthonormal basis
	// of their span and P = I − D Dᵀ, the pairs are those of P A P within the complement of D.
	// The all-ones vector gives the pairs of a centred Gram matrix from the uncentred one.
	Deflate [][]float64

	// Src draws the start vectors. Nil means rand.NewPCG(1, 1), so that equal calls give equal
	// results, whatever GOMAXPROCS is.
	Src rand.Source

	// Progress, if not nil, is called after every convergence test on the goroutine that
	// called Leading. Returning false stops early, which is not an error.
	Progress func(Step) bool
}

// A Step is what Config.Progress is told.
type Step struct {
	Products  int     // products A x so far
	Converged int     // how many of the k leading pairs are below the tolerance
	Residual  float64 // largest estimated residual of the k leading pairs
}

// resolve returns cfg with its zeros replaced, for k pairs of an n×n operator.
func (cfg Config) resolve(n, k int) (Config, error) {
	if most := n - len(cfg.Deflate); k < 1 || k > most {
		return cfg, fmt.Errorf("%w: %d pairs asked for, want 1 to %d (n = %d, %d deflated directions)",
			ErrConfig, k, most, n, len(cfg.Deflate))
	}
	if !(cfg.Tol >= 0 && cfg.Tol < 1) {
		return cfg, fmt.Errorf("%w: Tol is %v, want 0 (for 1e-10) to below 1", ErrConfig, cfg.Tol)
	}
	if cfg.MaxProducts < 0 {
		return cfg, fmt.Errorf("%w: MaxProducts is %d, want 0 or more", ErrConfig, cfg.MaxProducts)
	}
	if cfg.Guard < 0 {
		return cfg, fmt.Errorf("%w: Guard is %d, want 0 or more", ErrConfig, cfg.Guard)
	}
	if cfg.Tol == 0 {
		cfg.Tol = 1e-10
	}
	if cfg.MaxProducts == 0 {
		cfg.MaxProducts = max(10*n, 1000)
	}
	if cfg.Guard == 0 {
		cfg.Guard = max(k/2, 6)
	}
	if least := k + cfg.Guard + 2; cfg.Basis != 0 && cfg.Basis < least {
		return cfg, fmt.Errorf("%w: Basis is %d, want 0 or at least k + Guard + 2 = %d", ErrConfig, cfg.Basis, least)
	}
	if cfg.Basis == 0 {
		cfg.Basis = 2*(k+cfg.Guard) + 64
	}
	if cfg.Src == nil {
		cfg.Src = rand.NewPCG(1, 1)
	}
	return cfg, nil
}

// directions returns an orthonormal basis of the deflated directions, one a row.
func directions(deflate [][]float64, n int) ([]float64, error) {
	if len(deflate) == 0 {
		return nil, nil
	}
	columns := mat.NewDense(n, len(deflate), nil)
	for j, direction := range deflate {
		if len(direction) != n {
			return nil, fmt.Errorf("%w: Deflate[%d] has length %d, want n = %d", ErrShape, j, len(direction), n)
		}
		for i, x := range direction {
			if !isFinite(x) {
				return nil, fmt.Errorf("%w: Deflate[%d][%d] is %v", ErrNotFinite, j, i, x)
			}
		}
		columns.SetCol(j, direction)
	}
	q, err := orthonormal("Deflate", columns)
	if err != nil {
		return nil, err
	}
	rows := make([]float64, 0, n*len(deflate))
	for j := range deflate {
		rows = append(rows, mat.Col(nil, j, q)...)
	}
	return rows, nil
}

// norm2 returns the Euclidean length of x, whose entries neither overflow nor underflow when
// squared.
func norm2(x []float64) float64 { return math.Sqrt(dot(x, x)) }
