package ppca

import (
	"fmt"
	"math"
)

// singular returns the error of a density asked of a model without noise.
func (s *solution) singular() error {
	if s.sigma2 > 0 {
		return nil
	}
	return fmt.Errorf("%w: σ² is 0 with q = %d and r = %d, so there is no density; sampling and reconstruction work",
		ErrSingular, s.q, s.rank)
}

// LogLikelihood returns the log-likelihood of the training data in the D-dimensional space, in
// nats,
//
//	−N/2 [D ln 2π + Σ_{p≤q} ln(λ_p/N) + (D−q) ln σ² + q + (trace − Σ_{p≤q} λ_p)/(Nσ²)],
//
// which needs the q leading eigenvalues and the trace only. For a model from FitMissing it is
// that of the observed entries. It compares models of one kernel in one number of dimensions D.
// Another kernel or length scale means another feature space with another unit of density: that
// of a Gaussian kernel rises without bound with the length scale, as all features move together.
// The error wraps ErrSingular if σ² = 0.
func (s *solution) LogLikelihood() (float64, error) {
	if err := s.singular(); err != nil {
		return 0, err
	}
	if s.observed != nil {
		return *s.observed, nil
	}
	n := float64(s.n)
	return -n / 2 * (s.logConstant(s.dim) + float64(s.q) + s.rest(s.q)/(n*s.sigma2)), nil
}

// logConstant returns dim ln 2π + ln|C| for the covariance C in dim dimensions.
func (s *solution) logConstant(dim int) float64 {
	c := float64(dim)*math.Log(2*math.Pi) + float64(dim-s.q)*math.Log(s.sigma2)
	for _, v := range s.values[:s.q] {
		c += math.Log(v / float64(s.n))
	}
	return c
}

// Parameters returns the number of free parameters of the model: D q − q(q−1)/2 for W up to
// rotation, 1 for σ², and D for the mean if it was estimated.
func (s *solution) Parameters() int {
	count := s.dim*s.q - s.q*(s.q-1)/2 + 1
	if s.centred {
		count += s.dim
	}
	return count
}

// BIC returns −2 LL + Parameters·ln N; smaller is better. With the default noise dimension
// of a strictly positive definite kernel, D = N−1, the count grows with N and the criterion is
// shaky: prefer held-out likelihood there. The error wraps ErrSingular if σ² = 0.
func (s *solution) BIC() (float64, error) {
	ll, err := s.LogLikelihood()
	if err != nil {
		return 0, err
	}
	return -2*ll + float64(s.Parameters())*math.Log(float64(s.n)), nil
}
