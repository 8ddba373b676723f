package command

import (
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be built is refused in a sentence, before anything is compiled.
func TestBuildRefuses(t *testing.T) {
	out := filepath.Join(t.TempDir(), "kernel")
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, with string
		code       int
		says       string
	}{
		{"no module", "./testdata", ExitFailed, "is no Go module"},
		{"this module", here, ExitFailed, "eigenbook is there already"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, _, stderr := nbkernel("build", "-with", tc.with, "-o", out)
			if code != tc.code || !strings.Contains(stderr, tc.says) {
				t.Errorf("exit code %d, %s; want %d and %q", code, stderr, tc.code, tc.says)
			}
		})
	}
	t.Run("outside a clone", func(t *testing.T) {
		t.Chdir(t.TempDir())
		if code, _, stderr := nbkernel("build", "-with", "./a", "-o", out); code != ExitUsage || !strings.Contains(stderr, "not inside a clone") {
			t.Errorf("exit code %d, %s", code, stderr)
		}
	})
	t.Run("no tool chain", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		if code, _, stderr := nbkernel("build", "-with", "./a", "-o", out); code != ExitUsage || !strings.Contains(stderr, "there is no go on PATH") {
			t.Errorf("exit code %d, %s", code, stderr)
		}
	})
}
