package kpca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
)

// FixedPointConfig holds the settings of a FixedPoint. The zero value is usable.
type FixedPointConfig struct {
	Tol     float64 // stop at a step of at most Tol length scales; 0 means 1e-9
	MaxIter int     // iterations of one start; 0 means 1000
	// Starts is the number of starts: the kernel smoother, then the training rows nearest to
	// the point in feature space; 0 means 3.
	Starts int
}

// A FixedPoint minimises |φ(x̂) − Σ c_i φ(x_i)| for the RBF kernel by the iteration of Mika et
// al., "Kernel PCA and de-noising in feature spaces" (1999),
//
//	x ← Σ c_i k(x_i, x) x_i / Σ c_i k(x_i, x).
//
// It runs from several starts and keeps the point of smallest distance. A start whose
// denominator comes near zero goes on from the nearest training row.
type FixedPoint struct {
	x   *mat.Dense
	rbf kernel.RBF
	cfg FixedPointConfig
}

// NewFixedPoint returns the method for the training rows x (N×d) and k, which is kernel.RBF or a
// multiple of it. The error wraps ErrConfig, also for another kernel, kernel.ErrParameter,
// gram.ErrShape and gram.ErrNotFinite. x is neither modified nor retained.
func NewFixedPoint(x mat.Matrix, k kernel.Kernel, cfg FixedPointConfig) (*FixedPoint, error) {
	d, err := finiteCopy("x", x)
	if err != nil {
		return nil, err
	}
	inner := k
	for {
		scaled, ok := inner.(kernel.Scaled)
		if !ok {
			break
		}
		inner = scaled.Kernel
	}
	rbf, ok := inner.(kernel.RBF)
	if !ok {
		return nil, fmt.Errorf("%w: the fixed point is for kernel.RBF, not for %v", ErrConfig, k)
	}
	if err := rbf.Validate(); err != nil {
		return nil, err
	}
	if !(cfg.Tol >= 0) || math.IsInf(cfg.Tol, 1) {
		return nil, fmt.Errorf("%w: Tol is %v, want a finite number ≥ 0", ErrConfig, cfg.Tol)
	}
	if cfg.MaxIter < 0 {
		return nil, fmt.Errorf("%w: MaxIter is %d, want 0 (for 1000) or more", ErrConfig, cfg.MaxIter)
	}
	n, _ := d.Dims()
	if cfg.Starts < 0 || cfg.Starts > n+1 {
		return nil, fmt.Errorf("%w: Starts is %d, want 0 (for 3) to %d, the number of training rows and the smoother", ErrConfig, cfg.Starts, n+1)
	}
	if cfg.Tol == 0 {
		cfg.Tol = 1e-9
	}
	if cfg.MaxIter == 0 {
		cfg.MaxIter = 1000
	}
	if cfg.Starts == 0 {
		cfg.Starts = min(3, n+1)
	}
	return &FixedPoint{x: d, rbf: rbf, cfg: cfg}, nil
}

// PreImages uses p.Coefficients and p.Kernel (M×N). A point whose every start failed gets the
// training row nearest in feature space. The error wraps gram.ErrShape, gram.ErrNotFinite, and
// ctx.Err() after cancellation.
func (f *FixedPoint) PreImages(ctx context.Context, p gram.FeaturePoints) (*mat.Dense, error) {
	n, d := f.x.Dims()
	if err := checkPoints(p.Coefficients, "Coefficients", n); err != nil {
		return nil, err
	}
	if err := checkPoints(p.Kernel, "Kernel", n); err != nil {
		return nil, err
	}
	m, _ := p.Coefficients.Dims()
	if rows, _ := p.Kernel.Dims(); rows != m {
		return nil, fmt.Errorf("%w: Coefficients of the points has %d rows and Kernel %d", gram.ErrShape, m, rows)
	}
	images := mat.NewDense(m, d, nil)
	for i := range m {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("kpca: fixed point stopped at point %d of %d: %w", i, m, err)
		}
		f.solve(images.RawRowView(i), p.Coefficients.RawRowView(i), p.Kernel.RawRowView(i))
	}
	return images, nil
}

// solve sets dst to the pre-image of the point with coefficients c and kernel row k.
func (f *FixedPoint) solve(dst, c, k []float64) {
	n, d := f.x.Dims()
	nearest := make([]float64, n)
	order := make([]int, n)
	for i, v := range k {
		nearest[i] = -v // the distance to a training row is 1 − 2 k̂_i + c·Kc, in units of k(x, x)
	}
	floats.ArgsortStable(nearest, order)

	copy(dst, f.x.RawRowView(order[0]))
	weights := make([]float64, n)
	best, _ := f.weights(weights, c, dst)

	x := make([]float64, d)
	next := 0 // the training row to start from next
	smoother := Smoother{x: f.x, cfg: SmootherConfig{NearestRow: true}}
	for start := range f.cfg.Starts {
		if start == 0 {
			copy(weights, k)
			// NearestRow excludes the one error that average has.
			_ = smoother.average(x, weights)
		} else if next < n {
			copy(x, f.x.RawRowView(order[next]))
			next++
		}
		if !f.iterate(x, weights, c) && next < n {
			copy(x, f.x.RawRowView(order[next]))
			next++
			f.iterate(x, weights, c)
		}
		if overlap, _ := f.weights(weights, c, x); overlap > best {
			best = overlap
			copy(dst, x)
		}
	}
}

// iterate improves x until the step is small or the cap is reached; false means that the
// denominator came near zero.
func (f *FixedPoint) iterate(x, weights, c []float64) bool {
	next := make([]float64, len(x))
	for range f.cfg.MaxIter {
		sum, magnitude := f.weights(weights, c, x)
		if math.Abs(sum) <= cancellation*magnitude || magnitude < 1e-280 {
			return false
		}
		weightedMean(next, f.x, weights, sum)
		step := floats.Distance(next, x, 2)
		copy(x, next)
		if step <= f.cfg.Tol*f.rbf.LengthScale {
			break
		}
	}
	return true
}

// weights sets w to c_i k(x_i, x) and returns their sum, the inner product of φ(x) with the
// point, and the sum of their magnitudes.
func (f *FixedPoint) weights(w, c, x []float64) (sum, magnitude float64) {
	for i := range w {
		w[i] = c[i] * f.rbf.Eval(f.x.RawRowView(i), x)
		sum += w[i]
		magnitude += math.Abs(w[i])
	}
	return sum, magnitude
}
