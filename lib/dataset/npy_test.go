package dataset_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"eigenbook/lib/dataset"

	"gonum.org/v1/gonum/mat"
)

// The files in testdata/npy were written by NumPy 1.24.2.
func TestLoadNPY(t *testing.T) {
	grid := mat.NewDense(2, 3, []float64{0, 1, 2, 3, 4, 5})
	for name, want := range map[string]mat.Matrix{
		"le-f8": grid, "be-f8": grid, "le-f4": grid, "le-i8": grid, "be-i4": grid, "le-i2": grid, "i1": grid,
		"u1": grid, "le-u2": grid, "le-u4": grid, "le-u8": grid, "fortran": grid, "version2": grid,
		"vector": mat.NewDense(3, 1, []float64{1.5, -2, 3}),
		"bool":   mat.NewDense(2, 2, []float64{1, 0, 0, 1}),
	} {
		x, err := dataset.LoadNPY(filepath.Join("testdata", "npy", name+".npy"))
		if err != nil || !mat.Equal(x, want) {
			t.Errorf("%s: got %v, %v; want %v", name, x, err, want)
		}
	}
	plain, err := os.ReadFile(filepath.Join("testdata", "npy", "le-f8.npy"))
	if err != nil {
		t.Fatal(err)
	}
	if x, err := dataset.ReadNPY(bytes.NewReader(compressed(plain))); err != nil || !mat.Equal(x, grid) {
		t.Errorf("gzip: got %v, %v", x, err)
	}
}

// npyFile makes a version 1 file with any header and data.
func npyFile(header string, data ...byte) []byte {
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	return append(append(b, header...), data...)
}

func TestNPYErrors(t *testing.T) {
	file := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join("testdata", "npy", name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	whole := file("le-f8")
	for _, tc := range []struct {
		name    string
		file    []byte
		want    error
		message string
	}{
		{"empty", nil, dataset.ErrFormat, "magic"},
		{"text", []byte("not a numpy file"), dataset.ErrFormat, "6e 6f 74"},
		{"version 9", []byte("\x93NUMPY\x09\x00\x01\x00 "), dataset.ErrFormat, "09"},
		{"length missing", []byte("\x93NUMPY\x02\x00\x01"), dataset.ErrFormat, "length"},
		{"header bomb", []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{"), dataset.ErrTooLarge, "4294967295"},
		{"header short", whole[:40], dataset.ErrFormat, "header ends"},
		{"no newline", npyFile("{'descr': '<f8'}"), dataset.ErrFormat, ""},
		{"keys missing", npyFile("{}\n"), dataset.ErrFormat, ""},
		{"keys swapped", npyFile("{'shape': (1,), 'fortran_order': False, 'descr': '<f8', }\n"), dataset.ErrFormat, ""},
		{"shape empty", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': }\n"), dataset.ErrFormat, ""},
		{"shape words", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (a,), }\n"), dataset.ErrFormat, ""},
		{"negative", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2), }\n"), dataset.ErrFormat, "-1"},
		{"huge", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n"), dataset.ErrTooLarge, "268435456"},
		{"promises", npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (10000, 10000), }\n", 1), dataset.ErrFormat, "0 of 100000000"},
		{"truncated", whole[:len(whole)-1], dataset.ErrFormat, "5 of 6"},
		{"trailing", append(bytes.Clone(whole), 0), dataset.ErrFormat, "after the last"},
		{"three dimensions", file("cube"), dataset.ErrFormat, "[2 2 2]"},
		{"scalar", file("scalar"), dataset.ErrFormat, "dimensions"},
		{"complex", file("complex"), dataset.ErrFormat, "c16"},
		{"text array", file("text"), dataset.ErrFormat, "U1"},
		{"records", file("record"), dataset.ErrFormat, "dtype"},
		{"no rows", file("empty"), dataset.ErrFormat, "0×3"},
		{"NaN", file("nan"), dataset.ErrNotFinite, "value [1]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x, err := dataset.ReadNPY(bytes.NewReader(tc.file))
			if !errors.Is(err, tc.want) || x != nil || !strings.Contains(err.Error(), tc.message) {
				t.Errorf("got %v, error %v; want %v with %q", x, err, tc.want, tc.message)
			}
		})
	}
}

func FuzzReadNPY(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "npy", "*.npy"))
	if err != nil || len(paths) == 0 {
		f.Fatal("no seeds in testdata/npy")
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if x, err := dataset.ReadNPY(bytes.NewReader(file)); (err == nil) != (x != nil) {
			t.Fatalf("matrix %v with error %v", x, err)
		}
	})
}
