package ppca

import (
	"fmt"
	"math"
	"slices"

	"eigenbook/lib/gram"
)

// epsilon is the distance from 1 to the next larger float64.
const epsilon = 0x1p-52

// A solution is the part of a fitted model that follows from the eigenvalues alone; it is the same
// for the primal and for the dual model, which embed it.
type solution struct {
	n       int       // N, observations
	values  []float64 // eigenvalues λ of the scatter or Gram matrix, descending, ≥ 0
	all     bool      // whether values holds the whole non-zero spectrum
	precise bool      // whether small values are known relative to themselves, not only to the largest
	trace   float64   // Σ of all λ
	centred bool

	rank       int // r, which fixes D
	numeric    int // known eigenvalues above tolerance·λ₁: what may be divided by
	tolerance  float64
	rankSource string

	noise  NoiseDimension
	dim    int // D
	q      int
	sigma2 float64

	observed *float64 // log-likelihood of the observed entries, for data with missing ones; else nil

	missing int // missing entries that the Gram matrix is an expectation over

	lowest    float64 // most negative computed eigenvalue, 0 if none is negative
	converged bool
	warnings  []error
}

// Observations returns N, the number of rows of the training data.
func (s *solution) Observations() int { return s.n }

// Latent returns q, the number of latent dimensions.
func (s *solution) Latent() int { return s.q }

// NoiseVariance returns σ².
func (s *solution) NoiseVariance() float64 { return s.sigma2 }

// NoiseDim returns D, the dimension of the space that carries the noise.
func (s *solution) NoiseDim() int { return s.dim }

// NoiseConvention returns how D was chosen: Range, Samples or Explicit(D).
func (s *solution) NoiseConvention() NoiseDimension { return s.noise }

// Centred reports whether the mean was estimated (true) or prescribed to be zero.
func (s *solution) Centred() bool { return s.centred }

// Rank returns r, the dimension of the span of the (centred) training features.
func (s *solution) Rank() int { return s.rank }

// RankSource says where r comes from: "structural" (known from the kernel and the number of
// distinct rows), "numerical" (eigenvalues above RankTolerance·λ₁) or "given".
func (s *solution) RankSource() string { return s.rankSource }

// NumericalRank returns the number of computed eigenvalues above RankTolerance·λ₁. Only these
// are ever divided by. If not all pairs were computed it is at most the number of these.
func (s *solution) NumericalRank() int { return s.numeric }

// RankTolerance returns the relative threshold of the numerical rank.
func (s *solution) RankTolerance() float64 { return s.tolerance }

// Eigenvalues returns the eigenvalues λ of the scatter (primal) or Gram (dual) matrix that
// were computed, descending, not divided by N; round-off below zero counts as zero.
func (s *solution) Eigenvalues() []float64 { return slices.Clone(s.values) }

// Spectrum returns the variances λ/N that were computed, descending: the eigenvalues of the
// covariance, with divisor N.
func (s *solution) Spectrum() []float64 {
	v := slices.Clone(s.values)
	for i := range v {
		v[i] /= float64(s.n)
	}
	return v
}

// Complete reports whether all eigenpairs were computed, or only the leading ones.
func (s *solution) Complete() bool { return s.all }

// Trace returns the sum of all eigenvalues λ, computed or not.
func (s *solution) Trace() float64 { return s.trace }

// TotalVariance returns trace/N. For the maximum-likelihood σ² it is the trace of the
// model's covariance for every q.
func (s *solution) TotalVariance() float64 { return s.trace / float64(s.n) }

// ExplainedRatio returns Σ_{p≤q} λ_p / trace, between 0 and 1.
func (s *solution) ExplainedRatio() float64 { return math.Min(1, s.kept(s.q)/s.trace) }

// ExplainedRatios returns λ_p/trace for each eigenvalue that was computed: the share of the variance along
// each axis.
func (s *solution) ExplainedRatios() []float64 {
	v := slices.Clone(s.values)
	for i := range v {
		v[i] /= s.trace
	}
	return v
}

// Converged reports whether the eigenvalue iteration reached its tolerance.
func (s *solution) Converged() bool { return s.converged }

// Warnings returns what is usable but deserves a look: errors that wrap
// ErrRepeatedEigenvalue, ErrClippedEigenvalue or ErrApproximate.
func (s *solution) Warnings() []error { return slices.Clone(s.warnings) }

// kept returns the sum of the q largest eigenvalues.
func (s *solution) kept(q int) float64 { return sum(s.values[:q]) }

// MLNoiseVariance returns the maximum-likelihood noise variance for q latent dimensions,
// σ²(q) = (trace − Σ_{p≤q} λ_p)/(N(D−q)); it is 0 for q = r. The error wraps ErrConfig if q is
// outside 0..r, and ErrPartial if fewer than q eigenvalues were computed.
func (s *solution) MLNoiseVariance(q int) (float64, error) {
	if q < 0 || q > s.rank {
		return 0, fmt.Errorf("%w: q is %d, want 0 to the rank %d", ErrConfig, q, s.rank)
	}
	if q > len(s.values) && q < s.rank {
		return 0, fmt.Errorf("%w: σ² for q = %d needs as many eigenvalues, have %d", ErrPartial, q, len(s.values))
	}
	return s.mlNoise(q), nil
}

func (s *solution) mlNoise(q int) float64 {
	if q >= s.rank || q >= s.dim {
		return 0
	}
	v := s.rest(q) / (float64(s.n) * float64(s.dim-q))
	if q > 0 {
		// The mean of the discarded variances cannot exceed the smallest kept one.
		v = math.Min(v, s.values[q-1]/float64(s.n))
	}
	return v
}

// rest returns Σ_{p>q} λ_p, what q axes leave of the trace.
func (s *solution) rest(q int) float64 {
	if s.precise {
		return sum(s.values[q:])
	}
	if v := s.trace - s.kept(q); v > float64(s.n)*epsilon*s.trace {
		return v
	}
	// Nothing but round-off is left; in full runs the eigenvalues themselves know better.
	if s.all {
		return sum(s.values[q:])
	}
	return 0
}

// clip sets negative eigenvalues to zero and refuses those that round-off does not explain.
func (s *solution) clip() error {
	for i, v := range s.values {
		if v >= 0 {
			continue
		}
		if v < -1e-8*s.values[0] {
			return notPSD(v, s.values[0])
		}
		s.lowest = min(s.lowest, v)
		s.values[i] = 0
	}
	return nil
}

func notPSD(lowest, largest float64) error {
	return fmt.Errorf("%w: eigenvalue %.6g beside the largest %.6g, want at least -1e-8 of the largest", gram.ErrNotPSD, lowest, largest)
}

// setRank fixes r, the numerical rank and D. structural is the rank known beforehand, 0 if
// none is, and limit an upper bound. values must be set; a numerical rank needs all of them.
func (s *solution) setRank(cfg Config, structural, limit int, tolerance float64) error {
	s.tolerance = tolerance
	if cfg.RankTolerance > 0 {
		s.tolerance, structural = cfg.RankTolerance, 0
	}
	s.numeric = 0
	for _, v := range s.values {
		if v > s.tolerance*s.values[0] {
			s.numeric++
		}
	}
	switch {
	case cfg.Rank > 0:
		s.rank, s.rankSource = cfg.Rank, "given"
		if cfg.Rank > limit {
			return fmt.Errorf("%w: Rank is %d, want at most %d", ErrConfig, cfg.Rank, limit)
		}
		s.numeric = min(s.numeric, s.rank)
	case structural > 0:
		s.rank, s.rankSource = structural, "structural"
		s.numeric = min(s.numeric, s.rank)
	default:
		s.numeric = min(s.numeric, limit)
		s.rank, s.rankSource = s.numeric, "numerical"
	}
	s.noise = cfg.Noise
	switch cfg.Noise {
	case Range:
		s.dim = s.rank
	case Samples:
		s.dim = s.n
	default:
		s.dim = int(cfg.Noise)
	}
	if s.dim < s.rank {
		return fmt.Errorf("%w: noise dimension %v is below the rank r = %d", ErrConfig, cfg.Noise, s.rank)
	}
	return nil
}

// choose fixes q and σ². It returns false if the computed eigenvalues do not suffice.
func (s *solution) choose(cfg Config) (bool, error) {
	if q := cfg.Latent; q > s.rank {
		return false, fmt.Errorf("%w: Latent is %d, but the latent dimension exceeds the rank r = %d (%s) of the %s data; want 0 to %d",
			ErrConfig, q, s.rank, s.rankSource, centredWord(s.centred), s.rank)
	}
	if cfg.Noise > 0 && cfg.Latent >= s.dim {
		return false, fmt.Errorf("%w: Latent is %d and the noise dimension %v, want more noise dimensions than latent ones",
			ErrConfig, cfg.Latent, cfg.Noise)
	}
	if !cfg.latentGiven() {
		ok := s.chooseLatent(cfg)
		if !ok {
			return false, nil
		}
	} else {
		s.q = cfg.Latent
	}
	if s.q > len(s.values) {
		return false, nil
	}
	if s.q > s.numeric {
		return false, fmt.Errorf("%w: Latent is %d, but only %d eigenvalues exceed %.3g times the largest (rank r = %d, %s); want 0 to %d",
			ErrConfig, s.q, s.numeric, s.tolerance, s.rank, s.rankSource, s.numeric)
	}
	if !cfg.noiseGiven() {
		s.sigma2 = s.mlNoise(s.q)
		return true, nil
	}
	s.sigma2 = cfg.NoiseVariance
	if s.q > 0 {
		bound := s.values[s.q-1] / float64(s.n)
		if s.sigma2 > bound*(1+1e-12) {
			return false, fmt.Errorf("%w: noise variance above the q-th eigenvalue: NoiseVariance is %v, want at most λ_q/N = %v for q = %d",
				ErrConfig, cfg.NoiseVariance, bound, s.q)
		}
		s.sigma2 = math.Min(s.sigma2, bound)
	}
	return true, nil
}

// chooseLatent fixes q from the prescribed σ².
func (s *solution) chooseLatent(cfg Config) bool {
	known := min(len(s.values), s.numeric)
	enough := s.all || known < len(s.values) || known >= s.rank
	s.q = 0
	if cfg.Rule == Estimator {
		for s.q < known && s.mlNoise(s.q) > cfg.NoiseVariance {
			s.q++
		}
	} else {
		for s.q < known && s.values[s.q]/float64(s.n) > cfg.NoiseVariance {
			s.q++
		}
	}
	return s.q < known || enough
}

// warn records what deserves a look: an approximate Gram matrix, a cut through a repeated
// eigenvalue, and the most negative eigenvalue that was set to zero.
func (s *solution) warn() {
	if s.missing > 0 {
		s.warnings = append(s.warnings, fmt.Errorf("%w: the model is that of the expected Gram matrix, over %d missing entries", ErrApproximate, s.missing))
	}
	noise := 0.0 // of a difference of eigenvalues
	if !s.precise {
		noise = float64(s.n) * epsilon * s.values[0]
	}
	if q := s.q; q > 0 && q < len(s.values) && s.values[q-1]-s.values[q] <= 1e-10*s.values[q-1]+noise {
		s.warnings = append(s.warnings, fmt.Errorf("%w: λ%d = %.6g and λ%d = %.6g: the last axes are arbitrary and the subspace is not unique",
			ErrRepeatedEigenvalue, q, s.values[q-1], q+1, s.values[q]))
	}
	if s.lowest < -s.tolerance*s.values[0] {
		s.warnings = append(s.warnings, fmt.Errorf("%w: the smallest is %.3g, λ₁ is %.6g", ErrClippedEigenvalue, s.lowest, s.values[0]))
	}
}

// contraction returns 1 − Nσ²/λ_p for p ≤ q, the factor of a MAP reconstruction along axis p.
func (s *solution) contraction() []float64 {
	f := make([]float64, s.q)
	for p := range f {
		f[p] = math.Max(0, 1-float64(s.n)*s.sigma2/s.values[p])
	}
	return f
}

// gain returns √(λ_p/N − σ²) for p ≤ q, the length of column p of W.
func (s *solution) gain() []float64 {
	f := s.contraction()
	for p := range f {
		f[p] = math.Sqrt(s.values[p] / float64(s.n) * f[p])
	}
	return f
}

// whiten returns the factors h_p/t_p = (N/λ_p) √(λ_p/N − σ²) for p ≤ q.
func (s *solution) whiten() []float64 {
	f := s.gain()
	for p := range f {
		f[p] *= float64(s.n) / s.values[p]
	}
	return f
}

func centredWord(centred bool) string {
	if centred {
		return "centred"
	}
	return "uncentred"
}

// sum adds with Neumaier's compensation, so that traces and differences of traces keep
// their digits.
func sum(v []float64) float64 {
	var s, c float64
	for _, x := range v {
		t := s + x
		if math.Abs(s) >= math.Abs(x) {
			c += (s - t) + x
		} else {
			c += (x - t) + s
		}
		s = t
	}
	return s + c
}
