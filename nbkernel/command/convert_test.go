package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"eigenbook/nbkernel/notebook"
)

// A notebook of the repository goes through the Go file and comes back but for its outputs,
// and the page shows its cells.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	source := "../../notebooks/00-tour.ipynb"
	goFile, back, page := filepath.Join(dir, "tour.go"), filepath.Join(dir, "tour.ipynb"), filepath.Join(dir, "tour.html")
	for _, args := range [][]string{{source, goFile}, {goFile, back}, {goFile, page}} {
		if code, _, stderr := nbkernel("convert", args[0], args[1]); code != ExitDone {
			t.Fatalf("convert %v: exit code %d, %s", args, code, stderr)
		}
	}
	want, err := notebook.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range want.Cells {
		c.ClearOutputs()
	}
	data, err := want.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(back); err != nil || !bytes.Equal(got, data) {
		t.Errorf("the notebook did not come back (%v)", err)
	}
	if got, err := os.ReadFile(page); err != nil || !strings.Contains(string(got), "A tour in five minutes") {
		t.Errorf("the page does not show the notebook (%v)", err)
	}
}
