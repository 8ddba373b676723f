package transport

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"
)

// ZMTP 3.0 (rfc.zeromq.org/spec/23) with the NULL mechanism: a greeting of 64 bytes and a
// READY command each way, then frames. The minor version is 0 so that peers send their
// subscriptions as messages; those of 3.1, which are commands, are understood all the same.
const (
	flagMore    = 1
	flagLong    = 2
	flagCommand = 4

	greetingSize     = 64
	handshakeTime    = 10 * time.Second
	maxCommand       = 64 << 10
	frameCost        = 64 // bytes a frame counts in a queue beyond its content
	maxFrames        = 1 << 15
	bufferSize       = 16 << 10
	commandReady     = "READY"
	commandError     = "ERROR"
	commandPing      = "PING"
	commandPong      = "PONG"
	commandSubscribe = "SUBSCRIBE"
	commandCancel    = "CANCEL"
)

// compatible lists which kinds of sockets may talk to which.
var compatible = map[string][]string{
	"ROUTER": {"DEALER", "REQ", "ROUTER"},
	"DEALER": {"ROUTER", "REP", "DEALER"},
	"PUB":    {"SUB", "XSUB"},
	"SUB":    {"PUB", "XPUB"},
	"REP":    {"REQ", "DEALER"},
	"REQ":    {"REP", "ROUTER"},
}

// handshake exchanges greetings and properties over a new connection. The result owns conn.
func handshake(conn net.Conn, kind, identity string, cfg Config) (*peer, error) {
	conn.SetDeadline(time.Now().Add(handshakeTime))
	p := &peer{
		conn:   conn,
		r:      bufio.NewReaderSize(conn, bufferSize),
		w:      bufio.NewWriterSize(conn, bufferSize),
		cfg:    cfg,
		wake:   make(chan struct{}, 1),
		room:   make(chan struct{}),
		halted: make(chan struct{}),
		ended:  make(chan struct{}),
	}
	var greeting [greetingSize]byte
	greeting[0], greeting[9], greeting[10] = 0xFF, 0x7F, 3
	copy(greeting[12:], "NULL")
	if _, err := conn.Write(greeting[:]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	var theirs [greetingSize]byte
	if _, err := io.ReadFull(p.r, theirs[:]); err != nil {
		return nil, fmt.Errorf("%w: greeting: %w", ErrProtocol, err)
	}
	mechanism := string(bytes.TrimRight(theirs[12:32], "\x00"))
	switch {
	case theirs[0] != 0xFF || theirs[9] != 0x7F:
		return nil, fmt.Errorf("%w: it begins with % x", ErrProtocol, theirs[:10])
	case theirs[10] < 3:
		return nil, fmt.Errorf("%w: ZMTP version %d, want 3", ErrProtocol, theirs[10])
	case mechanism != "NULL":
		return nil, fmt.Errorf("%w: security mechanism %q, want NULL", ErrProtocol, mechanism)
	}

	ready := property(nil, "Socket-Type", kind)
	if kind == "DEALER" || kind == "REQ" || kind == "ROUTER" {
		ready = property(ready, "Identity", identity)
	}
	p.command(commandReady, ready)
	if err := p.w.Flush(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	flags, size, err := p.header()
	if err != nil {
		return nil, fmt.Errorf("%w: READY: %w", ErrProtocol, err)
	}
	if flags&flagCommand == 0 || size > maxCommand {
		return nil, fmt.Errorf("%w: no READY command but flags %#x and %d bytes", ErrProtocol, flags, size)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(p.r, body); err != nil {
		return nil, fmt.Errorf("%w: READY: %w", ErrProtocol, err)
	}
	name, rest, ok := splitCommand(body)
	if !ok || name != commandReady {
		return nil, fmt.Errorf("%w: command %q instead of READY", ErrProtocol, name)
	}
	properties, ok := parseProperties(rest)
	if !ok {
		return nil, fmt.Errorf("%w: malformed properties", ErrProtocol)
	}
	p.kind = properties["socket-type"]
	p.identity = properties["identity"]
	for _, k := range compatible[kind] {
		if k == p.kind {
			return p, conn.SetDeadline(time.Time{})
		}
	}
	return nil, fmt.Errorf("%w: a %q socket, want one of %v", ErrProtocol, p.kind, compatible[kind])
}

func property(b []byte, name, value string) []byte {
	b = append(b, byte(len(name)))
	b = append(b, name...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(value)))
	return append(b, value...)
}

func parseProperties(b []byte) (map[string]string, bool) {
	m := map[string]string{}
	for len(b) > 0 {
		n := int(b[0])
		if len(b) < 1+n+4 {
			return nil, false
		}
		name := string(bytes.ToLower(b[1 : 1+n]))
		size := uint64(binary.BigEndian.Uint32(b[1+n:]))
		b = b[1+n+4:]
		if uint64(len(b)) < size {
			return nil, false
		}
		m[name] = string(b[:size])
		b = b[size:]
	}
	return m, true
}

func splitCommand(b []byte) (name string, rest []byte, ok bool) {
	if len(b) == 0 || len(b) < 1+int(b[0]) {
		return "", nil, false
	}
	return string(b[1 : 1+int(b[0])]), b[1+int(b[0]):], true
}

// header reads the flags and the size of the next frame.
func (p *peer) header() (flags byte, size uint64, err error) {
	var b [9]byte
	if _, err := io.ReadFull(p.r, b[:2]); err != nil {
		return 0, 0, err
	}
	if b[0]&flagLong == 0 {
		return b[0], uint64(b[1]), nil
	}
	if _, err := io.ReadFull(p.r, b[2:]); err != nil {
		return 0, 0, err
	}
	return b[0], binary.BigEndian.Uint64(b[1:]), nil
}

// read returns the next message. Commands are dealt with. An error that wraps ErrTooLarge
// leaves the connection usable: the message was read past.
func (p *peer) read() (Frames, error) {
	var frames Frames
	total, limit, tooLarge := uint64(0), uint64(p.cfg.Limit), false
	for {
		flags, size, err := p.header()
		if err != nil {
			return nil, err
		}
		if flags&^(flagMore|flagLong|flagCommand) != 0 {
			return nil, fmt.Errorf("%w: frame flags %#x", ErrProtocol, flags)
		}
		if flags&flagCommand != 0 {
			subscription, err := p.obey(size)
			if err != nil {
				return nil, err
			}
			if subscription != nil && frames == nil {
				return Frames{subscription}, nil
			}
			continue
		}
		if tooLarge || size > limit || total+size > limit || len(frames) == maxFrames {
			tooLarge, frames = true, nil
			if err := p.skip(size); err != nil {
				return nil, err
			}
		} else {
			body := make([]byte, size)
			if _, err := io.ReadFull(p.r, body); err != nil {
				return nil, err
			}
			frames = append(frames, body)
			total += size
		}
		if flags&flagMore == 0 {
			if tooLarge {
				return nil, fmt.Errorf("%w: more than %d bytes or %d frames", ErrTooLarge, limit, maxFrames)
			}
			return frames, nil
		}
	}
}

// skip reads past size bytes.
func (p *peer) skip(size uint64) error {
	for size > 0 {
		n := min(size, 1<<30)
		if _, err := io.CopyN(io.Discard, p.r, int64(n)); err != nil {
			return err
		}
		size -= n
	}
	return nil
}

// obey reads a command of the given size. A subscription comes back in the form that it has
// as a message: 1 or 0 and the topic.
func (p *peer) obey(size uint64) (subscription []byte, err error) {
	if size > maxCommand {
		return nil, fmt.Errorf("%w: a command of %d bytes, want at most %d", ErrProtocol, size, maxCommand)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(p.r, body); err != nil {
		return nil, err
	}
	name, rest, ok := splitCommand(body)
	if !ok {
		return nil, fmt.Errorf("%w: malformed command", ErrProtocol)
	}
	switch name {
	case commandSubscribe:
		return append([]byte{1}, rest...), nil
	case commandCancel:
		return append([]byte{0}, rest...), nil
	case commandPing: // two bytes of time to live, then a context to send back
		if len(rest) >= 2 {
			p.push(item{pong: append([]byte{}, rest[2:]...)}, true)
		}
	case commandError:
		return nil, fmt.Errorf("%w: the peer says %q", ErrProtocol, rest)
	}
	return nil, nil
}

// command buffers a command frame.
func (p *peer) command(name string, rest []byte) {
	size := 1 + len(name) + len(rest)
	p.frame(flagCommand, size)
	p.w.WriteByte(byte(len(name)))
	p.w.WriteString(name)
	p.w.Write(rest)
}

// message buffers the frames of a message. The writer keeps its first error for Flush.
func (p *peer) message(frames Frames) {
	for i, f := range frames {
		var flags byte
		if i < len(frames)-1 {
			flags = flagMore
		}
		p.frame(flags, len(f))
		p.w.Write(f)
	}
}

func (p *peer) frame(flags byte, size int) {
	if size < 256 {
		p.w.WriteByte(flags)
		p.w.WriteByte(byte(size))
		return
	}
	var b [9]byte
	b[0] = flags | flagLong
	binary.BigEndian.PutUint64(b[1:], uint64(size))
	p.w.Write(b[:])
}

// gone reports whether err is the ordinary end of a connection.
func gone(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
