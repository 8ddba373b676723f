// Package repl is a session at a terminal: it reads cells, runs them in a worker and prints
// what they show.
//
// A cell ends with the line at which its Go is complete; one that begins with a magic for the
// whole cell, such as %%bash, ends with an empty line. At a terminal lines can be edited,
// earlier ones come back with the arrow up, also those of earlier sessions, and Tab completes
// names. A name with ? behind it is described. Control-C discards what was typed, or
// interrupts the cell that runs, whose values stay; Control-D on an empty line ends the
// session. Figures are written to files whose paths are printed.
//
// Without a terminal there are no prompts, and what was read is not echoed.
package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"golang.org/x/term"

	"eigenbook/nbkernel/cell"
	"eigenbook/nbkernel/worker"
)

// A Session runs cells; *worker.Process is one.
type Session interface {
	Execute(ctx context.Context, code string, count int, opts worker.ExecOptions, emit func(worker.Event)) (worker.Outcome, error)
	IsComplete(code string) (status, indent string)
	Complete(code string, cursor int) (worker.Completion, error)
	Inspect(code string, cursor, detail int) (map[string]any, error)
	Answer(line string) error
	Interrupt()
}

// Config holds the settings of Run.
type Config struct {
	In       io.Reader
	Out, Err io.Writer
	Terminal *os.File         // the terminal that In and Out are; nil if they are none
	History  string           // file with earlier lines; empty means none is kept
	Folder   string           // folder for figures; empty means a new temporary one
	Signals  <-chan os.Signal // each value interrupts the cell that runs; nil means none will
}

// ErrFailed says that a cell failed in a session without a terminal.
var ErrFailed = errors.New("a cell failed")

// errInterrupt says that Control-C was typed.
var errInterrupt = errors.New("interrupted")

// A reader gives the lines of a session.
type reader interface {
	// line returns a line without its end. The prompt is for people only. An error is
	// errInterrupt, io.EOF or one of reading.
	line(prompt string) (string, error)
	// password is like line, without echo.
	password(prompt string) (string, error)
}

// A repl is a running session.
type repl struct {
	Config
	session Session
	reader  reader
	printer *printer
	pending []string // lines of the cell that is typed
	count   int      // of the next cell
	failed  bool
}

// Run reads and runs cells until the input ends or ctx is cancelled. The error is ctx.Err(),
// ErrFailed, context.Canceled if a session without a terminal was interrupted, or says why
// reading or the worker failed.
func Run(ctx context.Context, s Session, cfg Config) error {
	r := &repl{Config: cfg, session: s, count: 1}
	r.printer = &printer{out: cfg.Out, err: cfg.Err, folder: cfg.Folder, overwrite: cfg.Terminal != nil}
	if cfg.Terminal == nil {
		r.reader = &pipe{bufio.NewReader(cfg.In)}
	} else {
		t, err := newTerminal(cfg.Terminal, cfg.History, r.complete)
		if err != nil {
			return err
		}
		defer t.close()
		r.reader = t
	}
	for {
		code, err := r.read(ctx)
		if strings.TrimSpace(code) != "" {
			if err := r.run(ctx, code); err != nil {
				return err
			}
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, io.EOF) && r.failed && cfg.Terminal == nil:
			return ErrFailed
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errInterrupt) && cfg.Terminal == nil:
			return context.Canceled
		case errors.Is(err, errInterrupt):
			r.pending = nil
		case err != nil:
			return err
		}
	}
}

// read returns the next cell. With io.EOF comes what was read so far.
func (r *repl) read(ctx context.Context) (string, error) {
	r.pending = nil
	prompt := fmt.Sprintf("[%d] ", r.count)
	further := strings.Repeat(" ", len(prompt)-2) + "… "
	for {
		if len(r.pending) > 0 {
			prompt = further
		}
		line, err := r.next(ctx, prompt)
		if err == nil || line != "" {
			r.pending = append(r.pending, line)
		}
		code := strings.Join(r.pending, "\n")
		if err != nil || r.ended(code, line) {
			return code, err
		}
	}
}

// ended reports whether the lines so far, the last of which is line, are a cell.
func (r *repl) ended(code, line string) bool {
	if cell.Parse(code).Whole {
		return line == ""
	}
	status, _ := r.session.IsComplete(code)
	return status != "incomplete"
}

// next reads a line but does not wait for one longer than ctx lasts, or for one of a pipe
// longer than until an interrupt.
func (r *repl) next(ctx context.Context, prompt string) (string, error) {
	type result struct {
		line string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		line, err := r.reader.line(prompt)
		done <- result{line, err}
	}()
	select {
	case got := <-done:
		return got.line, got.err
	case <-r.Signals:
		return "", errInterrupt
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

var question = regexp.MustCompile(`^\s*([\pL_][\pL\pN_.]*)(\?\??)\s*$`)

// run runs a cell and prints what it shows.
func (r *repl) run(ctx context.Context, code string) error {
	if m := question.FindStringSubmatch(code); m != nil {
		r.inspect(m[1], len(m[2])-1)
		return nil
	}
	count := r.count
	r.count++
	interrupted := false
	watched := make(chan struct{})
	finished := make(chan struct{})
	go func() {
		defer close(watched)
		for {
			select {
			case <-r.Signals:
				interrupted = true
				r.session.Interrupt()
			case <-finished:
				return
			}
		}
	}()
	opts := worker.ExecOptions{AllowStdin: r.Terminal != nil}
	outcome, err := r.session.Execute(ctx, code, count, opts, func(e worker.Event) {
		if e.Kind == worker.InputRequest {
			r.answer(e)
			return
		}
		r.printer.event(e)
	})
	close(finished)
	<-watched
	r.printer.end()
	switch {
	case err != nil:
		return err
	case interrupted && r.Terminal == nil:
		return context.Canceled
	}
	r.failed = r.failed || outcome.Status != worker.OK
	return nil
}

// answer reads the line that a cell asks for. Without one the cell is interrupted.
func (r *repl) answer(e worker.Event) {
	read := r.reader.line
	if e.Password {
		read = r.reader.password
	}
	r.printer.end()
	line, err := read(e.Prompt)
	if err != nil {
		r.session.Interrupt()
		return
	}
	if err := r.session.Answer(line); err != nil {
		fmt.Fprintln(r.Err, err)
	}
}

// inspect prints what is known of a name.
func (r *repl) inspect(name string, detail int) {
	data, err := r.session.Inspect(name, len(name), detail)
	text, _ := data["text/plain"].(string)
	switch {
	case err != nil:
		fmt.Fprintln(r.Err, err)
	case text == "":
		fmt.Fprintf(r.Err, "nothing is known of %s\n", name)
	default:
		fmt.Fprintln(r.Out, strings.TrimRight(text, "\n"))
	}
}

// complete returns the names that may stand at the byte offset pos of the line that is typed,
// and the part of the line that they replace.
func (r *repl) complete(line string, pos int) (start, end int, names []string) {
	above := strings.Join(r.pending, "\n")
	if above != "" {
		above += "\n"
	}
	c, err := r.session.Complete(above+line, len(above)+pos)
	start, end = c.Start-len(above), c.End-len(above)
	if err != nil || start < 0 || start > pos || end < pos || end > len(line) {
		return pos, pos, nil
	}
	return start, end, c.Matches
}

// A pipe gives lines of an input that is no terminal.
type pipe struct {
	r *bufio.Reader
}

// line returns io.EOF with the last line if that has no end.
func (p *pipe) line(string) (string, error) {
	line, err := p.r.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

func (p *pipe) password(string) (string, error) { return p.line("") }

// IsTerminal reports whether f is a terminal at which lines can be edited.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" }
