package ppca_test

import (
	"encoding/json"
	"errors"

	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
	"eigenbook/lib/ppca"
)

type fixture struct {
	ID    string
	Input struct {
		X, Z, K, A [][]*float64
		Row        [][]*float64 `json:"k"`
		Kernel     struct {
			Type                string
			Gamma, Scale, Coef0 float64
			Degree              int
		}
		Q        int
		Centered *bool
		Sigma2   json.RawMessage
		Alpha    float64
		Xi       []float64
	}
	Expected map[string]json.RawMessage
	Tol      struct{ Rtol, Atol float64 }
	title    string
	used     map[string]bool
}

// golden returns the cases of the reference, which an independent program computed.
func golden(t *testing.T) []*fixture {
	t.Helper()
	data, err := os.ReadFile("testdata/dual_ppca.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Title string
		Cases []*fixture
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, f := range file.Cases {
		f.title, f.used = file.Title, map[string]bool{}
	}
	return file.Cases
}

func dense(rows [][]*float64) *mat.Dense {
	d := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		for j, v := range row {
			if v == nil {
				d.Set(i, j, math.NaN())
			} else {
				d.Set(i, j, *v)
			}
		}
	}
	return d
}

func (f *fixture) kernel(t *testing.T) kernel.Kernel {
	k := f.Input.Kernel
	switch k.Type {
	case "linear":
		return kernel.Linear{}
	case "rbf":
		return kernel.RBF{LengthScale: k.Gamma}
	case "laplacian":
		return kernel.Laplacian{LengthScale: k.Gamma}
	case "poly":
		return kernel.Polynomial{Degree: k.Degree, Scale: k.Scale, Offset: k.Coef0}
	case "cosine":
		return kernel.Cosine{}
	}
	t.Fatalf("unknown kernel %q", k.Type)
	return nil
}

func (f *fixture) config() ppca.Config {
	cfg := ppca.Config{Latent: f.Input.Q, Uncentred: f.Input.Centered != nil && !*f.Input.Centered}
	if f.Input.Kernel.Type == "cosine" {
		cfg.RankTolerance = 1e-10 // the reference's threshold
	}
	var s float64
	if json.Unmarshal(f.Input.Sigma2, &s) == nil && f.Input.Sigma2 != nil {
		cfg.NoiseVariance, cfg.Noiseless = s, s == 0
	}
	return cfg
}

func (f *fixture) model(t *testing.T, change func(*ppca.Config)) *ppca.DualModel {
	t.Helper()
	cfg := f.config()
	if change != nil {
		change(&cfg)
	}
	if f.Input.K != nil {
		return must[*ppca.DualModel](t)(ppca.FitGram(ctx, dense(f.Input.K), cfg))
	}
	return dual(t, dense(f.Input.X), f.kernel(t), cfg)
}

// compare asserts an expected value; got is a matrix, a slice or a number.
func (f *fixture) compare(t *testing.T, name string, got any) {
	t.Helper()
	raw, ok := f.Expected[name]
	if !ok {
		t.Errorf("the reference has no value %q", name)
		return
	}
	f.used[name] = true
	var want, have []float64
	switch g := got.(type) {
	case mat.Matrix:
		var rows [][]float64
		if err := json.Unmarshal(raw, &rows); err != nil {
			t.Fatal(err)
		}
		r, c := g.Dims()
		if len(rows) != r || len(rows[0]) != c {
			t.Fatalf("%s is %d×%d, want %d×%d", name, r, c, len(rows), len(rows[0]))
		}
		for i := range r {
			want = append(want, rows[i]...)
			have = append(have, mat.Row(nil, i, g)...)
		}
	case []float64:
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		have = g
	case []int:
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		for _, v := range g {
			have = append(have, float64(v))
		}
	case int:
		want, have = make([]float64, 1), []float64{float64(g)}
		if err := json.Unmarshal(raw, &want[0]); err != nil {
			t.Fatal(err)
		}
	case float64:
		want, have = make([]float64, 1), []float64{g}
		if err := json.Unmarshal(raw, &want[0]); err != nil {
			t.Fatal(err)
		}
	default:
		t.Fatalf("%s: unknown type %T", name, got)
	}
	if len(have) != len(want) {
		t.Fatalf("%s has %d values, want %d", name, len(have), len(want))
	}
	limit := f.Tol.Atol + f.Tol.Rtol*floats.Norm(want, math.Inf(1))
	for i := range want {
		if !(math.Abs(have[i]-want[i]) <= limit) {
			t.Errorf("%s[%d] is %.15g, want %.15g ± %.2g\nsource: %s, case %s", name, i, have[i], want[i], limit, f.title, f.ID)
		}
	}
}

// spectrum compares the eigenvalues. The linear model has min(N, d) of them and the reference N
// or rank, the rest being zeros.
func (f *fixture) spectrum(t *testing.T, m *ppca.DualModel) {
	t.Helper()
	var want []float64
	if err := json.Unmarshal(f.Expected["eigenvalues"], &want); err != nil {
		t.Fatal(err)
	}
	got := m.Eigenvalues()
	for len(got) < len(want) {
		got = append(got, 0)
	}
	for _, v := range got[len(want):] {
		if v > 1e-10*got[0] {
			t.Errorf("eigenvalue %g beyond the %d of the reference", v, len(want))
		}
	}
	f.compare(t, "eigenvalues", got[:len(want)])
}

func outer(a *mat.Dense) *mat.Dense { return mul(a, a.T()) }

// marginal is A ↦ its covariance in the coordinates of the input space, from the dual model:
// X_cᵀAAᵀX_c + σ²I.
func marginal(m *ppca.DualModel, x *mat.Dense) (ww, c *mat.Dense) {
	n, d := x.Dims()
	xc := mat.DenseCopyOf(x)
	if m.Centred() {
		for j := range d {
			mean := floats.Sum(mat.Col(nil, j, x)) / float64(n)
			for i := range n {
				xc.Set(i, j, x.At(i, j)-mean)
			}
		}
	}
	ww = outer(mul(xc.T(), m.DualLoadings()))
	c = mat.DenseCopyOf(ww)
	for j := range d {
		c.Set(j, j, c.At(j, j)+m.NoiseVariance())
	}
	return ww, c
}

func TestReference(t *testing.T) {
	done := 0
	for _, f := range golden(t) {
		t.Run(f.ID, func(t *testing.T) {
			assert, ok := assertions[f.ID]
			if !ok {
				t.Fatal("the reference has a case that nothing asserts")
			}
			assert(t, f)
			for name := range f.Expected {
				if !f.used[name] {
					t.Errorf("nothing compared the expected value %q", name)
				}
			}
			done++
		})
	}
	if done != len(assertions) {
		t.Errorf("%d cases were asserted, %d are known", done, len(assertions))
	}
}

// fails asserts that a case is refused with an error that wraps want and says text.
func (f *fixture) fails(t *testing.T, err, want error, text string) {
	t.Helper()
	f.used["error"] = true
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want one that wraps %v (reference: %s)", err, want, f.Expected["error"])
	}
	if !strings.Contains(err.Error(), text) {
		t.Errorf("the error %q does not say %q", err, text)
	}
}

func (f *fixture) fitFails(t *testing.T, want error, text string) {
	t.Helper()
	var m *ppca.DualModel
	var err error
	if f.Input.K != nil {
		m, err = ppca.FitGram(ctx, dense(f.Input.K), f.config())
	} else {
		m, err = ppca.FitDual(ctx, dense(f.Input.X), f.kernel(t), f.config())
	}
	if m != nil {
		t.Error("a model beside an error")
	}
	f.fails(t, err, want, text)
}

// mapOf compares k_MAP and |h| of the new rows, and rank, σ² and eigenvalues, for one kernel.
func mapOf(t *testing.T, f *fixture) {
	m := f.model(t, nil)
	f.spectrum(t, m)
	f.compare(t, "rank", m.Rank())
	f.compare(t, "sigma2", m.NoiseVariance())
	kc, _ := rowsOf(t, m, dense(f.Input.Z))
	f.compare(t, "kc_map", matrix(t)(m.Reconstruct(kc)))
	f.compare(t, "abs_h", abs(matrix(t)(m.TransformRows(kc))))
}

func scale(t *testing.T, f *fixture) {
	m := f.model(t, nil)
	f.spectrum(t, m)
	f.compare(t, "rank", m.Rank())
	f.compare(t, "sigma2", m.NoiseVariance())
}

// images compares pre-images of the reconstructions of the new rows.
func images(t *testing.T, f *fixture, name string, method kpca.PreImage, p gram.FeaturePoints) {
	t.Helper()
	f.compare(t, name, matrix(t)(method.PreImages(ctx, p)))
}

func (f *fixture) points(t *testing.T, m *ppca.DualModel) (p gram.FeaturePoints, kc *mat.Dense) {
	t.Helper()
	kc, _ = rowsOf(t, m, dense(f.Input.Z))
	return must[gram.FeaturePoints](t)(m.FeaturePoints(matrix(t)(m.Reconstruct(kc)))), kc
}
