package kpca_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
)

// toy is a noisy curve in the plane, with its model of q axes and the points of the training rows.
func toy(t testing.TB, q int) (*mat.Dense, *kpca.Model, gram.FeaturePoints) {
	t.Helper()
	const n = 60
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		u := -1 + 2*float64(i)/(n-1)
		x.SetRow(i, []float64{3*u + 0.15*math.Sin(37*float64(i)), 2*math.Sin(math.Pi*u) + 0.15*math.Cos(53*float64(i))})
	}
	m := fit(t, x, kernel.RBF{LengthScale: 2}, kpca.Config{Latent: q})
	rows, _, err := m.Rows(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	return x, m, must[gram.FeaturePoints](t)(m.FeaturePoints(rows))
}

func rms(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	r, _ := d.Dims()
	return mat.Norm(&d, 2) / math.Sqrt(float64(r))
}

// With all the variance kept, φ(x̂) = φ(x) has one solution, x̂ = x: the fixed point finds it, the
// smoother does not.
func TestFixedPointInverts(t *testing.T) {
	x, m, points := toy(t, 25)
	method := must[*kpca.FixedPoint](t)(kpca.NewFixedPoint(x, m.Kernel(), kpca.FixedPointConfig{}))
	images := must[*mat.Dense](t)(method.PreImages(ctx, points))
	if e := rms(images, x); e > 1e-4 {
		t.Errorf("fixed point: RMS error %g, want about the square root of the lost variance, below 1e-4", e)
	}
	smoother := must[*kpca.Smoother](t)(kpca.NewSmoother(x, kpca.SmootherConfig{}))
	if e := rms(must[*mat.Dense](t)(smoother.PreImages(ctx, points)), x); math.Abs(e-0.921) > 0.001 {
		t.Errorf("smoother: RMS error %g, the known floor of the toy is 0.921", e)
	}
}

// The fixed point minimises the distance in feature space: none of the others is nearer, and no
// neighbour of its result is.
func TestFixedPointMinimises(t *testing.T) {
	x, m, points := toy(t, 3)
	scores := transform(t, m, x)
	methods := map[string]kpca.PreImage{
		"smoother":   must[*kpca.Smoother](t)(kpca.NewSmoother(x, kpca.SmootherConfig{})),
		"nearest":    must[*kpca.Smoother](t)(kpca.NewSmoother(x, kpca.SmootherConfig{Nearest: 10})),
		"clipped":    must[*kpca.Smoother](t)(kpca.NewSmoother(x, kpca.SmootherConfig{ClipNegative: true})),
		"barycentre": must[*kpca.Barycentre](t)(kpca.NewBarycentre(x)),
		"ridge":      must[*kpca.Ridge](t)(kpca.NewRidge(ctx, x, scores, m.Kernel(), kpca.RidgeConfig{})),
	}
	method := must[*kpca.FixedPoint](t)(kpca.NewFixedPoint(x, m.Kernel(), kpca.FixedPointConfig{}))
	images := must[*mat.Dense](t)(method.PreImages(ctx, points))
	best := must[[]float64](t)(m.PreImageErrors(ctx, images, points))
	for name, other := range methods {
		errs := must[[]float64](t)(m.PreImageErrors(ctx, must[*mat.Dense](t)(other.PreImages(ctx, points)), points))
		for i, e := range errs {
			if best[i] > e+1e-7 {
				t.Errorf("point %d: distance %g, but %s has %g", i, best[i], name, e)
			}
		}
	}
	for _, step := range [][2]float64{{1e-3, 0}, {-1e-3, 0}, {0, 1e-3}, {0, -1e-3}} {
		var moved mat.Dense
		moved.Apply(func(_, j int, v float64) float64 { return v + step[j] }, images)
		for i, e := range must[[]float64](t)(m.PreImageErrors(ctx, &moved, points)) {
			if e < best[i]-1e-9 {
				t.Errorf("point %d: moved by %v the distance falls from %g to %g", i, step, best[i], e)
			}
		}
	}
}

// Pre-images follow the training rows: permuting them, or scaling the kernel, changes nothing.
func TestPreImagesInvariant(t *testing.T) {
	x, m, _ := toy(t, 3)
	z := gaussian(5, 2, 3)
	order := make([]int, 60)
	for i := range order {
		order[i] = (7*i + 3) % 60
	}
	shuffled := permuted(x, order)
	images := func(x *mat.Dense, k kernel.Kernel) []*mat.Dense {
		m := fit(t, x, k, kpca.Config{Latent: 3})
		rows, _, err := m.Rows(ctx, z)
		if err != nil {
			t.Fatal(err)
		}
		points := must[gram.FeaturePoints](t)(m.FeaturePoints(rows))
		var all []*mat.Dense
		for _, method := range []kpca.PreImage{
			must[*kpca.Smoother](t)(kpca.NewSmoother(x, kpca.SmootherConfig{Nearest: 9})),
			must[*kpca.Barycentre](t)(kpca.NewBarycentre(x)),
			must[*kpca.FixedPoint](t)(kpca.NewFixedPoint(x, k, kpca.FixedPointConfig{})),
			must[*kpca.Ridge](t)(kpca.NewRidge(ctx, x, transform(t, m, x), kernel.RBF{LengthScale: 2}, kpca.RidgeConfig{Centre: true})),
		} {
			all = append(all, must[*mat.Dense](t)(method.PreImages(ctx, points)))
		}
		return all
	}
	base := images(x, m.Kernel())
	for i, got := range images(shuffled, m.Kernel()) {
		near(t, "permuted", got, base[i], 1e-6)
	}
	for i, got := range images(x, kernel.Scaled{Factor: 9, Kernel: m.Kernel()})[:3] { // scores, and with them ridge, scale
		near(t, "scaled kernel", got, base[i], 1e-6)
	}
}

func TestSmootherOptions(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{0, 1, 10})
	point := func(k ...float64) gram.FeaturePoints { return gram.FeaturePoints{Kernel: mat.NewDense(1, 3, k)} }
	for _, tc := range []struct {
		name string
		cfg  kpca.SmootherConfig
		k    []float64
		want float64
		err  error
	}{
		{"all", kpca.SmootherConfig{}, []float64{1, 2, 1}, 3, nil},
		{"all of a row", kpca.SmootherConfig{}, []float64{0, 0, 0.5}, 10, nil},
		{"negative", kpca.SmootherConfig{}, []float64{-1, 2, 1}, 6, nil},
		{"clipped", kpca.SmootherConfig{ClipNegative: true}, []float64{-1, 2, 2}, 5.5, nil},
		{"nearest 1", kpca.SmootherConfig{Nearest: 1}, []float64{1, 2, 1}, 1, nil},
		{"nearest 2, tie to the first", kpca.SmootherConfig{Nearest: 2}, []float64{1, 2, 1}, 2.0 / 3, nil},
		{"cancel", kpca.SmootherConfig{}, []float64{-1, 2, -1}, 0, kpca.ErrDenominator},
		{"zero", kpca.SmootherConfig{}, []float64{0, 0, 0}, 0, kpca.ErrDenominator},
		{"negative sum", kpca.SmootherConfig{}, []float64{-3, 1, 0}, 0, kpca.ErrDenominator},
		{"cancel, nearest row", kpca.SmootherConfig{NearestRow: true}, []float64{-1, 2, -1}, 1, nil},
	} {
		s := must[*kpca.Smoother](t)(kpca.NewSmoother(x, tc.cfg))
		got, err := s.PreImages(ctx, point(tc.k...))
		if !errors.Is(err, tc.err) {
			t.Errorf("%s: error %v, want %v", tc.name, err, tc.err)
		} else if err == nil && math.Abs(got.At(0, 0)-tc.want) > 1e-14 {
			t.Errorf("%s: %v, want %v", tc.name, got.At(0, 0), tc.want)
		}
	}
}

// A point far from every training row, or with weights that cancel, still gets an input.
func TestFixedPointRestarts(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 2, 1000})
	k := kernel.RBF{LengthScale: 1}
	g := must[*mat.SymDense](t)(gram.Compute(ctx, k, x))
	c := mat.NewDense(4, 4, []float64{
		0.5, -1, 0.5, 1, // the lone row wins
		0, 0, 0, 0, // the origin of feature space
		0.5, 0, 0, 0.5, // the smoother starts in the void between two clusters
		-1, -1, -1, -1, // every training row is repelled
	})
	var kc mat.Dense
	kc.Mul(c, g)
	f := must[*kpca.FixedPoint](t)(kpca.NewFixedPoint(x, k, kpca.FixedPointConfig{}))
	points := gram.FeaturePoints{Coefficients: c, Kernel: &kc}
	images := must[*mat.Dense](t)(f.PreImages(ctx, points))
	if v := images.At(0, 0); math.Abs(v-1000) > 1e-6 {
		t.Errorf("point 0 is %v, want 1000", v)
	}
	if v := images.At(2, 0); math.Abs(v-0) > 1e-6 && math.Abs(v-1000) > 1e-6 {
		t.Errorf("point 2 is %v, want 0 or 1000", v)
	}
	if !(mat.Max(images) <= 1e4 && mat.Min(images) >= -1e4) {
		t.Errorf("images %v", mat.Formatted(images))
	}
}

// At alpha → 0 ridge interpolates the training rows; far away it falls back to the origin, or with
// Centre to the mean.
func TestRidge(t *testing.T) {
	x, m, points := toy(t, 5)
	for i := range 60 {
		x.Set(i, 0, x.At(i, 0)+100)
	}
	scores := transform(t, m, m.TrainingRows())
	k := kernel.RBF{LengthScale: 0.1}
	r := must[*kpca.Ridge](t)(kpca.NewRidge(ctx, x, scores, k, kpca.RidgeConfig{Alpha: 1e-10}))
	near(t, "interpolation", must[*mat.Dense](t)(r.PreImages(ctx, points)), x, 1e-6)

	far := gram.FeaturePoints{Scores: mat.NewDense(1, 5, []float64{1e3, 0, 0, 0, 0})}
	if v := must[*mat.Dense](t)(r.PreImages(ctx, far)).At(0, 0); v != 0 {
		t.Errorf("far away: %v, want 0", v)
	}
	centred := must[*kpca.Ridge](t)(kpca.NewRidge(ctx, x, scores, k, kpca.RidgeConfig{Centre: true}))
	mean := mat.Sum(x.ColView(0)) / 60
	if v := must[*mat.Dense](t)(centred.PreImages(ctx, far)).At(0, 0); math.Abs(v-mean) > 1e-10 {
		t.Errorf("far away with Centre: %v, want the mean %v", v, mean)
	}
}

func TestPreImageErrors(t *testing.T) {
	x, m, points := toy(t, 2)
	rbf := m.Kernel()
	scores := transform(t, m, x)
	nan := with(x, 5, 1, math.NaN())
	for name, tc := range map[string]struct {
		err  error
		want error
	}{
		"smoother, nil":          {second(kpca.NewSmoother(nil, kpca.SmootherConfig{})), gram.ErrShape},
		"smoother, NaN":          {second(kpca.NewSmoother(nan, kpca.SmootherConfig{})), gram.ErrNotFinite},
		"smoother, Nearest":      {second(kpca.NewSmoother(x, kpca.SmootherConfig{Nearest: 61})), kpca.ErrConfig},
		"barycentre, empty":      {second(kpca.NewBarycentre(&mat.Dense{})), gram.ErrShape},
		"fixed point, kernel":    {second(kpca.NewFixedPoint(x, kernel.Linear{}, kpca.FixedPointConfig{})), kpca.ErrConfig},
		"fixed point, parameter": {second(kpca.NewFixedPoint(x, kernel.RBF{}, kpca.FixedPointConfig{})), kernel.ErrParameter},
		"fixed point, nil":       {second(kpca.NewFixedPoint(x, nil, kpca.FixedPointConfig{})), kpca.ErrConfig},
		"fixed point, Tol":       {second(kpca.NewFixedPoint(x, rbf, kpca.FixedPointConfig{Tol: -1})), kpca.ErrConfig},
		"fixed point, MaxIter":   {second(kpca.NewFixedPoint(x, rbf, kpca.FixedPointConfig{MaxIter: -1})), kpca.ErrConfig},
		"fixed point, Starts":    {second(kpca.NewFixedPoint(x, rbf, kpca.FixedPointConfig{Starts: 62})), kpca.ErrConfig},
		"ridge, rows":            {second(kpca.NewRidge(ctx, gaussian(3, 2, 1), scores, rbf, kpca.RidgeConfig{})), gram.ErrShape},
		"ridge, NaN":             {second(kpca.NewRidge(ctx, nan, scores, rbf, kpca.RidgeConfig{})), gram.ErrNotFinite},
		"ridge, Alpha":           {second(kpca.NewRidge(ctx, x, scores, rbf, kpca.RidgeConfig{Alpha: -1})), kpca.ErrConfig},
		"ridge, no kernel":       {second(kpca.NewRidge(ctx, x, scores, nil, kpca.RidgeConfig{})), kernel.ErrParameter},
		"ridge, indefinite": {second(kpca.NewRidge(ctx, x, scores, kernel.Func{Name: "minus", F: func(x, y []float64) float64 {
			return -kernel.Dot(x, y)
		}}, kpca.RidgeConfig{})), kpca.ErrConfig},
	} {
		if !errors.Is(tc.err, tc.want) {
			t.Errorf("%s: %v, want %v", name, tc.err, tc.want)
		}
	}

	methods := []kpca.PreImage{
		must[*kpca.Smoother](t)(kpca.NewSmoother(x, kpca.SmootherConfig{})),
		must[*kpca.Barycentre](t)(kpca.NewBarycentre(x)),
		must[*kpca.FixedPoint](t)(kpca.NewFixedPoint(x, rbf, kpca.FixedPointConfig{})),
		must[*kpca.Ridge](t)(kpca.NewRidge(ctx, x, scores, rbf, kpca.RidgeConfig{})),
	}
	bad := mat.NewDense(1, 59, nil)
	infinite := func(a *mat.Dense) *mat.Dense { return with(a, 1, 1, math.Inf(1)) }
	for _, method := range methods {
		if _, err := method.PreImages(ctx, gram.FeaturePoints{}); !errors.Is(err, gram.ErrShape) {
			t.Errorf("%T without points: %v", method, err)
		}
		if _, err := method.PreImages(ctx, gram.FeaturePoints{Coefficients: bad, Kernel: bad, Scores: bad}); !errors.Is(err, gram.ErrShape) {
			t.Errorf("%T with points of other rows: %v", method, err)
		}
		if _, err := method.PreImages(ctx, gram.FeaturePoints{Coefficients: infinite(points.Coefficients),
			Kernel: infinite(points.Kernel), Scores: infinite(points.Scores)}); !errors.Is(err, gram.ErrNotFinite) {
			t.Errorf("%T with Inf: %v", method, err)
		}
	}
	if _, err := m.PreImageErrors(ctx, gaussian(3, 2, 1), points); !errors.Is(err, gram.ErrShape) {
		t.Errorf("distances of 3 images to 60 points: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := methods[2].PreImages(cancelled, points); !errors.Is(err, context.Canceled) {
		t.Errorf("fixed point after cancellation: %v", err)
	}
}

func second(_ any, err error) error { return err }
