// Package client starts a Jupyter kernel and runs cells in it. It needs no Python: kernel
// specifications are searched where Jupyter searches them, the kernel's process is a child,
// and messages go over sockets on this machine.
//
//	spec, err := client.FindSpec("eigenbook")
//	c, err := client.Start(ctx, spec, client.Options{})
//	defer c.Close()
//	reply, err := c.Execute(ctx, "1 + 2", client.ExecOptions{}, func(o client.Output) { … })
//
// A cell that fails is no error: Reply.Status says so. An error of Execute means that no
// answer can be expected: the kernel's process has ended, or the context has.
package client

import (
	"context"
	"errors"
	"io"
	"time"

	"eigenbook/nbkernel/wire"
)

// Errors that the methods of a Client wrap.
var (
	ErrDead   = errors.New("client: the kernel has ended")
	ErrClosed = errors.New("client: closed")
	ErrStart  = errors.New("client: the kernel did not start")
	ErrNoSpec = errors.New("client: no such kernel")
)

// Options holds the settings of a Client. The zero value is usable.
type Options struct {
	Dir       string        // working directory of the kernel; empty means that of this process
	Env       []string      // "NAME=value" added to the environment, after those of the specification
	Log       io.Writer     // receives what the kernel's process writes to its stdout and stderr; nil discards it
	Transport string        // "tcp" on 127.0.0.1 or "ipc"; empty means tcp
	Timeout   time.Duration // time the kernel has to answer after its start; 0 means 60 s
	Grace     time.Duration // time the kernel has to end after a shutdown request before it is killed; 0 means 5 s

	// Input answers the cells' requests for a line of input. Nil makes such a cell fail.
	Input func(prompt string, password bool) (string, error)

	// GoNB makes a cell fail, although its reply says ok, when its stderr ends with a Go
	// panic or with "exit status N": GoNB answers ok to both.
	GoNB bool
}

// ExecOptions holds the settings of one cell. The zero value is that of a notebook's cell.
type ExecOptions struct {
	Silent      bool              // no count, no history, no result
	NoHistory   bool              // do not count the cell
	KeepGoing   bool              // do not abort what is queued if the cell fails
	Expressions map[string]string // user_expressions, evaluated after the cell
}

// Kinds of outputs, the message types of the protocol.
const (
	Stream        = "stream"
	DisplayData   = "display_data"
	UpdateDisplay = "update_display_data"
	ExecuteResult = "execute_result"
	Error         = "error"
	ClearOutput   = "clear_output"
)

// An Output is one output of a cell.
type Output struct {
	Type      string
	Name      string         // Stream: "stdout" or "stderr"
	Text      string         // Stream
	Data      map[string]any // MIME type → JSON value; binary types are base64 text
	Metadata  map[string]any // by MIME type
	DisplayID string         // DisplayData and UpdateDisplay; may be empty
	Count     int            // ExecuteResult
	EName     string         // Error
	EValue    string         // Error
	Traceback []string       // Error
	Wait      bool           // ClearOutput: clear when the next output comes
}

// Values of Reply.Status.
const (
	OK      = "ok"
	Failed  = "error"
	Aborted = "aborted" // not run, because an earlier cell failed
)

// A Reply is the end of a cell.
type Reply struct {
	Status      string
	Count       int
	EName       string
	EValue      string
	Traceback   []string
	Expressions map[string]any
	Payload     []map[string]any
	Outputs     []Output // all outputs, as Collect joins them
	Elapsed     time.Duration
}

// A Client is a running kernel. Cells run one after the other; Interrupt and Close may be
// called from any goroutine at any time.
type Client struct {
	info wire.KernelInfoReply
}

// Start starts the kernel and waits until it answers.
func Start(ctx context.Context, spec Spec, opts Options) (*Client, error) {
	return nil, ErrStart
}

// Info returns what the kernel says about itself.
func (c *Client) Info() wire.KernelInfoReply { return c.info }

// Execute runs a cell and calls emit, if it is not nil, for every output as it comes. It
// returns when the cell's reply and all of its outputs have arrived.
func (c *Client) Execute(ctx context.Context, code string, opts ExecOptions, emit func(Output)) (Reply, error) {
	return Reply{}, ErrClosed
}

// Interrupt interrupts the running cell, by message or signal as the specification says.
func (c *Client) Interrupt(ctx context.Context) error { return ErrClosed }

// Close ends the kernel: a shutdown request first, then a signal to its process group. No
// process and no file is left.
func (c *Client) Close() error { return nil }
