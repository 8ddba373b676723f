package ppca

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
)

// fullLimit is the size up to which Auto computes all eigenpairs.
const fullLimit = 800

// firstGuess is how many pairs the leading solver computes first when q follows from σ².
const firstGuess = 16

// solve computes eigenpairs of the positive semi-definite a, fixes rank, D, q and σ² in s, whose
// n, trace and centred are set, and returns the vectors that belong to the first
// min(len(s.values), numerical rank) values, or all leading ones that were computed.
//
// structural is the rank known beforehand (0 if it is not), limit an upper bound of the rank
// and tolerance the default threshold of the numerical rank.
func solve(ctx context.Context, a *mat.SymDense, s *solution, cfg Config, structural, limit int, tolerance float64) (*mat.Dense, error) {
	dim := a.SymmetricDim()
	if cfg.Solver == Full || cfg.Solver == Auto && dim <= fullLimit {
		return solveFull(a, s, cfg, structural, limit, tolerance)
	}
	rank := structural
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
			return solveFull(a, s, cfg, structural, limit, tolerance)
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
func solveFull(a *mat.SymDense, s *solution, cfg Config, structural, limit int, tolerance float64) (*mat.Dense, error) {
	pairs, err := eigen.Symmetric(a)
	if err != nil {
		return nil, fmt.Errorf("ppca: %w", err)
	}
	s.values, s.all, s.converged = pairs.Values, true, pairs.Converged
	if err := s.clip(); err != nil {
		return nil, err
	}
	if err := s.setRank(cfg, structural, limit, tolerance); err != nil {
		return nil, err
	}
	if _, err := s.choose(cfg); err != nil {
		return nil, err
	}
	s.warn()
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
