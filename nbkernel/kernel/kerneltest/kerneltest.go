// Package kerneltest has a worker without an interpreter, for tests of what stands before the
// worker.
//
// Its cells are lines of one command each:
//
//	out TEXT, err TEXT      write a line to stdout, stderr
//	raw TEXT                write TEXT, a quoted Go string, to stdout
//	flood N                 write N lines
//	bytes N                 write N bytes in pieces of 32 KiB
//	show ID TEXT            a display; ID may be -
//	update ID TEXT          update a display
//	clear, clear wait       remove the outputs
//	comm KIND ID            a message of a comm to the target "page"
//	page TEXT               text to read beside the notebook
//	result TEXT             the value of the cell
//	sleep DURATION          wait, unless interrupted
//	loop                    wait until interrupted
//	input PROMPT            ask for a line and print it
//	fail TEXT               end the cell with an error
//	die                     end the worker
//
// Anything else is a compile error. Comms to the target "echo" get back what they send.
package kerneltest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"eigenbook/nbkernel/worker"
)

// ErrDied is the error of a worker that was told to die.
var ErrDied = errors.New("kerneltest: died")

// A Worker is a kernel.Worker.
type Worker struct {
	mu     sync.Mutex
	cancel context.CancelFunc // of the running cell
	closed bool
	lines  chan string
}

// New returns a worker.
func New() *Worker { return &Worker{lines: make(chan string, 1)} }

// Execute runs the commands of code.
func (w *Worker) Execute(ctx context.Context, code string, count int, opts worker.ExecOptions, emit func(worker.Event)) (worker.Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return worker.Outcome{}, worker.ErrClosed
	}
	w.cancel = cancel
	w.mu.Unlock()
	fail := func(status, name, value string) (worker.Outcome, error) {
		f := &worker.Failure{Name: name, Value: value, Traceback: []string{"cell " + strconv.Itoa(count) + ": " + value}}
		emit(worker.Event{Kind: worker.Error, Failure: f})
		return worker.Outcome{Status: status, Failure: f}, nil
	}
	if m := opts.Comm; m != nil {
		switch {
		case m.Kind == worker.CommOpen && m.Target != "echo":
			return fail(worker.Failed, worker.NoTarget, m.Target)
		case m.Kind == worker.CommMessage:
			emit(worker.Event{Kind: worker.CommMessage, Comm: &worker.Comm{Kind: m.Kind, ID: m.ID, Data: m.Data}})
		}
		emit(worker.Event{Kind: worker.Stdout, Text: m.Kind + "\n"})
	}
	for _, line := range strings.Split(code, "\n") {
		verb, rest, _ := strings.Cut(line, " ")
		wait := time.Duration(-1)
		switch verb {
		case "":
		case "out":
			emit(worker.Event{Kind: worker.Stdout, Text: rest + "\n"})
		case "err":
			emit(worker.Event{Kind: worker.Stderr, Text: rest + "\n"})
		case "raw":
			text, err := strconv.Unquote(rest)
			if err != nil {
				return fail(worker.Failed, "compile error", err.Error())
			}
			emit(worker.Event{Kind: worker.Stdout, Text: text})
		case "flood":
			n, _ := strconv.Atoi(rest)
			for i := range n {
				emit(worker.Event{Kind: worker.Stdout, Text: "line " + strconv.Itoa(i) + "\n"})
			}
		case "bytes":
			n, _ := strconv.Atoi(rest)
			piece := strings.Repeat("x", 32<<10)
			for ; n > 0 && ctx.Err() == nil; n -= len(piece) {
				emit(worker.Event{Kind: worker.Stdout, Text: piece[:min(n, len(piece))]})
			}
		case "show", "update":
			id, text, _ := strings.Cut(rest, " ")
			e := worker.Event{Kind: worker.Display, DisplayID: id, Data: map[string]any{"text/plain": text, "image/png": []byte{1, 2, 3}}}
			if id == "-" {
				e.DisplayID = ""
			}
			if verb == "update" {
				e.Kind = worker.UpdateDisplay
			}
			emit(e)
		case "clear":
			emit(worker.Event{Kind: worker.ClearOutput, Wait: rest == "wait"})
		case "comm":
			kind, id, _ := strings.Cut(rest, " ")
			emit(worker.Event{Kind: kind, Comm: &worker.Comm{Kind: kind, ID: id, Target: "page", Data: []byte("[1]")}})
		case "page":
			emit(worker.Event{Kind: worker.Page, Data: map[string]any{"text/plain": rest}})
		case "result":
			if !opts.Silent {
				emit(worker.Event{Kind: worker.Result, Data: map[string]any{"text/plain": rest}})
			}
		case "sleep":
			wait, _ = time.ParseDuration(rest)
		case "loop":
			wait = time.Hour
		case "input":
			if !opts.AllowStdin {
				return fail(worker.Failed, "input", "nobody answers")
			}
			emit(worker.Event{Kind: worker.InputRequest, Prompt: rest})
			select {
			case l := <-w.lines:
				emit(worker.Event{Kind: worker.Stdout, Text: "got " + l + "\n"})
			case <-ctx.Done():
			}
		case "fail":
			return fail(worker.Failed, "failure", rest)
		case "die":
			w.Close()
			return worker.Outcome{}, ErrDied
		default:
			return fail(worker.Failed, "compile error", fmt.Sprintf("unknown command %q", verb))
		}
		if wait >= 0 {
			timer := time.NewTimer(wait)
			select {
			case <-timer.C:
			case <-ctx.Done():
			}
			timer.Stop()
		}
		if ctx.Err() != nil {
			return fail(worker.Interrupted, "interrupted", "the cell was interrupted")
		}
	}
	return worker.Outcome{Status: worker.OK}, nil
}

// Answer answers the command input.
func (w *Worker) Answer(line string) error {
	w.lines <- line
	return nil
}

// Complete completes the word before the cursor with "é" and "!".
func (w *Worker) Complete(code string, cursor int) (worker.Completion, error) {
	start := strings.LastIndexByte(code[:cursor], ' ') + 1
	word := code[start:cursor]
	return worker.Completion{Start: start, End: cursor, Matches: []string{word + "!", word + "é"}, Types: []string{"variable", "function"}}, nil
}

// Inspect describes every code that is not empty.
func (w *Worker) Inspect(code string, cursor, detail int) (map[string]any, error) {
	if code == "" {
		return nil, nil
	}
	return map[string]any{"text/plain": fmt.Sprintf("%d of %q", cursor, code)}, nil
}

// IsComplete finds code that ends with a backslash incomplete.
func (w *Worker) IsComplete(code string) (status, indent string) {
	if strings.HasSuffix(code, `\`) {
		return "incomplete", "\t"
	}
	return "complete", ""
}

// Interrupt ends the running cell.
func (w *Worker) Interrupt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancel != nil {
		w.cancel()
	}
}

// Close ends the worker.
func (w *Worker) Close() error {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.Interrupt()
	return nil
}
