package ppca_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/ppca"
)

// A loaded mixture gives the same bits, also where a component has collapsed to the floor or a
// column is constant.
func TestSaveAndLoadMixture(t *testing.T) {
	x, _ := clusters(90, 3)
	flat := mat.DenseCopyOf(x)
	for i := range 90 {
		flat.Set(i, 1, 7)
		if i < 40 {
			flat.SetRow(i, []float64{9, 7, 9})
		}
	}
	for _, tc := range []struct {
		x   *mat.Dense
		cfg ppca.MixtureConfig
	}{
		{x, ppca.MixtureConfig{Components: 3, Latent: 1}},
		{x, ppca.MixtureConfig{Components: 1, Latent: 2, MaxIter: 1}},
		{flat, ppca.MixtureConfig{Components: 2, Latent: 1}},
		{flat, ppca.MixtureConfig{Components: 2, Isotropic: true}},
	} {
		m := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, tc.x, tc.cfg))
		data := saved(t, m)
		back := must[*ppca.Mixture](t)(ppca.LoadMixture(bytes.NewReader(data)))
		if !bytes.Equal(saved(t, back), data) || back.String() != m.String() || back.Converged() != m.Converged() {
			t.Errorf("saved %v, loaded %v", m, back)
		}
		if !slices.Equal(back.Trace(), m.Trace()) || !slices.Equal(back.Weights(), m.Weights()) || back.BIC() != m.BIC() {
			t.Errorf("%v: the loaded mixture has another trace, other weights or another BIC", m)
		}
		if !slices.Equal(values(t)(back.LogDensity(x)), values(t)(m.LogDensity(x))) || !mat.Equal(matrix(t)(back.Responsibilities(x)), matrix(t)(m.Responsibilities(x))) {
			t.Errorf("%v: the loaded mixture has other densities", m)
		}
		a, from, err := m.Sample(20, rand.NewPCG(3, 4))
		if err != nil {
			t.Fatal(err)
		}
		b, other, err := back.Sample(20, rand.NewPCG(3, 4))
		if err != nil || !mat.Equal(a, b) || !slices.Equal(from, other) {
			t.Errorf("%v: the loaded mixture has other samples, error %v", m, err)
		}
		for k := range m.Components() {
			c, d := must[*ppca.Model](t)(m.Model(k)), must[*ppca.Model](t)(back.Model(k))
			if c.String() != d.String() || !mat.Equal(c.Covariance(), d.Covariance()) || !slices.Equal(c.Mean(), d.Mean()) || number(t)(c.LogLikelihood()) != number(t)(d.LogLikelihood()) {
				t.Errorf("component %d is %v, loaded %v", k, c, d)
			}
		}
	}
}

func TestLoadMixtureRefuses(t *testing.T) {
	x, _ := clusters(30, 4)
	good := string(saved(t, must[*ppca.Mixture](t)(ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 2, Latent: 1}))))
	for name, tc := range map[string]struct{ old, new, text string }{
		"nothing":          {good, "", "EOF"},
		"other data":       {good, `"ppca"`, "string"},
		"half":             {good, good[:len(good)/2], ""},
		"two":              {good, good + "{}", "more data"},
		"format":           {"eigenbook/ppca-mixture", "eigenbook/ppca", `format is "eigenbook/ppca"`},
		"version":          {`"version":1`, `"version":9`, "version is 9"},
		"observations":     {`"observations":30`, `"observations":0`, "0 observations"},
		"latent":           {`"latent":1`, `"latent":3`, "latent is 3, want 0 to 2"},
		"latent < 0":       {`"latent":1`, `"latent":-1`, "latent is -1"},
		"more weights":     {`"weights":[`, `"weights":[0.1,`, "2 components and 3 weights"},
		"weight < 0":       {`"weights":[`, `"weights":[-0.1,1.1],"x":[`, "weights[0] is -0.1"},
		"weights' sum":     {`"weights":[`, `"weights":[0.5,0.6],"x":[`, "sum to 1.1"},
		"no components":    {`"components":[`, `"components":[],"weights":[],"x":[`, "0 components"},
		"null":             {`"components":[`, `"components":null,"x":[`, "0 components"},
		"empty component":  {`"components":[`, `"components":[{},{}],"x":[`, "component 0: mean has 0"},
		"trace":            {`"log_likelihoods":[`, `"log_likelihoods":[],"x":[`, "log_likelihoods is empty"},
		"long mean":        {`"mean":[`, `"mean":[1,`, "component 0: "},
		"far mean":         {`"mean":[`, `"mean":[1e200,0,0],"x":[`, "mean[0] is 1e+200"},
		"eigenvalues":      {`"eigenvalues":[`, `"eigenvalues":[1,`, "eigenvalues has 4 values, want 3"},
		"ascending":        {`"eigenvalues":[`, `"eigenvalues":[1,2,3],"x":[`, "eigenvalues[1] is 2"},
		"eigenvalue 0":     {`"eigenvalues":[`, `"eigenvalues":[0,0,0],"x":[`, "eigenvalues[0] is 0"},
		"overflow":         {`"eigenvalues":[`, `"eigenvalues":[1e308,1e308,1e308],"x":[`, "sum of the eigenvalues overflows"},
		"vectors":          {`"vectors":[`, `"vectors":[1,`, "vectors has 10 values, want 3×3"},
		"no vectors":       {`"vectors":[`, `"vectors":[],"x":[`, "vectors has 0 values"},
		"vectors' lengths": {`"vectors":[`, `"vectors":[1,0,0,0,2,0,0,0,1],"x":[`, "eigenvector 1 has squared length 4"},
		"σ² = 0":           {`"noise_variance":`, `"noise_variance":0,"x":`, "noise_variance is 0"},
		"σ²":               {`"noise_variance":`, `"noise_variance":1e9,"x":`, "noise_variance is 1e+09"},
		"out of range":     {`"noise_variance":`, `"noise_variance":1e999,"x":`, ""},
	} {
		changed := strings.Replace(good, tc.old, tc.new, 1)
		if changed == good {
			t.Fatalf("%s: %q is not in the file %s", name, tc.old, good)
		}
		m, err := ppca.LoadMixture(strings.NewReader(changed))
		if m != nil {
			t.Errorf("%s: a mixture beside an error", name)
		}
		refused(t, name, err, ppca.ErrFormat, tc.text)
	}
	_, err := ppca.LoadPrimal(strings.NewReader(good))
	refused(t, "a mixture as a model", err, ppca.ErrFormat, "format")
}

// A row under no component's reach has a log density of −Inf and no responsibilities, not NaN.
func TestResponsibilitiesOfFarRow(t *testing.T) {
	x, _ := clusters(30, 5)
	m := must[*ppca.Mixture](t)(ppca.FitMixture(ctx, scaled(1e-100, x), ppca.MixtureConfig{Components: 2, Latent: 1}))
	refused(t, "far row", second(m.Responsibilities(mat.NewDense(2, 3, []float64{0, 0, 0, 1e120, 0, 0}))), gram.ErrNotFinite, "row 1 of z")
}
