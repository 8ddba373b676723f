package tests

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"eigenbook/nbkernel/client"
	"eigenbook/nbkernel/transport"
	"eigenbook/nbkernel/wire"
)

var soakCells = flag.Int("soak", 100, "cells of TestSoak; its long form has 2000")

// A soak is a kernel and what its session must hold.
type soak struct {
	t       *testing.T
	rng     *rand.Rand
	c       *client.Client
	conn    wire.Connection
	codec   *wire.Codec
	session wire.Session
	values  map[string]int // of the session's variables
	workers map[int]bool   // processes that ran cells
}

// TestSoak runs random cells and faults. The kernel outlives all of them, no value is ever
// another one than Go's, and no process, descriptor or goroutine is left.
func TestSoak(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	s := &soak{t: t, rng: rand.New(rand.NewPCG(7, 1)), values: map[string]int{}, workers: map[int]bool{}}
	var err error
	s.c, err = client.Start(t.Context(), client.Spec{Name: "eigenbook", Language: "go", InterruptMode: "message",
		Argv: []string{nbkernel, "kernel", "-f", "{connection_file}"}}, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.c.Close()
	s.connect()
	s.ok("func twice(x int) int { return 2 * x }")
	s.noteWorker()
	descriptors := s.descriptors()

	steps := []func(){
		s.assign, s.assign, s.assign, s.compute, s.compute, s.look, s.look, s.look, s.look, s.call, s.print, s.print,
		s.panics, s.exits, s.goroutinePanics, s.compileError, s.interrupt, s.flood, s.badFrames, s.program, s.die,
	}
	for i := range *soakCells {
		steps[s.rng.IntN(len(steps))]()
		if t.Failed() {
			t.Fatalf("after %d cells", i+1)
		}
	}
	s.look()
	if n := s.descriptors(); n > descriptors+3 {
		t.Errorf("the kernel has %d open descriptors, %d at its beginning", n, descriptors)
	}
	s.workers[s.c.PID()] = true
	if err := s.c.Close(); err != nil {
		t.Error(err)
	}
	for pid := range s.workers {
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d is left (%v)", pid, err)
		}
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > goroutines && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, %d before", n, goroutines)
	}
}

// connect finds out where the kernel listens, to send it what no client sends.
func (s *soak) connect() {
	s.t.Helper()
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", s.c.PID()))
	if err != nil {
		s.t.Skip("bad frames need the address of the kernel, which only Linux tells")
	}
	args := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
	if s.conn, err = wire.ReadConnection(args[len(args)-1]); err != nil {
		s.t.Fatal(err)
	}
	s.codec, s.session = wire.NewCodec("a wrong key", 0), wire.NewSession("stranger")
}

func (s *soak) descriptors() int {
	s.t.Helper()
	list, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", s.c.PID()))
	if err != nil {
		s.t.Fatal(err)
	}
	return len(list)
}

// run runs a cell that must end with the given status.
func (s *soak) run(code, status string, emit func(client.Output)) client.Reply {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	reply, err := s.c.Execute(ctx, code, client.ExecOptions{}, emit)
	if err != nil {
		s.t.Fatalf("%q: %v", code, err)
	}
	if reply.Status != status {
		s.t.Fatalf("%q: %s %s: %s, want %s", code, reply.Status, reply.EName, reply.EValue, status)
	}
	return reply
}

func (s *soak) ok(code string) client.Reply {
	s.t.Helper()
	return s.run(code, client.OK, nil)
}

// value runs a cell and compares its value.
func (s *soak) value(code, want string) {
	s.t.Helper()
	got := ""
	for _, o := range s.ok(code).Outputs {
		if o.Type == client.ExecuteResult {
			got, _ = o.Data["text/plain"].(string)
		}
	}
	if got != want {
		s.t.Errorf("%q is %q, want %q", code, got, want)
	}
}

func (s *soak) noteWorker() {
	s.t.Helper()
	for _, o := range s.ok("os.Getpid()").Outputs {
		text, _ := o.Data["text/plain"].(string)
		pid, err := strconv.Atoi(text)
		if err != nil {
			s.t.Fatal(err)
		}
		s.workers[pid] = true
	}
}

// known returns a variable that has a value; it makes one if there is none.
func (s *soak) known() string {
	name := fmt.Sprint("v", s.rng.IntN(5))
	if _, ok := s.values[name]; !ok {
		s.values[name] = s.rng.IntN(1000)
		s.ok(fmt.Sprintf("%s := %d", name, s.values[name]))
	}
	return name
}

func (s *soak) assign() {
	name, n := fmt.Sprint("v", s.rng.IntN(5)), s.rng.IntN(1000)
	s.ok(fmt.Sprintf("%s := %d", name, n))
	s.values[name] = n
}

func (s *soak) compute() {
	a, b, n := s.known(), s.known(), s.rng.IntN(50)
	s.ok(fmt.Sprintf("for i := range %d {\n\t%s += i * %s %% 7\n}", n, a, b))
	for i := range n {
		s.values[a] += i * s.values[b] % 7
	}
}

func (s *soak) look() {
	name := s.known()
	s.value(name, strconv.Itoa(s.values[name]))
}

func (s *soak) call() {
	name := s.known()
	s.value("twice("+name+")", strconv.Itoa(2*s.values[name]))
}

// print compares what a cell prints on both streams, in order.
func (s *soak) print() {
	name, n := s.known(), 1+s.rng.IntN(20)
	var got, want strings.Builder
	s.run(fmt.Sprintf("for i := range %d {\n\tfmt.Println(i, %s)\n\tfmt.Fprintln(os.Stderr, i)\n}", n, name), client.OK,
		func(o client.Output) { got.WriteString(o.Name + o.Text) })
	for i := range n {
		fmt.Fprintf(&want, "stdout%d %d\nstderr%d\n", i, s.values[name], i)
	}
	if got.String() != want.String() {
		s.t.Errorf("printed %q, want %q", got.String(), want.String())
	}
}

// fails runs a cell that must fail with a certain kind of error.
func (s *soak) fails(code, kind string) {
	s.t.Helper()
	if r := s.run(code, client.Failed, nil); r.EName != kind {
		s.t.Errorf("%q fails with %s (%s), want %s", code, r.EName, r.EValue, kind)
	}
}

func (s *soak) panics() {
	name := s.known()
	s.values[name]++
	s.fails(name+"++\nvar none []int\nnone["+name+"*0+5] = 1", "panic")
}

func (s *soak) exits()        { s.fails("os.Exit(3)", "exit") }
func (s *soak) compileError() { s.fails(s.known()+" = \"text\"\nnope()", "compile error") }
func (s *soak) goroutinePanics() {
	s.fails("go func() { panic(1) }()\ntime.Sleep(time.Second)", "panic")
}

func (s *soak) interrupt() {
	code := []string{"for {\n}", "time.Sleep(time.Hour)", "select {}", "!sleep 1000"}[s.rng.IntN(4)]
	time.AfterFunc(time.Duration(20+s.rng.IntN(60))*time.Millisecond, func() {
		if err := s.c.Interrupt(context.Background()); err != nil {
			s.t.Errorf("interrupt: %v", err)
		}
	})
	s.fails(code, "interrupted")
}

func (s *soak) flood() {
	size, messages := 0, 0
	s.run("for range 3000 {\n\tfmt.Println(strings.Repeat(\"x\", 99))\n}", client.OK, func(o client.Output) {
		size += len(o.Text)
		messages++
	})
	if size != 300000 || messages > 30 {
		s.t.Errorf("a flood of 300000 bytes came as %d in %d messages", size, messages)
	}
}

// badFrames sends what is no message, and one with a wrong signature.
func (s *soak) badFrames() {
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Second)
	defer cancel()
	ch := []wire.Channel{wire.Shell, wire.Control, wire.Stdin}[s.rng.IntN(3)]
	socket, err := transport.DialDealer(ctx, s.conn.Endpoint(ch), s.session.ID, transport.Config{})
	if err != nil {
		s.t.Fatal(err)
	}
	defer socket.Close()
	m, err := s.session.New("shutdown_request", nil, wire.Shutdown{})
	if err != nil {
		s.t.Fatal(err)
	}
	forged, err := s.codec.Encode(m)
	if err != nil {
		s.t.Fatal(err)
	}
	garbage := make([]byte, s.rng.IntN(300))
	for i := range garbage {
		garbage[i] = byte(s.rng.Uint32())
	}
	for _, frames := range []transport.Frames{forged, {garbage}, forged[:s.rng.IntN(len(forged)-1)+1], make(transport.Frames, 50)} {
		if err := socket.Send(frames); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *soak) program() {
	var got strings.Builder
	s.run("!echo one; echo two >&2; echo three", client.OK, func(o client.Output) { got.WriteString(o.Name + o.Text) })
	if want := "stdoutone\nstderrtwo\nstdoutthree\n"; got.String() != want {
		s.t.Errorf("a program printed %q, want %q", got.String(), want)
	}
}

// die ends the worker: variables are lost, functions are not.
func (s *soak) die() {
	code := []string{"!kill -9 $PPID; sleep 5", "!kill -SEGV $PPID; sleep 5"}[s.rng.IntN(2)]
	s.fails(code, "worker died")
	clear(s.values)
	s.noteWorker()
	s.value("twice(4)", "8")
}
