package ppca_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/ppca"
)

// plane returns n rows in d dimensions about a plane, with noise of standard deviation 0.5, and a
// copy of which a quarter is missing: nothing in row 0, 3, 6 …, and no whole row or column.
func plane(n, d int, seed uint64) (x, holes *mat.Dense) {
	x = mul(gaussian(n, 2, seed), gaussian(2, d, seed+1))
	x.Add(x, scaled(0.5, gaussian(n, d, seed+2)))
	holes = mat.DenseCopyOf(x)
	rng := rand.New(rand.NewPCG(seed, 9))
	for i := range n {
		for j := range d {
			if i%3 > 0 && j != i%d && rng.Float64() < 0.375 {
				holes.Set(i, j, math.NaN())
			}
		}
	}
	return x, holes
}

func approx(t testing.TB, x mat.Matrix, k kernel.Kernel, cfg ppca.ApproxConfig) *ppca.MissingApprox {
	t.Helper()
	return must[*ppca.MissingApprox](t)(ppca.FitMissingApprox(ctx, x, k, cfg))
}

var (
	wide   = kernel.RBF{LengthScale: 3}
	matern = kernel.Matern{Nu: 1.5, LengthScale: 3}
	two    = ppca.ApproxConfig{Model: ppca.Config{Latent: 2}, Law: ppca.EMConfig{Latent: 2}}
)

// The conditional law is the Schur complement of the covariance.
func TestConditional(t *testing.T) {
	_, holes := plane(40, 5, 1)
	fit := must[*ppca.MissingFit](t)(ppca.FitMissing(ctx, holes, ppca.EMConfig{Latent: 2}))
	for name, m := range map[string]*ppca.Model{
		"q = 2": fit.Model, "q = 0": primal(t, stretched(20, 5, 2), ppca.Config{Isotropic: true}),
		"turned": must[*ppca.Model](t)(primal(t, stretched(20, 5, 3), ppca.Config{Latent: 3}).Rotated(rotation(3, 1))),
	} {
		for _, missing := range [][]int{{0}, {1, 4}, {0, 2, 3, 4}} {
			z := []float64{1, -2, 3, 0.5, 2}
			var observed []int
			for j := range 5 {
				observed = append(observed, j)
			}
			for a, j := range missing {
				z[j] = math.NaN()
				observed = append(observed[:j-a], observed[j-a+1:]...)
			}
			pick := func(rows, cols []int) *mat.Dense {
				out := mat.NewDense(len(rows), len(cols), nil)
				for a, i := range rows {
					for b, j := range cols {
						out.Set(a, b, m.Covariance().At(i, j))
					}
				}
				return out
			}
			var gain mat.Dense // C_oo⁻¹ C_ou
			if err := gain.Solve(pick(observed, observed), pick(observed, missing)); err != nil {
				t.Fatal(err)
			}
			var want mat.Dense
			want.Sub(pick(missing, missing), mul(pick(missing, observed), &gain))
			rest := mat.NewVecDense(len(observed), nil)
			for a, j := range observed {
				rest.SetVec(a, z[j]-m.Mean()[j])
			}
			mean := mul(gain.T(), rest)
			for a, j := range missing {
				mean.Set(a, 0, mean.At(a, 0)+m.Mean()[j])
			}
			at, gotMean, gotCov, err := m.Conditional(z)
			if err != nil || len(at) != len(missing) {
				t.Fatalf("%s: missing %v, error %v", name, at, err)
			}
			near(t, name+": mean", vector(gotMean), mean, 1e-11)
			near(t, name+": cov", gotCov, &want, 1e-11)
		}
	}
	nan := math.NaN()
	at, mean, cov, err := fit.Model.Conditional([]float64{nan, nan, nan, nan, nan})
	if err != nil || len(at) != 5 {
		t.Fatal(at, err)
	}
	near(t, "mean of nothing observed", vector(mean), vector(fit.Model.Mean()), 0)
	near(t, "cov of nothing observed", cov, fit.Model.Covariance(), 1e-12)
	if at, mean, cov, err := fit.Model.Conditional(make([]float64, 5)); at != nil || mean != nil || cov != nil || err != nil {
		t.Errorf("nothing missing: %v, %v, %v, %v", at, mean, cov, err)
	}
	for i := range 40 {
		at, mean, _, err := fit.Model.Conditional(holes.RawRowView(i))
		if err != nil {
			t.Fatal(err)
		}
		for a, j := range at {
			close(t, "imputed", fit.Imputed.At(i, j), mean[a], 1e-10)
		}
	}
	conditional := func(m *ppca.Model, z ...float64) error { _, _, _, err := m.Conditional(z); return err }
	refused(t, "length", conditional(fit.Model, 1, 2), gram.ErrShape, "2 entries, want 5")
	refused(t, "Inf", conditional(fit.Model, 1, 2, 3, math.Inf(-1), nan), gram.ErrNotFinite, "z[3] is -Inf")
	refused(t, "σ² = 0", conditional(primal(t, stretched(20, 2, 2), ppca.Config{Latent: 1, Noiseless: true}), nan, 1), ppca.ErrSingular, "")
	refused(t, "D < d", conditional(primal(t, stretched(3, 4, 2), ppca.Config{Latent: 1}), nan, 1, 1, 1), ppca.ErrConfig, "noise dimension is 2")
}

// Without missing entries the result is FitDual's, and says nothing of an approximation.
func TestMissingApproxOfCompleteData(t *testing.T) {
	x, _ := plane(30, 4, 3)
	z := gaussian(5, 4, 4)
	for _, k := range []kernel.Kernel{wide, matern, kernel.Linear{}, kernel.Polynomial{Degree: 2, Scale: 1, Offset: 1},
		kernel.Sum{Kernels: []kernel.Kernel{kernel.Scaled{Factor: 0.1, Kernel: kernel.Linear{}}, wide}}} {
		for _, uncentred := range []bool{false, true} {
			cfg := two
			cfg.Model.Uncentred = uncentred
			want := dual(t, x, k, cfg.Model)
			fit := approx(t, x, k, cfg)
			got := fit.Model
			lambda := want.Eigenvalues() // the linear kernel's are d, the others zero
			near(t, "λ", vector(got.Eigenvalues()[:len(lambda)]), vector(lambda), 1e-12)
			close(t, "σ²", got.NoiseVariance()/want.NoiseVariance(), 1, 1e-10)
			if got.Rank() != want.Rank() || len(got.Warnings()) != 0 || fit.Law.Missing != 0 {
				t.Errorf("%v: rank %d, want %d; warnings %v", k, got.Rank(), want.Rank(), got.Warnings())
			}
			kc, self, err := fit.Rows(ctx, z)
			if err != nil {
				t.Fatal(err)
			}
			wantRows, wantSelf := rowsOf(t, want, z)
			near(t, "rows", kc, wantRows, 1e-11)
			near(t, "norms", vector(self), vector(wantSelf), 1e-11)
			near(t, "latents", matrix(t)(got.TransformRows(kc)), matrix(t)(want.Transform(ctx, z)), 1e-8)
		}
	}
}

// The expected RBF kernel, with one entry missing in each of two rows, is a double integral.
func TestExpectedRBFByQuadrature(t *testing.T) {
	x, _ := plane(20, 4, 5)
	x.Set(3, 1, math.NaN())
	x.Set(7, 1, math.NaN())
	x.Set(9, 2, math.NaN())
	fit := approx(t, x, rbf, two)
	const steps, reach = 160, 8.0
	law := func(i int) (points, weights []float64, at int) {
		missing, mean, cov, err := fit.Law.Model.Conditional(x.RawRowView(i))
		if err != nil {
			t.Fatal(err)
		}
		for s := range steps + 1 {
			u := reach * (2*float64(s)/steps - 1)
			points = append(points, mean[0]+u*math.Sqrt(cov.At(0, 0)))
			weights = append(weights, math.Exp(-u*u/2)/math.Sqrt(2*math.Pi)*2*reach/steps)
		}
		return points, weights, missing[0]
	}
	for _, pair := range [][2]int{{3, 7}, {3, 9}, {3, 4}} {
		a, b := x.RawRowView(pair[0]), x.RawRowView(pair[1])
		a, b = append([]float64(nil), a...), append([]float64(nil), b...)
		pa, wa, ja := law(pair[0])
		pb, wb, jb := []float64{b[0]}, []float64{1}, 0
		if pair[1] != 4 {
			pb, wb, jb = law(pair[1])
		}
		want := 0.0
		for s := range pa {
			for r := range pb {
				a[ja], b[jb] = pa[s], pb[r]
				want += wa[s] * wb[r] * rbf.Eval(a, b)
			}
		}
		close(t, "E k", fit.Expected.At(pair[0], pair[1]), want, 1e-12)
		close(t, "E k", fit.Expected.At(pair[1], pair[0]), want, 1e-12)
	}
	close(t, "complete pair", fit.Expected.At(0, 1), rbf.Eval(x.RawRowView(0), x.RawRowView(1)), 1e-14)
	close(t, "diagonal", fit.Expected.At(3, 3), 1, 0)
}

// Several entries missing, and sums and multiples of kernels: by Monte Carlo, within five standard
// errors, which are known.
func TestExpectedKernelByMonteCarlo(t *testing.T) {
	_, holes := plane(12, 6, 7)
	k := kernel.Sum{Kernels: []kernel.Kernel{wide, kernel.Scaled{Factor: 0.05, Kernel: kernel.Linear{}}}}
	fit := approx(t, holes, k, two)
	if fit.Draws != 0 {
		t.Fatalf("%d draws for a closed form", fit.Draws)
	}
	rng := rand.New(rand.NewPCG(1, 3))
	sampler := func(i int) func() []float64 {
		row := append([]float64(nil), holes.RawRowView(i)...)
		at, mean, cov, err := fit.Law.Model.Conditional(row)
		if err != nil {
			t.Fatal(err)
		}
		if at == nil {
			return func() []float64 { return row }
		}
		var chol mat.Cholesky
		chol.Factorize(cov)
		var l mat.TriDense
		chol.LTo(&l)
		return func() []float64 {
			z := mat.NewVecDense(len(at), nil)
			for a := range at {
				z.SetVec(a, rng.NormFloat64())
			}
			z.MulVec(&l, z)
			for a, j := range at {
				row[j] = mean[a] + z.AtVec(a)
			}
			return row
		}
	}
	const draws = 40000
	for _, pair := range [][2]int{{1, 2}, {4, 5}, {7, 1}, {2, 3}, {4, 4}, {2, 2}} {
		x, y := sampler(pair[0]), sampler(pair[1])
		sum, squares := 0.0, 0.0
		for range draws {
			a := x()
			b := a
			if pair[0] != pair[1] {
				b = y()
			}
			v := k.Eval(a, b)
			sum += v
			squares += v * v
		}
		mean := sum / draws
		deviation := math.Sqrt((squares/draws - mean*mean) / draws)
		if got := fit.Expected.At(pair[0], pair[1]); !(math.Abs(got-mean) <= 5*deviation) || deviation == 0 {
			t.Errorf("E k of rows %v is %.6g, by Monte Carlo %.6g ± %.2g", pair, got, mean, deviation)
		}
	}
}

// Drawn data sets come to the closed form as 1/√draws, for training and for new rows, which are
// drawn independently of each other.
func TestExpectedKernelByDraws(t *testing.T) {
	_, holes := plane(24, 5, 8)
	_, z := plane(6, 5, 9)
	z.SetRow(4, holes.RawRowView(4)) // independent of training row 4 all the same
	closed := approx(t, holes, wide, two)
	cfg := two
	cfg.Draws = 400
	cfg.Src = rand.NewPCG(5, 6)
	drawn := approx(t, holes, kernel.Product{Kernels: []kernel.Kernel{wide}}, cfg)
	if drawn.Draws != 400 || closed.Draws != 0 {
		t.Errorf("%d and %d draws, want 400 and 0", drawn.Draws, closed.Draws)
	}
	rms := func(a, b mat.Matrix) float64 {
		var diff mat.Dense
		diff.Sub(a, b)
		r, c := diff.Dims()
		return mat.Norm(&diff, 2) / math.Sqrt(float64(r*c))
	}
	// A kernel value lies in [0, 1], so its standard deviation is at most 1/2; here it is below 0.2.
	if off := rms(drawn.Expected, closed.Expected); off > 0.2/20 || off == 0 {
		t.Errorf("E K of 400 draws is off by %.3g rms, want up to 0.01", off)
	}
	a, selfA, err := drawn.Rows(ctx, z)
	if err != nil {
		t.Fatal(err)
	}
	b, selfB, err := closed.Rows(ctx, z)
	if err != nil {
		t.Fatal(err)
	}
	if off := rms(a, b); off > 0.2/20 {
		t.Errorf("rows of 400 draws are off by %.3g rms, want up to 0.01", off)
	}
	near(t, "norms", vector(selfA), vector(selfB), 0.05)
	again := approx(t, holes, kernel.Product{Kernels: []kernel.Kernel{wide}}, ppca.ApproxConfig{Model: cfg.Model, Law: cfg.Law, Draws: 400, Src: rand.NewPCG(5, 6)})
	if !mat.Equal(again.Expected, drawn.Expected) {
		t.Error("two equal calls give two results")
	}
}

// What any expected kernel must be: positive semi-definite, with complete training rows having the
// same kernel rows as new points, and a row's result the same in any batch.
func TestMissingApproxRows(t *testing.T) {
	_, holes := plane(24, 5, 10)
	_, z := plane(4, 5, 11)
	for _, k := range []kernel.Kernel{wide, matern, kernel.Polynomial{Degree: 3, Scale: 0.1, Offset: 1}} {
		fit := approx(t, holes, k, two)
		var eig mat.EigenSym
		if !eig.Factorize(fit.Expected, false) {
			t.Fatal("no eigenvalues")
		}
		v := eig.Values(nil)
		if v[0] < -1e-12*v[len(v)-1] {
			t.Errorf("%v: E K has the eigenvalue %g", k, v[0])
		}
		complete := mat.NewDense(8, 5, nil)
		want := mat.NewDense(8, 24, nil)
		kc := mat.NewSymDense(24, nil)
		kc.CopySym(fit.Expected)
		gram.Center(kc)
		for i := range 8 {
			complete.SetRow(i, holes.RawRowView(3*i))
			want.SetRow(i, mat.Row(nil, 3*i, kc))
		}
		rows, self, err := fit.Rows(ctx, complete)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "rows of training points", rows, want, 1e-12)
		for i, v := range self {
			close(t, "norm of a training point", v, kc.At(3*i, 3*i), 1e-12)
		}
		all, norms, err := fit.Rows(ctx, z)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			one, norm, err := fit.Rows(ctx, z.Slice(i, i+1, 0, 5))
			if err != nil {
				t.Fatal(err)
			}
			near(t, "row alone", one, all.Slice(i, i+1, 0, 24), 1e-13)
			close(t, "norm alone", norm[0], norms[i], 1e-13)
		}
		if fit.Model.NoiseVariance() > 0 {
			density := values(t)(fit.Model.LogDensityRows(all, norms))
			if math.IsNaN(density[0]) {
				t.Error("the density is NaN")
			}
		}
	}
}

// Given the law, no estimate of a kernel value has a smaller mean square error than its
// expectation: not the kernel of the imputed rows, and not that of column means.
func TestExpectedKernelIsBest(t *testing.T) {
	x, holes := plane(150, 6, 12)
	fit := approx(t, holes, rbf, two)
	truth := must[*mat.SymDense](t)(gram.Compute(ctx, rbf, x))
	imputed := must[*mat.SymDense](t)(gram.Compute(ctx, rbf, fit.Law.Imputed))
	filled := mat.DenseCopyOf(holes)
	for j := range 6 {
		sum, count := 0.0, 0.0
		for i := range 150 {
			if v := holes.At(i, j); !math.IsNaN(v) {
				sum += v
				count++
			}
		}
		for i := range 150 {
			if math.IsNaN(holes.At(i, j)) {
				filled.Set(i, j, sum/count)
			}
		}
	}
	columns := must[*mat.SymDense](t)(gram.Compute(ctx, rbf, filled))
	off := func(k mat.Matrix) float64 {
		var diff mat.Dense
		diff.Sub(k, truth)
		return mat.Norm(&diff, 2)
	}
	e, i, c := off(fit.Expected), off(imputed), off(columns)
	if !(e < 0.95*i && i < 0.8*c) {
		t.Errorf("‖K̃ − K‖ is %.3g for the expected kernel, %.3g at the imputed rows, %.3g at column means; want them far from each other in this order", e, i, c)
	}
}

// The label of an approximation stays with the model, and the rank counts uncertain rows apart.
func TestApproximationIsLabelled(t *testing.T) {
	_, holes := plane(20, 4, 13)
	holes.SetRow(3, holes.RawRowView(0)) // complete and equal
	holes.SetRow(4, holes.RawRowView(1)) // equal but for what is missing
	fit := approx(t, holes, wide, two)
	if fit.Model.Rank() != 18 || fit.Model.RankSource() != "structural" {
		t.Errorf("rank is %d, %s, want 18, structural", fit.Model.Rank(), fit.Model.RankSource())
	}
	m := fit.Model
	back := loadDual(t, saved(t, m))
	one := must[*ppca.DualModel](t)(m.WithLatent(1))
	turned := must[*ppca.DualModel](t)(m.Rotated(rotation(2, 1)))
	for name, m := range map[string]*ppca.DualModel{"fitted": m, "loaded": back, "q = 1": one, "turned": turned} {
		if w := m.Warnings(); len(w) != 1 || !errors.Is(w[0], ppca.ErrApproximate) {
			t.Errorf("%s: warnings %v, want one of an approximation", name, w)
		}
		if got := m.String()[:37]; got != "ppca.DualModel(expected kernel, N=20," {
			t.Errorf("%s: %v", name, m)
		}
	}
	if fit.Law.Missing == 0 {
		t.Error("nothing is missing")
	}
	_, err := m.Transform(ctx, holes)
	refused(t, "Transform", err, ppca.ErrNoKernel, "")
	large, _, err := m.SampleLeading(ctx, 2, nil)
	if err != nil || large == nil {
		t.Errorf("SampleLeading: %v", err)
	}
	changed := bytes.Replace(saved(t, m), []byte(`"missing_entries":`), []byte(`"missing_entries":-1,"x":`), 1)
	_, err = ppca.LoadDual(bytes.NewReader(changed))
	refused(t, "missing < 0", err, ppca.ErrFormat, "missing_entries is -1")
}

func TestMissingApproxErrors(t *testing.T) {
	_, holes := plane(20, 4, 14)
	fit := func(x mat.Matrix, k kernel.Kernel, change func(*ppca.ApproxConfig)) error {
		cfg := two
		if change != nil {
			change(&cfg)
		}
		a, err := ppca.FitMissingApprox(ctx, x, k, cfg)
		if a != nil && err != nil {
			t.Error("a result beside an error")
		}
		return err
	}
	bad := kernel.Func{Name: "bad", F: func(x, y []float64) float64 { return math.Log(x[0] * y[0]) }}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, late := ppca.FitMissingApprox(cancelled, holes, wide, two)
	good := approx(t, holes, wide, two)
	rows := func(z mat.Matrix) error { _, _, err := good.Rows(ctx, z); return err }
	_, _, lateRows := good.Rows(cancelled, holes)
	for _, tc := range []struct {
		name string
		err  error
		want error
		text string
	}{
		{"no model", fit(holes, wide, func(c *ppca.ApproxConfig) { c.Model = ppca.Config{} }), ppca.ErrConfig, "neither"},
		{"no law", fit(holes, wide, func(c *ppca.ApproxConfig) { c.Law = ppca.EMConfig{} }), ppca.ErrConfig, "Latent is 0"},
		{"draws", fit(holes, wide, func(c *ppca.ApproxConfig) { c.Draws = -1 }), ppca.ErrConfig, "Draws is -1"},
		{"nil kernel", fit(holes, nil, nil), kernel.ErrParameter, "nil"},
		{"length scale", fit(holes, kernel.RBF{}, nil), kernel.ErrParameter, "LengthScale"},
		{"rank", fit(holes, wide, func(c *ppca.ApproxConfig) { c.Model.Latent = 20 }), ppca.ErrConfig, "rank r = 19"},
		{"Inf", fit(with(holes, 1, 2, math.Inf(1)), wide, nil), gram.ErrNotFinite, "x[1,2] is +Inf"},
		{"nil", fit(nil, wide, nil), gram.ErrShape, "x is nil"},
		{"not finite", fit(holes, bad, nil), gram.ErrNotFinite, "data set 0"},
		{"too smooth", fit(holes, kernel.RBF{LengthScale: 1e200}, nil), ppca.ErrNoVariance, ""},
		{"cancelled", late, context.Canceled, ""},
		{"rows, width", rows(gaussian(2, 3, 1)), gram.ErrShape, "z is 2×3, want 4 columns"},
		{"rows, Inf", rows(with(gaussian(2, 4, 1), 1, 3, math.Inf(-1))), gram.ErrNotFinite, "z[1,3] is -Inf"},
		{"rows, nil", rows(nil), gram.ErrShape, "z is nil"},
		{"rows, cancelled", lateRows, context.Canceled, ""},
	} {
		refused(t, tc.name, tc.err, tc.want, tc.text)
	}
	// A length scale far below the data's makes all rows unlike each other, and no NaN.
	tiny := approx(t, holes, kernel.RBF{LengthScale: 1e-200}, ppca.ApproxConfig{Model: ppca.Config{Isotropic: true}, Law: two.Law})
	near(t, "E K", tiny.Expected, mat.NewDiagDense(20, ones(20)), 0)
	// New rows of complete training data may have missing entries, whatever the kernel.
	full, _ := plane(20, 4, 15)
	for _, k := range []kernel.Kernel{wide, matern} {
		kc, _, err := approx(t, full, k, two).Rows(ctx, holes)
		if err != nil || math.IsNaN(mat.Sum(kc)) {
			t.Errorf("%v: rows of new points with missing entries: %v", k, err)
		}
	}
}
