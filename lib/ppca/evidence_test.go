package ppca_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/kernel"
	"eigenbook/lib/ppca"
)

// The evidence for each q, and the choice, are those of another program.
func TestEvidenceReference(t *testing.T) {
	data, err := os.ReadFile("testdata/minka.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Source string
		Tol    float64
		Cases  []struct {
			Name   string
			X      [][]float64
			Want   []float64 // for q = 1, 2, …
			Latent int       // 0: the other program does not choose
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		d := len(c.X[0])
		x := mat.NewDense(len(c.X), d, nil)
		for i, row := range c.X {
			x.SetRow(i, row)
		}
		table := must[[]ppca.Candidate](t)(primal(t, x, ppca.Config{Isotropic: true, Noise: ppca.Explicit(d)}).Candidates(len(c.Want), nil))
		if len(table) != len(c.Want)+1 {
			t.Fatalf("%s: %d candidates, want q = 0 to %d", c.Name, len(table), len(c.Want))
		}
		for q, want := range c.Want {
			if got := table[q+1].Evidence; !(math.Abs(got-want) <= file.Tol*math.Abs(want)) {
				t.Errorf("%s: evidence for q = %d is %.15g, want %.15g (%s)", c.Name, q+1, got, want, file.Source)
			}
		}
		if got := ppca.ByEvidence(table).Latent; c.Latent > 0 && got != c.Latent {
			t.Errorf("%s: q = %d, want %d (%s)", c.Name, got, c.Latent, file.Source)
		}
	}
}

// In the plane, with q = 1, the integral over the angle can be done by quadrature. Laplace's
// method is off by a share of about 1/(4Na), with a the curvature of the exponent.
func TestEvidenceByQuadrature(t *testing.T) {
	const n = 400
	x := gaussian(n, 2, 1)
	x.Apply(func(_, j int, v float64) float64 { return v * float64(3-2*j) }, x)
	m := primal(t, x, ppca.Config{Latent: 1})
	l, v := m.Spectrum()[0], m.Spectrum()[1]
	a := (l - v) * (1/v - 1/l)
	const steps = 20000
	half := 0.0 // one of the two modes
	for i := range steps {
		s := math.Sin(math.Pi * (float64(i)/steps - 0.5))
		half += math.Exp(-n/2*a*s*s) * math.Pi / steps
	}
	want := -n/2*(math.Log(l)+math.Log(v)) + math.Log(half/(2*math.Pi)) + math.Log(2*math.Pi/n)/2
	if got := number(t)(m.Evidence()); !(math.Abs(got-want) <= 1/(n*a)) {
		t.Errorf("evidence is %.12g, want %.12g ± %.2g", got, want, 1/(n*a))
	}
}

func TestEvidenceInvariance(t *testing.T) {
	x := mul(gaussian(60, 3, 7), scaled(3, gaussian(3, 8, 8)))
	x.Add(x, gaussian(60, 8, 9))
	const factor = 5.0
	moved := scaled(factor, mul(x, rotation(8, 3)))
	moved.Apply(func(_, _ int, v float64) float64 { return v + 100 }, moved)
	m := primal(t, x, ppca.Config{Isotropic: true})
	table := must[[]ppca.Candidate](t)(m.Candidates(-1, nil))
	other := must[[]ppca.Candidate](t)(primal(t, moved, ppca.Config{Isotropic: true}).Candidates(-1, nil))
	linear := must[[]ppca.Candidate](t)(dual(t, x, kernel.Linear{}, ppca.Config{Latent: 2}).Candidates(ctx, -1, nil))
	if len(table) != 8 {
		t.Fatalf("%d candidates, want q = 0 to 7", len(table))
	}
	for q, c := range table {
		close(t, "evidence of moved, turned and scaled data", other[q].Evidence, c.Evidence-60*8*math.Log(factor), 1e-10)
		close(t, "evidence of the linear kernel", linear[q].Evidence, c.Evidence, 1e-10)
		fixed := must[*ppca.Model](t)(m.WithLatent(q))
		close(t, "evidence of the model", number(t)(fixed.Evidence()), c.Evidence, 0)
	}
	if got := ppca.ByEvidence(table).Latent; got != 3 {
		t.Errorf("q = %d by evidence, want 3", got)
	}
	// The noise variance is integrated out.
	given := primal(t, x, ppca.Config{Latent: 2, NoiseVariance: 0.1})
	close(t, "evidence with σ² given", number(t)(given.Evidence()), table[2].Evidence, 0)
	// A spherical model has the noise's term only.
	close(t, "q = 0", table[0].Evidence, -60*8/2*math.Log(m.TotalVariance()/8), 1e-12)
	if ppca.ByEvidence(nil) != (ppca.Candidate{}) {
		t.Error("a candidate out of an empty table")
	}
}

func TestEvidenceErrors(t *testing.T) {
	evidence := func(m interface{ Evidence() (float64, error) }) error { _, err := m.Evidence(); return err }
	square := mat.NewDense(6, 3, []float64{3, 0, 0, 0, 3, 0, -3, 0, 0, 0, -3, 0, 0, 0, 1, 0, 0, -1})
	x := toy(60, 4)
	refused(t, "tie", evidence(primal(t, square, ppca.Config{Latent: 1})), ppca.ErrRepeatedEigenvalue, "λ1 to λ2")
	refused(t, "tie above", evidence(primal(t, square, ppca.Config{Latent: 2})), ppca.ErrRepeatedEigenvalue, "q = 2")
	if err := evidence(primal(t, square, ppca.Config{Isotropic: true})); err != nil {
		t.Errorf("q = 0 beside a tie: %v", err)
	}
	table := must[[]ppca.Candidate](t)(primal(t, square, ppca.Config{Latent: 1}).Candidates(-1, nil))
	if len(table) != 3 || math.IsNaN(table[0].Evidence) || !math.IsNaN(table[1].Evidence) || ppca.ByEvidence(table).Latent != 0 {
		t.Errorf("candidates beside a tie: %+v", table)
	}
	refused(t, "no noise", evidence(primal(t, square, ppca.Config{Latent: 3})), ppca.ErrSingular, "q = 3")
	partial := dual(t, x, rbf, ppca.Config{Latent: 2, Solver: ppca.Leading})
	refused(t, "leading pairs", evidence(partial), ppca.ErrPartial, "the evidence needs all")
	table = must[[]ppca.Candidate](t)(partial.Candidates(ctx, 1, nil))
	if len(table) != 2 || !math.IsNaN(table[0].Evidence) {
		t.Errorf("candidates of leading pairs: %+v", table)
	}
	fit := must[*ppca.MissingFit](t)(ppca.FitMissing(ctx, with(gaussian(20, 4, 1), 2, 1, math.NaN()), ppca.EMConfig{Latent: 1}))
	refused(t, "missing", evidence(fit.Model), ppca.ErrConfig, "missing")
}
