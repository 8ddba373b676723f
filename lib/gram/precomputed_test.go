package gram_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

func TestPrecomputed(t *testing.T) {
	k := mat.NewDense(3, 3, []float64{4, 1, 2e-9, 1, 3, 0, 0, 0, 5})
	before := mat.DenseCopyOf(k)
	g, err := gram.Precomputed(k)
	if err != nil {
		t.Fatal(err)
	}
	want := mat.NewDense(3, 3, []float64{4, 1, 1e-9, 1, 3, 0, 1e-9, 0, 5})
	raw := g.RawSymmetric()
	if !sameBits(raw.Data, want.RawMatrix().Data) {
		t.Errorf("Precomputed = %v, want %v", raw.Data, want.RawMatrix().Data)
	}
	if !mat.Equal(k, before) {
		t.Error("the argument was written to")
	}
	g.SetSym(0, 0, 7)
	if k.At(0, 0) != 4 {
		t.Error("the result shares memory with the argument")
	}
}

// Of a SymDense only the upper triangle counts, whatever is below.
func TestPrecomputedSymDense(t *testing.T) {
	data := []float64{1, 0.5, math.NaN(), 1}
	g, err := gram.Precomputed(mat.NewSymDense(2, data))
	if err != nil {
		t.Fatal(err)
	}
	if got := g.RawSymmetric().Data; !sameBits(got, []float64{1, 0.5, 0.5, 1}) {
		t.Errorf("Precomputed = %v", got)
	}
	full := compute(t, kernel.RBF{LengthScale: 1}, gaussian(70, 2, 1))
	if g, err = gram.Precomputed(full); err != nil || !sameBits(g.RawSymmetric().Data, full.RawSymmetric().Data) {
		t.Errorf("Precomputed of Compute differs, or fails: %v", err)
	}
}

func TestPrecomputedErrors(t *testing.T) {
	for _, tc := range []struct {
		name string
		k    mat.Matrix
		want error
		text string
	}{
		{"nil", nil, gram.ErrShape, "nil"},
		{"nil pointer", (*mat.SymDense)(nil), gram.ErrShape, "nil"},
		{"empty", &mat.Dense{}, gram.ErrShape, "0×0"},
		{"not square", mat.NewDense(2, 3, nil), gram.ErrShape, "2×3"},
		{"NaN", mat.NewDense(2, 2, []float64{1, 0, math.NaN(), 1}), gram.ErrNotFinite, "NaN at row 1, column 0"},
		{"Inf", mat.NewDense(2, 2, []float64{1, math.Inf(1), 0, 1}), gram.ErrNotFinite, "+Inf at row 0, column 1"},
		{"asymmetric", mat.NewDense(2, 2, []float64{2, 1, 1 + 3e-8, 1}), gram.ErrNotSymmetric, "(0, 1) is 1 but (1, 0) is 1.00000003"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g, err := gram.Precomputed(tc.k)
			if !errors.Is(err, tc.want) || g != nil || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("Precomputed = %v, %v; want %v with %q", g, err, tc.want, tc.text)
			}
		})
	}
}
