package rt

import (
	"fmt"
	"os"
)

// Go starts f on a goroutine. A panic in it is reported: it would end the process.
func (t *Table) Go(f func()) {
	go func() {
		defer func() {
			if r := recover(); r != nil {
				t.reportPanic(r)
			}
		}()
		f()
	}()
}

// OnPanic sets what is told of panics in goroutines, and returns a function that restores what
// was told before. Nobody being told, a panic is written to standard error.
func (t *Table) OnPanic(report func(value any)) (restore func()) {
	set := func(f func(value any)) (before func(value any)) {
		t.panics.Lock()
		defer t.panics.Unlock()
		before, t.panics.report = t.panics.report, f
		return before
	}
	before := set(report)
	return func() { set(before) }
}

func (t *Table) reportPanic(p any) {
	value := t.Norm(PanicValue(p))
	t.panics.Lock()
	defer t.panics.Unlock()
	if t.panics.report != nil {
		t.panics.report(value)
		return
	}
	fmt.Fprintf(os.Stderr, "panic in a goroutine: %v\n", PanicText(value))
}
