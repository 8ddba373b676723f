package interp

import (
	"reflect"
	"strings"
)

// Defers is the deferred calls of one activation.
type Defers struct {
	fs        []func()
	p         any
	panicking bool
}

func NewDefers() *Defers { return &Defers{} }

func (d *Defers) Push(f func()) { d.fs = append(d.fs, f) }

func (d *Defers) Recover() any {
	if !d.panicking {
		return nil
	}
	d.panicking = false
	p := d.p
	d.p = nil
	return Norm(goErr(p))
}

// Call runs body, then what it deferred.
func (d *Defers) Call(body func()) {
	func() {
		defer func() {
			if r := recover(); r != nil {
				d.p, d.panicking = r, true
			}
		}()
		body()
	}()
	d.Run(nil)
}

func (d *Defers) Run(p any) {
	if p != nil {
		d.p, d.panicking = p, true
	}
	for len(d.fs) > 0 {
		f := d.fs[len(d.fs)-1]
		d.fs = d.fs[:len(d.fs)-1]
		func() {
			defer func() {
				if r := recover(); r != nil {
					d.p, d.panicking = r, true
				}
			}()
			f()
		}()
	}
	if d.panicking {
		panic(d.p)
	}
}

func goErr(p any) any {
	for {
		v, ok := p.(reflect.Value)
		if !ok {
			break
		}
		if !v.IsValid() || v.Kind() == reflect.Interface && v.IsNil() {
			return nil
		}
		p = v.Interface()
	}
	if e, ok := p.(error); ok && strings.HasPrefix(e.Error(), "reflect: call of ") {
		return rtErr("runtime error: invalid memory address or nil pointer dereference")
	}
	s, ok := p.(string)
	if !ok {
		if e, isErr := p.(*reflect.ValueError); isErr {
			_ = e
			return rtErr("runtime error: invalid memory address or nil pointer dereference")
		}
		return p
	}
	switch {
	case s == "reflect.Value.Call: call of nil function", s == "reflect: Call using zero Value argument", s == "reflect: Method on nil interface value", s == "reflect.Value.Call: call of zero Value":
		return rtErr("runtime error: invalid memory address or nil pointer dereference")
	case strings.HasPrefix(s, "reflect: slice index out of range"), strings.HasPrefix(s, "reflect: array index out of range"), strings.HasPrefix(s, "reflect: string index out of range"):
		return rtErr("runtime error: index out of range")
	case strings.HasPrefix(s, "reflect.Value.Slice: "), strings.HasPrefix(s, "reflect.Value.Slice3: "):
		return rtErr("runtime error: slice bounds out of range")
	}
	if s == "reflect.MakeSlice: negative len" {
		return rtErr("runtime error: makeslice: len out of range")
	}
	return p
}
