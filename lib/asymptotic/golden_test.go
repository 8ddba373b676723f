package asymptotic_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"eigenbook/lib/asymptotic"

	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

// A fixture is a case of the reference, which an independent program computed with 60 digits.
type fixture struct {
	ID       string
	Input    map[string]json.RawMessage
	Expected map[string]json.RawMessage
	Tol      struct{ Rtol, Atol float64 }

	title    string
	datasets map[string][][]*float64
	used     map[string]bool
}

// golden returns the cases of the reference.
func golden(t testing.TB) []*fixture {
	t.Helper()
	data, err := os.ReadFile("testdata/rbf_asymptotics.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Title    string
		Datasets map[string][][]*float64
		Cases    []*fixture
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for _, f := range file.Cases {
		f.title, f.datasets, f.used = file.Title, file.Datasets, map[string]bool{}
	}
	return file.Cases
}

func TestGolden(t *testing.T) {
	cases := golden(t)
	if len(cases) != 35 || len(assertions) != 35 {
		t.Errorf("%d cases and %d assertions, want 35", len(cases), len(assertions))
	}
	for _, f := range cases {
		t.Run(f.ID, func(t *testing.T) {
			assert := assertions[f.ID]
			if assert == nil {
				t.Fatal("no assertion for this case")
			}
			assert(t, f)
			for name := range f.Input {
				if !f.used["input "+name] {
					t.Errorf("input %s is not used", name)
				}
			}
			for name := range f.Expected {
				if !f.used["expected "+name] {
					t.Errorf("expected %s is not compared", name)
				}
			}
		})
	}
}

// in decodes an input.
func in[T any](t *testing.T, f *fixture, name string) T {
	t.Helper()
	f.used["input "+name] = true
	return decode[T](t, f, f.Input, name)
}

// want decodes an expected value.
func want[T any](t *testing.T, f *fixture, name string) T {
	t.Helper()
	f.used["expected "+name] = true
	return decode[T](t, f, f.Expected, name)
}

func decode[T any](t *testing.T, f *fixture, from map[string]json.RawMessage, name string) T {
	t.Helper()
	var v T
	if from[name] == nil {
		t.Fatalf("%s has no %s", f.ID, name)
	}
	if err := json.Unmarshal(from[name], &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// x returns the data of the case; null is NaN.
func (f *fixture) x(t *testing.T) *mat.Dense {
	t.Helper()
	if f.Input["dataset"] != nil {
		return dense(f.datasets[in[string](t, f, "dataset")])
	}
	return dense(in[[][]*float64](t, f, "X"))
}

func dense(rows [][]*float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		for j, v := range r {
			m.Set(i, j, math.NaN())
			if v != nil {
				m.Set(i, j, *v)
			}
		}
	}
	return m
}

// numbers compares got with an expected array or number: entry by entry where atol is 0, else
// relative to the largest.
func (f *fixture) numbers(t *testing.T, name string, got ...float64) {
	t.Helper()
	f.used["expected "+name] = true
	var expected []float64
	flatten(t, f.Expected[name], &expected)
	f.near(t, name, got, expected)
}

func (f *fixture) near(t *testing.T, name string, got, expected []float64) {
	t.Helper()
	if len(got) != len(expected) {
		t.Fatalf("%s has %d values, want %d", name, len(got), len(expected))
	}
	largest := 0.0
	for _, v := range expected {
		largest = max(largest, math.Abs(v))
	}
	for i, v := range expected {
		size := largest
		if f.Tol.Atol == 0 {
			size = math.Abs(v)
		}
		if tol := f.Tol.Atol + f.Tol.Rtol*size; !(math.Abs(got[i]-v) <= tol) {
			t.Errorf("%s[%d] = %.17g, want %.17g within %.2g (%s, %s)", name, i, got[i], v, tol, f.title, f.ID)
		}
	}
}

// flatten appends the numbers of nested arrays.
func flatten(t *testing.T, raw json.RawMessage, out *[]float64) {
	t.Helper()
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		for _, r := range list {
			flatten(t, r, out)
		}
		return
	}
	var v float64
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	*out = append(*out, v)
}

// entries returns the entries of m, row after row.
func entries(m mat.Matrix) []float64 {
	return mat.DenseCopyOf(m).RawMatrix().Data
}

func absolute(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Abs(x)
	}
	return out
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func distances(t testing.TB, x mat.Matrix) *asymptotic.Distances {
	t.Helper()
	return must[*asymptotic.Distances](t)(asymptotic.NewDistances(ctx, x))
}

func analysis(t testing.TB, x mat.Matrix, cfg asymptotic.Config) *asymptotic.Analysis {
	t.Helper()
	return must[*asymptotic.Analysis](t)(asymptotic.New(ctx, x, cfg))
}

func compare(t testing.TB, a *asymptotic.Analysis, p float64) *asymptotic.Comparison {
	t.Helper()
	return must[*asymptotic.Comparison](t)(a.Compare(ctx, math.Exp2(p)))
}
