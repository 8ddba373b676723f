package rt

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
)

// Go starts f on a goroutine. A panic in it is reported: it would end the process.
func (t *Table) Go(f func()) {
	go func() {
		defer func() {
			at, _ := t.places.LoadAndDelete(Goroutine())
			if r := recover(); r != nil {
				t.reportPanic(r, at)
			}
		}()
		f()
	}()
}

// Place returns a variable for the position of the goroutine that calls it, which OnPanic tells.
func (t *Table) Place() *int {
	place := new(int)
	t.places.Store(Goroutine(), place)
	return place
}

// Goroutine returns the number of the goroutine that calls it.
func Goroutine() string {
	var b [32]byte
	header := bytes.TrimPrefix(b[:runtime.Stack(b[:], false)], []byte("goroutine "))
	number, _, _ := bytes.Cut(header, []byte(" "))
	return string(number)
}

// OnRecover sets what is called when interpreted code recovers from a panic.
func (t *Table) OnRecover(f func()) { t.recovered = f }

// OnPanic sets what is told of panics in goroutines with their Place, and returns a function that restores what
// was told before. Nobody being told, a panic is written to standard error.
func (t *Table) OnPanic(report func(value any, at int)) (restore func()) {
	set := func(f func(value any, at int)) (before func(value any, at int)) {
		t.panics.Lock()
		defer t.panics.Unlock()
		before, t.panics.report = t.panics.report, f
		return before
	}
	before := set(report)
	return func() { set(before) }
}

func (t *Table) reportPanic(p, place any) {
	at := 0
	if p, ok := place.(*int); ok {
		at = *p
	}
	value := t.Norm(PanicValue(p))
	t.panics.Lock()
	defer t.panics.Unlock()
	if t.panics.report != nil {
		t.panics.report(value, at)
		return
	}
	fmt.Fprintf(os.Stderr, "panic in a goroutine: %v\n", PanicText(value))
}
