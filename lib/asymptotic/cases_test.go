package asymptotic_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"eigenbook/lib/asymptotic"
	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

// assertions has the comparison of each case of the reference.
var assertions = map[string]func(*testing.T, *fixture){
	"r01-geometry": func(t *testing.T, f *fixture) {
		s := distances(t, f.x(t))
		f.numbers(t, "distances", entries(s.Matrix())...)
		f.numbers(t, "diameter", s.Diameter())
		f.numbers(t, "median_all", must[float64](t)(s.Median(asymptotic.FullMatrix)))
		f.numbers(t, "median_pairs", must[float64](t)(s.Median(asymptotic.Pairs)))
		f.numbers(t, "rho", must[float64](t)(s.Eccentricity(asymptotic.FullMatrix)))
		f.numbers(t, "rho_pairs", must[float64](t)(s.Eccentricity(asymptotic.Pairs)))
		f.numbers(t, "min_distance", s.SmallestPositive())
		f.numbers(t, "eta", must[float64](t)(s.Spread()))
	},
	"r02-gram": func(t *testing.T, f *fixture) {
		s, scale := scaled(t, f)
		k := must[*mat.SymDense](t)(s.GaussianGram(scale))
		f.numbers(t, "K", entries(k)...)
		gram.Center(k)
		f.numbers(t, "Kc", entries(k)...)
		b := must[*mat.SymDense](t)(s.GaussianGramMinusOne(scale))
		gram.Center(b)
		f.numbers(t, "Kc", entries(b)...)
	},
	"r03-rkhs-distances": func(t *testing.T, f *fixture) {
		s, scale := scaled(t, f)
		k := must[*mat.SymDense](t)(s.GaussianGram(scale))
		f.numbers(t, "dG", entries(must[*mat.SymDense](t)(asymptotic.RKHSDistances(k)))...)
		gram.Center(k)
		f.numbers(t, "dG", entries(must[*mat.SymDense](t)(asymptotic.RKHSDistances(k)))...)
		f.numbers(t, "dG", entries(must[*mat.SymDense](t)(s.GaussianDistances(scale)))...)
	},
	"r04-lemma2": func(t *testing.T, f *fixture) {
		x := f.x(t)
		k, _, err := gram.ComputeCentered(ctx, kernel.Linear{}, x)
		if err != nil {
			t.Fatal(err)
		}
		f.numbers(t, "Kc_lin", entries(k)...)
		e := distances(t, x).EuclideanGram()
		gram.Center(e)
		f.numbers(t, "Kc_lin", entries(e)...)
		a := analysis(t, x, asymptotic.Config{})
		values := must[[]float64](t)(eigen.Values(k))
		f.numbers(t, "eigenvalues", values...)
		f.near(t, "eigenvalues", a.LinearEigenvalues(), want[[]float64](t, f, "eigenvalues")[:a.Rank()])
		f.numbers(t, "rank", float64(a.Rank()))
	},
	"r05-metric": func(t *testing.T, f *fixture) {
		s := distances(t, f.x(t))
		rho := must[float64](t)(s.Eccentricity(asymptotic.FullMatrix))
		var abs, rel, log []float64
		for _, p := range in[[]float64](t, f, "p") {
			sigma := math.Exp2(p)
			abs = append(abs, must[float64](t)(s.MetricGap(sigma*s.Diameter()/rho)))
			rel = append(rel, must[float64](t)(asymptotic.MetricDissonance(rho, sigma)))
			log = append(log, math.Log2(rel[len(rel)-1]))
		}
		f.numbers(t, "absolute", abs...)
		f.numbers(t, "relative", rel...)
		f.numbers(t, "log2", log...)
	},
	"r06-metric-high": func(t *testing.T, f *fixture) {
		f.Tol.Rtol, f.Tol.Atol = 1e-12, 0 // sharper than the reference asks
		rho := must[float64](t)(asymptotic.Eccentricity(ctx, f.x(t)))
		var rel, scaled []float64
		for _, p := range in[[]float64](t, f, "p") {
			g := must[float64](t)(asymptotic.MetricDissonance(rho, math.Exp2(p)))
			rel = append(rel, g)
			scaled = append(scaled, g*8*math.Exp2(2*p)/rho/rho)
		}
		f.numbers(t, "relative", rel...)
		f.numbers(t, "times_8_sigma2_over_rho2", scaled...)
	},
	"r07-eigenvalues": func(t *testing.T, f *fixture) {
		a := analysis(t, f.x(t), asymptotic.Config{})
		for p, name := range map[float64]string{0: "scaled_at_p0", 7: "scaled_at_p7"} {
			b := must[*mat.SymDense](t)(a.Distances().GaussianGramMinusOne(a.Scale(math.Exp2(p))))
			gram.Center(b)
			values := must[[]float64](t)(eigen.Values(b))
			for k := range values {
				values[k] *= math.Pow(a.Scale(math.Exp2(p)), 2)
			}
			f.numbers(t, name, values[:a.N()-1]...)
			f.near(t, name, compare(t, a, p).Eigenvalues, want[[]float64](t, f, name)[:a.Pairs()])
		}
		var rel, log []float64
		for _, p := range in[[]float64](t, f, "p") {
			c := compare(t, a, p)
			if !c.EigenvalueCertain() {
				t.Errorf("p = %v: not certain that the maximum is over all k", p)
			}
			rel = append(rel, c.EigenvalueDiscrepancy())
			log = append(log, math.Log2(c.EigenvalueDiscrepancy()))
		}
		f.numbers(t, "relative", rel...)
		f.numbers(t, "log2", log...)
	},
	"r08-eigenvalues-high": func(t *testing.T, f *fixture) {
		f.Tol.Rtol = 1e-12 // sharper than the reference asks
		a := analysis(t, f.x(t), asymptotic.Config{})
		var got []float64
		for _, p := range in[[]float64](t, f, "p") {
			for _, d := range compare(t, a, p).Differences {
				got = append(got, d/a.LinearEigenvalues()[0])
			}
		}
		f.numbers(t, "signed", got...)
	},
	"r09-first-order": func(t *testing.T, f *fixture) {
		a := analysis(t, f.x(t), asymptotic.Config{})
		values, angles, err := a.FirstOrder(ctx)
		if err != nil {
			t.Fatal(err)
		}
		f.numbers(t, "eigenvalue_coef", values...)
		f.numbers(t, "angle_coef", angles...)
	},
	"r10-angles-high": func(t *testing.T, f *fixture) {
		f.Tol.Rtol = 1e-12 // sharper than the reference asks
		a := analysis(t, f.x(t), asymptotic.Config{})
		var got []float64
		for _, p := range in[[]float64](t, f, "p") {
			got = append(got, compare(t, a, p).Angles...)
		}
		f.numbers(t, "angle", got...)
	},
	"r11-proj-reference": func(t *testing.T, f *fixture) {
		a := analysis(t, f.x(t), asymptotic.Config{})
		f.numbers(t, "angle", must[[]float64](t)(a.ReferenceAngles())...)
	},
	"r12-components": func(t *testing.T, f *fixture) {
		a := analysis(t, f.x(t), asymptotic.Config{})
		for i, name := range []string{"abs_p0", "abs_p10"} {
			p := in[[]float64](t, f, "p")[i]
			f.numbers(t, name, absolute(entries(compare(t, a, p).Components()))...)
		}
		f.numbers(t, "abs_linear", absolute(entries(a.LinearComponents()))...)
	},
	"r13-trace": func(t *testing.T, f *fixture) {
		a := analysis(t, f.x(t), asymptotic.Config{})
		var trace, bound []float64
		for _, p := range in[[]float64](t, f, "p") {
			scale := a.Scale(math.Exp2(p))
			trace = append(trace, must[float64](t)(a.Distances().CentredTrace(scale)))
			bound = append(bound, float64(a.N()-1)*math.Pow(a.Distances().Diameter()/scale, 2)/2)
		}
		f.numbers(t, "trace", trace...)
		f.numbers(t, "bound", bound...)
	},
	"r14-cka": func(t *testing.T, f *fixture) {
		a := analysis(t, f.x(t), asymptotic.Config{})
		y := must[*mat.SymDense](t)(gram.Compute(ctx, kernel.Linear{}, dense(in[[][]*float64](t, f, "Y"))))
		limit := must[float64](t)(asymptotic.CKA(a.Distances().EuclideanGram(), y))
		f.numbers(t, "limit", limit)
		var got, deviation []float64
		for _, p := range in[[]float64](t, f, "p") {
			b := must[*mat.SymDense](t)(a.Distances().GaussianGramMinusOne(a.Scale(math.Exp2(p))))
			cka := must[float64](t)(asymptotic.CKA(b, y))
			got = append(got, cka)
			deviation = append(deviation, cka-limit)
		}
		f.numbers(t, "cka", got...)
		f.numbers(t, "deviation", deviation[:3]...)
	},
	"r15-cka-same": func(t *testing.T, f *fixture) {
		a := analysis(t, f.x(t), asymptotic.Config{})
		f.Tol.Rtol, f.Tol.Atol = 1e-6, 0 // sharper than the reference asks
		var got []float64
		for _, p := range in[[]float64](t, f, "p") {
			b := must[*mat.SymDense](t)(a.Distances().GaussianGramMinusOne(a.Scale(math.Exp2(p))))
			got = append(got, must[float64](t)(asymptotic.CKAGap(b, a.Distances().EuclideanGram())))
		}
		f.numbers(t, "one_minus", got...)
	},
	"r16-angles": func(t *testing.T, f *fixture) {
		a := analysis(t, f.x(t), asymptotic.Config{})
		s := a.Distances()
		var got []float64
		for _, v := range in[[][3]int](t, f, "triples") {
			euclidean := must[float64](t)(s.Angle(v[0], v[1], v[2]))
			for _, p := range in[[]float64](t, f, "p") {
				got = append(got, must[float64](t)(s.GaussianAngle(v[0], v[1], v[2], a.Scale(math.Exp2(p))))-euclidean)
			}
		}
		f.numbers(t, "difference", got...)
	},
	"r17-single-centring": func(t *testing.T, f *fixture) {
		k := dense(in[[][]*float64](t, f, "K"))
		j := mat.NewDense(2, 2, []float64{0.5, -0.5, -0.5, 0.5})
		var left, right mat.Dense
		left.Mul(j, k)
		right.Mul(k, j)
		squared := func(k mat.Matrix, off float64) float64 { return k.At(0, 0) + k.At(1, 1) - 2*off }
		f.numbers(t, "HK_using_12", squared(&left, left.At(0, 1)))
		f.numbers(t, "HK_using_21", squared(&left, left.At(1, 0)))
		f.numbers(t, "KH_using_12", squared(&right, right.At(0, 1)))
		f.numbers(t, "KH_using_21", squared(&right, right.At(1, 0)))
		s := mat.NewSymDense(2, entries(k))
		f.numbers(t, "K", math.Pow(must[*mat.SymDense](t)(asymptotic.RKHSDistances(s)).At(0, 1), 2))
		gram.Center(s)
		f.numbers(t, "HKH", math.Pow(must[*mat.SymDense](t)(asymptotic.RKHSDistances(s)).At(0, 1), 2))
	},
	"r18-closed-form": func(t *testing.T, f *fixture) {
		var got []float64
		for _, v := range in[[]float64](t, f, "t") {
			got = append(got, asymptotic.DissonanceRatio(v))
		}
		f.numbers(t, "relative", got...)
	},
	"r19-algorithm1": func(t *testing.T, f *fixture) {
		v, w, lambda := frames(t, f)
		tau := in[float64](t, f, "tau")
		var bounds []float64
		for _, g := range must[[]asymptotic.Group](t)(asymptotic.Groups(lambda, tau)) {
			bounds = append(bounds, float64(g.Start), float64(g.End))
		}
		f.numbers(t, "groups", bounds...)
		f.numbers(t, "angles", must[[]float64](t)(asymptotic.EigenDistances(v, w, lambda, tau))...)
		f.numbers(t, "mean", must[float64](t)(asymptotic.EigenDist(v, w, lambda, tau, asymptotic.Mean)))
		f.numbers(t, "max", must[float64](t)(asymptotic.EigenDist(v, w, lambda, tau, asymptotic.Max)))
	},
	"r20-algorithm1-distinct": func(t *testing.T, f *fixture) {
		v, w, lambda := frames(t, f)
		tau := in[float64](t, f, "tau")
		f.numbers(t, "mean", must[float64](t)(asymptotic.EigenDist(v, w, lambda, tau, asymptotic.Mean)))
		f.numbers(t, "max", must[float64](t)(asymptotic.EigenDist(v, w, lambda, tau, asymptotic.Max)))
		for k, name := range []string{"mean_k1", "mean_k2"} {
			n, _ := v.Dims()
			vk, wk := v.Slice(0, n, 0, k+1), w.Slice(0, n, 0, k+1)
			f.numbers(t, name, must[float64](t)(asymptotic.EigenDist(vk, wk, lambda[:k+1], tau, asymptotic.Mean)))
		}
	},
	"r21-algorithm1-one-group": func(t *testing.T, f *fixture) {
		v, w, lambda := frames(t, f)
		tau := in[float64](t, f, "tau")
		f.numbers(t, "mean", must[float64](t)(asymptotic.EigenDist(v, w, lambda, tau, asymptotic.Mean)))
		groups := must[[]asymptotic.Group](t)(asymptotic.Groups(lambda, tau))
		f.numbers(t, "groups", float64(groups[0].Start), float64(groups[0].End))
	},
	"r22-onset-rule": func(t *testing.T, f *fixture) {
		p, cfg := onsetRule(t, f)
		expected := want[[]*float64](t, f, "onset")
		for i, curve := range in[[][]float64](t, f, "log2") {
			o := must[asymptotic.Onset](t)(asymptotic.ConvergenceOnset(p, curve, cfg))
			if o.Reached != (expected[i] != nil) || o.Reached && o.P != *expected[i] {
				t.Errorf("curve %d: onset %v at p = %v", i, o, o.P)
			}
		}
	},
	"r23-table2-column1": func(t *testing.T, f *fixture) {
		p, cfg := onsetRule(t, f)
		var got []float64
		for _, rho := range in[[]float64](t, f, "rho") {
			var curve []float64
			for _, p := range p {
				curve = append(curve, math.Log2(asymptotic.DissonanceRatio(rho/math.Exp2(p))))
			}
			got = append(got, must[asymptotic.Onset](t)(asymptotic.ConvergenceOnset(p, curve, cfg)).Sigma())
		}
		if len(got) != len(in[[]string](t, f, "names")) {
			t.Error("not one onset for each name")
		}
		f.numbers(t, "onset_sigma", got...)
	},
	"r24-fig4": func(t *testing.T, f *fixture) {
		rho := in[[]float64](t, f, "rho")
		var y []float64
		for _, r := range rho {
			y = append(y, asymptotic.DissonanceRatio(r/128))
		}
		r := must[asymptotic.Regression](t)(asymptotic.LogRegression(rho, y))
		f.numbers(t, "slope", r.Slope)
		f.numbers(t, "intercept", r.Intercept)
		f.numbers(t, "r2", r.R2)
	},
	"r25-table2-regressions": func(t *testing.T, f *fixture) {
		rho, onset := in[[]float64](t, f, "rho"), in[[][]float64](t, f, "onset")
		for i, name := range []string{"metric", "eigenvalue", "projection"} {
			e := want[map[string]float64](t, f, name)
			r := must[asymptotic.Regression](t)(asymptotic.LogRegression(rho, onset[i]))
			f.near(t, name, []float64{r.Slope, r.Intercept, r.R2}, []float64{e["slope"], e["intercept"], e["r2"]})
		}
	},
	"r26-iris": realData,
	"r26-wine": realData,
	"r27-duplicates": func(t *testing.T, f *fixture) {
		s := distances(t, f.x(t))
		rho := must[float64](t)(s.Eccentricity(asymptotic.FullMatrix))
		f.numbers(t, "median_all", must[float64](t)(s.Median(asymptotic.FullMatrix)))
		f.numbers(t, "rho", rho)
		f.numbers(t, "min_distance", s.SmallestPositive())
		sigma := in[float64](t, f, "sigma")
		f.numbers(t, "relative", must[float64](t)(asymptotic.MetricDissonance(rho, sigma)))
		f.numbers(t, "relative", must[float64](t)(s.MetricGap(sigma*s.Diameter()/rho))/s.Diameter())
	},
	"r28-invariance": func(t *testing.T, f *fixture) {
		a := analysis(t, f.x(t), asymptotic.Config{})
		c := compare(t, a, in[float64](t, f, "p"))
		f.numbers(t, "rho", a.Eccentricity())
		f.numbers(t, "relative_metric", c.MetricDissonance())
		f.numbers(t, "relative_eigenvalue", c.EigenvalueDiscrepancy())
		f.numbers(t, "angle1", c.Angles[0])
	},
	"r29-two-points": func(t *testing.T, f *fixture) {
		s := distances(t, f.x(t))
		f.numbers(t, "median_all", must[float64](t)(s.Median(asymptotic.FullMatrix)))
		f.numbers(t, "rho", must[float64](t)(s.Eccentricity(asymptotic.FullMatrix)))
		f.numbers(t, "rho_pairs", must[float64](t)(s.Eccentricity(asymptotic.Pairs)))
	},
	"r30-constant":     fails(asymptotic.ErrNoScale, "zero median distance"),
	"r31-mostly-equal": fails(asymptotic.ErrNoScale, "zero median distance"),
	"r33-one-row":      fails(asymptotic.ErrShape, "too few rows"),
	"r34-nan":          fails(asymptotic.ErrNotFinite, "non-finite input"),
	"r32-bad-sigma": func(t *testing.T, f *fixture) {
		a := analysis(t, f.x(t), asymptotic.Config{})
		if want[string](t, f, "error") != "bad bandwidth" {
			t.Error("the reference expects another error")
		}
		for _, sigma := range []float64{in[float64](t, f, "sigma"), -1, math.NaN(), math.Inf(1)} {
			if c, err := a.Compare(ctx, sigma); !errors.Is(err, asymptotic.ErrBandwidth) || c != nil {
				t.Errorf("Compare(%v) = %v, %v", sigma, c, err)
			}
		}
	},
}

// fails asserts that no analysis of the data is possible.
func fails(wanted error, text string) func(*testing.T, *fixture) {
	return func(t *testing.T, f *fixture) {
		if want[string](t, f, "error") != text {
			t.Error("the reference expects another error")
		}
		if a, err := asymptotic.New(ctx, f.x(t), asymptotic.Config{}); !errors.Is(err, wanted) || a != nil {
			t.Errorf("New = %v, %v; want %v", a, err, wanted)
		}
	}
}

func scaled(t *testing.T, f *fixture) (*asymptotic.Distances, float64) {
	s := distances(t, f.x(t))
	return s, in[float64](t, f, "sigma") * must[float64](t)(s.Median(asymptotic.FullMatrix))
}

func frames(t *testing.T, f *fixture) (v, w *mat.Dense, lambda []float64) {
	return dense(in[[][]*float64](t, f, "v")), dense(in[[][]*float64](t, f, "w")), in[[]float64](t, f, "eigenvalues")
}

func onsetRule(t *testing.T, f *fixture) ([]float64, asymptotic.OnsetConfig) {
	return in[[]float64](t, f, "p"), asymptotic.OnsetConfig{Anchor: in[float64](t, f, "anchor"), Tolerance: in[float64](t, f, "tol")}
}

// realData compares the protocol on iris or wine with the reference.
func realData(t *testing.T, f *fixture) {
	x := f.x(t)
	projections := want[map[string][]float64](t, f, "projection_from_p_minus1")
	cfg := asymptotic.ProtocolConfig{Powers: in[[]float64](t, f, "p")}
	cfg.Pairs = len(projections)
	table := must[*asymptotic.Table](t)(asymptotic.Run(ctx, x, cfg))
	f.numbers(t, "rho", table.Eccentricity)
	f.numbers(t, "metric", table.Metric.Log2...)
	f.numbers(t, "eigenvalue", table.Eigenvalue.Log2...)
	top := want[[]float64](t, f, "top_eigenvalues")
	f.near(t, "top_eigenvalues", table.LinearEigenvalues[:len(top)], top)
	first := slices.Index(table.Powers, -1)
	names := []string{"proj1", "proj2", "proj3", "proj4"}[:len(projections)]
	for k, name := range names {
		f.near(t, name, table.Projection[k].Log2[first:], projections[name])
	}
	onsets(t, table, names, want[map[string]float64](t, f, "onset_p"))

	extended := cfg
	for p := 9.0; p <= 12; p++ {
		extended.Powers = append(slices.Clip(extended.Powers), p)
	}
	extended.Onset.Anchor = 12
	onsets(t, must[*asymptotic.Table](t)(asymptotic.Run(ctx, x, extended)), names, want[map[string]float64](t, f, "onset_p_extended"))

	angles := must[[]float64](t)(analysis(t, x, cfg.Config).ReferenceAngles())
	sum := 0.0
	expected := want[map[string]float64](t, f, "reference_angle")
	for k, name := range []string{"1", "2", "3", "4"}[:len(expected)] {
		sum += angles[k]
		f.near(t, "reference_angle", []float64{sum / float64(k+1)}, []float64{expected[name]})
	}
}

func onsets(t *testing.T, table *asymptotic.Table, projections []string, expected map[string]float64) {
	t.Helper()
	got := map[string]asymptotic.Curve{"metric": table.Metric, "eigenvalue": table.Eigenvalue}
	for k, name := range projections {
		got[name] = table.Projection[k]
	}
	if len(got) != len(expected) {
		t.Errorf("%d onsets, want %d", len(got), len(expected))
	}
	for name, p := range expected {
		if c := got[name]; c.OnsetErr != nil || !c.Onset.Reached || c.Onset.P != p {
			t.Errorf("onset of %s: %v, %v; want p = %v", name, c.Onset, c.OnsetErr, p)
		}
	}
}
