package rt

import (
	"fmt"
	"reflect"
)

var errorType = reflect.TypeFor[error]()

// Interface keeps a compiled interface type and returns the number that Wrap knows it by.
func (t *Table) Interface(compiled reflect.Type) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.interfaces = append(t.interfaces, compiled)
	return len(t.interfaces) - 1
}

// Wrap gives x the compiled interface type with this number, so that compiled code can call
// its methods. It wraps once: what comes back is the norm of x in one wrapper. The wrapper has
// no other methods than the interface.
func (t *Table) Wrap(x any, number int) any {
	x = t.Norm(x)
	if x == nil {
		return nil
	}
	t.mu.RLock()
	iface := t.interfaces[number]
	t.mu.RUnlock()
	b, ok := x.(Box)
	if !ok {
		if !reflect.TypeOf(x).Implements(iface) {
			panic(fmt.Sprintf("%T is not %v", x, iface))
		}
		return x
	}
	if iface == errorType {
		return &boxedError{b}
	}
	wrapper, ok := t.importer.Wrapper(iface)
	if !ok {
		panic("a type of a cell cannot be given to compiled code as " + iface.String())
	}
	v := reflect.New(wrapper).Elem()
	v.Field(0).Set(reflect.ValueOf(x))
	for i := 1; i < wrapper.NumField(); i++ {
		field := wrapper.Field(i)
		if method := b.method(field.Name[1:]); method.IsValid() {
			v.Field(i).Set(method.Convert(field.Type))
		}
	}
	return v.Interface()
}

// A boxedError is a Box as an error. It has the optional methods that package errors and
// package fmt ask for.
type boxedError struct{ box Box }

func (e *boxedError) Error() string {
	return e.box.method("Error").Interface().(func() string)()
}

func (e *boxedError) Unwrap() error {
	if m := e.box.method("Unwrap"); m.IsValid() {
		if unwrap, ok := m.Interface().(func() error); ok {
			return unwrap()
		}
	}
	return nil
}

func (e *boxedError) Is(target error) bool {
	if e.box.D.table.Norm(target) == any(e.box) {
		return true
	}
	if m := e.box.method("Is"); m.IsValid() {
		if is, ok := m.Interface().(func(error) bool); ok {
			return is(target)
		}
	}
	return false
}

func (e *boxedError) Format(s fmt.State, verb rune) { e.box.Format(s, verb) }
