package dataset_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"eigenbook/lib/dataset"
)

// TestLoadAll loads every set of the table and compares its shape with it. Of large sets only the first
// rows are read here.
func TestLoadAll(t *testing.T) {
	for _, src := range dataset.Sources() {
		t.Run(src.Name, func(t *testing.T) {
			if !src.Embedded {
				dataFolder(t)
			}
			rows := 0
			if src.Rows*src.Features > 1<<22 {
				rows = 300
			}
			s, err := dataset.LoadRows(context.Background(), src.Name, rows)
			if err != nil {
				t.Fatal(err)
			}
			if rows == 0 {
				checkSet(t, s)
				rows = src.Rows
			}
			if n, d := s.Dims(); n != rows || d != src.Features || s.Name != src.Name {
				t.Errorf("%s is %d×%d, want %s, %d×%d", s.Name, n, d, src.Name, rows, src.Features)
			}
			if _, h := oneHot(t, s).Dims(); h != src.OneHot {
				t.Errorf("OneHot has %d columns, want %d", h, src.OneHot)
			}
			if s.Source == "" || s.Licence == "" {
				t.Error("no source or licence")
			}
		})
	}
}

func TestLoadDetails(t *testing.T) {
	dataFolder(t)
	load := func(name string, rows int) *dataset.Set {
		t.Helper()
		s, err := dataset.LoadRows(context.Background(), name, rows)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := load("ilpd", 0); s.X.At(209, 9) != 0.93 { // NumPy's median of the 579 values that are present
		t.Errorf("the missing value of ilpd became %v, want the median 0.93", s.X.At(209, 9))
	}
	if s := load("balloon", 0); s.Target == nil || s.Labels != nil {
		t.Error("balloon is a regression set")
	}
	if s := load("coil20", 145); s.ImageHeight != 128 || s.Labels[71] != 0 || s.Labels[72] != 1 || s.ClassNames[0] != "1" {
		t.Errorf("coil20: %v, labels %v", s, s.Labels[70:75])
	}
	if s := load("frey", 0); s.ImageHeight != 28 || s.ImageWidth != 20 || s.Labels != nil {
		t.Errorf("frey: %v", s)
	}
	if s := load("yaleb", 0); len(s.ClassNames) != 38 || slices.Max(s.ClassCounts()) != 64 {
		t.Errorf("yaleb: %d classes of up to %d", len(s.ClassNames), slices.Max(s.ClassCounts()))
	}
	s := load("dbpedia-vectors", 0)
	if len(s.ClassNames) != 14 || s.ClassNames[13] != "WrittenWork" || s.ClassNames[s.Labels[0]] != "Artist" || s.ClassNames[s.Labels[1]] != "Village" {
		t.Errorf("dbpedia: classes %v, first labels %v", s.ClassNames, s.Labels[:2])
	}
	for i := range 3 {
		norm := 0.0
		for _, v := range s.X.RawRowView(i) {
			norm += v * v
		}
		if math.Abs(norm-1) > 1e-6 { // float32 in the file
			t.Errorf("dbpedia: row %d has norm² %v, want 1", i, norm)
		}
	}
	// The second part of the training images begins at row 20,000.
	if s := load("fashion-mnist", 20002); s.Labels[20000] != fashionLabel(t, 0) || s.Labels[20001] != fashionLabel(t, 1) {
		t.Errorf("fashion-mnist: labels %v at the second part", s.Labels[20000:])
	}
}

// fashionLabel reads a label of the second part directly.
func fashionLabel(t *testing.T, k int) int {
	f, err := os.Open(filepath.Join(dataFolder(t), "fmnist", "train-labels-part2of3-idx1-ubyte.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	y, _, err := dataset.ReadIDX(f, k+1)
	if err != nil {
		t.Fatal(err)
	}
	return int(y.At(k, 0))
}

func TestLoadWithoutFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(dataset.DataVariable, dir)
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("HOME", dir)
	if s, err := dataset.Load(context.Background(), "frey"); !errors.Is(err, dataset.ErrUnavailable) || s != nil ||
		!strings.Contains(err.Error(), "faces/frey.u8.gz") || !strings.Contains(err.Error(), dataset.DataVariable) {
		t.Errorf("frey: %v, %v", s, err)
	}
	if _, err := dataset.Load(context.Background(), "irsi"); !errors.Is(err, dataset.ErrUnknown) || !strings.Contains(err.Error(), "iris") {
		t.Errorf("unknown name: %v", err)
	}
	if _, err := dataset.LoadRows(context.Background(), "iris", -1); !errors.Is(err, dataset.ErrArgument) {
		t.Errorf("negative rows: %v", err)
	}
	if s, err := dataset.LoadRows(context.Background(), "iris", 60); err != nil || len(s.Labels) != 60 {
		t.Errorf("60 rows of iris: %v, %v", s, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := dataset.Load(ctx, "mnist"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// writeRaw puts a header and files into a folder and returns the header's path.
func writeRaw(t *testing.T, header string, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "h.json")
	if err := os.WriteFile(path, []byte(header), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func TestLoadRaw(t *testing.T) {
	const header = `{"shape": [3, 2], "dtype": "uint8", "image": {"height": 1, "width": 2}, "data": "d.gz", "labels": "l", "label_names": {"2": "two"}}`
	files := map[string][]byte{"d.gz": compressed([]byte{1, 2, 3, 4, 5, 6}), "l": {1, 2, 1}}
	s, err := dataset.LoadRaw(writeRaw(t, header, files), 0)
	if err != nil {
		t.Fatal(err)
	}
	if s.X.At(2, 1) != 6 || !slices.Equal(s.Labels, []int{0, 1, 0}) || !slices.Equal(s.ClassNames, []string{"1", "two"}) || s.ImageWidth != 2 || s.Name != "h" {
		t.Errorf("got %v, labels %v", s, s.Labels)
	}
	if s, err := dataset.LoadRaw(writeRaw(t, header, files), 2); err != nil || len(s.Labels) != 2 {
		t.Errorf("two rows: %v, %v", s, err)
	}
	for _, tc := range []struct {
		name, header string
		files        map[string][]byte
		want         error
		part         string
	}{
		{"not JSON", "{", nil, dataset.ErrFormat, "header"},
		{"no shape", `{"dtype": "uint8", "data": "d"}`, nil, dataset.ErrFormat, "shape"},
		{"negative", `{"shape": [-1, 2], "dtype": "uint8", "data": "d"}`, nil, dataset.ErrFormat, "-1"},
		{"huge", `{"shape": [4000000000, 4000000000], "dtype": "uint8", "data": "d"}`, nil, dataset.ErrTooLarge, "268435456"},
		{"dtype", `{"shape": [1, 2], "dtype": "int3", "data": "d"}`, nil, dataset.ErrFormat, `"int3"`},
		{"image", `{"shape": [1, 2], "dtype": "uint8", "image": {"height": 2, "width": 2}, "data": "d"}`, nil, dataset.ErrFormat, "2×2"},
		{"elsewhere", `{"shape": [1, 2], "dtype": "uint8", "data": "../d"}`, nil, dataset.ErrFormat, "../d"},
		{"parent", `{"shape": [1, 2], "dtype": "uint8", "data": ".."}`, nil, dataset.ErrFormat, ".."},
		{"no data file", `{"shape": [1, 2], "dtype": "uint8", "data": "d"}`, nil, os.ErrNotExist, "d"},
		{"truncated", `{"shape": [1, 2], "dtype": "uint8", "data": "d"}`, map[string][]byte{"d": {1}}, dataset.ErrFormat, "1 of 2"},
		{"trailing", `{"shape": [1, 2], "dtype": "uint8", "data": "d"}`, map[string][]byte{"d": {1, 2, 3}}, dataset.ErrFormat, "after the last"},
		{"NaN", `{"shape": [1, 1], "dtype": "float32 little-endian", "data": "d"}`, map[string][]byte{"d": {0, 0, 0xc0, 0x7f}}, dataset.ErrNotFinite, "NaN"},
		{"label 0", `{"shape": [1, 1], "dtype": "uint8", "data": "d", "labels": "l"}`, map[string][]byte{"d": {1}, "l": {0}}, dataset.ErrFormat, "label [0]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := dataset.LoadRaw(writeRaw(t, tc.header, tc.files), 0)
			if !errors.Is(err, tc.want) || s != nil || !strings.Contains(err.Error(), tc.part) {
				t.Errorf("got %v, error %v; want %v with %q", s, err, tc.want, tc.part)
			}
		})
	}
	if _, err := dataset.LoadRaw("x.json", -1); !errors.Is(err, dataset.ErrArgument) {
		t.Errorf("negative rows: %v", err)
	}
}

func FuzzLoadRaw(f *testing.F) {
	f.Add(`{"shape": [3, 2], "dtype": "uint8", "image": {"height": 1, "width": 2}, "data": "d", "labels": "l"}`, []byte{1, 2, 3, 4, 5, 6}, []byte{1, 2, 1})
	f.Add(`{"shape": [1, 1], "dtype": "float32 little-endian", "data": "d", "labels": null}`, []byte{0, 0, 0x80, 0x3f}, []byte{})
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, header string, data, labels []byte) {
		for name, b := range map[string][]byte{"h.json": []byte(header), "d": data, "l": labels} {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := dataset.LoadRaw(filepath.Join(dir, "h.json"), 0)
		if (err == nil) != (s != nil) {
			t.Fatalf("set %v with error %v", s, err)
		}
		if err == nil {
			checkLabels(t, s)
		}
	})
}

func checkLabels(t *testing.T, s *dataset.Set) {
	n, d := s.Dims()
	if n < 1 || d < 1 || (s.Labels != nil && len(s.Labels) != n) || len(s.FeatureNames) != d {
		t.Fatalf("inconsistent set %v", s)
	}
}
