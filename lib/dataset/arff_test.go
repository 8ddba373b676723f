package dataset_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"eigenbook/lib/dataset"
)

const weather = `% a comment
@RELATION 'weather today'

@attribute outlook {sunny, 'over cast', rainy}
@attribute 'the temperature' real % degrees
@attribute	humidity	NUMERIC
@attribute play{yes,no}
@attribute "note" string

@data
% rows
sunny, 85,   85, no,  'it is "hot", yes'
'over cast',83.5,86,yes,"don\"t % know"
rainy,-7e1,?,yes,? % missing
`

func TestReadARFF(t *testing.T) {
	s, err := dataset.ReadARFF(strings.NewReader(weather), dataset.ARFFOptions{Target: "play", Ignore: []string{"note"}, Missing: dataset.MissingMedian})
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "weather today" || s.TargetName != "play" {
		t.Errorf("name %q, target %q", s.Name, s.TargetName)
	}
	if want := []float64{0, 85, 85, 1, 83.5, 86, 2, -70, 85.5}; !reflect.DeepEqual(s.X.RawMatrix().Data, want) {
		t.Errorf("X is %v, want %v", s.X.RawMatrix().Data, want)
	}
	if want := [][]string{{"sunny", "over cast", "rainy"}, nil, nil}; !reflect.DeepEqual(s.Categories, want) {
		t.Errorf("levels %q, want %q", s.Categories, want)
	}
	if want := []string{"outlook", "the temperature", "humidity"}; !reflect.DeepEqual(s.FeatureNames, want) {
		t.Errorf("names %q, want %q", s.FeatureNames, want)
	}
	if !reflect.DeepEqual(s.Labels, []int{1, 0, 0}) || !reflect.DeepEqual(s.ClassNames, []string{"yes", "no"}) {
		t.Errorf("labels %v of %v", s.Labels, s.ClassNames)
	}
}

func TestARFFTarget(t *testing.T) {
	const head = "@relation r\n@attribute Class {p,q}\n@attribute a real\n@attribute b real\n@data\nq,1,2\n"
	for _, tc := range []struct {
		opts dataset.ARFFOptions
		name string
		x    []float64
	}{
		{dataset.ARFFOptions{}, "Class", []float64{1, 2}},
		{dataset.ARFFOptions{Target: "a"}, "a", []float64{1, 2}},
		{dataset.ARFFOptions{NoTarget: true}, "", []float64{1, 1, 2}},
		{dataset.ARFFOptions{Ignore: []string{"Class"}}, "b", []float64{1}},
	} {
		s, err := dataset.ReadARFF(strings.NewReader(head), tc.opts)
		if err != nil || s.TargetName != tc.name || !reflect.DeepEqual(s.X.RawMatrix().Data, tc.x) {
			t.Errorf("%+v: got %v with X %v, %v; want target %q and X %v", tc.opts, s, s.X.RawMatrix().Data, err, tc.name, tc.x)
		}
	}
}

func TestSparseARFF(t *testing.T) {
	const text = "@relation s\n@attribute a real\n@attribute b {u,'v w'}\n@attribute c real\n@attribute d real\n@data\n{1 'v w', 3 4.5}\n{}\n{ 0 ?,2 -1 } % end\n"
	s, err := dataset.ReadARFF(strings.NewReader(text), dataset.ARFFOptions{NoTarget: true, Missing: dataset.MissingNaN})
	if err != nil {
		t.Fatal(err)
	}
	got := s.X.RawMatrix().Data
	want := []float64{0, 1, 0, 4.5, 0, 0, 0, 0, math.NaN(), 0, -1, 0}
	for k := range want {
		if got[k] != want[k] && !(math.IsNaN(got[k]) && math.IsNaN(want[k])) {
			t.Errorf("value [%d] is %v, want %v", k, got[k], want[k])
		}
	}
}

func TestReadARFFErrors(t *testing.T) {
	const head = "@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n"
	for _, tc := range []struct {
		name, text string
		opts       dataset.ARFFOptions
		want       error
		part       []string
	}{
		{"empty", "", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"without @data"}},
		{"text", "hello\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 1", `"hello"`}},
		{"no attributes", "@data\n1\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 1", "before any"}},
		{"no rows", head, dataset.ARFFOptions{}, dataset.ErrFormat, []string{"no rows"}},
		{"type", "@attribute a date\n@data\n1\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 1", `"date"`, "Ignore"}},
		{"no type", "@attribute a\n@data\n1\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 1"}},
		{"no name", "@attribute\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 1", "name is missing"}},
		{"names repeat", "@attribute a real\n@attribute a real\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 2", "1 and 2"}},
		{"no levels", "@attribute a {}\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 1", "no levels"}},
		{"levels open", "@attribute a {x, y\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 1", `"}"`}},
		{"levels repeat", "@attribute a {x, x}\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{`"x"`, "twice"}},
		{"few values", head + "1,x\n1\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 6", "1 values for 2"}},
		{"many values", head + "1,x,2\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", "3 values"}},
		{"trailing comma", head + "1,x,\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", "empty value"}},
		{"level", head + "1,z\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", "attribute 2 (b)", `"z"`}},
		{"number", head + "one,x\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", "attribute 1 (a)", `"one"`}},
		{"infinite", head + "Inf,x\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", "not finite"}},
		{"NaN", head + "nan,x\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", "not finite"}},
		{"missing", head + "?,x\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", "missing"}},
		{"quoted mark", head + "1,'?'\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", `"?"`}},
		{"open quote", head + "1,'x\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", "not closed"}},
		{"after quote", head + "1,'x'y\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", "comma"}},
		{"sparse index", head + "{5 1}\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", `"5"`, "0 to 1"}},
		{"sparse order", head + "{1 x, 0 1}\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", `"0"`}},
		{"sparse open", head + "{1 x\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", `"}"`}},
		{"sparse value", head + "{1}\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", "index"}},
		{"sparse rest", head + "{1 x} 2\n", dataset.ARFFOptions{}, dataset.ErrFormat, []string{"line 5", "after a sparse row"}},
		{"unknown target", head + "1,x\n", dataset.ARFFOptions{Target: "c"}, dataset.ErrArgument, []string{`"c"`}},
		{"unknown ignore", head + "1,x\n", dataset.ARFFOptions{Ignore: []string{"c"}}, dataset.ErrArgument, []string{`"c"`}},
		{"long line", head + strings.Repeat("1", 17<<20), dataset.ARFFOptions{}, dataset.ErrTooLarge, []string{"line 5"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := dataset.ReadARFF(strings.NewReader(tc.text), tc.opts)
			if !errors.Is(err, tc.want) || s != nil {
				t.Fatalf("got %v, error %v; want %v", s, err, tc.want)
			}
			for _, part := range tc.part {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not contain %q", err, part)
				}
			}
		})
	}
}

func FuzzReadARFF(f *testing.F) {
	f.Add(weather)
	f.Add("@relation s\n@attribute a real\n@attribute b {u,'v w'}\n@data\n{1 'v w'}\n{}\n{0 ?}\n")
	f.Add("@attribute a{x}\n@data\nx\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := dataset.ReadARFF(strings.NewReader(text), dataset.ARFFOptions{Missing: dataset.MissingDropRow})
		if err != nil {
			return
		}
		n, d := s.Dims()
		if n < 1 || d < 1 || len(s.FeatureNames) != d {
			t.Fatalf("inconsistent set %v", s)
		}
		for _, v := range oneHot(t, s).X.RawMatrix().Data {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				t.Fatalf("value %v", v)
			}
		}
	})
}
