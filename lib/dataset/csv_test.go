package dataset_test

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"eigenbook/lib/dataset"
)

func TestReadCSV(t *testing.T) {
	type want struct {
		x          []float64
		features   []string
		labels     []int
		classes    []string
		target     []float64
		categories [][]string
	}
	for _, tc := range []struct {
		name string
		text string
		opts dataset.CSVOptions
		want want
	}{
		{"numbers", "1,2\n3,4\n", dataset.CSVOptions{}, want{x: []float64{1, 2, 3, 4}, features: []string{"V1", "V2"}}},
		{"header", "a,b\n1,2\n", dataset.CSVOptions{}, want{x: []float64{1, 2}, features: []string{"a", "b"}}},
		{"header of numbers", "1999,2000\n1,2\n", dataset.CSVOptions{Header: dataset.HeaderFirst}, want{x: []float64{1, 2}, features: []string{"1999", "2000"}}},
		{"words without header", "x,y\nz,y\n", dataset.CSVOptions{Header: dataset.HeaderAbsent},
			want{x: []float64{0, 0, 1, 0}, features: []string{"V1", "V2"}, categories: [][]string{{"x", "z"}, {"y"}}}},
		{"classes", "a,b,c\n1,2,yes\n3,4,no\n", dataset.CSVOptions{Target: "c"},
			want{x: []float64{1, 2, 3, 4}, features: []string{"a", "b"}, labels: []int{1, 0}, classes: []string{"no", "yes"}}},
		{"class order", "a,c\n1,yes\n3,no\n", dataset.CSVOptions{Target: "c", Classes: []string{"yes"}},
			want{x: []float64{1, 3}, features: []string{"a"}, labels: []int{0, 1}, classes: []string{"yes", "no"}}},
		{"numbers as classes", "10,1\n9,2\n10,3\n", dataset.CSVOptions{Target: "V1"},
			want{x: []float64{1, 2, 3}, features: []string{"V2"}, labels: []int{1, 0, 1}, classes: []string{"9", "10"}}},
		{"regression", "1;2,5\n", dataset.CSVOptions{Comma: ',', Target: "last", Regression: true, Categorical: []string{"V1"}},
			want{x: []float64{0}, features: []string{"V1"}, target: []float64{5}, categories: [][]string{{"1;2"}}}},
		{"semicolon and space", "a; b\n 1;2 \n", dataset.CSVOptions{Comma: ';'}, want{x: []float64{1, 2}, features: []string{"a", "b"}}},
		{"quotes", "\"a,1\",b\n\"1\",2\n", dataset.CSVOptions{}, want{x: []float64{1, 2}, features: []string{"a,1", "b"}}},
		{"CRLF, mark, comment", "\ufeffa,b\r\n# no\r\n1,2\r\n", dataset.CSVOptions{Comment: '#'}, want{x: []float64{1, 2}, features: []string{"a", "b"}}},
		{"row numbers", ",a\n0,7\n1,8\n", dataset.CSVOptions{Ignore: []string{"V1"}, Header: dataset.HeaderFirst}, want{x: []float64{7, 8}, features: []string{"a"}}},
		{"categorical numbers", "a,b\n10,1\n9,1\n", dataset.CSVOptions{Categorical: []string{"a"}},
			want{x: []float64{1, 1, 0, 1}, features: []string{"a", "b"}, categories: [][]string{{"9", "10"}, nil}}},
		{"drop rows", "a,b\n1,?\n3,4\n", dataset.CSVOptions{Missing: dataset.MissingDropRow}, want{x: []float64{3, 4}, features: []string{"a", "b"}}},
		{"median", "a,b\n1,x\n,x\n2,y\n8,NA\n", dataset.CSVOptions{Missing: dataset.MissingMedian},
			want{x: []float64{1, 0, 2, 0, 2, 1, 8, 0}, features: []string{"a", "b"}, categories: [][]string{nil, {"x", "y"}}}},
		{"own missing mark", "a\n1\n-999\n3\n", dataset.CSVOptions{Missing: dataset.MissingDropRow, MissingCells: []string{"-999"}},
			want{x: []float64{1, 3}, features: []string{"a"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := dataset.ReadCSV(strings.NewReader(tc.text), tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			got := want{s.X.RawMatrix().Data, s.FeatureNames, s.Labels, s.ClassNames, s.Target, s.Categories}
			if !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got  %v\nwant %v", got, tc.want)
			}
		})
	}
}

func TestMissingNaN(t *testing.T) {
	s, err := dataset.ReadCSV(strings.NewReader("a,b\n1,?\n3,x\n"), dataset.CSVOptions{Missing: dataset.MissingNaN})
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(s.X.At(0, 1)) || s.X.At(1, 1) != 0 {
		t.Errorf("got %v", s.X.RawMatrix().Data)
	}
	if row := oneHot(t, s).X.RawRowView(0); row[0] != 1 || row[1] != 0 {
		t.Errorf("OneHot of a missing level is %v, want zeros", row)
	}
}

func TestReadCSVErrors(t *testing.T) {
	for _, tc := range []struct {
		name string
		text string
		opts dataset.CSVOptions
		want error
		part []string
	}{
		{"empty", "", dataset.CSVOptions{}, dataset.ErrFormat, []string{"empty"}},
		{"header only", "a,b\n", dataset.CSVOptions{}, dataset.ErrFormat, []string{"no rows"}},
		{"ragged short", "a,b\n1,2\n3\n", dataset.CSVOptions{}, dataset.ErrFormat, []string{"line 3", "1 cells", "want 2"}},
		{"ragged long", "a,b\n1,2,9\n", dataset.CSVOptions{}, dataset.ErrFormat, []string{"line 2", "3 cells"}},
		{"not a number", "a,b\n1,2\n3,4o\n", dataset.CSVOptions{}, dataset.ErrFormat, []string{"line 3", "column 2", "(b)", `"4o"`}},
		{"number among words", "a,b\n1,x\n3,7\n", dataset.CSVOptions{}, dataset.ErrFormat, []string{"line 3", `"7"`, "Categorical"}},
		{"infinite", "a\n1\ninf\n", dataset.CSVOptions{}, dataset.ErrFormat, []string{"line 3", "not finite"}},
		{"overflow", "a\n1\n1e999\n", dataset.CSVOptions{}, dataset.ErrFormat, []string{"line 3", "range"}},
		{"missing", "a,b\n1,2\n,4\n", dataset.CSVOptions{}, dataset.ErrFormat, []string{"line 3", "column 1", "missing"}},
		{"missing target", "a,b\n1,2\n2,\n", dataset.CSVOptions{Target: "b", Missing: dataset.MissingNaN}, dataset.ErrFormat, []string{"line 3", `"b"`}},
		{"all missing", "a,b\n1,?\n2,?\n", dataset.CSVOptions{Missing: dataset.MissingMedian}, dataset.ErrFormat, []string{`"b"`, "median"}},
		{"all dropped", "a,b\n1,?\n2,?\n", dataset.CSVOptions{Missing: dataset.MissingDropRow}, dataset.ErrFormat, []string{"no rows"}},
		{"target only", "a\nx\n", dataset.CSVOptions{Target: "a"}, dataset.ErrFormat, []string{"no attribute"}},
		{"names repeat", "a,a\n1,2\n", dataset.CSVOptions{}, dataset.ErrFormat, []string{`"a"`, "1 and 2"}},
		{"open quote", "a,b\n\"1,2\n", dataset.CSVOptions{}, dataset.ErrFormat, []string{"line"}},
		{"unknown target", "a,b\n1,2\n", dataset.CSVOptions{Target: "c"}, dataset.ErrArgument, []string{`"c"`, "a, b"}},
		{"unknown categorical", "a,b\n1,2\n", dataset.CSVOptions{Categorical: []string{"c"}}, dataset.ErrArgument, []string{`"c"`}},
		{"ignored target", "a,b\n1,2\n", dataset.CSVOptions{Target: "b", Ignore: []string{"b"}}, dataset.ErrArgument, []string{`"b"`}},
		{"regression on words", "a,b\n1,x\n", dataset.CSVOptions{Target: "b", Regression: true}, dataset.ErrFormat, []string{"line 2", `"x"`}},
		{"broken gzip", "\x1f\x8b\x08", dataset.CSVOptions{}, dataset.ErrFormat, []string{"gzip"}},
		{"bad delimiter", "a,b\n", dataset.CSVOptions{Comma: '\n'}, dataset.ErrFormat, []string{"delimiter"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := dataset.ReadCSV(strings.NewReader(tc.text), tc.opts)
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

// TestEndlessRecord: a line, or a quote, without end is refused long before it fills the memory.
func TestEndlessRecord(t *testing.T) {
	for _, start := range []string{"a,b\n1,2\n", "a,b\n1,2\n\"x\n", "x"} {
		endless := io.MultiReader(strings.NewReader(start), repeat("1"))
		if s, err := dataset.ReadCSV(endless, dataset.CSVOptions{}); !errors.Is(err, dataset.ErrTooLarge) || s != nil {
			t.Errorf("after %q: %v, %v, want ErrTooLarge", start, s, err)
		}
	}
	lines := strings.NewReader(strings.Repeat("0,"+strings.Repeat(" ", 1<<20)+"1\n", 40))
	if s, err := dataset.ReadCSV(lines, dataset.CSVOptions{}); err != nil {
		t.Errorf("40 lines of 1 MB: %v, %v", s, err)
	}
}

// repeat is a text repeated without end.
type repeat string

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r[i%len(r)]
	}
	return len(p), nil
}

func TestLoadCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.csv.gz")
	if err := os.WriteFile(path, compressed([]byte("a,b\n1,2\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := dataset.LoadCSV(path, dataset.CSVOptions{})
	if err != nil || s.Name != "mine" || s.Source != path {
		t.Errorf("got %v, %v", s, err)
	}
	if _, err := dataset.LoadCSV(path, dataset.CSVOptions{Target: "z"}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not name the file", err)
	}
	if _, err := dataset.LoadCSV(path+"x", dataset.CSVOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add("a,b,c\n1,2,yes\n3,4,no\n", "c", uint8(0))
	f.Add("5.1,3.5,?\n4.9,3.0,setosa\n", "last", uint8(2))
	f.Add("\"a,1\";b\r\n1;\"2\n\"\r\n", "", uint8(1))
	f.Add("\ufeffx\n-0\n1e-400\n0x1p-2\n", "x", uint8(7))
	f.Fuzz(func(t *testing.T, text, target string, flags uint8) {
		opts := dataset.CSVOptions{Target: target, Missing: dataset.Missing(flags % 4), Regression: flags&4 != 0, Header: dataset.Header(flags >> 3 % 3)}
		s, err := dataset.ReadCSV(strings.NewReader(text), opts)
		if err != nil {
			return
		}
		n, d := s.Dims()
		if n < 1 || d < 1 || len(s.FeatureNames) != d || (s.Labels != nil && len(s.Labels) != n) || (s.Target != nil && len(s.Target) != n) {
			t.Fatalf("inconsistent set %v", s)
		}
		for _, v := range s.X.RawMatrix().Data {
			if math.IsInf(v, 0) || (math.IsNaN(v) && opts.Missing != dataset.MissingNaN) {
				t.Fatalf("value %v", v)
			}
		}
		if _, err := s.OneHot(); err != nil {
			t.Fatal(err)
		}
	})
}
