package asymptotic

import (
	"fmt"
	"math"
)

// Angle returns the angle at row j between rows i and k, in radians from 0 to π, from the three
// distances. The error wraps ErrShape for an index out of range and ErrNoScale if row i or k
// coincides with row j.
func (s *Distances) Angle(i, j, k int) (float64, error) {
	a, b, c, err := s.sides(i, j, k)
	if err != nil {
		return 0, err
	}
	return triangleAngle(a, b, c), nil
}

// GaussianAngle is Angle in the feature space of the Gaussian kernel with bandwidth scale = σ_X,
// in units of the data. As the bandwidth grows it tends to Angle: the difference falls like
// scale⁻², but for collinear triples like scale⁻¹. The error also wraps ErrBandwidth.
func (s *Distances) GaussianAngle(i, j, k int, scale float64) (float64, error) {
	if err := checkBandwidth(scale); err != nil {
		return 0, err
	}
	a, b, c, err := s.sides(i, j, k)
	if err != nil {
		return 0, err
	}
	return triangleAngle(gaussianDistance(a, scale), gaussianDistance(b, scale), gaussianDistance(c, scale)), nil
}

// sides returns dᵢⱼ, dⱼₖ and dᵢₖ.
func (s *Distances) sides(i, j, k int) (a, b, c float64, err error) {
	for _, v := range []int{i, j, k} {
		if v < 0 || v >= s.n {
			return 0, 0, 0, fmt.Errorf("%w: row %d, want 0 to %d", ErrShape, v, s.n-1)
		}
	}
	a, b, c = s.At(i, j), s.At(j, k), s.At(i, k)
	if a == 0 || b == 0 {
		return 0, 0, 0, fmt.Errorf("%w: rows %d, %d and %d coincide with the vertex %d, which has no angle then", ErrNoScale, i, j, k, j)
	}
	return a, b, c, nil
}

// triangleAngle returns the angle between the sides a and b, opposite c, by Kahan's formula for
// needle-like triangles.
func triangleAngle(a, b, c float64) float64 {
	if a < b {
		a, b = b, a
	}
	mu := c - (a - b)
	if b < c {
		mu = b - (a - c)
	}
	// Rounding may put a degenerate triangle outside the triangle inequality.
	num := ((a - b) + c) * max(mu, 0)
	den := (a + (b + c)) * max((a-c)+b, 0)
	return 2 * math.Atan2(math.Sqrt(num), math.Sqrt(den))
}
