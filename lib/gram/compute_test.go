package gram_test

import (
	"math"
	"runtime"
	"testing"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

var mixed = kernel.Sum{Kernels: []kernel.Kernel{
	kernel.Scaled{Factor: 0.5, Kernel: kernel.Linear{}},
	kernel.Product{Kernels: []kernel.Kernel{kernel.Cosine{}, kernel.RBF{LengthScale: 2}}},
}}

var rowKernels = []kernel.Kernel{
	kernel.Linear{},
	kernel.Polynomial{Degree: 3, Scale: 0.2, Offset: 1},
	kernel.Cosine{},
	kernel.Sigmoid{Scale: 0.1, Offset: 0.3},
	kernel.RBF{LengthScale: 2},
	kernel.Laplacian{LengthScale: 4},
	kernel.Matern{Nu: 0.5, LengthScale: 2},
	kernel.Matern{Nu: 1.5, LengthScale: 2},
	kernel.Matern{Nu: 2.5, LengthScale: 2},
	kernel.InverseMultiquadric{LengthScale: 2},
	mixed,
}

func compute(t testing.TB, k kernel.Kernel, x mat.Matrix) *mat.SymDense {
	t.Helper()
	g, err := gram.Compute(ctx, k, x)
	if err != nil {
		t.Fatalf("%v: %v", k, err)
	}
	return g
}

func cross(t testing.TB, k kernel.Kernel, z, x mat.Matrix) *mat.Dense {
	t.Helper()
	c, err := gram.Cross(ctx, k, z, x)
	if err != nil {
		t.Fatalf("%v: %v", k, err)
	}
	return c
}

// Sizes around the tile and padding bounds, odd ones, and d from one to more than a tile's.
var sizes = []struct{ n, d int }{{1, 1}, {2, 3}, {5, 2}, {63, 7}, {193, 64}, {257, 50}, {400, 1}, {50, 300}}

// The matrix must hold k(xᵢ, xⱼ). 1e-13 covers the shifted distances: their error is about
// 64·2⁻⁵³ relative at worst, times exponents up to 10.
func TestComputeIsEval(t *testing.T) {
	for _, s := range sizes {
		x := gaussian(s.n, s.d, 3)
		for _, k := range rowKernels {
			g := compute(t, k, x)
			for i := range s.n {
				for j := range i + 1 {
					xi, xj := x.RawRowView(i), x.RawRowView(j)
					want := k.Eval(xi, xj)
					scale := math.Sqrt(math.Abs(k.Eval(xi, xi) * k.Eval(xj, xj)))
					if got := g.At(i, j); !(math.Abs(got-want) <= 1e-13*max(scale, math.Abs(want))) {
						t.Fatalf("%v, %d×%d: entry (%d, %d) is %v, want %v", k, s.n, s.d, i, j, got, want)
					}
				}
			}
		}
	}
}

// Both triangles of the backing array agree bit for bit, so that rows can be read.
func TestComputeFillsBothTriangles(t *testing.T) {
	for _, s := range sizes {
		for _, k := range append(rowKernels, kernel.Func{F: kernel.Dot}) {
			raw := compute(t, k, gaussian(s.n, s.d, 3)).RawSymmetric()
			for i := range s.n {
				for j := range i {
					if v, w := raw.Data[i*raw.Stride+j], raw.Data[j*raw.Stride+i]; v != w {
						t.Fatalf("%v: (%d, %d) is %v but (%d, %d) is %v", k, i, j, v, j, i, w)
					}
				}
			}
		}
	}
}

// A training row as a new row gives the bits of its row of the Gram matrix, alone or in a batch.
func TestCrossIsCompute(t *testing.T) {
	for _, s := range sizes {
		x := gaussian(s.n, s.d, 3)
		for _, k := range rowKernels {
			g := compute(t, k, x)
			all := cross(t, k, x, x)
			for i := range s.n {
				one := cross(t, k, x.Slice(i, i+1, 0, s.d), x)
				for j := range s.n {
					if v, w, u := g.At(i, j), all.At(i, j), one.At(0, j); v != w || v != u {
						t.Fatalf("%v, %d×%d: (%d, %d) is %v by Compute, %v by Cross, %v by Cross of one row",
							k, s.n, s.d, i, j, v, w, u)
					}
				}
			}
		}
	}
}

func sameBits(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if math.Float64bits(v) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

func TestSameBitsForAnyProcs(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	x, z := gaussian(601, 13, 1), gaussian(390, 13, 2)
	type result struct{ g, c, centred, features, fourier []float64 }
	run := func(k kernel.Kernel) (r result) {
		g := compute(t, k, x)
		r.g = append(r.g, g.RawSymmetric().Data...)
		c := cross(t, k, z, x)
		centering := gram.Center(g)
		centering.Rows(c)
		r.c, r.centred = c.RawMatrix().Data, g.RawSymmetric().Data
		ny, err := gram.FitNystrom(ctx, kernel.RBF{LengthScale: 2}, x, gram.NystromConfig{Landmarks: 40})
		if err != nil {
			t.Fatal(err)
		}
		f, err := ny.Features(ctx, z)
		if err != nil {
			t.Fatal(err)
		}
		r.features = f.RawMatrix().Data
		fo, err := gram.NewFourier(kernel.RBF{LengthScale: 2}, 13, gram.FourierConfig{Frequencies: 20})
		if err != nil {
			t.Fatal(err)
		}
		if f, err = fo.Features(ctx, z); err != nil {
			t.Fatal(err)
		}
		r.fourier = f.RawMatrix().Data
		return r
	}
	for _, k := range []kernel.Kernel{kernel.RBF{LengthScale: 3}, mixed} {
		runtime.GOMAXPROCS(1)
		want := run(k)
		for _, procs := range []int{2, 8} {
			runtime.GOMAXPROCS(procs)
			got := run(k)
			if !sameBits(got.g, want.g) || !sameBits(got.c, want.c) || !sameBits(got.centred, want.centred) ||
				!sameBits(got.features, want.features) || !sameBits(got.fourier, want.fourier) {
				t.Errorf("%v: other bits with GOMAXPROCS %d than with 1", k, procs)
			}
		}
	}
}

// Property 30: a shift changes nothing for RBF, a rotation nothing for RBF, linear, polynomial.
// 1e-9 is what an offset of 1e6 leaves of the data (2⁻⁵³·1e6 = 1e-10).
func TestShiftAndRotation(t *testing.T) {
	x := gaussian(60, 4, 2)
	shifted := mat.DenseCopyOf(x)
	shifted.Apply(func(_, j int, v float64) float64 { return v + 1e6*float64(j+1)/4 }, shifted)
	k := kernel.RBF{LengthScale: 1}
	if diff := maxDiff(compute(t, k, x), compute(t, k, shifted)); diff > 1e-9 {
		t.Errorf("a shift changes the RBF Gram matrix by %v", diff)
	}
	var qr mat.QR
	qr.Factorize(gaussian(4, 4, 9))
	var q, rotated mat.Dense
	qr.QTo(&q)
	rotated.Mul(x, &q)
	for _, k := range []kernel.Kernel{k, kernel.Linear{}, kernel.Polynomial{Degree: 2, Scale: 0.3, Offset: 1}} {
		if diff := maxDiff(compute(t, k, x), compute(t, k, &rotated)); diff > 1e-12 {
			t.Errorf("%v: a rotation changes the Gram matrix by %v", k, diff)
		}
	}
}

// Property 29: a factor on the kernel is a factor on the matrix.
func TestScaledKernel(t *testing.T) {
	x := gaussian(30, 3, 2)
	for _, k := range rowKernels {
		g, scaled := compute(t, k, x), compute(t, kernel.Scaled{Factor: 8, Kernel: k}, x)
		var want mat.SymDense
		want.ScaleSym(8, g)
		if diff := maxDiff(scaled, &want); diff != 0 {
			t.Errorf("%v: 8·k differs from 8·K by %v", k, diff)
		}
	}
}

func maxDiff(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return mat.Max(absolute(&d))
}

func TestDiagonal(t *testing.T) {
	x := gaussian(20, 5, 1)
	for _, k := range rowKernels {
		got, err := gram.Diagonal(k, x)
		if err != nil {
			t.Fatal(err)
		}
		g := compute(t, k, x)
		for i, v := range got {
			if math.Abs(v-g.At(i, i)) > 1e-14*math.Abs(v) {
				t.Errorf("%v: k(x%d, x%d) = %v but the Gram matrix has %v", k, i, i, v, g.At(i, i))
			}
		}
	}
}

// Inputs of any matrix type give the same values and are not written to.
func TestInputsAreKept(t *testing.T) {
	big := gaussian(21, 9, 1)
	view := big.Slice(1, 20, 2, 7) // stride 9
	x := mat.DenseCopyOf(view)
	before := mat.DenseCopyOf(big)
	transposed := mat.DenseCopyOf(x.T()).T()
	for _, k := range append(rowKernels, kernel.Func{F: func(x, y []float64) float64 { return x[0] * y[0] }}) {
		want := compute(t, k, x)
		for _, same := range []mat.Matrix{view, transposed} {
			if diff := maxDiff(compute(t, k, same), want); diff != 0 {
				t.Errorf("%v: another type of matrix (%T) changes the result by %v", k, same, diff)
			}
		}
		gram.StructuralRank(k, view, true)
		if _, _, err := gram.ComputeCentered(ctx, k, view); err != nil {
			t.Fatal(err)
		}
	}
	if !mat.Equal(big, before) {
		t.Error("the data were written to")
	}
}
