package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	defaultGrace = 2 * time.Second
	queryTime    = 2 * time.Second        // for Complete and Inspect
	busyTime     = 300 * time.Millisecond // for them while a cell runs
)

// A Process is a session of cells in a child process. Execute calls are run one after the
// other; the other methods may be called from any goroutine at any time.
type Process struct {
	cfg  Config
	turn chan struct{} // holds a value while Execute or Restart runs

	mu      sync.Mutex // of what follows
	peer    *peer
	state   state
	current *execution // nil if no cell runs
	closed  bool
}

// An execution is a call of Execute.
type execution struct {
	peer        *peer
	run         *run
	interrupted bool
	asked       bool        // an InputRequest waits for its answer
	dismissed   bool        // an interrupt answered it instead of the user
	grace       *time.Timer // kills the child; nil if nobody interrupted
}

// Start starts the child and waits until it is ready.
func Start(cfg Config) (*Process, error) {
	if cfg.Grace <= 0 {
		cfg.Grace = defaultGrace
	}
	child, _, err := startPeer(cfg, state{})
	if err != nil {
		return nil, err
	}
	return &Process{cfg: cfg, turn: make(chan struct{}, 1), peer: child}, nil
}

// Execute runs a cell and calls emit, on the calling goroutine, for each of its outputs. It
// returns after the last one. A cell that fails, and a child that dies, are no error of
// Execute: the Outcome and the last event, of kind Error, say what happened, and the session
// can go on. The error is ErrClosed, or says that no child could be started.
//
// What goroutines of earlier cells wrote since the last cell is emitted first. If the child
// died since then, a text on Stderr says so and the cell runs in its successor.
//
// count is the number of the cell in the notebook's numbering, which messages name.
// Cancelling ctx interrupts the cell as Interrupt does.
func (p *Process) Execute(ctx context.Context, code string, count int, opts ExecOptions, emit func(Event)) (Outcome, error) {
	began := time.Now()
	interrupted := func() (Outcome, error) {
		f := &Failure{Name: "interrupted", Value: "the cell was interrupted before it ran"}
		f.Traceback = []string{f.Name + ": " + f.Value}
		emit(Event{Kind: Error, Failure: f})
		return Outcome{Status: Interrupted, Failure: f, Elapsed: time.Since(began)}, nil
	}
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return interrupted()
	}
	defer func() { <-p.turn }()
	if ctx.Err() != nil {
		return interrupted()
	}

	outcome := Outcome{Status: OK}
	x, err := p.begin(&outcome, emit)
	if err != nil {
		return Outcome{}, err
	}
	stop := context.AfterFunc(ctx, p.Interrupt)
	defer stop()
	asking := make(chan struct{})
	if opts.AllowStdin {
		go p.watchInput(x, asking)
	}
	// An error here is the death of the child, which the end of the events reports.
	x.peer.send(command{Op: opExecute, ID: x.run.id, Code: code, Count: count, Silent: opts.Silent, Stdin: opts.AllowStdin, Comm: opts.Comm})
	for e := range x.run.events {
		if e.Kind == InputRequest { // whether the child asked or was seen to read
			p.mu.Lock()
			x.asked = true
			p.mu.Unlock()
		}
		emit(e)
	}
	close(asking)

	p.mu.Lock()
	p.current = nil
	if x.grace != nil {
		x.grace.Stop()
	}
	wasInterrupted, closed := x.interrupted, p.closed
	if r := x.run.done; r != nil && r.State != nil {
		p.state = *r.State
	}
	p.mu.Unlock()

	if closed {
		return Outcome{}, ErrClosed
	}
	if r := x.run.done; r != nil {
		outcome.Failure = r.Failure
		if r.Failure != nil {
			outcome.Status = Failed
			if r.Cancelled || x.dismissed {
				outcome.Status = Interrupted
			}
		} else if x.dismissed {
			outcome.Status = Interrupted
			outcome.Failure = &Failure{Name: "interrupted", Value: "the cell was interrupted while it waited for input"}
			outcome.Failure.Traceback = []string{outcome.Failure.Name + ": " + outcome.Failure.Value}
		}
	} else {
		err = p.bury(x.peer, wasInterrupted, &outcome)
	}
	if outcome.Failure != nil {
		emit(Event{Kind: Error, Failure: outcome.Failure})
	}
	outcome.Elapsed = time.Since(began)
	return outcome, err
}

// begin makes the child ready for a cell, a new one if the old one died.
func (p *Process) begin(outcome *Outcome, emit func(Event)) (*execution, error) {
	for {
		p.mu.Lock()
		child, closed := p.peer, p.closed
		p.mu.Unlock()
		if closed {
			return nil, ErrClosed
		}
		x := &execution{peer: child, run: &run{id: child.nextID(), events: make(chan Event)}}
		// From here on the child is the cell's: its outputs wait for the cell.
		select {
		case <-child.ended:
			lost, notes, err := p.replace(child, true)
			if err != nil {
				return nil, err
			}
			outcome.Restarted, outcome.Lost = true, lost
			emit(Event{Kind: Stderr, Text: "[after the last cell " + child.death() + epilogue(lost, notes) + "]\n"})
			continue
		default:
		}
		child.forgetTail()
		p.mu.Lock()
		if p.closed {
			p.mu.Unlock()
			return nil, ErrClosed
		}
		p.current = x
		p.mu.Unlock()
		select {
		case child.begin <- x.run:
			return x, nil
		case <-child.ended:
			p.mu.Lock()
			p.current = nil
			p.mu.Unlock()
		}
	}
}

// bury says why the child died while a cell ran and starts the next one.
func (p *Process) bury(child *peer, interrupted bool, outcome *Outcome) error {
	<-child.ended
	f := &Failure{Name: "worker died", Value: child.death()}
	outcome.Status = Failed
	if interrupted {
		f = &Failure{Name: "interrupted", Value: fmt.Sprintf("the cell did not end within %v and its process was replaced", p.cfg.Grace)}
		outcome.Status = Interrupted
	}
	lost, notes, err := p.replace(child, true)
	outcome.Restarted, outcome.Lost, outcome.Failure = err == nil, lost, f
	if err == nil {
		f.Value += epilogue(lost, notes)
	}
	f.Traceback = strings.Split(f.Name+": "+f.Value, "\n")
	return err
}

// epilogue says what a new child does not know.
func epilogue(lost []string, notes string) string {
	text := "\na new process was started"
	if len(lost) > 0 {
		text += "; the values of " + strings.Join(lost, ", ") + " are lost"
	}
	if notes != "" {
		text += "\n" + notes
	}
	return text
}

// replace starts a successor of old, unless that was done. It returns the names of the
// variables that are lost and what could not be declared again.
func (p *Process) replace(old *peer, replay bool) (lost []string, notes string, err error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, "", ErrClosed
	}
	if p.peer != old {
		p.mu.Unlock()
		return nil, "", nil
	}
	before := p.state
	if !replay {
		before = state{}
	}
	p.mu.Unlock()

	child, ready, err := startPeer(p.cfg, before)
	if err != nil && len(before.Declarations) > 0 {
		// What kills a process may be a declaration.
		notes = "its declarations are lost too: " + err.Error()
		before.Declarations = nil
		child, ready, err = startPeer(p.cfg, before)
	}
	if err != nil {
		return nil, "", err
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		child.end()
		return nil, "", ErrClosed
	}
	if ready.Text != "" {
		notes = ready.Text
	}
	lost = before.Variables
	p.peer = child
	p.state = before
	p.state.Variables = nil
	if ready.State != nil {
		p.state.Declarations, p.state.Variables = ready.State.Declarations, ready.State.Variables
		lost = slices.DeleteFunc(slices.Clone(lost), func(name string) bool { return slices.Contains(ready.State.Variables, name) })
	}
	p.mu.Unlock()
	return lost, notes, nil
}

// Answer gives the running cell the line that an InputRequest asked for, without newline.
func (p *Process) Answer(line string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	if p.current == nil {
		return errors.New("worker: no cell runs that could take the answer")
	}
	p.current.asked = false
	return p.current.peer.input(line)
}

// Interrupt asks the running cell to end. If it has not ended after Config.Grace, the child
// is replaced. Without a running cell it does nothing.
func (p *Process) Interrupt() {
	p.mu.Lock()
	defer p.mu.Unlock()
	x := p.current
	if x == nil || x.interrupted {
		return
	}
	x.interrupted = true
	x.grace = time.AfterFunc(p.cfg.Grace, x.peer.kill)
	go func() {
		if x.peer.send(command{Op: opInterrupt, ID: x.run.id}) != nil {
			x.peer.kill()
		}
	}()
	if x.asked { // the program that reads gets an empty line
		x.asked, x.dismissed = false, true
		x.peer.input("")
	}
}

// Restart replaces the child by a new one in which nothing is declared. A cell that runs
// ends with its child.
func (p *Process) Restart() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return ErrClosed
	}
	old := p.peer
	p.state = state{}
	p.mu.Unlock()
	old.end()
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	_, _, err := p.replace(old, false)
	return err
}

// Close ends the child and everything it started in its process group. Execute, if it runs,
// returns ErrClosed.
func (p *Process) Close() error {
	p.mu.Lock()
	p.closed = true
	child := p.peer
	p.mu.Unlock()
	child.end()
	return nil
}

// A Completion lists the names that may stand at a position of a cell.
type Completion struct {
	Start, End int      // the part of the code that a match replaces, in bytes
	Matches    []string // sorted
	Types      []string // "function", "variable", "type", "package", "constant", "keyword" or "magic", one for each match
	Signatures []string // the types of functions and variables, one for each match; may be missing
}

// Complete returns the names that may stand at the byte offset cursor of code. While a cell
// runs there may be none.
func (p *Process) Complete(code string, cursor int) (Completion, error) {
	cursor = max(0, min(cursor, len(code)))
	none := Completion{Start: cursor, End: cursor}
	r, err := p.query(command{Op: opComplete, Code: code, Cursor: cursor})
	if err != nil || r.Completion == nil {
		return none, err
	}
	return *r.Completion, nil
}

// Inspect describes the name at the byte offset cursor of code as MIME type → text; the map
// is nil if there is nothing to say. Detail 1 asks for more.
func (p *Process) Inspect(code string, cursor, detail int) (map[string]any, error) {
	cursor = max(0, min(cursor, len(code)))
	r, err := p.query(command{Op: opInspect, Code: code, Cursor: cursor, Detail: detail})
	if err != nil || r.Text == "" {
		return nil, err
	}
	return map[string]any{"text/plain": r.Text}, nil
}

// query asks the child.
func (p *Process) query(c command) (*report, error) {
	p.mu.Lock()
	child, busy, closed := p.peer, p.current != nil, p.closed
	p.mu.Unlock()
	if closed {
		return nil, ErrClosed
	}
	if child.isDead() {
		return &report{}, nil // the next cell replaces it
	}
	patience := queryTime
	if busy {
		patience = busyTime
	}
	r, err := child.ask(c, patience)
	if err != nil && busy {
		return &report{}, nil
	}
	return r, err
}
