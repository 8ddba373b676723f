package kernel

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"eigenbook/nbkernel/transport"
	"eigenbook/nbkernel/wire"
)

// receive passes the messages of a socket on until it is closed.
func (k *kernel) receive(r *transport.Router, ch wire.Channel, handle func(wire.Message)) {
	for {
		frames, err := r.Recv()
		if err != nil {
			return
		}
		m, err := k.codec.Decode(frames)
		if err != nil {
			k.log.printf("%s: dropped: %v", ch, err)
			continue
		}
		handle(m)
	}
}

// reply answers a request on the socket it came from.
func (k *kernel) reply(r *transport.Router, request wire.Message, msgType string, content any) {
	m, err := k.session.New(msgType, &request, content)
	if err == nil {
		var frames transport.Frames
		if frames, err = k.codec.Encode(m); err == nil {
			err = r.Send(frames)
		}
	}
	if err != nil {
		k.log.printf("%s is lost: %v", msgType, err)
	}
}

// publish sends a message to all front ends. Essential messages are those without which a
// front end would wait for ever.
func (k *kernel) publish(parent wire.Message, msgType string, content any, essential bool) {
	m, err := k.session.New(msgType, &parent, content)
	if err == nil {
		m.Identities = transport.Frames{[]byte(k.topic + msgType)}
		var frames transport.Frames
		if frames, err = k.codec.Encode(m); err == nil {
			k.iopub.Send(frames, essential)
			return
		}
	}
	k.log.printf("%s is lost: %v", msgType, err)
}

func (k *kernel) status(parent wire.Message, state string) {
	k.publish(parent, "status", wire.Status{ExecutionState: state}, true)
}

// answerControl answers a request on the control channel. It does not wait for a cell.
func (k *kernel) answerControl(m wire.Message) {
	if m.Type() == "interrupt_request" {
		k.runner.interrupt()
	}
	k.status(m, wire.Busy)
	defer k.status(m, wire.Idle)
	switch m.Type() {
	case "interrupt_request":
		k.reply(k.control, m, "interrupt_reply", wire.StatusReply{Status: wire.StatusOK})
	case "shutdown_request":
		k.shutdown(k.control, m)
	case "kernel_info_request":
		k.reply(k.control, m, "kernel_info_reply", kernelInfo(k.cfg.Version))
	case "debug_request":
		k.refuseDebugger(m)
	default:
		k.log.printf("control: %q is unknown and ignored", m.Type())
	}
}

// answerShell answers a request on the shell channel.
func (k *kernel) answerShell(ctx context.Context, m wire.Message, aborted bool) {
	k.status(m, wire.Busy)
	defer k.status(m, wire.Idle)
	var err error
	switch m.Type() {
	case "execute_request":
		if aborted {
			k.abort(m)
			return
		}
		err = k.execute(ctx, m)
	case "kernel_info_request":
		k.reply(k.shell, m, "kernel_info_reply", kernelInfo(k.cfg.Version))
	case "complete_request":
		err = k.complete(m)
	case "inspect_request":
		err = k.inspect(m)
	case "is_complete_request":
		err = k.isComplete(m)
	case "history_request":
		err = k.recall(m)
	case "comm_info_request":
		err = k.commInfo(m)
	case "comm_open", "comm_msg", "comm_close":
		if err := k.deliver(ctx, m); err != nil { // there are no replies to comms
			k.log.printf("shell: %v", err)
		}
	case "shutdown_request":
		k.shutdown(k.shell, m)
	case "interrupt_request":
		k.reply(k.shell, m, "interrupt_reply", wire.StatusReply{Status: wire.StatusOK})
	default:
		k.log.printf("shell: %q is unknown and ignored", m.Type())
	}
	if err != nil {
		k.log.printf("shell: %v", err)
		k.reply(k.shell, m, replyType(m.Type()), errorReply("BadRequest", err.Error()))
	}
}

// replyType returns "x_reply" for "x_request".
func replyType(request string) string {
	const suffix = "_request"
	if n := len(request) - len(suffix); n > 0 && request[n:] == suffix {
		return request[:n] + "_reply"
	}
	return request + "_reply"
}

// refuseDebugger answers a request of the Debug Adapter Protocol, whose answers name the
// request.
func (k *kernel) refuseDebugger(m wire.Message) {
	var request struct {
		Seq     int    `json:"seq"`
		Command string `json:"command"`
	}
	if err := m.Read(&request); err != nil {
		k.log.printf("control: %v", err)
	}
	const reason = "this kernel has no debugger"
	k.reply(k.control, m, "debug_reply", struct {
		wire.ErrorReply
		Type       string `json:"type"`
		Seq        int    `json:"seq"`
		RequestSeq int    `json:"request_seq"`
		Success    bool   `json:"success"`
		Command    string `json:"command"`
		Message    string `json:"message"`
	}{errorReply("NotSupported", reason), "response", request.Seq, request.Seq, false, request.Command, reason})
}

func errorReply(name, value string) wire.ErrorReply {
	return wire.ErrorReply{Status: wire.StatusError, EName: name, EValue: value, Traceback: []string{name + ": " + value}}
}

// shutdown answers, tells all front ends and ends the kernel.
func (k *kernel) shutdown(r *transport.Router, m wire.Message) {
	var request wire.Shutdown
	if err := m.Read(&request); err != nil {
		k.log.printf("%v", err)
	}
	answer := wire.Shutdown{Status: wire.StatusOK, Restart: request.Restart}
	k.reply(r, m, "shutdown_reply", answer)
	k.publish(m, "shutdown_reply", answer, true)
	k.stop()
}

// A queue holds requests until the kernel gets to them.
type queue struct {
	mu     sync.Mutex
	filled *sync.Cond
	items  []queued
	closed bool
}

type queued struct {
	message wire.Message
	aborted bool
}

func newQueue() *queue {
	q := &queue{}
	q.filled = sync.NewCond(&q.mu)
	return q
}

// maxQueued bounds what may wait: a front end that sends more is slowed down.
const maxQueued = 10_000

func (q *queue) push(m wire.Message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) >= maxQueued && !q.closed {
		q.filled.Wait()
	}
	q.items = append(q.items, queued{message: m})
	q.filled.Broadcast()
}

// pop waits for the next request. It returns false when the queue is closed.
func (q *queue) pop() (m wire.Message, aborted, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.filled.Wait()
	}
	if q.closed {
		return wire.Message{}, false, false
	}
	first := q.items[0]
	q.items = q.items[1:]
	q.filled.Broadcast()
	return first.message, first.aborted, true
}

// abort marks all cells that wait. Those that come later are run.
func (q *queue) abort() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.items {
		q.items[i].aborted = q.items[i].message.Type() == "execute_request"
	}
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.filled.Broadcast()
}

// A limitedLog writes lines, but not more than a front end gone wild should be able to
// cause.
type limitedLog struct {
	mu    sync.Mutex
	w     io.Writer
	lines int
	since time.Time
}

const (
	logLines  = 50 // in a logPeriod
	logPeriod = time.Minute
)

func (l *limitedLog) printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.since) > logPeriod {
		l.since, l.lines = now, 0
	}
	l.lines++
	switch {
	case l.lines < logLines:
		fmt.Fprintf(l.w, "nbkernel: "+format+"\n", args...)
	case l.lines == logLines:
		fmt.Fprintln(l.w, "nbkernel: more such lines are not written")
	}
}
