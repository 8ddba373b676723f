package dataset_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"eigenbook/lib/dataset"

	"gonum.org/v1/gonum/mat"
)

func small() *dataset.Set {
	return &dataset.Set{
		Name: "small", X: mat.NewDense(4, 2, []float64{0, 7, 1, 8, 2, 9, 3, 7}),
		Labels: []int{0, 1, 0, 1}, ClassNames: []string{"a", "b"}, Target: []float64{10, 11, 12, 13}, FeatureNames: []string{"p", "q"},
	}
}

func TestSubset(t *testing.T) {
	s, err := small().Subset([]int{3, 0, 3})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(s.X.RawMatrix().Data, []float64{3, 7, 0, 7, 3, 7}) || !slices.Equal(s.Labels, []int{1, 0, 1}) || !slices.Equal(s.Target, []float64{13, 10, 13}) {
		t.Errorf("got %v, labels %v, target %v", s.X.RawMatrix().Data, s.Labels, s.Target)
	}
	for _, rows := range [][]int{nil, {}, {4}, {0, -1}} {
		if s, err := small().Subset(rows); !errors.Is(err, dataset.ErrArgument) || s != nil {
			t.Errorf("rows %v: %v, %v; want ErrArgument", rows, s, err)
		}
	}
	if h, err := small().Head(9); err != nil || len(h.Labels) != 4 {
		t.Errorf("Head(9): %v, %v", h, err)
	}
	if _, err := small().Head(0); !errors.Is(err, dataset.ErrArgument) {
		t.Errorf("Head(0): %v", err)
	}
}

// TestSplit: every row is in exactly one part, classes are divided alike, and the seed decides.
func TestSplit(t *testing.T) {
	s := dataset.Iris()
	for i := range 150 {
		s.Target = append(s.Target, float64(i)) // marks the row
	}
	train, test, err := s.Split(0.3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(train.ClassCounts(), []int{35, 35, 35}) || !slices.Equal(test.ClassCounts(), []int{15, 15, 15}) {
		t.Errorf("counts %v and %v, want 35 and 15 of each class", train.ClassCounts(), test.ClassCounts())
	}
	all := append(slices.Clone(train.Target), test.Target...)
	slices.Sort(all)
	if !slices.Equal(all, s.Target) {
		t.Error("the parts are not a partition of the rows")
	}
	for k, mark := range test.Target {
		if !slices.Equal(test.X.RawRowView(k), s.X.RawRowView(int(mark))) {
			t.Fatalf("row %d of test is not row %v of the set", k, mark)
		}
	}
	_, again, _ := s.Split(0.3, 1)
	_, other, _ := s.Split(0.3, 2)
	if !slices.Equal(again.Target, test.Target) || slices.Equal(other.Target, test.Target) {
		t.Error("the seed does not decide the split")
	}
	for _, share := range []float64{0, 1, -1, math.NaN(), 1e-9} {
		if _, _, err := s.Split(share, 1); !errors.Is(err, dataset.ErrArgument) {
			t.Errorf("share %v: %v, want ErrArgument", share, err)
		}
	}
}

func TestSample(t *testing.T) {
	s, err := dataset.Iris().Sample(20, 4)
	if err != nil || len(s.Labels) != 20 || !slices.IsSorted(s.Labels) {
		t.Errorf("got %v, %v", s, err)
	}
	if whole, err := dataset.Iris().Sample(150, 1); err != nil || !mat.Equal(whole.X, dataset.Iris().X) {
		t.Errorf("a sample of all rows is not the set: %v", err)
	}
	for _, n := range []int{0, 151} {
		if _, err := dataset.Iris().Sample(n, 1); !errors.Is(err, dataset.ErrArgument) {
			t.Errorf("Sample(%d): %v", n, err)
		}
	}
}

// oneHot returns s.OneHot(), which must succeed.
func oneHot(t *testing.T, s *dataset.Set) *dataset.Set {
	t.Helper()
	h, err := s.OneHot()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestOneHotTooLarge: an attribute that names each row would need 3.2 GB.
func TestOneHotTooLarge(t *testing.T) {
	const n = 20000
	levels := make([]string, n)
	for i := range levels {
		levels[i] = fmt.Sprint("row ", i)
	}
	s := &dataset.Set{X: mat.NewDense(n, 1, nil), FeatureNames: []string{"name"}, Categories: [][]string{levels}}
	if h, err := s.OneHot(); !errors.Is(err, dataset.ErrTooLarge) || h != nil || !strings.Contains(err.Error(), `"name"`) {
		t.Errorf("OneHot of %d levels in %d rows: %v, want ErrTooLarge that names the attribute", n, n, err)
	}
}

// TestSetsByHand: parts that do not fit together are an error, and no row is lost in silence.
func TestSetsByHand(t *testing.T) {
	x := mat.NewDense(4, 2, nil)
	for name, s := range map[string]*dataset.Set{
		"few labels":      {X: x, Labels: []int{0, 0}, ClassNames: []string{"a"}},
		"many labels":     {X: x, Labels: []int{0, 0, 0, 0, 0}, ClassNames: []string{"a"}},
		"label too large": {X: x, Labels: []int{0, 1, 2, 1}, ClassNames: []string{"a", "b"}},
		"label below 0":   {X: x, Labels: []int{0, -1, 1, 1}, ClassNames: []string{"a", "b"}},
		"no class names":  {X: x, Labels: []int{0, 0, 0, 0}},
		"few targets":     {X: x, Target: []float64{1}},
		"names":           {X: x, FeatureNames: []string{"a"}},
		"categories":      {X: x, Categories: [][]string{{"a"}, nil, nil}},
		"no rows":         {FeatureNames: []string{"a"}},
	} {
		if _, err := s.Subset([]int{0, 3}); !errors.Is(err, dataset.ErrArgument) {
			t.Errorf("Subset with %s: %v, want ErrArgument", name, err)
		}
		if _, _, err := s.Split(0.5, 1); !errors.Is(err, dataset.ErrArgument) {
			t.Errorf("Split with %s: %v, want ErrArgument", name, err)
		}
		if _, err := s.OneHot(); !errors.Is(err, dataset.ErrArgument) {
			t.Errorf("OneHot with %s: %v, want ErrArgument", name, err)
		}
		if _, err := s.AsCategorical("a"); !errors.Is(err, dataset.ErrArgument) {
			t.Errorf("AsCategorical with %s: %v, want ErrArgument", name, err)
		}
	}
}

func TestOneHot(t *testing.T) {
	s, err := small().AsCategorical("q")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(s.Categories, [][]string{nil, {"7", "8", "9"}}) {
		t.Errorf("levels %v", s.Categories)
	}
	h := oneHot(t, s)
	if want := []float64{0, 1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3, 1, 0, 0}; !reflect.DeepEqual(h.X.RawMatrix().Data, want) {
		t.Errorf("one-hot %v, want %v", h.X.RawMatrix().Data, want)
	}
	if want := []string{"p", "q=7", "q=8", "q=9"}; !slices.Equal(h.FeatureNames, want) || h.Categories != nil {
		t.Errorf("names %v, want %v; categories %v", h.FeatureNames, want, h.Categories)
	}
	if !mat.Equal(oneHot(t, h).X, h.X) || !mat.Equal(oneHot(t, small()).X, small().X) {
		t.Error("OneHot changes a numeric set")
	}
	if again, err := s.AsCategorical("q"); err != nil || !mat.Equal(again.X, s.X) {
		t.Errorf("AsCategorical twice: %v", err)
	}
	if _, err := small().AsCategorical("r"); !errors.Is(err, dataset.ErrArgument) {
		t.Errorf("unknown name: %v", err)
	}
	nan := small()
	nan.X.Set(2, 1, math.NaN())
	if _, err := nan.AsCategorical("q"); !errors.Is(err, dataset.ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
	bare := &dataset.Set{X: mat.NewDense(1, 2, []float64{1, 0}), Categories: [][]string{{"u", "v"}}}
	if h := oneHot(t, bare); !slices.Equal(h.FeatureNames, []string{"V1=u", "V1=v", "V2"}) {
		t.Errorf("a set without names: %v", h.FeatureNames)
	}
}

// TestOneHotOfBoston: CHAS has 2 and RAD 9 levels, so 13 columns become 22.
func TestOneHotOfBoston(t *testing.T) {
	s, err := dataset.Boston().AsCategorical("CHAS", "RAD")
	if err != nil {
		t.Fatal(err)
	}
	h := oneHot(t, s)
	if n, d := h.Dims(); n != 506 || d != 22 {
		t.Fatalf("%d×%d, want 506×22", n, d)
	}
	rad, plain := slices.Index(h.FeatureNames, "RAD=24"), dataset.Boston()
	for i := range 506 {
		if got, want := h.X.At(i, rad) == 1, plain.X.At(i, 8) == 24; got != want {
			t.Errorf("row %d: RAD=24 is %v, but RAD is %v", i, got, plain.X.At(i, 8))
		}
	}
}

func TestStandardize(t *testing.T) {
	x := mat.NewDense(4, 3, []float64{1, 5, 1e300, 2, 5, -1e300, 3, 5, 1e300, 6, 5, -1e300})
	z, s, err := dataset.Standardize(x)
	if err != nil {
		t.Fatal(err)
	}
	// Column 0: mean 3, variance (4+1+0+9)/4 = 3.5.
	for i, v := range []float64{-2, -1, 0, 3} {
		if got, want := z.At(i, 0), v/math.Sqrt(3.5); math.Abs(got-want) > 1e-15 {
			t.Errorf("entry (%d, 0) is %v, want %v", i, got, want)
		}
		if z.At(i, 1) != 0 {
			t.Errorf("entry (%d, 1) of a constant column is %v, want 0", i, z.At(i, 1))
		}
		if got, want := z.At(i, 2), 1-2*float64(i%2); math.Abs(got-want) > 1e-15 {
			t.Errorf("entry (%d, 2) is %v, want %v", i, got, want)
		}
	}
	back, err := s.Invert(z)
	if err != nil || !mat.EqualApprox(back, x, 1e-14*1e300) || math.Abs(back.At(3, 0)-6) > 1e-14 {
		t.Errorf("Invert gives %v, %v", back, err)
	}
	if _, err := s.Apply(mat.NewDense(1, 2, nil)); !errors.Is(err, dataset.ErrArgument) {
		t.Errorf("other width: %v", err)
	}
}

func TestConstantColumnsStayFinite(t *testing.T) {
	x := mat.NewDense(7, 2, nil)
	for i := range 7 {
		x.Set(i, 0, 0.1)
		x.Set(i, 1, 1e6+0.1)
	}
	z, s, err := dataset.Standardize(x)
	if err != nil || s.Scale[0] != 1 || s.Scale[1] != 1 || mat.Max(z) > 1e-9 || mat.Min(z) < -1e-9 {
		t.Errorf("constant columns became %v with scale %v, %v", z.RawMatrix().Data, s.Scale, err)
	}
}

func TestCenterAndUnitRange(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 4, 3, 4})
	if z, s, err := dataset.Center(x); err != nil || !slices.Equal(z.RawMatrix().Data, []float64{-1, 0, 1, 0}) || !slices.Equal(s.Shift, []float64{2, 4}) {
		t.Errorf("Center gives %v, %v, %v", z, s, err)
	}
	if z, _, err := dataset.UnitRange(x); err != nil || !slices.Equal(z.RawMatrix().Data, []float64{0, 0, 1, 0}) {
		t.Errorf("UnitRange gives %v, %v", z, err)
	}
	if x.At(0, 0) != 1 {
		t.Error("the argument was modified")
	}
}

func TestScaleArguments(t *testing.T) {
	for name, f := range map[string]func(mat.Matrix) (*mat.Dense, dataset.Scaling, error){
		"Standardize": dataset.Standardize, "Center": dataset.Center, "UnitRange": dataset.UnitRange,
	} {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if z, _, err := f(mat.NewDense(1, 2, []float64{0, bad})); !errors.Is(err, dataset.ErrNotFinite) || z != nil {
				t.Errorf("%s of %v: %v, %v", name, bad, z, err)
			}
		}
		if _, _, err := f((*mat.Dense)(nil)); !errors.Is(err, dataset.ErrArgument) {
			t.Errorf("%s of a nil matrix: %v", name, err)
		}
		// the mean is 1.2e308, so the last entry lies 2.7e308 below it
		if z, _, err := f(mat.NewDense(6, 1, []float64{1.7e308, 1.7e308, 1.7e308, 1.7e308, 1.7e308, -1.7e308})); !errors.Is(err, dataset.ErrNotFinite) || z != nil {
			t.Errorf("%s beyond float64: %v, %v", name, z, err)
		}
		if z, _, err := f(mat.NewDense(10, 1, []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 5e-324})); err != nil || !(mat.Max(z) >= 0 && mat.Max(z) <= 3) {
			t.Errorf("%s of the smallest number: %v, %v", name, z, err)
		}
		if _, _, err := f(nil); !errors.Is(err, dataset.ErrArgument) {
			t.Errorf("%s of nil: %v", name, err)
		}
		if _, _, err := f(&mat.Dense{}); !errors.Is(err, dataset.ErrArgument) {
			t.Errorf("%s of an empty matrix: %v", name, err)
		}
	}
	if _, _, err := dataset.UnitRange(mat.NewDense(2, 1, []float64{-1.7e308, 1.7e308})); !errors.Is(err, dataset.ErrNotFinite) {
		t.Errorf("range beyond float64: %v", err)
	}
}

func TestScaled(t *testing.T) {
	if s := small().Scaled(0.5); s.X.At(3, 0) != 1.5 || s.Labels[3] != 1 {
		t.Errorf("got %v", s.X.RawMatrix().Data)
	}
	if n, d := (&dataset.Set{}).Scaled(2).Dims(); n != 0 || d != 0 {
		t.Errorf("an empty set is %d×%d", n, d)
	}
}
