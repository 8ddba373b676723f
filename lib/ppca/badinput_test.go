package ppca_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/ppca"
)

func with(x *mat.Dense, i, j int, v float64) *mat.Dense {
	c := mat.DenseCopyOf(x)
	c.Set(i, j, v)
	return c
}

// refused asserts an error that wraps want and says text.
func refused(t *testing.T, what string, err, want error, text string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want one that wraps %q", what, err, want)
		return
	}
	if !strings.Contains(err.Error(), text) {
		t.Errorf("%s: the error %q does not say %q", what, err, text)
	}
}

func TestFitErrors(t *testing.T) {
	x := gaussian(8, 3, 1)
	constant := mat.NewDense(5, 2, []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2})
	nan, inf := math.NaN(), math.Inf(1)
	var none *mat.Dense
	for _, tc := range []struct {
		name string
		x    mat.Matrix
		cfg  ppca.Config
		want error
		text string
	}{
		{"nil", nil, ppca.Config{Latent: 1}, gram.ErrShape, "nil"},
		{"nil pointer", none, ppca.Config{Latent: 1}, gram.ErrShape, "nil"},
		{"no rows", &mat.Dense{}, ppca.Config{Latent: 1}, gram.ErrShape, "0×0"},
		{"NaN", with(x, 3, 1, nan), ppca.Config{Latent: 1}, gram.ErrNotFinite, "NaN"},
		{"Inf", with(x, 0, 2, -inf), ppca.Config{Latent: 1}, gram.ErrNotFinite, "-Inf"},
		{"one row", gaussian(1, 3, 1), ppca.Config{Latent: 1}, ppca.ErrNoVariance, ""},
		{"all rows equal", constant, ppca.Config{Latent: 1}, ppca.ErrNoVariance, "5"},
		{"q < 0", x, ppca.Config{Latent: -1}, ppca.ErrConfig, "Latent is -1"},
		{"q > r", x, ppca.Config{Latent: 8}, ppca.ErrConfig, "Latent is 8"},
		{"nothing set", x, ppca.Config{}, ppca.ErrConfig, "neither"},
		{"q = 0 and q = 1", x, ppca.Config{Latent: 1, Isotropic: true}, ppca.ErrConfig, "Isotropic"},
		{"σ² < 0", x, ppca.Config{Latent: 1, NoiseVariance: -0.5}, ppca.ErrConfig, "NoiseVariance is -0.5"},
		{"σ² NaN", x, ppca.Config{Latent: 1, NoiseVariance: nan}, ppca.ErrConfig, "NoiseVariance is NaN"},
		{"σ² = 0 and σ² > 0", x, ppca.Config{Latent: 1, NoiseVariance: 1, Noiseless: true}, ppca.ErrConfig, "Noiseless"},
		{"σ² > λ_q/N", x, ppca.Config{Latent: 2, NoiseVariance: 100}, ppca.ErrConfig, "want at most λ_q/N = "},
		{"rule", x, ppca.Config{NoiseVariance: 1, Rule: 7}, ppca.ErrConfig, "Rule is 7"},
		{"D < r", x, ppca.Config{Latent: 1, Noise: ppca.Explicit(2)}, ppca.ErrConfig, "explicit(2) is below the rank r = "},
		{"D < 1", x, ppca.Config{Latent: 1, Noise: ppca.Explicit(-3)}, ppca.ErrConfig, "explicit(-3)"},
		{"rank < 0", x, ppca.Config{Latent: 1, Rank: -1}, ppca.ErrConfig, "Rank is -1"},
		{"rank > N−1", x, ppca.Config{Latent: 1, Rank: 9}, ppca.ErrConfig, "Rank is 9, want at most"},
		{"tolerance", x, ppca.Config{Latent: 1, RankTolerance: 2}, ppca.ErrConfig, "RankTolerance is 2"},
		{"solver", x, ppca.Config{Latent: 1, Solver: 9}, ppca.ErrConfig, "Solver is 9"},
	} {
		if m, err := ppca.FitPrimal(tc.x, tc.cfg); m != nil || err == nil {
			t.Errorf("%s: FitPrimal = %v, %v", tc.name, m, err)
		} else {
			refused(t, "FitPrimal, "+tc.name, err, tc.want, tc.text)
		}
		for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.RBF{LengthScale: 2}} {
			if m, err := ppca.FitDual(ctx, tc.x, k, tc.cfg); m != nil || err == nil {
				t.Errorf("%s: FitDual = %v, %v", tc.name, m, err)
			} else {
				refused(t, "FitDual, "+tc.name, err, tc.want, tc.text)
			}
		}
	}
	// D = q with σ² asked: nothing is left to carry noise.
	_, err := ppca.FitPrimal(x, ppca.Config{Latent: 3, Noise: ppca.Explicit(3)})
	refused(t, "D = q", err, ppca.ErrConfig, "noise dimension explicit(3)")
	// The bound is in the message; the range of q too.
	_, err = ppca.FitPrimal(x, ppca.Config{Latent: 4})
	refused(t, "q > r", err, ppca.ErrConfig, "want 0 to 3")
	_, err = ppca.FitPrimal(scaled(1e200, x), ppca.Config{Latent: 1})
	refused(t, "overflow", err, gram.ErrNotFinite, "overflows")
	_, err = ppca.FitDual(ctx, scaled(1e200, x), kernel.Linear{}, ppca.Config{Latent: 1})
	refused(t, "overflow", err, gram.ErrNotFinite, "")
}

func TestKernelErrors(t *testing.T) {
	x := gaussian(8, 2, 2)
	zero := with(with(x, 2, 0, 0), 2, 1, 0)
	for _, tc := range []struct {
		name string
		x    mat.Matrix
		k    kernel.Kernel
		want error
		text string
	}{
		{"no kernel", x, nil, kernel.ErrParameter, ""},
		{"scale 0", x, kernel.RBF{}, kernel.ErrParameter, "LengthScale of RBF is 0"},
		{"scale NaN", x, kernel.Laplacian{LengthScale: math.NaN()}, kernel.ErrParameter, "LengthScale of Laplacian is NaN"},
		{"scale Inf", x, kernel.RBF{LengthScale: math.Inf(1)}, kernel.ErrParameter, "LengthScale"},
		{"degree 0", x, kernel.Polynomial{Scale: 1}, kernel.ErrParameter, "Degree"},
		{"factor 0", x, kernel.Scaled{Kernel: kernel.Linear{}}, kernel.ErrParameter, "Factor"},
		{"cosine of zero", zero, kernel.Cosine{}, kernel.ErrDomain, "row 2"},
		{"indefinite", scaled(3, x), kernel.Sigmoid{Scale: 1, Offset: -1}, gram.ErrNotPSD, "eigenvalue"},
		{"zero diagonal", x, kernel.Func{Name: "minus", F: func(x, y []float64) float64 { return kernel.SquaredDistance(x, y) }}, gram.ErrNotPSD, ""},
		{"NaN kernel", x, kernel.Func{Name: "nan", F: func(x, y []float64) float64 { return math.NaN() }}, gram.ErrNotFinite, ""},
	} {
		m, err := ppca.FitDual(ctx, tc.x, tc.k, ppca.Config{Latent: 1})
		if m != nil {
			t.Errorf("%s: a model beside an error", tc.name)
		}
		refused(t, tc.name, err, tc.want, tc.text)
	}
}

func TestFitGramErrors(t *testing.T) {
	nan := math.NaN()
	indefinite := func(n int, v float64) *mat.SymDense {
		k := mat.NewSymDense(n, nil)
		for i := range n {
			k.SetSym(i, i, float64(n-i))
		}
		k.SetSym(n-1, n-1, v)
		return k
	}
	for _, tc := range []struct {
		name string
		k    mat.Matrix
		cfg  ppca.Config
		want error
		text string
	}{
		{"nil", nil, ppca.Config{Latent: 1}, gram.ErrShape, "nil"},
		{"not square", mat.NewDense(2, 3, nil), ppca.Config{Latent: 1}, gram.ErrShape, "2×3"},
		{"not symmetric", mat.NewDense(3, 3, []float64{1, 2, 0, 0, 1, 0, 0, 0, 1}), ppca.Config{Latent: 1}, gram.ErrNotSymmetric, "(0, 1)"},
		{"NaN", mat.NewDense(2, 2, []float64{1, nan, nan, 1}), ppca.Config{Latent: 1}, gram.ErrNotFinite, "row 0, column 1"},
		{"zero", mat.NewDense(3, 3, nil), ppca.Config{Latent: 1}, ppca.ErrNoVariance, ""},
		{"constant", mat.NewDense(2, 2, []float64{3, 3, 3, 3}), ppca.Config{Latent: 1}, ppca.ErrNoVariance, "2 rows"},
		{"one row", mat.NewDense(1, 1, []float64{3}), ppca.Config{Latent: 1}, ppca.ErrNoVariance, "1 rows"},
		{"zero diagonal", mat.NewDense(3, 3, []float64{0, 1, 1, 1, 0, 1, 1, 1, 0}), ppca.Config{Latent: 1, Uncentred: true}, gram.ErrNotPSD, ""},
		{"indefinite", indefinite(40, -1e-3), ppca.Config{Latent: 2, Uncentred: true}, gram.ErrNotPSD, "eigenvalue -0.001"},
		{"indefinite, leading pairs", indefinite(120, -1e-3), ppca.Config{Latent: 2, Uncentred: true, Solver: ppca.Leading, Rank: 100}, gram.ErrNotPSD, ""},
		{"q > r", mat.NewDense(3, 3, []float64{1, -1, 0, -1, 1, 0, 0, 0, 0}), ppca.Config{Latent: 2}, ppca.ErrConfig, "rank r = 1"},
	} {
		m, err := ppca.FitGram(ctx, tc.k, tc.cfg)
		if m != nil {
			t.Errorf("%s: a model beside an error", tc.name)
		}
		refused(t, tc.name, err, tc.want, tc.text)
	}
	m := must[*ppca.DualModel](t)(ppca.FitGram(ctx, indefinite(40, -1e-8), ppca.Config{Latent: 2, Uncentred: true}))
	warned := false
	for _, w := range m.Warnings() {
		warned = warned || errors.Is(w, ppca.ErrClippedEigenvalue)
	}
	if !warned {
		t.Error("no warning of a negative eigenvalue of 2.5e-10 of the largest")
	}
	// Asymmetry within 1e-8 is rounding.
	if _, err := ppca.FitGram(ctx, mat.NewDense(2, 2, []float64{1, 0.5, 0.5 + 1e-10, 1}), ppca.Config{Latent: 1}); err != nil {
		t.Errorf("asymmetry of 1e-10: %v", err)
	}
}

// What is refused of a fitted model.
func TestModelErrors(t *testing.T) {
	x := gaussian(8, 3, 3)
	m, p := dual(t, x, rbf, ppca.Config{Latent: 2}), primal(t, x, ppca.Config{Latent: 2})
	quiet, full := dual(t, x, rbf, ppca.Config{Latent: 2, Noiseless: true}), primal(t, x, ppca.Config{Latent: 3})
	flat, flatP := dual(t, x, rbf, ppca.Config{Isotropic: true}), primal(t, x, ppca.Config{Isotropic: true})
	g := must[*ppca.DualModel](t)(ppca.FitGram(ctx, centred(t, x, rbf), ppca.Config{Latent: 2}))
	lead := dual(t, gaussian(60, 3, 3), rbf, ppca.Config{Latent: 2, Solver: ppca.Leading})
	kc, self := rowsOf(t, m, x)
	narrow, nan := mat.NewDense(1, 2, nil), mat.NewDense(1, 8, nil)
	nan.Set(0, 5, math.NaN())
	for _, tc := range []struct {
		name string
		err  error
		want error
		text string
	}{
		{"Transform, width", second(m.Transform(ctx, narrow)), gram.ErrShape, "z is 1×2, want 3 columns"},
		{"primal Transform, width", second(p.Transform(narrow)), gram.ErrShape, "x is 1×2, want 3 columns"},
		{"primal Transform, NaN", second(p.Transform(with(x, 2, 1, math.NaN()))), gram.ErrNotFinite, "x[2,1] is NaN"},
		{"primal Transform, overflow", second(p.Transform(with(x, 2, 1, 1e300))), gram.ErrNotFinite, "row 2"},
		{"Transform, Inf", second(m.Transform(ctx, with(x, 2, 1, math.Inf(1)))), gram.ErrNotFinite, "z[2,1] is +Inf"},
		{"Transform, nil", second(m.Transform(ctx, nil)), gram.ErrShape, "nil"},
		{"Transform, no kernel", second(g.Transform(ctx, x)), ppca.ErrNoKernel, "CentreRows"},
		{"TransformRows, width", second(m.TransformRows(narrow)), gram.ErrShape, "kc is 1×2, want 8"},
		{"TransformRows, NaN", second(m.TransformRows(nan)), gram.ErrNotFinite, "kc[0,5] is NaN"},
		{"Reconstruct", second(m.Reconstruct(narrow)), gram.ErrShape, "8 columns"},
		{"Project", second(m.Project(nan)), gram.ErrNotFinite, "kc[0,5]"},
		{"CentreRows", second(g.CentreRows(narrow)), gram.ErrShape, "k is 1×2, want 8"},
		{"SquaredNorms", secondOf(g.SquaredNorms(kc, self[:3])), gram.ErrShape, "3 values, want 8"},
		{"RowsGiven", second(m.RowsGiven(mat.NewDense(1, 3, nil))), gram.ErrShape, "h is 1×3, want 2"},
		{"Decode", second(p.Decode(mat.NewDense(1, 3, nil))), gram.ErrShape, "h is 1×3, want 2"},
		{"SampleGiven", second(m.SampleGiven(nan, nil)), gram.ErrNotFinite, "h[0,5]"},
		{"no samples", second(m.Sample(0, nil)), gram.ErrShape, "samples is 0"},
		{"no primal samples", second(p.Sample(-1, nil)), gram.ErrShape, "samples is -1"},
		{"no latents", second(m.SampleLatent(0, nil)), gram.ErrShape, "samples is 0"},
		{"latent of q = 0", second(flat.Transform(ctx, x)), gram.ErrShape, "q = 0"},
		{"primal latent of q = 0", second(flatP.Transform(x)), gram.ErrShape, "q = 0"},
		{"sample of q = 0", second(flat.SampleLatent(1, nil)), gram.ErrShape, "q = 0"},
		{"root", second(m.SquareRoot(5)), ppca.ErrConfig, "root is 5"},
		{"density, σ² = 0", secondOf(quiet.LogDensity(ctx, x)), ppca.ErrSingular, "σ² is 0"},
		{"in-span density, σ² = 0", secondOf(quiet.InSpanLogDensity(ctx, x)), ppca.ErrSingular, "σ² is 0"},
		{"primal density, q = r", secondOf(full.LogDensity(x)), ppca.ErrSingular, "q = 3 and r = 3"},
		{"LL, σ² = 0", errorOf(quiet.LogLikelihood()), ppca.ErrSingular, "no density"},
		{"dual LL, σ² = 0", errorOf(quiet.DualLogLikelihood()), ppca.ErrSingular, "no density"},
		{"BIC, σ² = 0", errorOf(full.BIC()), ppca.ErrSingular, ""},
		{"density rows", secondOf(m.LogDensityRows(kc, self[:2])), gram.ErrShape, "kcSelf has 2 values, want 8"},
		{"partial Sample", second(lead.Sample(1, nil)), ppca.ErrPartial, "Solver: Full"},
		{"partial dual LL", errorOf(lead.DualLogLikelihood()), ppca.ErrPartial, "Solver: Full"},
		{"partial density", secondOf(lead.InSpanLogDensityRows(mat.NewDense(1, 60, nil))), ppca.ErrPartial, "Solver: Full"},
		{"WithLatent", func() error { _, err := m.WithLatent(8); return err }(), ppca.ErrConfig, "q is 8, want 0 to 7"},
		{"partial WithLatent", func() error { _, err := lead.WithLatent(9); return err }(), ppca.ErrPartial, "q = 9"},
		{"MLNoiseVariance", errorOf(m.MLNoiseVariance(-1)), ppca.ErrConfig, "q is -1, want 0 to the rank 7"},
		{"Candidates", func() error { _, err := p.Candidates(3, narrow); return err }(), gram.ErrShape, "z is 1×2"},
	} {
		refused(t, tc.name, tc.err, tc.want, tc.text)
	}
	// Sampling and reconstruction of a model without noise are fine.
	if _, err := quiet.Sample(1, nil); err != nil {
		t.Errorf("a sample at σ² = 0: %v", err)
	}
	// q = 0 has a mean to return to.
	if b := matrix(t)(flat.Reconstruct(kc)); mat.Norm(b, 2) != 0 {
		t.Errorf("q = 0 reconstructs %v", b)
	}
	near(t, "q = 0", matrix(t)(flatP.Reconstruct(x)).Slice(3, 4, 0, 3), mat.NewDense(1, 3, flatP.Mean()), 0)
	if must[gram.FeaturePoints](t)(flat.FeaturePoints(kc)).Scores != nil {
		t.Error("scores of q = 0")
	}
}

func second(_ *mat.Dense, err error) error  { return err }
func secondOf(_ []float64, err error) error { return err }
func errorOf(_ float64, err error) error    { return err }

// A cut between equal eigenvalues is fine and flagged.
func TestRepeatedEigenvalue(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{1, 0, 0, 1, -1, 0, 0, -1})
	for name, warnings := range map[string][]error{
		"primal": primal(t, x, ppca.Config{Latent: 1}).Warnings(),
		"dual":   dual(t, x, rbf, ppca.Config{Latent: 1}).Warnings(),
	} {
		if len(warnings) != 1 || !errors.Is(warnings[0], ppca.ErrRepeatedEigenvalue) || !strings.Contains(warnings[0].Error(), "not unique") {
			t.Errorf("%s: warnings %v", name, warnings)
		}
	}
	if w := primal(t, x, ppca.Config{Latent: 2}).Warnings(); len(w) != 0 {
		t.Errorf("q = r: warnings %v", w)
	}
}

func TestIterationErrors(t *testing.T) {
	x := gaussian(9, 3, 5)
	g := mul(x, x.T())
	holes := with(x, 1, 1, math.NaN())
	row, column := mat.DenseCopyOf(x), mat.DenseCopyOf(x)
	for j := range 3 {
		row.Set(4, j, math.NaN())
	}
	for i := range 9 {
		column.Set(i, 2, math.NaN())
	}
	em := func(k mat.Matrix, cfg ppca.EMConfig) error { _, err := ppca.FitEM(ctx, k, cfg); return err }
	missing := func(x mat.Matrix, cfg ppca.EMConfig) error { _, err := ppca.FitMissing(ctx, x, cfg); return err }
	mixture := func(x mat.Matrix, cfg ppca.MixtureConfig) error { _, err := ppca.FitMixture(ctx, x, cfg); return err }
	general := func(kc, a mat.Matrix, s float64, d int) error { _, err := ppca.NewGeneral(kc, a, s, d); return err }
	for _, tc := range []struct {
		name string
		err  error
		want error
		text string
	}{
		{"EM, q = 0", em(g, ppca.EMConfig{}), ppca.ErrConfig, "Latent is 0"},
		{"EM, q > N−1", em(g, ppca.EMConfig{Latent: 9}), ppca.ErrConfig, "want 1 to 8"},
		{"EM, D", em(g, ppca.EMConfig{Latent: 3, NoiseDim: 3}), ppca.ErrConfig, "noise dimension 3"},
		{"EM, tolerance", em(g, ppca.EMConfig{Latent: 1, Tol: math.NaN()}), ppca.ErrConfig, "Tol is NaN"},
		{"EM, limit", em(g, ppca.EMConfig{Latent: 1, MaxIter: -1}), ppca.ErrConfig, "MaxIter is -1"},
		{"EM, not square", em(x, ppca.EMConfig{Latent: 1}), gram.ErrShape, "9×3"},
		{"EM, no variance", em(mat.NewDense(3, 3, ones(9)), ppca.EMConfig{Latent: 1}), ppca.ErrNoVariance, ""},
		{"missing, nil", missing(nil, ppca.EMConfig{Latent: 1}), gram.ErrShape, "nil"},
		{"missing, empty", missing(&mat.Dense{}, ppca.EMConfig{Latent: 1}), gram.ErrShape, "x is 0×0"},
		{"missing, row", missing(row, ppca.EMConfig{Latent: 1}), ppca.ErrMissing, "row 4"},
		{"missing, column", missing(column, ppca.EMConfig{Latent: 1}), ppca.ErrMissing, "column 2"},
		{"missing, Inf", missing(with(holes, 3, 0, math.Inf(1)), ppca.EMConfig{Latent: 1}), gram.ErrNotFinite, "x[3,0] is +Inf"},
		{"missing, q", missing(holes, ppca.EMConfig{Latent: 3}), ppca.ErrConfig, "Latent is 3, want 1 to 2"},
		{"missing, D", missing(holes, ppca.EMConfig{Latent: 1, NoiseDim: 4}), ppca.ErrConfig, "NoiseDim"},
		{"missing, constant", missing(with(mat.NewDense(4, 3, ones(12)), 1, 1, math.NaN()), ppca.EMConfig{Latent: 1}), ppca.ErrNoVariance, ""},
		{"missing, exact plane", missing(with(mul(gaussian(9, 1, 1), gaussian(1, 3, 2)), 1, 1, math.NaN()), ppca.EMConfig{Latent: 2, MaxIter: 100000}), ppca.ErrDiverged, "noise variance"},
		{"mixture, NaN", mixture(holes, ppca.MixtureConfig{Components: 2, Latent: 1}), gram.ErrNotFinite, "x[1,1] is NaN"},
		{"mixture, K", mixture(x, ppca.MixtureConfig{Components: 10, Latent: 1}), ppca.ErrConfig, "Components is 10, want 1 to the 9 rows"},
		{"mixture, q", mixture(x, ppca.MixtureConfig{Components: 2, Latent: 3}), ppca.ErrConfig, "Latent is 3, want 1 to 2"},
		{"mixture, no q", mixture(x, ppca.MixtureConfig{Components: 2}), ppca.ErrConfig, "Isotropic"},
		{"mixture, floor", mixture(x, ppca.MixtureConfig{Components: 2, Latent: 1, Floor: -1}), ppca.ErrConfig, "Floor is -1"},
		{"mixture, overflow", mixture(scaled(1e200, x), ppca.MixtureConfig{Components: 2, Latent: 1}), gram.ErrNotFinite, "overflows"},
		{"mixture, constant", mixture(mat.NewDense(4, 3, ones(12)), ppca.MixtureConfig{Components: 2, Latent: 1}), ppca.ErrNoVariance, "4×3"},
		{"general, σ²", general(g, gaussian(9, 1, 1), 0, 9), ppca.ErrConfig, "noise variance is 0"},
		{"general, rows", general(g, x.T(), 1, 9), gram.ErrShape, "a is 3×9, want 9 rows"},
		{"general, D", general(g, x, 1, 2), ppca.ErrConfig, "dimension is 2"},
		{"likelihood, mean", errorOf(ppca.LogLikelihoodAt(x, ones(2), nil, 1)), gram.ErrShape, "mean has 2"},
		{"likelihood, W", errorOf(ppca.LogLikelihoodAt(x, ones(3), gaussian(2, 2, 1), 1)), gram.ErrShape, "w is 2×2"},
		{"likelihood, σ²", errorOf(ppca.LogLikelihoodAt(x, ones(3), nil, -1)), ppca.ErrConfig, "noise variance is -1"},
	} {
		refused(t, tc.name, tc.err, tc.want, tc.text)
	}
	m := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 1, Latent: 1}))
	refused(t, "mixture density", secondOf(m.LogDensity(with(x, 0, 0, 1e200))), gram.ErrNotFinite, "row 0")
	refused(t, "responsibilities", second(m.Responsibilities(gaussian(2, 2, 1))), gram.ErrShape, "z is 2×2")
	_, err := m.Model(1)
	refused(t, "component", err, ppca.ErrConfig, "component is 1, want 0 to 0")
	_, _, err = m.Sample(0, nil)
	refused(t, "samples", err, gram.ErrShape, "samples is 0")
}

// Arguments are neither changed nor kept.
func TestArgumentsAreLeftAlone(t *testing.T) {
	x := gaussian(8, 3, 7)
	before := mat.DenseCopyOf(x)
	m, l, p := dual(t, x, rbf, ppca.Config{Latent: 1}), dual(t, x, kernel.Linear{}, ppca.Config{Latent: 1}), primal(t, x, ppca.Config{Latent: 1})
	kc, _ := rowsOf(t, m, x)
	rows := mat.DenseCopyOf(kc)
	matrix(t)(m.Reconstruct(kc))
	must[gram.FeaturePoints](t)(m.FeaturePoints(kc))
	matrix(t)(p.Reconstruct(x))
	if !mat.Equal(x, before) || !mat.Equal(kc, rows) {
		t.Fatal("an argument was changed")
	}
	h, hl, hp := matrix(t)(m.Transform(ctx, before)), matrix(t)(l.Transform(ctx, before)), matrix(t)(p.Transform(before))
	x.Zero()
	m.TrainingRows().Zero()
	m.Eigenvectors().Zero()
	m.Eigenvalues()[0] = 0
	m.Centering().RowMeans[0] = 9
	p.Mean()[0] = 9
	if !mat.Equal(h, matrix(t)(m.Transform(ctx, before))) || !mat.Equal(hl, matrix(t)(l.Transform(ctx, before))) || !mat.Equal(hp, matrix(t)(p.Transform(before))) {
		t.Error("a model changed with what was given to it or taken from it")
	}
}

// TestScale fits data and kernels at both ends of the range of float64: each fit is refused in a
// sentence, or all that the model says is finite.
func TestScale(t *testing.T) {
	ctx := context.Background()
	x := gaussian(12, 3, 1)
	for _, size := range []float64{1e-300, 1e-160, 1e-80, 1e-60, 1e60, 1e80, 1e100, 1e153, 1e300} {
		var scaled mat.Dense
		scaled.Scale(size, x)
		for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Scaled{Factor: size, Kernel: kernel.Linear{}}, kernel.Scaled{Factor: size, Kernel: kernel.RBF{LengthScale: size}}} {
			m, err := ppca.FitDual(ctx, &scaled, k, ppca.Config{Latent: 1, Solver: ppca.Full})
			if err != nil {
				if !errors.Is(err, gram.ErrNotFinite) && !errors.Is(err, ppca.ErrNoVariance) {
					t.Errorf("%v on data of size %g: %v, want gram.ErrNotFinite or ErrNoVariance", k, size, err)
				}
				continue
			}
			covariance, err := m.Covariance()
			if err != nil {
				t.Fatal(err)
			}
			ll, err := m.DualLogLikelihood()
			if err != nil {
				t.Fatal(err)
			}
			h, err := m.Transform(ctx, &scaled)
			if err != nil {
				t.Fatal(err)
			}
			if v := mat.Sum(covariance) + ll + mat.Sum(h); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%v on data of size %g: covariance %g, likelihood %g, latents %g",
					k, size, mat.Sum(covariance), ll, mat.Sum(h))
			}
		}
	}
	if _, err := ppca.FitDual(ctx, x, kernel.Scaled{Factor: 1e308, Kernel: kernel.RBF{LengthScale: 1}}, ppca.Config{Latent: 1}); !errors.Is(err, gram.ErrNotFinite) {
		t.Errorf("a kernel of 1e308: %v, want gram.ErrNotFinite", err)
	}
	small := kernel.Scaled{Factor: 1e-34, Kernel: kernel.Linear{}}
	var far mat.Dense
	far.Apply(func(_, _ int, v float64) float64 { return v + 10 }, x)
	if _, err := ppca.FitDual(ctx, &far, small, ppca.Config{Latent: 1}); err != nil {
		t.Errorf("a linear kernel of weight 1e-34 on data with mean 10: %v", err)
	}
	if v, err := ppca.LogLikelihoodAt(mat.NewDense(1, 1, []float64{1e200}), []float64{0}, nil, 1); !errors.Is(err, gram.ErrNotFinite) {
		t.Errorf("LogLikelihoodAt of 1e200 = %v, %v, want gram.ErrNotFinite", v, err)
	}
	m, err := ppca.FitPrimal(x, ppca.Config{Latent: 1, NoiseVariance: 1e-300})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := m.LogDensity(mat.NewDense(1, 3, []float64{1e100, 0, 1e100})); !errors.Is(err, gram.ErrNotFinite) {
		t.Errorf("LogDensity far away = %v, %v, want gram.ErrNotFinite", d, err)
	}
}

// TestEvidenceOfPrescribedRank takes a rank below the true one, which leaves more variance for the noise than
// a kept axis has.
func TestEvidenceOfPrescribedRank(t *testing.T) {
	m, err := ppca.FitPrimal(gaussian(15, 4, 1), ppca.Config{Latent: 1, Rank: 2})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := m.Evidence(); !errors.Is(err, ppca.ErrRepeatedEigenvalue) {
		t.Errorf("Evidence = %v, %v, want ErrRepeatedEigenvalue", v, err)
	}
}

// TestMixtureCancelledAtTheEnd: a context that ends while the last step reports itself leaves a model or an
// error, not neither.
func TestMixtureCancelledAtTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m, err := ppca.FitMixture(ctx, gaussian(30, 3, 1), ppca.MixtureConfig{Components: 2, Latent: 1,
		Progress: func(ppca.MixtureStep) bool { cancel(); return false }})
	if m == nil && err == nil {
		t.Error("FitMixture returned neither a model nor an error")
	}
	if m, err := ppca.FitMixture(ctx, gaussian(30, 3, 1), ppca.MixtureConfig{Components: 2, Latent: 1}); m != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v, %v, want context.Canceled", m, err)
	}
}
