package gram_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

func nystrom(t testing.TB, k kernel.Kernel, x mat.Matrix, cfg gram.NystromConfig) (*gram.Nystrom, *mat.Dense) {
	t.Helper()
	ny, err := gram.FitNystrom(ctx, k, x, cfg)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ny.Features(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	if rows, r := f.Dims(); r != ny.Rank() {
		t.Fatalf("features are %d×%d, want %d columns", rows, r, ny.Rank())
	}
	return ny, f
}

func product(f mat.Matrix) *mat.Dense {
	var k mat.Dense
	k.Mul(f, f.T())
	return &k
}

var factorizations = []gram.Factorization{gram.Automatic, gram.Cholesky, gram.PseudoInverse}

// With every row a landmark, the features' inner products are the Gram matrix.
func TestNystromOfAllRows(t *testing.T) {
	x := gaussian(60, 5, 1)
	for _, k := range []kernel.Kernel{kernel.RBF{LengthScale: 2}, kernel.Laplacian{LengthScale: 3}, mixed} {
		want := compute(t, k, x)
		for _, f := range factorizations {
			ny, features := nystrom(t, k, x, gram.NystromConfig{Landmarks: 60, Factorization: f})
			if ny.Jitter() != 0 {
				t.Errorf("%v: jitter %v for a regular matrix", ny, ny.Jitter())
			}
			if diff := maxDiff(product(features), want); diff > 1e-12*mat.Max(absolute(want)) {
				t.Errorf("%v, factorization %d: inner products differ from K by %v", ny, f, diff)
			}
		}
	}
}

// With fewer landmarks the approximation is exact where a landmark takes part, K − K̂ is
// positive semi-definite, and more landmarks make its trace smaller.
func TestNystromProjection(t *testing.T) {
	x := gaussian(80, 3, 1)
	k := kernel.RBF{LengthScale: 1.5}
	want := compute(t, k, x)
	last := math.Inf(1)
	for m := 10; m <= 40; m += 10 {
		indices := make([]int, m)
		for i := range indices {
			indices[i] = 79 - i
		}
		ny, f := nystrom(t, k, x, gram.NystromConfig{Indices: indices})
		if !slices.Equal(ny.Indices(), indices) || !mat.Equal(ny.Landmarks().RowView(2), x.RowView(77)) {
			t.Errorf("landmarks are %v, want %v", ny.Indices(), indices)
		}
		approx := product(f)
		for i := 80 - m; i < 80; i++ {
			for j := range 80 {
				if d := math.Abs(approx.At(i, j) - want.At(i, j)); d > 1e-10 {
					t.Fatalf("m = %d: entry (%d, %d) of a landmark is off by %v", m, i, j, d)
				}
			}
		}
		rest := mat.NewSymDense(80, nil)
		for i := range 80 {
			for j := i; j < 80; j++ {
				rest.SetSym(i, j, want.At(i, j)-approx.At(i, j))
			}
		}
		var e mat.EigenSym
		if !e.Factorize(rest, false) || e.Values(nil)[0] < -1e-10 {
			t.Errorf("m = %d: K − K̂ has the eigenvalue %v", m, e.Values(nil)[0])
		}
		trace := mat.Trace(rest)
		if !(trace < last) {
			t.Errorf("m = %d: trace of K − K̂ is %v, not below %v with fewer landmarks", m, trace, last)
		}
		last = trace
	}
}

// A singular landmark matrix: repeated landmarks, and a kernel of low rank.
func TestNystromSingular(t *testing.T) {
	x := gaussian(40, 2, 1)
	x.SetRow(7, x.RawRowView(3))
	linear, rbf := kernel.Linear{}, kernel.RBF{LengthScale: 1}
	for _, tc := range []struct {
		name    string
		k       kernel.Kernel
		indices []int
		rank    int
	}{
		{"equal landmarks", rbf, []int{3, 7, 12}, 2},
		{"low rank", linear, []int{0, 1, 2, 3, 4}, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			auto, f := nystrom(t, tc.k, x, gram.NystromConfig{Indices: tc.indices})
			if auto.Rank() != tc.rank {
				t.Errorf("rank %d, want %d", auto.Rank(), tc.rank)
			}
			want, at := compute(t, tc.k, x), tc.indices[0]
			if d := math.Abs(product(f).At(at, 20) - want.At(at, 20)); d > 1e-12 {
				t.Errorf("inner product with a landmark is off by %v", d)
			}
			chol, f := nystrom(t, tc.k, x, gram.NystromConfig{Indices: tc.indices, Factorization: gram.Cholesky})
			if !(chol.Jitter() > 0 && chol.Jitter() < 1e-9) || chol.Rank() != len(tc.indices) {
				t.Errorf("%v: want a small jitter and full rank", chol)
			}
			if d := math.Abs(product(f).At(at, 20) - want.At(at, 20)); d > 1e-6 {
				t.Errorf("with jitter %v an inner product with a landmark is off by %v", chol.Jitter(), d)
			}
		})
	}
}

// A repeated landmark leaves a last pivot of rounding size, of either sign; it must not become a
// feature.
func TestNystromRepeatedLandmark(t *testing.T) {
	x := gaussian(40, 2, 1)
	x.SetRow(7, x.RawRowView(3))
	for i := 8; i < 40; i++ {
		ny, _ := nystrom(t, kernel.RBF{LengthScale: 1}, x, gram.NystromConfig{Indices: []int{i, 3, 0, 7}})
		if ny.Rank() != 3 {
			t.Errorf("landmarks %v, of which two are equal: rank %d, want 3", ny.Indices(), ny.Rank())
		}
	}
}

// Random landmarks are distinct rows, ascending, repeatable, and drawn by Src.
func TestNystromLandmarks(t *testing.T) {
	x := gaussian(30, 2, 1)
	for i := 10; i < 30; i++ {
		x.SetRow(i, x.RawRowView(i-10))
	}
	k := kernel.RBF{LengthScale: 1}
	all, _ := nystrom(t, k, x, gram.NystromConfig{})
	if want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; !slices.Equal(all.Indices(), want) {
		t.Errorf("landmarks are %v, want the distinct rows %v", all.Indices(), want)
	}
	first, _ := nystrom(t, k, x, gram.NystromConfig{Landmarks: 5})
	again, _ := nystrom(t, k, x, gram.NystromConfig{Landmarks: 5, Src: rand.NewPCG(1, 1)})
	other, _ := nystrom(t, k, x, gram.NystromConfig{Landmarks: 5, Src: rand.NewPCG(5, 1)})
	if !slices.Equal(first.Indices(), again.Indices()) || slices.Equal(first.Indices(), other.Indices()) {
		t.Errorf("landmarks are %v, %v by the same seed, %v by another", first.Indices(), again.Indices(), other.Indices())
	}
	if !slices.IsSorted(first.Indices()) || len(first.Indices()) != 5 {
		t.Errorf("landmarks are %v, want 5 in ascending order", first.Indices())
	}
}

func TestNystromErrors(t *testing.T) {
	x := gaussian(10, 2, 1)
	x.SetRow(9, x.RawRowView(0))
	rbf := kernel.RBF{LengthScale: 1}
	indefinite := kernel.Func{Name: "−r²", F: func(x, y []float64) float64 { return 1 - kernel.SquaredDistance(x, y) }}
	for _, tc := range []struct {
		name string
		k    kernel.Kernel
		cfg  gram.NystromConfig
		want error
		text string
	}{
		{"negative", rbf, gram.NystromConfig{Landmarks: -1}, gram.ErrConfig, "Landmarks is -1, want 1 to 9"},
		{"more than distinct rows", rbf, gram.NystromConfig{Landmarks: 10}, gram.ErrConfig, "want 1 to 9"},
		{"index", rbf, gram.NystromConfig{Indices: []int{0, 10}}, gram.ErrConfig, "Indices[1] is 10, want 0 to 9"},
		{"index twice", rbf, gram.NystromConfig{Indices: []int{4, 4}}, gram.ErrConfig, "given before"},
		{"no index", rbf, gram.NystromConfig{Indices: []int{}}, gram.ErrConfig, "at least one"},
		{"two numbers", rbf, gram.NystromConfig{Indices: []int{1}, Landmarks: 2}, gram.ErrConfig, "1 Indices and Landmarks = 2"},
		{"factorization", rbf, gram.NystromConfig{Factorization: 7}, gram.ErrConfig, "Factorization is 7"},
		{"cut-off", rbf, gram.NystromConfig{CutOff: math.NaN()}, gram.ErrConfig, "CutOff is NaN"},
		{"indefinite", indefinite, gram.NystromConfig{}, gram.ErrNotPSD, "eigenvalues"},
		{"indefinite, jitter", indefinite, gram.NystromConfig{Factorization: gram.Cholesky}, gram.ErrNotPSD, "no Cholesky factor"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ny, err := gram.FitNystrom(ctx, tc.k, x, tc.cfg)
			if !errors.Is(err, tc.want) || ny != nil || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("FitNystrom = %v, %v; want %v with %q", ny, err, tc.want, tc.text)
			}
		})
	}
	ny, _ := nystrom(t, rbf, x, gram.NystromConfig{})
	if f, err := ny.Features(ctx, gaussian(3, 4, 1)); !errors.Is(err, gram.ErrShape) || f != nil {
		t.Errorf("Features of another width = %v, %v", f, err)
	}
}

// The mean over frequencies tends to the kernel: 20,000 frequencies have a standard error of at
// most 1/√20000 = 0.0071 k(0); 4.5 of them over 45 pairs are exceeded once in 3,000 kernels.
func TestFourier(t *testing.T) {
	rbf := kernel.RBF{LengthScale: 1.5}
	for _, k := range []kernel.Kernel{
		rbf,
		kernel.Laplacian{LengthScale: 3},
		kernel.Matern{Nu: 0.5, LengthScale: 2},
		kernel.Matern{Nu: 1.5, LengthScale: 2},
		kernel.Matern{Nu: 2.5, LengthScale: 2},
		kernel.Scaled{Factor: 3, Kernel: rbf},
		kernel.Product{Kernels: []kernel.Kernel{rbf, kernel.Scaled{Factor: 2, Kernel: kernel.Laplacian{LengthScale: 5}}}},
		kernel.Sum{Kernels: []kernel.Kernel{rbf, kernel.Scaled{Factor: 0.25, Kernel: kernel.Matern{Nu: 0.5, LengthScale: 9}}}},
	} {
		x := gaussian(10, 3, 4)
		f, err := gram.NewFourier(k, 3, gram.FourierConfig{Frequencies: 20000})
		if err != nil {
			t.Fatal(err)
		}
		z, err := f.Features(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		got, want := product(z), compute(t, k, x)
		k0 := want.At(0, 0)
		if diff := maxDiff(got, want); diff > 4.5*k0/math.Sqrt(20000) {
			t.Errorf("%v: inner products are off by %v", k, diff)
		}
		for i := range 10 {
			if math.Abs(got.At(i, i)-k0) > 1e-13*k0 {
				t.Errorf("%v: |z(x)|² = %v, want %v", k, got.At(i, i), k0)
			}
		}
	}
}

func TestFourierIsSeeded(t *testing.T) {
	k := kernel.RBF{LengthScale: 1}
	var omegas []*mat.Dense
	for _, src := range []rand.Source{nil, rand.NewPCG(1, 1), rand.NewPCG(2, 1)} {
		f, err := gram.NewFourier(k, 2, gram.FourierConfig{Src: src})
		if err != nil {
			t.Fatal(err)
		}
		omegas = append(omegas, f.Frequencies())
	}
	if r, c := omegas[0].Dims(); r != 256 || c != 2 {
		t.Errorf("frequencies are %d×%d, want 256×2", r, c)
	}
	if !mat.Equal(omegas[0], omegas[1]) || mat.Equal(omegas[0], omegas[2]) {
		t.Error("equal seeds must give equal frequencies, other seeds others")
	}
}

func TestFourierErrors(t *testing.T) {
	rbf := kernel.RBF{LengthScale: 1}
	for _, tc := range []struct {
		name string
		k    kernel.Kernel
		d    int
		cfg  gram.FourierConfig
		want error
	}{
		{"nil", nil, 2, gram.FourierConfig{}, kernel.ErrParameter},
		{"parameter", kernel.RBF{}, 2, gram.FourierConfig{}, kernel.ErrParameter},
		{"not stationary", kernel.Linear{}, 2, gram.FourierConfig{}, gram.ErrConfig},
		{"part not stationary", kernel.Sum{Kernels: []kernel.Kernel{rbf, kernel.Cosine{}}}, 2, gram.FourierConfig{}, gram.ErrConfig},
		{"no known density", kernel.InverseMultiquadric{LengthScale: 1}, 2, gram.FourierConfig{}, gram.ErrConfig},
		{"dimension", rbf, 0, gram.FourierConfig{}, gram.ErrConfig},
		{"frequencies", rbf, 2, gram.FourierConfig{Frequencies: -1}, gram.ErrConfig},
		{"too many", rbf, 1 << 20, gram.FourierConfig{Frequencies: 1 << 20}, gram.ErrTooLarge},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if f, err := gram.NewFourier(tc.k, tc.d, tc.cfg); !errors.Is(err, tc.want) || f != nil {
				t.Errorf("NewFourier = %v, %v; want %v", f, err, tc.want)
			}
		})
	}
	f, err := gram.NewFourier(rbf, 2, gram.FourierConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		x    mat.Matrix
		want error
	}{
		{gaussian(3, 4, 1), gram.ErrShape},
		{mat.NewDense(1, 2, []float64{1, math.NaN()}), gram.ErrNotFinite},
		{mat.NewDense(1, 2, []float64{1e308, 1e308}), gram.ErrNotFinite},
	} {
		if z, err := f.Features(ctx, tc.x); !errors.Is(err, tc.want) || z != nil {
			t.Errorf("Features = %v, %v; want %v", z, err, tc.want)
		}
	}
}
