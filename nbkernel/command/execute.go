package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"eigenbook/nbkernel/client"
	"eigenbook/nbkernel/notebook"
)

// A session runs cells; *client.Client is one.
type session interface {
	Execute(ctx context.Context, code string, opts client.ExecOptions, emit func(client.Output)) (client.Reply, error)
	Interrupt(ctx context.Context) error
}

// A cause says why a notebook is not green.
type cause int

const (
	cellFailed  cause = iota // an error, a panic, a failed check
	timedOut                 // a cell took longer than the limit
	kernelDied               // no answer can be expected any more
	interrupted              // by a signal
)

// A failure is one reason why a notebook is not green.
type failure struct {
	cause   cause
	cell    int    // number of the cell among all cells, from 1; 0 if no cell is to blame
	count   int    // execution count; 0 if unknown
	line    int    // line in the cell, from 1; 0 if unknown
	dead    bool   // nothing more can be run in this session
	message string // what happened
	detail  string // what the traceback says beyond the message and the line
}

// place names the cell and line.
func (f failure) place() string {
	if f.cell == 0 {
		return ""
	}
	s := fmt.Sprintf("cell %d", f.cell)
	if f.count > 0 {
		s += fmt.Sprintf(" [%d]", f.count)
	}
	if f.line > 0 {
		s += fmt.Sprintf(", line %d", f.line)
	}
	return s
}

func (f failure) String() string {
	if place := f.place(); place != "" {
		return place + ": " + f.message
	}
	return f.message
}

// An execution is the run of one notebook.
type execution struct {
	notebook  *notebook.Notebook
	path      string
	file      os.FileInfo // of path when it was read
	keepGoing bool
	limit     time.Duration // for each cell; 0 is none
	grace     time.Duration // that an interrupted cell has to end

	progress func(done, all int, took time.Duration, ok bool) // after each cell
	printed  func(text string)                                // what cells print, as it comes; may be nil

	times    map[*notebook.Cell]time.Duration
	elapsed  time.Duration
	failures []failure
}

// run executes the code cells in order. Cancelling ctx interrupts the cell that runs; a cell
// that does not end is abandoned after the grace period. Outputs go into the notebook as they
// come, and what was not reached keeps none.
func (e *execution) run(ctx context.Context, s session) {
	start := time.Now()
	defer func() { e.elapsed = time.Since(start) }()
	e.times = map[*notebook.Cell]time.Duration{}
	e.clear()
	var todo []int
	for i, c := range e.notebook.Cells {
		if runs(c) && strings.TrimSpace(c.Source) != "" {
			todo = append(todo, i)
		}
	}
	recorder := &notebook.Recorder{}
	for n, i := range todo {
		c := e.notebook.Cells[i]
		if ctx.Err() != nil {
			e.fail(failure{cause: interrupted, message: fmt.Sprintf("interrupted before cell %d", i+1)})
			return
		}
		cellStart := time.Now()
		f := e.cell(ctx, s, recorder, c, i+1)
		e.times[c] = time.Since(cellStart)
		if f != nil {
			e.fail(*f)
		}
		if e.progress != nil {
			e.progress(n+1, len(todo), e.times[c], f == nil)
		}
		if f != nil && (f.dead || f.cause == interrupted || !e.keepGoing) {
			return
		}
	}
}

// runs reports whether the cell is one that is executed.
func runs(c *notebook.Cell) bool {
	return c.Type == notebook.Code && !c.HasTag("skip-execution")
}

// clear removes old outputs.
func (e *execution) clear() {
	for _, c := range e.notebook.Cells {
		if runs(c) {
			c.ClearOutputs()
		}
	}
}

// changed reports whether somebody has written to the notebook's file since it was read.
func (e *execution) changed() bool {
	now, err := os.Stat(e.path)
	return err == nil && (now.Size() != e.file.Size() || !now.ModTime().Equal(e.file.ModTime()))
}

func (e *execution) fail(f failure) { e.failures = append(e.failures, f) }

// cell runs one cell, number number among all, and returns why it is not green, or nil.
func (e *execution) cell(ctx context.Context, s session, recorder *notebook.Recorder, c *notebook.Cell, number int) *failure {
	recorder.Begin(c)
	hard, abandon := context.WithCancel(context.WithoutCancel(ctx))
	defer abandon()
	overtime := false
	watched := make(chan struct{})
	finished := make(chan struct{})
	go func() {
		defer close(watched)
		var limit <-chan time.Time
		if e.limit > 0 {
			timer := time.NewTimer(e.limit)
			defer timer.Stop()
			limit = timer.C
		}
		select {
		case <-finished:
			return
		case <-limit:
			overtime = true
		case <-ctx.Done():
		}
		grace := time.NewTimer(e.grace)
		defer grace.Stop()
		// Whether or not the request arrives, the grace period decides.
		asked, stop := context.WithTimeout(hard, e.grace)
		defer stop()
		_ = s.Interrupt(asked)
		select {
		case <-finished:
		case <-grace.C:
			abandon()
		}
	}()
	reply, err := s.Execute(hard, c.Source, client.ExecOptions{}, func(o client.Output) { e.record(recorder, o) })
	close(finished)
	<-watched
	c.ExecutionCount = reply.Count
	dead := err != nil
	switch {
	case overtime:
		message := fmt.Sprintf("took longer than the limit of %v and was interrupted", e.limit)
		if dead {
			message = fmt.Sprintf("took longer than the limit of %v, did not end when interrupted and was abandoned", e.limit)
			recorder.Error("timeout", message, nil)
		}
		return &failure{cause: timedOut, cell: number, count: reply.Count, dead: dead, message: message}
	case ctx.Err() != nil && (dead || reply.Status != client.OK):
		if dead {
			recorder.Error("interrupted", "the cell did not end when interrupted and was abandoned", nil)
		}
		return &failure{cause: interrupted, cell: number, count: reply.Count, dead: dead, message: "interrupted"}
	case dead:
		message := err.Error()
		if errors.Is(err, client.ErrDead) {
			message = "the kernel died" + strings.TrimPrefix(message, client.ErrDead.Error())
		}
		recorder.Error("kernel died", message, nil)
		message, detail, _ := strings.Cut(message, "\n")
		return &failure{cause: kernelDied, cell: number, dead: true, message: message, detail: detail}
	case reply.Status == client.OK || c.HasTag("raises-exception"):
		return nil
	}
	return cellFailure(reply, number)
}

// cellFailure tells why a cell failed, from what the kernel answered.
func cellFailure(reply client.Reply, number int) *failure {
	f := &failure{cause: cellFailed, cell: number, count: reply.Count}
	f.message = reply.EName
	if reply.EValue != "" {
		f.message = strings.TrimPrefix(f.message+": ", ": ") + reply.EValue
	}
	if f.message == "" {
		f.message = "failed without saying why"
	}
	f.message = terminalCodes.ReplaceAllString(f.message, "")
	trace := terminalCodes.ReplaceAllString(strings.Join(reply.Traceback, "\n"), "")
	f.line = lineIn(trace)
	if f.line == 0 {
		f.line = lineIn(f.message)
	}
	f.detail = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(trace), strings.TrimSpace(f.message)))
	if onlyPosition.MatchString(f.detail) {
		f.detail = ""
	}
	return f
}

var (
	terminalCodes = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	onlyPosition  = regexp.MustCompile(`^cell \d+, line \d+$`)
	namedLine     = regexp.MustCompile(`(?i)\bline (\d+)`)
	goPosition    = regexp.MustCompile(`(?m)(?:^|\s)((?:[^\s:]+:)?)(\d+):\d+: `)
)

// lineIn finds the line of the cell in an error's text: "line 3", else Go's own "3:14: ". A
// line of the program that GoNB composes from cells says nothing about the cell.
func lineIn(text string) int {
	number := ""
	if m := namedLine.FindStringSubmatch(text); m != nil {
		number = m[1]
	} else if m := goPosition.FindStringSubmatch(text); m != nil && !strings.Contains(m[1], "/gonb_") {
		number = m[2]
	}
	line, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return line
}

// record puts an output into the notebook.
func (e *execution) record(r *notebook.Recorder, o client.Output) {
	switch o.Type {
	case client.Stream:
		r.Stream(o.Name, o.Text)
		if e.printed != nil {
			e.printed(o.Text)
		}
	case client.DisplayData:
		r.Display(o.Data, o.Metadata, o.DisplayID)
	case client.UpdateDisplay:
		r.Update(o.Data, o.Metadata, o.DisplayID)
	case client.ExecuteResult:
		r.Result(o.Count, o.Data, o.Metadata)
	case client.Error:
		r.Error(o.EName, o.EValue, o.Traceback)
	case client.ClearOutput:
		r.Clear(o.Wait)
	}
}

// exitCode returns the exit code that the failures ask for.
func exitCode(failures []failure) int {
	has := func(c cause) bool {
		return slices.ContainsFunc(failures, func(f failure) bool { return f.cause == c })
	}
	switch {
	case has(interrupted):
		return ExitInterrupted
	case has(timedOut):
		return ExitTimeout
	case len(failures) > 0:
		return ExitFailed
	}
	return ExitDone
}

// checks counts the claims that the notebook's outputs say were checked.
func checks(nb *notebook.Notebook) int {
	n := 0
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if o.Type == notebook.Stream {
				n += strings.Count("\n"+o.Text, "\n✓")
			}
		}
	}
	return n
}
