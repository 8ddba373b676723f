package interp

import (
	"fmt"
	"os"
	"sync"
)

// Go starts f; a panic in it is reported, not fatal.
func Go(f func()) {
	go func() {
		defer func() {
			if r := recover(); r != nil {
				GoPanic(r)
			}
		}()
		f()
	}()
}

// goPanic is told of a panic in a goroutine that interpreted code started.
var goPanic struct {
	sync.Mutex
	f func(value any)
}

// setGoPanic sets what is told of panics in goroutines, and returns a function that restores
// what was told before.
func setGoPanic(f func(value any)) (restore func()) {
	goPanic.Lock()
	defer goPanic.Unlock()
	before := goPanic.f
	goPanic.f = f
	return func() {
		goPanic.Lock()
		defer goPanic.Unlock()
		goPanic.f = before
	}
}

// GoPanic reports a panic in a goroutine: it fails the cell that runs, and is written to
// standard error when none does.
func GoPanic(r any) {
	value := Norm(goErr(r))
	goPanic.Lock()
	defer goPanic.Unlock()
	if goPanic.f != nil {
		goPanic.f(value)
		return
	}
	fmt.Fprintf(os.Stderr, "panic in a goroutine: %v\n", panicText(value))
}
