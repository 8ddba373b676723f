package kpca_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
)

func with(x *mat.Dense, i, j int, v float64) *mat.Dense {
	c := mat.DenseCopyOf(x)
	c.Set(i, j, v)
	return c
}

func TestFitErrors(t *testing.T) {
	x := gaussian(8, 2, 1)
	rbf := kernel.RBF{LengthScale: 1}
	constant := mat.NewDense(5, 2, []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2})
	large := mat.NewDense(3, 1, []float64{1e8, 1e8, 1e8})
	for _, tc := range []struct {
		name string
		x    mat.Matrix
		k    kernel.Kernel
		cfg  kpca.Config
		want error
		text string
	}{
		{"nil", nil, rbf, kpca.Config{Latent: 1}, gram.ErrShape, ""},
		{"empty", &mat.Dense{}, rbf, kpca.Config{Latent: 1}, gram.ErrShape, "0×0"},
		{"NaN", with(x, 3, 1, math.NaN()), rbf, kpca.Config{Latent: 1}, gram.ErrNotFinite, "row 3, column 1"},
		{"Inf", with(x, 0, 0, math.Inf(-1)), rbf, kpca.Config{Latent: 1}, gram.ErrNotFinite, "row 0, column 0"},
		{"one row", gaussian(1, 2, 1), rbf, kpca.Config{}, kpca.ErrNoVariance, ""},
		{"constant, RBF", constant, rbf, kpca.Config{}, kpca.ErrNoVariance, "5 rows"},
		{"constant, linear", constant, kernel.Linear{}, kpca.Config{}, kpca.ErrNoVariance, ""},
		{"constant, polynomial", large, kernel.Polynomial{Degree: 3, Scale: 1, Offset: 1}, kpca.Config{}, kpca.ErrNoVariance, ""},
		{"Latent < 0", x, rbf, kpca.Config{Latent: -1}, kpca.ErrConfig, "Latent is -1"},
		{"Latent > N−1", x, rbf, kpca.Config{Latent: 8}, kpca.ErrConfig, "want 1 to 7"},
		{"Latent > rank", x, kernel.Linear{}, kpca.Config{Latent: 3}, kpca.ErrConfig, "want 1 to 2"},
		{"tolerance", x, rbf, kpca.Config{RankTolerance: math.NaN()}, kpca.ErrConfig, "RankTolerance is NaN"},
		{"trace beyond 1e300", x, kernel.Scaled{Factor: 1e302, Kernel: rbf}, kpca.Config{Latent: 1}, gram.ErrNotFinite, "scale the data or the kernel"},
		{"no kernel", x, nil, kpca.Config{Latent: 1}, kernel.ErrParameter, ""},
		{"length scale 0", x, kernel.RBF{}, kpca.Config{Latent: 1}, kernel.ErrParameter, "LengthScale"},
		{"length scale NaN", x, kernel.RBF{LengthScale: math.NaN()}, kpca.Config{Latent: 1}, kernel.ErrParameter, ""},
		{"degree 0", x, kernel.Polynomial{Scale: 1}, kpca.Config{Latent: 1}, kernel.ErrParameter, "Degree"},
		{"zero row, cosine", with(with(x, 2, 0, 0), 2, 1, 0), kernel.Cosine{}, kpca.Config{Latent: 1}, kernel.ErrDomain, "row 2"},
		{"indefinite", x, kernel.Func{Name: "minus", F: func(x, y []float64) float64 {
			return -kernel.SquaredDistance(x, y) * kernel.SquaredDistance(x, y)
		}}, kpca.Config{Latent: 1}, gram.ErrNotPSD, "smallest eigenvalue"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := kpca.Fit(ctx, tc.x, tc.k, tc.cfg)
			if !errors.Is(err, tc.want) || m != nil {
				t.Fatalf("Fit = %v, %v; want nil and %v", m, err, tc.want)
			}
			if !strings.Contains(err.Error(), tc.text) {
				t.Errorf("the error %q does not say %q", err, tc.text)
			}
		})
	}
}

// A small spread far from the origin is variance: no digits are lost for the linear kernel.
func TestLargeOffsetIsNotConstant(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{1e8, 1e8 + 1e-3, 1e8 - 1e-3})
	m := fit(t, x, kernel.Linear{}, kpca.Config{Latent: 1})
	if v := m.Eigenvalues()[0]; math.Abs(v-2e-6) > 1e-10 {
		t.Errorf("λ₁ = %v, want 2e-6", v)
	}
}

func TestFitGramErrors(t *testing.T) {
	indefinite := func(n int) *mat.SymDense {
		k := mat.NewSymDense(n, nil)
		for i := range n {
			k.SetSym(i, i, float64(n-i))
		}
		k.SetSym(n-1, n-1, -1e-3)
		return k
	}
	for _, tc := range []struct {
		name string
		k    mat.Matrix
		cfg  kpca.Config
		want error
	}{
		{"nil", nil, kpca.Config{Latent: 1}, gram.ErrShape},
		{"not square", mat.NewDense(2, 3, nil), kpca.Config{Latent: 1}, gram.ErrShape},
		{"not symmetric", mat.NewDense(3, 3, []float64{1, 2, 0, 0, 1, 0, 0, 0, 1}), kpca.Config{Latent: 1}, gram.ErrNotSymmetric},
		{"NaN", mat.NewDense(2, 2, []float64{1, math.NaN(), math.NaN(), 1}), kpca.Config{Latent: 1}, gram.ErrNotFinite},
		{"zero", mat.NewDense(3, 3, nil), kpca.Config{}, kpca.ErrNoVariance},
		{"constant", mat.NewDense(2, 2, []float64{3, 3, 3, 3}), kpca.Config{}, kpca.ErrNoVariance},
		{"indefinite", mat.NewDense(3, 3, []float64{0, 1, 1, 1, 0, 1, 1, 1, 0}), kpca.Config{Latent: 1}, gram.ErrNotPSD},
		{"indefinite, full", indefinite(40), kpca.Config{Latent: 2, Uncentred: true}, gram.ErrNotPSD},
		{"indefinite, leading", indefinite(400), kpca.Config{Latent: 2, Uncentred: true}, gram.ErrNotPSD},
		{"Latent > rank", mat.NewDense(3, 3, []float64{1, -1, 0, -1, 1, 0, 0, 0, 0}), kpca.Config{Latent: 2}, kpca.ErrConfig},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if m, err := kpca.FitGram(ctx, tc.k, tc.cfg); !errors.Is(err, tc.want) || m != nil {
				t.Errorf("FitGram = %v, %v; want nil and %v", m, err, tc.want)
			}
		})
	}
	// A negative eigenvalue of the size of rounding counts as zero.
	k := indefinite(40)
	k.SetSym(39, 39, -1e-8)
	if _, err := kpca.FitGram(ctx, k, kpca.Config{Latent: 2, Uncentred: true}); err != nil {
		t.Errorf("eigenvalue −2.5e-10 of the largest: %v", err)
	}
}

func TestTransformErrors(t *testing.T) {
	x := gaussian(8, 2, 2)
	m := fit(t, x, kernel.RBF{LengthScale: 1}, kpca.Config{Latent: 2})
	nan := mat.NewDense(1, 8, nil)
	nan.Set(0, 5, math.NaN())
	short := mat.NewDense(1, 7, nil)
	for name, call := range map[string]func() error{
		"width of z":           func() error { _, err := m.Transform(ctx, gaussian(3, 3, 1)); return err },
		"width of kc":          func() error { _, err := m.TransformRows(short); return err },
		"width of k":           func() error { _, err := m.CentreRows(short); return err },
		"width in Reconstruct": func() error { _, err := m.Reconstruct(short); return err },
		"FeaturePoints, nil":   func() error { _, err := m.FeaturePoints(nil); return err },
		"FeaturePoints":        func() error { _, err := m.FeaturePoints(short); return err },
		"FromScores":           func() error { _, err := m.FromScores(short); return err },
		"nil rows":             func() error { _, err := m.TransformRows(nil); return err },
		"no rows":              func() error { _, err := m.TransformRows(&mat.Dense{}); return err },
	} {
		if err := call(); !errors.Is(err, gram.ErrShape) {
			t.Errorf("%s: %v, want ErrShape", name, err)
		}
	}
	for name, call := range map[string]func() error{
		"z":             func() error { _, err := m.Transform(ctx, with(x, 1, 1, math.Inf(1))); return err },
		"kc":            func() error { _, err := m.TransformRows(nan); return err },
		"FeaturePoints": func() error { _, err := m.FeaturePoints(nan); return err },
	} {
		if err := call(); !errors.Is(err, gram.ErrNotFinite) {
			t.Errorf("%s with NaN: %v, want ErrNotFinite", name, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := kpca.Fit(cancelled, x, m.Kernel(), kpca.Config{Latent: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("Fit after cancellation: %v", err)
	}
	if _, err := m.Transform(cancelled, x); !errors.Is(err, context.Canceled) {
		t.Errorf("Transform after cancellation: %v", err)
	}
}
