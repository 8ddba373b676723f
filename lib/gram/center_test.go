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

// naive returns J K J by matrix products.
func naive(k mat.Matrix) *mat.Dense {
	n, _ := k.Dims()
	j := mat.NewDense(n, n, nil)
	j.Apply(func(a, b int, _ float64) float64 {
		if a == b {
			return 1 - 1/float64(n)
		}
		return -1 / float64(n)
	}, j)
	var c mat.Dense
	c.Product(j, k, j)
	return &c
}

// Property 1, and J K J itself. Sizes around the blocks of 64 and 256.
func TestCenter(t *testing.T) {
	for _, n := range []int{1, 2, 5, 64, 65, 255, 256, 261, 600} {
		x := gaussian(n, 4, uint64(n))
		for _, k := range rowKernels {
			g := compute(t, k, x)
			largest := mat.Max(absolute(g))
			want := naive(g)
			means := gram.Center(g)
			if diff := maxDiff(g, want); diff > 1e-14*largest {
				t.Errorf("%v, n = %d: differs from J K J by %v", k, n, diff)
			}
			raw := g.RawSymmetric()
			for i := range n {
				var sum float64
				for j := range n {
					sum += raw.Data[i*raw.Stride+j]
					if raw.Data[i*raw.Stride+j] != raw.Data[j*raw.Stride+i] {
						t.Fatalf("%v, n = %d: not symmetric at (%d, %d)", k, n, i, j)
					}
				}
				if math.Abs(sum) > 1e-15*float64(n)*largest {
					t.Errorf("%v, n = %d: row %d sums to %v", k, n, i, sum)
				}
				if d := g.At(i, i); d < -1e-15*float64(n)*largest && !strings.HasPrefix(k.String(), "Sigmoid") {
					t.Errorf("%v, n = %d: diagonal entry %d is %v", k, n, i, d)
				}
			}
			if len(means.RowMeans) != n {
				t.Errorf("%d row means, want %d", len(means.RowMeans), n)
			}
		}
	}
}

// Only the upper triangle is read, of a part of a larger matrix too.
func TestCenterReadsUpperTriangle(t *testing.T) {
	g := compute(t, kernel.RBF{LengthScale: 1}, gaussian(300, 2, 1))
	want := mat.NewSymDense(300, nil)
	want.CopySym(g)
	gram.Center(want)

	large := mat.NewSymDense(303, nil)
	for i := range 300 {
		for j := i; j < 300; j++ {
			large.SetSym(i, j, g.At(i, j))
		}
	}
	raw := large.RawSymmetric()
	for i := range 300 {
		for j := range i {
			raw.Data[i*raw.Stride+j] = math.NaN()
		}
	}
	part := large.SliceSym(0, 300).(*mat.SymDense)
	gram.Center(part)
	for i := range 300 {
		for j := range 300 {
			if v := raw.Data[i*raw.Stride+j]; v != want.At(i, j) {
				t.Fatalf("entry (%d, %d) is %v, want %v", i, j, v, want.At(i, j))
			}
		}
	}
	if v := large.At(300, 301); v != 0 {
		t.Errorf("an entry outside the part became %v", v)
	}
}

func TestCenterEmpty(t *testing.T) {
	if c := gram.Center(&mat.SymDense{}); c.RowMeans != nil || c.GrandMean != 0 {
		t.Errorf("Center of an empty matrix = %v", c)
	}
}

// Property 2: a training row, centred as if new, is the row of K_c, bit for bit.
func TestCenterTrainingRowsAsNew(t *testing.T) {
	for _, n := range []int{1, 7, 256, 301} {
		x := gaussian(n, 3, 1)
		for _, k := range rowKernels {
			g, rows := compute(t, k, x), cross(t, k, x, x)
			diagonal, err := gram.Diagonal(k, x)
			if err != nil {
				t.Fatal(err)
			}
			largest := mat.Max(absolute(g))
			means := gram.Center(g)
			for i, v := range diagonal {
				norm := means.SquaredNorm(v, rows.RawRowView(i))
				if want := max(0, g.At(i, i)); math.Abs(norm-want) > 1e-14*largest {
					t.Errorf("%v: squared norm of training row %d is %v, want %v", k, i, norm, want)
				}
			}
			means.Rows(rows)
			for i := range n {
				for j := range n {
					if v, w := rows.At(i, j), g.At(i, j); v != w {
						t.Fatalf("%v, n = %d: (%d, %d) is %v as new, %v in K_c", k, n, i, j, v, w)
					}
				}
			}
		}
	}
}

// Every centred row sums to zero, of new points too.
func TestRowsSumToZero(t *testing.T) {
	x, z := gaussian(300, 3, 1), gaussian(20, 3, 2)
	k := kernel.RBF{LengthScale: 1}
	means := gram.Center(compute(t, k, x))
	rows := cross(t, k, z, x)
	means.Rows(rows)
	for i := range 20 {
		if s := mat.Sum(rows.RowView(i)); math.Abs(s) > 1e-13 {
			t.Errorf("row %d sums to %v", i, s)
		}
	}
}

func TestRowsOfOtherLength(t *testing.T) {
	c := gram.Centering{RowMeans: make([]float64, 3)}
	for _, f := range []func(){
		func() { c.Rows(mat.NewDense(2, 4, nil)) },
		func() { c.SquaredNorm(1, make([]float64, 4)) },
	} {
		func() {
			defer func() {
				if s, ok := recover().(string); !ok || !strings.Contains(s, "4 kernel values") {
					t.Errorf("recovered %v, want a message with both lengths", s)
				}
			}()
			f()
		}()
	}
}

// Property 3: the linear kernel's K_c is the Gram matrix of mean-subtracted data.
func TestLinearCentred(t *testing.T) {
	x := gaussian(50, 4, 1)
	centred := mat.DenseCopyOf(x)
	for j := range 4 {
		mean := mat.Sum(x.ColView(j)) / 50
		for i := range 50 {
			centred.Set(i, j, x.At(i, j)-mean)
		}
	}
	var want mat.Dense
	want.Mul(centred, centred.T())
	after := compute(t, kernel.Linear{}, x)
	gram.Center(after)
	if diff := maxDiff(after, &want); diff > 1e-13 {
		t.Errorf("Center differs from the mean-subtracted product by %v", diff)
	}
	before, _, err := gram.ComputeCentered(ctx, kernel.Linear{}, x)
	if err != nil {
		t.Fatal(err)
	}
	if diff := maxDiff(before, &want); diff > 1e-13 {
		t.Errorf("ComputeCentered differs from the mean-subtracted product by %v", diff)
	}
}

// ComputeCentered equals Compute and Center, and its means those of the uncentred matrix.
func TestComputeCentered(t *testing.T) {
	x, z := gaussian(70, 3, 1), gaussian(9, 3, 2)
	for _, k := range append(rowKernels,
		kernel.Scaled{Factor: 3, Kernel: kernel.Linear{}},
		kernel.Sum{Kernels: []kernel.Kernel{kernel.Linear{}, kernel.RBF{LengthScale: 2}}},
		kernel.Product{Kernels: []kernel.Kernel{kernel.RBF{LengthScale: 2}, kernel.Laplacian{LengthScale: 2}}},
		kernel.Func{F: kernel.Dot},
	) {
		want := compute(t, k, x)
		largest := mat.Max(absolute(want))
		means := gram.Center(want)
		got, c, err := gram.ComputeCentered(ctx, k, x)
		if err != nil {
			t.Fatal(err)
		}
		if diff := maxDiff(got, want); diff > 1e-14*largest {
			t.Errorf("%v: differs from Compute and Center by %v", k, diff)
		}
		if math.Abs(c.GrandMean-means.GrandMean) > 1e-14*largest {
			t.Errorf("%v: grand mean %v, want %v", k, c.GrandMean, means.GrandMean)
		}
		for i, m := range means.RowMeans {
			if math.Abs(c.RowMeans[i]-m) > 1e-14*largest {
				t.Errorf("%v: mean of row %d is %v, want %v", k, i, c.RowMeans[i], m)
			}
		}
		rows := cross(t, k, z, x)
		diagonal, err := gram.Diagonal(k, z)
		if err != nil {
			t.Fatal(err)
		}
		for i := range diagonal {
			diagonal[i] = means.SquaredNorm(diagonal[i], rows.RawRowView(i))
		}
		means.Rows(rows)
		gotRows, norms, err := gram.CrossCentered(ctx, k, z, x, c)
		if err != nil {
			t.Fatal(err)
		}
		if diff := maxDiff(gotRows, rows); diff > 1e-14*largest {
			t.Errorf("%v: CrossCentered differs from Cross and Rows by %v", k, diff)
		}
		for i, v := range diagonal {
			if math.Abs(norms[i]-v) > 2e-14*largest {
				t.Errorf("%v: squared norm of row %d is %v, want %v", k, i, norms[i], v)
			}
		}
	}
}

// With an offset of 1e6 the centred linear matrix keeps the digits that the data have, training
// rows as new rows are the same bits, and rows sum to zero.
func TestCentredLinearWithOffset(t *testing.T) {
	x := gaussian(90, 3, 1)
	shifted := mat.DenseCopyOf(x)
	shifted.Apply(func(_, _ int, v float64) float64 { return v + 1e6 }, shifted)
	for _, k := range []kernel.Kernel{
		kernel.Linear{},
		kernel.Scaled{Factor: 2, Kernel: kernel.Sum{Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Linear{}}}},
	} {
		want, _, err := gram.ComputeCentered(ctx, k, x)
		if err != nil {
			t.Fatal(err)
		}
		got, c, err := gram.ComputeCentered(ctx, k, shifted)
		if err != nil {
			t.Fatal(err)
		}
		if diff := maxDiff(got, want); diff > 1e-8 { // the data lose 1e-10 when shifted
			t.Errorf("%v: the offset changes K_c by %v", k, diff)
		}
		rows, norms, err := gram.CrossCentered(ctx, k, shifted, shifted, c)
		if err != nil {
			t.Fatal(err)
		}
		if diff := maxDiff(rows, got); diff != 0 {
			t.Errorf("%v: training rows as new ones differ by %v", k, diff)
		}
		for i := range 90 {
			if math.Abs(norms[i]-got.At(i, i)) > 1e-13 {
				t.Errorf("%v: squared norm %d is %v, want %v", k, i, norms[i], got.At(i, i))
			}
			if s := mat.Sum(rows.RowView(i)); math.Abs(s) > 1e-11 {
				t.Errorf("%v: row %d sums to %v", k, i, s)
			}
		}
	}
}

func TestCrossCenteredErrors(t *testing.T) {
	x := gaussian(5, 2, 1)
	_, _, err := gram.CrossCentered(ctx, kernel.Linear{}, x, x, gram.Centering{RowMeans: make([]float64, 4)})
	if !errors.Is(err, gram.ErrShape) || !strings.Contains(err.Error(), "for 4 points, x has 5") {
		t.Errorf("error is %v, want ErrShape with both sizes", err)
	}
}

// A linear part beside a stationary one, far from the origin: training rows as new rows are those
// of K_c, and so are their squared norms.
func TestCentredSumWithOffset(t *testing.T) {
	k := kernel.Sum{Kernels: []kernel.Kernel{kernel.Scaled{Factor: 0.5, Kernel: kernel.Linear{}}, kernel.RBF{LengthScale: 1}}}
	x := gaussian(40, 3, 2)
	want, _, err := gram.ComputeCentered(ctx, k, x)
	if err != nil {
		t.Fatal(err)
	}
	for _, offset := range []float64{0, 10, 1e3, 1e6} {
		shifted := mat.DenseCopyOf(x)
		shifted.Apply(func(_, _ int, v float64) float64 { return v + offset }, shifted)
		_, c, err := gram.ComputeCentered(ctx, k, shifted)
		if err != nil {
			t.Fatal(err)
		}
		rows, norms, err := gram.CrossCentered(ctx, k, shifted, shifted, c)
		if err != nil {
			t.Fatal(err)
		}
		tol := 1e-11 + 1e-14*offset // the data lose 1e-16 of the offset
		if diff := maxDiff(rows, want); diff > tol {
			t.Errorf("offset %g: training rows as new ones differ by %.3g", offset, diff)
		}
		for i, v := range norms {
			if math.Abs(v-want.At(i, i)) > tol {
				t.Errorf("offset %g: squared norm %d is %v, want %v", offset, i, v, want.At(i, i))
			}
		}
	}
}
