package kpca

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
)

// SmootherConfig holds the settings of a Smoother. The zero value uses all weights as they are.
type SmootherConfig struct {
	Nearest      int  // use the largest weights only, this many; 0 means all
	ClipNegative bool // replace negative weights by 0
	// NearestRow returns the training row with the largest weight where the weights cancel,
	// instead of an error.
	NearestRow bool
}

// A Smoother is the kernel smoother: with k̂ = K c the kernel row of a point, not centred,
//
//	x̂ = Σ k̂_i x_i / Σ k̂_i.
//
// It averages neighbours, so it does not give back a training row.
type Smoother struct {
	x   *mat.Dense
	cfg SmootherConfig
}

// NewSmoother returns the method for the training rows x (N×d). The error wraps ErrConfig if
// Nearest is not 0 to N, gram.ErrShape and gram.ErrNotFinite. x is neither modified nor retained.
func NewSmoother(x mat.Matrix, cfg SmootherConfig) (*Smoother, error) {
	d, err := finiteCopy("x", x)
	if err != nil {
		return nil, err
	}
	if n, _ := d.Dims(); cfg.Nearest < 0 || cfg.Nearest > n {
		return nil, fmt.Errorf("%w: Nearest is %d, want 0 (all) to %d, the number of training rows", ErrConfig, cfg.Nearest, n)
	}
	return &Smoother{x: d, cfg: cfg}, nil
}

// cancellation is the sum of weights, relative to the sum of their magnitudes, up to which they
// count as cancelled.
const cancellation = 1e-10

// PreImages uses p.Kernel (M×N). The error wraps ErrDenominator if the weights of a point sum to
// at most 1e-10 of the sum of their magnitudes (also if the sum is negative) and NearestRow is
// not set, gram.ErrShape and gram.ErrNotFinite.
func (s *Smoother) PreImages(ctx context.Context, p gram.FeaturePoints) (*mat.Dense, error) {
	n, d := s.x.Dims()
	if err := checkPoints(p.Kernel, "Kernel", n); err != nil {
		return nil, err
	}
	m, _ := p.Kernel.Dims()
	images := mat.NewDense(m, d, nil)
	weights := make([]float64, n)
	for i := range m {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("kpca: smoother stopped at point %d of %d: %w", i, m, err)
		}
		copy(weights, p.Kernel.RawRowView(i))
		if err := s.average(images.RawRowView(i), weights); err != nil {
			return nil, fmt.Errorf("point %d: %w", i, err)
		}
	}
	return images, nil
}

// average sets dst to the weighted mean of the training rows. It changes weights.
func (s *Smoother) average(dst, weights []float64) error {
	heaviest := floats.MaxIdx(weights)
	if s.cfg.Nearest > 0 && s.cfg.Nearest < len(weights) {
		keepLargest(weights, s.cfg.Nearest)
	}
	if s.cfg.ClipNegative {
		for i, w := range weights {
			weights[i] = max(0, w)
		}
	}
	sum, magnitude := floats.Sum(weights), floats.Norm(weights, 1)
	if !(sum > cancellation*magnitude) {
		if !s.cfg.NearestRow {
			return fmt.Errorf("%w: the smoother's weights sum to %.3g, want above %.3g, 1e-10 of the sum of their magnitudes",
				ErrDenominator, sum, cancellation*magnitude)
		}
		copy(dst, s.x.RawRowView(heaviest))
		return nil
	}
	weightedMean(dst, s.x, weights, sum)
	return nil
}

// weightedMean sets dst to Σ w_i x_i / sum. Training rows are taken relative to the heaviest one,
// which saves digits for data with a large offset.
func weightedMean(dst []float64, x *mat.Dense, weights []float64, sum float64) {
	heaviest := 0
	for i, w := range weights {
		if math.Abs(w) > math.Abs(weights[heaviest]) {
			heaviest = i
		}
	}
	origin := x.RawRowView(heaviest)
	clear(dst)
	for i, w := range weights {
		if w == 0 {
			continue
		}
		w /= sum
		for j, v := range x.RawRowView(i) {
			dst[j] += w * (v - origin[j])
		}
	}
	floats.Add(dst, origin)
}

// keepLargest sets all but the largest count weights to 0; of equal ones the first stay.
func keepLargest(weights []float64, count int) {
	order := make([]int, len(weights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	for _, i := range order[count:] {
		weights[i] = 0
	}
}
