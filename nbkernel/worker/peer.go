package worker

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	startTime   = 30 * time.Second       // for a child to be ready
	writeTime   = 5 * time.Second        // for a child to take a command
	drainTime   = 500 * time.Millisecond // for output after the death of the child
	lateLimit   = 1 << 20                // bytes of output kept between cells
	tailLimit   = 64 << 10               // bytes of stderr kept for the report of a death
	markSize    = 16
	reportLimit = 1 << 30 // bytes of one report
)

// A peer is a child as the parent sees it.
type peer struct {
	cmd      *exec.Cmd
	stdin    *os.File // write ends
	commands *os.File
	output   [2]*os.File // read ends of descriptors 1 and 2
	reports  *os.File

	begin chan *run     // to the loop that orders the outputs
	asks  chan struct{} // the child reads from its standard input
	ready chan *report  // first report
	left  chan struct{} // closed some time after the death of the child: others may hold its pipes
	ended chan struct{} // closed when the child is dead and all of its output was passed on

	mu      sync.Mutex // of what follows, and of writes to commands
	waiting map[int64]chan *report
	lastID  int64
	tail    []byte // last output on descriptor 2

	life   sync.Mutex // of what follows
	reaped bool       // the number of the process may be that of another one
}

// A run is a cell that runs.
type run struct {
	id     int64
	events chan Event // closed at the end of the cell or of the child
	done   *report    // nil if the child died; set before events is closed
}

// startPeer starts a child that knows the declarations of s.
func startPeer(cfg Config, s state) (*peer, *report, error) {
	argv := cfg.Argv
	if argv == nil {
		self, err := os.Executable()
		if err != nil {
			return nil, nil, fmt.Errorf("worker: %w", err)
		}
		argv = []string{self, "worker"}
	}
	if len(argv) == 0 {
		return nil, nil, errors.New("worker: Config.Argv is empty")
	}
	p := &peer{
		cmd:     exec.Command(argv[0], argv[1:]...),
		begin:   make(chan *run),
		asks:    make(chan struct{}),
		ready:   make(chan *report, 1),
		left:    make(chan struct{}),
		ended:   make(chan struct{}),
		waiting: map[int64]chan *report{},
	}
	p.cmd.Dir = cfg.Dir
	if s.Dir != "" {
		if info, err := os.Stat(s.Dir); err == nil && info.IsDir() {
			p.cmd.Dir = s.Dir
		}
	}
	p.cmd.Env = append(os.Environ(), cfg.Env...)
	for name, value := range s.Environ {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.start(); err != nil {
		return nil, nil, err
	}
	mark := make([]byte, markSize)
	rand.Read(mark)
	mark[0] = 0xC1 // no byte of UTF-8, so that no end of a text is kept back as a beginning of the mark
	pieces := make(chan piece)
	go readStreams(p.output, mark, pieces, p.left)
	marked := make(chan *report)
	go p.readReports(marked)
	go p.order(pieces, marked)

	// An error here is the death of the child, or ends in it.
	if p.send(command{Op: opStart, Mark: mark, Declarations: s.Declarations}) != nil {
		p.kill()
	}
	timer := time.NewTimer(startTime)
	defer timer.Stop()
	select {
	case r := <-p.ready:
		if r.Failure != nil {
			p.kill()
			return nil, nil, fmt.Errorf("worker: %s", r.Failure.Value)
		}
		return p, r, nil
	case <-p.ended:
		return nil, nil, fmt.Errorf("worker: %s did not start: %s", argv[0], p.death())
	case <-timer.C:
		p.kill()
		return nil, nil, fmt.Errorf("worker: %s is not ready after %v", argv[0], startTime)
	}
}

// start makes the pipes and the process.
func (p *peer) start() (err error) {
	var theirs []*os.File
	var ours []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
		if err != nil {
			for _, f := range ours {
				f.Close()
			}
		}
	}()
	pipe := func(open func() (r, w *os.File, err error), weWrite bool) (us, them *os.File, err error) {
		r, w, err := open()
		if err != nil {
			return nil, nil, fmt.Errorf("worker: %w", err)
		}
		us, them = r, w
		if weWrite {
			us, them = w, r
		}
		ours, theirs = append(ours, us), append(theirs, them)
		// A descriptor that does not block would surprise the programs that a cell starts.
		if err := syscall.SetNonblock(int(them.Fd()), false); err != nil {
			return nil, nil, fmt.Errorf("worker: %w", err)
		}
		return us, them, nil
	}
	var files [5]*os.File
	if p.stdin, files[0], err = pipe(os.Pipe, true); err != nil {
		return err
	}
	if p.output[0], files[1], err = pipe(outputPipe, false); err != nil {
		return err
	}
	if p.output[1], files[2], err = pipe(outputPipe, false); err != nil {
		return err
	}
	if p.commands, files[3], err = pipe(os.Pipe, true); err != nil {
		return err
	}
	if p.reports, files[4], err = pipe(os.Pipe, false); err != nil {
		return err
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr, p.cmd.ExtraFiles = files[0], files[1], files[2], files[3:]
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	return nil
}

// send writes a command.
func (p *peer) send(c command) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commands.SetWriteDeadline(time.Now().Add(writeTime))
	_, err = p.commands.Write(append(line, '\n'))
	return err
}

// nextID returns a number for a command.
func (p *peer) nextID() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastID++
	return p.lastID
}

// ask sends a command and waits for its answer.
func (p *peer) ask(c command, patience time.Duration) (*report, error) {
	c.ID = p.nextID()
	answer := make(chan *report, 1)
	p.mu.Lock()
	p.waiting[c.ID] = answer
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.waiting, c.ID)
		p.mu.Unlock()
	}()
	if err := p.send(c); err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case r := <-answer:
		return r, nil
	case <-p.ended:
		return nil, fmt.Errorf("worker: %s", p.death())
	case <-timer.C:
		return nil, fmt.Errorf("worker: no answer to %s in %v", c.Op, patience)
	}
}

// readReports reads what the child reports until it is dead, then reaps it.
func (p *peer) readReports(marked chan<- *report) {
	lines := bufio.NewReaderSize(p.reports, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		r := new(report)
		if err := json.Unmarshal(line, r); err != nil {
			break // somebody else wrote to the descriptor: the session is lost
		}
		switch {
		case r.Marked:
			marked <- r
		case r.Kind == reportReady:
			select {
			case p.ready <- r:
			default:
			}
		default:
			p.mu.Lock()
			answer := p.waiting[r.ID]
			delete(p.waiting, r.ID)
			p.mu.Unlock()
			if answer != nil {
				answer <- r
			}
		}
	}
	p.kill()
	p.reap()
	time.AfterFunc(drainTime, func() { close(p.left) }) // a process that left the group may hold the pipes for ever
	close(marked)
}

// order passes on what the child wrote and reported. A report waits until its mark has been
// read from both streams, and what is read from a stream behind the mark waits for the report.
func (p *peer) order(pieces <-chan piece, marked <-chan *report) {
	o := ordering{peer: p}
	for !o.dead || !o.eof[0] || !o.eof[1] || o.held != nil {
		from, reports := pieces, marked
		if o.passed[0] && o.passed[1] || o.eof[0] && o.eof[1] {
			from = nil
		}
		if o.held != nil || o.dead {
			reports = nil
		}
		select {
		case k := <-from:
			o.read(k)
		case r, ok := <-reports:
			o.held, o.dead = r, !ok
			if o.dead { // a mark without its report: the child died between them
				o.proceed()
			}
		case r := <-p.begin:
			o.begin(r)
		case <-p.asks:
			if o.current != nil {
				o.current.events <- Event{Kind: InputRequest}
			}
		}
		for o.held != nil && (o.passed[0] || o.eof[0]) && (o.passed[1] || o.eof[1]) {
			o.report(o.held)
			o.held = nil
			o.proceed()
		}
	}
	if o.current != nil {
		close(o.current.events)
	}
	for _, f := range []*os.File{p.stdin, p.commands, p.output[0], p.output[1], p.reports} {
		f.Close()
	}
	close(p.ended)
}

// An ordering is the state of order.
type ordering struct {
	peer    *peer
	current *run
	late    []Event // outputs after the end of a cell, for the next one
	size    int     // bytes of late
	held    *report
	passed  [2]bool // the mark of the next report was read from the stream
	behind  []piece // what was read after it
	eof     [2]bool
	dead    bool // there are no more reports
}

// begin makes a cell the one that outputs belong to.
func (o *ordering) begin(r *run) {
	o.current = r
	for _, e := range o.late {
		r.events <- e
	}
	o.late, o.size = nil, 0
}

// read takes a piece of a stream.
func (o *ordering) read(k piece) {
	switch {
	case o.passed[k.stream]:
		o.behind = append(o.behind, k)
	case k.end:
		o.eof[k.stream] = true
	case k.mark:
		o.passed[k.stream] = !o.dead
	case k.stream == 0:
		o.pass(Event{Kind: Stdout, Text: k.text})
	default:
		o.peer.keepTail(k.text)
		o.pass(Event{Kind: Stderr, Text: k.text})
	}
}

// proceed goes on behind the marks of a report.
func (o *ordering) proceed() {
	pieces := o.behind
	o.behind, o.passed = nil, [2]bool{}
	for _, k := range pieces {
		o.read(k)
	}
}

// pass passes an event on, or keeps it for the next cell.
func (o *ordering) pass(e Event) {
	if o.current != nil {
		o.current.events <- e
		return
	}
	for _, v := range e.Data {
		switch v := v.(type) {
		case []byte:
			o.size += len(v)
		case string:
			o.size += len(v)
		}
	}
	if o.size += len(e.Text); o.size <= lateLimit {
		o.late = append(o.late, e)
	}
}

// report passes on what a report says, or ends the cell.
func (o *ordering) report(r *report) {
	if r.Kind != reportDone {
		if e, err := r.event(); err == nil {
			o.pass(e)
		}
	} else if o.current != nil && r.ID == o.current.id {
		o.current.done = r
		close(o.current.events)
		o.current = nil
	}
}

// keepTail remembers the end of what was written to descriptor 2.
func (p *peer) keepTail(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tail = append(p.tail, text...)
	if n := len(p.tail) - tailLimit; n > tailLimit {
		p.tail = append([]byte(nil), p.tail[n:]...)
	}
}

// forgetTail is called when a cell begins.
func (p *peer) forgetTail() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tail = p.tail[:0]
}

// kill ends the child and its process group. What it wrote before is still passed on.
func (p *peer) kill() {
	p.life.Lock()
	defer p.life.Unlock()
	if !p.reaped {
		syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
}

// reap waits for the end of a child that was killed.
func (p *peer) reap() {
	p.life.Lock()
	defer p.life.Unlock()
	p.cmd.Wait()
	p.reaped = true
}

// end kills the child and waits until nothing of it is left.
func (p *peer) end() {
	p.kill()
	<-p.ended
}

// input writes a line to the child's standard input.
func (p *peer) input(line string) error {
	p.stdin.SetWriteDeadline(time.Now().Add(writeTime))
	_, err := p.stdin.WriteString(line + "\n")
	return err
}

// isDead says whether the child has ended and its last output was passed on.
func (p *peer) isDead() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// death says how the child ended. It may be called when ended is closed.
func (p *peer) death() string {
	how := "the process has ended"
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok {
		switch {
		case status.Signaled() && status.Signal() == syscall.SIGKILL:
			how = "the process was killed (signal SIGKILL, which is also what a lack of memory ends in)"
		case status.Signaled():
			how = fmt.Sprintf("the process was ended by signal %d (%v)", int(status.Signal()), status.Signal())
		default:
			how = fmt.Sprintf("the process ended with exit code %d", status.ExitStatus())
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if lines := lastWords(p.tail); lines != "" {
		how += "\n" + lines
	}
	return how
}

// lastWords returns the lines of a dying program's stderr that say why: those from the last
// "panic:" or "fatal error:" to the empty line that ends the message, or the last ones.
func lastWords(tail []byte) string {
	const most = 8
	lines := strings.Split(strings.TrimSpace(string(bytes.ToValidUTF8(tail, []byte("\uFFFD")))), "\n")
	from := max(0, len(lines)-most)
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "panic: ") || strings.HasPrefix(lines[i], "fatal error: ") {
			from = i
			break
		}
	}
	lines = lines[from:]
	for i, line := range lines {
		if line == "" || i == most {
			lines = lines[:i]
			break
		}
		const width = 300
		if len(line) > width {
			lines[i] = strings.ToValidUTF8(line[:width], "") + "…"
		}
	}
	return strings.Join(lines, "\n")
}
