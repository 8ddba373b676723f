package rt

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// A runtimeError is a panic of the Go run time, with Go's own text.
type runtimeError string

func (e runtimeError) Error() string { return string(e) }

// RuntimeError marks the type as a runtime.Error.
func (e runtimeError) RuntimeError() {}

var _ runtime.Error = runtimeError("")

const nilDereference = runtimeError("runtime error: invalid memory address or nil pointer dereference")

// NilDereference panics as the use of what a nil pointer points to does.
func NilDereference() { panic(nilDereference) }

// reflected are beginnings of what package reflect panics with, where yaegi does by reflection
// what compiled code does itself, and what Go would have said.
var reflected = []struct {
	prefix string
	means  runtimeError
}{
	{"reflect.Value.Call: call of nil function", nilDereference},
	{"reflect.Value.Call: call of zero Value", nilDereference},
	{"reflect: Call using zero Value argument", nilDereference},
	{"reflect: Method on nil interface value", nilDereference},
	{"reflect: array index out of range", "runtime error: index out of range"},
	{"reflect: slice index out of range", "runtime error: index out of range"},
	{"reflect: string index out of range", "runtime error: index out of range"},
	{"reflect.Value.Slice: ", "runtime error: slice bounds out of range"},
	{"reflect.Value.Slice3: ", "runtime error: slice bounds out of range"},
	{"reflect.MakeSlice: negative len", "runtime error: makeslice: len out of range"},
}

// PanicValue returns what compiled code would have panicked with where interpreted code
// panicked with p.
func PanicValue(p any) any {
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
	switch p := p.(type) {
	case *reflect.ValueError:
		return nilDereference
	case error:
		if strings.HasPrefix(p.Error(), "reflect: call of ") {
			return nilDereference
		}
		if name, ok := strings.CutPrefix(p.Error(), "hash of unhashable type: "); ok {
			return runtimeError("runtime error: hash of unhashable type " + name)
		}
	case string:
		for _, r := range reflected {
			if strings.HasPrefix(p, r.prefix) {
				return r.means
			}
		}
	}
	return p
}

// PanicArgument is what panic(x) panics with: never nil.
func PanicArgument(x any) any {
	if x == nil {
		return new(runtime.PanicNilError)
	}
	return x
}

// PanicText writes a panic value as Go's own message does.
func PanicText(value any) string {
	switch v := value.(type) {
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(value)
}
