package dataset_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"eigenbook/lib/dataset"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// TestDualPPCAToy: trace of the centred RBF Gram matrix exp(−|x−y|²/(2·2²)) of the toy data, computed
// independently in Python (NumPy 1.24.2) for the specification.
func TestDualPPCAToy(t *testing.T) {
	x := dataset.DualPPCAToy()
	n, d := x.Dims()
	if n != 60 || d != 2 {
		t.Fatalf("%d×%d, want 60×2", n, d)
	}
	sum := 0.0
	for i := range n {
		for j := range n {
			a, b := x.At(i, 0)-x.At(j, 0), x.At(i, 1)-x.At(j, 1)
			sum += math.Exp(-(a*a + b*b) / 8)
		}
	}
	if got, want := float64(n)-sum/float64(n), 31.62178339443738; math.Abs(got-want) > 1e-10 {
		t.Errorf("trace of the centred Gram matrix is %v, want %v", got, want)
	}
}

func must(t *testing.T) func(s *dataset.Set, err error) *dataset.Set {
	return func(s *dataset.Set, err error) *dataset.Set {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// TestSurfaces: without noise the points satisfy the equations of their surface, and Target is the parameter.
func TestSurfaces(t *testing.T) {
	roll := must(t)(dataset.SwissRoll(500, 0, 1))
	curve := must(t)(dataset.SCurve(500, 0, 1))
	for i := range 500 {
		p, a := roll.X.RawRowView(i), roll.Target[i]
		if math.Abs(p[0]-a*math.Cos(a)) > 1e-12 || math.Abs(p[2]-a*math.Sin(a)) > 1e-12 || p[1] < 0 || p[1] > 21 || a < 1.5*math.Pi || a > 4.5*math.Pi {
			t.Fatalf("swiss roll: point %v with t = %v", p, a)
		}
		q, b := curve.X.RawRowView(i), curve.Target[i]
		if math.Abs(q[0]-math.Sin(b)) > 1e-12 || math.Abs(math.Abs(q[2])-(1-math.Cos(b))) > 1e-12 || q[2]*b > 0 || math.Abs(b) > 1.5*math.Pi {
			t.Fatalf("s curve: point %v with t = %v", q, b)
		}
	}
}

func TestTwoCurves(t *testing.T) {
	circles := must(t)(dataset.Circles(101, 0.5, 0, 1))
	for i := range 101 {
		p := circles.X.RawRowView(i)
		if r, want := math.Hypot(p[0], p[1]), []float64{1, 0.5}[circles.Labels[i]]; math.Abs(r-want) > 1e-12 {
			t.Fatalf("circles: radius %v, want %v", r, want)
		}
	}
	if c := circles.ClassCounts(); c[0] != 51 || c[1] != 50 {
		t.Errorf("circles: counts %v, want 51 and 50", c)
	}
	moons := must(t)(dataset.TwoMoons(100, 0, 1))
	for i := range 100 {
		p := moons.X.RawRowView(i)
		r, above := math.Hypot(p[0], p[1]), p[1] >= 0
		if moons.Labels[i] == 1 {
			r, above = math.Hypot(p[0]-1, p[1]-0.5), p[1] <= 0.5
		}
		if math.Abs(r-1) > 1e-12 || !above {
			t.Fatalf("two moons: point %v of class %d", p, moons.Labels[i])
		}
	}
	if a, b := moons.X.RawRowView(0), moons.X.RawRowView(49); a[0] != 1 || math.Abs(b[0]+1) > 1e-12 {
		t.Errorf("two moons: the first moon runs from %v to %v, want (1, 0) to (−1, 0)", a, b)
	}
}

// TestMoments: mean and covariance of many draws are those of the model, within five standard errors.
func TestMoments(t *testing.T) {
	const n = 20000
	x, err := dataset.GaussianMatrix(n, 3, 7)
	if err != nil {
		t.Fatal(err)
	}
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, x, nil)
	for i := range 3 {
		for j := range 3 {
			want := 0.0
			if i == j {
				want = 1
			}
			if got := cov.At(i, j); math.Abs(got-want) > 5*math.Sqrt2/math.Sqrt(n) {
				t.Errorf("covariance (%d, %d) is %v, want %v", i, j, got, want)
			}
		}
	}
	f, err := dataset.LowRankGaussian(n, 4, 2, 0.25, 3)
	if err != nil {
		t.Fatal(err)
	}
	var truth mat.Dense
	truth.Mul(f.Loadings, f.Loadings.T())
	cov.Reset()
	stat.CovarianceMatrix(&cov, f.X, nil)
	for i := range 4 {
		truth.Set(i, i, truth.At(i, i)+0.25)
	}
	for i := range 4 {
		for j := range 4 {
			// Var of a sample covariance: (cᵢᵢ cⱼⱼ + cᵢⱼ²)/n
			sd := math.Sqrt((truth.At(i, i)*truth.At(j, j) + truth.At(i, j)*truth.At(i, j)) / n)
			if got, want := cov.At(i, j), truth.At(i, j); math.Abs(got-want) > 5*sd {
				t.Errorf("low rank: covariance (%d, %d) is %v, want %v ± %v", i, j, got, want, sd)
			}
		}
		if got := stat.Mean(mat.Col(nil, i, f.X), nil); math.Abs(got-f.Mean[i]) > 5*math.Sqrt(truth.At(i, i)/n) {
			t.Errorf("low rank: mean %d is %v, want %v", i, got, f.Mean[i])
		}
	}
	if f, err := dataset.LowRankGaussian(5, 3, 3, 0, 1); err != nil {
		t.Error(err)
	} else {
		var want mat.Dense
		want.Mul(f.Scores, f.Loadings.T())
		for i := range 5 {
			for j := range 3 {
				if got := f.X.At(i, j) - f.Mean[j]; math.Abs(got-want.At(i, j)) > 1e-12 {
					t.Errorf("without noise: centred entry (%d, %d) is %v, want %v", i, j, got, want.At(i, j))
				}
			}
		}
	}
}

func TestBlobs(t *testing.T) {
	s := must(t)(dataset.GaussianBlobs(300, 5, 3, 100, 1))
	checkSet(t, s)
	// Far centres: members of a class are nearer to each other than 5 (5 dimensions) · 3, others farther.
	for i := 1; i < 300; i++ {
		var d float64
		for j := range 5 {
			d += math.Pow(s.X.At(i, j)-s.X.At(0, j), 2)
		}
		if near := math.Sqrt(d) < 15; near != (s.Labels[i] == s.Labels[0]) {
			t.Errorf("row %d of class %d is at distance %v of row 0", i, s.Labels[i], math.Sqrt(d))
		}
	}
}

func TestSeeds(t *testing.T) {
	for name, make := range map[string]func(seed uint64) (*dataset.Set, error){
		"blobs":   func(s uint64) (*dataset.Set, error) { return dataset.GaussianBlobs(10, 2, 3, 1, s) },
		"roll":    func(s uint64) (*dataset.Set, error) { return dataset.SwissRoll(10, 0.1, s) },
		"curve":   func(s uint64) (*dataset.Set, error) { return dataset.SCurve(10, 0.1, s) },
		"moons":   func(s uint64) (*dataset.Set, error) { return dataset.TwoMoons(10, 0.1, s) },
		"circles": func(s uint64) (*dataset.Set, error) { return dataset.Circles(10, 0.3, 0.1, s) },
		"matrix": func(s uint64) (*dataset.Set, error) {
			x, err := dataset.GaussianMatrix(5, 5, s)
			return &dataset.Set{X: x}, err
		},
	} {
		a, b, c := must(t)(make(5)), must(t)(make(5)), must(t)(make(6))
		if !mat.Equal(a.X, b.X) || mat.Equal(a.X, c.X) {
			t.Errorf("%s: equal seeds give equal data: %v; different seeds different data: %v", name, mat.Equal(a.X, b.X), !mat.Equal(a.X, c.X))
		}
	}
	x, err := dataset.GaussianMatrix(1, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := x.RawRowView(0), []float64{-2.3368449069639583, -0.9061065093539704}; !slices.Equal(got, want) {
		t.Errorf("seed 1 begins %v, want %v as in every release", got, want)
	}
}

func TestGeneratorArguments(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, tc := range map[string]struct {
		call func() error
		want error
	}{
		"no rows":         {func() error { _, err := dataset.GaussianMatrix(0, 1, 1); return err }, dataset.ErrArgument},
		"negative":        {func() error { _, err := dataset.GaussianMatrix(1, -1, 1); return err }, dataset.ErrArgument},
		"too large":       {func() error { _, err := dataset.GaussianMatrix(1<<30, 1<<30, 1); return err }, dataset.ErrTooLarge},
		"noise NaN":       {func() error { _, err := dataset.SwissRoll(5, nan, 1); return err }, dataset.ErrArgument},
		"noise negative":  {func() error { _, err := dataset.SCurve(5, -1, 1); return err }, dataset.ErrArgument},
		"noise infinite":  {func() error { _, err := dataset.TwoMoons(5, inf, 1); return err }, dataset.ErrArgument},
		"noise 1e308":     {func() error { _, err := dataset.TwoMoons(5, 1e308, 1); return err }, dataset.ErrArgument},
		"one point":       {func() error { _, err := dataset.TwoMoons(1, 0, 1); return err }, dataset.ErrArgument},
		"factor 1":        {func() error { _, err := dataset.Circles(5, 1, 0, 1); return err }, dataset.ErrArgument},
		"factor NaN":      {func() error { _, err := dataset.Circles(5, nan, 0, 1); return err }, dataset.ErrArgument},
		"classes":         {func() error { _, err := dataset.GaussianBlobs(3, 2, 4, 1, 1); return err }, dataset.ErrArgument},
		"separation":      {func() error { _, err := dataset.GaussianBlobs(3, 2, 2, inf, 1); return err }, dataset.ErrArgument},
		"factors":         {func() error { _, err := dataset.LowRankGaussian(3, 2, 3, 1, 1); return err }, dataset.ErrArgument},
		"noise variance":  {func() error { _, err := dataset.LowRankGaussian(3, 2, 1, -1, 1); return err }, dataset.ErrArgument},
		"loadings size":   {func() error { _, err := dataset.LowRankGaussian(1, 1<<20, 1<<20, 1, 1); return err }, dataset.ErrTooLarge},
		"swiss roll size": {func() error { _, err := dataset.SwissRoll(-5, 0, 1); return err }, dataset.ErrArgument},
	} {
		if err := tc.call(); !errors.Is(err, tc.want) {
			t.Errorf("%s: error is %v, want %v", name, err, tc.want)
		}
	}
}
