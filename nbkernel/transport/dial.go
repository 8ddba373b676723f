package transport

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

// A Conn is the client's side of a connection: DEALER, SUB or REQ.
type Conn struct {
	peer     *peer
	endpoint string
	wg       sync.WaitGroup
	once     sync.Once
}

// retry is the time between attempts to connect to a kernel that does not listen yet.
const retry = 2 * time.Millisecond

// DialDealer connects a DEALER socket with the given identity. Like the other Dial functions
// it tries until ctx ends, because a kernel that was just started does not listen yet.
func DialDealer(ctx context.Context, endpoint, identity string, cfg Config) (*Conn, error) {
	return dial(ctx, endpoint, "DEALER", identity, cfg)
}

// DialSub connects a SUB socket and subscribes to everything. What is published before the
// subscription arrives is not received.
func DialSub(ctx context.Context, endpoint string, cfg Config) (*Conn, error) {
	c, err := dial(ctx, endpoint, "SUB", "", cfg)
	if err != nil {
		return nil, err
	}
	c.peer.push(item{frames: Frames{{1}}}, true)
	return c, nil
}

// Ping sends payload to a heartbeat socket and waits for its echo.
func Ping(ctx context.Context, endpoint string, payload []byte) error {
	c, err := dial(ctx, endpoint, "REQ", "", Config{})
	if err != nil {
		return err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { c.peer.conn.Close() })
	defer stop()
	if err := c.Send(Frames{{}, payload}); err != nil {
		return err
	}
	f, err := c.Recv()
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return err
	}
	if len(f) != 2 || len(f[0]) != 0 || !bytes.Equal(f[1], payload) {
		return fmt.Errorf("%w: %s: the echo of %q is %q", ErrProtocol, endpoint, payload, f)
	}
	return nil
}

func dial(ctx context.Context, endpoint, kind, identity string, cfg Config) (*Conn, error) {
	network, addr, err := address(endpoint)
	if err != nil {
		return nil, err
	}
	if network == "tcp" && (strings.HasPrefix(addr, "0.0.0.0:") || strings.HasPrefix(addr, ":")) {
		addr = "127.0.0.1" + addr[strings.LastIndex(addr, ":"):]
	}
	var last error
	for {
		var d net.Dialer
		conn, err := d.DialContext(ctx, network, addr)
		if err == nil {
			stop := context.AfterFunc(ctx, func() { conn.Close() })
			var p *peer
			p, err = handshake(conn, kind, identity, cfg.withDefaults())
			if !stop() && err == nil {
				err = ctx.Err()
			}
			if err == nil {
				c := &Conn{peer: p, endpoint: endpoint}
				c.wg.Add(1)
				go func() {
					defer c.wg.Done()
					p.write()
				}()
				return c, nil
			}
			conn.Close()
		}
		if ctx.Err() == nil || last == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w to %s: %w (%w)", ErrDial, endpoint, ctx.Err(), last)
		case <-time.After(retry):
		}
	}
}

// Send queues a message and does not wait.
func (c *Conn) Send(f Frames) error {
	if !c.peer.push(item{frames: f}, true) {
		select {
		case <-c.peer.halted:
			return fmt.Errorf("%w: %s", ErrClosed, c.endpoint)
		default:
			return fmt.Errorf("%w: %s", ErrFull, c.endpoint)
		}
	}
	return nil
}

// Recv returns the next message. Only one goroutine may call it. After an error that wraps
// ErrTooLarge it may be called again; any other error is the end of the connection.
func (c *Conn) Recv() (Frames, error) {
	f, err := c.peer.read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.endpoint, err)
	}
	return f, nil
}

// Close ends the connection. A Recv that waits returns an error.
func (c *Conn) Close() error {
	c.once.Do(func() {
		c.peer.drain(time.Now().Add(linger))
		c.peer.stop()
		c.wg.Wait()
	})
	return nil
}
