package kernel

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestMedianLengthScale(t *testing.T) {
	line := func(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }
	for _, tc := range []struct {
		name string
		x    mat.Matrix
		want float64
	}{
		{"one pair", mat.NewDense(2, 2, []float64{0, 0, 3, 4}), 5},
		{"odd number of pairs", line(0, 1, 5), 4},
		{"even number of pairs", line(0, 1, 3, 7), 3.5}, // 1 2 3 4 6 7
		{"repeated row", line(0, 0, 2), 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, err := MedianLengthScale(tc.x); err != nil || math.Abs(got-tc.want) > 1e-15 {
				t.Errorf("MedianLengthScale = %v, %v; want %v", got, err, tc.want)
			}
		})
	}
}

// Of many rows a part stands for the whole; the median of Gaussian distances in d dimensions is
// near √(2d).
func TestMedianLengthScaleSubset(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	x := mat.NewDense(5000, 3, nil)
	x.Apply(func(int, int, float64) float64 { return rnd.NormFloat64() }, x)
	got, err := MedianLengthScale(x)
	if want := math.Sqrt(2 * 2.3660); err != nil || math.Abs(got-want) > 0.05 { // median of χ²₃ is 2.3660
		t.Errorf("MedianLengthScale = %v, %v; want about %v", got, err, want)
	}
}

func TestMedianLengthScaleErrors(t *testing.T) {
	for _, tc := range []struct {
		name string
		x    mat.Matrix
		want string
	}{
		{"nil", nil, "nil"},
		{"nil pointer", (*mat.Dense)(nil), "nil"},
		{"one row", mat.NewDense(1, 2, nil), "1 rows, want 2 or more"},
		{"NaN", mat.NewDense(2, 2, []float64{1, 2, math.NaN(), 4}), "NaN at row 1, column 0"},
		{"equal rows", mat.NewDense(3, 1, []float64{2, 2, 2}), "more than half"},
		{"overflow", mat.NewDense(2, 1, []float64{-1e200, 1e200}), "overflow"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := MedianLengthScale(tc.x)
			if !errors.Is(err, ErrData) || got != 0 || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("MedianLengthScale = %v, %v; want ErrData with %q", got, err, tc.want)
			}
		})
	}
}

func TestSelectNth(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		v := make([]float64, 1+rnd.IntN(30))
		for i := range v {
			v[i] = float64(rnd.IntN(8)) // many ties
		}
		sorted := slices.Sorted(slices.Values(v))
		k := rnd.IntN(len(v))
		got := selectNth(v, k)
		if got != sorted[k] || v[k] != got || (k > 0 && slices.Max(v[:k]) > got) || slices.Min(v[k:]) < got {
			t.Fatalf("selectNth(%d) = %v with %v, want %v", k, got, v, sorted[k])
		}
	}
}
