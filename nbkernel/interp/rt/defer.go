package rt

// Defers is the deferred calls of one activation of a function.
//
// yaegi's own defer reads arguments late, recovers only in the frame of the function itself
// and holds a lock of the frame while a deferred call runs, so that a closure over the frame
// never returns. A function that defers is therefore lowered to
//
//	d := rt.NewDefers()
//	d.Call(func() { … d.Push(func() { … }) … })
//	return results
type Defers struct {
	table     *Table
	calls     []func()
	value     any // of the panic
	panicking bool
}

// NewDefers returns the deferred calls of a function that begins.
func (t *Table) NewDefers() *Defers { return &Defers{table: t} }

// Push defers a call whose arguments are evaluated.
func (d *Defers) Push(f func()) { d.calls = append(d.calls, f) }

// Recover stops a panic and returns its value, or nil if there is none.
func (d *Defers) Recover() any {
	if !d.panicking {
		return nil
	}
	value := d.value
	d.value, d.panicking = nil, false
	d.table.recovered()
	return d.table.Norm(PanicValue(value))
}

// Call runs the body of the function, then what it deferred, last first, also when
// runtime.Goexit ends the goroutine. A panic that nobody recovered goes on.
func (d *Defers) Call(body func()) {
	defer d.run()
	d.protect(body)
}

func (d *Defers) run() {
	defer func() {
		if len(d.calls) > 0 { // a deferred call has ended the goroutine
			d.run()
		}
	}()
	for len(d.calls) > 0 {
		last := len(d.calls) - 1
		f := d.calls[last]
		d.calls = d.calls[:last]
		d.protect(f)
	}
	if d.panicking {
		panic(d.value)
	}
}

// protect calls f and keeps its panic, which replaces an earlier one. The end of the program
// is no panic: what is deferred does not run and cannot recover.
func (d *Defers) protect(f func()) {
	defer func() {
		if r := recover(); r != nil {
			d.value, d.panicking = r, true
			if _, ends := PanicValue(r).(Exit); ends {
				d.calls = nil
			}
		}
	}()
	f()
}

// Exit is what os.Exit of interpreted code panics with: the status.
type Exit int
