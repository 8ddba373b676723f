package interp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/traefik/yaegi/interp"

	"eigenbook/lib/check"
	"eigenbook/nbkernel/interp/rt"
)

// abandonAfter is how long an interrupted cell has to come out of a compiled call.
const abandonAfter = 200 * time.Millisecond

// call runs the lowered function of a cell.
func (s *Session) call(ctx context.Context, function string, count int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lost := make(chan *Error, 1) // the first panic of a goroutine of this cell
	restore := s.table.OnPanic(func(value any) {
		select { // the text first: its methods do not run once the cell is cancelled
		case lost <- goroutineError(value):
			cancel()
		default:
		}
	})
	defer restore()
	s.trace.Reset()
	s.at.Store(&position{})
	s.values, s.ended = nil, make(chan struct{})
	_, err := s.yaegi.EvalWithContext(ctx, "cell.Run("+function+")")
	if ctx.Err() != nil {
		s.awaitEnd()
	}
	select {
	case e := <-lost:
		return e
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
	return s.panicError(ctx, s.table.Norm(rt.PanicValue(p.Value)), count)
}

// runCell runs the function of a cell and says when it has ended.
func (s *Session) runCell(f func()) {
	defer close(s.ended)
	f()
}

// awaitEnd waits for an interrupted cell. The interpreter is told to stop and stops at its next
// step; what is inside a compiled call that takes no context is left behind.
func (s *Session) awaitEnd() {
	select {
	case <-s.ended:
		time.Sleep(time.Millisecond) // yaegi does not say when its own goroutine has ended
	case <-time.After(abandonAfter):
	}
}

func goroutineError(value any) *Error {
	if code, ok := value.(rt.Exit); ok {
		return exited(code)
	}
	cause, _ := value.(error)
	return &Error{Kind: Panic, Message: "panic in a goroutine: " + rt.PanicText(value), cause: cause}
}

func exited(code rt.Exit) *Error {
	return &Error{Kind: Exit, Message: fmt.Sprintf("exit status %d", int(code)), ExitCode: int(code)}
}

// panicError returns what a panic with this value means for the cell with number count.
func (s *Session) panicError(ctx context.Context, value any, count int) *Error {
	if code, ok := value.(rt.Exit); ok {
		return exited(code)
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
