// Package worker runs the cells of one notebook session in a child process.
//
// The kernel process never runs user code. It holds a Process, whose child is the same
// program started with the argument "worker"; the child holds the interpreter (package
// interp). A panic in a goroutine, os.Exit, a stack overflow or a lack of memory therefore
// ends the child and not the kernel: Execute reports what happened, starts a new child and
// replays the session's declarations (imports, types and functions; the values of variables
// are lost and named).
//
// # Pipes
//
// The child's descriptors 0, 1 and 2 are pipes whose other ends the parent holds, so
// everything that is written to them, by interpreted or compiled code or by a child process,
// reaches the cell that runs. Commands and events go over two further pipes, one JSON value a
// line. The two kinds of pipe are put in order by marks: before the child sends an event it
// writes a mark, which no user text contains, to descriptors 1 and 2, and the parent passes
// the event on only when it has read the mark from both. At the end of a cell the same mark
// is the drain barrier: every byte written before it has been emitted before Execute returns.
package worker

import (
	"context"
	"errors"
	"time"
)

// Kinds of events. A cell produces them in this order of cause: what was written first is
// emitted first.
const (
	Stdout        = "stdout"
	Stderr        = "stderr"
	Display       = "display"
	UpdateDisplay = "update_display"
	ClearOutput   = "clear_output"
	Result        = "result"        // value of the cell's last expression
	Error         = "error"         // what failed; at most one, the last event of the cell
	InputRequest  = "input_request" // answered by Process.Answer
)

// An Event is one output of a cell.
type Event struct {
	Kind      string
	Text      string         // Stdout, Stderr: what was written, cut anywhere
	Data      map[string]any // Display, UpdateDisplay, Result: MIME type → []byte for binary types, string, or a JSON value
	Metadata  map[string]any // Display, UpdateDisplay, Result
	DisplayID string         // Display, UpdateDisplay; may be empty for Display
	Wait      bool           // ClearOutput: wait for the next output before clearing
	Prompt    string         // InputRequest
	Password  bool           // InputRequest: do not echo
	Failure   *Failure       // Error
}

// A Failure says why a cell failed.
type Failure struct {
	Name      string   // kind: "compile error", "panic", "exit", "interrupted", "worker died", "magic", …
	Value     string   // the message, one or more lines
	Traceback []string // what to show: the message with the cell's line and the source line
	Line      int      // line in the cell, 1-based; 0 means unknown
	Column    int      // column in bytes, 1-based; 0 means unknown
}

// Status of an Outcome.
const (
	OK          = "ok"
	Failed      = "error"
	Interrupted = "interrupted" // Process.Interrupt or the context of Execute ended the cell
)

// An Outcome is the end of a cell.
type Outcome struct {
	Status    string
	Failure   *Failure // nil if Status is OK
	Elapsed   time.Duration
	Restarted bool     // the child was replaced
	Lost      []string // names of variables whose values were lost with the old child
}

// ErrClosed is returned by the methods of a Process that was closed.
var ErrClosed = errors.New("worker: closed")

// Config holds the settings of a Process. The zero value is usable.
type Config struct {
	Argv  []string      // command of the child; nil means this program with the argument "worker"
	Dir   string        // working directory of the child; empty means that of the parent
	Env   []string      // "NAME=value" added to the parent's environment
	Grace time.Duration // time an interrupted cell has to end before the child is killed; 0 means 2 s
}

// ExecOptions holds the settings of one cell.
type ExecOptions struct {
	Silent     bool // no Result event
	AllowStdin bool // the caller answers InputRequest events; otherwise reading stdin is an error
}

// A Process is a session of cells in a child process. Execute calls are run one after the
// other; the other methods may be called from any goroutine at any time.
type Process struct {
	cfg Config
}

// Start starts the child and waits until it is ready.
func Start(cfg Config) (*Process, error) {
	return &Process{cfg: cfg}, nil
}

// Execute runs a cell and calls emit, on the calling goroutine, for each of its outputs. It
// returns after the last one. A cell that fails, and a child that dies, are no error of
// Execute: the Outcome and the last event, of kind Error, say what happened, and the session
// can go on. The error is ErrClosed, or says that no child could be started.
//
// count is the number of the cell in the notebook's numbering, which messages name.
// Cancelling ctx interrupts the cell as Interrupt does.
func (p *Process) Execute(ctx context.Context, code string, count int, opts ExecOptions, emit func(Event)) (Outcome, error) {
	return Outcome{}, ErrClosed
}

// Answer gives the running cell the line that an InputRequest asked for, without newline.
func (p *Process) Answer(line string) error { return ErrClosed }

// Interrupt asks the running cell to end. If it has not ended after Config.Grace, the child
// is replaced. Without a running cell it does nothing.
func (p *Process) Interrupt() {}

// Restart replaces the child by a new one in which nothing is declared.
func (p *Process) Restart() error { return ErrClosed }

// Close ends the child and everything it started in its process group.
func (p *Process) Close() error { return nil }

// A Completion lists the names that may stand at a position of a cell.
type Completion struct {
	Start, End int      // the part of the code that a match replaces, in bytes
	Matches    []string // sorted
	Types      []string // "function", "variable", "type", "package", "constant", "keyword" or "magic", one for each match
}

// Complete returns the names that may stand at the byte offset cursor of code.
func (p *Process) Complete(code string, cursor int) (Completion, error) {
	return Completion{}, ErrClosed
}

// Inspect describes the name at the byte offset cursor of code as MIME type → text; the map
// is nil if there is nothing to say. Detail 1 asks for more.
func (p *Process) Inspect(code string, cursor, detail int) (map[string]any, error) {
	return nil, ErrClosed
}

// IsComplete says whether code is "complete", "incomplete" or "invalid", and for incomplete
// code how the next line should be indented. It does not need the child.
func (p *Process) IsComplete(code string) (status, indent string) { return "complete", "" }

// Main is the child. It returns the exit code of the process.
func Main() int { return 0 }
