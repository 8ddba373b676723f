package interp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// FuzzCell runs anything as a cell: what the checker accepts runs, fails or is refused with a
// position, and the session goes on. Seeds are the programs of the corpus, but for those that
// touch files or the process.
func FuzzCell(f *testing.F) {
	if raceDetector {
		f.Skip("goroutines that a program leaves behind read yaegi's slice of variables, which the next cell replaces: to the detector a race, though either slice has the same variables")
	}
	archives, err := filepath.Glob("../../tests/corpus/testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		f.Fatalf("%d archives of programs: %v", len(archives), err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, program := range archive.Files {
			if source := string(program.Data); harmless(source) {
				f.Add(source)
			}
		}
	}
	silent, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		f.Fatal(err)
	}
	stdout, stderr := os.Stdout, os.Stderr
	f.Cleanup(func() { os.Stdout, os.Stderr = stdout, stderr })
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 1<<14 || !harmless(source) {
			return
		}
		os.Stdout, os.Stderr = silent, silent
		s := session(t)
		os.Stdout, os.Stderr = stdout, stderr
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err := s.Run(ctx, source, 1)
		var e *Error
		switch {
		case err == nil:
		case !errors.As(err, &e):
			t.Fatalf("the error is a %T: %v", err, err)
		case strings.Contains(e.Message, "internal error"):
			t.Fatalf("%s\n%s", e.Message, strings.Join(e.Traceback, "\n"))
		case e.Kind == CompileError && e.Line == 0:
			t.Fatalf("a refusal without a position: %s", e.Message)
		case e.Kind == Interrupted || strings.Contains(e.Message, "goroutine"):
			return // something may be left in a compiled call
		}
		if got, err := s.Run(t.Context(), "1 + 1", 2); err != nil || got.Value != 2 {
			t.Fatalf("after the cell 1 + 1 is %v (%v)", got.Value, err)
		}
	})
}

func harmless(source string) bool {
	for _, word := range []string{"os", "exec", "syscall", "runtime", "net", "plugin", "log", "flag", "dataset", "nb"} {
		if strings.Contains(source, word+".") {
			return false
		}
	}
	return true
}
