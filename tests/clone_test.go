package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCloneToReport follows the first lines of the README on a fresh clone.
func TestCloneToReport(t *testing.T) {
	if err := exec.Command("git", "-C", root, "rev-parse", "HEAD").Run(); err != nil {
		t.Skipf("not a git checkout, so there is nothing to clone: %v", err)
	}
	clone := filepath.Join(t.TempDir(), "eigenbook")
	succeed(t, root, nil, "git", "clone", "--quiet", "file://"+root, clone)
	report := filepath.Join(clone, "report.html")
	succeed(t, clone, nil, "go", "run", "./nbkernel", "exec", "-html", report, "notebooks/01-dual-ppca.ipynb")
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"data:image/png;base64,", "<math"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report holds no %q", want)
		}
	}
	for _, bad := range []string{"<script", "src=\"http", "url(http"} {
		if strings.Contains(string(text), bad) {
			t.Errorf("the report holds %q and so is not self-contained", bad)
		}
	}
}
