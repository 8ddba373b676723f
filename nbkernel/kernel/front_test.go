package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"eigenbook/nbkernel/kernel/kerneltest"
	"eigenbook/nbkernel/transport"
	"eigenbook/nbkernel/wire"
)

// A front is a front end without comfort: it sends requests and sees every message.
type front struct {
	t       testing.TB
	conn    wire.Connection
	session wire.Session
	codec   *wire.Codec

	shell, control, stdin, iopub *transport.Conn

	log        *syncBuilder
	interrupts chan os.Signal
	done       chan error // result of serve
}

type syncBuilder struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *syncBuilder) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuilder) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// connection returns free addresses.
func connection(t testing.TB, kind string) wire.Connection {
	t.Helper()
	c := wire.Connection{Transport: kind, IP: "127.0.0.1", Key: "secret", SignatureScheme: wire.SchemeSHA256,
		ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HeartbeatPort: 5}
	if kind == "ipc" {
		dir, err := os.MkdirTemp("", "k")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			left, _ := os.ReadDir(dir)
			if len(left) > 0 {
				t.Errorf("%d files are left, the first is %s", len(left), left[0].Name())
			}
			os.RemoveAll(dir)
		})
		c.IP = filepath.Join(dir, "s")
		return c
	}
	for _, p := range []*int{&c.ShellPort, &c.IOPubPort, &c.StdinPort, &c.ControlPort, &c.HeartbeatPort} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		*p = l.Addr().(*net.TCPAddr).Port
	}
	return c
}

// serveKernel runs a kernel and connects a front end to it. At the end of the test the kernel
// must end and leave no goroutine.
func serveKernel(t testing.TB, kind string, start func() (Worker, error)) *front {
	t.Helper()
	before := runtime.NumGoroutine()
	if start == nil {
		start = func() (Worker, error) { return kerneltest.New(), nil }
	}
	conn := connection(t, kind)
	ctx, stop := context.WithCancel(context.Background())
	f := &front{t: t, conn: conn, log: &syncBuilder{}, interrupts: make(chan os.Signal, 1), done: make(chan error, 1)}
	go func() {
		f.done <- serve(ctx, conn, Config{Version: "test", Log: f.log, Start: start}, f.interrupts)
	}()
	f.connect()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-f.done:
			if err != nil {
				t.Errorf("serve: %v", err)
			}
		case <-time.After(5 * time.Second):
			t.Error("the kernel does not end")
		}
		f.disconnect()
		for i := 0; runtime.NumGoroutine() > before && i < 100; i++ {
			time.Sleep(10 * time.Millisecond)
		}
		if n := runtime.NumGoroutine(); n > before {
			buf := make([]byte, 1<<16)
			t.Errorf("%d goroutines before, %d after:\n%s", before, n, buf[:runtime.Stack(buf, true)])
		}
	})
	return f
}

func (f *front) connect() {
	f.t.Helper()
	f.session = wire.NewSession("test")
	f.codec = wire.NewCodec(f.conn.Key, 0)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	dealer := func(ch wire.Channel) *transport.Conn {
		c, err := transport.DialDealer(ctx, f.conn.Endpoint(ch), f.session.ID, transport.Config{})
		if err != nil {
			f.t.Fatal(err)
		}
		return c
	}
	var err error
	if f.iopub, err = transport.DialSub(ctx, f.conn.Endpoint(wire.IOPub), transport.Config{}); err != nil {
		f.t.Fatal(err)
	}
	f.shell, f.control, f.stdin = dealer(wire.Shell), dealer(wire.Control), dealer(wire.Stdin)
	if m := f.recv(f.iopub); m.Type() != "iopub_welcome" { // from here on nothing is lost
		f.t.Fatalf("the first message is %s, want iopub_welcome", m.Type())
	}
}

func (f *front) disconnect() {
	for _, c := range []*transport.Conn{f.shell, f.control, f.stdin, f.iopub} {
		c.Close()
	}
}

// send sends a request and returns its ID.
func (f *front) send(c *transport.Conn, msgType string, content any) string {
	f.t.Helper()
	m, err := f.session.New(msgType, nil, content)
	if err != nil {
		f.t.Fatal(err)
	}
	frames, err := f.codec.Encode(m)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := c.Send(frames); err != nil {
		f.t.Fatal(err)
	}
	return m.Header.MsgID
}

// recv returns the next message but the kernel's first status, which a front end that is quick
// to subscribe sees, and fails the test if there is none within five seconds.
func (f *front) recv(c *transport.Conn) wire.Message {
	f.t.Helper()
	timer := time.AfterFunc(5*time.Second, func() { c.Close() })
	frames, err := c.Recv()
	timer.Stop()
	if err != nil {
		f.t.Fatalf("no message: %v\n%s", err, f.log)
	}
	m, err := f.codec.Decode(frames)
	if err != nil {
		f.t.Fatal(err)
	}
	if m.Type() == "status" && describe(f.t, m) == wire.Starting {
		return f.recv(c)
	}
	return m
}

// outputs returns the messages of the iopub channel that belong to a request, from busy to
// idle, one word or so each.
func (f *front) outputs(id string) []string {
	f.t.Helper()
	var list []string
	for {
		m := f.recv(f.iopub)
		if m.Parent.MsgID != id {
			f.t.Fatalf("a %s for %q comes between those for %q, after %q", m.Type(), m.Parent.MsgID, id, list)
		}
		s := describe(f.t, m)
		list = append(list, s)
		if s == "idle" {
			return list
		}
	}
}

func describe(t testing.TB, m wire.Message) string {
	t.Helper()
	var c map[string]any
	if err := json.Unmarshal(m.Content, &c); err != nil {
		t.Fatal(err)
	}
	data, _ := c["data"].(map[string]any)
	switch m.Type() {
	case "status":
		return c["execution_state"].(string)
	case "stream":
		return fmt.Sprintf("%s %s", c["name"], c["text"])
	case "execute_input":
		return fmt.Sprintf("in[%v] %s", c["execution_count"], c["code"])
	case "execute_result":
		return fmt.Sprintf("out[%v] %s", c["execution_count"], data["text/plain"])
	case "display_data", "update_display_data":
		id, _ := c["transient"].(map[string]any)["display_id"].(string)
		return fmt.Sprintf("%s %s %s", m.Type(), id, data["text/plain"])
	case "error":
		if list, ok := c["traceback"].([]any); !ok || len(list) == 0 {
			t.Errorf("the traceback of an error is %v, want lines", c["traceback"])
		}
		return fmt.Sprintf("error %s: %s", c["ename"], c["evalue"])
	case "comm_open", "comm_msg", "comm_close":
		return fmt.Sprintf("%s %v %v", m.Type(), c["comm_id"], c["data"])
	case "clear_output":
		return fmt.Sprintf("clear %v", c["wait"])
	}
	return m.Type()
}

// request sends a request on shell and returns its reply's content and its outputs.
func (f *front) request(msgType string, content any) (map[string]any, []string) {
	f.t.Helper()
	id := f.send(f.shell, msgType, content)
	outputs := f.outputs(id)
	return f.reply(f.shell, id, replyType(msgType)), outputs
}

// reply returns the content of the next message, which must be the reply to a request.
func (f *front) reply(c *transport.Conn, id, msgType string) map[string]any {
	f.t.Helper()
	m := f.recv(c)
	if m.Parent.MsgID != id || m.Type() != msgType {
		f.t.Fatalf("got %s for %q, want %s for %q", m.Type(), m.Parent.MsgID, msgType, id)
	}
	var answer map[string]any
	if err := m.Read(&answer); err != nil {
		f.t.Fatal(err)
	}
	return answer
}

func code(lines ...string) map[string]any { return map[string]any{"code": strings.Join(lines, "\n")} }

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}
