// Package client starts a Jupyter kernel and runs cells in it. It needs no Python: kernel
// specifications are searched where Jupyter searches them, the kernel's process is a child in
// a process group of its own, and messages go over sockets on this machine, whose addresses
// and key are in a file that only the user can read.
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
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"eigenbook/nbkernel/wire"
)

// Errors that the functions of this package wrap.
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

	// Input answers the cells' requests for a line of input. With nil, or if it returns an
	// error, such a cell fails.
	Input func(prompt string, password bool) (string, error)

	// Late, if not nil, receives outputs that come when their cell has already ended, from
	// another goroutine than the caller's.
	Late func(Output)

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
	Outputs     []Output // all outputs, as a notebook keeps them: texts joined, displays updated
	Elapsed     time.Duration
}

// A Client is a running kernel. Cells run one after the other; Interrupt and Close may be
// called from any goroutine at any time.
type Client struct {
	spec  Spec
	opts  Options
	proc  *process
	dir   string // holds the connection file
	chans *channels
	info  wire.KernelInfoReply

	cell      sync.Mutex // held while a cell runs
	closing   chan struct{}
	closeOnce sync.Once
	closeErr  error
}

// attempts is how often Start tries when the ports it chose are taken.
const attempts = 3

// Start starts the kernel and waits until it answers and its outputs arrive. The error wraps
// ErrStart and has the last lines that the kernel's process wrote, or it wraps ctx.Err().
func Start(ctx context.Context, spec Spec, opts Options) (*Client, error) {
	if err := spec.validate(); err != nil {
		return nil, err
	}
	if opts.Timeout <= 0 {
		opts.Timeout = time.Minute
	}
	if opts.Grace <= 0 {
		opts.Grace = 5 * time.Second
	}
	for i := 1; ; i++ {
		c, err := start(ctx, spec, opts)
		if err == nil || i == attempts || !strings.Contains(strings.ToLower(err.Error()), "address already in use") {
			return c, err
		}
	}
}

func start(parent context.Context, spec Spec, opts Options) (*Client, error) {
	conn, dir, path, err := newConnection(spec, opts.Transport)
	if err != nil {
		return nil, err
	}
	c := &Client{spec: spec, opts: opts, dir: dir, closing: make(chan struct{})}
	if c.proc, err = startProcess(spec, path, opts); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	ctx, cancel := context.WithTimeout(parent, opts.Timeout)
	defer cancel()
	go func() { // a kernel that ends is not waited for
		select {
		case <-c.proc.exited:
			cancel()
		case <-ctx.Done():
		}
	}()
	if c.chans, err = connect(ctx, conn, c.late); err == nil {
		c.info, err = c.chans.ready(ctx)
	}
	if err == nil {
		return c, nil
	}
	select {
	case <-c.proc.exited:
		err = fmt.Errorf("%w: %w", ErrStart, c.proc.death())
	default:
		if parent.Err() != nil {
			err = fmt.Errorf("%w: %w", ErrStart, parent.Err())
		} else if ctx.Err() != nil {
			err = fmt.Errorf("%w: no answer within %v (%w)", ErrStart, opts.Timeout, err)
		} else {
			err = fmt.Errorf("%w: %w", ErrStart, err)
		}
		if tail := c.proc.log.String(); tail != "" {
			err = fmt.Errorf("%w; its last lines:\n%s", err, tail)
		}
	}
	c.opts.Grace = time.Nanosecond
	c.Close()
	return nil, err
}

// Info returns what the kernel says about itself.
func (c *Client) Info() wire.KernelInfoReply { return c.info }

// PID returns the process ID of the kernel.
func (c *Client) PID() int { return c.proc.cmd.Process.Pid }

// late passes on an output whose cell is over.
func (c *Client) late(o Output) {
	if c.opts.Late != nil {
		c.opts.Late(o)
	}
}

// Interrupt interrupts the running cell, by message or signal as the specification says. It
// does not wait until the cell has ended.
func (c *Client) Interrupt(ctx context.Context) error {
	if err := c.over(); err != nil {
		return err
	}
	if c.spec.InterruptMode == "signal" {
		if err := c.proc.signal(syscall.SIGINT); err != nil {
			return fmt.Errorf("client: interrupt: %w", err)
		}
		return nil
	}
	if _, err := c.request(ctx, wire.Control, "interrupt_request", struct{}{}); err != nil {
		return fmt.Errorf("client: interrupt: %w", err)
	}
	return nil
}

// over returns an error if the client was closed, else if the kernel has ended.
func (c *Client) over() error {
	select {
	case <-c.closing:
		return ErrClosed
	default:
	}
	select {
	case <-c.proc.exited:
		return c.proc.death()
	default:
		return nil
	}
}

// request sends a request and waits for its reply.
func (c *Client) request(ctx context.Context, ch wire.Channel, msgType string, content any) (wire.Message, error) {
	r, err := c.chans.send(ch, msgType, content)
	if err != nil {
		return wire.Message{}, err
	}
	defer c.chans.forget(r)
	for {
		select {
		case m := <-r.messages:
			if strings.HasSuffix(m.Type(), "_reply") {
				return m, nil
			}
		case <-c.proc.exited:
			return wire.Message{}, c.proc.death()
		case <-ctx.Done():
			return wire.Message{}, ctx.Err()
		}
	}
}

// Close ends the kernel: a shutdown request first, then signals to its process group. No
// process and no file is left. An Execute that runs returns ErrClosed.
func (c *Client) Close() error {
	c.closeOnce.Do(func() {
		close(c.closing)
		if c.chans != nil {
			if r, err := c.chans.send(wire.Control, "shutdown_request", wire.Shutdown{}); err == nil {
				c.proc.wait(c.opts.Grace)
				c.chans.forget(r)
			}
		}
		c.proc.kill()
		if c.chans != nil {
			c.chans.close()
		}
		if err := os.RemoveAll(c.dir); err != nil {
			c.closeErr = fmt.Errorf("client: close: %w", err)
		}
	})
	return c.closeErr
}
