package eigen_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
)

func TestGeneralized(t *testing.T) {
	for _, n := range []int{1, 2, 3, 25} {
		a := withSpectrum(spectrum(n, func(i int) float64 { return float64(i) - 1 }))
		b := withSpectrum(spectrum(n, func(i int) float64 { return 1 / float64(1+(i*7)%n) }))
		p, err := eigen.Generalized(a, b)
		if err != nil {
			t.Fatal(err)
		}
		var av, bv, product mat.Dense
		av.Mul(a, p.Vectors)
		bv.Mul(b, p.Vectors)
		product.Mul(p.Vectors.T(), &bv)
		for j := range n {
			for i := range n {
				if r := av.At(i, j) - p.Values[j]*bv.At(i, j); math.Abs(r) > 1e-11 {
					t.Errorf("n=%d: (a − λ b) v has entry %g for pair %d", n, r, j)
				}
				want := 0.0
				if i == j {
					want = 1
				}
				if d := math.Abs(product.At(i, j) - want); d > 1e-12 {
					t.Errorf("n=%d: v%d b v%d is off by %g", n, i, j, d)
				}
			}
			if j > 0 && p.Values[j] > p.Values[j-1] {
				t.Errorf("n=%d: values %v are not descending", n, p.Values)
			}
		}
	}
}

// With b = c I the problem is the ordinary one, scaled; and swapping a and b inverts the values.
func TestGeneralizedLaws(t *testing.T) {
	const n = 12
	a := withSpectrum(spectrum(n, func(i int) float64 { return float64(i + 1) }))
	b := mat.NewSymDense(n, nil)
	for i := range n {
		b.SetSym(i, i, 4)
	}
	p, err := eigen.Generalized(a, b)
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range p.Values {
		if want := float64(n-j) / 4; math.Abs(v-want) > 1e-13 {
			t.Errorf("value %d is %v, want %v", j, v, want)
		}
	}
	q, err := eigen.Generalized(b, a)
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range q.Values {
		if want := 1 / p.Values[n-1-j]; math.Abs(v-want) > 1e-12*want {
			t.Errorf("swapped: value %d is %v, want %v", j, v, want)
		}
	}
	big := mat.NewSymDense(n, nil)
	big.ScaleSym(1e150, a)
	huge, err := eigen.Generalized(big, big)
	if err != nil {
		t.Fatal(err)
	}
	if !floats.EqualApprox(huge.Values, ones(n), 1e-12) {
		t.Errorf("a v = λ a v has values %v, want 1", huge.Values)
	}
}

func TestGeneralizedErrors(t *testing.T) {
	good := withSpectrum([]float64{1, 2, 3})
	singular := withSpectrum([]float64{0, 2, 3})
	negative := withSpectrum([]float64{-1, 2, 3})
	nan := withSpectrum([]float64{1, 2, 3})
	nan.SetSym(0, 2, math.NaN())
	for _, tc := range []struct {
		name string
		a, b mat.Symmetric
		want error
		text string
	}{
		{"a nil", nil, good, eigen.ErrShape, "a is empty"},
		{"b nil", good, nil, eigen.ErrShape, "b is empty"},
		{"sizes", good, withSpectrum([]float64{1, 2}), eigen.ErrShape, "3×3 and b is 2×2"},
		{"a NaN", nan, good, eigen.ErrNotFinite, "a[0,2]"},
		{"b NaN", good, nan, eigen.ErrNotFinite, "b[0,2]"},
		{"b singular", good, singular, eigen.ErrNotDefinite, "to 3"},
		{"b indefinite", good, negative, eigen.ErrNotDefinite, "from -1 to 3"},
		{"b zero", good, mat.NewSymDense(3, nil), eigen.ErrNotDefinite, "from 0 to 0"},
	} {
		p, err := eigen.Generalized(tc.a, tc.b)
		if !errors.Is(err, tc.want) || p != nil {
			t.Errorf("%s: %v, %v; want %v", tc.name, p, err, tc.want)
		} else if !strings.Contains(err.Error(), tc.text) {
			t.Errorf("%s: %q does not say %q", tc.name, err, tc.text)
		}
	}
}
