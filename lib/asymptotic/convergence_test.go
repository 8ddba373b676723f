package asymptotic_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"eigenbook/lib/asymptotic"
	"eigenbook/lib/dataset"
	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"

	"gonum.org/v1/gonum/mat"
)

// All curves fall with slope −2: the metric, the eigenvalues and the first axis by 2¹² already.
func TestSlopes(t *testing.T) {
	for name, x := range map[string]*mat.Dense{"iris": dataset.Iris().X, "wine": dataset.Wine().X} {
		a := analysis(t, x, asymptotic.Config{Pairs: 1})
		c, d := compare(t, a, 11), compare(t, a, 12)
		near(t, name+" metric", math.Log2(d.MetricDissonance()/c.MetricDissonance()), -2, 5e-4)
		near(t, name+" eigenvalue", math.Log2(d.EigenvalueDiscrepancy()/c.EigenvalueDiscrepancy()), -2, 5e-4)
		near(t, name+" first axis", math.Log2(d.Angles[0]/c.Angles[0]), -2, 5e-4)
	}
}

// Theorem 3 with its constants: σ_X²(λ′−μ) and σ_X² sin ∠ tend to those of FirstOrder, on a well
// conditioned set and on wine, whose eigenvalues are 10⁷ apart. At 2²⁶ the next order is 1e-12 or less.
func TestFirstOrderLimits(t *testing.T) {
	for name, x := range map[string]*mat.Dense{"random": gaussian(t, 30, 4, 11), "iris": dataset.Iris().X, "wine": dataset.Wine().X} {
		a := analysis(t, x, asymptotic.Config{})
		values, angles, err := a.FirstOrder(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []float64{20, 26} {
			c := compare(t, a, p)
			s2 := c.Scale * c.Scale
			tol := map[float64]float64{20: 1e-7, 26: 1e-9}[p]
			for k := range a.Pairs() {
				near(t, fmt.Sprintf("%s, 2^%v: eigenvalue %d", name, p, k), s2*c.Differences[k], values[k], tol)
				near(t, fmt.Sprintf("%s, 2^%v: angle %d", name, p, k), s2*math.Sin(c.Angles[k]), angles[k], tol)
			}
		}
	}
}

// Weyl's and Davis and Kahan's inequalities, with Δ formed in full.
func TestPerturbationBounds(t *testing.T) {
	a := analysis(t, gaussian(t, 25, 3, 12), asymptotic.Config{})
	mu := append(a.LinearEigenvalues(), 0)
	for p := -2.0; p <= 12; p++ {
		c := compare(t, a, p)
		delta := must[*mat.SymDense](t)(a.Distances().GaussianGramMinusOne(c.Scale))
		delta.ScaleSym(c.Scale*c.Scale, delta)
		e := a.Distances().EuclideanGram()
		gram.Center(delta)
		gram.Center(e)
		e.ScaleSym(-1, e)
		delta.AddSym(delta, e)
		norm := mat.Norm(delta, 2) * (1 + 1e-6)
		for k := range a.Pairs() {
			if math.Abs(c.Differences[k]) > norm {
				t.Errorf("p = %v: eigenvalue %d moves by %v, want at most %v", p, k, c.Differences[k], norm)
			}
			gap := mu[k] - mu[k+1]
			if k > 0 {
				gap = min(gap, mu[k-1]-mu[k])
			}
			if s := math.Sin(c.Angles[k]); s > 2*norm/gap {
				t.Errorf("p = %v: sine of angle %d is %v, want at most %v", p, k, s, 2*norm/gap)
			}
		}
	}
}

// At moderate bandwidths the identities and subtraction agree; far out, only the identities are right.
func TestNaiveAndAccurateAgree(t *testing.T) {
	for name, x := range map[string]*mat.Dense{"random": gaussian(t, 30, 4, 13), "iris": dataset.Iris().X} {
		a := analysis(t, x, asymptotic.Config{})
		for p := 3.0; p <= 5; p++ {
			c, n := compare(t, a, p), must[*asymptotic.Comparison](t)(a.Naive(ctx, math.Exp2(p)))
			near(t, name+" eigenvalue", n.EigenvalueDiscrepancy(), c.EigenvalueDiscrepancy(), 1e-8)
			for k := range c.Angles {
				// arccos leaves an absolute error of about 2⁻⁵²/angle.
				near(t, name+" angle", n.Angles[k], c.Angles[k], 1e-8+0x1p-50/c.Angles[k]/c.Angles[k])
			}
		}
		c, n := compare(t, a, 20), must[*asymptotic.Comparison](t)(a.Naive(ctx, 1<<20))
		if r := n.EigenvalueDiscrepancy() / c.EigenvalueDiscrepancy(); r > 0.5 && r < 2 {
			t.Errorf("%s: subtraction gives the eigenvalues at 2²⁰ to a factor of %v, which it cannot", name, r)
		}
	}
}

// The sum of the eigenvalues is the trace, within its bound; none is negative beyond rounding, and
// for distinct rows all but one are positive.
func TestTraceAndSigns(t *testing.T) {
	a := analysis(t, gaussian(t, 12, 3, 14), asymptotic.Config{})
	for _, p := range []float64{-3, 0, 1} {
		n := must[*asymptotic.Comparison](t)(a.Naive(ctx, math.Exp2(p)))
		trace := must[float64](t)(a.Distances().CentredTrace(n.Scale))
		sum := 0.0
		for k, v := range n.Eigenvalues {
			sum += v
			if (v > 1e-12*n.Eigenvalues[0]) != (k < 11) {
				t.Errorf("p = %v: eigenvalue %d of 12 is %v", p, k, v)
			}
		}
		near(t, "sum of eigenvalues", sum, trace*n.Scale*n.Scale, 1e-12)
		if bound := 11 * math.Pow(a.Eccentricity(), 2) / (2 * n.Sigma * n.Sigma); trace > bound {
			t.Errorf("trace %v beyond %v", trace, bound)
		}
	}
}

// At a tiny bandwidth the Gram matrix is the identity, and normalised measures are near 1.
func TestSmallBandwidthLimit(t *testing.T) {
	a := analysis(t, gaussian(t, 15, 3, 15), asymptotic.Config{})
	k := must[*mat.SymDense](t)(a.Distances().GaussianGram(a.Scale(1e-3)))
	for i := range 15 {
		for j := range 15 {
			if (i == j) != (k.At(i, j) == 1) || i != j && k.At(i, j) > 1e-100 {
				t.Fatalf("K[%d,%d] = %v", i, j, k.At(i, j))
			}
		}
	}
	c := compare(t, a, -10)
	if m, e := math.Log2(c.MetricDissonance()), math.Log2(c.EigenvalueDiscrepancy()); math.Abs(m) > 0.01 || math.Abs(e) > 0.01 {
		t.Errorf("log₂ measures %v and %v, want near 0", m, e)
	}
}

// Algorithm 1: 0 for identical frames and for a rotation within a group, whatever the signs; π/2 for
// orthogonal ones; tiny angles to full precision.
func TestEigenDist(t *testing.T) {
	basis := func(columns ...[]float64) *mat.Dense {
		m := mat.NewDense(6, len(columns), nil)
		for k, c := range columns {
			m.SetCol(k, c)
		}
		return m
	}
	e := func(i int) []float64 { v := make([]float64, 6); v[i] = 1; return v }
	tilted := func(i, j int, angle float64) []float64 {
		v := make([]float64, 6)
		v[i], v[j] = math.Cos(angle), math.Sin(angle)
		return v
	}
	minus := func(v []float64) []float64 {
		v = slices.Clone(v)
		for i := range v {
			v[i] = -v[i]
		}
		return v
	}
	w := basis(e(0), e(1), e(2))
	repeated := []float64{5, 2, 2}
	for _, tc := range []struct {
		name      string
		v         *mat.Dense
		lambda    []float64
		mean, max float64
	}{
		{"identical", w, []float64{5, 2, 1}, 0, 0},
		{"signs", basis(minus(e(0)), e(1), minus(e(2))), []float64{5, 2, 1}, 0, 0},
		{"rotation in a group", basis(e(0), tilted(1, 2, 0.7), tilted(1, 2, 0.7+math.Pi/2)), repeated, 0, 0},
		{"orthogonal", basis(e(3), e(4), e(5)), repeated, math.Pi / 2, math.Pi / 2},
		{"tiny", basis(tilted(0, 3, 3e-11), e(1), e(2)), []float64{5, 2, 1}, 1e-11, 3e-11},
		{"tiny in a group", basis(e(0), tilted(1, 3, 4e-12), e(2)), repeated, 2e-12, 4e-12},
	} {
		for by, want := range map[asymptotic.Aggregate]float64{asymptotic.Mean: tc.mean, asymptotic.Max: tc.max} {
			got := must[float64](t)(asymptotic.EigenDist(tc.v, w, tc.lambda, 1e-6, by))
			if !(math.Abs(got-want) <= 1e-12*want+1e-15) {
				t.Errorf("%s, %v: %v, want %v", tc.name, by, got, want)
			}
		}
	}
}

// Groups are half open, cover the spectrum once, and compare with the first member.
func TestGroups(t *testing.T) {
	drift := []float64{1, 1 - 0.6e-6, 1 - 1.2e-6, 0.5}
	for _, tc := range []struct {
		lambda []float64
		tau    float64
		want   string
	}{
		{[]float64{3, 2, 1}, 1e-6, "[{0 1} {1 2} {2 3}]"},
		{drift, 1e-6, "[{0 2} {2 3} {3 4}]"},
		{drift, 1e9, "[{0 4}]"},
		{[]float64{4}, 1e-12, "[{0 1}]"},
	} {
		if got := fmt.Sprint(must[[]asymptotic.Group](t)(asymptotic.Groups(tc.lambda, tc.tau))); got != tc.want {
			t.Errorf("Groups(%v, %v) = %v, want %v", tc.lambda, tc.tau, got, tc.want)
		}
	}
}

// The order of the rows changes the reference at σ = 0, but no angle.
func TestPermutedRows(t *testing.T) {
	x := gaussian(t, 20, 3, 16)
	a, b := analysis(t, x, asymptotic.Config{}), analysis(t, permuted(x), asymptotic.Config{})
	for _, p := range []float64{0, 8, 20} {
		c, d := compare(t, a, p), compare(t, b, p)
		for k := range c.Angles {
			near(t, "angle of permuted rows", d.Angles[k], c.Angles[k], 1e-9)
		}
	}
	if r, s := must[[]float64](t)(a.ReferenceAngles()), must[[]float64](t)(b.ReferenceAngles()); r[0] == s[0] {
		t.Error("the reference does not depend on the order of the rows")
	}
}

// A square has a repeated eigenvalue: the two directions are one group, and any frame of its span
// is right. The next case has the repeated pair second.
func TestRepeatedEigenvalues(t *testing.T) {
	square := mat.NewDense(4, 2, []float64{1, 1, 1, -1, -1, 1, -1, -1})
	box := mat.NewDense(8, 3, nil)
	for i := range 8 {
		for j, side := range []float64{5, 2, 2} {
			box.Set(i, j, side*float64(i>>j&1))
		}
	}
	for name, tc := range map[string]struct {
		x      *mat.Dense
		groups string
	}{"square": {square, "[{0 2}]"}, "box": {box, "[{0 1} {1 3}]"}} {
		for _, pairs := range []int{0, 1} {
			a := analysis(t, tc.x, asymptotic.Config{Pairs: pairs})
			if got := fmt.Sprint(a.Groups()); pairs == 0 && got != tc.groups {
				t.Errorf("%s: groups %s, want %s", name, got, tc.groups)
			}
			for p := -1.0; p <= 20; p += 3 {
				c := compare(t, a, p)
				// By symmetry, the Gaussian eigenspaces are the linear ones.
				for k, v := range c.Angles {
					if v > 1e-12 {
						t.Errorf("%s, p = %v: angle %d is %v, want 0", name, p, k, v)
					}
				}
				if len(c.Angles) != a.Pairs() || len(c.Eigenvalues) != a.Pairs() {
					t.Errorf("%s: %d angles for %d pairs", name, len(c.Angles), a.Pairs())
				}
			}
		}
	}
}

// Moved a little, the repeated pair of a box has an angle, which agrees with that of the subspaces
// from a dense solver as far as that has digits.
func TestGroupAngles(t *testing.T) {
	x := gaussian(t, 30, 3, 17)
	a := analysis(t, x, asymptotic.Config{Tau: 0.5})
	groups := a.Groups()
	if len(groups) == 3 {
		t.Fatal("no eigenvalues within 50 % of each other")
	}
	for p := 1.0; p <= 12; p++ {
		c := compare(t, a, p)
		k := must[*mat.SymDense](t)(a.Distances().GaussianGramMinusOne(c.Scale))
		gram.Center(k)
		e := must[*eigen.Pairs](t)(eigen.Symmetric(k))
		w := a.LinearEigenvectors()
		for _, g := range groups {
			angles := must[[]float64](t)(eigen.PrincipalAngles(e.Vectors.Slice(0, 30, g.Start, g.End), w.Slice(0, 30, g.Start, g.End)))
			if want := angles[len(angles)-1]; math.Abs(c.Angles[g.Start]-want) > 1e-12 {
				t.Errorf("p = %v, group %v: angle %v, want %v", p, g, c.Angles[g.Start], want)
			}
			for k := g.Start; k < g.End; k++ {
				near(t, "eigenvalue", c.Eigenvalues[k], e.Values[k]*c.Scale*c.Scale, 1e-12)
			}
		}
	}
}

// Scaled components far out are those of linear PCA.
func TestComponentsConverge(t *testing.T) {
	a := analysis(t, dataset.Wine().X, asymptotic.Config{})
	linear := a.LinearComponents()
	n, _ := linear.Dims()
	sameMatrix(t, "components at 2²⁰", compare(t, a, 20).Components(), linear.Slice(0, n, 0, a.Pairs()), 1e-9)
}

// The iteration and the full decomposition give the same at all bandwidths, from any start.
func TestIterativeAndDenseAgree(t *testing.T) {
	x := dataset.BreastCancer().X
	cfg := asymptotic.ProtocolConfig{Config: asymptotic.Config{Pairs: 3, DenseLimit: 1000}}
	dense := must[*asymptotic.Table](t)(asymptotic.Run(ctx, x, cfg))
	cfg.DenseLimit = 1
	iterative := must[*asymptotic.Table](t)(asymptotic.Run(ctx, x, cfg))
	cold := analysis(t, x, cfg.Config)
	for i, p := range dense.Powers {
		if !iterative.Converged[i] || !dense.Converged[i] {
			t.Errorf("p = %v has not converged", p)
		}
		if !iterative.EigenvalueCertain[i] {
			t.Errorf("p = %v: the largest difference of eigenvalues is not certain", p)
		}
		near(t, fmt.Sprintf("eigenvalues at 2^%v", p), iterative.Eigenvalue.Log2[i], dense.Eigenvalue.Log2[i], 1e-9)
		for k := range dense.Projection {
			near(t, fmt.Sprintf("projection %d at 2^%v", k, p), iterative.Projection[k].Log2[i], dense.Projection[k].Log2[i], 1e-8)
		}
		if p == 0 || p == 4 {
			c := compare(t, cold, p)
			near(t, "projection without a warm start", math.Log2(must[float64](t)(c.NormalizedEigenprojection(3, asymptotic.Mean))), iterative.Projection[2].Log2[i], 1e-8)
		}
	}
}

// The published rows of wine and boston, with Boston's two categorical attributes in one column
// for each level.
func TestPublishedOnsets(t *testing.T) {
	boston, err := dataset.Boston().AsCategorical("CHAS", "RAD")
	if err != nil {
		t.Fatal(err)
	}
	hot := must[*dataset.Set](t)(boston.OneHot())
	for _, tc := range []struct {
		name    string
		x       *mat.Dense
		columns int
		want    string
	}{{"wine", dataset.Wine().X, 13, "5.00 4 4 4"}, {"boston", hot.X, 22, "3.68 4 4 2"}, {"wdbc", dataset.BreastCancer().X, 30, "10.52 8 16 8"}} {
		table := must[*asymptotic.Table](t)(asymptotic.Run(ctx, tc.x, asymptotic.ProtocolConfig{Config: asymptotic.Config{Pairs: 1}}))
		got := fmt.Sprintf("%.2f %v %v %v", table.Eccentricity, table.Metric.Onset, table.Eigenvalue.Onset, table.Projection[0].Onset)
		if got != tc.want || table.Columns != tc.columns {
			t.Errorf("%s, %d columns: %s, want %d columns and %s", tc.name, table.Columns, got, tc.columns, tc.want)
		}
		if !strings.Contains(table.String(), "2^-4") {
			t.Errorf("table without its first bandwidth:\n%v", table)
		}
	}
}

// An exact line of slope −2 is met at once, a spike at the last bandwidth is never left behind,
// and a shift of the curve changes nothing.
func TestConvergenceOnset(t *testing.T) {
	p := []float64{4, 5, 6, 7, 8}
	line := []float64{-8, -10, -12, -14, -16}
	shifted := []float64{-5, -10.1, -12, -14, -16}
	for i := range shifted {
		shifted[i] += 100
	}
	for _, tc := range []struct {
		name  string
		curve []float64
		cfg   asymptotic.OnsetConfig
		want  string
	}{
		{"line", line, asymptotic.OnsetConfig{}, "16"},
		{"spike at the end", []float64{-8, -10, -12, -14, -15.7}, asymptotic.OnsetConfig{}, "256+"},
		{"shifted", shifted, asymptotic.OnsetConfig{}, "32"},
		{"other tolerance", shifted, asymptotic.OnsetConfig{Tolerance: 0.05}, "64"},
		{"relative", []float64{-8.45, -10.4, -12, -14, -16}, asymptotic.OnsetConfig{Deviation: asymptotic.Relative}, "32"},
		{"other slope", []float64{-4, -5, -6, -7, -8}, asymptotic.OnsetConfig{Slope: -1}, "16"},
		{"other anchor", line, asymptotic.OnsetConfig{Anchor: 8}, "16"},
	} {
		o := must[asymptotic.Onset](t)(asymptotic.ConvergenceOnset(p, tc.curve, tc.cfg))
		if o.String() != tc.want || len(o.Margins) != len(p) {
			t.Errorf("%s: %v, want %s; margins %v", tc.name, o, tc.want, o.Margins)
		}
	}
}

func TestRunReportsAndStops(t *testing.T) {
	var sigmas []float64
	cfg := asymptotic.ProtocolConfig{Powers: []float64{0, 7}, Progress: func(s asymptotic.Step) bool {
		sigmas = append(sigmas, s.Comparison.Sigma)
		return s.Done < 1
	}}
	x := gaussian(t, 10, 2, 18)
	if table, err := asymptotic.Run(ctx, x, cfg); !errors.Is(err, context.Canceled) || table != nil || !slices.Equal(sigmas, []float64{128}) {
		t.Errorf("Run = %v, %v after %v", table, err, sigmas)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if table, err := asymptotic.Run(cancelled, x, asymptotic.ProtocolConfig{}); !errors.Is(err, context.Canceled) || table != nil {
		t.Errorf("Run with a cancelled context = %v, %v", table, err)
	}
}
