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
// reaches the cell that runs, on Linux in the order of the writes to both (order_linux.go).
// Commands and events go over two further pipes, one JSON value a line. The two kinds of pipe
// are put in order by marks: before the child sends an event it writes a mark, which no user
// text contains, to descriptors 1 and 2, and the parent passes the event on only when it has
// read the mark from both. At the end of a cell the same mark is the drain barrier: every byte
// written before it has been emitted before Execute returns.
package worker

import (
	"encoding/json"
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
	Page          = "page"      // text to read beside the notebook
	Result        = "result"    // value of the cell's last expression
	Error         = "error"     // what failed; at most one, the last event of the cell
	CommOpen      = "comm_open" // the cell opens, uses or closes a line to the page
	CommMessage   = "comm_msg"
	CommClose     = "comm_close"
	InputRequest  = "input_request" // answered by Process.Answer
)

// An Event is one output of a cell.
type Event struct {
	Kind      string
	Text      string         // Stdout, Stderr: what was written, cut anywhere
	Data      map[string]any // Display, UpdateDisplay, Page, Result: MIME type → []byte for binary types, string, or a JSON value
	Metadata  map[string]any // Display, UpdateDisplay, Result
	DisplayID string         // Display, UpdateDisplay; may be empty for Display
	Wait      bool           // ClearOutput: wait for the next output before clearing
	Prompt    string         // InputRequest
	Password  bool           // InputRequest: do not echo
	Failure   *Failure       // Error
	Comm      *Comm          // CommOpen, CommMessage, CommClose
}

// A Comm is a message between the session and a part of the page.
type Comm struct {
	Kind   string          `json:"kind"` // CommOpen, CommMessage or CommClose
	ID     string          `json:"id"`
	Target string          `json:"target,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"` // valid JSON or nothing
}

// NoTarget is the name of the Failure of a comm that is opened to an unknown target.
const NoTarget = "no such target"

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
	Silent     bool  // no Result event
	Comm       *Comm // a message of the page is delivered instead of the code being run
	AllowStdin bool  // the caller answers InputRequest events; otherwise reading stdin is an error
}
