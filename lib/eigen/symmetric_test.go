package eigen_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
)

func TestSymmetricOnHardSpectra(t *testing.T) {
	const n = 60
	for name, values := range hardSpectra(n) {
		t.Run(name, func(t *testing.T) {
			a := withSpectrum(values)
			p, err := eigen.Symmetric(a)
			if err != nil {
				t.Fatal(err)
			}
			scale := largestMagnitude(values)
			checkPairs(t, a, p, scale, 1e-13)
			only, err := eigen.Values(a)
			if err != nil {
				t.Fatal(err)
			}
			for j, want := range sortedDown(values) {
				if !(math.Abs(p.Values[j]-want) <= 1e-13*scale) || !(math.Abs(only[j]-want) <= 1e-13*scale) {
					t.Errorf("value %d is %.17g, by Values %.17g, want %.17g", j, p.Values[j], only[j], want)
				}
			}
			if !p.Converged || p.Residuals != nil || p.Products != 0 {
				t.Errorf("converged %v, residuals %v, products %d; want true, nil, 0", p.Converged, p.Residuals, p.Products)
			}
		})
	}
}

// The range of float64: nothing overflows or underflows on the way, and blocks of very different
// size stand side by side.
func TestSymmetricExtremeScales(t *testing.T) {
	for _, exponent := range []float64{-300, -200, -123, 123, 200, 307} {
		scale := math.Pow(10, exponent)
		a := mat.NewSymDense(3, []float64{2 * scale, scale, 0, scale, 2 * scale, 0, 0, 0, scale / 2})
		p, err := eigen.Symmetric(a)
		if err != nil {
			t.Fatal(err)
		}
		v, err := eigen.Values(a)
		if err != nil {
			t.Fatal(err)
		}
		for j, want := range []float64{3, 1, 0.5} {
			if math.Abs(p.Values[j]/scale-want) > 1e-15 || math.Abs(v[j]/scale-want) > 1e-15 {
				t.Errorf("scale 1e%g: value %d is %g and, by Values, %g; want %g", exponent, j, p.Values[j], v[j], want*scale)
			}
		}
	}
	blocks := mat.NewSymDense(5, nil)
	blocks.SetSym(0, 0, 1)
	blocks.SetSym(1, 1, 2e-140)
	blocks.SetSym(1, 2, 1e-140)
	blocks.SetSym(2, 2, 2e-140)
	blocks.SetSym(3, 4, 1e-200)
	p, err := eigen.Symmetric(blocks)
	if err != nil {
		t.Fatal(err)
	}
	v, err := eigen.Values(blocks)
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range [][]float64{p.Values, v} {
		if values[0] != 1 || math.Abs(values[1]-3e-140) > 1e-154 || math.Abs(values[2]-1e-140) > 1e-154 {
			t.Errorf("values %v", values)
		}
	}
}

// The graded matrix diag(1, 1e-5, …) + small coupling keeps its large values and stays orthonormal.
func TestSymmetricGraded(t *testing.T) {
	const n = 30
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, math.Pow(10, -float64(i+j)/4)/float64(1+i+j))
		}
	}
	p, err := eigen.Symmetric(a)
	if err != nil {
		t.Fatal(err)
	}
	checkPairs(t, a, p, p.Values[0], 1e-14)
	if d := math.Abs(floats.Sum(p.Values) - mat.Trace(a)); d > 1e-14 {
		t.Errorf("values sum to the trace ± %g", d)
	}
}

func TestSymmetricTakesAnySymmetric(t *testing.T) {
	diagonal := mat.NewDiagDense(3, []float64{1, 3, 2})
	p, err := eigen.Symmetric(diagonal)
	if err != nil {
		t.Fatal(err)
	}
	if !floats.Equal(p.Values, []float64{3, 2, 1}) || p.Vectors.At(1, 0) != 1 || p.Vectors.At(2, 1) != 1 || p.Vectors.At(0, 2) != 1 {
		t.Errorf("values %v, vectors %v", p.Values, mat.Formatted(p.Vectors))
	}
}

// The argument is not written to, and only its upper triangle counts.
func TestSymmetricKeepsItsArgument(t *testing.T) {
	data := []float64{2, 1, math.NaN(), 2}
	p, err := eigen.Symmetric(mat.NewSymDense(2, data))
	if err != nil {
		t.Fatal(err)
	}
	if !floats.EqualApprox(p.Values, []float64{3, 1}, 1e-15) || data[0] != 2 || data[1] != 1 || data[3] != 2 {
		t.Errorf("values %v, data %v", p.Values, data)
	}
}

func TestSymmetricErrors(t *testing.T) {
	nan := mat.NewSymDense(3, nil)
	nan.SetSym(1, 2, math.NaN())
	inf := mat.NewSymDense(3, nil)
	inf.SetSym(0, 0, math.Inf(-1))
	var none *mat.SymDense
	for _, tc := range []struct {
		name string
		a    mat.Symmetric
		want error
		text string
	}{
		{"nil", nil, eigen.ErrShape, "eigen: invalid shape: a is empty, want at least 1×1"},
		{"nil pointer", none, eigen.ErrShape, "eigen: invalid shape: a is empty, want at least 1×1"},
		{"empty", &mat.SymDense{}, eigen.ErrShape, "eigen: invalid shape: a is empty, want at least 1×1"},
		{"NaN", nan, eigen.ErrNotFinite, "eigen: not finite: a[1,2] is NaN"},
		{"overflow", mat.NewSymDense(2, []float64{math.MaxFloat64, math.MaxFloat64, 0, math.MaxFloat64}), eigen.ErrNotFinite,
			"eigen: not finite: eigenvalue 0 is +Inf, beyond the range of float64"},
		{"Inf", inf, eigen.ErrNotFinite, "eigen: not finite: a[0,0] is -Inf"},
	} {
		p, err := eigen.Symmetric(tc.a)
		if !errors.Is(err, tc.want) || p != nil || err.Error() != tc.text {
			t.Errorf("%s: Symmetric = %v, %v; want %q", tc.name, p, err, tc.text)
		}
		if v, err := eigen.Values(tc.a); !errors.Is(err, tc.want) || v != nil {
			t.Errorf("%s: Values = %v, %v; want %v", tc.name, v, err, tc.want)
		}
	}
}

func TestFixSigns(t *testing.T) {
	v := mat.NewDense(3, 6, []float64{
		1, -1, 0, -2, 0.5, math.NaN(),
		-3, 1 + 1e-12, 0, 2, -1, 0,
		2, 0.5, 0, 1, 1.001, -1,
	})
	eigen.FixSigns(v)
	want := mat.NewDense(3, 6, []float64{
		-1, 1, 0, 2, 0.5, math.NaN(),
		3, -1 - 1e-12, 0, -2, -1, 0,
		-2, -0.5, 0, -1, 1.001, -1,
	})
	for i := range 3 {
		for j := range 5 {
			if v.At(i, j) != want.At(i, j) {
				t.Errorf("[%d,%d] is %v, want %v", i, j, v.At(i, j), want.At(i, j))
			}
		}
	}
	eigen.FixSigns(nil)
	eigen.FixSigns(&mat.Dense{})
}
