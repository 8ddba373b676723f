package interp

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"runtime/debug"
	"strings"
	"time"

	"github.com/traefik/yaegi/interp"

	"eigenbook/lib/check"
	"eigenbook/nbkernel/interp/rt"
)

// A Result is the value of a cell.
type Result struct {
	Value    any   // of the last expression; of the first one if it has several
	Values   []any // all values of the last expression
	HasValue bool
	Mute     bool // the cell ends with a semicolon: do not show the value
}

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
			result.Values[i] = s.table.Norm(v)
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
	restore := s.table.OnPanic(func(value any) {
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
		return &Error{Kind: Panic, Message: "panic in a goroutine: " + rt.PanicText(value), cause: cause}
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
	value := s.table.Norm(rt.PanicValue(p.Value))
	if code, ok := value.(exitStatus); ok {
		return &Error{Kind: Exit, Message: fmt.Sprintf("exit status %d", int(code)), ExitCode: int(code)}
	}
	e := &Error{Kind: Panic, Message: rt.PanicText(value)}
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

// exitStatus is what os.Exit of interpreted code panics with.
type exitStatus int
