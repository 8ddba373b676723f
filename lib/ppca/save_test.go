package ppca_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/ppca"
)

func saved(t testing.TB, m interface{ Save(io.Writer) error }) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func loadDual(t testing.TB, data []byte) *ppca.DualModel {
	t.Helper()
	return must[*ppca.DualModel](t)(ppca.LoadDual(bytes.NewReader(data)))
}

// A loaded model gives the same bits.
func TestSaveAndLoadDual(t *testing.T) {
	x, z := gaussian(90, 3, 1), gaussian(5, 3, 2)
	for _, k := range kernels {
		for _, cfg := range []ppca.Config{{Latent: 3}, {Latent: 2, Uncentred: true, Noise: ppca.Samples}, {Latent: 2, Solver: ppca.Leading}, {Isotropic: true}, {Latent: 1, Noiseless: true}} {
			if _, err := ppca.FitDual(ctx, x, k, cfg); err != nil {
				t.Fatal(err)
			}
			m := dual(t, x, k, cfg)
			if cfg.Latent == 3 {
				m = must[*ppca.DualModel](t)(m.Rotated(rotation(3, 1)))
			}
			data := saved(t, m)
			back := loadDual(t, data)
			if !bytes.Equal(saved(t, back), data) {
				t.Errorf("%v: saving the loaded model gives another file", m)
			}
			if m.String() != back.String() || m.Complete() != back.Complete() || m.RankSource() != back.RankSource() || m.NoiseConvention() != back.NoiseConvention() {
				t.Errorf("saved %v, loaded %v", m, back)
			}
			kc, _ := rowsOf(t, m, z)
			a, b := must[gram.FeaturePoints](t)(m.FeaturePoints(kc)), must[gram.FeaturePoints](t)(back.FeaturePoints(kc))
			if !mat.Equal(a.Kernel, b.Kernel) || !mat.Equal(a.Coefficients, b.Coefficients) {
				t.Errorf("%v: the loaded model has other feature points", m)
			}
			if m.Latent() > 0 && !mat.Equal(matrix(t)(back.Transform(ctx, z)), matrix(t)(m.Transform(ctx, z))) {
				t.Errorf("%v: the loaded model has other latents", m)
			}
			if m.NoiseVariance() > 0 && number(t)(m.HeldOutLogLikelihood(ctx, z)) != number(t)(back.HeldOutLogLikelihood(ctx, z)) {
				t.Errorf("%v: the loaded model has another density", m)
			}
		}
	}
}

func TestSaveAndLoadPrimal(t *testing.T) {
	x, z := stretched(20, 4, 3), gaussian(5, 4, 4)
	missing := must[*ppca.MissingFit](t)(ppca.FitMissing(ctx, x, ppca.EMConfig{Latent: 2})).Model
	for _, m := range []*ppca.Model{
		primal(t, x, ppca.Config{Latent: 2}),
		must[*ppca.Model](t)(primal(t, x, ppca.Config{Latent: 2, Noise: ppca.Explicit(9), Uncentred: true}).Rotated(rotation(2, 1))),
		missing,
	} {
		data := saved(t, m)
		back := must[*ppca.Model](t)(ppca.LoadPrimal(bytes.NewReader(data)))
		if !bytes.Equal(saved(t, back), data) || m.String() != back.String() {
			t.Errorf("saved %v, loaded %v", m, back)
		}
		if !mat.Equal(matrix(t)(m.Transform(z)), matrix(t)(back.Transform(z))) || number(t)(m.LogLikelihood()) != number(t)(back.LogLikelihood()) ||
			!mat.Equal(m.Covariance(), back.Covariance()) {
			t.Errorf("%v: the loaded model is another", m)
		}
	}
}

func TestSaveWithoutKernel(t *testing.T) {
	x := toy(100, 5)
	g := must[*mat.SymDense](t)(gram.Compute(ctx, rbf, x))
	m := must[*ppca.DualModel](t)(ppca.FitGram(ctx, g, ppca.Config{Latent: 1, Solver: ppca.Leading}))
	back := loadDual(t, saved(t, m))
	_, err := back.Transform(ctx, x)
	refused(t, "Transform", err, ppca.ErrNoKernel, "")
	_, _, err = back.SampleLeading(ctx, 1, nil)
	refused(t, "SampleLeading", err, ppca.ErrNoKernel, "not saved")
	f := dual(t, x, kernel.Func{Name: "mine", F: kernel.Dot}, ppca.Config{Latent: 1})
	refused(t, "a function", f.Save(&bytes.Buffer{}), kernel.ErrEncoding, "not saved")
}

func TestLoadRefuses(t *testing.T) {
	m := must[*ppca.DualModel](t)(dual(t, gaussian(4, 2, 1), kernel.RBF{LengthScale: 1}, ppca.Config{Latent: 1}).Rotated(mat.NewDense(1, 1, []float64{-1})))
	good := string(saved(t, m))
	for name, tc := range map[string]struct{ old, new, text string }{
		"nothing":        {good, "", "EOF"},
		"other data":     {good, "[1, 2]", "array"},
		"half":           {good, good[:len(good)/2], ""},
		"two models":     {good, good + good, "more data"},
		"format":         {"eigenbook/ppca-dual", "eigenbook/kpca", `format is "eigenbook/kpca"`},
		"version":        {`"version":1`, `"version":2`, "version is 2"},
		"observations":   {`"observations":4`, `"observations":3`, ""},
		"no rows":        {`"observations":4`, `"observations":0`, "0 observations"},
		"negative":       {`"observations":4`, `"observations":-4`, "-4 observations"},
		"columns":        {`"columns":2`, `"columns":3`, "columns is 3"},
		"columns 0":      {`"columns":2`, `"columns":0`, "columns is 0"},
		"kernel":         {`"kernel":`, `"kernel":7,"x":`, "kernel"},
		"rank tolerance": {`"rank_tolerance":`, `"rank_tolerance":0,"x":`, "rank_tolerance"},
		"trace":          {`"trace":`, `"trace":-1,"x":`, "trace -1"},
		"eigenvalues":    {`"eigenvalues":[`, `"eigenvalues":[-9,`, "eigenvalues[0] is -9"},
		"ascending":      {`"eigenvalues":[`, `"eigenvalues":[0.1,`, "eigenvalues[1]"},
		"no eigenvalues": {`"eigenvalues":[`, `"eigenvalues":[],"x":[`, "0 eigenvalues"},
		"vectors":        {`"vectors":[`, `"vectors":[3,3,3,3],"x":[`, ""},
		"long vectors":   {`"vectors":[`, `"vectors":[3,3,3,3,3,3,3,3,3,3,3,3],"x":[`, "squared length"},
		"row means":      {`"row_means":[`, `"row_means":[1],"x":[`, "row_means"},
		"null":           {`"row_means":[`, `"row_means":null,"x":[`, "row_means"},
		"latent":         {`"latent":1`, `"latent":4`, "latent is 4"},
		"latent < 0":     {`"latent":1`, `"latent":-1`, "latent is -1"},
		"rank":           {`"numerical_rank":3`, `"numerical_rank":-3`, "numerical_rank is -3"},
		"D":              {`"noise_dim":3`, `"noise_dim":2`, "noise_dim is 2"},
		"σ² < 0":         {`"noise_variance":`, `"noise_variance":-1,"x":`, "noise_variance is -1"},
		"σ²":             {`"noise_variance":`, `"noise_variance":99,"x":`, "noise_variance is 99"},
		"rotation":       {`"rotation":[`, `"rotation":[1,`, "rotation has 2"},
	} {
		changed := strings.Replace(good, tc.old, tc.new, 1)
		if changed == good {
			t.Fatalf("%s: %q is not in the file %s", name, tc.old, good)
		}
		m, err := ppca.LoadDual(strings.NewReader(changed))
		if m != nil {
			t.Errorf("%s: a model beside an error", name)
		}
		refused(t, name, err, ppca.ErrFormat, tc.text)
	}
	_, err := ppca.LoadPrimal(strings.NewReader(good))
	refused(t, "a dual model as a primal one", err, ppca.ErrFormat, "")
}

// Whatever the file holds, loading returns an error or a model that works.
func FuzzLoad(f *testing.F) {
	x := gaussian(4, 2, 1)
	f.Add(saved(f, dual(f, x, kernel.RBF{LengthScale: 1}, ppca.Config{Latent: 1})))
	f.Add(saved(f, dual(f, x, kernel.Linear{}, ppca.Config{Isotropic: true, Uncentred: true})))
	f.Add(saved(f, primal(f, x, ppca.Config{Latent: 1})))
	f.Add(saved(f, must[*ppca.Mixture](f)(ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 2, Latent: 1}))))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := ppca.LoadMixture(bytes.NewReader(data)); err == nil {
			c := must[*ppca.Model](t)(m.Model(0))
			density := values(t)(m.LogDensity(mat.NewDense(1, c.Dim(), c.Mean())))
			if math.IsNaN(density[0]) {
				t.Errorf("the density of a mean is NaN for %s", data)
			}
			if _, _, err := m.Sample(3, nil); err != nil {
				t.Error(err)
			}
		} else if !errors.Is(err, ppca.ErrFormat) {
			t.Error(err)
		}
		if m, err := ppca.LoadDual(bytes.NewReader(data)); err == nil {
			zero := mat.NewDense(1, m.Observations(), nil)
			if _, err := m.FeaturePoints(zero); err != nil {
				t.Error(err)
			}
			// These may refuse, but must not panic.
			_, _ = m.LogLikelihood()
			_, _ = m.Sample(1, nil)
			if x := m.TrainingRows(); x != nil {
				_, _ = m.LogDensity(ctx, x)
			}
		} else if !errors.Is(err, ppca.ErrFormat) {
			t.Error(err)
		}
		if m, err := ppca.LoadPrimal(bytes.NewReader(data)); err == nil {
			if _, err := m.Reconstruct(mat.NewDense(1, m.Dim(), nil)); err != nil {
				t.Error(err)
			}
			_, _ = m.LogLikelihood()
			_, _ = m.Sample(1, nil)
		}
	})
}
