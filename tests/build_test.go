package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tinyModule writes a module with a package at its root that imports gonum, one below, one
// that cannot be built, an internal one and a command.
func tinyModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/tiny-mod\n\ngo 1.24\n",
		"tiny.go": `package tiny

import (
	"example.org/tiny-mod/internal/hidden"
	"gonum.org/v1/gonum/mat"
)

const Large = 1 << 70

type Shape interface{ Area() float64 }

type Opaque interface{ With(hidden.T) int }

func Total(shapes ...Shape) float64 {
	total := 0.0
	for _, s := range shapes {
		total += s.Area()
	}
	return total
}

func Trace(m mat.Matrix) float64 { return mat.Trace(m) }

func Same[T any](x T) T { return x }
`,
		"sub/sub.go":           "package sub\n\nfunc Twice(x float64) float64 { return 2 * x }\n",
		"broken/broken.go":     "package broken\n\nimport _ \"nosuch/package\"\n",
		"internal/hidden/h.go": "package hidden\n\ntype T struct{ A int }\n",
		"command/main.go":      "package main\n\nfunc main() {}\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestBuild builds a kernel with a module's packages, installs it and runs a notebook in it.
func TestBuild(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own")
	built := succeed(t, root, nil, nbkernel, "build", "-with", tinyModule(t), "-o", file)
	if want := "cells that import example.org/tiny-mod, example.org/tiny-mod/sub\n"; !strings.Contains(built.stdout, want) {
		t.Errorf("build says %q, want %q", built.stdout, want)
	}
	for _, want := range []string{"tiny-mod/broken is left out: package nosuch/package", "what is generic: Same\n"} {
		if !strings.Contains(built.stderr, want) {
			t.Errorf("build says %q, want %q", built.stderr, want)
		}
	}
	prefix := t.TempDir()
	succeed(t, root, nil, file, "install", "-prefix", prefix)
	env := []string{"JUPYTER_PATH=" + filepath.Join(prefix, "share", "jupyter")}
	out := filepath.Join(t.TempDir(), "out.ipynb")
	source := `import "example.org/tiny-mod/sub"

type square float64

func (s square) Area() float64 { return float64(s * s) }

fmt.Println(tiny.Total(square(2), square(3)), sub.Twice(4), tiny.Trace(mat.NewDense(2, 2, []float64{1, 2, 3, 4})), tiny.Large>>69)`
	succeed(t, root, env, file, "exec", "-o", out, oneCell(t, source))
	text, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(text), `"13 8 5 2\n"`) {
		t.Errorf("the notebook's outputs are not there (%v):\n%s", err, text)
	}
}
