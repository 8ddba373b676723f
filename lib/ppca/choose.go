package ppca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// WithLatent returns the maximum-likelihood model of the same data with q latent dimensions, from
// the eigenpairs at hand; R = I. The error wraps ErrConfig if q is outside 0..NumericalRank, and
// ErrPartial if too few pairs were computed.
func (m *Model) WithLatent(q int) (*Model, error) {
	s, err := m.withLatent(q)
	if err != nil {
		return nil, err
	}
	return &Model{solution: s, mean: m.mean, directions: m.directions}, nil
}

// WithLatent returns the maximum-likelihood model of the same data with q latent dimensions, from
// the eigenpairs at hand; R = I. The error wraps ErrConfig if q is outside 0..NumericalRank, and
// ErrPartial if too few pairs were computed.
func (m *DualModel) WithLatent(q int) (*DualModel, error) {
	s, err := m.withLatent(q)
	if err != nil {
		return nil, err
	}
	c := *m
	c.solution, c.rotation = s, nil
	return &c, nil
}

// withLatent returns the solution cut at q.
func (s *solution) withLatent(q int) (solution, error) {
	if s.observed != nil {
		return solution{}, fmt.Errorf("%w: a model of data with missing entries belongs to one q", ErrConfig)
	}
	if q > s.numeric && q <= s.rank && !s.all {
		return solution{}, fmt.Errorf("%w: q = %d, but %d pairs were computed", ErrPartial, q, s.numeric)
	}
	if q < 0 || q > s.numeric {
		return solution{}, fmt.Errorf("%w: q is %d, want 0 to %d (rank r = %d, %s)", ErrConfig, q, s.numeric, s.rank, s.rankSource)
	}
	c := *s
	c.q, c.sigma2, c.warnings = q, s.mlNoise(q), nil
	c.warn()
	return c, nil
}

// A Candidate is the maximum-likelihood model for one latent dimension, as a row of a table.
type Candidate struct {
	Latent         int     // q
	NoiseVariance  float64 // σ²
	LogLikelihood  float64 // of the training data, nats
	BIC            float64 // smaller is better
	Evidence       float64 // Minka's, larger is better; NaN where Model.Evidence would be an error
	ExplainedRatio float64
	HeldOut        float64 // log-likelihood of the held-out rows, NaN without them
}

// Candidates returns the table of q = 0, 1, … up to limit, as far as σ² > 0 and pairs were
// computed; a negative limit means no limit. z are held-out rows (M×d) or nil. The error wraps
// gram.ErrShape and gram.ErrNotFinite for unusable z, and ErrSingular if no q has noise.
func (m *Model) Candidates(limit int, z mat.Matrix) ([]Candidate, error) {
	if z == nil {
		return m.table(limit, nil, nil)
	}
	c, err := m.centredRows("z", z)
	if err != nil {
		return nil, err
	}
	t := m.project(c, m.numeric)
	return m.table(limit, t, m.away(c, t))
}

// Candidates returns the table of q = 0, 1, … up to limit, as far as σ² > 0 and pairs were
// computed; a negative limit means no limit. z are held-out rows (M×d) or nil; a model from
// FitGram takes none. Errors are those of Rows for z, and ErrSingular if no q has noise.
func (m *DualModel) Candidates(ctx context.Context, limit int, z mat.Matrix) ([]Candidate, error) {
	if z == nil {
		return m.table(limit, nil, nil)
	}
	kc, self, err := m.Rows(ctx, z)
	if err != nil {
		return nil, err
	}
	t := m.project(kc, m.pairs())
	return m.table(limit, t, outside(self, t))
}

// table compares the cuts of s. t are the scores of held-out rows on all axes, rest their squared
// distances from the space of those; nil if there are none.
func (s *solution) table(limit int, t *mat.Dense, rest []float64) ([]Candidate, error) {
	if limit < 0 {
		limit = s.rank
	}
	var evidence []float64
	if s.all {
		evidence = s.evidences(min(limit, s.numeric))
	}
	var out []Candidate
	for q := 0; q <= min(limit, s.numeric); q++ {
		c, err := s.withLatent(q)
		if err != nil {
			return nil, err
		}
		if c.sigma2 == 0 {
			break
		}
		row := Candidate{Latent: q, NoiseVariance: c.sigma2, Evidence: math.NaN(), ExplainedRatio: c.ExplainedRatio(), HeldOut: math.NaN()}
		if q < len(evidence) {
			row.Evidence = evidence[q]
		}
		if row.LogLikelihood, err = c.LogLikelihood(); err != nil {
			return nil, err
		}
		if row.BIC, err = c.BIC(); err != nil {
			return nil, err
		}
		if rest != nil {
			d, err := checkDensities(c.density(t, rest, c.dim))
			if err != nil {
				return nil, err
			}
			row.HeldOut = sum(d)
		}
		out = append(out, row)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: σ² is 0 for every q, rank r = %d", ErrSingular, s.rank)
	}
	return out, nil
}

// ByBIC returns the candidate with the smallest BIC; the zero Candidate for an empty table.
func ByBIC(table []Candidate) Candidate {
	return best(table, func(c Candidate) float64 { return -c.BIC })
}

// ByHeldOut returns the candidate with the largest held-out log-likelihood; the first if the
// table has none, the zero Candidate for an empty table.
func ByHeldOut(table []Candidate) Candidate {
	return best(table, func(c Candidate) float64 { return c.HeldOut })
}

// ByEvidence returns the candidate with the largest evidence; the first if the table has none, the
// zero Candidate for an empty table.
func ByEvidence(table []Candidate) Candidate {
	return best(table, func(c Candidate) float64 { return c.Evidence })
}

func best(table []Candidate, value func(Candidate) float64) Candidate {
	if len(table) == 0 {
		return Candidate{}
	}
	top := table[0]
	for _, c := range table[1:] {
		if value(c) > value(top) {
			top = c
		}
	}
	return top
}
