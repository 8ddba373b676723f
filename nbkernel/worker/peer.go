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
	var pieces [2]chan piece
	for i := range pieces {
		pieces[i] = make(chan piece)
		go readPieces(p.output[i], mark, pieces[i])
	}
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
	pipe := func(weWrite bool) (us, them *os.File, err error) {
		r, w, err := os.Pipe()
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
	if p.stdin, files[0], err = pipe(true); err != nil {
		return err
	}
	if p.output[0], files[1], err = pipe(false); err != nil {
		return err
	}
	if p.output[1], files[2], err = pipe(false); err != nil {
		return err
	}
	if p.commands, files[3], err = pipe(true); err != nil {
		return err
	}
	if p.reports, files[4], err = pipe(false); err != nil {
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
	// A process that left the group may hold the pipes for ever.
	for _, f := range p.output {
		f.SetReadDeadline(time.Now().Add(drainTime))
	}
	close(marked)
}

// order passes on what the child wrote and reported. A report waits until its mark has been
// read from both streams, and a stream is not read past the mark of a report that waits.
func (p *peer) order(pieces [2]chan piece, marked <-chan *report) {
	var (
		current *run
		late    []Event // outputs after the end of a cell, for the next one
		size    int     // bytes of late
		held    *report
		passed  [2]bool // the mark of held was read from the stream
		eof     [2]bool
		dead    bool
	)
	pass := func(e Event) {
		if current != nil {
			current.events <- e
			return
		}
		for _, v := range e.Data {
			switch v := v.(type) {
			case []byte:
				size += len(v)
			case string:
				size += len(v)
			}
		}
		if size += len(e.Text); size <= lateLimit {
			late = append(late, e)
		}
	}
	read := func(i int, k piece, ok bool) {
		switch {
		case !ok:
			eof[i] = true
		case k.mark:
			passed[i] = true
		default:
			kind := Stdout
			if i == 1 {
				kind = Stderr
				p.keepTail(k.text)
			}
			pass(Event{Kind: kind, Text: k.text})
		}
	}
	for !dead || !eof[0] || !eof[1] || held != nil {
		var out, errs <-chan piece
		if !passed[0] && !eof[0] {
			out = pieces[0]
		}
		if !passed[1] && !eof[1] {
			errs = pieces[1]
		}
		source := marked
		if held != nil || dead {
			source = nil
		}
		select {
		case k, ok := <-out:
			read(0, k, ok)
		case k, ok := <-errs:
			read(1, k, ok)
		case r, ok := <-source:
			held, dead = r, !ok
			if dead { // a mark without its report: the child died between them
				passed = [2]bool{}
			}
		case r := <-p.begin:
			current = r
			for _, e := range late {
				r.events <- e
			}
			late, size = nil, 0
		case <-p.asks:
			if current != nil {
				current.events <- Event{Kind: InputRequest}
			}
		}
		if held == nil || !(passed[0] || eof[0]) || !(passed[1] || eof[1]) {
			continue
		}
		r := held
		held, passed = nil, [2]bool{}
		if r.Kind != reportDone {
			if e, err := r.event(); err == nil {
				pass(e)
			}
		} else if current != nil && r.ID == current.id {
			current.done = r
			close(current.events)
			current = nil
		}
	}
	if current != nil {
		close(current.events)
	}
	for _, f := range []*os.File{p.stdin, p.commands, p.output[0], p.output[1], p.reports} {
		f.Close()
	}
	close(p.ended)
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
