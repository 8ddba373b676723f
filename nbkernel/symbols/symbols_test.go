package symbols

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestTablesAreFresh writes the tables anew and compares them with those in this folder.
func TestTablesAreFresh(t *testing.T) {
	dir := t.TempDir()
	if text, err := exec.Command("go", "run", "./generate", dir).CombinedOutput(); err != nil {
		t.Fatalf("go run ./generate: %v\n%s", err, text)
	}
	want := tableFiles(t, dir)
	got := tableFiles(t, ".")
	for name, text := range want {
		if !bytes.Equal(got[name], text) {
			t.Errorf("%s is stale: run go generate ./nbkernel/symbols", name)
		}
	}
	for name := range got {
		if want[name] == nil {
			t.Errorf("%s belongs to no package of the list: run go generate ./nbkernel/symbols", name)
		}
	}
}

func tableFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "table_*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no tables in %s (%v)", dir, err)
	}
	names = append(names, filepath.Join(dir, "docs.gz"))
	files := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = text
	}
	return files
}

func TestLoad(t *testing.T) {
	math := Load("math")["math/./math"]
	if f := math["Sqrt"]; f.Kind() != reflect.Func || f.Interface().(func(float64) float64)(9) != 3 {
		t.Errorf("math.Sqrt = %v", f)
	}
	if Load("no/such/package") != nil {
		t.Error("a package that does not exist has symbols")
	}
	if name, ok := Name("math/rand/v2"); name != "rand" || !ok {
		t.Errorf("the name of math/rand/v2 is %q, %v", name, ok)
	}
	for _, name := range []string{"FitPrimal", "FitDual", "Config", "Range"} {
		if !Load("eigenbook/lib/ppca")["eigenbook/lib/ppca/./ppca"][name].IsValid() {
			t.Errorf("ppca.%s has no symbol", name)
		}
	}
}

// TestDoc finds parameters and first paragraphs of our library and of gonum.
func TestDoc(t *testing.T) {
	for _, tc := range []struct{ path, name, params, text string }{
		{"eigenbook/lib/ppca", "FitPrimal", "x cfg - -", "N×d"},
		{"eigenbook/lib/ppca", "Model.Transform", "x - -", "x"},
		{"gonum.org/v1/gonum/mat", "Dense.SetRow", "i src", "SetRow"},
		{"gonum.org/v1/gonum/mat", "Matrix.Dims", "r c", "dimensions"},
		{"gonum.org/v1/gonum/stat", "", "", "statistic"},
	} {
		if got := Doc(tc.path, tc.name); got.Params != tc.params || !strings.Contains(got.Text, tc.text) {
			t.Errorf("%s.%s: %+v, want parameters %q and a text with %q", tc.path, tc.name, got, tc.params, tc.text)
		}
	}
}
