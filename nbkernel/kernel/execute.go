package kernel

import (
	"context"
	"errors"
	"sort"
	"time"

	"eigenbook/nbkernel/transport"
	"eigenbook/nbkernel/wire"
	"eigenbook/nbkernel/worker"
)

// stdinPatience is how long a cell waits for its front end to connect to the stdin channel.
const stdinPatience = 2 * time.Second

// execute runs a cell. The error is about a request that makes no sense.
func (k *kernel) execute(ctx context.Context, m wire.Message) error {
	var request wire.ExecuteRequest
	if err := m.Read(&request); err != nil {
		return err
	}
	count := k.count + 1
	if request.StoreHistory {
		k.count = count
	}
	if !request.Silent {
		k.publish(m, "execute_input", wire.ExecuteInput{Code: request.Code, ExecutionCount: count}, true)
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &cell{kernel: k, request: m, count: count, ctx: ctx, silent: request.Silent,
		payload: []map[string]any{}}
	c.streams = newStreams(func(name, text string) {
		k.publish(m, "stream", wire.Stream{Name: name, Text: text}, false)
	})
	outcome, err := k.runner.execute(ctx, request.Code, count,
		worker.ExecOptions{Silent: request.Silent, AllowStdin: request.AllowStdin}, c.emit)
	c.streams.flush()
	if err != nil || outcome.Restarted {
		k.closeComms(m)
	}
	failure := outcome.Failure
	switch {
	case err != nil:
		failure = &worker.Failure{Name: "worker died", Value: err.Error()}
	case failure == nil && outcome.Status == worker.Interrupted:
		failure = &worker.Failure{Name: "interrupted", Value: "the cell was interrupted"}
	case failure == nil && outcome.Status != worker.OK:
		failure = &worker.Failure{Name: "error", Value: "the cell failed"}
	}
	if request.StoreHistory {
		k.history.add(count, request.Code, c.result)
	}

	if failure != nil {
		content := failureContent(failure)
		if !c.failed && !c.silent {
			k.publish(m, "error", content, true)
		}
		if request.StopOnError {
			k.queue.abort()
		}
		k.reply(k.shell, m, "execute_reply", wire.ErrorReply{Status: wire.StatusError,
			EName: content.EName, EValue: content.EValue, Traceback: content.Traceback, ExecutionCount: &count})
		return nil
	}
	k.reply(k.shell, m, "execute_reply", wire.ExecuteReply{
		Status:          wire.StatusOK,
		ExecutionCount:  count,
		UserExpressions: k.evaluate(ctx, request.UserExpressions, count),
		Payload:         c.payload,
	})
	return nil
}

// abort answers a cell that is not run.
func (k *kernel) abort(m wire.Message) {
	count := k.count
	answer := errorReply("Aborted", "the cell was not run because an earlier one failed")
	answer.ExecutionCount = &count
	k.reply(k.shell, m, "execute_reply", answer)
}

// evaluate answers user_expressions: for each a result or an error, in the order of their
// names.
func (k *kernel) evaluate(ctx context.Context, expressions map[string]string, count int) map[string]any {
	names := make([]string, 0, len(expressions))
	for name := range expressions {
		names = append(names, name)
	}
	sort.Strings(names)
	answers := map[string]any{}
	for _, name := range names {
		data, metadata := map[string]any{}, map[string]any{}
		outcome, err := k.runner.execute(ctx, expressions[name], count, worker.ExecOptions{}, func(e worker.Event) {
			if e.Kind == worker.Result {
				data, metadata = bundle(e.Data), bundle(e.Metadata)
			}
		})
		switch {
		case err != nil:
			answers[name] = errorReply("worker died", err.Error())
		case outcome.Failure != nil:
			f := failureContent(outcome.Failure)
			answers[name] = wire.ErrorReply{Status: wire.StatusError, EName: f.EName, EValue: f.EValue, Traceback: f.Traceback}
		default:
			answers[name] = map[string]any{"status": wire.StatusOK, "data": data, "metadata": metadata}
		}
	}
	return answers
}

// A cell is one execute request while it runs.
type cell struct {
	kernel  *kernel
	request wire.Message
	count   int
	ctx     context.Context // ends with the cell
	streams *streams
	silent  bool             // nothing is published
	result  any              // text/plain of the result, for the history; nil if there is none
	payload []map[string]any // of the reply
	failed  bool             // an error message was published
}

// emit publishes an output of the worker.
func (c *cell) emit(e worker.Event) {
	k := c.kernel
	if c.silent && e.Kind != worker.InputRequest && e.Kind != worker.Page {
		return
	}
	switch e.Kind {
	case worker.Stdout, worker.Stderr:
		c.streams.write(e.Kind, e.Text)
		return
	}
	c.streams.flush()
	switch e.Kind {
	case worker.Display, worker.UpdateDisplay:
		msgType := "display_data"
		if e.Kind == worker.UpdateDisplay {
			msgType = "update_display_data"
		}
		k.publish(c.request, msgType, wire.DisplayData{Data: bundle(e.Data), Metadata: bundle(e.Metadata),
			Transient: wire.Transient{DisplayID: e.DisplayID}}, false)
	case worker.Result:
		c.result = e.Data["text/plain"]
		k.publish(c.request, "execute_result", wire.ExecuteResult{ExecutionCount: c.count,
			Data: bundle(e.Data), Metadata: bundle(e.Metadata)}, true)
	case worker.Page:
		c.payload = append(c.payload, map[string]any{"source": "page", "data": bundle(e.Data), "start": 0})
	case worker.ClearOutput:
		k.publish(c.request, "clear_output", wire.ClearOutput{Wait: e.Wait}, true)
	case worker.Error:
		if e.Failure != nil {
			c.failed = true
			k.publish(c.request, "error", failureContent(e.Failure), true)
		}
	case worker.CommOpen, worker.CommMessage, worker.CommClose:
		if e.Comm != nil {
			k.publishComm(c.request, e.Comm)
		}
	case worker.InputRequest:
		c.ask(e.Prompt, e.Password)
	default:
		k.log.printf("the worker sent an event of unknown kind %q", e.Kind)
	}
}

// bundle returns m, or an empty map for nil: the protocol has no null there.
func bundle(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// ask sends an input request to the front end that asked for the cell and passes the answer
// to the worker when it comes.
func (c *cell) ask(prompt string, password bool) {
	k := c.kernel
	select { // an answer that came too late for an earlier question
	case <-k.answers:
	default:
	}
	question, err := k.session.New("input_request", &c.request, wire.InputRequest{Prompt: prompt, Password: password})
	var frames transport.Frames
	if err == nil {
		frames, err = k.codec.Encode(question)
	}
	if err != nil {
		k.log.printf("input_request is lost: %v", err)
		k.runner.interrupt()
		return
	}
	go func() {
		if err := c.deliver(frames); err != nil {
			k.log.printf("input_request is lost: %v", err)
			k.runner.interrupt()
			return
		}
		c.await(question.Header.MsgID)
	}()
}

// deliver sends a question. A front end connects its sockets in any order, so the one for
// stdin may come after the cell.
func (c *cell) deliver(question transport.Frames) error {
	for end := time.Now().Add(stdinPatience); ; {
		err := c.kernel.stdin.Send(question)
		if !errors.Is(err, transport.ErrNoPeer) || time.Now().After(end) {
			return err
		}
		select {
		case <-c.ctx.Done():
			return c.ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// await passes the answer to a question to the worker.
func (c *cell) await(question string) {
	k := c.kernel
	for {
		select {
		case <-c.ctx.Done():
			return
		case m := <-k.answers:
			// Some front ends do not say which question they answer.
			if m.Parent.MsgID != "" && m.Parent.MsgID != question {
				continue
			}
			var answer wire.InputReply
			if err := m.Read(&answer); err != nil {
				k.log.printf("stdin: %v", err)
				continue
			}
			if err := k.runner.answer(answer.Value); err != nil {
				k.log.printf("stdin: the answer is lost: %v", err)
			}
			return
		}
	}
}

// offerAnswer keeps the newest message of the stdin channel for the cell that waits.
func (k *kernel) offerAnswer(m wire.Message) {
	if m.Type() != "input_reply" {
		k.log.printf("stdin: %q is unknown and ignored", m.Type())
		return
	}
	for {
		select {
		case k.answers <- m:
			return
		default:
		}
		select {
		case <-k.answers:
		default:
		}
	}
}
