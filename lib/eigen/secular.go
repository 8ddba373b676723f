package eigen

import "math"

// unit is the largest relative error of one rounding, 2⁻⁵³.
const unit = 0x1p-53

// maxSecular bounds the steps to one root; about three are usual, and bisection alone needs no more.
const maxSecular = 100

// A secular equation is 1/ρ + Σ zᵢ²/(dᵢ − λ) = 0 with ρ > 0, d ascending and every zᵢ ≠ 0: root j lies
// between dⱼ and dⱼ₊₁, the last one between d_{k−1} and d_{k−1} + ρ Σ zᵢ².
type secular struct {
	d, z []float64
	rho  float64
}

// root returns root j and sets delta to dᵢ − λ, which is accurate also where λ is close to dᵢ: the
// nearer pole is the origin, and λ is found as its distance from there (Li 1994).
func (s *secular) root(j int, delta []float64) float64 {
	k := len(s.d)
	if k == 1 {
		step := s.rho * s.z[0] * s.z[0]
		delta[0] = -step
		return s.d[0] + step
	}
	b := s.bracket(j)
	for i, d := range s.d {
		delta[i] = d - b.origin
	}
	split := min(j, k-2) // poles up to here are on the left of the root, or of its neighbour
	for range maxSecular {
		var left, right, slopeLeft, slopeRight float64
		for i, d := range delta[:split+1] {
			t := s.z[i] / (d - b.at)
			left += s.z[i] * t
			slopeLeft += t * t
		}
		for i := split + 1; i < k; i++ {
			t := s.z[i] / (delta[i] - b.at)
			right += s.z[i] * t
			slopeRight += t * t
		}
		f := 1/s.rho + left + right
		rounding := (8+float64(k)/4)*(math.Abs(left)+math.Abs(right)) + 1/s.rho + math.Abs(b.at)*(slopeLeft+slopeRight)
		if math.Abs(f) <= unit*rounding {
			break
		}
		if f > 0 {
			b.hi = b.at
		} else {
			b.lo = b.at
		}
		next := b.at + twoPoles(f, delta[split]-b.at, delta[split+1]-b.at, slopeLeft, slopeRight, j == k-1)
		if !(next > b.lo && next < b.hi) {
			next = (b.lo + b.hi) / 2
		}
		if next == b.at || b.hi-b.lo <= 2*unit*math.Abs(b.at) {
			b.at = next
			break
		}
		b.at = next
	}
	for i := range delta {
		delta[i] -= b.at
	}
	return b.origin + b.at
}

// bracket is where a root is: origin + lo to origin + hi, at first origin + at.
type bracket struct{ origin, lo, hi, at float64 }

// bracket takes the pole nearer to root j as the origin, by the sign of the function half-way.
func (s *secular) bracket(j int) bracket {
	k := len(s.d)
	if j == k-1 {
		total := 0.0
		for _, v := range s.z {
			total += v * v
		}
		reach := s.rho * total * (1 + 8*unit)
		return bracket{origin: s.d[k-1], hi: reach, at: reach / 2}
	}
	gap := s.d[j+1] - s.d[j]
	half := gap / 2
	f := 1 / s.rho
	for i, d := range s.d {
		f += s.z[i] * s.z[i] / ((d - s.d[j]) - half)
	}
	// The start: the root with these two poles and all else as it is half-way.
	zl, zr := s.z[j]*s.z[j], s.z[j+1]*s.z[j+1]
	c := f + zl/half - zr/half
	b := bracket{origin: s.d[j], hi: half}
	p, q := c*gap+zl+zr, zl*gap
	if f < 0 {
		b = bracket{origin: s.d[j+1], lo: -half}
		p, q = -c*gap+zl+zr, -zr*gap
	}
	root := math.Sqrt(math.Abs(p*p - 4*q*c))
	if p > 0 {
		b.at = 2 * q / (p + root)
	} else {
		b.at = (p - root) / (2 * c)
	}
	if !(b.at > b.lo && b.at < b.hi) {
		b.at = (b.lo + b.hi) / 2
	}
	return b
}

// twoPoles returns the step to the root of the function with poles at distances p and q that has
// the value f and the given slopes of its two parts here. Where that is none to the right side, it is
// Newton's step.
func twoPoles(f, p, q, slopeLeft, slopeRight float64, last bool) float64 {
	c := f - p*slopeLeft - q*slopeRight
	a := (p+q)*f - p*q*(slopeLeft+slopeRight)
	b := p * q * f
	root := math.Sqrt(math.Abs(a*a - 4*b*c))
	var step float64
	switch {
	case last && a >= 0:
		step = (a + root) / (2 * math.Abs(c))
	case last:
		step = 2 * b / (a - root)
	case a <= 0:
		step = (a - root) / (2 * c)
	default:
		step = 2 * b / (a + root)
	}
	if math.IsNaN(step) || f*step >= 0 {
		return -f / (slopeLeft + slopeRight)
	}
	return step
}
