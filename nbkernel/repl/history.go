package repl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"eigenbook/nbkernel/notebook"
)

// mostLines is how many lines the history keeps.
const mostLines = 2000

// A history holds the lines that were typed, oldest first, and appends them to a file that
// only the user can read. It is a term.History.
type history struct {
	file  string // "" keeps nothing
	lines []string
}

// openHistory reads the lines of earlier sessions.
func openHistory(file string) (*history, error) {
	h := &history{file: file}
	if file == "" {
		return h, nil
	}
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return h, os.MkdirAll(filepath.Dir(file), 0o700)
	case err != nil:
		return nil, fmt.Errorf("history: %w", err)
	}
	for line := range strings.Lines(strings.ToValidUTF8(string(data), "\ufffd")) {
		h.lines = append(h.lines, strings.TrimRight(line, "\n"))
	}
	if err := os.Chmod(file, 0o600); err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	if len(h.lines) <= mostLines {
		return h, nil
	}
	h.lines = h.lines[len(h.lines)-mostLines:]
	return h, notebook.ReplaceFile(file, []byte(strings.Join(h.lines, "\n")+"\n"))
}

// Add keeps a line, unless it is blank or the one before. A file that cannot be written to
// costs the memory of later sessions and nothing else.
func (h *history) Add(line string) {
	if strings.TrimSpace(line) == "" || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return
	}
	h.lines = append(h.lines, line)
	if h.file == "" {
		return
	}
	f, err := os.OpenFile(h.file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintln(f, line)
}

// Len returns the number of lines.
func (h *history) Len() int { return len(h.lines) }

// At returns line i, counted from the newest, which is 0.
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }
