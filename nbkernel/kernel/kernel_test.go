package kernel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"eigenbook/nbkernel/kernel/kerneltest"
	"eigenbook/nbkernel/transport"
	"eigenbook/nbkernel/wire"
)

func wantOutputs(t *testing.T, got []string, want ...string) {
	t.Helper()
	want = append(append([]string{"busy"}, want...), "idle")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("messages\n%q, want\n%q", got, want)
	}
}

func TestOutputsKeepTheirOrder(t *testing.T) {
	for _, kind := range []string{"tcp", "ipc"} {
		t.Run(kind, func(t *testing.T) {
			f := serveKernel(t, kind, nil)
			cell := code("out a", "out b", "err c", "show x d", "out e", "update x f", "clear wait", "err g", "result h")
			reply, outputs := f.request("execute_request", cell)
			wantOutputs(t, outputs, "in[1] "+cell["code"].(string), "stdout a\nb\n", "stderr c\n", "display_data x d",
				"stdout e\n", "update_display_data x f", "clear true", "stderr g\n", "out[1] h")
			want := map[string]any{"status": "ok", "execution_count": 1.0, "user_expressions": map[string]any{}, "payload": []any{}}
			if !reflect.DeepEqual(reply, want) {
				t.Errorf("reply %v, want %v", reply, want)
			}
		})
	}
}

// Every request, known or not, is answered by its own reply between busy and idle.
func TestRequests(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	f.request("execute_request", code("out first"))
	f.request("execute_request", code("result second"))
	for _, tc := range []struct {
		request string
		content map[string]any
		want    map[string]any // fields of the reply
		outputs []string
	}{
		{"kernel_info_request", nil, map[string]any{"status": "ok", "protocol_version": "5.4", "implementation": "eigenbook",
			"implementation_version": "test", "debugger": false, "supported_features": []any{}}, nil},
		{"complete_request", map[string]any{"code": "é wo", "cursor_pos": 4}, map[string]any{"status": "ok",
			"matches": []any{"wo!", "woé"}, "cursor_start": 2.0, "cursor_end": 4.0}, nil},
		{"complete_request", map[string]any{"code": "é", "cursor_pos": 99}, map[string]any{"status": "ok", "cursor_end": 1.0}, nil},
		{"complete_request", map[string]any{"code": "é", "cursor_pos": -3}, map[string]any{"status": "ok", "cursor_end": 0.0}, nil},
		{"complete_request", map[string]any{"code": 5}, map[string]any{"status": "error", "ename": "BadRequest"}, nil},
		{"inspect_request", map[string]any{"code": "é x", "cursor_pos": 2}, map[string]any{"status": "ok", "found": true,
			"data": map[string]any{"text/plain": `3 of "é x"`}}, nil},
		{"inspect_request", map[string]any{"code": ""}, map[string]any{"status": "ok", "found": false, "data": map[string]any{}}, nil},
		{"is_complete_request", map[string]any{"code": "x"}, map[string]any{"status": "complete"}, nil},
		{"is_complete_request", map[string]any{"code": `x\`}, map[string]any{"status": "incomplete", "indent": "\t"}, nil},
		{"history_request", map[string]any{"hist_access_type": "tail", "n": 1, "output": true}, map[string]any{"status": "ok",
			"history": []any{[]any{1.0, 2.0, []any{"result second", "second"}}}}, nil},
		{"history_request", map[string]any{"hist_access_type": "range", "session": 1, "start": 1, "stop": 2},
			map[string]any{"history": []any{[]any{1.0, 1.0, "out first"}}}, nil},
		{"history_request", map[string]any{"hist_access_type": "search", "pattern": "*sec?nd*"},
			map[string]any{"history": []any{[]any{1.0, 2.0, "result second"}}}, nil},
		{"history_request", map[string]any{"hist_access_type": "dream"}, map[string]any{"status": "error"}, nil},
		{"comm_info_request", map[string]any{}, map[string]any{"status": "ok", "comms": map[string]any{}}, nil},
		{"execute_request", map[string]any{"code": []int{1}}, map[string]any{"status": "error", "ename": "BadRequest"}, nil},
	} {
		reply, outputs := f.request(tc.request, orEmpty(tc.content))
		for field, want := range tc.want {
			if !reflect.DeepEqual(reply[field], want) {
				t.Errorf("%s %v: %s is %v, want %v", tc.request, tc.content, field, reply[field], want)
			}
		}
		wantOutputs(t, outputs, tc.outputs...)
	}
	wantOutputs(t, f.outputs(f.send(f.shell, "no_such_request", map[string]any{})))
	wantOutputs(t, f.outputs(f.send(f.control, "no_such_request", map[string]any{})))
	id := f.send(f.control, "debug_request", map[string]any{"command": "initialize"})
	wantOutputs(t, f.outputs(id))
	if r := f.reply(f.control, id, "debug_reply"); r["status"] != "error" || r["success"] != false || r["command"] != "initialize" {
		t.Errorf("debug_reply %v, want an error", r)
	}
	if !strings.Contains(f.log.String(), "no_such_request") {
		t.Errorf("the log does not name the unknown request:\n%s", f.log)
	}
}

// What a cell wants to be read beside the notebook is in its reply and no output.
func TestPages(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	reply, outputs := f.request("execute_request", code("page one", "page two"))
	wantOutputs(t, outputs, "in[1] page one\npage two")
	page := func(text string) any {
		return map[string]any{"source": "page", "data": map[string]any{"text/plain": text}, "start": 0.0}
	}
	if want := []any{page("one"), page("two")}; !reflect.DeepEqual(reply["payload"], want) {
		t.Errorf("payload %v, want %v", reply["payload"], want)
	}
	if reply, _ := f.request("execute_request", code("page one", "fail now")); reply["payload"] != nil {
		t.Errorf("payload of a cell that failed: %v", reply["payload"])
	}
}

func TestCounting(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	for i, tc := range []struct {
		extra   map[string]any
		count   float64
		outputs []string
	}{
		{nil, 1, []string{"in[1] result x", "out[1] x"}},
		{map[string]any{"silent": true}, 2, nil},
		{map[string]any{"store_history": false}, 2, []string{"in[2] result x", "out[2] x"}},
		{nil, 2, []string{"in[2] result x", "out[2] x"}},
	} {
		content := code("result x")
		for k, v := range tc.extra {
			content[k] = v
		}
		reply, outputs := f.request("execute_request", content)
		if reply["execution_count"] != tc.count {
			t.Errorf("cell %d: count %v, want %v", i, reply["execution_count"], tc.count)
		}
		wantOutputs(t, outputs, tc.outputs...)
	}
	if r, _ := f.request("history_request", map[string]any{"hist_access_type": "tail", "n": 10}); len(r["history"].([]any)) != 2 {
		t.Errorf("history %v, want the two cells that were stored", r["history"])
	}
}

func TestUserExpressions(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	content := code("out x")
	content["user_expressions"] = map[string]string{"a": "result 5", "b": "nonsense"}
	reply, _ := f.request("execute_request", content)
	got := reply["user_expressions"].(map[string]any)
	if a := got["a"].(map[string]any); a["status"] != "ok" || a["data"].(map[string]any)["text/plain"] != "5" {
		t.Errorf("a is %v", a)
	}
	if b := got["b"].(map[string]any); b["status"] != "error" || b["ename"] != "compile error" || len(b["traceback"].([]any)) == 0 {
		t.Errorf("b is %v", b)
	}
}

// A silent cell publishes nothing; its reply says how it ended.
func TestSilent(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	cell := code("out a", "err b", "show - c", "clear", "result d")
	cell["silent"] = true
	reply, outputs := f.request("execute_request", cell)
	wantOutputs(t, outputs)
	if reply["status"] != "ok" {
		t.Errorf("reply %v", reply)
	}
	cell["code"] = "fail broken"
	reply, outputs = f.request("execute_request", cell)
	wantOutputs(t, outputs)
	if reply["status"] != "error" || reply["evalue"] != "broken" {
		t.Errorf("reply %v", reply)
	}
	cell["code"] = "die"
	_, outputs = f.request("execute_request", cell)
	wantOutputs(t, outputs)
}

// What was queued when a cell failed is not run; what comes later is.
func TestErrorAbortsTheQueue(t *testing.T) {
	for _, stop := range []bool{true, false} {
		t.Run(fmt.Sprintf("stop=%v", stop), func(t *testing.T) {
			f := serveKernel(t, "tcp", nil)
			failing := code("sleep 300ms", "fail broken")
			failing["stop_on_error"] = stop
			first := f.send(f.shell, "execute_request", failing)
			second := f.send(f.shell, "execute_request", code("out second"))
			info := f.send(f.shell, "kernel_info_request", map[string]any{})
			wantOutputs(t, f.outputs(first), "in[1] sleep 300ms\nfail broken", "error failure: broken")
			if r := f.reply(f.shell, first, "execute_reply"); r["status"] != "error" || r["evalue"] != "broken" || r["execution_count"] != 1.0 {
				t.Errorf("reply %v", r)
			}
			if stop {
				wantOutputs(t, f.outputs(second))
				if r := f.reply(f.shell, second, "execute_reply"); r["status"] != "error" || r["ename"] != "Aborted" || r["execution_count"] != 1.0 {
					t.Errorf("reply of the aborted cell: %v", r)
				}
			} else {
				wantOutputs(t, f.outputs(second), "in[2] out second", "stdout second\n")
				f.reply(f.shell, second, "execute_reply")
			}
			wantOutputs(t, f.outputs(info))
			f.reply(f.shell, info, "kernel_info_reply")
			if r, _ := f.request("execute_request", code("out later")); r["status"] != "ok" {
				t.Errorf("a later cell: %v", r)
			}
		})
	}
}

func TestInterrupt(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	for _, how := range []string{"message", "signal"} {
		id := f.send(f.shell, "execute_request", code("out begun", "loop"))
		for _, want := range []string{"busy", "execute_input", "stream"} {
			if m := f.recv(f.iopub); describe(t, m) != want && m.Type() != want {
				t.Fatalf("got %s, want %s", describe(t, m), want)
			}
		}
		start := time.Now()
		if how == "signal" {
			f.interrupts <- os.Interrupt
			if got := f.outputs(id); len(got) != 2 || !strings.HasPrefix(got[0], "error interrupted") {
				t.Errorf("messages %q, want an error and idle", got)
			}
		} else {
			asked := f.send(f.control, "interrupt_request", map[string]any{})
			if r := f.reply(f.control, asked, "interrupt_reply"); r["status"] != "ok" {
				t.Errorf("interrupt_reply %v", r)
			}
			seen := map[string]int{}
			for seen["idle"] < 2 { // of the cell and of the interrupt
				m := f.recv(f.iopub)
				seen[describe(t, m)]++
			}
			if seen["error interrupted: the cell was interrupted"] != 1 {
				t.Errorf("messages %v", seen)
			}
		}
		if r := f.reply(f.shell, id, "execute_reply"); r["status"] != "error" || r["ename"] != "interrupted" {
			t.Errorf("reply %v", r)
		}
		if d := time.Since(start); d > 200*time.Millisecond {
			t.Errorf("interrupt by %s took %v", how, d)
		}
	}
}

// Who interrupts means all cells that wait, and none that come later.
func TestInterruptAbortsTheQueue(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	first := f.send(f.shell, "execute_request", code("out begun", "loop"))
	second := f.send(f.shell, "execute_request", code("out second"))
	for describe(t, f.recv(f.iopub)) != "stdout begun\n" {
	}
	time.Sleep(50 * time.Millisecond) // until the second one waits
	f.interrupts <- os.Interrupt
	f.outputs(first)
	f.reply(f.shell, first, "execute_reply")
	wantOutputs(t, f.outputs(second))
	if r := f.reply(f.shell, second, "execute_reply"); r["ename"] != "Aborted" {
		t.Errorf("reply of the cell that waited: %v", r)
	}
	if r, _ := f.request("execute_request", code("out later")); r["status"] != "ok" {
		t.Errorf("a later cell: %v", r)
	}
}

// A cell that waits for the worker to start can be interrupted.
func TestInterruptBeforeTheWorkerIsReady(t *testing.T) {
	ready := make(chan bool)
	f := serveKernel(t, "tcp", func() (Worker, error) {
		<-ready
		return kerneltest.New(), nil
	})
	id := f.send(f.shell, "execute_request", code("loop"))
	for describe(t, f.recv(f.iopub)) != "in[1] loop" {
	}
	time.Sleep(50 * time.Millisecond) // until the cell waits
	f.interrupts <- os.Interrupt
	time.Sleep(50 * time.Millisecond)
	close(ready)
	if r := f.reply(f.shell, id, "execute_reply"); r["ename"] != "interrupted" {
		t.Errorf("reply %v", r)
	}
}

// The control channel answers while a cell floods the outputs and nobody reads them.
func TestControlIsNotStarved(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	f.send(f.shell, "execute_request", code("bytes 60000000", "loop"))
	time.Sleep(100 * time.Millisecond)
	start := time.Now()
	id := f.send(f.control, "kernel_info_request", map[string]any{})
	f.reply(f.control, id, "kernel_info_reply")
	if d := time.Since(start); d > 500*time.Millisecond {
		t.Errorf("a reply on control took %v", d)
	}
}

func TestShutdown(t *testing.T) {
	for _, ch := range []wire.Channel{wire.Control, wire.Shell} {
		f := serveKernel(t, "ipc", nil)
		c := f.control
		if ch == wire.Shell {
			c = f.shell
		} else {
			f.send(f.shell, "execute_request", code("loop")) // does not delay it
		}
		id := f.send(c, "shutdown_request", map[string]any{"restart": true})
		if r := f.reply(c, id, "shutdown_reply"); r["status"] != "ok" || r["restart"] != true {
			t.Errorf("%s: shutdown_reply %v", ch, r)
		}
		select {
		case err := <-f.done:
			f.done <- err
		case <-time.After(3 * time.Second):
			t.Errorf("%s: the kernel does not end", ch)
		}
	}
}

func TestInput(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	id := f.send(f.shell, "execute_request", code("out before", "input name: "))
	question := f.recv(f.stdin)
	var q wire.InputRequest
	if err := question.Read(&q); err != nil || question.Type() != "input_request" || q.Prompt != "name: " || question.Parent.MsgID != id {
		t.Fatalf("question %+v %+v, %v", question.Header, q, err)
	}
	f.send(f.stdin, "input_reply", wire.InputReply{Value: "Ada"})
	wantOutputs(t, f.outputs(id), "in[1] out before\ninput name: ", "stdout before\n", "stdout got Ada\n")
	f.reply(f.shell, id, "execute_reply")

	refused := code("input name: ")
	refused["allow_stdin"] = false
	if r, _ := f.request("execute_request", refused); r["status"] != "error" {
		t.Errorf("reply %v, want an error", r)
	}
}

// A worker that dies fails its cell, and the next cell has a new worker.
func TestWorkerDies(t *testing.T) {
	var starts atomic.Int32
	f := serveKernel(t, "tcp", func() (Worker, error) {
		if starts.Add(1) == 3 {
			return nil, errors.New("no more memory")
		}
		return kerneltest.New(), nil
	})
	r, outputs := f.request("execute_request", code("out x", "die"))
	wantOutputs(t, outputs, "in[1] out x\ndie", "stdout x\n", "error worker died: "+kerneltest.ErrDied.Error())
	if r["status"] != "error" || r["ename"] != "worker died" {
		t.Errorf("reply %v", r)
	}
	if r, _ := f.request("execute_request", code("die")); r["ename"] != "worker died" {
		t.Errorf("reply %v", r)
	}
	time.Sleep(50 * time.Millisecond) // the third start fails
	if r, _ := f.request("execute_request", code("out again")); r["status"] != "ok" {
		t.Errorf("reply %v", r)
	}
}

func TestWorkerCannotStart(t *testing.T) {
	f := serveKernel(t, "tcp", func() (Worker, error) { return nil, errors.New("no such program") })
	for range 2 {
		r, _ := f.request("execute_request", code("out x"))
		if r["status"] != "error" || !strings.Contains(r["evalue"].(string), "no such program") {
			t.Errorf("reply %v, want the reason", r)
		}
	}
	for _, request := range []string{"complete_request", "inspect_request", "kernel_info_request", "is_complete_request"} {
		if r, _ := f.request(request, map[string]any{"code": "x"}); r["status"] == "error" {
			t.Errorf("%s: %v", request, r)
		}
	}
}

// Whatever arrives, the kernel answers the next request.
func TestBadMessagesAreDropped(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	m, err := f.session.New("execute_request", nil, code("out stolen"))
	if err != nil {
		t.Fatal(err)
	}
	good, err := f.codec.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	forged := append(transport.Frames{}, good...)
	forged[5] = []byte(`{"code":"out forged"}`)
	for _, frames := range []transport.Frames{
		{[]byte("garbage")}, {{}}, {{}, {}, {}, {}, {}, {}, {}, {}}, {[]byte("<IDS|MSG>")}, good[:4], forged,
		make(transport.Frames, 1000),
	} {
		for _, c := range []*transport.Conn{f.shell, f.control, f.stdin} {
			if err := c.Send(frames); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := f.iopub.Send(transport.Frames{[]byte("x"), []byte("y")}); err != nil {
		t.Fatal(err)
	}
	if err := f.shell.Send(good); err != nil {
		t.Fatal(err)
	}
	wantOutputs(t, f.outputs(m.Header.MsgID), "in[1] out stolen", "stdout stolen\n")
	f.reply(f.shell, m.Header.MsgID, "execute_reply")
	if err := f.shell.Send(good); err != nil { // replayed
		t.Fatal(err)
	}
	_, outputs := f.request("execute_request", code("out next"))
	wantOutputs(t, outputs, "in[2] out next", "stdout next\n")
	for _, want := range []string{"wrong signature", "repeated signature", "not a message"} {
		if !strings.Contains(f.log.String(), want) {
			t.Errorf("the log does not say %q:\n%s", want, f.log)
		}
	}
}

func TestFloodIsGathered(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	start := time.Now()
	_, outputs := f.request("execute_request", code("flood 20000"))
	t.Logf("20000 lines: %v in %d messages", time.Since(start), len(outputs))
	if len(outputs) >= 20 {
		t.Errorf("%d messages, want fewer than 20", len(outputs))
	}
	var all strings.Builder
	for _, o := range outputs[2 : len(outputs)-1] {
		all.WriteString(strings.TrimPrefix(o, "stdout "))
	}
	if lines := strings.Split(all.String(), "\n"); len(lines) != 20001 || lines[19999] != "line 19999" {
		t.Errorf("%d lines", len(lines))
	}
}

func TestOutputOfACellIsBounded(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	_, outputs := f.request("execute_request", code("bytes 80000000", "result end"))
	size := 0
	for _, o := range outputs {
		size += len(o)
	}
	if size > streamLimit+1<<20 {
		t.Errorf("%d bytes, want about %d", size, streamLimit)
	}
	tail := outputs[len(outputs)-3:]
	if !strings.Contains(tail[0], "is dropped") || tail[1] != "out[1] end" {
		t.Errorf("the last messages are %.200q", tail)
	}
}

func TestHeartbeat(t *testing.T) {
	f := serveKernel(t, "tcp", nil)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for _, payload := range []string{"", "ping", strings.Repeat("x", 70000)} {
		if err := transport.Ping(ctx, f.conn.Endpoint(wire.Heartbeat), []byte(payload)); err != nil {
			t.Error(err)
		}
	}
}

func TestRunRefusesBadConnectionFiles(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.json")
	if err := os.WriteFile(bad, []byte(`{"ip":"127.0.0.1","shell_port":0}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{bad: "shell_port is 0, want 1 to 65535", filepath.Join(dir, "none"): "no such file"} {
		if err := Run(t.Context(), path, Config{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Run(%s) = %v, want %q", path, err, want)
		}
	}
	taken := connection(t, "tcp")
	r, err := transport.ListenRouter(taken.Endpoint(wire.Stdin), transport.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	err = serve(t.Context(), taken, Config{Start: func() (Worker, error) { return kerneltest.New(), nil }}, nil)
	if !errors.Is(err, transport.ErrBind) || !strings.Contains(err.Error(), "stdin") {
		t.Errorf("serve on a taken port = %v", err)
	}
}

// A kernel whose starter has ended ends too.
func TestParentEnds(t *testing.T) {
	t.Setenv("JPY_PARENT_PID", "2147483646") // no such process
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	watchParent(ctx, stop)
	if !errors.Is(ctx.Err(), context.Canceled) {
		t.Errorf("the context ends with %v", ctx.Err())
	}
}

func BenchmarkCell(b *testing.B) {
	for _, kind := range []string{"tcp", "ipc"} {
		b.Run(kind, func(b *testing.B) {
			f := serveKernel(b, kind, nil)
			for b.Loop() {
				f.request("execute_request", code("out x", "result y"))
			}
		})
	}
}
