package tests

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// oneCell writes a notebook of one cell and returns its path.
func oneCell(t *testing.T, source string) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{},
		"cells": []any{map[string]any{
			"cell_type": "code", "id": "only", "metadata": map[string]any{},
			"source": source, "outputs": []any{}, "execution_count": nil,
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "one.ipynb")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestInstall installs both kernels under a temporary prefix, runs a cell on each through
// its kernelspec, and removes them again.
func TestInstall(t *testing.T) {
	prefix := t.TempDir()
	succeed(t, root, nil, nbkernel, "install", "-prefix", prefix, "-gonb")
	env := []string{"JUPYTER_PATH=" + filepath.Join(prefix, "share", "jupyter")}
	for _, kernel := range []string{"eigenbook", "eigenbook-gonb"} {
		if _, err := os.Stat(filepath.Join(prefix, "share", "jupyter", "kernels", kernel, "kernel.json")); err != nil {
			t.Errorf("%s is not installed: %v", kernel, err)
			continue
		}
		out := filepath.Join(t.TempDir(), "out.ipynb")
		succeed(t, root, env, nbkernel, "exec", "-kernel", kernel, "-o", out,
			oneCell(t, "import \"eigenbook/lib/dataset\"\n\n%%\nfmt.Println(dataset.Iris().Name)"))
		text, err := os.ReadFile(out)
		if err != nil || !strings.Contains(string(text), `iris`) {
			t.Errorf("%s: the executed notebook holds no output of its cell (%v)", kernel, err)
		}
	}
	succeed(t, root, nil, nbkernel, "uninstall", "-prefix", prefix)
	left, err := filepath.Glob(filepath.Join(prefix, "share", "jupyter", "kernels", "*"))
	if err != nil || len(left) != 0 {
		t.Errorf("uninstall left %v (%v)", left, err)
	}
}

// TestJupyter lets Debian's nbconvert run every notebook on the installed kernel.
func TestJupyter(t *testing.T) {
	if _, err := exec.LookPath("jupyter"); err != nil {
		t.Skip("jupyter is not installed (Debian: jupyter-nbconvert): notebooks run on our own client only")
	}
	prefix := t.TempDir()
	succeed(t, root, nil, nbkernel, "install", "-prefix", prefix)
	env := []string{"JUPYTER_PATH=" + filepath.Join(prefix, "share", "jupyter")}
	for _, file := range glob(t, "notebooks/*.ipynb") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			out := t.TempDir()
			succeed(t, root, env, "jupyter", "nbconvert", "--execute", "--to", "notebook",
				"--ExecutePreprocessor.kernel_name=eigenbook", "--output-dir", out, file)
			text, err := os.ReadFile(filepath.Join(out, filepath.Base(file)))
			if err != nil || !strings.Contains(string(text), `"image/png"`) {
				t.Errorf("the notebook that Jupyter executed has no figure (%v)", err)
			}
		})
	}
}
