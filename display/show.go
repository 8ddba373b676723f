package display

import (
	"fmt"
	"sync"

	"github.com/janpfeifer/gonb/gonbui"
)

// A Sink receives what Show shows.
type Sink interface {
	// Display shows b. If id is not empty, later calls with the same id and update set
	// replace what was shown.
	Display(b Bundle, id string, update bool) error
}

// place guards the registered sink and the one for scripts, and keeps results whole and in
// the order of the calls.
var place struct {
	sync.Mutex
	sink   Sink
	script *scriptSink
}

// SetSink makes s receive everything that is shown from now on and returns the sink that
// was registered before. Nil restores detection: GoNB when this process is one of its
// cells, files and text otherwise. A Sink is called by one goroutine at a time and must not
// call Show.
func SetSink(s Sink) (previous Sink) {
	place.Lock()
	defer place.Unlock()
	previous, place.sink = place.sink, s
	return previous
}

// currentSink returns where results go. The caller holds place's lock.
func currentSink() Sink {
	switch {
	case place.sink != nil:
		return place.sink
	case gonbui.IsNotebook:
		return gonbSink{}
	}
	if place.script == nil {
		place.script = newScriptSink()
	}
	return place.script
}

// Show shows each value, in order, as Render describes. A value that cannot be drawn fails
// the cell or script: Show panics with an error that says which value and why. Values
// before it have been shown.
func Show(v ...any) {
	for i, value := range v {
		b, err := Render(value)
		if err == nil {
			err = send(b, "", false)
		}
		if err != nil {
			if len(v) > 1 {
				err = fmt.Errorf("display: value %d of %d: %w", i+1, len(v), err)
			}
			panic(err)
		}
	}
}

// send passes one result to where results go.
func send(b Bundle, id string, update bool) error {
	place.Lock()
	defer place.Unlock()
	return currentSink().Display(b, id, update)
}
