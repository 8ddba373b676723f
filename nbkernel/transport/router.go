package transport

import (
	"encoding/binary"
	"fmt"
	"sync"
)

// A Router is a bound ROUTER socket: messages come from many peers, each with the peer's
// identity as its first frame, and a message is sent to the peer its first frame names.
type Router struct {
	server *server
	in     chan Frames

	mu    sync.Mutex
	peers map[string]*peer
	next  uint32
}

// ListenRouter binds a ROUTER socket.
func ListenRouter(endpoint string, cfg Config) (*Router, error) {
	s, err := newServer("ROUTER", endpoint, cfg.withDefaults())
	if err != nil {
		return nil, err
	}
	r := &Router{server: s, in: make(chan Frames), peers: map[string]*peer{}}
	s.joined, s.left = r.join, r.leave
	s.received = func(p *peer, f Frames) {
		select {
		case r.in <- append(Frames{[]byte(p.identity)}, f...):
		case <-s.done:
		}
	}
	s.start()
	return r, nil
}

// join registers a peer. One without identity gets one; one whose identity is taken replaces
// the other, which is most often the same front end before it lost its connection.
func (r *Router) join(p *peer) {
	r.mu.Lock()
	if p.identity == "" {
		r.next++
		p.identity = string(binary.BigEndian.AppendUint32([]byte{0}, r.next))
	}
	old := r.peers[p.identity]
	r.peers[p.identity] = p
	r.mu.Unlock()
	if old != nil {
		old.stop()
	}
}

func (r *Router) leave(p *peer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.peers[p.identity] == p {
		delete(r.peers, p.identity)
	}
}

// Recv returns the next message. The error wraps ErrClosed.
func (r *Router) Recv() (Frames, error) {
	select {
	case f := <-r.in:
		return f, nil
	case <-r.server.done:
		return nil, fmt.Errorf("%w: %s", ErrClosed, r.server.endpoint)
	}
}

// Send queues a message for the peer that the first frame names and does not wait. A peer
// that leaves more than twice Config.Queue unread is disconnected. The frames must not be
// changed afterwards.
func (r *Router) Send(f Frames) error {
	if len(f) < 2 {
		return fmt.Errorf("%w: %d frames, want the identity and at least one more", ErrNoPeer, len(f))
	}
	r.mu.Lock()
	p := r.peers[string(f[0])]
	r.mu.Unlock()
	if p == nil {
		return fmt.Errorf("%w: %s has none with identity %q", ErrNoPeer, r.server.endpoint, f[0])
	}
	if !p.push(item{frames: f[1:]}, true) {
		p.stop()
		return fmt.Errorf("%w: %s, identity %q", ErrFull, r.server.endpoint, f[0])
	}
	return nil
}

// Close ends all connections.
func (r *Router) Close() error {
	r.mu.Lock()
	var peers []*peer
	for _, p := range r.peers {
		peers = append(peers, p)
	}
	r.mu.Unlock()
	return r.server.close(peers)
}

// An Echo is a bound REP socket that sends back what it gets: the heartbeat.
type Echo struct{ server *server }

// ListenEcho binds the socket.
func ListenEcho(endpoint string, cfg Config) (*Echo, error) {
	s, err := newServer("REP", endpoint, cfg.withDefaults())
	if err != nil {
		return nil, err
	}
	s.joined, s.left = func(*peer) {}, func(*peer) {}
	s.received = func(p *peer, f Frames) { p.pushPatiently(item{frames: f}, false) }
	s.start()
	return &Echo{s}, nil
}

// Close ends all connections.
func (e *Echo) Close() error { return e.server.close(nil) }
