package interp

import (
	"bytes"
	"fmt"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// A text is a piece of lowered code that was evaluated: for each line the position in the
// cell of the statement it belongs to.
type text struct {
	cell  int
	lines []position // of line i+1
}

type position struct{ line, column int }

// position returns where a position stands in its cell.
func (s *Session) position(pos token.Pos) position {
	p := s.files.Position(pos)
	if p.Line == 1 {
		p.Column -= len(declWrapper)
	}
	return position{p.Line, p.Column}
}

var marker = regexp.MustCompile(`^// @(\d+):(\d+)$`)

// newText reads the marks that the emitter put before each statement.
func newText(cell int, lowered string) *text {
	t := &text{cell: cell}
	var at position
	for line := range strings.Lines(lowered) {
		if m := marker.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			at.line, _ = strconv.Atoi(m[1])
			at.column, _ = strconv.Atoi(m[2])
		} else if strings.HasPrefix(line, "func ") {
			at = position{}
		}
		t.lines = append(t.lines, at)
	}
	return t
}

var loweredFunc = regexp.MustCompile(`(?m)^func (\w+)\(`)

// noteText keeps which text the functions of a cell stand in.
func (s *Session) noteText(cell int, lowered string) {
	t := newText(cell, lowered)
	for _, m := range loweredFunc.FindAllStringSubmatch(lowered, -1) {
		s.origin[m[1]] = t
	}
}

// A frame is a call that was active when a cell panicked.
type frame struct {
	function string
	cell     int
	position
}

func (f frame) String() string {
	if f.function == "cell" {
		return fmt.Sprintf("cell %d, line %d", f.cell, f.line)
	}
	return fmt.Sprintf("%s, cell %d, line %d", f.function, f.cell, f.line)
}

var traceLine = regexp.MustCompile(`^(\d+):(\d+): panic: main\.(\w+)`)

// frames reads yaegi's trace of the last panic, innermost call first. The cell itself, number
// count, stands at the statement of its top level that was reached.
func (s *Session) frames(count int) []frame {
	var list []frame
	for line := range strings.Lines(s.trace.String()) {
		m := traceLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		t, n := s.origin[m[3]], 0
		if t == nil {
			continue
		}
		if n, _ = strconv.Atoi(m[1]); n < 1 || n > len(t.lines) {
			continue
		}
		name := m[3]
		if at := strings.LastIndex(name, "_"); at > 0 {
			name = name[:at]
		}
		f := frame{function: name, cell: t.cell, position: t.lines[n-1]}
		if name == "cell" && t.cell == count && s.at.Load().line > 0 {
			f.position = *s.at.Load()
		}
		if f.line == 0 {
			continue
		}
		if len(list) == 0 || list[len(list)-1] != f {
			list = append(list, f)
		}
	}
	return list
}

// traceBuffer collects yaegi's traces, which come from any goroutine.
type traceBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *traceBuffer) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.b.Len() < 1<<16 {
		t.b.Write(p)
	}
	return len(p), nil
}

func (t *traceBuffer) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}

func (t *traceBuffer) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b.Reset()
}
