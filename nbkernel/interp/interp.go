// Package interp is a session of Go cells in memory.
//
// A cell is parsed, checked by go/types against the packages of nbkernel/symbols and the
// session's earlier declarations, lowered to a small part of Go, and run by yaegi. yaegi is
// used as a machine without methods, interfaces, generics or defer, the places where it
// computes wrong answers: the checker knows every type, so a method becomes a function with
// the receiver first, a generic function one copy for each set of type arguments, a deferred
// call a closure with its arguments evaluated, and a value whose type reflection cannot tell
// is put into an interface in a Box that says what it is. Every name gets a fresh number, so a
// redefinition never meets the old thing.
//
// Files: session.go splits and checks a cell, lower.go, stmt.go, expr.go and generic.go write
// the lowered text, importer.go describes compiled packages to the checker, rt.go is what the
// lowered text calls, and interp.go is what other packages use.
//
// Sessions share the descriptions of compiled types; only one session at a time may run in a
// process.
package interp

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/traefik/yaegi/interp"

	"eigenbook/lib/check"
	"eigenbook/nbkernel/symbols"
)

// Options holds the settings of a Session. The zero value is usable.
type Options struct {
	Args []string // os.Args[1:] of the session
}

// A Result is the value of a cell.
type Result struct {
	Value    any   // of the last expression; of the first one if it has several
	Values   []any // all values of the last expression
	HasValue bool
	Mute     bool // the cell ends with a semicolon: do not show the value
}

// Kinds of errors.
const (
	CompileError = "compile error"
	Panic        = "panic"
	CheckFailed  = "check failed"
	Exit         = "exit"
	Interrupted  = "interrupted"
)

// An Error says why a cell failed and where.
type Error struct {
	Kind      string
	Message   string
	Traceback []string // one line for each position, innermost first
	Line      int      // in the cell, 1-based; 0 means unknown
	Column    int      // in bytes, 1-based; 0 means unknown
	ExitCode  int      // of os.Exit, for Kind Exit
	cause     error
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the error that the cell panicked with, if it was one.
func (e *Error) Unwrap() error { return e.cause }

// exitStatus is what os.Exit of interpreted code panics with.
type exitStatus int

// exports has the symbols of all packages, made once.
var exports = sync.OnceValue(func() Exports {
	all := Exports{}
	for _, path := range symbols.Paths() {
		for key, table := range symbols.Load(path) {
			all[key] = table
		}
	}
	return all
})

// New returns a session in which nothing is declared.
func New(o Options) (*Session, error) {
	s := &Session{
		Fset: token.NewFileSet(), tctx: types.NewContext(),
		objs: map[string]types.Object{}, imports: map[string]string{},
		names: map[types.Object]string{}, global: map[types.Object]bool{}, vars: map[types.Object]*varInfo{},
		tnames: map[string]string{}, fnames: map[string]string{}, toI: map[reflect.Type]string{},
		asserts: map[string]string{}, funcs: map[*types.Func]*funcSrc{}, impl: map[*types.Func]*types.Func{},
		aliases: map[string]string{}, owner: map[string]*text{}, sources: map[string]*declaration{}, ghosts: map[*types.Func]bool{},
	}
	s.pkg = types.NewPackage("main", "main")
	all := exports()
	s.Imp = NewImporter(s.Fset, genericSrc, all)
	theImp = s.Imp
	s.Imp.onSrc = func(p string, pk *types.Package, f *ast.File, info *types.Info) { s.addFuncs(f, info) }
	s.I = interp.New(interp.Options{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: &s.trace})
	cell := Exports{"eb/cell/cell": {
		"Result": reflect.ValueOf(func(v ...any) { s.values = v }),
		"Run":    reflect.ValueOf(func(f func()) { s.runCell(f) }),
		"At":     reflect.ValueOf(func(line, column int) { s.at.Store(&position{line, column}) }),
	}}
	for _, table := range []Exports{all, rtSymbols(), cell} {
		if err := s.I.Use(interp.Exports(table)); err != nil {
			return nil, fmt.Errorf("interp: %w", err)
		}
	}
	if _, err := s.I.Eval("import rt \"eb/rt\"\nimport cell \"eb/cell\""); err != nil {
		return nil, fmt.Errorf("interp: %w", err)
	}
	symbols.OnExit(func(code int) { panic(exitStatus(code)) })
	s.SetArgs(o.Args)
	return s, nil
}

// SetArgs sets os.Args[1:] and makes the flags of package flag anew.
func (s *Session) SetArgs(args []string) {
	name := "cell"
	if len(os.Args) > 0 {
		name = os.Args[0]
	}
	os.Args = append([]string{name}, args...)
	flag.CommandLine = flag.NewFlagSet(name, flag.PanicOnError)
}

// A text is a piece of lowered code that was evaluated: for each line the position in the
// cell of the statement it belongs to.
type text struct {
	cell  int
	lines []position // of line i+1
}

type position struct{ line, column int }

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

// Run checks and runs one cell. source has no magics; count is the number of the cell that
// messages name. The error is an *Error. A cell that does not compile changes nothing.
func (s *Session) Run(ctx context.Context, source string, count int) (result Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Error{Kind: Panic, Message: fmt.Sprintf("internal error of the interpreter, please report: %v", r),
				Traceback: strings.Split(string(debug.Stack()), "\n")}
		}
	}()
	s.cell++
	s.values = nil
	before, kept := s.save(), false
	defer func() {
		if !kept {
			s.restore(before)
		}
	}()
	source = blankPackageClause(source)
	name := fmt.Sprintf("cell %d", count)
	decls, body, last, err := s.parse(name, source)
	if err != nil {
		return Result{}, s.compileError(source, err)
	}
	whole := onlyVariables(body)
	n := len(decls)
	decls, body, last = mainRuns(decls, body, last)
	whole = whole && len(decls) < n
	s.importKnown(&decls, body)
	result.Mute = last == nil && len(body) > 0
	info, pkg, file, cellFunc, err := s.check(name, decls, body, whole)
	if err != nil {
		return Result{}, s.compileError(source, err)
	}
	if last != nil && cellFunc != nil {
		if es, ok := cellFunc.Body.List[len(cellFunc.Body.List)-1].(*ast.ExprStmt); !ok || es.X != last {
			last = nil
		}
	}
	if last != nil && s.prints(info, last) {
		last = nil
	}
	lowered, call, commit, err := s.lower(info, pkg, file, cellFunc, last)
	if err != nil {
		return Result{}, s.compileError(source, err)
	}
	for _, line := range s.pending {
		if _, err := s.I.Eval(line); err != nil {
			return Result{}, &Error{Kind: CompileError, Message: fmt.Sprintf("internal error, please report: %s: %v", line, err)}
		}
	}
	s.pending = nil
	if lowered != "" {
		t := newText(count, lowered)
		for _, m := range loweredFunc.FindAllStringSubmatch(lowered, -1) {
			s.owner[m[1]] = t
		}
		if _, err := s.I.Eval(lowered); err != nil {
			return Result{}, &Error{Kind: CompileError, Message: fmt.Sprintf("internal error, please report: %v in\n%s", err, lowered)}
		}
	}
	commit()
	kept = true
	s.remember(source, decls, info)
	if call == "" {
		return result, nil
	}
	s.trace.Reset()
	s.at.Store(&position{})
	if err := s.call(ctx, call, count); err != nil {
		s.forgetUnreached()
		return Result{}, err
	}
	if s.values != nil {
		result.Values, result.HasValue, result.Value = s.values, true, s.values[0]
		for i, v := range result.Values {
			result.Values[i] = Norm(v)
		}
		result.Value = result.Values[0]
	}
	return result, nil
}

// call runs the lowered function of a cell.
func (s *Session) call(ctx context.Context, call string, count int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lost := make(chan any, 1) // the first panic of a goroutine of this cell
	restore := setGoPanic(func(value any) {
		select {
		case lost <- value:
			cancel()
		default:
		}
	})
	defer restore()
	s.ended = make(chan struct{})
	_, err := s.I.EvalWithContext(ctx, "cell.Run("+strings.TrimSuffix(call, "()")+")")
	if ctx.Err() != nil {
		// The interpreter is told to stop and stops at its next step. What is inside a compiled
		// call that takes no context is left behind.
		select {
		case <-s.ended:
			time.Sleep(time.Millisecond) // yaegi does not say when its own goroutine has ended
		case <-time.After(abandonAfter):
		}
	}
	select {
	case value := <-lost:
		cause, _ := value.(error)
		return &Error{Kind: Panic, Message: "panic in a goroutine: " + panicText(value), cause: cause}
	default:
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return &Error{Kind: Interrupted, Message: "interrupted", cause: err}
	}
	p, ok := err.(interp.Panic)
	if !ok {
		return &Error{Kind: Panic, Message: err.Error(), cause: err}
	}
	value := Norm(goErr(p.Value))
	if code, ok := value.(exitStatus); ok {
		return &Error{Kind: Exit, Message: fmt.Sprintf("exit status %d", int(code)), ExitCode: int(code)}
	}
	e := &Error{Kind: Panic, Message: panicText(value)}
	e.cause, _ = value.(error)
	var failure check.Failure
	if errors.As(e.cause, &failure) {
		e.Kind = CheckFailed
	}
	if ctx.Err() != nil && errors.Is(e.cause, ctx.Err()) {
		e.Kind = Interrupted
	}
	for _, frame := range s.frames(count) {
		if e.Line == 0 && frame.cell == count {
			e.Line, e.Column = frame.line, frame.column
		}
		e.Traceback = append(e.Traceback, frame.String())
	}
	if e.Line == 0 {
		at := s.at.Load()
		e.Line, e.Column = at.line, at.column
	}
	return e
}

// abandonAfter is how long an interrupted cell has to come out of a compiled call.
const abandonAfter = 200 * time.Millisecond

// runCell runs the function of a cell and says when it has ended.
func (s *Session) runCell(f func()) {
	defer close(s.ended)
	f()
}

// panicText writes a panic value as Go's own message does.
func panicText(value any) string {
	switch v := value.(type) {
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(value)
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
		t, n := s.owner[m[3]], 0
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

// compileError turns what the parser, the checker or the emitter says into an Error whose
// position is that of its first message.
func (s *Session) compileError(source string, err error) *Error {
	e := &Error{Kind: CompileError, cause: err}
	var messages []string
	lines := strings.Split(source, "\n")
	var list scanner.ErrorList
	var cell *CellError
	switch {
	case errors.As(err, &list):
		for i, m := range list {
			if m.Pos.Line > len(lines) { // what follows the cell is the wrapper's
				if i > 0 {
					break
				}
				m.Pos.Line, m.Pos.Column = len(lines), len(lines[len(lines)-1])+1
				if len(lines) == 1 {
					m.Pos.Column += len(declWrapper)
				}
				m.Msg, _, _ = strings.Cut(m.Msg, ", found ")
				m.Msg += ", found the end of the cell"
			}
			if m.Pos.Line == 1 { // the wrapper stands before the first line
				m.Pos.Column = max(1, m.Pos.Column-len(declWrapper))
			}
			messages = append(messages, fmt.Sprintf("%d:%d: %s", m.Pos.Line, m.Pos.Column, m.Msg))
		}
	case errors.As(err, &cell):
		messages = slices.Clone(cell.Msgs)
	default:
		messages = []string{err.Error()}
	}
	for i, m := range messages {
		at := messagePosition.FindStringSubmatch(m)
		if at == nil {
			continue
		}
		line, _ := strconv.Atoi(at[2])
		column, _ := strconv.Atoi(at[3])
		if i == 0 {
			e.Line, e.Column = line, column
		}
		messages[i] = fmt.Sprintf("%d:%d: %s", line, column, at[4])
		if line >= 1 && line <= len(lines) {
			code := lines[line-1]
			caret := strings.Map(func(r rune) rune {
				if r == '\t' {
					return r
				}
				return ' '
			}, code[:min(max(column-1, 0), len(code))])
			e.Traceback = append(e.Traceback, messages[i], code, caret+"^")
		}
	}
	e.Message = strings.Join(messages, "\n")
	return e
}

var messagePosition = regexp.MustCompile(`(?s)^(?:(cell \d+):)?(\d+):(\d+): (.*)$`)

// A CellError is what the checker says, with the cell's own positions.
type CellError struct{ Msgs []string }

func (e *CellError) Error() string { return strings.Join(e.Msgs, "\n") }

// A Variable is a variable of the session.
type Variable struct{ Name, Type string }

// Variables returns the session's variables, sorted by name.
func (s *Session) Variables() []Variable {
	var list []Variable
	for name, o := range s.objs {
		if v, ok := o.(*types.Var); ok && !strings.HasPrefix(name, "_") {
			list = append(list, Variable{name, types.TypeString(v.Type(), (*types.Package).Name)})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// Forget removes names that cells declared. It returns the names that it did not know.
func (s *Session) Forget(names ...string) (unknown []string) {
	for _, name := range names {
		_, object := s.objs[name]
		_, imported := s.imports[name]
		if !object && !imported {
			unknown = append(unknown, name)
		}
		delete(s.objs, name)
		delete(s.imports, name)
		s.forgetSource(name)
	}
	return unknown
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
