package ppca_test

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/dataset"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
	"eigenbook/lib/ppca"
)

// The seed-free toy: trace, eigenvalues and noise variances in the paper's convention as computed
// by an independent program, and how the two models' reconstructions merge as q grows.
func TestToy(t *testing.T) {
	x := dataset.DualPPCAToy()
	m := dual(t, x, rbf, ppca.Config{Isotropic: true, Noise: ppca.Samples, Solver: ppca.Full})
	close(t, "trace", m.Trace(), 31.62178339443738, 1e-13)
	for p, want := range []float64{19.38252859, 5.02474993, 3.50576711, 2.47857385, 0.62688272, 0.31436873} {
		close(t, "λ", m.Eigenvalues()[p], want, 1e-8)
	}
	smoother := must[*kpca.Smoother](t)(kpca.NewSmoother(x, kpca.SmootherConfig{}))
	for q, want := range map[int]struct{ noise, difference float64 }{
		1: {3.45742e-3, 0.0200}, 2: {2.07313e-3, 0.0199}, 3: {1.08443e-3, 0.0158},
		5: {1.82812e-4, 0.0035}, 10: {9.01061e-6, 0.0022}, 20: {4.18439e-8, 0.0001},
	} {
		if got := number(t)(m.MLNoiseVariance(q)); math.Abs(got/want.noise-1) > 1e-5 {
			t.Errorf("q = %d: σ² is %g, want %g", q, got, want.noise)
		}
		d := dual(t, x, rbf, ppca.Config{Latent: q, Rank: 43})
		kc, _ := rowsOf(t, d, x)
		image := func(rows *mat.Dense) *mat.Dense {
			return matrix(t)(smoother.PreImages(ctx, must[gram.FeaturePoints](t)(d.FeaturePoints(rows))))
		}
		var difference mat.Dense
		difference.Sub(image(matrix(t)(d.Reconstruct(kc))), image(matrix(t)(d.Project(kc))))
		if got := mat.Max(abs(&difference)); math.Abs(got-want.difference) > 6e-5 {
			t.Errorf("q = %d: reconstructions differ by %.5f, want %.4f", q, got, want.difference)
		}
	}
}

// σ² is the maximum of the likelihood for each noise dimension.
func TestNoiseIsMaximum(t *testing.T) {
	x := toy(12, 1)
	for _, noise := range []ppca.NoiseDimension{ppca.Range, ppca.Samples, ppca.Explicit(30)} {
		m := dual(t, x, rbf, ppca.Config{Latent: 2, Noise: noise})
		best := number(t)(m.LogLikelihood())
		for _, f := range []float64{0.5, 0.99, 1.01, 2} {
			other := dual(t, x, rbf, ppca.Config{Latent: 2, Noise: noise, NoiseVariance: f * m.NoiseVariance()})
			if ll := number(t)(other.LogLikelihood()); ll >= best {
				t.Errorf("%v: %g σ² has log-likelihood %.10g, not below %.10g", noise, f, ll, best)
			}
		}
	}
}

// Primal PPCA of Nyström features with all rows as landmarks is the dual model.
func TestNystrom(t *testing.T) {
	x, z := toy(20, 3), toy(4, 4)
	k := kernel.RBF{LengthScale: 1}
	ny := must[*gram.Nystrom](t)(gram.FitNystrom(ctx, k, x, gram.NystromConfig{Landmarks: 20}))
	p := primal(t, matrix(t)(ny.Features(ctx, x)), ppca.Config{Latent: 3, Noise: ppca.Explicit(20)})
	d := dual(t, x, k, ppca.Config{Latent: 3, Noise: ppca.Explicit(20)})
	close(t, "σ²", p.NoiseVariance(), d.NoiseVariance(), 1e-10)
	close(t, "LL", number(t)(p.LogLikelihood()), number(t)(d.LogLikelihood()), 1e-8)
	near(t, "hhᵀ", outer(matrix(t)(p.Transform(matrix(t)(ny.Features(ctx, z))))), outer(matrix(t)(d.Transform(ctx, z))), 1e-6)
}

// The bits do not depend on the number of processors.
func TestResultsRepeat(t *testing.T) {
	x := gaussian(300, 20, 5)
	run := func() []float64 {
		var out []float64
		for _, k := range []kernel.Kernel{kernel.RBF{LengthScale: 4}, kernel.Linear{}} {
			for _, solver := range []ppca.Solver{ppca.Full, ppca.Leading} {
				m := dual(t, x, k, ppca.Config{Latent: 3, Solver: solver})
				out = append(out, number(t)(m.LogLikelihood()), m.NoiseVariance())
				out = append(out, matrix(t)(m.Transform(ctx, x)).RawMatrix().Data...)
				rows, _, err := m.SampleLeading(ctx, 2, nil)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, rows.RawMatrix().Data...)
			}
		}
		p := primal(t, x, ppca.Config{Latent: 3})
		out = append(out, matrix(t)(p.Transform(x)).RawMatrix().Data...)
		mix := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 2, Latent: 2, Restarts: 1, MaxIter: 20}))
		return append(out, mix.Trace()...)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := run()
	runtime.GOMAXPROCS(4)
	for i, v := range run() {
		if v != one[i] {
			t.Fatalf("value %d is %v with four processors and %v with one", i, v, one[i])
		}
	}
}

// The table of candidates: held-out likelihood as of each model, and a choice that is not the
// largest q.
func TestCandidates(t *testing.T) {
	x := mul(gaussian(80, 2, 7), scaled(3, gaussian(2, 6, 8)))
	x.Add(x, gaussian(80, 6, 9))
	train, test := mat.DenseCopyOf(x.Slice(0, 60, 0, 6)), mat.DenseCopyOf(x.Slice(60, 80, 0, 6))
	p, d := primal(t, train, ppca.Config{Isotropic: true}), dual(t, train, kernel.Linear{}, ppca.Config{Latent: 3})
	table := must[[]ppca.Candidate](t)(p.Candidates(-1, test))
	other := must[[]ppca.Candidate](t)(d.Candidates(ctx, -1, test))
	if len(table) != 6 || len(other) != 6 {
		t.Fatalf("%d and %d candidates, want q = 0 to 5", len(table), len(other))
	}
	for q, c := range table {
		m := must[*ppca.Model](t)(p.WithLatent(q))
		close(t, "held out", c.HeldOut, number(t)(m.HeldOutLogLikelihood(test)), 1e-11)
		close(t, "dual held out", other[q].HeldOut, c.HeldOut, 1e-9)
		close(t, "BIC", c.BIC, number(t)(m.BIC()), 1e-12)
		close(t, "explained", c.ExplainedRatio, m.ExplainedRatio(), 1e-12)
		fresh := number(t)(primal(t, train, config(q)).LogLikelihood())
		close(t, "LL", c.LogLikelihood, fresh, 1e-12)
	}
	turned := must[*ppca.DualModel](t)(must[*ppca.DualModel](t)(d.Rotated(rotation(3, 1))).WithLatent(2))
	near(t, "WithLatent has R = I", turned.DualLoadings(), must[*ppca.DualModel](t)(d.WithLatent(2)).DualLoadings(), 0)
	if a, b := ppca.ByBIC(table).Latent, ppca.ByHeldOut(table).Latent; a != 2 || b < 2 || b == 5 {
		t.Errorf("q = %d by BIC and %d by held-out likelihood, want 2 and about 2", a, b)
	}
	if got := must[[]ppca.Candidate](t)(p.Candidates(2, nil)); len(got) != 3 || !math.IsNaN(got[0].HeldOut) {
		t.Errorf("limit 2 without held-out rows: %v", got)
	}
}

func config(q int) ppca.Config {
	if q == 0 {
		return ppca.Config{Isotropic: true}
	}
	return ppca.Config{Latent: q}
}

func TestSummaries(t *testing.T) {
	x := stretched(20, 4, 1)
	d, p := dual(t, x, rbf, ppca.Config{Latent: 2, Uncentred: true}), primal(t, x, ppca.Config{Latent: 2})
	m := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 2, Latent: 1}))
	for got, want := range map[string]string{
		strings.SplitAfter(d.String(), "D=20")[0]: "ppca.DualModel(RBF(ℓ=2), uncentred, N=20, q=2, D=20",
		p.String()[:27]:           "ppca.Model(N=20, d=4, q=2, ",
		m.String():                "ppca.Mixture(K=2, N=20, d=4, q=1)",
		ppca.Range.String():       "range",
		ppca.Samples.String():     "samples",
		ppca.Explicit(7).String(): "explicit(7)",
		ppca.Explicit(0).String(): "explicit(0)",
		ppca.Likelihood.String():  "likelihood",
		ppca.Estimator.String():   "estimator",
		ppca.Rule(5).String():     "Rule(5)",
		ppca.Auto.String():        "auto",
		ppca.Full.String():        "full",
		ppca.Leading.String():     "leading",
		ppca.Solver(8).String():   "Solver(8)",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	ratios := p.ExplainedRatios()
	close(t, "Σ ratios", ratios[0]+ratios[1]+ratios[2]+ratios[3], 1, 1e-12)
	close(t, "explained", p.ExplainedRatio(), ratios[0]+ratios[1], 1e-12)
}

// The likelihood does not choose a length scale: it only rises with it.
func TestLikelihoodRisesWithTheLengthScale(t *testing.T) {
	last := math.Inf(-1)
	for _, l := range []float64{1, 4, 16, 64, 256} {
		m, err := ppca.FitDual(t.Context(), dataset.DualPPCAToy(), kernel.RBF{LengthScale: l}, ppca.Config{Latent: 3})
		if err != nil {
			t.Fatal(err)
		}
		ll, err := m.LogLikelihood()
		if err != nil {
			t.Fatal(err)
		}
		if ll < last+1000 {
			t.Errorf("ℓ = %v: log-likelihood %v after %v", l, ll, last)
		}
		last = ll
	}
}
