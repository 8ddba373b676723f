package nb

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// Errors of comms.
var (
	ErrNoTarget   = errors.New("nb: no such comm target")
	ErrNoFrontEnd = errors.New("nb: no front end that comms could lead to")
)

// A Comm is a line between the code of a notebook and a part of its page, such as a control,
// over which both send JSON values. See OnComm and OpenComm.
type Comm struct {
	id, target string
	received   func(data any)
	closed     func(data any)
}

// CommSender passes a message to the front end: kind is comm_open, comm_msg or comm_close.
type CommSender func(kind, id, target string, data json.RawMessage) error

var comms = struct {
	sync.Mutex
	send    CommSender
	targets map[string]func(c *Comm, data any)
	open    map[string]*Comm
}{targets: map[string]func(*Comm, any){}, open: map[string]*Comm{}}

// OnComm names a target that the page may open comms to; opened is called for each, with what
// the page sent along. Nil takes the name back. A comm that is opened to any other target is
// refused.
//
// In nbkernel the functions of comms are called between cells, one at a time, and what they
// print and show belongs to the message that caused it.
func OnComm(target string, opened func(c *Comm, data any)) {
	comms.Lock()
	defer comms.Unlock()
	if comms.targets[target] = opened; opened == nil {
		delete(comms.targets, target)
	}
}

// OpenComm opens a comm to a target of the page. The error wraps ErrNoFrontEnd in a script and
// in GoNB.
func OpenComm(target string, data any) (*Comm, error) {
	c := &Comm{id: rand.Text(), target: target}
	if err := c.transmit("comm_open", data); err != nil {
		return nil, err
	}
	comms.Lock()
	defer comms.Unlock()
	comms.open[c.id] = c
	return c, nil
}

// ID returns the name of the comm, which no other has.
func (c *Comm) ID() string { return c.id }

// OnMessage sets what is called with each value that the page sends.
func (c *Comm) OnMessage(f func(data any)) {
	comms.Lock()
	defer comms.Unlock()
	c.received = f
}

// OnClose sets what is called when the page closes the comm.
func (c *Comm) OnClose(f func(data any)) {
	comms.Lock()
	defer comms.Unlock()
	c.closed = f
}

// Send sends a value that has a JSON form to the page.
func (c *Comm) Send(data any) error { return c.transmit("comm_msg", data) }

// Close ends the comm.
func (c *Comm) Close() error {
	comms.Lock()
	delete(comms.open, c.id)
	comms.Unlock()
	return c.transmit("comm_close", struct{}{})
}

func (c *Comm) transmit(kind string, data any) error {
	if data == nil {
		data = struct{}{}
	}
	text, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("nb: comm %s: %w", c.target, err)
	}
	comms.Lock()
	send := comms.send
	comms.Unlock()
	if send == nil {
		return fmt.Errorf("%w: target %q", ErrNoFrontEnd, c.target)
	}
	return send(kind, c.id, c.target, text)
}

// SetComms sets where messages of comms go. It is for the program that runs cells, and is not
// part of what they may call.
func SetComms(send CommSender) {
	comms.Lock()
	defer comms.Unlock()
	comms.send = send
}

// DeliverComm calls what the session has set for a message of the page. The error wraps
// ErrNoTarget if the comm is opened to a target that nobody named; messages for a comm that
// is not open are passed over. It is for the program that runs cells.
func DeliverComm(kind, id, target string, data json.RawMessage) error {
	var value any
	if len(data) > 0 {
		if err := json.Unmarshal(data, &value); err != nil {
			return fmt.Errorf("nb: comm %s: %w", target, err)
		}
	}
	comms.Lock()
	c := comms.open[id]
	var call func()
	switch {
	case kind == "comm_open":
		opened := comms.targets[target]
		if opened == nil {
			comms.Unlock()
			return fmt.Errorf("%w: %q", ErrNoTarget, target)
		}
		c = &Comm{id: id, target: target}
		comms.open[id] = c
		call = func() { opened(c, value) }
	case c == nil:
	case kind == "comm_close":
		delete(comms.open, id)
		if f := c.closed; f != nil {
			call = func() { f(value) }
		}
	case c.received != nil:
		f := c.received
		call = func() { f(value) }
	}
	comms.Unlock()
	if call != nil {
		call()
	}
	return nil
}
