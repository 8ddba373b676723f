package tests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestScripts runs every script interpreted and compiled: both print what stands after
// its "// Output:".
func TestScripts(t *testing.T) {
	for _, file := range glob(t, "scripts/*.go") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want := wantedOutput(t, file)
			env := []string{"EIGENBOOK_SHOW=" + t.TempDir()}
			for _, run := range []struct {
				how  string
				argv []string
			}{
				{"interpreted", []string{nbkernel, "run", file}},
				{"compiled", []string{"go", "run", file}},
			} {
				got := succeed(t, root, env, run.argv[0], run.argv[1:]...)
				if trimLines(got.stdout) != want {
					t.Errorf("%s, it printed\n%s\nwant\n%s", run.how, got.stdout, want)
				}
			}
		})
	}
}

// TestScriptFlags runs scripts with values they must refuse before any work, with a message that names the flag.
func TestScriptFlags(t *testing.T) {
	for _, tc := range []struct {
		script string
		flag   string
		value  string
	}{
		{"dual-ppca.go", "-q", "0"},
		{"dual-ppca.go", "-q", "60"},
		{"dual-ppca.go", "-gamma", "NaN"},
		{"dual-ppca.go", "-gamma", "1e300"},
		{"dual-ppca.go", "-samples", "0"},
		{"dual-ppca.go", "-samples", "1000000000"},
		{"dual-ppca.go", "-data", "none"},
		{"eccentricity.go", "-data", "none"},
		{"eccentricity.go", "-data", "none.csv"},
		{"eccentricity.go", "-delimiter", "two"},
		{"eccentricity.go", "-header", "none"},
		{"eccentricity.go", "-missing", "none"},
		{"eccentricity.go", "-median", "none"},
		{"rbf-table.go", "-sets", "none"},
		{"rbf-table.go", "-results", "."},
		{"model-selection.go", "-max", "0"},
		{"model-selection.go", "-max", "1000"},
		{"model-selection.go", "-test", "1"},
		{"model-selection.go", "-data", "none"},
	} {
		r := command(t, root, nil, nbkernel, "run", "scripts/"+tc.script, tc.flag, tc.value)
		if r.code != 1 || r.stdout != "" || !strings.Contains(r.stderr, tc.flag+" ") {
			t.Errorf("%s %s %s: exit code %d, stdout %q, stderr %q, want 1, nothing, and the flag's name",
				tc.script, tc.flag, tc.value, r.code, r.stdout, r.stderr)
		}
	}
}

// wantedOutput returns the comment lines that follow "// Output:" at the end of a script.
func wantedOutput(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "// Output:\n")
	if !found {
		t.Fatalf("%s has no // Output: comment", file)
	}
	var lines []string
	for line := range strings.Lines(after) {
		line = strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "//")
		lines = append(lines, strings.TrimPrefix(line, " "))
	}
	want := trimLines(strings.Join(lines, "\n"))
	if want == "" {
		t.Fatalf("%s says nothing after // Output:", file)
	}
	return want
}

// trimLines drops blanks at the end of lines, which gofmt drops from comments too.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
