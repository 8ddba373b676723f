package asymptotic_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"eigenbook/lib/asymptotic"

	"gonum.org/v1/gonum/mat"
)

// column returns an n×1 matrix.
func column(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

// Every function that takes data refuses what has no answer, and says what and where.
func TestUnusableData(t *testing.T) {
	for _, tc := range []struct {
		name string
		x    mat.Matrix
		cfg  asymptotic.Config
		want error
		text string
	}{
		{"nil", nil, asymptotic.Config{}, asymptotic.ErrShape, "nil"},
		{"nil pointer", (*mat.Dense)(nil), asymptotic.Config{}, asymptotic.ErrShape, "nil"},
		{"empty", &mat.Dense{}, asymptotic.Config{}, asymptotic.ErrShape, "0×0"},
		{"one row", column(1), asymptotic.Config{}, asymptotic.ErrShape, "at least 2"},
		{"NaN", column(1, math.NaN(), 2), asymptotic.Config{}, asymptotic.ErrNotFinite, "row 1, column 0"},
		{"Inf", column(1, 3, math.Inf(-1)), asymptotic.Config{}, asymptotic.ErrNotFinite, "row 2, column 0"},
		{"overflow", column(-1e200, 1e200), asymptotic.Config{}, asymptotic.ErrNotFinite, "diameter"},
		{"underflow", column(1e-200, 2e-200), asymptotic.Config{}, asymptotic.ErrNoScale, "diameter"},
		{"all equal", column(2, 2, 2), asymptotic.Config{}, asymptotic.ErrNoScale, "equal"},
		{"mostly equal", column(0, 0, 0, 0, 1), asymptotic.Config{}, asymptotic.ErrNoScale, "PositivePairs"},
		{"median", column(1, 2, 4), asymptotic.Config{Median: 9}, asymptotic.ErrConfig, "Median(9)"},
		{"pairs", column(1, 2, 4), asymptotic.Config{Pairs: 2}, asymptotic.ErrConfig, "1 to 1"},
		{"negative pairs", column(1, 2, 4), asymptotic.Config{Pairs: -1}, asymptotic.ErrConfig, "-1"},
		{"tau", column(1, 2, 4), asymptotic.Config{Tau: -1}, asymptotic.ErrConfig, "Tau"},
		{"tau NaN", column(1, 2, 4), asymptotic.Config{Tau: math.NaN()}, asymptotic.ErrConfig, "Tau"},
		{"dense limit", column(1, 2, 4), asymptotic.Config{DenseLimit: -1}, asymptotic.ErrConfig, "DenseLimit"},
		{"sweeps", column(1, 2, 4), asymptotic.Config{MaxSweeps: -1}, asymptotic.ErrConfig, "MaxSweeps"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, err := asymptotic.New(ctx, tc.x, tc.cfg)
			if !errors.Is(err, tc.want) || a != nil || err != nil && !strings.Contains(err.Error(), tc.text) {
				t.Errorf("New = %v, %v; want %v with %q", a, err, tc.want, tc.text)
			}
			if table, err := asymptotic.Run(ctx, tc.x, asymptotic.ProtocolConfig{Config: tc.cfg}); !errors.Is(err, tc.want) || table != nil {
				t.Errorf("Run = %v, %v; want %v", table, err, tc.want)
			}
		})
	}
	if a := analysis(t, column(0, 0, 0, 0, 1), asymptotic.Config{Median: asymptotic.PositivePairs}); a.Eccentricity() != 1 {
		t.Errorf("ρ = %v by positive pairs, want 1", a.Eccentricity())
	}
}

func TestUnusableSettings(t *testing.T) {
	a := analysis(t, gaussian(t, 6, 2, 1), asymptotic.Config{})
	s := a.Distances()
	one := mat.NewSymDense(6, nil)
	for i := range 6 {
		for j := range i + 1 {
			one.SetSym(i, j, 1)
		}
	}
	bad := mat.NewSymDense(6, nil)
	bad.SetSym(2, 4, math.NaN())
	indefinite := mat.NewSymDense(2, []float64{0, 1, 1, 0})
	k := s.EuclideanGram()
	eye := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0, 0})
	skew := mat.NewDense(3, 2, []float64{1, 1, 0, 1, 0, 0})
	c := compare(t, a, 1)
	p := []float64{6, 7, 8}
	for _, tc := range []struct {
		name string
		err  error
		want error
	}{
		{"bandwidth too large", second(a.Compare(ctx, 1e200)), asymptotic.ErrBandwidth},
		{"naive bandwidth", second(a.Naive(ctx, 0)), asymptotic.ErrBandwidth},
		{"Gram bandwidth", second(s.GaussianGram(-1)), asymptotic.ErrBandwidth},
		{"Gram bandwidth", second(s.GaussianGramMinusOne(0)), asymptotic.ErrBandwidth},
		{"distances' bandwidth", second(s.GaussianDistances(math.NaN())), asymptotic.ErrBandwidth},
		{"gap's bandwidth", second(s.MetricGap(0)), asymptotic.ErrBandwidth},
		{"naive gap's bandwidth", second(s.NaiveMetricGap(0)), asymptotic.ErrBandwidth},
		{"trace's bandwidth", second(s.CentredTrace(0)), asymptotic.ErrBandwidth},
		{"angle's bandwidth", second(s.GaussianAngle(0, 1, 2, 0)), asymptotic.ErrBandwidth},
		{"dissonance's bandwidth", second(asymptotic.MetricDissonance(2, 0)), asymptotic.ErrBandwidth},
		{"dissonance's eccentricity", second(asymptotic.MetricDissonance(0, 2)), asymptotic.ErrConfig},
		{"angle's row", second(s.Angle(0, 6, 1)), asymptotic.ErrShape},
		{"angle at a coincident row", second(s.Angle(2, 2, 1)), asymptotic.ErrNoScale},
		{"pairs of a dissonance", second(c.EigenprojectionDissonance(3, asymptotic.Mean)), asymptotic.ErrConfig},
		{"no pairs of a dissonance", second(c.NormalizedEigenprojection(0, asymptotic.Mean)), asymptotic.ErrConfig},
		{"aggregate", second(c.EigenprojectionDissonance(1, 7)), asymptotic.ErrConfig},
		{"indefinite", second(asymptotic.RKHSDistances(indefinite)), asymptotic.ErrConfig},
		{"Gram with NaN", second(asymptotic.RKHSDistances(bad)), asymptotic.ErrNotFinite},
		{"no Gram", second(asymptotic.RKHSDistances(nil)), asymptotic.ErrShape},
		{"CKA of a constant", second(asymptotic.CKA(k, one)), asymptotic.ErrNoScale},
		{"debiased CKA of a constant", second(asymptotic.DebiasedCKA(one, k)), asymptotic.ErrNoScale},
		{"CKA of sizes", second(asymptotic.CKA(k, indefinite)), asymptotic.ErrShape},
		{"CKA of NaN", second(asymptotic.CKAGap(bad, k)), asymptotic.ErrNotFinite},
		{"debiased CKA of 2", second(asymptotic.DebiasedCKA(indefinite, indefinite)), asymptotic.ErrShape},
		{"no eigenvalues", second(asymptotic.Groups(nil, 1e-6)), asymptotic.ErrShape},
		{"tau", second(asymptotic.Groups([]float64{1}, 0)), asymptotic.ErrConfig},
		{"zero eigenvalue", second(asymptotic.Groups([]float64{1, 0}, 1e-6)), asymptotic.ErrConfig},
		{"ascending", second(asymptotic.Groups([]float64{1, 2}, 1e-6)), asymptotic.ErrConfig},
		{"columns", second(asymptotic.EigenDist(eye, eye, []float64{1}, 1e-6, asymptotic.Mean)), asymptotic.ErrShape},
		{"not orthonormal", second(asymptotic.EigenDist(skew, eye, []float64{2, 1}, 1e-6, asymptotic.Mean)), asymptotic.ErrConfig},
		{"rows", second(asymptotic.EigenDist(eye, mat.NewDense(2, 2, []float64{1, 0, 0, 1}), []float64{2, 1}, 1e-6, asymptotic.Mean)), asymptotic.ErrShape},
		{"no anchor", second(asymptotic.ConvergenceOnset(p, p, asymptotic.OnsetConfig{Anchor: 3})), asymptotic.ErrCurve},
		{"zero measure", second(asymptotic.ConvergenceOnset(p, []float64{1, 0, math.Inf(-1)}, asymptotic.OnsetConfig{})), asymptotic.ErrCurve},
		{"not ascending", second(asymptotic.ConvergenceOnset([]float64{7, 7, 8}, p, asymptotic.OnsetConfig{})), asymptotic.ErrCurve},
		{"lengths", second(asymptotic.ConvergenceOnset(p, p[1:], asymptotic.OnsetConfig{})), asymptotic.ErrShape},
		{"tolerance", second(asymptotic.ConvergenceOnset(p, p, asymptotic.OnsetConfig{Tolerance: -1})), asymptotic.ErrConfig},
		{"deviation", second(asymptotic.ConvergenceOnset(p, p, asymptotic.OnsetConfig{Deviation: 5})), asymptotic.ErrConfig},
		{"slope", second(asymptotic.ConvergenceOnset(p, p, asymptotic.OnsetConfig{Slope: math.NaN()})), asymptotic.ErrConfig},
		{"regression of a point", second(asymptotic.LogRegression(p[:1], p[:1])), asymptotic.ErrShape},
		{"regression of zero", second(asymptotic.LogRegression(p, []float64{0, 1, 2})), asymptotic.ErrCurve},
		{"regression on a constant", second(asymptotic.LogRegression([]float64{2, 2}, p[:2])), asymptotic.ErrCurve},
		{"powers", second(asymptotic.Run(ctx, k, asymptotic.ProtocolConfig{Powers: []float64{2, 1}})), asymptotic.ErrConfig},
		{"no powers", second(asymptotic.Run(ctx, k, asymptotic.ProtocolConfig{Powers: []float64{}})), asymptotic.ErrConfig},
		{"protocol's aggregate", second(asymptotic.Run(ctx, k, asymptotic.ProtocolConfig{Aggregate: 7})), asymptotic.ErrConfig},
		{"protocol's onset", second(asymptotic.Run(ctx, k, asymptotic.ProtocolConfig{Onset: asymptotic.OnsetConfig{Tolerance: -1}})), asymptotic.ErrConfig},
	} {
		if !errors.Is(tc.err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, tc.err, tc.want)
		}
	}
}

// second returns the error of a call.
func second[T any](_ T, err error) error { return err }

// A measure that is zero, as the angle of a single pair of points, is in the table without onset.
func TestTwoPoints(t *testing.T) {
	table := must[*asymptotic.Table](t)(asymptotic.Run(ctx, column(0, 1), asymptotic.ProtocolConfig{}))
	if c := table.Projection[0]; !errors.Is(c.OnsetErr, asymptotic.ErrCurve) || !strings.Contains(table.String(), "none") {
		t.Errorf("onset %v, %v of\n%v", c.Onset, c.OnsetErr, table)
	}
	if table.Eccentricity != 2 || table.Metric.OnsetErr != nil || table.Eigenvalue.OnsetErr != nil {
		t.Errorf("table\n%v", table)
	}
}
