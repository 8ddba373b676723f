package kpca_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
)

func saved(t testing.TB, m *kpca.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSaveAndLoad(t *testing.T) {
	x, z := gaussian(12, 3, 1), gaussian(5, 3, 2)
	k := kernel.Sum{Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Scaled{Factor: 2, Kernel: kernel.RBF{LengthScale: 1.3}}}}
	for _, uncentred := range []bool{false, true} {
		m := fit(t, x, k, kpca.Config{Latent: 3, Uncentred: uncentred})
		back := must[*kpca.Model](t)(kpca.Load(bytes.NewReader(saved(t, m))))
		if !mat.Equal(transform(t, back, z), transform(t, m, z)) {
			t.Error("the loaded model has other scores")
		}
		rows, _, err := m.Rows(ctx, z)
		if err != nil {
			t.Fatal(err)
		}
		a, b := must[gram.FeaturePoints](t)(m.FeaturePoints(rows)), must[gram.FeaturePoints](t)(back.FeaturePoints(rows))
		if !mat.Equal(a.Kernel, b.Kernel) || !mat.Equal(a.Coefficients, b.Coefficients) {
			t.Error("the loaded model has other feature points")
		}
		if m.String() != back.String() || m.Rank() != back.Rank() || m.Complete() != back.Complete() || m.RankTolerance() != back.RankTolerance() {
			t.Errorf("saved %v, loaded %v", m, back)
		}
		if !bytes.Equal(saved(t, back), saved(t, m)) {
			t.Error("saving the loaded model gives another file")
		}
	}
}

func TestSaveWithoutKernel(t *testing.T) {
	m := must[*kpca.Model](t)(kpca.FitGram(ctx, mat.NewDense(3, 3, []float64{2, 1, 0, 1, 2, 0, 0, 0, 1}), kpca.Config{Latent: 1}))
	back := must[*kpca.Model](t)(kpca.Load(bytes.NewReader(saved(t, m))))
	if _, err := back.Transform(ctx, gaussian(1, 1, 1)); !errors.Is(err, kpca.ErrNoKernel) {
		t.Errorf("Transform: %v, want ErrNoKernel", err)
	}
	if !mat.Equal(back.Eigenvectors(), m.Eigenvectors()) {
		t.Error("other eigenvectors")
	}
	f := fit(t, gaussian(5, 1, 1), kernel.Func{Name: "mine", F: kernel.Dot}, kpca.Config{Latent: 1})
	if err := f.Save(&bytes.Buffer{}); err == nil {
		t.Error("a model with a function as its kernel was saved")
	}
}

func TestLoadRefuses(t *testing.T) {
	good := string(saved(t, fit(t, gaussian(4, 2, 1), kernel.RBF{LengthScale: 1}, kpca.Config{Latent: 1})))
	for name, tc := range map[string]struct{ old, new, text string }{
		"nothing":        {good, "", "EOF"},
		"other data":     {good, "[1, 2]", "array"},
		"half":           {good, good[:len(good)/2], ""},
		"two models":     {good, good + good, "more data"},
		"format":         {"eigenbook/kpca", "eigenbook/ppca", `format is "eigenbook/ppca"`},
		"version":        {`"version":1`, `"version":2`, "version is 2"},
		"observations":   {`"observations":4`, `"observations":3`, ""},
		"no rows":        {`"observations":4`, `"observations":0`, "0 observations"},
		"negative":       {`"observations":4`, `"observations":-4`, ""},
		"columns":        {`"columns":2`, `"columns":3`, "columns is 3"},
		"columns 0":      {`"columns":2`, `"columns":0`, "columns is 0"},
		"kernel":         {`"kernel":`, `"kernel":7,"x":`, "kernel"},
		"rank tolerance": {`"rank_tolerance":`, `"rank_tolerance":0,"x":`, "rank_tolerance"},
		"trace":          {`"trace":`, `"trace":-1,"x":`, "trace is -1"},
		"eigenvalues":    {`"eigenvalues":[`, `"eigenvalues":[9,`, ""},
		"spectrum":       {`"spectrum":[`, `"spectrum":[99,`, "spectrum"},
		"vectors":        {`"eigenvectors":[`, `"eigenvectors":[3,3,3,3],"x":[`, "squared length"},
		"row means":      {`"row_means":[`, `"row_means":[1],"x":[`, "row_means"},
		"null":           {`"row_means":[`, `"row_means":null,"x":[`, "row_means"},
	} {
		changed := strings.Replace(good, tc.old, tc.new, 1)
		if changed == good {
			t.Fatalf("%s: %q is not in the file", name, tc.old)
		}
		m, err := kpca.Load(strings.NewReader(changed))
		if !errors.Is(err, kpca.ErrFormat) || m != nil || !strings.Contains(err.Error(), tc.text) {
			t.Errorf("%s: %v, %v; want ErrFormat with %q", name, m, err, tc.text)
		}
	}
}

// Whatever the file holds, Load returns an error or a model that works.
func FuzzLoad(f *testing.F) {
	f.Add(saved(f, fit(f, gaussian(4, 2, 1), kernel.RBF{LengthScale: 1}, kpca.Config{Latent: 1})))
	f.Add(saved(f, fit(f, gaussian(3, 1, 1), kernel.Linear{}, kpca.Config{Uncentred: true})))
	f.Add([]byte(`{"format":"eigenbook/kpca","version":1,"observations":1,"eigenvalues":[1],"spectrum":[1],"eigenvectors":[1],"trace":1,"rank_tolerance":0.1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := kpca.Load(bytes.NewReader(data))
		if err != nil {
			return
		}
		if _, err := m.TransformRows(mat.NewDense(1, m.Observations(), nil)); err != nil {
			t.Error(err)
		}
		if m.Kernel() != nil {
			// The kernel may refuse the rows, but must not panic.
			_, _ = m.Transform(ctx, m.TrainingRows())
		}
	})
}
