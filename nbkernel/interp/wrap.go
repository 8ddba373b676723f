package interp

import (
	"errors"
	"fmt"
	"reflect"
)

// Method returns the bound method of x's dynamic value as a func.
func Method(x any, name string) any {
	x = Norm(x)
	if x == nil {
		panic(rtErr("runtime error: invalid memory address or nil pointer dereference"))
	}
	if b, ok := x.(Box); ok {
		return bound(b, name).Interface()
	}
	return reflect.ValueOf(x).MethodByName(name).Interface()
}

var wrapTab []reflect.Type

var errType = reflect.TypeOf((*error)(nil)).Elem()

// Wrap gives x the compiled interface type named by key.
func Wrap(x any, key int) any {
	x = Norm(x)
	if x == nil {
		return nil
	}
	it := wrapTab[key]
	b, ok := x.(Box)
	if !ok {
		if !reflect.TypeOf(x).Implements(it) {
			panic(fmt.Sprintf("%T is not %v", x, it))
		}
		return x
	}
	if it == errType {
		return &errW{b}
	}
	w, ok := theImp.wrappers[it]
	if !ok {
		panic("a type of a cell cannot be given to compiled code as " + it.String())
	}
	v := reflect.New(w).Elem()
	v.Field(0).Set(reflect.ValueOf(x))
	for i := 1; i < w.NumField(); i++ {
		m := bound(b, w.Field(i).Name[1:])
		if m.IsValid() {
			v.Field(i).Set(m.Convert(w.Field(i).Type))
		}
	}
	return v.Interface()
}

type errW struct{ b Box }

func (e *errW) Error() string { return bound(e.b, "Error").Interface().(func() string)() }

func (e *errW) Unwrap() error {
	if m := bound(e.b, "Unwrap"); m.IsValid() {
		if f, ok := m.Interface().(func() error); ok {
			return f()
		}
	}
	return nil
}

func (e *errW) Is(t error) bool {
	if Norm(t) == any(e.b) {
		return true
	}
	if m := bound(e.b, "Is"); m.IsValid() {
		if f, ok := m.Interface().(func(error) bool); ok {
			return f(t)
		}
	}
	return false
}

func (e *errW) Format(s fmt.State, verb rune) { e.b.Format(s, verb) }

// ErrorsAs walks err's tree; set stores the value if its type fits.
func ErrorsAs(err error, tab int) any {
	for err != nil {
		if Which(err, tab) == 0 {
			return err
		}
		if m, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range m.Unwrap() {
				if r := ErrorsAs(e, tab); r != nil {
					return r
				}
			}
			return nil
		}
		err = errors.Unwrap(err)
	}
	return nil
}
