package interp

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/traefik/yaegi/interp"

	"eigenbook/lib/check"
	"eigenbook/nbkernel/interp/lower"
	"eigenbook/nbkernel/interp/rt"
)

// abandonAfter is how long an interrupted cell has to come out of a compiled call.
const abandonAfter = 200 * time.Millisecond

// call runs the statements of a cell.
func (s *Session) call(ctx context.Context, program *interp.Program, count int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lost := make(chan lostPanic, 1) // the first panic of a goroutine of this cell
	restore := s.table.OnPanic(func(value any, at int) {
		// the text first: its methods do not run once the cell is cancelled
		p := lostPanic{goroutineError(value), s.trace.take(), at}
		select {
		case lost <- p:
			cancel()
		default:
		}
	})
	defer restore()
	s.trace.Reset()
	s.present, s.values, s.ended, s.left = ctx, nil, make(chan struct{}), nil
	end := s.watchStack(cancel, count)
	_, err := s.yaegi.ExecuteWithContext(ctx, program)
	if e := end(); e != nil {
		s.awaitUnwinding()
		return e
	}
	if ctx.Err() != nil {
		s.awaitEnd()
	}
	select {
	case p := <-lost:
		if p.err.Kind != Exit {
			s.locate(p.err, begun(s.frames(p.left), p.at), count)
		}
		return p.err
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
	return s.panicError(ctx, s.table.Norm(rt.PanicValue(p.Value)), s.frames(s.left), count)
}

// A lostPanic is a panic of a goroutine. Where it happened is looked up when the cell has ended
// and sets no line variables any more.
type lostPanic struct {
	err  *Error
	left []string // functions that the panic has left
	at   int      // where the goroutine began
}

// begun returns the frames of a goroutine that began with a literal which stands at a position, or
// with a call, which is no statement of what it stands in.
func begun(frames []frame, at int) []frame {
	last := len(frames) - 1
	switch {
	case at != 0 && last >= 0:
		frames[last].line, frames[last].column = lower.Position(at)
	case last > 0:
		frames = frames[:last]
	}
	return frames
}

// runCell runs the function of a cell and says when it has ended, and with a panic where. yaegi
// has left the goroutine of a cell that was stopped to itself and does not say when it ends: it
// must not come back to yaegi, which would look at what the next cell already changes.
func (s *Session) runCell(f func()) {
	returned := false
	defer func() {
		if !returned {
			s.left = s.trace.take()
		}
		close(s.ended)
	}()
	f()
	returned = true
	if s.present.Err() != nil {
		runtime.Goexit()
	}
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

// panicError returns what a panic with this value, which has left these calls, means for the cell
// with number count.
func (s *Session) panicError(ctx context.Context, value any, frames []frame, count int) *Error {
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
	s.locate(e, frames, count)
	if at := s.reached(); e.Line == 0 {
		e.Line, e.Column = at.line, at.column
	}
	return e
}

// locate gives an error the position of the innermost call that stands in the cell, and a trace.
func (s *Session) locate(e *Error, frames []frame, count int) {
	here := cellName(count)
	for i, f := range frames {
		if e.Line == 0 && f.cell == here {
			e.Line, e.Column = f.line, f.column
		}
		e.Traceback = append(e.Traceback, f.String())
		if i == 0 && e.Kind != CheckFailed { // whose message says it all
			e.Traceback = append(e.Traceback, s.excerpt(f)...)
		}
	}
}
