package tests

import (
	"path/filepath"
	"testing"
)

// TestNotebooks executes every notebook on both kernels: what a cell printed and the text and
// the looks of its figures must be what the file in the repository shows, so that a reader
// sees what the code does today. `nbkernel exec -inplace` stores what it does.
func TestNotebooks(t *testing.T) {
	for _, kernel := range []string{"eigenbook", "gonb"} {
		for _, file := range glob(t, "notebooks/*.ipynb") {
			t.Run(kernel+"/"+filepath.Base(file), func(t *testing.T) {
				succeed(t, root, nil, nbkernel, "exec", "-kernel", kernel, "-check", file)
			})
		}
	}
}
