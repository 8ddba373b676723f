package gram_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"testing"

	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

type table [][]*float64 // null stands for NaN

func (t table) dense() *mat.Dense {
	x := mat.NewDense(len(t), len(t[0]), nil)
	for i, row := range t {
		for j, v := range row {
			if v == nil {
				x.Set(i, j, math.NaN())
			} else {
				x.Set(i, j, *v)
			}
		}
	}
	return x
}

type goldenCase struct {
	ID    string
	Input struct {
		X, Z, Gram, Cross table
		Centered          *bool
		Kernel            struct {
			Type         string
			Gamma, Scale float64
			Coef0        float64
			Degree       int
		}
	}
	Want struct {
		Gram, Centred       table
		Cross, CrossCentred table
		SelfCentred         []*float64
		Eigenvalues         []*float64
		Rank                *int
		Error               string
	}
	Tol struct{ Rtol, Atol float64 }
}

func (c goldenCase) kernel(t *testing.T) kernel.Kernel {
	p := c.Input.Kernel
	switch p.Type {
	case "linear":
		return kernel.Linear{}
	case "rbf":
		return kernel.RBF{LengthScale: p.Gamma}
	case "laplacian":
		return kernel.Laplacian{LengthScale: p.Gamma}
	case "poly":
		return kernel.Polynomial{Degree: p.Degree, Scale: p.Scale, Offset: p.Coef0}
	case "cosine":
		return kernel.Cosine{}
	}
	t.Fatalf("%s: unknown kernel %q", c.ID, p.Type)
	return nil
}

// near compares a matrix with want: |got−want| ≤ atol + rtol·max|want|.
func (c goldenCase) near(t *testing.T, what string, got mat.Matrix, want table) {
	t.Helper()
	if want == nil {
		return
	}
	w := want.dense()
	tol := c.Tol.Atol + c.Tol.Rtol*mat.Max(absolute(w))
	rows, cols := w.Dims()
	if r, k := got.Dims(); r != rows || k != cols {
		t.Errorf("%s: %s is %d×%d, want %d×%d", what, c.ID, r, k, rows, cols)
		return
	}
	for i := range rows {
		for j := range cols {
			if !(math.Abs(got.At(i, j)-w.At(i, j)) <= tol) {
				t.Errorf("%s: %s (%d, %d) is %v, want %v ± %.2g (%s)",
					c.ID, what, i, j, got.At(i, j), w.At(i, j), tol, goldenSource)
			}
		}
	}
}

func absolute(m mat.Matrix) *mat.Dense {
	a := mat.DenseCopyOf(m)
	a.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, a)
	return a
}

var goldenSource string

func readGolden(t *testing.T) []goldenCase {
	data, err := os.ReadFile("testdata/dual_ppca.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Source string
		Cases  []goldenCase
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	goldenSource = file.Source
	return file.Cases
}

func TestGolden(t *testing.T) {
	for _, c := range readGolden(t) {
		t.Run(c.ID, func(t *testing.T) {
			switch {
			case c.Want.Error != "":
				c.checkError(t)
			case c.Input.Gram != nil:
				c.checkPrecomputed(t)
			default:
				c.checkComputed(t)
			}
		})
	}
}

func (c goldenCase) checkError(t *testing.T) {
	want := map[string]error{
		"non-finite input":     gram.ErrNotFinite,
		"not symmetric":        gram.ErrNotSymmetric,
		"dimension mismatch":   gram.ErrShape,
		"bad kernel parameter": kernel.ErrParameter,
	}[c.Want.Error]
	var err error
	switch {
	case c.Input.Gram != nil:
		_, err = gram.Precomputed(c.Input.Gram.dense())
	case c.Input.Z != nil:
		_, err = gram.Cross(ctx, c.kernel(t), c.Input.Z.dense(), c.Input.X.dense())
	default:
		_, err = gram.Compute(ctx, c.kernel(t), c.Input.X.dense())
	}
	if want == nil || !errors.Is(err, want) {
		t.Errorf("error is %v, want %v", err, want)
	}
}

func (c goldenCase) checkPrecomputed(t *testing.T) {
	k, err := gram.Precomputed(c.Input.Gram.dense())
	if err != nil {
		t.Fatal(err)
	}
	centering := gram.Center(k)
	rows := c.Input.Cross.dense()
	centering.Rows(rows)
	c.near(t, "centred", k, c.Want.Centred)
	c.near(t, "cross centred", rows, c.Want.CrossCentred)
	c.checkSpectrum(t, k)
}

func (c goldenCase) checkComputed(t *testing.T) {
	k, x := c.kernel(t), c.Input.X.dense()
	centered := c.Input.Centered == nil || *c.Input.Centered
	g, err := gram.Compute(ctx, k, x)
	if err != nil {
		t.Fatal(err)
	}
	c.near(t, "Gram", g, c.Want.Gram)
	spectrum := g
	if centered {
		var centering gram.Centering
		spectrum, centering, err = gram.ComputeCentered(ctx, k, x)
		if err != nil {
			t.Fatal(err)
		}
		c.near(t, "centred", spectrum, c.Want.Centred)
		c.checkCross(t, k, x, centering)
	}
	c.checkSpectrum(t, spectrum)
	if c.Want.Rank != nil && c.ID != "d20-cosine" { // no structural rank is known for cosine
		if r, ok := gram.StructuralRank(k, x, centered); !ok || r != *c.Want.Rank {
			t.Errorf("StructuralRank = %d, %v; want %d (%s)", r, ok, *c.Want.Rank, goldenSource)
		}
	}
}

func (c goldenCase) checkCross(t *testing.T, k kernel.Kernel, x mat.Matrix, centering gram.Centering) {
	if c.Input.Z == nil {
		return
	}
	z := c.Input.Z.dense()
	rows, err := gram.Cross(ctx, k, z, x)
	if err != nil {
		t.Fatal(err)
	}
	diagonal, err := gram.Diagonal(k, z)
	if err != nil {
		t.Fatal(err)
	}
	c.near(t, "cross", rows, c.Want.Cross)
	norms := mat.NewDense(1, len(diagonal), nil)
	for i, v := range diagonal {
		norms.Set(0, i, centering.SquaredNorm(v, rows.RawRowView(i)))
	}
	centering.Rows(rows)
	c.near(t, "cross centred", rows, c.Want.CrossCentred)
	rows, direct, err := gram.CrossCentered(ctx, k, z, x, centering)
	if err != nil {
		t.Fatal(err)
	}
	c.near(t, "CrossCentered", rows, c.Want.CrossCentred)
	if c.Want.SelfCentred != nil {
		c.near(t, "squared norm", norms, table{c.Want.SelfCentred})
		c.near(t, "squared norm of CrossCentered", mat.NewDense(1, len(direct), direct), table{c.Want.SelfCentred})
	}
}

// checkSpectrum compares the eigenvalues; fixtures without the zeros have fewer.
func (c goldenCase) checkSpectrum(t *testing.T, k *mat.SymDense) {
	if c.Want.Eigenvalues == nil {
		return
	}
	values, err := eigen.Values(k)
	if err != nil {
		t.Fatal(err)
	}
	c.near(t, "eigenvalues", mat.NewDense(1, len(c.Want.Eigenvalues), values[:len(c.Want.Eigenvalues)]), table{c.Want.Eigenvalues})
}
