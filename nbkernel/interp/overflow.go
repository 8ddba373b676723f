package interp

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sort"
	"strings"
	"sync"
	"time"

	"eigenbook/nbkernel/interp/lower"
)

// Go ends a process whose stack overflows. A recursion without end is therefore stopped before,
// like a cell that is interrupted: a sample of the memory of all stacks costs nothing, while a
// counter in each function would make calls a third slower.
const (
	stackLimit     = 200 << 20 // an interpreted call takes about a kilobyte, Go ends at a stack of 512 MB
	stackOfOne     = 64 << 10  // what a goroutine may have without suspicion
	stackInterval  = 10 * time.Millisecond
	unwindingLimit = 10 * time.Second
)

// watchStack stops a cell by cancel when its stack grows without end. The function that it
// returns ends the watch and returns the error, nil if there is none.
func (s *Session) watchStack(cancel func(), count int) (end func() *Error) {
	var mu sync.Mutex // held while a sample is taken
	var found *Error
	var timer *time.Timer
	ended := false
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(stackInterval, func() {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case ended:
		case stackBytes() > stackLimit+uint64(runtime.NumGoroutine())*stackOfOne:
			found = s.overflowed(count)
			cancel()
		default:
			timer.Reset(stackInterval)
		}
	})
	return func() *Error {
		mu.Lock()
		defer mu.Unlock()
		ended = true
		timer.Stop()
		return found
	}
}

func stackBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// overflowed returns the error of a cell whose functions call each other without end: those that
// go on calling.
func (s *Session) overflowed(count int) *Error {
	globals := s.yaegi.Globals()
	for name, v := range globals {
		if strings.HasPrefix(name, lower.LinePrefix) && v.CanSet() {
			v.SetInt(0)
		}
	}
	var frames []frame
	for range 200 { // the calls wait while the stack is copied to a larger place
		before := len(frames)
		frames = s.running(globals)
		if before > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	sort.Slice(frames, func(i, j int) bool { return frames[i].String() < frames[j].String() })
	e := &Error{Kind: Panic, Message: "stack overflow: a function calls itself without end"}
	switch {
	case len(frames) == 1:
		e.Message = "stack overflow: " + frames[0].function + " calls itself without end"
	case len(frames) > 1:
		e.Message = "stack overflow: " + frames[0].function + " and " + frames[1].function + " call each other without end"
	}
	s.locate(e, frames, count)
	return e
}

// running returns the functions whose line variables are set.
func (s *Session) running(globals map[string]reflect.Value) (frames []frame) {
	for _, o := range s.origin {
		if at := valueOf(globals, o.line); at != 0 {
			f := frame{function: o.function, cell: o.cell}
			f.line, f.column = lower.Position(at)
			frames = append(frames, f)
		}
	}
	return frames
}

// awaitUnwinding waits until a cell that was stopped deep in a recursion has left it.
func (s *Session) awaitUnwinding() {
	select {
	case <-s.ended:
		time.Sleep(time.Millisecond)
	case <-time.After(unwindingLimit):
	}
	debug.FreeOSMemory()
}
