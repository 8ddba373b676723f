package gram_test

import (
	"math"
	"math/big"
	"testing"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

// Distances of near points keep their digits: pairs at 1e-3 to 1e-12 of the data's extent, and
// an offset of a million. Exact values by big.Float.
func TestNearDuplicates(t *testing.T) {
	const d = 6
	x := gaussian(40, d, 5)
	for i := 0; i < 40; i += 2 {
		for j := range d {
			x.Set(i+1, j, x.At(i, j)+x.At((i+3)%40, j)*math.Pow10(-i/3-1))
		}
	}
	for _, offset := range []float64{0, 1e6} {
		y := mat.DenseCopyOf(x)
		y.Apply(func(_, _ int, v float64) float64 { return v + offset }, y)
		// 1/√(1+r²/ℓ²) with ℓ of the size of r has the relative accuracy of r²
		for i := 0; i < 40; i += 2 {
			r2, _ := exactSquaredDistance(y.RawRowView(i), y.RawRowView(i+1)).Float64()
			if r2 == 0 {
				continue
			}
			k := kernel.InverseMultiquadric{LengthScale: math.Sqrt(r2)}
			got := compute(t, k, y).At(i, i+1)
			if want := 1 / math.Sqrt2; math.Abs(got-want) > 2e-14 {
				t.Errorf("offset %v: kernel at distance %.3g is %v, want %v", offset, math.Sqrt(r2), got, want)
			}
		}
	}
}

func exactSquaredDistance(x, y []float64) *big.Float {
	s := new(big.Float).SetPrec(300)
	for i, v := range x {
		d := new(big.Float).SetPrec(300).SetFloat64(v)
		d.Sub(d, new(big.Float).SetFloat64(y[i]))
		s.Add(s, d.Mul(d, d))
	}
	return s
}

// Any pair, near or far, has about 14 digits of r².
func TestDistanceAccuracy(t *testing.T) {
	x := gaussian(120, 50, 8)
	for i := range 120 {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = row[j]*math.Pow10(-(i%7)) + 3 // clusters within clusters, away from the origin
		}
	}
	for i := 0; i < 120; i += 11 {
		for j := i + 1; j < 120; j += 5 {
			r2, _ := exactSquaredDistance(x.RawRowView(i), x.RawRowView(j)).Float64()
			k := kernel.InverseMultiquadric{LengthScale: math.Sqrt(r2)}
			got := cross(t, k, x.Slice(i, i+1, 0, 50), x).At(0, j)
			if want := 1 / math.Sqrt2; math.Abs(got-want) > 2e-14 {
				t.Errorf("pair (%d, %d): kernel at distance %.3g is %v, want %v", i, j, math.Sqrt(r2), got, want)
			}
		}
	}
}

func TestRepeatedRowsAreEqual(t *testing.T) {
	x := gaussian(30, 9, 5)
	x.SetRow(17, x.RawRowView(4))
	x.SetRow(29, x.RawRowView(4))
	for _, k := range rowKernels {
		g := compute(t, k, x)
		centred := mat.NewSymDense(30, nil)
		centred.CopySym(g)
		gram.Center(centred)
		for j := range 30 {
			if g.At(4, j) != g.At(17, j) || g.At(4, j) != g.At(29, j) || centred.At(4, j) != centred.At(17, j) {
				t.Errorf("%v: rows 4, 17, 29 are equal but column %d of the Gram matrix differs: %v, %v, %v",
					k, j, g.At(4, j), g.At(17, j), g.At(29, j))
			}
		}
	}
	for _, k := range []kernel.Kernel{kernel.RBF{LengthScale: 1e-6}, kernel.Matern{Nu: 0.5, LengthScale: 1e-6}} {
		g := compute(t, k, x)
		for i := range 30 {
			if g.At(i, i) != 1 {
				t.Errorf("%v: diagonal entry %d is %v, want 1", k, i, g.At(i, i))
			}
		}
		if g.At(4, 29) != 1 {
			t.Errorf("%v: equal rows have %v, want 1", k, g.At(4, 29))
		}
	}
}
