package repl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHistory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "history")
	h, err := openHistory(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"a", "a", "  ", "b"} {
		h.Add(line)
	}
	if h.Len() != 2 || h.At(0) != "b" || h.At(1) != "a" {
		t.Errorf("%d lines, %q; want b and a", h.Len(), h.lines)
	}
	for i := range mostLines {
		h.Add(fmt.Sprint(i))
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := openHistory(file)
	if err != nil {
		t.Fatal(err)
	}
	if again.Len() != mostLines || again.At(0) != fmt.Sprint(mostLines-1) || again.At(mostLines-1) != "0" {
		t.Errorf("%d lines from %q to %q", again.Len(), again.At(again.Len()-1), again.At(0))
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v (%v), want mode 0600", info, err)
	}
	if data, err := os.ReadFile(file); err != nil || strings.Count(string(data), "\n") != mostLines {
		t.Errorf("the file has %d lines (%v), want %d", strings.Count(string(data), "\n"), err, mostLines)
	}
}
