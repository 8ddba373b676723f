package ppca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
)

// fullLimit is the size up to which Auto computes all eigenpairs.
const fullLimit = 800

// firstGuess is how many pairs the leading solver computes first when q follows from σ².
const firstGuess = 16

// An eigenproblem is what solve needs to know of a matrix.
type eigenproblem struct {
	a          *mat.SymDense // positive semi-definite
	structural int           // its rank, if known beforehand, else 0
	limit      int           // an upper bound of its rank
	tolerance  float64       // the default threshold of its numerical rank, relative to λ₁

	factor   mat.Matrix // X with a = XᵀX and at least as many rows as columns; nil if there is none
	rounding float64    // with a factor, eigenvalues up to this may be rounding of the data
	image    *mat.Dense // X times the vectors, up to sign, if solve comes to know it
}

// solve computes eigenpairs of p.a, fixes rank, D, q and σ² in s, whose n, trace and centred are
// set, and returns the vectors that belong to the first min(len(s.values), numerical rank) values,
// or all leading ones that were computed.
func solve(ctx context.Context, p *eigenproblem, s *solution, cfg Config) (*mat.Dense, error) {
	a, limit, tolerance := p.a, p.limit, p.tolerance
	dim := a.SymmetricDim()
	if cfg.Solver == Full || cfg.Solver == Auto && dim <= fullLimit {
		return solveFull(p, s, cfg)
	}
	rank := p.structural
	if cfg.Rank > 0 {
		rank = cfg.Rank
	}
	if rank == 0 || cfg.RankTolerance > 0 {
		// The rank counts eigenvalues, so all are needed, though not their vectors.
		values, err := eigen.Values(a)
		if err != nil {
			return nil, fmt.Errorf("ppca: %w", err)
		}
		counted := solution{n: s.n, values: values}
		if err := counted.clip(); err != nil {
			return nil, err
		}
		if err := counted.setRank(Config{RankTolerance: cfg.RankTolerance}, 0, limit, tolerance); err != nil {
			return nil, err
		}
		rank, s.rankSource = counted.rank, "numerical"
	}
	for k := max(cfg.Latent+1, 1); ; k *= 2 {
		if !cfg.latentGiven() {
			k = max(k, firstGuess)
		}
		if k > dim/3 {
			return solveFull(p, s, cfg)
		}
		pairs, err := eigen.Leading(ctx, eigen.Dense(a), k, eigen.Config{})
		if err != nil {
			return nil, fmt.Errorf("ppca: leading %d pairs: %w", k, err)
		}
		s.values, s.all, s.converged = pairs.Values, false, pairs.Converged
		if err := s.clip(); err != nil {
			return nil, err
		}
		leading := cfg
		leading.RankTolerance = 0
		s.tolerance = tolerance
		if cfg.RankTolerance > 0 {
			s.tolerance = cfg.RankTolerance
		}
		source := s.rankSource
		if err := s.setRank(leading, rank, limit, s.tolerance); err != nil {
			return nil, err
		}
		if source == "numerical" {
			s.rankSource = source
		}
		ok, err := s.choose(cfg)
		if err != nil {
			return nil, err
		}
		if ok {
			s.warn()
			return columns(pairs.Vectors, s.numeric), nil
		}
	}
}

// solveFull is solve with all eigenpairs.
func solveFull(p *eigenproblem, s *solution, cfg Config) (*mat.Dense, error) {
	pairs, err := eigen.Symmetric(p.a)
	if err != nil {
		return nil, fmt.Errorf("ppca: %w", err)
	}
	tolerance := p.tolerance
	if p.factor != nil {
		tolerance = math.Max(tolerance*tolerance, p.rounding/pairs.Values[0])
		if p.image, err = refine(p.factor, pairs, tolerance*pairs.Values[0]); err != nil {
			return nil, fmt.Errorf("ppca: small eigenvalues: %w", err)
		}
		s.precise = true
	}
	s.values, s.all, s.converged = pairs.Values, true, pairs.Converged
	if err := s.clip(); err != nil {
		return nil, err
	}
	if err := s.setRank(cfg, p.structural, p.limit, tolerance); err != nil {
		return nil, err
	}
	if _, err := s.choose(cfg); err != nil {
		return nil, err
	}
	s.warn()
	if p.image != nil {
		p.image = columns(p.image, s.numeric)
	}
	return columns(pairs.Vectors, s.numeric), nil
}

// columns returns a copy of the first k columns of v, nil if k is 0.
func columns(v *mat.Dense, k int) *mat.Dense {
	if k == 0 {
		return nil
	}
	n, have := v.Dims()
	if k == have {
		return v
	}
	return mat.DenseCopyOf(v.Slice(0, n, 0, k))
}
