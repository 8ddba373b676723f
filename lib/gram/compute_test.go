package gram_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"runtime"
	"strings"
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

func TestBadInput(t *testing.T) {
	nan := gaussian(4, 3, 1)
	nan.Set(2, 1, math.NaN())
	inf := gaussian(4, 3, 1)
	inf.Set(3, 0, math.Inf(-1))
	zero := gaussian(4, 3, 1)
	zero.SetRow(2, []float64{0, 0, 0})
	good, wide, empty := gaussian(4, 3, 1), gaussian(4, 5, 1), &mat.Dense{}
	rbf := kernel.RBF{LengthScale: 1}
	cosine := kernel.Sum{Kernels: []kernel.Kernel{rbf, kernel.Cosine{}}}
	for _, tc := range []struct {
		name string
		k    kernel.Kernel
		z, x mat.Matrix
		want error
		text string
	}{
		{"no kernel", nil, good, good, kernel.ErrParameter, "nil"},
		{"length scale", kernel.RBF{LengthScale: -1}, good, good, kernel.ErrParameter, "-1"},
		{"nil data", rbf, good, nil, gram.ErrShape, "x is nil"},
		{"nil pointer", rbf, good, (*mat.Dense)(nil), gram.ErrShape, "x is nil"},
		{"empty", rbf, good, empty, gram.ErrShape, "x is 0×0"},
		{"empty new rows", rbf, empty, good, gram.ErrShape, "z is 0×0"},
		{"width", rbf, wide, good, gram.ErrShape, "z has 5 columns, want 3"},
		{"NaN", rbf, good, nan, gram.ErrNotFinite, "x has NaN at row 2, column 1"},
		{"Inf", rbf, good, inf, gram.ErrNotFinite, "x has -Inf at row 3, column 0"},
		{"NaN in new rows", rbf, nan, good, gram.ErrNotFinite, "z has NaN at row 2, column 1"},
		{"zero row", cosine, good, zero, kernel.ErrDomain, "row 2 of x"},
		{"zero new row", cosine, zero, good, kernel.ErrDomain, "row 2 of z"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			check := func(what string, result any, err error) {
				if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.text) {
					t.Errorf("%s: error is %v; want %v with %q", what, err, tc.want, tc.text)
				}
				if m, ok := result.(*mat.Dense); ok && m != nil {
					t.Errorf("%s returned a matrix beside an error", what)
				}
			}
			c, err := gram.Cross(ctx, tc.k, tc.z, tc.x)
			check("Cross", c, err)
			if strings.Contains(tc.text, "z ") || strings.Contains(tc.text, "of z") {
				return
			}
			_, err = gram.Compute(ctx, tc.k, tc.x)
			check("Compute", nil, err)
			_, err = gram.Diagonal(tc.k, tc.x)
			check("Diagonal", nil, err)
			_, _, err = gram.ComputeCentered(ctx, tc.k, tc.x)
			check("ComputeCentered", nil, err)
			_, err = gram.FitNystrom(ctx, tc.k, tc.x, gram.NystromConfig{Landmarks: 3})
			if tc.want != kernel.ErrDomain { // the zero row may not be a landmark
				check("FitNystrom", nil, err)
			}
			if rank, known := gram.StructuralRank(tc.k, tc.x, true); known && tc.want != kernel.ErrDomain {
				t.Errorf("StructuralRank = %d, known", rank)
			}
		})
	}
}

// Values that overflow are an error that names the first, on both paths.
func TestOverflow(t *testing.T) {
	x := gaussian(300, 2, 1)
	x.SetRow(250, []float64{1e120, 0})
	cube := kernel.Polynomial{Degree: 3, Scale: 1, Offset: 1}
	for _, k := range []kernel.Kernel{cube, kernel.Func{Name: "cube", F: cube.Eval}} {
		if _, err := gram.Compute(ctx, k, x); !errors.Is(err, gram.ErrNotFinite) || !strings.Contains(err.Error(), "250") {
			t.Errorf("Compute(%v): %v; want ErrNotFinite that names row or column 250", k, err)
		}
		if _, err := gram.Cross(ctx, k, x, x); !errors.Is(err, gram.ErrNotFinite) {
			t.Errorf("Cross(%v): %v; want ErrNotFinite", k, err)
		}
	}
	if _, err := gram.Diagonal(cube, x); !errors.Is(err, gram.ErrNotFinite) {
		t.Errorf("Diagonal: %v; want ErrNotFinite", err)
	}
	// distances that overflow are just far
	x.SetRow(250, []float64{1e200, -1e200})
	g := compute(t, kernel.RBF{LengthScale: 1}, x)
	if g.At(250, 250) != 1 || g.At(250, 3) != 0 || g.At(1, 1) != 1 || !(g.At(0, 1) > 0) {
		t.Errorf("kernel values beside a row of 1e200: %v, %v, %v, %v; want 1, 0, 1, above 0",
			g.At(250, 250), g.At(250, 3), g.At(1, 1), g.At(0, 1))
	}
}

func TestFuncIsCalledHere(t *testing.T) {
	x := gaussian(20, 2, 1)
	calls := 0 // not guarded: the race detector would see calls from elsewhere
	k := kernel.Func{Name: "counting", F: func(x, y []float64) float64 {
		calls++
		return kernel.Dot(x, y)
	}}
	if diff := maxDiff(compute(t, k, x), compute(t, kernel.Linear{}, x)); diff > 1e-15 {
		t.Errorf("Func differs from Linear by %v", diff)
	}
	if want := 20*21/2 + 19; calls != want {
		t.Errorf("%d calls, want %d", calls, want)
	}
	defer func() {
		if r := recover(); r != "mine" {
			t.Errorf("recovered %v, want the panic of the function", r)
		}
	}()
	gram.Compute(ctx, kernel.Func{F: func(x, y []float64) float64 { panic("mine") }}, x)
}

func TestAsymmetricFunc(t *testing.T) {
	k := kernel.Func{Name: "skew", F: func(x, y []float64) float64 { return x[0] + 2*y[0] }}
	if _, err := gram.Compute(ctx, k, gaussian(5, 1, 1)); !errors.Is(err, gram.ErrNotSymmetric) {
		t.Errorf("Compute: %v, want ErrNotSymmetric", err)
	}
}

// A kernel of the fast path that panics ends the call, not the process.
type panicking struct{ kernel.RBF }

func (panicking) EvalRow([]float64, kernel.Row) { panic("out of order") }

func TestPanicInRow(t *testing.T) {
	k := panicking{kernel.RBF{LengthScale: 1}}
	for _, err := range []error{
		func() error { _, err := gram.Compute(ctx, k, gaussian(500, 2, 1)); return err }(),
		func() error { _, err := gram.Cross(ctx, k, gaussian(500, 2, 1), gaussian(500, 2, 1)); return err }(),
	} {
		if !errors.Is(err, gram.ErrKernel) || !strings.Contains(err.Error(), "out of order") {
			t.Errorf("error is %v, want ErrKernel with the panic", err)
		}
	}
}

func TestCancel(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	x := gaussian(500, 2, 1)
	for _, k := range []kernel.Kernel{kernel.RBF{LengthScale: 1}, kernel.Func{F: kernel.Dot}} {
		if g, err := gram.Compute(done, k, x); !errors.Is(err, context.Canceled) || g != nil {
			t.Errorf("Compute(%v): %v, want context.Canceled", k, err)
		}
		if c, err := gram.Cross(done, k, x, x); !errors.Is(err, context.Canceled) || c != nil {
			t.Errorf("Cross(%v): %v, want context.Canceled", k, err)
		}
	}
	// in the middle of the work
	later, cancel := context.WithCancel(context.Background())
	calls := 0
	k := kernel.Func{F: func(x, y []float64) float64 {
		if calls++; calls == 1000 {
			cancel()
		}
		return kernel.Dot(x, y)
	}}
	if _, err := gram.Compute(later, k, x); !errors.Is(err, context.Canceled) || calls > 2000 {
		t.Errorf("Compute: %v after %d calls, want context.Canceled soon after 1000", err, calls)
	}
}

func TestTooLarge(t *testing.T) {
	defer func(old int64) { gram.MaxBytes = old }(gram.MaxBytes)
	gram.MaxBytes = 8 * 50 * 50
	rbf := kernel.RBF{LengthScale: 1}
	if _, err := gram.Compute(ctx, rbf, gaussian(50, 1, 1)); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	x := gaussian(51, 1, 1)
	_, err := gram.Compute(ctx, rbf, x)
	if !errors.Is(err, gram.ErrTooLarge) || !strings.Contains(err.Error(), "MaxBytes = 20000") {
		t.Errorf("Compute: %v, want ErrTooLarge that names the limit", err)
	}
	if _, err := gram.Cross(ctx, rbf, x, x); !errors.Is(err, gram.ErrTooLarge) {
		t.Errorf("Cross: %v, want ErrTooLarge", err)
	}
	if _, err := gram.Precomputed(mat.NewDense(51, 51, nil)); !errors.Is(err, gram.ErrTooLarge) {
		t.Errorf("Precomputed: %v, want ErrTooLarge", err)
	}
}
