package asymptotic

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// fillTile is the side of the square tiles in which a symmetric matrix is filled.
const fillTile = 64

// fill sets out, N×N, to f of the distances, both triangles, and its diagonal to diagonal.
func (s *Distances) fill(out []float64, diagonal float64, f func(d float64) float64) {
	// The background context never ends, so there is no error.
	_ = s.fillContext(context.Background(), out, diagonal, f)
}

func (s *Distances) fillContext(ctx context.Context, out []float64, diagonal float64, f func(d float64) float64) error {
	n := s.n
	jobs := (n + fillTile - 1) / fillTile
	return parallel(ctx, jobs, func(job int) {
		i0 := job * fillTile
		i1 := min(i0+fillTile, n)
		for j0 := i0; j0 < n && ctx.Err() == nil; j0 += fillTile {
			j1 := min(j0+fillTile, n)
			for i := i0; i < i1; i++ {
				row := s.row(min(i, n-1))
				if j0 == i0 {
					out[i*n+i] = diagonal
				}
				for j := max(j0, i+1); j < j1; j++ {
					out[i*n+j] = f(row[j-i-1])
				}
			}
			for j := j0; j < j1; j++ {
				for i := i0; i < min(i1, j); i++ {
					out[j*n+i] = out[i*n+j]
				}
			}
		}
	})
}

// EuclideanGram returns K_E, with entries −dᵢⱼ²/2. Centred, it equals the centred linear Gram matrix.
func (s *Distances) EuclideanGram() *mat.SymDense {
	return s.symmetric(0, func(d float64) float64 { return -d * d / 2 })
}

// GaussianGram returns K_G for the bandwidth scale = σ_X in units of the data, with entries
// exp(−u), u = dᵢⱼ²/(2σ_X²). The error wraps ErrBandwidth.
func (s *Distances) GaussianGram(scale float64) (*mat.SymDense, error) {
	if err := checkBandwidth(scale); err != nil {
		return nil, err
	}
	return s.symmetric(1, func(d float64) float64 { return math.Exp(-exponent(d, scale)) }), nil
}

// GaussianGramMinusOne returns K_G − 11ᵀ, with entries expm1(−u). Since J1 = 0 it has the centred
// matrix of K_G, and it keeps the digits of small u: centre this one for a large bandwidth. The
// error wraps ErrBandwidth.
func (s *Distances) GaussianGramMinusOne(scale float64) (*mat.SymDense, error) {
	if err := checkBandwidth(scale); err != nil {
		return nil, err
	}
	return s.symmetric(0, func(d float64) float64 { return math.Expm1(-exponent(d, scale)) }), nil
}

// GaussianDistances returns the N×N matrix of distances in the feature space of the Gaussian
// kernel with bandwidth scale = σ_X, d_G = √(−2 expm1(−u)). The error wraps ErrBandwidth.
func (s *Distances) GaussianDistances(scale float64) (*mat.SymDense, error) {
	if err := checkBandwidth(scale); err != nil {
		return nil, err
	}
	return s.symmetric(0, func(d float64) float64 { return gaussianDistance(d, scale) }), nil
}

// exponent returns u = d²/(2 scale²).
func exponent(d, scale float64) float64 {
	t := d / scale
	return t * t / 2
}

// gaussianDistance returns (d/σ_X) √((1−e⁻ᵘ)/u), which does not underflow before d/σ_X does.
func gaussianDistance(d, scale float64) float64 {
	t := d / scale
	u := t * t / 2
	if u > 700 {
		return math.Sqrt2
	}
	return t * math.Sqrt(expRatio(u))
}

// RKHSDistances returns the distances √(Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ) in the feature space of the Gram matrix k;
// centring k keeps them. Negative values within rounding give 0. The error wraps ErrShape for an
// empty matrix, ErrNotFinite, or ErrConfig if k is indefinite beyond rounding (1e-8 of the entries).
func RKHSDistances(k mat.Symmetric) (*mat.SymDense, error) {
	if k == nil || k.SymmetricDim() == 0 {
		return nil, fmt.Errorf("%w: the Gram matrix is empty", ErrShape)
	}
	n := k.SymmetricDim()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			size := math.Abs(k.At(i, i)) + math.Abs(k.At(j, j)) + 2*math.Abs(k.At(i, j))
			if !isFinite(size) {
				return nil, fmt.Errorf("%w: the Gram matrix has %v at (%d,%d)", ErrNotFinite, k.At(i, j), i, j)
			}
			if i == j {
				continue
			}
			v := k.At(i, i) + k.At(j, j) - 2*k.At(i, j)
			if v < -1e-8*size {
				return nil, fmt.Errorf("%w: squared distance %g of points %d and %d, want at least 0", ErrConfig, v, i, j)
			}
			out.SetSym(i, j, math.Sqrt(max(v, 0)))
		}
	}
	return out, nil
}

// MetricGap returns the largest |σ_X d_G − d_L| over all pairs, in units of the data, by the
// definition: every pair is looked at. scale is σ_X. It equals the diameter times
// DissonanceRatio(diameter/scale). The error wraps ErrBandwidth.
func (s *Distances) MetricGap(scale float64) (float64, error) {
	if err := checkBandwidth(scale); err != nil {
		return 0, err
	}
	gap := 0.0
	for _, d := range s.d {
		gap = max(gap, d*DissonanceRatio(d/scale))
	}
	return gap, nil
}

// NaiveMetricGap is MetricGap by √(2−2e⁻ᵘ) and subtraction, for comparison: it has no digits left
// at large bandwidths.
func (s *Distances) NaiveMetricGap(scale float64) (float64, error) {
	if err := checkBandwidth(scale); err != nil {
		return 0, err
	}
	gap := 0.0
	for _, d := range s.d {
		gap = max(gap, math.Abs(scale*math.Sqrt(2-2*math.Exp(-exponent(d, scale)))-d))
	}
	return gap, nil
}
