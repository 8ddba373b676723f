package ppca_test

import (
	"encoding/json"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
	"eigenbook/lib/ppca"
)

// assertions has the comparison of each case of the reference.
var assertions = map[string]func(*testing.T, *fixture){
	"d01-linear-fit": func(t *testing.T, f *fixture) {
		x := dense(f.Input.X)
		m := f.model(t, nil)
		f.compare(t, "K", must[*mat.SymDense](t)(gram.Compute(ctx, m.Kernel(), x)))
		f.compare(t, "Kc", centred(t, x, m.Kernel()))
		f.spectrum(t, m)
		f.compare(t, "rank", m.Rank())
		f.compare(t, "sigma2", m.NoiseVariance())
		f.compare(t, "AAt", outer(m.DualLoadings()))
		f.compare(t, "total_variance", m.TotalVariance())
		f.compare(t, "explained_ratio", m.ExplainedRatio())
	},
	"d02-linear-marginal": func(t *testing.T, f *fixture) {
		m := primal(t, dense(f.Input.X), f.config())
		f.compare(t, "mean", m.Mean())
		f.compare(t, "WWt", outer(m.Loadings()))
		f.compare(t, "C", m.Covariance())
		ww, c := marginal(f.model(t, nil), dense(f.Input.X))
		f.compare(t, "WWt", ww)
		f.compare(t, "C", c)
	},
	"d03-linear-posterior": func(t *testing.T, f *fixture) {
		m, p := f.model(t, nil), primal(t, dense(f.Input.X), f.config())
		f.compare(t, "k", must[*mat.Dense](t)(gram.Cross(ctx, m.Kernel(), dense(f.Input.Z), dense(f.Input.X))))
		kc, _ := rowsOf(t, m, dense(f.Input.Z))
		f.compare(t, "kc", kc)
		f.compare(t, "abs_h", abs(matrix(t)(m.Transform(ctx, dense(f.Input.Z)))))
		f.compare(t, "abs_h", abs(matrix(t)(p.Transform(dense(f.Input.Z)))))
		f.compare(t, "post_var", []float64{m.PosteriorCovariance().At(0, 0)})
		f.compare(t, "post_var", []float64{p.PosteriorCovariance().At(0, 0)})
	},
	"d04-linear-map": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		kc, _ := rowsOf(t, m, dense(f.Input.Z))
		f.compare(t, "kc_map", matrix(t)(m.Reconstruct(kc)))
		f.compare(t, "x_map", matrix(t)(primal(t, dense(f.Input.X), f.config()).Reconstruct(dense(f.Input.Z))))
	},
	"d05-linear-loglik": func(t *testing.T, f *fixture) {
		m, p := f.model(t, nil), primal(t, dense(f.Input.X), f.config())
		f.compare(t, "loglik_primal", number(t)(m.LogLikelihood()))
		f.compare(t, "loglik_primal", number(t)(p.LogLikelihood()))
		f.compare(t, "loglik_dual", number(t)(m.DualLogLikelihood()))
		f.compare(t, "logdens", values(t)(m.LogDensity(ctx, dense(f.Input.Z))))
		f.compare(t, "logdens", values(t)(p.LogDensity(dense(f.Input.Z))))
	},
	"d06-rbf-fit": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		f.compare(t, "Kc", centred(t, dense(f.Input.X), m.Kernel()))
		f.spectrum(t, m)
		f.compare(t, "rank", m.Rank())
		f.compare(t, "sigma2_rank", m.NoiseVariance())
		f.compare(t, "AAt_rank", outer(m.DualLoadings()))
		s := f.model(t, func(c *ppca.Config) { c.Noise = ppca.Samples })
		f.compare(t, "sigma2_samples", s.NoiseVariance())
		f.compare(t, "AAt_samples", outer(s.DualLoadings()))
	},
	"d07-rbf-new-rows": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		kc, self := rowsOf(t, m, dense(f.Input.Z))
		f.compare(t, "kc", kc)
		f.compare(t, "kc_self", self)
		f.compare(t, "abs_h", abs(matrix(t)(m.TransformRows(kc))))
		f.compare(t, "kc_map", matrix(t)(m.Reconstruct(kc)))
		scores := matrix(t)(m.Scores(kc))
		f.compare(t, "abs_scores", abs(scores))
		every := matrix(t)(must[*ppca.DualModel](t)(m.WithLatent(m.Rank())).Scores(kc))
		kept, rest, outside := make([]float64, len(self)), make([]float64, len(self)), make([]float64, len(self))
		for i := range self {
			kept[i] = floats.Dot(scores.RawRowView(i), scores.RawRowView(i))
			rest[i] = floats.Dot(every.RawRowView(i), every.RawRowView(i)) - kept[i]
			outside[i] = self[i] - kept[i] - rest[i]
		}
		f.compare(t, "energy_kept", kept)
		f.compare(t, "energy_span_rest", rest)
		f.compare(t, "energy_outside", outside)
	},
	"d08-rbf-sampling": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		f.compare(t, "cov", must[*mat.SymDense](t)(m.Covariance()))
		b := matrix(t)(m.SquareRoot(ppca.SymmetricRoot))
		f.compare(t, "B_sym", b)
		f.compare(t, "sample", mat.Col(nil, 0, mul(b, vector(f.Input.Xi))))
		f.compare(t, "cov", outer(matrix(t)(m.SquareRoot(ppca.Canonical))))
	},
	"d09-rbf-conditional": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		f.compare(t, "mean", matrix(t)(m.RowsGiven(matrix(t)(m.Transform(ctx, dense(f.Input.Z))))))
		f.compare(t, "cov", must[*mat.SymDense](t)(m.CovarianceGiven()))
		f.compare(t, "root_sym", matrix(t)(m.SquareRootGiven(ppca.SymmetricRoot)))
	},
	"d10-kpca-limit": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		kc, _ := rowsOf(t, m, dense(f.Input.Z))
		f.compare(t, "abs_h", abs(matrix(t)(m.TransformRows(kc))))
		f.compare(t, "kc_map", matrix(t)(m.Reconstruct(kc)))
		f.compare(t, "cov", must[*mat.SymDense](t)(m.Covariance()))
		f.compare(t, "AAt", outer(m.DualLoadings()))
	},
	"d11-rbf-uncentred": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		f.spectrum(t, m)
		f.compare(t, "rank", m.Rank())
		f.compare(t, "sigma2", m.NoiseVariance())
		f.compare(t, "AAt", outer(m.DualLoadings()))
		f.compare(t, "cov", must[*mat.SymDense](t)(m.Covariance()))
		k, _ := rowsOf(t, m, dense(f.Input.Z))
		f.compare(t, "k_map", matrix(t)(m.Reconstruct(k)))
	},
	"d12-linear-uncentred": func(t *testing.T, f *fixture) {
		m, p := f.model(t, nil), primal(t, dense(f.Input.X), f.config())
		f.compare(t, "sigma2", m.NoiseVariance())
		f.compare(t, "rank", m.Rank())
		f.compare(t, "C", p.Covariance())
		_, c := marginal(m, dense(f.Input.X))
		f.compare(t, "C", c)
	},
	"d13-q-from-sigma2": func(t *testing.T, f *fixture) {
		var noise []float64
		if err := json.Unmarshal(f.Input.Sigma2, &noise); err != nil {
			t.Fatal(err)
		}
		m := f.model(t, func(c *ppca.Config) { c.Isotropic = true })
		var byQ []float64
		for q := range m.Rank() + 1 {
			byQ = append(byQ, number(t)(m.MLNoiseVariance(q)))
		}
		f.compare(t, "sigma2_ml_by_q", byQ)
		for name, rule := range map[string]ppca.Rule{"q_likelihood": ppca.Likelihood, "q_estimator": ppca.Estimator} {
			var qs []int
			for _, s := range noise {
				qs = append(qs, f.model(t, func(c *ppca.Config) { c.NoiseVariance, c.Rule = s, rule }).Latent())
			}
			f.compare(t, name, qs)
		}
	},
	"d14-full-rank": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		f.compare(t, "sigma2", m.NoiseVariance())
		for name, z := range map[string]*mat.Dense{"kc_map": dense(f.Input.Z), "kc_map_train": dense(f.Input.X)} {
			kc, _ := rowsOf(t, m, z)
			f.compare(t, name, matrix(t)(m.Reconstruct(kc)))
		}
	},
	"d15-wide": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		f.compare(t, "rank", m.Rank())
		f.compare(t, "sigma2_rank", m.NoiseVariance())
		f.compare(t, "sigma2_samples", f.model(t, func(c *ppca.Config) { c.Noise = ppca.Samples }).NoiseVariance())
		seven := func(c *ppca.Config) { c.Noise = ppca.Explicit(7) }
		wide := f.model(t, seven)
		f.compare(t, "sigma2_dim7", wide.NoiseVariance())
		f.compare(t, "loglik_dim7", number(t)(wide.LogLikelihood()))
		_, c := marginal(wide, dense(f.Input.X))
		f.compare(t, "C_dim7", c)
		cfg := f.config()
		seven(&cfg)
		p := primal(t, dense(f.Input.X), cfg)
		f.compare(t, "sigma2_dim7", p.NoiseVariance())
		f.compare(t, "loglik_dim7", number(t)(p.LogLikelihood()))
		f.compare(t, "C_dim7", p.Covariance())
	},
	"d16-duplicates": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		f.compare(t, "rank", m.Rank())
		f.spectrum(t, m)
		f.compare(t, "sigma2", m.NoiseVariance())
		f.compare(t, "cov", must[*mat.SymDense](t)(m.Covariance()))
	},
	"d17-equal-eigenvalues": func(t *testing.T, f *fixture) {
		m, p := f.model(t, nil), primal(t, dense(f.Input.X), f.config())
		f.spectrum(t, m)
		f.compare(t, "sigma2", m.NoiseVariance())
		f.compare(t, "C", p.Covariance())
		f.compare(t, "abs_h", abs(matrix(t)(m.Transform(ctx, dense(f.Input.Z)))))
		f.compare(t, "x_map", matrix(t)(p.Reconstruct(dense(f.Input.Z))))
	},
	"d18-poly":      mapOf,
	"d19-laplacian": mapOf,
	"d20-cosine":    mapOf,
	"d21-smoother": func(t *testing.T, f *fixture) {
		p, _ := f.points(t, f.model(t, nil))
		f.compare(t, "c", p.Coefficients)
		f.compare(t, "k_uncentred", p.Kernel)
		images(t, f, "x_smoother", must[*kpca.Smoother](t)(kpca.NewSmoother(dense(f.Input.X), kpca.SmootherConfig{})), p)
		images(t, f, "x_smoother_3nn", must[*kpca.Smoother](t)(kpca.NewSmoother(dense(f.Input.X), kpca.SmootherConfig{Nearest: 3})), p)
	},
	"d22-barycentre": func(t *testing.T, f *fixture) {
		p, _ := f.points(t, f.model(t, nil))
		images(t, f, "x_map", must[*kpca.Barycentre](t)(kpca.NewBarycentre(dense(f.Input.X))), p)
	},
	"d23-fixed-point": func(t *testing.T, f *fixture) {
		p, _ := f.points(t, f.model(t, nil))
		method := must[*kpca.FixedPoint](t)(kpca.NewFixedPoint(dense(f.Input.X), f.kernel(t),
			kpca.FixedPointConfig{Starts: 1, Tol: 1e-12, MaxIter: 100000}))
		images(t, f, "x", method, p)
	},
	"d24-ridge": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		training, _ := rowsOf(t, m, dense(f.Input.X))
		method := must[*kpca.Ridge](t)(kpca.NewRidge(ctx, dense(f.Input.X), matrix(t)(m.Scores(training)), f.kernel(t),
			kpca.RidgeConfig{Alpha: f.Input.Alpha}))
		kc, _ := rowsOf(t, m, dense(f.Input.Z))
		images(t, f, "x", method, must[gram.FeaturePoints](t)(m.FeaturePoints(kc)))
	},
	"d25-fixed-sigma2": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		f.compare(t, "AAt", outer(m.DualLoadings()))
		f.compare(t, "cov", must[*mat.SymDense](t)(m.Covariance()))
		f.compare(t, "loglik_primal", number(t)(m.LogLikelihood()))
		f.compare(t, "abs_h", abs(matrix(t)(m.Transform(ctx, dense(f.Input.Z)))))
	},
	"d26-two-points": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		f.compare(t, "rank", m.Rank())
		f.spectrum(t, m)
		f.compare(t, "sigma2", m.NoiseVariance())
		f.compare(t, "sigma2_q0", f.model(t, func(c *ppca.Config) { c.Latent, c.Isotropic = 0, true }).NoiseVariance())
	},
	"d27-loglik-by-q": func(t *testing.T, f *fixture) {
		var ll, bic []float64
		for _, c := range must[[]ppca.Candidate](t)(f.model(t, func(c *ppca.Config) { c.Isotropic = true }).Candidates(ctx, -1, nil)) {
			ll, bic = append(ll, c.LogLikelihood), append(bic, c.BIC)
		}
		f.compare(t, "loglik", ll)
		f.compare(t, "bic", bic)
	},
	"d28-training-latents": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		h := m.TrainingLatents()
		f.compare(t, "HHt", outer(h))
		second := scaled(1/float64(m.Observations()), mul(h.T(), h))
		second.Add(second, m.PosteriorCovariance())
		f.compare(t, "second_moment_plus_post", second)
	},
	"d29-large-offset": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		f.spectrum(t, m)
		f.compare(t, "sigma2", m.NoiseVariance())
		f.compare(t, "sigma2", primal(t, dense(f.Input.X), f.config()).NoiseVariance())
	},
	"d30-scale-1e-06": scale,
	"d30-scale-1e+06": scale,
	"d31-precomputed": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		k := must[*mat.SymDense](t)(gram.Precomputed(dense(f.Input.K)))
		gram.Center(k)
		f.compare(t, "Kc", k)
		f.spectrum(t, m)
		f.compare(t, "rank", m.Rank())
		f.compare(t, "sigma2", m.NoiseVariance())
		kc := matrix(t)(m.CentreRows(dense(f.Input.Row)))
		f.compare(t, "kc", kc)
		f.compare(t, "kc_map", matrix(t)(m.Reconstruct(kc)))
		f.compare(t, "cov", must[*mat.SymDense](t)(m.Covariance()))
	},
	"d32-nan": func(t *testing.T, f *fixture) { f.fitFails(t, gram.ErrNotFinite, "[0,1] is NaN") },
	"d33-q-too-large": func(t *testing.T, f *fixture) {
		f.fitFails(t, ppca.ErrConfig, "latent dimension exceeds the rank r = 3")
	},
	"d34-constant": func(t *testing.T, f *fixture) { f.fitFails(t, ppca.ErrNoVariance, "no variance") },
	"d35-sigma2-too-large": func(t *testing.T, f *fixture) {
		f.fitFails(t, ppca.ErrConfig, "noise variance above the q-th eigenvalue")
	},
	"d36-asymmetric": func(t *testing.T, f *fixture) { f.fitFails(t, gram.ErrNotSymmetric, "not symmetric") },
	"d37-indefinite": func(t *testing.T, f *fixture) { f.fitFails(t, gram.ErrNotPSD, "not positive semi-definite") },
	"d38-bad-sizes": func(t *testing.T, f *fixture) {
		_, err := f.model(t, nil).Transform(ctx, dense(f.Input.Z))
		f.fails(t, err, gram.ErrShape, "dimension mismatch: z is 1×2, want 3 columns")
	},
	"d39-bad-gamma": func(t *testing.T, f *fixture) {
		f.fitFails(t, kernel.ErrParameter, "LengthScale")
		for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
			_, err := ppca.FitDual(ctx, dense(f.Input.X), kernel.RBF{LengthScale: bad}, f.config())
			f.fails(t, err, kernel.ErrParameter, "LengthScale")
		}
	},
	"d40-density": func(t *testing.T, f *fixture) {
		m := f.model(t, nil)
		f.compare(t, "in_span", values(t)(m.InSpanLogDensity(ctx, dense(f.Input.Z))))
		f.compare(t, "full", values(t)(m.LogDensity(ctx, dense(f.Input.Z))))
	},
	"d41-general-A": func(t *testing.T, f *fixture) {
		var s float64
		if err := json.Unmarshal(f.Input.Sigma2, &s); err != nil {
			t.Fatal(err)
		}
		g := must[*ppca.General](t)(ppca.NewGeneral(centred(t, dense(f.Input.X), f.kernel(t)), dense(f.Input.A), s, 7))
		f.compare(t, "loglik_primal", g.LogLikelihood())
		f.compare(t, "post_cov", g.PosteriorCovariance())
		f.compare(t, "cov", g.Covariance())
	},
}
