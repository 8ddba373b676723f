// Package kernel is the loop that joins messages (wire), sockets (transport) and the worker
// that runs cells.
//
// # Channels
//
// Requests on the shell channel are queued and answered one after the other, because most of
// them are about the state that cells change. Requests on the control channel are answered at
// once, also while a cell runs. Each request, also one of unknown type, is surrounded by the
// messages busy and idle; all outputs of a cell leave before its reply and before idle, in the
// order in which they were made. Streams are gathered into few messages, and a cell that prints
// without end is cut off with a note. A silent cell publishes nothing.
//
// Messages of comms take the way of cells: they wait for their turn, and what the session does
// with them is published as theirs. A comm to a target that the session does not know is
// closed at once.
//
// When a cell fails or is interrupted, the execute requests that had arrived by then are answered with an error
// and not run, unless the cell's request said otherwise (stop_on_error).
//
// # Faults
//
// The kernel runs no user code. Frames that are no message, are not signed or are repeated
// are dropped and logged. When the worker cannot be started, the cell says so and the next
// one tries again. The kernel ends after a shutdown request, when its context ends, and when
// the process that started it has ended (JPY_PARENT_PID); its worker ends with it.
package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"

	"eigenbook/nbkernel/transport"
	"eigenbook/nbkernel/wire"
	"eigenbook/nbkernel/worker"
)

// A Worker runs cells; *worker.Process is one.
type Worker interface {
	Execute(ctx context.Context, code string, count int, opts worker.ExecOptions, emit func(worker.Event)) (worker.Outcome, error)
	Answer(line string) error
	Complete(code string, cursor int) (worker.Completion, error)
	Inspect(code string, cursor, detail int) (map[string]any, error)
	IsComplete(code string) (status, indent string)
	Interrupt()
	Close() error
}

// Config holds the settings of a kernel. The zero value is usable.
type Config struct {
	Version string                 // of the program, for kernel_info; empty means "unknown"
	Log     io.Writer              // what went wrong; nil means os.Stderr
	Start   func() (Worker, error) // nil means worker.Start with its zero Config
}

// Run serves the sockets that the connection file names. It returns nil when ctx ends, after a
// shutdown request, and when the process that started this one has ended. SIGINT interrupts
// the running cell; for SIGTERM the caller cancels ctx.
func Run(ctx context.Context, connectionFile string, cfg Config) error {
	conn, err := wire.ReadConnection(connectionFile)
	if err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go watchParent(ctx, stop)
	return serve(ctx, conn, cfg, interrupts)
}

// A kernel is the state of a call of serve.
type kernel struct {
	cfg     Config
	log     *limitedLog
	session wire.Session
	codec   *wire.Codec
	topic   string // beginning of the topics of iopub messages

	shell, control, stdin *transport.Router
	iopub                 *transport.Pub
	heartbeat             *transport.Echo

	stop    context.CancelFunc // ends serve
	queue   *queue             // of requests on the shell channel
	answers chan wire.Message  // input replies
	runner  *runner
	history history
	comms   map[string]string // open comms and their targets; used by the shell loop only
	count   int               // of the last cell that was stored; used by the shell loop only
}

// serve is Run after the connection file was read.
func serve(ctx context.Context, conn wire.Connection, cfg Config, interrupts <-chan os.Signal) (err error) {
	if err := conn.Validate(); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	if cfg.Log == nil {
		cfg.Log = os.Stderr
	}
	if cfg.Version == "" {
		cfg.Version = "unknown"
	}
	if cfg.Start == nil {
		cfg.Start = func() (Worker, error) {
			p, err := worker.Start(worker.Config{})
			if err != nil {
				return nil, err
			}
			return p, nil
		}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	k := &kernel{
		cfg:     cfg,
		log:     &limitedLog{w: cfg.Log},
		session: wire.NewSession("kernel"),
		codec:   wire.NewCodec(conn.Key, 0),
		stop:    stop,
		queue:   newQueue(),
		answers: make(chan wire.Message, 1),
		runner:  newRunner(cfg.Start),
		comms:   map[string]string{},
	}
	k.topic = "kernel." + k.session.ID + "."
	if err := k.bind(conn); err != nil {
		k.runner.close()
		return errors.Join(fmt.Errorf("kernel: %w", err), k.unbind())
	}

	var loops sync.WaitGroup
	loops.Go(func() { k.receive(k.shell, wire.Shell, k.queue.push) })
	loops.Go(func() { k.receive(k.control, wire.Control, k.answerControl) })
	loops.Go(func() { k.receive(k.stdin, wire.Stdin, k.offerAnswer) })
	loops.Go(func() {
		for {
			select {
			case <-interrupts:
				k.runner.interrupt()
			case <-ctx.Done():
				return
			}
		}
	})
	var cells sync.WaitGroup
	cells.Go(func() {
		for {
			m, aborted, ok := k.queue.pop()
			if !ok {
				return
			}
			k.answerShell(ctx, m, aborted)
		}
	})
	k.publish(wire.Message{}, "status", wire.Status{ExecutionState: wire.Starting}, true)

	<-ctx.Done()
	k.queue.close()
	k.runner.close() // ends a cell that runs
	cells.Wait()
	err = k.unbind()
	loops.Wait()
	if err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	return nil
}

// bind opens the five sockets. The first error names the channel.
func (k *kernel) bind(conn wire.Connection) (err error) {
	open := func(ch wire.Channel, listen func(endpoint string, cfg transport.Config) error) {
		if err != nil {
			return
		}
		cfg := transport.Config{Report: func(err error) { k.log.printf("%s: %v", ch, err) }}
		if ch == wire.IOPub {
			cfg.Welcome = k.welcome
		}
		if e := listen(conn.Endpoint(ch), cfg); e != nil {
			err = fmt.Errorf("%s: %w", ch, e)
		}
	}
	open(wire.Shell, func(e string, c transport.Config) (err error) { k.shell, err = transport.ListenRouter(e, c); return })
	open(wire.Control, func(e string, c transport.Config) (err error) { k.control, err = transport.ListenRouter(e, c); return })
	open(wire.Stdin, func(e string, c transport.Config) (err error) { k.stdin, err = transport.ListenRouter(e, c); return })
	open(wire.IOPub, func(e string, c transport.Config) (err error) { k.iopub, err = transport.ListenPub(e, c); return })
	open(wire.Heartbeat, func(e string, c transport.Config) (err error) { k.heartbeat, err = transport.ListenEcho(e, c); return })
	return err
}

// unbind closes the sockets that are open.
func (k *kernel) unbind() error {
	var errs []error
	if k.shell != nil {
		errs = append(errs, k.shell.Close())
	}
	if k.control != nil {
		errs = append(errs, k.control.Close())
	}
	if k.stdin != nil {
		errs = append(errs, k.stdin.Close())
	}
	if k.iopub != nil {
		errs = append(errs, k.iopub.Close())
	}
	if k.heartbeat != nil {
		errs = append(errs, k.heartbeat.Close())
	}
	return errors.Join(errs...)
}

// welcome is the message for a new subscriber of the iopub channel.
func (k *kernel) welcome(topic string) transport.Frames {
	m, err := k.session.New("iopub_welcome", nil, map[string]string{"subscription": topic})
	if err != nil {
		return transport.Frames{}
	}
	m.Identities = transport.Frames{[]byte(topic)}
	frames, err := k.codec.Encode(m)
	if err != nil {
		return transport.Frames{}
	}
	return frames
}
