package display

import (
	"fmt"
	"html"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/mattn/go-isatty"
)

// How often a progress display changes, by where it is.
const (
	notebookPace = 200 * time.Millisecond
	terminalPace = 100 * time.Millisecond
	linesPace    = 10 * time.Second
)

// A Bar is a progress display that is updated in place. In a notebook it is one output
// that changes; on a terminal one line of standard error that is overwritten; elsewhere a line
// of standard error every ten seconds. Its methods may be called from several goroutines and
// show nothing but the last state if they come faster than one can read.
type Bar struct {
	mu       sync.Mutex
	name     string
	total    int
	done     int
	note     string
	id       string
	place    barPlace
	shown    bool // at least once
	finished bool
	start    time.Time
	last     time.Time // when it was shown
	now      func() time.Time
	out      io.Writer
	width    int // characters of the last line on a terminal
}

// barPlace is where a bar is shown.
type barPlace int

const (
	barNotebook barPlace = iota
	barTerminal
	barLines
)

// barCount makes the names of bars differ.
var barCount atomic.Int64

// Progress starts a progress display for total steps; total 0 or less means that their
// number is not known.
func Progress(name string, total int) *Bar {
	b := &Bar{name: name, total: max(0, total), now: time.Now, out: os.Stderr, place: barLines}
	place.Lock()
	notebook := place.sink != nil || gonbui.IsNotebook
	place.Unlock()
	switch {
	case notebook:
		b.place = barNotebook
	case isatty.IsTerminal(os.Stderr.Fd()):
		b.place = barTerminal
	}
	b.begin()
	return b
}

// begin starts the clock and, in a notebook, takes the place for the output.
func (b *Bar) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start = b.now()
	b.last = b.start
	b.id = fmt.Sprintf("eigenbook-progress-%d-%d-%d", os.Getpid(), b.start.UnixNano(), barCount.Add(1))
	if b.place != barLines {
		b.show()
	}
}

// Set says that done steps are done. It is cheap: most calls show nothing.
func (b *Bar) Set(done int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = max(0, done)
	b.maybeShow()
}

// Add says that n more steps are done.
func (b *Bar) Add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = max(0, b.done+n)
	b.maybeShow()
}

// Note sets a short text that is shown behind the count.
func (b *Bar) Note(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.note = strings.Join(strings.Fields(text), " ")
	b.maybeShow()
}

// Finish shows the final state; in a notebook without times, so that the stored output is
// the same on each run. Later calls of any method do nothing.
func (b *Bar) Finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.finished {
		return
	}
	b.finished = true
	b.show()
}

// maybeShow shows the state if the last time is long enough ago.
func (b *Bar) maybeShow() {
	pace := [...]time.Duration{notebookPace, terminalPace, linesPace}[b.place]
	if b.finished || b.now().Sub(b.last) < pace {
		return
	}
	b.show()
}

// show shows the state. A progress display that cannot be shown does not stop the work.
func (b *Bar) show() {
	b.last = b.now()
	switch b.place {
	case barNotebook:
		// The error is that of a front end that has gone; the next result reports it.
		_ = send(Bundle{Data: map[string]any{MIMEPlain: b.line(!b.finished), MIMEHTML: b.html()}}, b.id, b.shown)
	case barTerminal:
		line := b.line(true)
		pad := strings.Repeat(" ", max(0, b.width-len([]rune(line))))
		b.width = len([]rune(line))
		end := ""
		if b.finished {
			end = "\n"
		}
		fmt.Fprint(b.out, "\r"+line+pad+end)
	case barLines:
		fmt.Fprintln(b.out, b.line(true))
	}
	b.shown = true
}

// line returns the state as text, with rate and time left if timed.
func (b *Bar) line(timed bool) string {
	text := fmt.Sprintf("%s: %d", b.name, b.done)
	if b.total > 0 {
		text = fmt.Sprintf("%s: %d of %d (%d%%)", b.name, b.done, b.total, 100*min(b.done, b.total)/b.total)
	}
	if timed {
		text = join(", ", text, b.times())
	}
	return join(", ", text, b.note)
}

// times returns rate and time left, or the whole time at the end.
func (b *Bar) times() string {
	elapsed := b.now().Sub(b.start)
	if b.finished {
		return "in " + duration(elapsed)
	}
	if b.done == 0 || elapsed <= 0 {
		return ""
	}
	rate := float64(b.done) / elapsed.Seconds()
	text := number(rate, 3) + "/s"
	if b.total > b.done {
		text += ", " + duration(time.Duration(float64(b.total-b.done)/rate*float64(time.Second))) + " left"
	}
	return text
}

// duration returns d with the precision a reader wants.
func duration(d time.Duration) string {
	if d > 100*time.Hour {
		return "more than 100h"
	}
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// html returns the state with the browser's own progress element.
func (b *Bar) html() string {
	bar := ""
	if b.total > 0 {
		bar = fmt.Sprintf(`<progress value="%d" max="%d" style="width:240px"></progress> `, min(b.done, b.total), b.total)
	}
	return "<div>" + bar + html.EscapeString(b.line(!b.finished)) + "</div>"
}
