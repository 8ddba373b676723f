// Package transport moves frames between a Jupyter kernel and its front ends over ZeroMQ
// sockets, without knowing what the frames mean.
//
//	kernel side                          client side
//	Router   shell, control, stdin       Dealer
//	Pub      iopub                       Sub
//	Echo     heartbeat                   Ping
//
// # Why not the sockets of zmq4
//
// The package speaks ZMTP 3.0 with the NULL mechanism itself (zmtp.go, in a page) and is
// tested against zmq4's sockets as its peers. The sockets of go-zeromq/zmq4 v0.17.0 are not
// used because a kernel has to survive what they do not: a frame header that announces 2⁶²
// bytes panics in one of their goroutines; a peer that connects and stays silent keeps
// all others from connecting; a subscriber that does not read stops every other one while the
// queue before it grows without bound; Close leaves goroutines behind; dialing waits 250 ms
// between attempts; and each frame costs two system calls.
//
// # Bounds
//
// A message larger than Config.Limit is read past and reported, and the connection stays. A
// peer that sends no valid greeting within ten seconds is disconnected. What waits for a peer
// that does not read is bounded: see Pub.Send and Router.Send. Every goroutine has ended when
// Close returns.
package transport

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// Errors that the functions of this package wrap.
var (
	ErrEndpoint = errors.New("transport: invalid endpoint")
	ErrBind     = errors.New("transport: cannot listen")
	ErrDial     = errors.New("transport: cannot connect")
	ErrClosed   = errors.New("transport: closed")
	ErrProtocol = errors.New("transport: not a ZeroMQ peer")
	ErrTooLarge = errors.New("transport: message too large")
	ErrNoPeer   = errors.New("transport: no such peer")
	ErrFull     = errors.New("transport: the peer does not read")
)

// Frames are the parts of a message.
type Frames = [][]byte

// Config holds the settings of a socket. The zero value is usable.
type Config struct {
	Limit    int             // bytes of the largest message received; 0 means 64 MiB
	Queue    int             // bytes that may wait for one peer; 0 means 32 MiB
	Patience time.Duration   // time Pub.Send waits for a peer that does not read; 0 means 2 s
	Report   func(err error) // receives what was dropped and why, from any goroutine; nil discards it

	// Welcome, if not nil, makes the message that a subscriber gets when it subscribes to a
	// topic (Pub only). It must not call the socket.
	Welcome func(topic string) Frames
}

func (c Config) withDefaults() Config {
	if c.Limit <= 0 {
		c.Limit = 64 << 20
	}
	if c.Queue <= 0 {
		c.Queue = 32 << 20
	}
	if c.Patience <= 0 {
		c.Patience = 2 * time.Second
	}
	if c.Report == nil {
		c.Report = func(error) {}
	}
	return c
}

// address splits an endpoint such as tcp://127.0.0.1:5555 or ipc:///tmp/socket into the
// network and address of package net.
func address(endpoint string) (network, addr string, err error) {
	scheme, addr, ok := strings.Cut(endpoint, "://")
	if !ok || addr == "" {
		return "", "", fmt.Errorf("%w %q, want tcp://HOST:PORT or ipc://PATH", ErrEndpoint, endpoint)
	}
	switch scheme {
	case "tcp":
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			return "", "", fmt.Errorf("%w %q: %w", ErrEndpoint, endpoint, err)
		}
		if host == "*" {
			host = ""
		}
		return "tcp", net.JoinHostPort(host, port), nil
	case "ipc":
		return "unix", addr, nil
	}
	return "", "", fmt.Errorf("%w %q: the transport is %q, want tcp or ipc", ErrEndpoint, endpoint, scheme)
}

// listen binds an endpoint. A socket file that a dead process left is replaced; one that
// somebody listens on is not.
func listen(endpoint string) (net.Listener, error) {
	network, addr, err := address(endpoint)
	if err != nil {
		return nil, err
	}
	if network == "unix" && !strings.HasPrefix(addr, "@") {
		if info, err := os.Lstat(addr); err == nil && info.Mode()&os.ModeSocket != 0 {
			if c, err := net.Dial(network, addr); err == nil {
				c.Close()
				return nil, fmt.Errorf("%w on %s: somebody else does", ErrBind, endpoint)
			}
			os.Remove(addr)
		}
	}
	l, err := net.Listen(network, addr)
	if err != nil {
		return nil, fmt.Errorf("%w on %s: %w", ErrBind, endpoint, err)
	}
	if network == "unix" && !strings.HasPrefix(addr, "@") {
		if err := os.Chmod(addr, 0o600); err != nil {
			l.Close()
			return nil, fmt.Errorf("%w on %s: %w", ErrBind, endpoint, err)
		}
	}
	return l, nil
}

// A server accepts peers for one bound socket. The pattern's behaviour is in its two
// functions.
type server struct {
	cfg      Config
	kind     string
	endpoint string
	listener net.Listener
	joined   func(*peer)         // after the handshake, before anything is read
	left     func(*peer)         // after the last message
	received func(*peer, Frames) // one call at a time for each peer

	mu     sync.Mutex
	conns  map[net.Conn]struct{}
	closed bool
	done   chan struct{} // closed by Close
	wg     sync.WaitGroup
}

func newServer(kind, endpoint string, cfg Config) (*server, error) {
	l, err := listen(endpoint)
	if err != nil {
		return nil, err
	}
	return &server{cfg: cfg, kind: kind, endpoint: endpoint, listener: l,
		conns: map[net.Conn]struct{}{}, done: make(chan struct{})}, nil
}

func (s *server) start() {
	s.wg.Add(1)
	go s.accept()
}

func (s *server) accept() {
	defer s.wg.Done()
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			select {
			case <-s.done:
				return
			case <-time.After(10 * time.Millisecond): // out of descriptors, aborted connection, …
				s.cfg.Report(fmt.Errorf("transport: %s: %w", s.endpoint, err))
				continue
			}
		}
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			conn.Close()
			return
		}
		s.conns[conn] = struct{}{}
		s.wg.Add(1)
		s.mu.Unlock()
		go s.serve(conn)
	}
}

func (s *server) serve(conn net.Conn) {
	defer s.wg.Done()
	defer func() {
		conn.Close()
		s.mu.Lock()
		delete(s.conns, conn)
		s.mu.Unlock()
	}()
	p, err := handshake(conn, s.kind, "", s.cfg)
	if err != nil {
		if !gone(err) {
			s.cfg.Report(fmt.Errorf("%s: %w", s.endpoint, err))
		}
		return
	}
	s.joined(p)
	defer s.left(p)
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		p.write()
	}()
	defer p.stop()
	for {
		frames, err := p.read()
		switch {
		case err == nil:
			s.received(p, frames)
		case errors.Is(err, ErrTooLarge):
			s.cfg.Report(fmt.Errorf("%s: %w", s.endpoint, err))
		default:
			if !gone(err) {
				s.cfg.Report(fmt.Errorf("%s: %w", s.endpoint, err))
			}
			return
		}
	}
}

// close ends all connections and waits for their goroutines. Messages that were handed over
// for sending get a moment to leave.
func (s *server) close(peers []*peer) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.done)
	s.mu.Unlock()
	err := s.listener.Close()
	deadline := time.Now().Add(linger)
	for _, p := range peers {
		p.drain(deadline)
	}
	s.mu.Lock()
	for c := range s.conns {
		c.Close()
	}
	s.mu.Unlock()
	s.wg.Wait()
	return err
}

// linger is the time that closing a socket waits for what is still to be sent.
const linger = 500 * time.Millisecond
