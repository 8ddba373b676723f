package ppca

import (
	"fmt"
	"math"
)

// Evidence returns Minka's approximation of ln p(data | q) for the model's q, in nats up to a
// constant that does not depend on q: the largest says which q. With l_p = λ_p/N for p ≤ D (zero
// where there are fewer eigenvalues), v = the maximum-likelihood σ² for q, and m = Dq − q(q+1)/2,
// it is the sum of
//
//	ln p(U)            −q ln 2 + Σ_{p≤q} [ln Γ((D−p+1)/2) − (D−p+1)/2 ln π], the uniform law of frames
//	−N/2 Σ_{p≤q} ln l_p          the kept variances
//	−N/2 (D−q) ln v              the noise
//	(m+q)/2 ln 2π − q/2 ln N     Laplace's method for rotations, and for variances
//	−½ ln|A|           −½ Σ_{i≤q} Σ_{i<j≤D} ln[(l̂_j⁻¹ − l̂_i⁻¹)(l_i − l_j) N],  l̂_j = l_j for j ≤ q, v beyond
//
// (Minka 2000, "Automatic choice of dimensionality for PCA"). The mean and the variances are
// integrated out under flat priors, so a prescribed noise variance plays no part. One of the 2^q
// equal modes that differ in signs is counted, as he does. For q = 0 only the noise remains.
//
// The approximation is for N large beside D. D = N−1, the default for a strictly positive definite
// kernel, is far from that. Near-equal kept eigenvalues make |A| small and the evidence too large.
//
// The error wraps ErrSingular if v = 0, ErrPartial if not all eigenvalues were computed,
// ErrRepeatedEigenvalue if one of λ₁..λ_q is repeated, where |A| = 0 and there is no single mode,
// and ErrConfig for a model of data with missing entries.
func (s *solution) Evidence() (float64, error) {
	if s.observed != nil {
		return 0, fmt.Errorf("%w: the evidence is for data without missing entries", ErrConfig)
	}
	if err := s.needAll("the evidence"); err != nil {
		return 0, err
	}
	table := s.evidences(s.q)
	if len(table) <= s.q {
		return 0, fmt.Errorf("%w: the maximum-likelihood σ² for q = %d is 0, want q below the rank r = %d", ErrSingular, s.q, s.rank)
	}
	v := table[s.q]
	if math.IsNaN(v) {
		return 0, fmt.Errorf("%w: no evidence for q = %d, where two of λ1 to λ%d, or one of them and the noise, are equal up to rounding", ErrRepeatedEigenvalue, s.q, s.q+1)
	}
	return v, nil
}

// evidences returns the evidence for q = 0, 1, … up to limit, as far as σ² > 0; NaN from the first
// repeated eigenvalue on. The sums over pairs grow with q, so the work is that of the last one.
func (s *solution) evidences(limit int) []float64 {
	n, d := float64(s.n), float64(s.dim)
	variance := func(p int) float64 {
		if p >= len(s.values) {
			return 0
		}
		return s.values[p] / n
	}
	rounding := math.Max(s.tolerance, n*epsilon) * variance(0)
	logGap := func(i, j int) float64 {
		if gap := variance(i) - variance(j); gap > rounding {
			return math.Log(gap)
		}
		return math.NaN()
	}
	var out []float64
	var frames, logs, gaps float64 // ln p(U); Σ ln l_p; Σ ln(l_i − l_j) over all pairs and again over those with j ≤ q
	for q := 0; q <= limit; q++ {
		v := s.mlNoise(q)
		if v == 0 {
			break
		}
		if q > 0 {
			p := q - 1
			half := (d - float64(p)) / 2
			gamma, _ := math.Lgamma(half)
			frames += gamma - half*math.Log(math.Pi) - math.Ln2
			logs += math.Log(variance(p))
			for j := q; j < s.dim && j < len(s.values); j++ {
				gaps += logGap(p, j)
			}
			gaps += float64(max(0, s.dim-len(s.values))) * math.Log(variance(p))
			for i := range p {
				gaps += logGap(i, p)
			}
		}
		k := float64(q)
		m := d*k - k*(k+1)/2
		logA := gaps - (k-1)*logs + m*math.Log(n)
		for p := range q {
			excess := variance(p) - v
			if excess <= rounding { // a prescribed rank can leave that much for v
				excess = math.NaN()
			}
			logA += (d - k) * math.Log(excess/(v*variance(p)))
		}
		out = append(out, frames-n/2*(logs+(d-k)*math.Log(v))+(m+k)/2*math.Log(2*math.Pi)-k/2*math.Log(n)-logA/2)
	}
	return out
}
