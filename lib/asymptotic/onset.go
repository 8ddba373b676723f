package asymptotic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
)

// A Deviation is the way in which ConvergenceOnset compares a curve with its asymptote.
type Deviation int

const (
	// Log2 is |log₂ f − a|, with a the asymptote of log₂ f.
	Log2 Deviation = iota
	// Relative is |f/2ᵃ − 1|.
	Relative
)

// OnsetConfig holds the settings of ConvergenceOnset. The zero value is the published rule.
type OnsetConfig struct {
	Anchor    float64 // the p through which the asymptote goes; 0 means 7
	Slope     float64 // of the asymptote, in log₂ f per octave of σ; 0 means −2
	Tolerance float64 // of the deviation, which must be below it; 0 means 0.25
	Deviation Deviation
}

func (c OnsetConfig) withDefaults() (OnsetConfig, error) {
	if c.Anchor == 0 {
		c.Anchor = 7
	}
	if c.Slope == 0 {
		c.Slope = -2
	}
	if c.Tolerance == 0 {
		c.Tolerance = 0.25
	}
	switch {
	case !(c.Tolerance > 0) || !isFinite(c.Tolerance):
		return c, fmt.Errorf("%w: Tolerance is %v, want above 0", ErrConfig, c.Tolerance)
	case !isFinite(c.Slope) || !isFinite(c.Anchor):
		return c, fmt.Errorf("%w: Slope is %v and Anchor %v, want finite numbers", ErrConfig, c.Slope, c.Anchor)
	case c.Deviation != Log2 && c.Deviation != Relative:
		return c, fmt.Errorf("%w: Deviation is %d, want Log2 or Relative", ErrConfig, c.Deviation)
	}
	return c, nil
}

// An Onset is where a curve meets its asymptote for good.
type Onset struct {
	P       float64 // log₂ of the onset bandwidth; the largest tested p if not Reached
	Reached bool
	// Margins has the deviation at each tested p, less the tolerance: negative is within. It tells
	// how near a decision was.
	Margins []float64
}

// Sigma returns 2ᴾ, the onset bandwidth.
func (o Onset) Sigma() float64 { return math.Exp2(o.P) }

// String returns the bandwidth, with a plus sign if it was not reached, as in "256+".
func (o Onset) String() string {
	if !o.Reached {
		return fmt.Sprintf("%g+", o.Sigma())
	}
	return fmt.Sprintf("%g", o.Sigma())
}

// ConvergenceOnset returns the smallest tested p from which on the curve log2f, with log2f[i]
// the log₂ of a measure at σ = 2^p[i], stays within the tolerance of the line of slope −2 through
// its value at the anchor, for all tested p to the largest.
//
// The error wraps ErrShape if the lengths differ or are zero, ErrCurve if p is not ascending,
// the anchor is not one of p or a value is not finite (the log₂ of a measure that is 0 or
// negative), or ErrConfig.
func ConvergenceOnset(p, log2f []float64, cfg OnsetConfig) (Onset, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return Onset{}, err
	}
	if len(p) == 0 || len(p) != len(log2f) {
		return Onset{}, fmt.Errorf("%w: %d bandwidths and %d values, want equal numbers above 0", ErrShape, len(p), len(log2f))
	}
	anchor := -1
	for i, v := range p {
		if i > 0 && !(v > p[i-1]) {
			return Onset{}, fmt.Errorf("%w: p[%d] = %v follows %v, want ascending p", ErrCurve, i, v, p[i-1])
		}
		if !isFinite(log2f[i]) {
			return Onset{}, fmt.Errorf("%w: log₂ f is %v at p = %v, want f above 0 and finite", ErrCurve, log2f[i], v)
		}
		if v == cfg.Anchor {
			anchor = i
		}
	}
	if anchor < 0 {
		return Onset{}, fmt.Errorf("%w: the anchor p = %v is not among the bandwidths %v", ErrCurve, cfg.Anchor, p)
	}
	o := Onset{P: p[len(p)-1], Margins: make([]float64, len(p))}
	for i := range p {
		off := log2f[i] - (log2f[anchor] + cfg.Slope*(p[i]-cfg.Anchor))
		if cfg.Deviation == Relative {
			off = math.Exp2(off) - 1
		}
		o.Margins[i] = math.Abs(off) - cfg.Tolerance
	}
	for i := len(p) - 1; i >= 0 && o.Margins[i] < 0; i-- {
		o.P, o.Reached = p[i], true
	}
	return o, nil
}

// A Regression is the least-squares line y = Slope·x + Intercept.
type Regression struct {
	Slope, Intercept float64
	R2               float64 // squared correlation
	N                int     // number of points
}

// String returns the line and r².
func (r Regression) String() string {
	return fmt.Sprintf("%.3f·x %+.3f, r² = %.3f (%d points)", r.Slope, r.Intercept, r.R2, r.N)
}

// LogRegression returns the line of log₂ y on log₂ x. The error wraps ErrShape for fewer than two
// points, and ErrCurve if a value is not positive and finite or all x are equal.
func LogRegression(x, y []float64) (Regression, error) {
	if len(x) != len(y) || len(x) < 2 {
		return Regression{}, fmt.Errorf("%w: %d and %d values, want equal numbers of at least 2", ErrShape, len(x), len(y))
	}
	lx, ly := make([]float64, len(x)), make([]float64, len(y))
	for i := range x {
		lx[i], ly[i] = math.Log2(x[i]), math.Log2(y[i])
		if !isFinite(lx[i]) || !isFinite(ly[i]) {
			return Regression{}, fmt.Errorf("%w: point %d is (%v, %v), want both above 0 and finite", ErrCurve, i, x[i], y[i])
		}
	}
	if stat.Variance(lx, nil) == 0 {
		return Regression{}, fmt.Errorf("%w: all x are %v", ErrCurve, x[0])
	}
	intercept, slope := stat.LinearRegression(lx, ly, nil, false)
	r := 0.0 // a constant y has no correlation
	if stat.Variance(ly, nil) > 0 {
		r = stat.Correlation(lx, ly, nil)
	}
	return Regression{Slope: slope, Intercept: intercept, R2: r * r, N: len(x)}, nil
}
