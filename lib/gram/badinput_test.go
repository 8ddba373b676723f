package gram_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

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
	// values that are finite but not their sums
	big := kernel.Scaled{Factor: 1e307, Kernel: kernel.RBF{LengthScale: 1e9}}
	if g, c, err := gram.ComputeCentered(ctx, big, x.Slice(0, 200, 0, 2)); !errors.Is(err, gram.ErrNotFinite) || g != nil || c.RowMeans != nil {
		t.Errorf("ComputeCentered(%v): %v; want ErrNotFinite", big, err)
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
