package ppca_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/ppca"
)

// rises asserts that a trace of log-likelihoods never falls.
func rises(t *testing.T, what string, trace []float64) {
	t.Helper()
	for i := 1; i < len(trace); i++ {
		if trace[i] < trace[i-1]-1e-9*math.Abs(trace[i]) {
			t.Errorf("%s: the log-likelihood falls from %.12g to %.12g at iteration %d", what, trace[i-1], trace[i], i)
		}
	}
}

// EM is monotone and comes to the closed form.
func TestFitEM(t *testing.T) {
	x := toy(12, 1)
	g := must[*mat.SymDense](t)(gram.Compute(ctx, rbf, x))
	for _, uncentred := range []bool{false, true} {
		want := must[*ppca.DualModel](t)(ppca.FitGram(ctx, g, ppca.Config{Latent: 2, Uncentred: uncentred}))
		got := must[*ppca.EMResult](t)(ppca.FitEM(ctx, g, ppca.EMConfig{Latent: 2, Uncentred: uncentred, Tol: 1e-14}))
		rises(t, "dual EM", got.Trace)
		close(t, "LL", got.Trace[len(got.Trace)-1], number(t)(want.LogLikelihood()), 1e-8)
		close(t, "σ²", got.NoiseVariance/want.NoiseVariance(), 1, 1e-5)
		kc := mat.DenseCopyOf(g)
		if !uncentred {
			kc = mat.DenseCopyOf(centred(t, x, rbf))
		}
		near(t, "K_cAAᵀK_c", outer(mul(kc, got.Loadings)), outer(mul(kc, want.DualLoadings())), 1e-4)
		if !got.Converged {
			t.Error("not converged")
		}
	}
	few := must[*ppca.EMResult](t)(ppca.FitEM(ctx, g, ppca.EMConfig{Latent: 2, MaxIter: 3}))
	if few.Converged || len(few.Trace) != 4 {
		t.Errorf("3 iterations: converged %v, trace of %d", few.Converged, len(few.Trace))
	}
	steps := 0
	stopped := must[*ppca.EMResult](t)(ppca.FitEM(ctx, g, ppca.EMConfig{Latent: 2, Progress: func(s ppca.Step) bool {
		steps++
		return s.Iteration < 5
	}}))
	if steps != 5 || len(stopped.Trace) != 6 || stopped.Converged {
		t.Errorf("stopped after %d steps with a trace of %d", steps, len(stopped.Trace))
	}
}

// Without missing entries, FitMissing is FitPrimal.
func TestFitMissingOfCompleteData(t *testing.T) {
	x := stretched(40, 5, 3)
	want := primal(t, x, ppca.Config{Latent: 2, Noise: ppca.Explicit(5)})
	got := must[*ppca.MissingFit](t)(ppca.FitMissing(ctx, x, ppca.EMConfig{Latent: 2, Tol: 1e-14}))
	rises(t, "EM", got.Trace)
	close(t, "LL", number(t)(got.Model.LogLikelihood()), number(t)(want.LogLikelihood()), 1e-10)
	near(t, "mean", vector(got.Model.Mean()), vector(want.Mean()), 1e-8)
	near(t, "covariance", got.Model.Covariance(), want.Covariance(), 1e-5)
	near(t, "latents", outer(got.Latents), outer(matrix(t)(want.Transform(x))), 1e-5)
	near(t, "latents of the model", matrix(t)(got.Model.Transform(x)), got.Latents, 1e-9)
	if !mat.Equal(got.Imputed, x) || got.Missing != 0 || !got.Converged {
		t.Errorf("imputed entries without missing ones, %d missing, converged %v", got.Missing, got.Converged)
	}
	bic := number(t)(got.Model.BIC())
	close(t, "BIC", bic, number(t)(want.BIC()), 1e-9)
}

// With entries missing, the likelihood is that of the observed blocks, the imputed entries their
// conditional means, and both are much better than column means.
func TestFitMissing(t *testing.T) {
	const n, d = 120, 6
	truth := gaussian(n, 2, 5)
	x := mul(truth, scaled(2, gaussian(2, d, 6)))
	x.Add(x, scaled(0.1, gaussian(n, d, 7)))
	x.Apply(func(_, j int, v float64) float64 { return v + 10*float64(j) }, x)
	holes := mat.DenseCopyOf(x)
	rng := rand.New(rand.NewPCG(8, 8))
	for i := range n {
		for j := range d {
			if rng.Float64() < 0.25 && j != i%d {
				holes.Set(i, j, math.NaN())
			}
		}
	}
	fit := must[*ppca.MissingFit](t)(ppca.FitMissing(ctx, holes, ppca.EMConfig{Latent: 2}))
	rises(t, "EM", fit.Trace)
	if !fit.Converged || !fit.Model.Converged() {
		t.Error("not converged")
	}
	mean, cov := fit.Model.Mean(), fit.Model.Covariance()
	ll, squares, count := 0.0, 0.0, 0
	for i := range n {
		var o, h []int
		for j := range d {
			if math.IsNaN(holes.At(i, j)) {
				h = append(h, j)
			} else {
				o = append(o, j)
			}
		}
		c := mat.NewSymDense(len(o), nil)
		r, mo := mat.NewDense(1, len(o), nil), make([]float64, len(o))
		for a, ja := range o {
			r.Set(0, a, x.At(i, ja))
			mo[a] = mean[ja]
			for b, jb := range o {
				c.SetSym(a, b, cov.At(ja, jb))
			}
		}
		ll += normalLogDensity(t, r, mo, c)[0]
		floats.Sub(r.RawRowView(0), mo)
		var solved mat.VecDense
		if err := solved.SolveVec(c, r.RowView(0)); err != nil {
			t.Fatal(err)
		}
		for _, jh := range h {
			want := mean[jh]
			for b, jb := range o {
				want += cov.At(jh, jb) * solved.AtVec(b)
			}
			close(t, "imputed", fit.Imputed.At(i, jh), want, 1e-8)
			squares += math.Pow(fit.Imputed.At(i, jh)-x.At(i, jh), 2)
			count++
		}
	}
	close(t, "LL", number(t)(fit.Model.LogLikelihood()), ll, 1e-9)
	if rms := math.Sqrt(squares / float64(count)); rms > 0.5 || count != fit.Missing {
		t.Errorf("%d imputed entries are off by %.3g rms, want %d and below 0.5", count, rms, fit.Missing)
	}
	// The end is a maximum.
	shifted := must[*ppca.MissingFit](t)(ppca.FitMissing(ctx, holes, ppca.EMConfig{Latent: 2, Src: rand.NewPCG(9, 9), Tol: 1e-12}))
	close(t, "LL from another start", number(t)(shifted.Model.LogLikelihood()), ll, 1e-6)
}

// clusters returns three flat clusters and their labels.
func clusters(n int, seed uint64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x, labels := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		k := i % 3
		labels[i] = k
		row := []float64{0.2 * rng.NormFloat64(), 0.2 * rng.NormFloat64(), 0.2 * rng.NormFloat64()}
		row[k] += 2 * rng.NormFloat64()
		row[(k+1)%3] += 6
		x.SetRow(i, row)
	}
	return x, labels
}

func TestFitMixture(t *testing.T) {
	x, labels := clusters(240, 1)
	m := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 3, Latent: 1}))
	rises(t, "mixture", m.Trace())
	if !m.Converged() || m.Components() != 3 {
		t.Errorf("%v, converged %v", m, m.Converged())
	}
	close(t, "Σ π", floats.Sum(m.Weights()), 1, 1e-12)
	close(t, "LL", floats.Sum(values(t)(m.LogDensity(x))), m.LogLikelihood(), 1e-10)
	resp := matrix(t)(m.Responsibilities(x))
	of := map[int]int{}
	for i, label := range labels {
		row := resp.RawRowView(i)
		close(t, "Σ responsibilities", floats.Sum(row), 1, 1e-12)
		k := floats.MaxIdx(row)
		if before, ok := of[label]; ok && before != k {
			t.Errorf("row %d of cluster %d is in components %d and %d", i, label, before, k)
		}
		of[label] = k
	}
	// Density by hand, and components that keep their direction.
	var sum float64
	z := x.Slice(0, 1, 0, 3)
	for k := range 3 {
		c := must[*ppca.Model](t)(m.Model(k))
		sum += m.Weights()[k] * math.Exp(normalLogDensity(t, mat.DenseCopyOf(z), c.Mean(), c.Covariance())[0])
		close(t, "σ", math.Sqrt(c.NoiseVariance()), 0.2, 0.05)
	}
	close(t, "density", values(t)(m.LogDensity(z))[0], math.Log(sum), 1e-10)
	s, from, err := m.Sample(6000, rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range m.Weights() {
		part := 0
		for _, f := range from {
			if f == k {
				part++
			}
		}
		close(t, "share of samples", float64(part)/6000, w, 0.03)
	}
	close(t, "mean density of samples", floats.Sum(values(t)(m.LogDensity(s)))/6000, m.LogLikelihood()/240, 0.2)
	again := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 3, Latent: 1}))
	if !slices.Equal(again.Trace(), m.Trace()) {
		t.Error("two equal calls give two results")
	}
	if one := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 1, Latent: 1})); one.BIC() < m.BIC() {
		t.Errorf("BIC prefers one component: %g to %g", one.BIC(), m.BIC())
	}
}

// A mixture of one component is the model itself, offset and all; a spherical one has q = 0.
func TestMixtureOfOne(t *testing.T) {
	x := stretched(30, 4, 3)
	x.Apply(func(_, _ int, v float64) float64 { return v + 1e4 }, x)
	one := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 1, Latent: 2, Restarts: 1}))
	want := primal(t, x, ppca.Config{Latent: 2, Noise: ppca.Explicit(4)})
	close(t, "LL", one.LogLikelihood(), number(t)(want.LogLikelihood()), 1e-10)
	c := must[*ppca.Model](t)(one.Model(0))
	near(t, "covariance", c.Covariance(), want.Covariance(), 1e-10)
	near(t, "W", c.Loadings(), want.Loadings(), 1e-8)
	close(t, "BIC", one.BIC(), number(t)(want.BIC()), 1e-10)
	sphere := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 1, Isotropic: true}))
	close(t, "spherical LL", sphere.LogLikelihood(), number(t)(primal(t, x, ppca.Config{Isotropic: true}).LogLikelihood()), 1e-10)
}

// Repeated rows would make σ² of a component vanish; the floor holds it.
func TestMixtureFloor(t *testing.T) {
	x := gaussian(40, 3, 5)
	for i := range 20 {
		x.SetRow(i, []float64{9, 9, 9})
	}
	m := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 2, Latent: 1}))
	rises(t, "mixture", m.Trace())
	if v := m.LogLikelihood(); math.IsNaN(v) || math.IsInf(v, 0) {
		t.Errorf("LL is %v", v)
	}
	var centre mat.Dense
	centre.Sub(x, mul(mat.NewDense(40, 40, ones(1600)), scaled(1.0/40, x)))
	floor := 1e-6 * math.Pow(mat.Norm(&centre, 2), 2) / 120
	for k := range 2 {
		c := must[*ppca.Model](t)(m.Model(k))
		if c.NoiseVariance() < floor*(1-1e-9) || c.Spectrum()[0] < floor*(1-1e-9) {
			t.Errorf("component %d has σ² = %g and λ₁/N = %g, want at least %g", k, c.NoiseVariance(), c.Spectrum()[0], floor)
		}
	}
}

// Every iteration can be cancelled and stopped.
func TestCancellation(t *testing.T) {
	x, _ := clusters(60, 7)
	g := must[*mat.SymDense](t)(gram.Compute(ctx, rbf, x))
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for name, call := range map[string]func(c context.Context) error{
		"FitDual":    func(c context.Context) error { _, err := ppca.FitDual(c, x, rbf, ppca.Config{Latent: 1}); return err },
		"FitGram":    func(c context.Context) error { _, err := ppca.FitGram(c, g, ppca.Config{Latent: 1}); return err },
		"FitEM":      func(c context.Context) error { _, err := ppca.FitEM(c, g, ppca.EMConfig{Latent: 1}); return err },
		"FitMissing": func(c context.Context) error { _, err := ppca.FitMissing(c, x, ppca.EMConfig{Latent: 1}); return err },
		"FitMixture": func(c context.Context) error {
			_, err := ppca.FitMixture(c, x, ppca.MixtureConfig{Components: 2, Latent: 1})
			return err
		},
	} {
		if err := call(cancelled); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after cancellation: %v", name, err)
		}
	}
	var steps []ppca.MixtureStep
	m := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, gaussian(60, 3, 8), ppca.MixtureConfig{Components: 2, Latent: 1, Progress: func(s ppca.MixtureStep) bool {
		steps = append(steps, s)
		return len(steps) < 2
	}}))
	if len(steps) != 2 || m.Converged() {
		t.Errorf("stopped after %v, converged %v", steps, m.Converged())
	}
}
