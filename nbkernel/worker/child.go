package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"eigenbook/display"
	"eigenbook/nbkernel/nb"
	"eigenbook/nbkernel/symbols/gonbui"
)

// An evaluator is a session of the interpreter. Its methods are not called at the same time,
// except for Complete and Inspect, which may be called at any time.
type evaluator interface {
	// Run runs Go source. Its failure may be nil.
	Run(ctx context.Context, source string, count int) (evaluation, *Failure)
	SetArgs(args []string)   // os.Args[1:]
	HasFlags() bool          // cells have declared flags
	Declarations() []string  // source, in the order in which it must be run again
	Variables() []variable   // in the order of their names
	Forget(name string) bool // false if there is no such name
	Complete(code string, cursor int) Completion
	Inspect(code string, cursor int) string // empty if there is nothing to say
}

// An evaluation is what source came to.
type evaluation struct {
	value    any // of the last expression, if there is one
	hasValue bool
	mute     bool // the value is not to be shown
}

// A variable of a session.
type variable struct{ name, typ string }

// A language is what the child needs to know of Go.
type language struct {
	start func() (evaluator, error)
	parse func(code string) (plan, *Failure)
}

// A child is the process that runs cells.
type child struct {
	language
	session  evaluator
	reports  *os.File
	streams  [2]int      // copies of descriptors 1 and 2, for marks: a cell may close its own
	stdin    int         // copy of descriptor 0
	answered atomic.Bool // the parent answers questions
	nothing  int         // /dev/null
	mark     []byte
	captured atomic.Pointer[os.File] // of %capture
	settings settings
	known    string // the state that the parent knows, as JSON

	mu sync.Mutex // of what is written to reports and streams

	cells struct { // that were asked for and have not ended
		sync.Mutex
		cancel map[int64]context.CancelFunc
	}
}

// A job is a cell with its context.
type job struct {
	command
	ctx context.Context
}

// Main is the child. It returns the exit code of the process.
func Main() int { return serve(golang) }

// serve runs the cells of the parent until it ends.
func serve(lang language) int {
	for _, fd := range []int{3, 4} {
		var stat syscall.Stat_t
		if syscall.Fstat(fd, &stat) != nil || stat.Mode&syscall.S_IFMT != syscall.S_IFIFO {
			fmt.Fprintln(os.Stderr, "nbkernel: worker: this is the process that a kernel starts to run cells in; it is of no use by itself")
			return 2
		}
		syscall.CloseOnExec(fd)
	}
	c := &child{language: lang, reports: os.NewFile(4, "reports")}
	c.cells.cancel = map[int64]context.CancelFunc{}
	if err := c.keepDescriptors(); err != nil {
		fmt.Fprintf(os.Stderr, "nbkernel: worker: %v\n", err)
		return 2
	}
	// The parent's interrupts come as commands. The programs that a cell starts get SIGINT,
	// and it must not be ignored, because they would inherit that.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)

	jobs := make(chan job, 16)
	lines := bufio.NewReaderSize(os.NewFile(3, "commands"), 64<<10)
	first, err := readCommand(lines)
	if err != nil {
		return 2
	}
	c.mark = first.Mark
	c.prepare(first.Declarations)
	go func() {
		c.read(lines, jobs)
		// The parent is gone.
		if syscall.Getpgrp() == os.Getpid() {
			syscall.Kill(0, syscall.SIGKILL)
		}
		os.Exit(2)
	}()
	for j := range jobs {
		c.execute(j)
	}
	return 0
}

// keepDescriptors makes copies of the descriptors that cells may close.
func (c *child) keepDescriptors() error {
	keep := func(fd int) (int, error) {
		copied, err := syscall.Dup(fd)
		if err == nil {
			syscall.CloseOnExec(copied)
		}
		return copied, err
	}
	var err error
	if c.stdin, err = keep(0); err != nil {
		return err
	}
	for i := range c.streams {
		if c.streams[i], err = keep(i + 1); err != nil {
			return err
		}
	}
	c.nothing, err = syscall.Open(os.DevNull, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	return err
}

func readCommand(lines *bufio.Reader) (command, error) {
	var c command
	line, err := lines.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &c)
	}
	return c, err
}

// read reads commands until the parent ends.
func (c *child) read(lines *bufio.Reader, jobs chan<- job) {
	for {
		cmd, err := readCommand(lines)
		if err != nil {
			return
		}
		switch cmd.Op {
		case opExecute:
			ctx, cancel := context.WithCancel(context.Background())
			c.cells.Lock()
			c.cells.cancel[cmd.ID] = cancel
			c.cells.Unlock()
			jobs <- job{cmd, ctx}
		case opInterrupt:
			c.cells.Lock()
			cancel := c.cells.cancel[cmd.ID]
			c.cells.Unlock()
			if cancel != nil {
				cancel()
				if syscall.Getpgrp() == os.Getpid() {
					syscall.Kill(0, syscall.SIGINT) // as a terminal does, for programs that the cell started
				}
			}
		case opComplete, opInspect:
			go c.answer(cmd)
		}
	}
}

// prepare starts the session and declares what an earlier one had declared.
func (c *child) prepare(declarations []string) {
	c.setInput(false)
	ready := &report{Kind: reportReady}
	session, err := c.start()
	if err != nil {
		ready.Failure = &Failure{Name: "worker", Value: err.Error()}
		c.send(ready)
		return
	}
	c.session = session
	if dir, err := os.Getwd(); err == nil {
		os.Setenv("GONB_DIR", dir)
	}
	display.SetSink(sink{c})
	gonbui.SetSink(sink{c})
	nb.SetQuestion(func(prompt string, password bool) error {
		if !c.answered.Load() {
			return fmt.Errorf("%w: the question was %q", nb.ErrNoInput, prompt)
		}
		c.send(&report{Kind: InputRequest, Marked: true, Prompt: prompt, Password: password})
		return nil
	})
	nb.SetComms(func(kind, id, target string, data json.RawMessage) error {
		c.send(&report{Kind: kind, Marked: true, Comm: &Comm{Kind: kind, ID: id, Target: target, Data: data}})
		return nil
	})
	for _, source := range declarations {
		if _, f := c.run(context.Background(), source, 0); f != nil {
			if ready.Text != "" {
				ready.Text += "\n"
			}
			ready.Text += "a declaration is lost: " + f.Value
		}
	}
	if len(declarations) > 0 {
		ready.State = c.state()
	}
	c.send(ready)
}

// state returns the state of the session, or nil if the parent knows it.
func (c *child) state() *state {
	s := &state{Declarations: c.session.Declarations(), Dir: c.settings.dir, Environ: c.settings.environ}
	for _, v := range c.session.Variables() {
		s.Variables = append(s.Variables, v.name)
	}
	text, err := json.Marshal(s)
	if err != nil || string(text) == c.known {
		return nil
	}
	c.known = string(text)
	return s
}

// execute runs a cell.
func (c *child) execute(j job) {
	c.setInput(j.Stdin)
	nb.SetContext(j.ctx)
	done := &report{Kind: reportDone, ID: j.ID, Marked: true}
	if j.Comm != nil {
		done.Failure = c.deliver(j.Comm)
	} else {
		done.Failure = c.cell(j)
	}
	if done.Failure != nil && len(done.Failure.Traceback) == 0 {
		done.Failure.Traceback = []string{done.Failure.Name + ": " + done.Failure.Value}
	}
	if done.Failure != nil && j.ctx.Err() != nil {
		done.Cancelled = true
		done.Failure.Name, done.Failure.Value = "interrupted", "the cell was interrupted"
		done.Failure.Traceback = []string{"interrupted: the cell was interrupted"}
	}
	done.State = c.state()
	c.setInput(false)
	c.cells.Lock()
	delete(c.cells.cancel, j.ID)
	c.cells.Unlock()
	c.send(done)
}

// deliver passes a message of the page to what cells have set for it.
func (c *child) deliver(m *Comm) (f *Failure) {
	defer func() {
		if r := recover(); r != nil {
			f = &Failure{Name: "panic", Value: fmt.Sprint(r)}
		}
	}()
	err := nb.DeliverComm(m.Kind, m.ID, m.Target, m.Data)
	switch {
	case errors.Is(err, nb.ErrNoTarget):
		return &Failure{Name: NoTarget, Value: err.Error()}
	case err != nil:
		return &Failure{Name: "comm", Value: err.Error()}
	}
	return nil
}

// cell runs the special lines of a cell, then its Go source, and shows its value.
func (c *child) cell(j job) *Failure {
	p, f := c.parse(j.Code)
	if f != nil {
		return f
	}
	shown, f := c.runMagics(j.ctx, p)
	if f != nil || p.source == "" && !p.test {
		shown.finish()
		return f
	}
	defer shown.finish()
	source, args := c.program(p)
	c.session.SetArgs(args)
	v, f := c.run(j.ctx, source, j.Count)
	if f != nil || !v.hasValue || v.mute || j.Silent {
		return f
	}
	return c.show(v.value)
}

// run runs Go source. A panic of the interpreter itself is a failure of the cell.
func (c *child) run(ctx context.Context, source string, count int) (v evaluation, f *Failure) {
	defer func() {
		if r := recover(); r != nil {
			f = &Failure{Name: "panic", Value: fmt.Sprint(r)}
		}
	}()
	return c.session.Run(ctx, source, count)
}

// show reports the value of a cell.
func (c *child) show(value any) *Failure {
	b, err := display.Render(value)
	if err != nil {
		return &Failure{Name: "display", Value: err.Error()}
	}
	if err := c.sendBundle(Result, b, ""); err != nil {
		return &Failure{Name: "display", Value: err.Error()}
	}
	return nil
}

// setInput makes descriptor 0 the parent's pipe or an empty file.
func (c *child) setInput(allowed bool) {
	c.answered.Store(allowed)
	from := c.nothing
	if allowed {
		from = c.stdin
	}
	// If it fails the cell reads what it read before, which is no reason to end.
	replaceDescriptor(from, 0)
}

// answer answers opComplete and opInspect.
func (c *child) answer(cmd command) {
	r := &report{Kind: reportAnswer, ID: cmd.ID}
	defer func() {
		recover() // a fault in a search for names is no reason to lose the session
		c.send(r)
	}()
	switch cmd.Op {
	case opComplete:
		completion, ok := completeMagic(cmd.Code, cmd.Cursor)
		if !ok {
			completion = c.session.Complete(cmd.Code, cmd.Cursor)
		}
		r.Completion = &completion
	case opInspect:
		r.Text = c.session.Inspect(cmd.Code, cmd.Cursor)
	}
}

// send writes a report, a marked one after marks on both streams.
func (c *child) send(r *report) {
	line, err := json.Marshal(r)
	if err != nil {
		panic(err) // a report holds nothing that JSON does not know
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.Marked {
		for _, fd := range c.streams {
			writeAll(fd, c.mark)
		}
	}
	c.reports.Write(append(line, '\n'))
}

// writeAll writes b to a descriptor. If that fails, the parent is gone.
func writeAll(fd int, b []byte) {
	for len(b) > 0 {
		n, err := syscall.Write(fd, b)
		if err != nil && err != syscall.EINTR && err != syscall.EAGAIN {
			return
		}
		b = b[max(n, 0):]
	}
}

// sendBundle reports something to show.
func (c *child) sendBundle(kind string, b display.Bundle, id string) error {
	data, err := pack(b.Data)
	if err != nil {
		return err
	}
	metadata, err := pack(b.Metadata)
	if err != nil {
		return err
	}
	if kind != Page {
		c.copyShown(b)
	}
	c.send(&report{Kind: kind, Marked: true, Data: data, Metadata: metadata, DisplayID: id})
	return nil
}

// A sink passes what package display shows to the parent.
type sink struct{ c *child }

func (s sink) Display(b display.Bundle, id string, update bool) error {
	kind := Display
	if update {
		kind = UpdateDisplay
	}
	return s.c.sendBundle(kind, b, id)
}

func (s sink) Clear(wait bool) error {
	s.c.send(&report{Kind: ClearOutput, Marked: true, Wait: wait})
	return nil
}
