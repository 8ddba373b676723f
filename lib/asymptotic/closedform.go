package asymptotic

import (
	"fmt"
	"math"
)

// DissonanceRatio returns the relative metric dissonance, the largest |σ_X d_G − d_L| over all
// pairs of rows divided by the diameter, as a function of t = ρ/σ alone:
//
//	g(t) = 1 − √((1−e⁻ᵘ)/u),   u = t²/2.
//
// σ_X d_G = d √((1−e⁻ᵘ)/u) is at most d, and the gap grows with d, so it is largest at the diameter.
// g increases from 0 to 1, and g(t) ≤ t²/8, which is sharp for small t. It is NaN for a negative t.
func DissonanceRatio(t float64) float64 {
	if t < 0 {
		return math.NaN()
	}
	u := t * t / 2
	return phi2Ratio(u) / (1 + math.Sqrt(expRatio(u)))
}

// MetricDissonance returns DissonanceRatio(ρ/σ) for an eccentricity ρ and a standardised
// bandwidth σ. The error wraps ErrBandwidth, or ErrConfig if rho is not positive and finite.
func MetricDissonance(rho, sigma float64) (float64, error) {
	if err := checkBandwidth(sigma); err != nil {
		return 0, err
	}
	if !(rho > 0) || math.IsInf(rho, 1) {
		return 0, fmt.Errorf("%w: eccentricity %v, want above 0", ErrConfig, rho)
	}
	return DissonanceRatio(rho / sigma), nil
}

func checkBandwidth(sigma float64) error {
	if !(sigma > 0) || math.IsInf(sigma, 1) {
		return fmt.Errorf("%w: %v, want above 0 and finite", ErrBandwidth, sigma)
	}
	return nil
}

// phi2Terms are 1/k! for k = 2, 3, …: enough for u < ½, where the next term is below 1e-18.
var phi2Terms = func() [14]float64 {
	var t [14]float64
	f := 1.0
	for k := range t {
		f *= float64(k + 2)
		t[k] = 1 / f
	}
	return t
}()

// phi2 returns φ₂(u) = e⁻ᵘ − 1 + u for u ≥ 0, with full relative accuracy.
func phi2(u float64) float64 {
	if u >= 0.5 {
		return math.Expm1(-u) + u
	}
	return u * u * phi2Series(u)
}

// phi2Ratio returns φ₂(u)/u, 0 for u = 0.
func phi2Ratio(u float64) float64 {
	switch {
	case math.IsInf(u, 1):
		return 1
	case u >= 0.5:
		return (math.Expm1(-u) + u) / u
	}
	return u * phi2Series(u)
}

// phi2Series returns Σ (−u)ᵏ/(k+2)!.
func phi2Series(u float64) float64 {
	s := 0.0
	for k := len(phi2Terms) - 1; k >= 0; k-- {
		s = phi2Terms[k] - float64(u*s)
	}
	return s
}

// expRatio returns (1−e⁻ᵘ)/u, 1 for u = 0.
func expRatio(u float64) float64 {
	switch {
	case u == 0:
		return 1
	case math.IsInf(u, 1):
		return 0
	}
	return -math.Expm1(-u) / u
}
