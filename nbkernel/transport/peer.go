package transport

import (
	"bufio"
	"net"
	"sync"
	"time"
)

// A peer is one connection after its handshake: its reader is whoever calls read, its writer
// is the goroutine in write, which sends what was pushed.
type peer struct {
	conn     net.Conn
	r        *bufio.Reader
	w        *bufio.Writer
	cfg      Config
	kind     string // of the other socket
	identity string // of the other socket, may be empty

	mu      sync.Mutex
	queue   []item
	bytes   int  // of queue and of what is being written
	stalled bool // ran out of patience; back to false when half of the queue is free
	stopped bool
	room    chan struct{} // closed and replaced whenever bytes shrinks

	wake   chan struct{} // has an element if there is something to write
	halted chan struct{} // closed by stop
	ended  chan struct{} // closed when write returns
}

// An item is a message to send, or the answer to a PING.
type item struct {
	frames Frames
	pong   []byte
	size   int
}

// push queues a message. It returns false, and queues nothing, if the queue is full or the
// connection is ending. An essential message may use twice the room.
func (p *peer) push(it item, essential bool) bool {
	it.size = frameCost + len(it.pong)
	for _, f := range it.frames {
		it.size += len(f) + frameCost
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	limit := p.cfg.Queue
	if essential {
		limit *= 2
	}
	if p.stopped || p.bytes > 0 && p.bytes+it.size > limit {
		return false
	}
	p.queue = append(p.queue, it)
	p.bytes += it.size
	select {
	case p.wake <- struct{}{}:
	default:
	}
	return true
}

// pushPatiently is push, but waits for room until the peer has read nothing for as long as
// Config.Patience. Then it gives up at once until the peer has read half of what waits.
func (p *peer) pushPatiently(it item, essential bool) bool {
	timer := time.NewTimer(p.cfg.Patience)
	defer timer.Stop()
	for {
		p.mu.Lock()
		room, stalled := p.room, p.stalled
		p.mu.Unlock()
		if p.push(it, essential) {
			return true
		}
		if stalled {
			return false
		}
		select {
		case <-room:
			timer.Reset(p.cfg.Patience)
		case <-timer.C:
			p.mu.Lock()
			p.stalled = true
			p.mu.Unlock()
			return false
		case <-p.halted:
			return false
		}
	}
}

// write sends what is pushed until the connection ends. Messages that wait together leave in
// one system call.
func (p *peer) write() {
	defer close(p.ended)
	for {
		select {
		case <-p.wake:
		case <-p.halted:
			return
		}
		for {
			p.mu.Lock()
			batch := p.queue
			p.queue = nil
			p.mu.Unlock()
			if len(batch) == 0 {
				break
			}
			for i, it := range batch {
				if it.frames == nil {
					p.command(commandPong, it.pong)
				} else {
					p.message(it.frames)
				}
				batch[i] = item{}
				if i == len(batch)-1 {
					if p.w.Flush() != nil {
						p.conn.Close() // the reader sees it and stops this peer
						return
					}
				}
				p.free(it.size)
			}
		}
	}
}

// free gives back the room of a message that was sent.
func (p *peer) free(size int) {
	p.mu.Lock()
	p.bytes -= size
	if p.bytes <= p.cfg.Queue/2 {
		p.stalled = false
	}
	close(p.room)
	p.room = make(chan struct{})
	p.mu.Unlock()
}

// drain waits until everything that was pushed is sent, the connection ends or the deadline
// comes.
func (p *peer) drain(deadline time.Time) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	for {
		p.mu.Lock()
		room, empty := p.room, p.bytes == 0
		p.mu.Unlock()
		if empty {
			return
		}
		select {
		case <-room:
		case <-timer.C:
			return
		case <-p.halted:
			return
		case <-p.ended:
			return
		}
	}
}

// stop ends the connection and its writer.
func (p *peer) stop() {
	p.mu.Lock()
	if !p.stopped {
		p.stopped = true
		close(p.halted)
	}
	p.mu.Unlock()
	p.conn.Close()
}
