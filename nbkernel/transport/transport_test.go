package transport

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

// endpoint returns a free address.
func endpoint(t testing.TB, kind string) string {
	t.Helper()
	if kind == "ipc" {
		dir, err := os.MkdirTemp("", "z")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		return "ipc://" + filepath.Join(dir, "s")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "tcp://" + l.Addr().String()
}

// limits ends a test that hangs, and fails it if goroutines are left.
func limits(t testing.TB) context.Context {
	t.Helper()
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(func() {
		cancel()
		for i := 0; runtime.NumGoroutine() > before && i < 100; i++ {
			time.Sleep(10 * time.Millisecond)
		}
		if n := runtime.NumGoroutine(); n > before {
			buf := make([]byte, 1<<16)
			t.Errorf("%d goroutines before, %d after:\n%s", before, n, buf[:runtime.Stack(buf, true)])
		}
	})
	return ctx
}

// must returns a value, or fails the test.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// closing closes c at the end of the test, before limits looks.
func closing[T io.Closer](t testing.TB, c T) T {
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return c
}

// within runs f, and fails the test if it takes longer.
func within[T any](t testing.TB, d time.Duration, f func() (T, error)) T {
	t.Helper()
	type result struct {
		v   T
		err error
	}
	c := make(chan result, 1)
	go func() {
		v, err := f()
		c <- result{v, err}
	}()
	select {
	case r := <-c:
		if r.err != nil {
			t.Fatal(r.err)
		}
		return r.v
	case <-time.After(d):
		t.Fatalf("nothing within %v", d)
		panic("unreachable")
	}
}

func text(f Frames) string { return string(bytes.Join(f, []byte("|"))) }

func TestRouterAndDealer(t *testing.T) {
	for _, kind := range []string{"tcp", "ipc"} {
		t.Run(kind, func(t *testing.T) {
			ctx, ep := limits(t), endpoint(t, kind)
			r := closing(t, must[*Router](t)(ListenRouter(ep, Config{})))
			a := closing(t, must[*Conn](t)(DialDealer(ctx, ep, "a", Config{})))
			b := closing(t, must[*Conn](t)(DialDealer(ctx, ep, "", Config{})))
			big := strings.Repeat("x", 1<<20)
			for _, c := range []*Conn{a, b} {
				for _, want := range []string{"one", "", strings.Repeat("y", 255), strings.Repeat("z", 256), big} {
					if err := c.Send(Frames{[]byte(want), []byte("tail")}); err != nil {
						t.Fatal(err)
					}
					got := within(t, time.Second, r.Recv)
					if len(got) != 3 || string(got[1]) != want || string(got[2]) != "tail" {
						t.Fatalf("received %d frames, %.40q", len(got), got)
					}
					if c == a && string(got[0]) != "a" {
						t.Fatalf("identity %q, want a", got[0])
					}
					if err := r.Send(Frames{got[0], got[1]}); err != nil {
						t.Fatal(err)
					}
					if back := within(t, time.Second, c.Recv); len(back) != 1 || string(back[0]) != want {
						t.Fatalf("echo of %d frames", len(back))
					}
				}
			}
			if err := r.Send(Frames{[]byte("nobody"), []byte("x")}); !errors.Is(err, ErrNoPeer) {
				t.Errorf("Send to nobody = %v", err)
			}
		})
	}
}

// zmq4's sockets are an independent implementation of the protocol.
func TestZMQ4Peers(t *testing.T) {
	quiet := zmq4.WithLogger(log.New(io.Discard, "", 0))
	ctx := t.Context()
	ep := endpoint(t, "tcp")
	r := closing(t, must[*Router](t)(ListenRouter(ep, Config{})))
	dealer := zmq4.NewDealer(ctx, zmq4.WithID(zmq4.SocketIdentity("their id")), quiet)
	defer dealer.Close()
	if err := dealer.Dial(ep); err != nil {
		t.Fatal(err)
	}
	if err := dealer.SendMulti(zmq4.NewMsgFrom([]byte("a"), bytes.Repeat([]byte("b"), 1000))); err != nil {
		t.Fatal(err)
	}
	got := within(t, time.Second, r.Recv)
	if len(got) != 3 || string(got[0]) != "their id" || len(got[2]) != 1000 {
		t.Errorf("received %.60q", got)
	}
	if err := r.Send(Frames{got[0], []byte("c"), {}}); err != nil {
		t.Fatal(err)
	}
	if m := within(t, time.Second, dealer.Recv); text(m.Frames) != "c|" {
		t.Errorf("zmq4 received %q", m.Frames)
	}

	ep = endpoint(t, "tcp")
	joined := make(chan string, 1)
	pub := closing(t, must[*Pub](t)(ListenPub(ep, Config{Welcome: func(topic string) Frames {
		joined <- topic
		return Frames{[]byte(topic), []byte("welcome")}
	}})))
	sub := zmq4.NewSub(ctx, quiet)
	defer sub.Close()
	if err := sub.Dial(ep); err != nil {
		t.Fatal(err)
	}
	if err := sub.SetOption(zmq4.OptionSubscribe, "news"); err != nil {
		t.Fatal(err)
	}
	if topic := <-joined; topic != "news" {
		t.Errorf("subscribed to %q", topic)
	}
	pub.Send(Frames{[]byte("old"), []byte("1")}, false)
	pub.Send(Frames{[]byte("news.today"), []byte("2")}, false)
	for _, want := range []string{"news|welcome", "news.today|2"} {
		if m := within(t, time.Second, sub.Recv); text(m.Frames) != want {
			t.Errorf("received %q, want %q", m.Frames, want)
		}
	}

	ep = endpoint(t, "tcp")
	closing(t, must[*Echo](t)(ListenEcho(ep, Config{})))
	req := zmq4.NewReq(ctx, quiet)
	defer req.Close()
	if err := req.Dial(ep); err != nil {
		t.Fatal(err)
	}
	if err := req.Send(zmq4.NewMsgString("ping")); err != nil {
		t.Fatal(err)
	}
	if m := within(t, time.Second, req.Recv); text(m.Frames) != "ping" {
		t.Errorf("heartbeat %q", m.Frames)
	}
}

// A subscriber that does not read slows the sender for Patience, loses messages and stops
// nobody else; another reads all; a subscriber that leaves is forgotten.
func TestSlowSubscriber(t *testing.T) {
	ctx, ep := limits(t), endpoint(t, "tcp")
	var mu sync.Mutex
	var reports []string
	pub := closing(t, must[*Pub](t)(ListenPub(ep, Config{Queue: 1 << 20, Patience: 100 * time.Millisecond,
		Report: func(err error) { mu.Lock(); reports = append(reports, err.Error()); mu.Unlock() }})))
	slow := must[*Conn](t)(DialSub(ctx, ep, Config{}))
	fast := closing(t, must[*Conn](t)(DialSub(ctx, ep, Config{})))
	for pub.Subscribers() < 2 {
		time.Sleep(time.Millisecond)
	}
	const n = 2000
	received := make(chan int)
	go func() {
		i := 0
		for ; i < n; i++ {
			f, err := fast.Recv()
			if err != nil || string(f[0]) != fmt.Sprint(i) {
				break
			}
		}
		received <- i
	}()
	body := make([]byte, 32<<10)
	start := time.Now()
	for i := range n {
		pub.Send(Frames{[]byte(fmt.Sprint(i)), body}, false)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("sending took %v", d)
	}
	if got := <-received; got != n {
		t.Errorf("the reader got %d messages in order, want %d", got, n)
	}
	mu.Lock()
	if len(reports) != 1 || !strings.Contains(reports[0], "does not read") {
		t.Errorf("reports %q, want one", reports)
	}
	mu.Unlock()
	// There is room for what is essential, and it comes last.
	pub.Send(Frames{[]byte("idle")}, true)
	lost, last := n, ""
	for last != "idle" {
		last = string(within(t, time.Second, slow.Recv)[0])
		lost--
	}
	if lost <= 0 {
		t.Errorf("nothing was dropped")
	}
	slow.Close()
	for i := 0; pub.Subscribers() > 1; i++ {
		if i > 1000 {
			t.Fatal("a subscriber that left is not forgotten")
		}
		time.Sleep(time.Millisecond)
	}
}

// Front ends come and go.
// A subscriber cannot make the socket remember more than a thousand short topics, and goes on
// receiving.
func TestGreedySubscriber(t *testing.T) {
	ctx, ep := limits(t), endpoint(t, "tcp")
	reports := make(chan error, 100)
	pub := closing(t, must[*Pub](t)(ListenPub(ep, Config{Report: func(err error) { reports <- err }})))
	sub := closing(t, must[*Conn](t)(DialSub(ctx, ep, Config{})))
	long := append([]byte{1}, bytes.Repeat([]byte("x"), maxTopic+1)...)
	if err := sub.Send(Frames{long}); err != nil {
		t.Fatal(err)
	}
	for i := range maxTopics { // with the one for everything, one more than fits
		if err := sub.Send(Frames{fmt.Appendf([]byte{1}, "topic %d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		select {
		case err := <-reports:
			if !errors.Is(err, ErrTooLarge) {
				t.Errorf("report %v, want ErrTooLarge", err)
			}
		case <-ctx.Done():
			t.Fatal("no report of a subscription that is too large")
		}
	}
	pub.mu.Lock()
	for _, topics := range pub.subscribers {
		if len(topics) != maxTopics {
			t.Errorf("%d topics are remembered, want %d", len(topics), maxTopics)
		}
	}
	pub.mu.Unlock()
	pub.Send(Frames{[]byte("news")}, false)
	if f := within(t, time.Second, sub.Recv); string(f[0]) != "news" {
		t.Errorf("received %q", f)
	}
}

func TestReconnect(t *testing.T) {
	ctx, ep := limits(t), endpoint(t, "tcp")
	r := closing(t, must[*Router](t)(ListenRouter(ep, Config{})))
	var old *Conn
	for i := range 20 {
		c := must[*Conn](t)(DialDealer(ctx, ep, "same", Config{}))
		if err := c.Send(Frames{[]byte("hello")}); err != nil {
			t.Fatal(err)
		}
		got := within(t, time.Second, r.Recv)
		if err := r.Send(Frames{got[0], []byte(fmt.Sprint(i))}); err != nil {
			t.Fatal(err)
		}
		if back := within(t, time.Second, c.Recv); text(back) != fmt.Sprint(i) {
			t.Errorf("got %q, want %d", back, i)
		}
		if old != nil { // the newer connection has taken its place
			old.Close()
		}
		old = c
	}
	old.Close()
}

// raw connects and sends the greeting and READY of a DEALER by hand.
func raw(t *testing.T, ep string) net.Conn {
	t.Helper()
	c := must[net.Conn](t)(net.Dial("tcp", strings.TrimPrefix(ep, "tcp://")))
	t.Cleanup(func() { c.Close() })
	var greeting [greetingSize]byte
	greeting[0], greeting[9], greeting[10] = 0xFF, 0x7F, 3
	copy(greeting[12:], "NULL")
	body := append([]byte("\x05READY"), property(nil, "Socket-Type", "DEALER")...)
	c.Write(append(append(greeting[:], flagCommand, byte(len(body))), body...))
	return c
}

// Peers that send nonsense, nothing, or too much do not disturb the others.
func TestHostilePeers(t *testing.T) {
	ctx, ep := limits(t), endpoint(t, "tcp")
	var mu sync.Mutex
	var reports []string
	r := closing(t, must[*Router](t)(ListenRouter(ep, Config{Limit: 1000,
		Report: func(err error) { mu.Lock(); reports = append(reports, err.Error()); mu.Unlock() }})))
	dial := func() net.Conn {
		c := must[net.Conn](t)(net.Dial("tcp", strings.TrimPrefix(ep, "tcp://")))
		t.Cleanup(func() { c.Close() })
		return c
	}
	dial()                                                                                                  // says nothing
	dial().Write([]byte("GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a browser, perhaps\r\n\r\n\r\n")) // not ZeroMQ
	huge := binary.BigEndian.AppendUint64([]byte{flagLong}, 1<<62)
	raw(t, ep).Write(append(huge, "and so on"...))
	raw(t, ep).Write(binary.BigEndian.AppendUint64([]byte{flagLong | flagCommand}, 1<<62))
	raw(t, ep).Write([]byte{flagCommand, 2, 200, 'x'})
	raw(t, ep).Write([]byte{0xF0, 0})
	raw(t, ep).Write(bytes.Repeat([]byte{flagMore, 0}, 100_000)) // frames without end

	good := closing(t, must[*Conn](t)(DialDealer(ctx, ep, "good", Config{})))
	for _, f := range []Frames{{make([]byte, 1001)}, {make([]byte, 600), make([]byte, 600)}, {[]byte("fine")}} {
		if err := good.Send(f); err != nil {
			t.Fatal(err)
		}
	}
	if got := within(t, time.Second, r.Recv); text(got) != "good|fine" {
		t.Errorf("received %.60q", got)
	}
	all := func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(reports, "\n")
	}
	for _, want := range []string{"begins with 47 45 54", "more than 1000 bytes", "a command of", "malformed command", "frame flags 0xf0"} {
		for i := 0; !strings.Contains(all(), want); i++ {
			if i > 200 {
				t.Fatalf("no report %q in\n%s", want, all())
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func TestEndpoints(t *testing.T) {
	for _, ep := range []string{"", "tcp://", "tcp://127.0.0.1", "udp://127.0.0.1:1", "127.0.0.1:80"} {
		if _, err := ListenRouter(ep, Config{}); !errors.Is(err, ErrEndpoint) {
			t.Errorf("ListenRouter(%q) = %v, want ErrEndpoint", ep, err)
		}
	}
	long := "ipc://" + filepath.Join(t.TempDir(), strings.Repeat("x", 200))
	for _, ep := range []string{long, "ipc:///no/such/folder/s", "tcp://192.0.2.1:1"} {
		if _, err := ListenPub(ep, Config{}); !errors.Is(err, ErrBind) || !strings.Contains(err.Error(), ep) {
			t.Errorf("ListenPub(%q) = %v, want ErrBind and the endpoint", ep, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := DialDealer(ctx, endpoint(t, "tcp"), "", Config{}); !errors.Is(err, ErrDial) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("DialDealer without listener = %v", err)
	}
}

// A socket file is private, replaced if nobody listens on it, and removed in the end.
func TestSocketFiles(t *testing.T) {
	ep := endpoint(t, "ipc")
	path := strings.TrimPrefix(ep, "ipc://")
	old := must[net.Listener](t)(net.Listen("unix", path))
	old.(*net.UnixListener).SetUnlinkOnClose(false)
	if _, err := ListenEcho(ep, Config{}); !errors.Is(err, ErrBind) {
		t.Errorf("ListenEcho where somebody listens = %v, want ErrBind", err)
	}
	old.Close()
	e := must[*Echo](t)(ListenEcho(ep, Config{}))
	if info := must[os.FileInfo](t)(os.Stat(path)); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket file is left: %v", err)
	}
}

// What was sent before Close arrives.
func TestCloseLingers(t *testing.T) {
	ctx, ep := limits(t), endpoint(t, "tcp")
	pub := must[*Pub](t)(ListenPub(ep, Config{}))
	sub := closing(t, must[*Conn](t)(DialSub(ctx, ep, Config{})))
	for pub.Subscribers() < 1 {
		time.Sleep(time.Millisecond)
	}
	for i := range 100 {
		pub.Send(Frames{[]byte(fmt.Sprint(i)), make([]byte, 10_000)}, false)
	}
	closed := make(chan error, 1)
	go func() { closed <- pub.Close() }()
	for i := range 100 {
		if f := within(t, time.Second, sub.Recv); string(f[0]) != fmt.Sprint(i) {
			t.Fatalf("got %q, want %d", f[0], i)
		}
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	for _, kind := range []string{"tcp", "ipc"} {
		b.Run(kind, func(b *testing.B) {
			ep := endpoint(b, kind)
			r := must[*Router](b)(ListenRouter(ep, Config{}))
			defer r.Close()
			c := must[*Conn](b)(DialDealer(b.Context(), ep, "a", Config{}))
			defer c.Close()
			go func() {
				for {
					f, err := r.Recv()
					if err != nil {
						return
					}
					r.Send(f)
				}
			}()
			msg := Frames{[]byte("a"), make([]byte, 300), []byte("b"), []byte("c")}
			b.ReportAllocs()
			for b.Loop() {
				if err := c.Send(msg); err != nil {
					b.Fatal(err)
				}
				if _, err := c.Recv(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// FuzzRead feeds bytes to the frame parser as if a peer had sent them.
func FuzzRead(f *testing.F) {
	f.Add([]byte{0, 1, 'x'})
	f.Add([]byte{flagMore, 1, 'x', 0, 0})
	f.Add(append(binary.BigEndian.AppendUint64([]byte{flagLong}, 300), make([]byte, 300)...))
	f.Add([]byte("\x04\x08\x04PING\x00\x01x\x00\x01y"))
	f.Add([]byte("\x04\x0a\x09SUBSCRIBE"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := &peer{cfg: Config{Limit: 1 << 10}.withDefaults(), wake: make(chan struct{}, 1), room: make(chan struct{})}
		p.r = bufio.NewReader(bytes.NewReader(data))
		for range len(data) + 1 {
			frames, err := p.read()
			if errors.Is(err, ErrTooLarge) {
				continue
			}
			if err != nil {
				return
			}
			size := 0
			for _, fr := range frames {
				size += len(fr)
			}
			if len(frames) == 0 || size > 1<<10 {
				t.Fatalf("%d frames, %d bytes", len(frames), size)
			}
		}
	})
}
