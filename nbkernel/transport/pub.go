package transport

import (
	"bytes"
	"fmt"
	"sync"
)

// A Pub is a bound PUB socket: every message goes to every peer that subscribed to a
// beginning of its first frame.
type Pub struct {
	server *server

	mu          sync.Mutex
	subscribers map[*peer]map[string]int // topics, with how often each was asked for
}

// Bounds of what a subscriber can make a Pub remember. Nobody has to sign a subscription.
const (
	maxTopic  = 1 << 10 // bytes
	maxTopics = 1 << 10 // of one subscriber
)

// ListenPub binds a PUB socket. Whatever Config.Limit is, a topic has at most a KiB.
func ListenPub(endpoint string, cfg Config) (*Pub, error) {
	cfg = cfg.withDefaults()
	cfg.Limit = min(cfg.Limit, 1+maxTopic)
	s, err := newServer("PUB", endpoint, cfg)
	if err != nil {
		return nil, err
	}
	b := &Pub{server: s, subscribers: map[*peer]map[string]int{}}
	s.joined = func(p *peer) {
		b.mu.Lock()
		b.subscribers[p] = map[string]int{}
		b.mu.Unlock()
	}
	s.left = func(p *peer) {
		b.mu.Lock()
		delete(b.subscribers, p)
		b.mu.Unlock()
	}
	s.received = b.subscribe
	s.start()
	return b, nil
}

// subscribe obeys a peer's message: 1 or 0 and a topic.
func (b *Pub) subscribe(p *peer, f Frames) {
	if len(f) != 1 || len(f[0]) == 0 || f[0][0] > 1 {
		b.server.cfg.Report(fmt.Errorf("%w: %s: a subscriber sent something else than a subscription",
			ErrProtocol, b.server.endpoint))
		return
	}
	topic := string(f[0][1:])
	b.mu.Lock()
	topics := b.subscribers[p]
	known := topics[topic]
	full := false
	switch subscribes := f[0][0] == 1; {
	case subscribes && known == 0 && len(topics) >= maxTopics:
		full = true
	case subscribes:
		topics[topic]++
		if known == 0 && b.server.cfg.Welcome != nil { // before anything that is sent from now on
			p.push(item{frames: b.server.cfg.Welcome(topic)}, true)
		}
	case known > 1:
		topics[topic]--
	default:
		delete(topics, topic)
	}
	b.mu.Unlock()
	if full {
		b.server.cfg.Report(fmt.Errorf("%w: %s: a subscriber has %d topics, which is all it gets",
			ErrTooLarge, b.server.endpoint, maxTopics))
	}
}

// Send queues a message for every subscriber. If a subscriber has more than Config.Queue
// bytes unread, Send waits, so that a fast cell is slowed to the pace of its reader; after
// Config.Patience without any progress the message is dropped for this subscriber, and so
// are others, without waiting, until it has read half of what it has. Essential messages,
// such as the one that says that the kernel is idle, have as much room again. Reports name
// the first drop. The frames must not be changed afterwards.
//
// With several goroutines in Send the order of their messages is not defined.
func (b *Pub) Send(f Frames, essential bool) {
	if len(f) == 0 {
		return
	}
	b.mu.Lock()
	to := make([]*peer, 0, len(b.subscribers))
	for p, topics := range b.subscribers {
		for t := range topics {
			if bytes.HasPrefix(f[0], []byte(t)) {
				to = append(to, p)
				break
			}
		}
	}
	b.mu.Unlock()
	for _, p := range to {
		p.mu.Lock()
		known := p.stalled
		p.mu.Unlock()
		if !p.pushPatiently(item{frames: f}, essential) && !known {
			b.server.cfg.Report(fmt.Errorf("%w: output for a subscriber of %s is dropped", ErrFull, b.server.endpoint))
		}
	}
}

// Subscribers returns the number of peers with a subscription.
func (b *Pub) Subscribers() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, topics := range b.subscribers {
		if len(topics) > 0 {
			n++
		}
	}
	return n
}

// Close ends all connections.
func (b *Pub) Close() error {
	b.mu.Lock()
	var peers []*peer
	for p := range b.subscribers {
		peers = append(peers, p)
	}
	b.mu.Unlock()
	return b.server.close(peers)
}
