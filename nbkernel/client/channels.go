package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"eigenbook/nbkernel/transport"
	"eigenbook/nbkernel/wire"
)

// channels are the sockets to a kernel. Every message that arrives goes to the request it
// answers, whichever socket it comes from: some kernels answer control requests on shell.
type channels struct {
	session wire.Session
	codec   *wire.Codec
	late    func(Output)
	sockets map[wire.Channel]*transport.Conn
	wg      sync.WaitGroup

	mu       sync.Mutex
	requests map[string]*request // by message ID
}

// A request waits for the messages that have its ID as parent.
type request struct {
	id       string
	messages chan wire.Message
	gone     chan struct{} // closed by forget
}

// messageLimit bounds what a kernel may send in one message.
const messageLimit = 512 << 20

// connect opens the sockets.
func connect(ctx context.Context, conn wire.Connection, late func(Output)) (*channels, error) {
	c := &channels{session: wire.NewSession("nbkernel"), codec: wire.NewCodec(conn.Key, messageLimit), late: late,
		sockets: map[wire.Channel]*transport.Conn{}, requests: map[string]*request{}}
	cfg := transport.Config{Limit: messageLimit}
	for _, ch := range []wire.Channel{wire.IOPub, wire.Control, wire.Stdin, wire.Shell} {
		var s *transport.Conn
		var err error
		if ch == wire.IOPub {
			s, err = transport.DialSub(ctx, conn.Endpoint(ch), cfg)
		} else {
			// Front ends have one identity on all sockets: a kernel asks for input on
			// stdin at the address the cell came from on shell.
			s, err = transport.DialDealer(ctx, conn.Endpoint(ch), c.session.ID, cfg)
		}
		if err != nil {
			c.close()
			return nil, fmt.Errorf("%s: %w", ch, err)
		}
		c.sockets[ch] = s
		c.wg.Go(func() { c.receive(s) })
	}
	return c, nil
}

// receive distributes the messages of a socket until it is closed.
func (c *channels) receive(s *transport.Conn) {
	for {
		frames, err := s.Recv()
		if errors.Is(err, transport.ErrTooLarge) {
			continue
		}
		if err != nil {
			return
		}
		m, err := c.codec.Decode(frames)
		if err != nil {
			continue // not from our kernel
		}
		c.mu.Lock()
		r := c.requests[m.Parent.MsgID]
		c.mu.Unlock()
		if r == nil {
			if o, ok, _ := decodeOutput(&m); ok && m.Parent.Session == c.session.ID {
				c.late(o)
			}
			continue
		}
		select {
		case r.messages <- m:
		case <-r.gone:
		}
	}
}

// send sends a message and registers it for its answers.
func (c *channels) send(ch wire.Channel, msgType string, content any) (*request, error) {
	m, err := c.session.New(msgType, nil, content)
	if err != nil {
		return nil, err
	}
	r := &request{id: m.Header.MsgID, messages: make(chan wire.Message, 16), gone: make(chan struct{})}
	c.mu.Lock()
	c.requests[r.id] = r
	c.mu.Unlock()
	frames, err := c.codec.Encode(m)
	if err == nil {
		err = c.sockets[ch].Send(frames)
	}
	if err != nil {
		c.forget(r)
		return nil, err
	}
	return r, nil
}

// answer sends the answer to an input request.
func (c *channels) answer(question *wire.Message, value string) error {
	m, err := c.session.New("input_reply", question, wire.InputReply{Status: wire.StatusOK, Value: value})
	if err != nil {
		return err
	}
	m.Identities = nil
	frames, err := c.codec.Encode(m)
	if err != nil {
		return err
	}
	return c.sockets[wire.Stdin].Send(frames)
}

// forget ends the registration of a request.
func (c *channels) forget(r *request) {
	c.mu.Lock()
	delete(c.requests, r.id)
	c.mu.Unlock()
	close(r.gone)
}

// ready waits for an answer of the kernel. It asks until both a reply and a message of the
// iopub channel have come: before that, the subscription may not have reached the kernel, and
// the first cell's outputs would be lost.
func (c *channels) ready(ctx context.Context) (wire.KernelInfoReply, error) {
	var info wire.KernelInfoReply
	replied, heard := false, false
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, 500*time.Millisecond) {
		r, err := c.send(wire.Shell, "kernel_info_request", struct{}{})
		if err != nil {
			return info, err
		}
		timer := time.NewTimer(wait)
		for waiting := true; waiting; {
			select {
			case m := <-r.messages:
				switch m.Type() {
				case "kernel_info_reply":
					if err := m.Read(&info); err != nil {
						timer.Stop()
						c.forget(r)
						return info, err
					}
					replied = true
				case "status":
					heard = true
				}
				waiting = !replied || !heard
			case <-timer.C:
				waiting = false
			case <-ctx.Done():
				timer.Stop()
				c.forget(r)
				return info, ctx.Err()
			}
		}
		timer.Stop()
		c.forget(r)
		if replied && heard {
			return info, nil
		}
	}
}

// close ends the sockets.
func (c *channels) close() {
	for _, s := range c.sockets {
		s.Close()
	}
	c.wg.Wait()
}
