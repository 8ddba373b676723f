package asymptotic

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// ProtocolConfig holds the settings of Run. The zero value is the published protocol.
type ProtocolConfig struct {
	Config

	Powers    []float64   // p of the bandwidths σ = 2ᵖ, ascending; nil means −4, −3, …, 8
	Onset     OnsetConfig // the zero value is the published rule, with the anchor at 7
	Aggregate Aggregate   // of the angles of eigenprojections

	// Progress, if not nil, is called after every bandwidth on the goroutine that called Run.
	// Returning false stops with an error that wraps context.Canceled.
	Progress func(Step) bool
}

// A Step is what ProtocolConfig.Progress is told.
type Step struct {
	Done, Total int // bandwidths; they go from the largest down
	Comparison  *Comparison
}

// A Curve is a normalised measure at each bandwidth, log₂ f(σ) − log₂ f(0).
type Curve struct {
	Log2  []float64
	Onset Onset
	// OnsetErr says why there is no onset at all, as for a measure that is zero somewhere.
	OnsetErr error
}

// A Table is what the protocol finds in one data set.
type Table struct {
	N, Columns, Rank             int
	Diameter, Median             float64
	Eccentricity                 float64
	LinearEigenvalues            []float64
	Powers                       []float64
	Metric, Eigenvalue           Curve
	Projection                   []Curve // of the first 1, 2, … pairs
	Converged, EigenvalueCertain []bool  // for each bandwidth; see Comparison
}

// Run compares the Gaussian kernel with the linear one at all bandwidths of the protocol. Each
// starts from the eigenvectors of the next larger one. Memory is about 12N² bytes.
//
// Errors are those of New and Compare, and wrap ErrConfig for powers that are not ascending.
// x is neither modified nor retained.
func Run(ctx context.Context, x mat.Matrix, cfg ProtocolConfig) (*Table, error) {
	powers := append([]float64(nil), cfg.Powers...)
	if cfg.Powers == nil {
		for p := -4.0; p <= 8; p++ {
			powers = append(powers, p)
		}
	}
	for i, p := range powers {
		if !isFinite(p) || i > 0 && p <= powers[i-1] {
			return nil, fmt.Errorf("%w: Powers[%d] is %v, want finite and ascending numbers", ErrConfig, i, p)
		}
	}
	if len(powers) == 0 {
		return nil, fmt.Errorf("%w: Powers is empty", ErrConfig)
	}
	if _, err := cfg.Onset.withDefaults(); err != nil {
		return nil, err
	}
	if _, err := cfg.Aggregate.of([]float64{0}); err != nil {
		return nil, err
	}
	a, err := New(ctx, x, cfg.Config)
	if err != nil {
		return nil, err
	}
	_, columns := x.Dims()
	t := &Table{
		N: a.N(), Columns: columns, Rank: a.Rank(), Diameter: a.dist.diameter, Median: a.median,
		Eccentricity: a.Eccentricity(), LinearEigenvalues: a.LinearEigenvalues(), Powers: powers,
		Converged: make([]bool, len(powers)), EigenvalueCertain: make([]bool, len(powers)),
		Projection: make([]Curve, a.Pairs()),
	}
	curves := t.curves()
	for _, c := range curves {
		c.Log2 = make([]float64, len(powers))
	}
	var (
		warm *mat.Dense
		o    *operator
	)
	for i := len(powers) - 1; i >= 0; i-- {
		var c *Comparison
		if c, o, err = a.compare(ctx, math.Exp2(powers[i]), warm, o); err != nil {
			return nil, err
		}
		warm = c.Eigenvectors
		t.Converged[i], t.EigenvalueCertain[i] = c.Converged, c.EigenvalueCertain()
		t.Metric.Log2[i] = math.Log2(c.MetricDissonance())
		t.Eigenvalue.Log2[i] = math.Log2(c.EigenvalueDiscrepancy())
		for k := range t.Projection {
			f, err := c.NormalizedEigenprojection(k+1, cfg.Aggregate)
			if err != nil {
				return nil, err
			}
			t.Projection[k].Log2[i] = math.Log2(f)
		}
		done := len(powers) - i
		if cfg.Progress != nil && !cfg.Progress(Step{Done: done, Total: len(powers), Comparison: c}) {
			return nil, fmt.Errorf("asymptotic: stopped after %d of %d bandwidths: %w", done, len(powers), context.Canceled)
		}
	}
	for _, c := range curves {
		c.Onset, c.OnsetErr = ConvergenceOnset(powers, c.Log2, cfg.Onset)
	}
	return t, nil
}

// curves returns all curves of the table.
func (t *Table) curves() []*Curve {
	all := []*Curve{&t.Metric, &t.Eigenvalue}
	for k := range t.Projection {
		all = append(all, &t.Projection[k])
	}
	return all
}

// String returns the table as text: a line of data about the set, one line for each bandwidth, and
// the onsets.
func (t *Table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "N = %d, d = %d, rank %d, diameter %.6g, median distance %.6g, ρ = %.4f\n",
		t.N, t.Columns, t.Rank, t.Diameter, t.Median, t.Eccentricity)
	fmt.Fprintf(&b, "%8s %9s %9s", "σ", "metric", "eigenval")
	for k := range t.Projection {
		fmt.Fprintf(&b, " %8s%d", "top-", k+1)
	}
	b.WriteByte('\n')
	for i, p := range t.Powers {
		fmt.Fprintf(&b, "%8s", fmt.Sprintf("2^%g", p))
		for _, c := range t.curves() {
			fmt.Fprintf(&b, " %9.3f", c.Log2[i])
		}
		if !t.Converged[i] {
			b.WriteString("  not converged")
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%8s", "onset")
	for _, c := range t.curves() {
		onset := c.Onset.String()
		if c.OnsetErr != nil {
			onset = "none"
		}
		fmt.Fprintf(&b, " %9s", onset)
	}
	b.WriteByte('\n')
	return b.String()
}
