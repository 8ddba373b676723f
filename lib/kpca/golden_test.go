package kpca_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
)

type fixture struct {
	ID    string
	What  string
	Input struct {
		X, Z, K [][]float64
		Row     [][]float64 `json:"k"`
		Kernel  struct {
			Type                string
			Gamma, Scale, Coef0 float64
			Degree              int
		}
		Q        int
		Centered *bool
		Alpha    float64
	}
	Expected map[string]json.RawMessage
	Tol      struct{ Rtol, Atol float64 }
	source   string
}

func fixtures(t *testing.T) []fixture {
	t.Helper()
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Source string
		Cases  []fixture
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for i := range file.Cases {
		file.Cases[i].source = file.Source
	}
	return file.Cases
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
	t.Fatalf("%s: unknown kernel %q", f.ID, k.Type)
	return nil
}

func dense(rows [][]float64) *mat.Dense {
	d := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		d.SetRow(i, row)
	}
	return d
}

// compare asserts the expected value called name, if the fixture has one; got may be a matrix, a
// slice or a number.
func (f *fixture) compare(t *testing.T, name string, got any) bool {
	t.Helper()
	raw, ok := f.Expected[name]
	if !ok {
		return false
	}
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
		have = g[:min(len(g), len(want))]
	case float64:
		want, have = make([]float64, 1), []float64{g}
		if err := json.Unmarshal(raw, &want[0]); err != nil {
			t.Fatal(err)
		}
	}
	if len(have) != len(want) {
		t.Fatalf("%s has %d values, want %d", name, len(have), len(want))
	}
	limit := f.Tol.Atol + f.Tol.Rtol*floats.Norm(want, math.Inf(1))
	for i := range want {
		if !(math.Abs(have[i]-want[i]) <= limit) {
			t.Errorf("%s[%d] is %.15g, want %.15g ± %.2g\nsource: %s, case %s", name, i, have[i], want[i], limit, f.source, f.ID)
		}
	}
	return true
}

func abs(m *mat.Dense) *mat.Dense {
	var a mat.Dense
	a.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, m)
	return &a
}

// shrunk returns the scores t of the probabilistic model's reconstruction: t_p (1 − Nσ²/λ_p), σ²
// the mean of the discarded variances in rank dimensions. With it, reference values of
// probabilistic PCA test kernel PCA.
func shrunk(m *kpca.Model, t *mat.Dense, rank int) *mat.Dense {
	values := m.Eigenvalues()
	rest := math.Max(0, m.Trace()-floats.Sum(values))
	noise := 0.0
	if rank > len(values) {
		noise = rest / float64(rank-len(values))
	}
	var s mat.Dense
	s.Apply(func(_, p int, v float64) float64 { return v * (1 - noise/values[p]) }, t)
	return &s
}

func TestReference(t *testing.T) {
	ctx := context.Background()
	compared := 0
	for _, f := range fixtures(t) {
		t.Run(f.ID, func(t *testing.T) {
			count := func(ok bool) {
				if ok {
					compared++
				}
			}
			cfg := kpca.Config{Latent: f.Input.Q, RankTolerance: 1e-11, Full: true}
			if f.Input.Kernel.Type == "poly" || f.Input.Kernel.Type == "cosine" {
				cfg.RankTolerance = 1e-10
			}
			uncentred := f.Input.Centered != nil && !*f.Input.Centered
			cfg.Uncentred = uncentred

			var m *kpca.Model
			var rows *mat.Dense
			var norms []float64
			var err error
			if f.Input.K != nil {
				if m, err = kpca.FitGram(ctx, dense(f.Input.K), cfg); err != nil {
					t.Fatal(err)
				}
				rows, err = m.CentreRows(dense(f.Input.Row))
			} else {
				if m, err = kpca.Fit(ctx, dense(f.Input.X), f.kernel(t), cfg); err != nil {
					t.Fatal(err)
				}
				if f.Input.Z != nil {
					rows, norms, err = m.Rows(ctx, dense(f.Input.Z))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			count(f.compare(t, "eigenvalues", m.Spectrum()))
			count(f.compare(t, "rank", float64(m.Rank())))
			count(f.compare(t, "explained_ratio", m.ExplainedRatio()))
			count(f.compare(t, "total_variance", m.Trace()/float64(m.Observations())))
			if rows == nil {
				return
			}
			count(f.compare(t, "kc", rows))
			count(f.compare(t, "kc_self", norms))
			scores, err := m.TransformRows(rows)
			if err != nil {
				t.Fatal(err)
			}
			count(f.compare(t, "abs_scores", abs(scores)))
			f.energies(t, m, rows, norms, scores)

			reconstructed := shrunk(m, scores, m.Rank())
			if f.ID == "d10-kpca-limit" {
				reconstructed = scores
				var h mat.Dense
				values := m.Eigenvalues()
				h.Apply(func(_, p int, v float64) float64 {
					return math.Abs(v) * math.Sqrt(float64(m.Observations())/values[p])
				}, scores)
				count(f.compare(t, "abs_h", &h))
			}
			points, err := m.FromScores(reconstructed)
			if err != nil {
				t.Fatal(err)
			}
			back := points.Kernel
			if !uncentred {
				if back, err = m.CentreRows(points.Kernel); err != nil {
					t.Fatal(err)
				}
			}
			count(f.compare(t, "kc_map", back))
			count(f.compare(t, "k_map", back))
			count(f.compare(t, "c", points.Coefficients))
			count(f.compare(t, "k_uncentred", points.Kernel))
			if f.Input.X != nil {
				count(f.preImages(t, m, points, scores))
			}
		})
	}
	if compared < 47 {
		t.Errorf("only %d reference values were compared", compared)
	}
}

// energies compares what the axes keep of a point, what the rest of the span has, and what lies
// outside.
func (f *fixture) energies(t *testing.T, m *kpca.Model, rows *mat.Dense, norms []float64, scores *mat.Dense) {
	if _, ok := f.Expected["energy_kept"]; !ok {
		return
	}
	all, err := kpca.Fit(context.Background(), dense(f.Input.X), f.kernel(t), kpca.Config{})
	if err != nil {
		t.Fatal(err)
	}
	every, err := all.TransformRows(rows)
	if err != nil {
		t.Fatal(err)
	}
	n := len(norms)
	kept, rest, outside := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		kept[i] = floats.Dot(scores.RawRowView(i), scores.RawRowView(i))
		rest[i] = floats.Dot(every.RawRowView(i), every.RawRowView(i)) - kept[i]
		outside[i] = norms[i] - kept[i] - rest[i]
	}
	f.compare(t, "energy_kept", kept)
	f.compare(t, "energy_span_rest", rest)
	f.compare(t, "energy_outside", outside)
}

// preImages compares the pre-images of the fixture, and reports whether it has one.
func (f *fixture) preImages(t *testing.T, m *kpca.Model, points gram.FeaturePoints, scores *mat.Dense) bool {
	ctx := context.Background()
	x := m.TrainingRows()
	images := func(name string, method kpca.PreImage, err error, p gram.FeaturePoints) bool {
		t.Helper()
		if _, ok := f.Expected[name]; !ok {
			return false
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := method.PreImages(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		return f.compare(t, name, got)
	}
	switch f.ID {
	case "d21-smoother":
		s, err := kpca.NewSmoother(x, kpca.SmootherConfig{})
		found := images("x_smoother", s, err, points)
		s, err = kpca.NewSmoother(x, kpca.SmootherConfig{Nearest: 3})
		return images("x_smoother_3nn", s, err, points) && found
	case "d22-barycentre":
		b, err := kpca.NewBarycentre(x)
		return images("x_map", b, err, points)
	case "d23-fixed-point":
		p, err := kpca.NewFixedPoint(x, m.Kernel(), kpca.FixedPointConfig{Starts: 1, Tol: 1e-12, MaxIter: 100000})
		return images("x", p, err, points)
	case "d24-ridge":
		training, err := m.Transform(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		r, err := kpca.NewRidge(ctx, x, training, m.Kernel(), kpca.RidgeConfig{Alpha: f.Input.Alpha})
		unshrunk := points
		unshrunk.Scores = scores
		return images("x", r, err, unshrunk)
	}
	return false
}
