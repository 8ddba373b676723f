package gram_test

import (
	"math"
	"testing"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

func TestStructuralRank(t *testing.T) {
	x := gaussian(12, 3, 1)
	repeated := mat.DenseCopyOf(x)
	repeated.SetRow(5, repeated.RawRowView(0))
	repeated.SetRow(9, repeated.RawRowView(0))
	repeated.SetRow(11, repeated.RawRowView(3))
	signedZero := mat.NewDense(3, 1, []float64{0, math.Copysign(0, -1), 1})
	near := mat.DenseCopyOf(x)
	near.SetRow(1, near.RawRowView(0))
	near.Set(1, 2, math.Nextafter(near.At(1, 2), 10)) // distinct, however near

	withColumns := func(extra ...func(row []float64) float64) *mat.Dense {
		y := mat.NewDense(12, 3+len(extra), nil)
		for i := range 12 {
			row := x.RawRowView(i)
			for j, v := range row {
				y.Set(i, j, v)
			}
			for j, f := range extra {
				y.Set(i, 3+j, f(row))
			}
		}
		return y
	}
	constant := withColumns(func([]float64) float64 { return 0.1 })
	dependent := withColumns(func(r []float64) float64 { return 1e6*r[0] - r[1]/3 })
	dependentWithOffset := withColumns(func(r []float64) float64 { return r[0] + r[1] + 5 })
	graded := withColumns(func(r []float64) float64 { return 1e-9 * (r[0]*r[0] + r[1]) })

	rbf, linear := kernel.RBF{LengthScale: 1}, kernel.Linear{}
	quadratic := kernel.Polynomial{Degree: 2, Scale: 1, Offset: 1}
	for _, tc := range []struct {
		name     string
		k        kernel.Kernel
		x        mat.Matrix
		centered bool
		rank     int
		known    bool
	}{
		{"RBF", rbf, x, true, 11, true},
		{"RBF, not centred", rbf, x, false, 12, true},
		{"RBF, repeated rows", rbf, repeated, true, 8, true},
		{"RBF, rows one bit apart", rbf, near, true, 11, true},
		{"RBF, 0 and −0", rbf, signedZero, false, 2, true},
		{"RBF, one row", rbf, x.Slice(0, 1, 0, 3), true, 0, true},
		{"sum with RBF", kernel.Sum{Kernels: []kernel.Kernel{linear, rbf}}, repeated, true, 8, true},
		{"linear", linear, x, true, 3, true},
		{"linear, few rows", linear, x.Slice(0, 3, 0, 3), true, 2, true},
		{"linear, few rows, not centred", linear, x.Slice(0, 3, 0, 3), false, 3, true},
		{"linear, wide", linear, gaussian(4, 9, 1), true, 3, true},
		{"linear, wide, not centred", linear, gaussian(4, 9, 1), false, 4, true},
		{"linear, wide, of rank 2", linear, lowRank(10, 30, 2), true, 2, true},
		{"linear, constant column", linear, constant, true, 3, true},
		{"linear, constant column, not centred", linear, constant, false, 4, true},
		{"linear, dependent column", linear, dependent, true, 3, true},
		{"linear, dependent with offset", linear, dependentWithOffset, true, 3, true},
		{"linear, dependent with offset, not centred", linear, dependentWithOffset, false, 4, true},
		{"linear, small column", linear, graded, true, 4, true},
		{"linear, constant data", linear, mat.NewDense(5, 2, nil), true, 0, true},
		{"scaled linear", kernel.Scaled{Factor: 2, Kernel: linear}, constant, true, 3, true},
		{"polynomial", quadratic, x, true, 9, true},
		{"polynomial, not centred", quadratic, x, false, 10, true},
		{"polynomial, dependent column", quadratic, dependent, true, 9, true},
		{"polynomial, few rows", quadratic, x.Slice(0, 5, 0, 3), true, 4, true},
		{"polynomial of high degree", kernel.Polynomial{Degree: 1 << 40, Scale: 1, Offset: 1}, x, true, 11, true},
		{"homogeneous polynomial", kernel.Polynomial{Degree: 2, Scale: 1}, x, true, 0, false},
		{"cosine", kernel.Cosine{}, x, true, 0, false},
		{"sigmoid", kernel.Sigmoid{Scale: 1}, x, true, 0, false},
		{"function", kernel.Func{F: kernel.Dot}, x, true, 0, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rank, known := gram.StructuralRank(tc.k, tc.x, tc.centered)
			if rank != tc.rank || known != tc.known {
				t.Errorf("StructuralRank = %d, %v; want %d, %v", rank, known, tc.rank, tc.known)
			}
		})
	}
}

// Polynomials on points that are not in general position: on a circle the degrees 1 to g of sine and
// cosine are all there are, on zeros and ones x² is x, on a grid of three values x³ is one of 1, x, x².
func TestRankOfPolynomialsOnSpecialPoints(t *testing.T) {
	circle, cube, grid := mat.NewDense(20, 2, nil), mat.NewDense(32, 5, nil), mat.NewDense(9, 2, nil)
	for i := range 20 {
		sin, cos := math.Sincos(float64(i * i))
		circle.SetRow(i, []float64{3*cos + 1e4, sin - 7})
	}
	for i := range 32 {
		for j := range 5 {
			cube.Set(i, j, float64(i>>j&1))
		}
	}
	for i := range 9 {
		grid.SetRow(i, []float64{float64(i / 3), 1e-3 * float64(i%3)})
	}
	for _, tc := range []struct {
		name   string
		x      *mat.Dense
		degree int
		rank   int
	}{
		{"circle", circle, 2, 4},
		{"circle", circle, 3, 6},
		{"circle", circle, 9, 18},
		{"circle, all points", circle, 12, 19},
		{"cube", cube, 1, 5},
		{"cube", cube, 2, 5 + 10},
		{"cube", cube, 3, 5 + 10 + 10},
		{"cube, all points", cube, 5, 31},
		{"grid", grid, 2, 5},
		{"grid", grid, 3, 7},
		{"general position", gaussian(60, 3, 4), 3, 19},
		{"general position", gaussian(60, 2, 4), 6, 27},
	} {
		for _, centered := range []bool{true, false} {
			want := tc.rank
			if !centered {
				want++
			}
			k := kernel.Polynomial{Degree: tc.degree, Scale: 2, Offset: 0.5}
			if r, known := gram.StructuralRank(k, tc.x, centered); r != want || !known {
				t.Errorf("%s, degree %d, centred %v: rank %d, %v; want %d", tc.name, tc.degree, centered, r, known, want)
			}
		}
	}
}

// Subtracting the mean of a constant column once would leave rounding, which is no rank.
func TestRankOfConstantColumns(t *testing.T) {
	for _, n := range []int{10, 49, 300, 1237} {
		for _, constant := range []float64{0.1, 1.0 / 3, 0.7, 1e6 + 0.1, -1e-8} {
			x := mat.NewDense(n, 2, nil)
			for i := range n {
				x.Set(i, 0, constant)
				x.Set(i, 1, float64(i%7))
			}
			if r, known := gram.StructuralRank(kernel.Linear{}, x, true); r != 1 || !known {
				t.Errorf("%d rows, constant %v: rank %d, %v; want 1", n, constant, r, known)
			}
		}
	}
}

func lowRank(n, d, r int) *mat.Dense {
	var x mat.Dense
	x.Mul(gaussian(n, r, 1), gaussian(r, d, 2))
	return &x
}
