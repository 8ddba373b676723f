package kernel

import (
	"context"
	"fmt"
	"sync"

	"eigenbook/nbkernel/worker"
)

// A runner holds the worker. The first one starts in the background, so that the kernel
// answers before the interpreter is ready; one that could not be started is started again
// when it is next needed.
type runner struct {
	start func() (Worker, error)

	mu      sync.Mutex // of what follows; not held while a worker starts
	current *launch
	closed  bool
	waiting bool // a cell waits for the worker to start
	dropped bool // and was interrupted meanwhile
}

// A launch is a worker that may still be starting.
type launch struct {
	done   chan struct{} // closed when the fields below are set
	worker Worker
	err    error
}

func newRunner(start func() (Worker, error)) *runner {
	r := &runner{start: start}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.launch()
	return r
}

// launch starts a worker in the background. The caller holds mu.
func (r *runner) launch() *launch {
	l := &launch{done: make(chan struct{})}
	r.current = l
	go func() {
		defer close(l.done)
		l.worker, l.err = r.start()
	}()
	return l
}

// get waits for the worker.
func (r *runner) get() (Worker, error) {
	r.mu.Lock()
	l := r.current
	if r.closed {
		r.mu.Unlock()
		return nil, worker.ErrClosed
	}
	select {
	case <-l.done:
		if l.err != nil {
			l = r.launch()
		}
	default:
	}
	r.mu.Unlock()
	<-l.done
	if l.err != nil {
		return nil, fmt.Errorf("the process that runs cells cannot be started: %w", l.err)
	}
	return l.worker, nil
}

// execute runs a cell. After an error, which means that the worker is no more, the next call
// starts another one.
func (r *runner) execute(ctx context.Context, code string, count int, opts worker.ExecOptions, emit func(worker.Event)) (worker.Outcome, error) {
	r.mu.Lock()
	r.waiting, r.dropped = true, false
	r.mu.Unlock()
	w, err := r.get()
	r.mu.Lock()
	dropped := r.dropped
	r.waiting, r.dropped = false, false
	r.mu.Unlock()
	if err != nil {
		return worker.Outcome{}, err
	}
	if dropped {
		return worker.Outcome{Status: worker.Interrupted}, nil
	}
	out, err := w.Execute(ctx, code, count, opts, emit)
	if err != nil {
		w.Close()
		r.mu.Lock()
		if !r.closed {
			r.launch()
		}
		r.mu.Unlock()
	}
	return out, err
}

// interrupt asks the running cell to end and does not wait for it.
func (r *runner) interrupt() {
	r.mu.Lock()
	if r.waiting {
		r.dropped = true
	}
	r.mu.Unlock()
	if w := r.ready(); w != nil {
		go w.Interrupt()
	}
}

// answer gives the running cell a line of input.
func (r *runner) answer(line string) error {
	if w := r.ready(); w != nil {
		return w.Answer(line)
	}
	return worker.ErrClosed
}

// ready returns the worker, or nil if there is none yet.
func (r *runner) ready() Worker {
	r.mu.Lock()
	l := r.current
	r.mu.Unlock()
	select {
	case <-l.done:
		return l.worker
	default:
		return nil
	}
}

// close ends the worker, also one that is starting.
func (r *runner) close() {
	r.mu.Lock()
	r.closed = true
	l := r.current
	r.mu.Unlock()
	<-l.done
	if l.worker != nil {
		l.worker.Close()
	}
}
