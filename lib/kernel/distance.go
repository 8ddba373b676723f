package kernel

import "math"

// Dot returns the inner product x·y. It panics if x and y differ in length.
func Dot(x, y []float64) float64 {
	sameLength(x, y)
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += float64(x[0] * y[0])
		s1 += float64(x[1] * y[1])
		s2 += float64(x[2] * y[2])
		s3 += float64(x[3] * y[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += float64(v * y[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// SquaredDistance returns |x−y|², computed from the differences, so that it keeps its relative
// accuracy for nearly equal points. It panics if x and y differ in length.
func SquaredDistance(x, y []float64) float64 {
	sameLength(x, y)
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		d0, d1, d2, d3 := x[0]-y[0], x[1]-y[1], x[2]-y[2], x[3]-y[3]
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		d := v - y[i]
		s0 += float64(d * d)
	}
	return (s0 + s1) + (s2 + s3)
}

// ManhattanDistance returns |x−y|₁ = Σ |xᵢ−yᵢ|. It panics if x and y differ in length.
func ManhattanDistance(x, y []float64) float64 {
	sameLength(x, y)
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += math.Abs(x[0] - y[0])
		s1 += math.Abs(x[1] - y[1])
		s2 += math.Abs(x[2] - y[2])
		s3 += math.Abs(x[3] - y[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += math.Abs(v - y[i])
	}
	return (s0 + s1) + (s2 + s3)
}
