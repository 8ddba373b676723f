package client

import (
	"context"
	"fmt"
	"strings"
	"time"

	"eigenbook/nbkernel/wire"
)

// silence is how long after a cell's reply the client waits for a kernel that neither sends
// outputs nor says that it is idle.
const silence = 10 * time.Second

// How long, and how often, a cell that was aborted is sent again.
const (
	abortWindow = 2 * time.Second
	abortPause  = 20 * time.Millisecond
)

// Execute runs a cell and calls emit, if it is not nil, for every output as it comes, on the
// calling goroutine. It returns when the cell's reply and all of its outputs have arrived.
// Cells are run one after the other.
//
// The error wraps ErrDead if the kernel's process has ended, with its last lines, ErrClosed
// after Close, or ctx.Err(); in the last case the cell goes on running. The Reply then has the
// outputs that had come.
func (c *Client) Execute(ctx context.Context, code string, opts ExecOptions, emit func(Output)) (Reply, error) {
	c.cell.Lock()
	defer c.cell.Unlock()
	if err := c.over(); err != nil {
		return Reply{}, err
	}
	if err := ctx.Err(); err != nil {
		return Reply{}, fmt.Errorf("client: execute: %w", err)
	}
	start := time.Now()
	x, err := c.once(ctx, code, opts, emit)
	// Cells come one after the other here, so nothing can be queued behind a failed one; but
	// some kernels also abort what comes shortly afterwards.
	for err == nil && x.reply.Status == Aborted && time.Since(start) < abortWindow {
		select {
		case <-time.After(abortPause):
		case <-ctx.Done():
		case <-c.closing:
		}
		x, err = c.once(ctx, code, opts, emit)
	}
	if err == nil && c.opts.GoNB && x.reply.Status == OK {
		if f, failed := gonbFailure(x.stderr.String()); failed {
			x.fail(f)
			x.output(Output{Type: Error, EName: f.EName, EValue: f.EValue, Traceback: f.Traceback})
		}
	}
	if err == nil && x.inputErr != nil && x.reply.Status == OK {
		f := wire.Failure{EName: "input", EValue: x.inputErr.Error(), Traceback: []string{x.inputErr.Error()}}
		x.fail(f)
		x.output(Output{Type: Error, EName: f.EName, EValue: f.EValue, Traceback: f.Traceback})
	}
	x.reply.Outputs = x.outputs.all()
	x.reply.Elapsed = time.Since(start)
	return x.reply, err
}

// once sends a cell and follows it to its end. The run is not nil.
func (c *Client) once(ctx context.Context, code string, opts ExecOptions, emit func(Output)) (*run, error) {
	x := &run{client: c, emit: emit, answers: make(chan error, 1)}
	r, err := c.chans.send(wire.Shell, "execute_request", wire.ExecuteRequest{
		Code:            code,
		Silent:          opts.Silent,
		StoreHistory:    !opts.Silent && !opts.NoHistory,
		UserExpressions: expressions(opts.Expressions),
		AllowStdin:      c.opts.Input != nil,
		StopOnError:     !opts.KeepGoing,
	})
	if err != nil {
		return x, fmt.Errorf("client: execute: %w", err)
	}
	defer c.chans.forget(r)
	err = x.follow(ctx, r)
	select {
	case x.inputErr = <-x.answers:
	default:
	}
	return x, err
}

func expressions(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

// A run is one call of Execute.
type run struct {
	client   *Client
	emit     func(Output)
	reply    Reply
	outputs  collector
	stderr   strings.Builder // all of it, for GoNB
	answers  chan error      // why an input request was not answered
	inputErr error
	replied  bool
	idle     bool
}

// follow deals with the messages of the cell until it has ended.
func (x *run) follow(ctx context.Context, r *request) error {
	c := x.client
	quiet := time.NewTimer(time.Hour)
	defer quiet.Stop()
	for !x.replied || !x.idle {
		select {
		case m := <-r.messages:
			if err := x.message(&m); err != nil {
				return err
			}
			if x.replied {
				quiet.Reset(silence)
			}
		case <-quiet.C:
			if x.replied {
				return nil
			}
		case <-c.proc.exited:
			x.rest(r)
			if x.replied && x.idle {
				return nil
			}
			return c.over()
		case <-c.closing:
			return ErrClosed
		case <-ctx.Done():
			return fmt.Errorf("client: execute: %w", ctx.Err())
		}
	}
	return nil
}

// rest takes the messages that a kernel sent before it ended.
func (x *run) rest(r *request) {
	for {
		select {
		case m := <-r.messages:
			if x.message(&m) != nil {
				return
			}
		case <-time.After(50 * time.Millisecond):
			return
		}
	}
}

// message deals with one message.
func (x *run) message(m *wire.Message) error {
	switch m.Type() {
	case "execute_reply":
		var a wire.AnyExecuteReply
		if err := m.Read(&a); err != nil {
			return fmt.Errorf("client: execute: %w", err)
		}
		x.replied = true
		x.reply.Status, x.reply.Count = a.Status, a.ExecutionCount
		x.reply.EName, x.reply.EValue, x.reply.Traceback = a.EName, a.EValue, a.Traceback
		x.reply.Expressions, x.reply.Payload = a.UserExpressions, a.Payload
		for _, o := range x.outputs.outputs { // some kernels do not repeat the error in the reply
			if a.Status == wire.StatusError && a.EName == "" && o.Type == Error {
				x.reply.EName, x.reply.EValue, x.reply.Traceback = o.EName, o.EValue, o.Traceback
			}
		}
	case "status":
		var s wire.Status
		if err := m.Read(&s); err != nil {
			return fmt.Errorf("client: execute: %w", err)
		}
		x.idle = s.ExecutionState == wire.Idle
	case "execute_input":
		var in wire.ExecuteInput
		if m.Read(&in) == nil && x.reply.Count == 0 {
			x.reply.Count = in.ExecutionCount
		}
	case "input_request":
		go x.ask(*m)
	default:
		o, ok, err := decodeOutput(m)
		if err != nil {
			return fmt.Errorf("client: execute: %w", err)
		}
		if ok {
			x.output(o)
		}
	}
	return nil
}

// output passes an output on.
func (x *run) output(o Output) {
	if o.Type == Stream && o.Name == "stderr" && x.client.opts.GoNB {
		x.stderr.WriteString(o.Text)
	}
	x.outputs.add(o)
	if x.emit != nil {
		x.emit(o)
	}
}

// fail makes the reply that of a cell that failed.
func (x *run) fail(f wire.Failure) {
	x.reply.Status, x.reply.EName, x.reply.EValue, x.reply.Traceback = Failed, f.EName, f.EValue, f.Traceback
}

// ask answers an input request. Without an answer the cell gets an empty line, so that it
// ends, and fails.
func (x *run) ask(question wire.Message) {
	var q wire.InputRequest
	err := question.Read(&q)
	line := ""
	if err == nil {
		if x.client.opts.Input == nil {
			err = fmt.Errorf("the cell asks for input (%q), and there is nobody to answer", q.Prompt)
		} else if line, err = x.client.opts.Input(q.Prompt, q.Password); err != nil {
			err = fmt.Errorf("the cell asks for input (%q): %w", q.Prompt, err)
			line = ""
		}
	}
	// The error is there before the cell can end.
	if err != nil {
		select {
		case x.answers <- err:
		default:
		}
	}
	// If this fails the kernel is gone, which Execute sees by itself.
	_ = x.client.chans.answer(&question, line)
}
