package interp

import (
	"fmt"
	"go/token"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"eigenbook/nbkernel/interp/lower"
	"eigenbook/nbkernel/interp/rt"
)

type position struct{ line, column int }

// position returns where a position stands in its cell.
func (s *Session) position(pos token.Pos) position {
	p := s.files.Position(pos)
	if p.Line == 1 {
		p.Column -= len(declWrapper)
	}
	return position{p.Line, p.Column}
}

// An origin is what a lowered function is in its cell.
type origin struct {
	function string
	cell     string
	line     string // its line variable
	reach    string // of a cell, see lower.Function
	exact    bool
}

// noteFunctions keeps what the functions of a cell are.
func (s *Session) noteFunctions(list []lower.Function) {
	for _, f := range list {
		s.origin[f.Name] = origin{f.User, s.files.Position(f.Pos).Filename, f.Line, f.Reach, f.Exact}
	}
}

// forgetFunctions forgets the functions of a cell that cannot be left by a later panic, and the
// source of the cell if that are all.
func (s *Session) forgetFunctions(cell string, list []lower.Function) {
	later := false
	for _, f := range list {
		if f.Once {
			delete(s.origin, f.Name)
		}
		later = later || !f.Once
	}
	if !later {
		delete(s.shown, cell)
	}
}

// A frame is a call that was active when a cell panicked.
type frame struct {
	function string
	cell     string
	position
}

func (f frame) String() string {
	if f.function == "cell" {
		return fmt.Sprintf("%s, line %d", f.cell, f.line)
	}
	return fmt.Sprintf("%s, %s, line %d", f.function, f.cell, f.line)
}

// frames returns the calls of lowered functions that a panic has left, innermost
// first. A call that was active several times stands where its innermost one does.
func (s *Session) frames(left []string) []frame {
	var globals map[string]reflect.Value
	var list []frame
	for _, name := range left {
		o, ok := s.origin[name]
		if !ok {
			continue
		}
		if globals == nil {
			globals = s.yaegi.Globals()
		}
		f := frame{function: o.function, cell: o.cell}
		at := valueOf(globals, o.line)
		if !o.exact {
			at = max(at, valueOf(globals, o.reach))
		}
		f.line, f.column = lower.Position(at)
		if f.line == 0 {
			continue
		}
		if len(list) == 0 || list[len(list)-1] != f {
			list = append(list, f)
		}
	}
	return list
}

// excerpt returns the line of a cell that a frame stands at, with a mark below its column.
func (s *Session) excerpt(f frame) []string {
	lines := strings.Split(s.shown[f.cell], "\n")
	if f.line < 1 || f.line > len(lines) || s.shown[f.cell] == "" {
		return nil
	}
	return []string{lines[f.line-1], caret(lines[f.line-1], f.column)}
}

var traceLine = regexp.MustCompile(`^\d+:\d+: panic: main\.(\w+)`)

// maxFrames bounds the functions that are kept of a panic.
const maxFrames = 100

// traceBuffer collects yaegi's traces of panics by the goroutine that panics: one line for each
// frame, when it ends, with the function in it.
type traceBuffer struct {
	mu    sync.Mutex
	names map[string][]string // goroutine → lowered functions
}

func (t *traceBuffer) Write(p []byte) (int, error) {
	m := traceLine.FindSubmatch(p)
	if m == nil {
		return len(p), nil
	}
	id := rt.Goroutine()
	t.mu.Lock()
	defer t.mu.Unlock()
	if list := t.names[id]; len(list) < maxFrames && (len(list) == 0 || list[len(list)-1] != string(m[1])) {
		if t.names == nil {
			t.names = map[string][]string{}
		}
		t.names[id] = append(list, string(m[1]))
	}
	return len(p), nil
}

// take returns the functions that the panic of this goroutine has left, and forgets them.
func (t *traceBuffer) take() []string {
	id := rt.Goroutine()
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.names[id]
	delete(t.names, id)
	return list
}

// carry takes what the panic of this goroutine has left; the panic goes on in the goroutine that
// calls resume.
func (t *traceBuffer) carry() (resume func()) {
	left := t.take()
	return func() {
		id := rt.Goroutine()
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.names == nil {
			t.names = map[string][]string{}
		}
		t.names[id] = left
	}
}

func (t *traceBuffer) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.names)
}

func cellName(count int) string { return fmt.Sprintf("cell %d", count) }

// show keeps the source of a cell for traces. Cells of the same name cannot be told apart.
func (s *Session) show(c *compilation) {
	source := c.source
	if before, ok := s.shown[c.name]; ok && before != source {
		source = ""
	}
	s.shown[c.name] = source
}

// valueOf returns the value of a line variable, 0 if there is none.
func valueOf(globals map[string]reflect.Value, variable string) int {
	if v, ok := globals[variable]; ok && v.CanInt() {
		return int(v.Int())
	}
	return 0
}
