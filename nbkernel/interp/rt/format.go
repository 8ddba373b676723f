package rt

import (
	"fmt"
	"go/types"
	"io"
	"reflect"
	"slices"
)

// Format writes the boxed value as package fmt writes a compiled value of its type. It follows
// the steps of package fmt, but along the checker's type: names of fields are the user's, and
// methods Error, String, Format and GoString of types of cells are found at every depth.
func (b Box) Format(s fmt.State, verb rune) {
	p := printer{s, verb, b.D.table}
	p.value(reflect.ValueOf(b.V), b.D.T, 0, true)
}

type printer struct {
	state fmt.State
	verb  rune
	table *Table
}

func (p printer) text(s string) { io.WriteString(p.state, s) }

// leaf leaves a value that reflection can tell to package fmt.
func (p printer) leaf(v any) { fmt.Fprintf(p.state, fmt.FormatString(p.state, p.verb), v) }

// goSyntax reports whether the verb is %#v.
func (p printer) goSyntax() bool { return p.verb == 'v' && p.state.Flag('#') }

// list writes n elements between brackets.
func (p printer) list(open, separator, end string, n int, element func(i int)) {
	p.text(open)
	for i := range n {
		if i > 0 {
			p.text(separator)
		}
		element(i)
	}
	p.text(end)
}

// value writes v, of type t. Methods are not called on what an unexported field holds: exported
// is false then.
func (p printer) value(v reflect.Value, t types.Type, depth int, exported bool) {
	v = p.table.stored(v, t)
	if exported && v.IsValid() && p.methods(v, t) {
		return
	}
	if !p.table.importer.Tainted(t) && v.CanInterface() {
		p.leaf(v.Interface())
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		p.mapping(v, t, u, depth, exported)
	case *types.Struct:
		p.structure(v, t, u, depth, exported)
	case *types.Interface:
		p.dynamic(v, t, depth, exported)
	case *types.Slice:
		p.sequence(v, t, u.Elem(), depth, exported)
	case *types.Array:
		p.sequence(v, t, u.Elem(), depth, exported)
	case *types.Pointer:
		if depth == 0 && v.Kind() == reflect.Pointer && !v.IsNil() {
			switch u.Elem().Underlying().(type) {
			case *types.Array, *types.Slice, *types.Struct, *types.Map:
				p.text("&")
				p.value(v.Elem(), u.Elem(), depth+1, exported)
				return
			}
		}
		p.pointer(v, t)
	case *types.Chan, *types.Signature:
		p.pointer(v, t)
	default:
		if v.CanInterface() {
			p.leaf(v.Interface())
		} else {
			p.leaf(fmt.Sprint(v))
		}
	}
}

func (p printer) mapping(v reflect.Value, t types.Type, u *types.Map, depth int, exported bool) {
	open, separator, end := "map[", " ", "]"
	if p.goSyntax() {
		if v.IsNil() {
			p.text(TypeName(t) + "(nil)")
			return
		}
		open, separator, end = TypeName(t)+"{", ", ", "}"
	}
	keys := v.MapKeys()
	slices.SortStableFunc(keys, p.table.compare)
	p.list(open, separator, end, len(keys), func(i int) {
		p.value(keys[i], u.Key(), depth+1, exported)
		p.text(":")
		p.value(v.MapIndex(keys[i]), u.Elem(), depth+1, exported)
	})
}

func (p printer) structure(v reflect.Value, t types.Type, u *types.Struct, depth int, exported bool) {
	open, separator := "{", " "
	if p.goSyntax() {
		open, separator = TypeName(t)+"{", ", "
	}
	p.list(open, separator, "}", u.NumFields(), func(i int) {
		f := u.Field(i)
		if p.goSyntax() || p.verb == 'v' && p.state.Flag('+') {
			p.text(f.Name() + ":")
		}
		p.value(v.Field(i), f.Type(), depth+1, exported && f.Exported())
	})
}

func (p printer) dynamic(v reflect.Value, t types.Type, depth int, exported bool) {
	if v.Kind() == reflect.Interface && v.IsNil() {
		if p.goSyntax() {
			p.text(TypeName(t) + "(nil)")
		} else {
			p.text("<nil>")
		}
		return
	}
	x := p.table.Norm(v.Interface())
	if b, ok := x.(Box); ok {
		p.value(reflect.ValueOf(b.V), b.D.T, depth+1, exported)
		return
	}
	p.leaf(x)
}

func (p printer) sequence(v reflect.Value, t, element types.Type, depth int, exported bool) {
	switch p.verb {
	case 's', 'q', 'x', 'X':
		if v.Type().Elem().Kind() == reflect.Uint8 {
			p.leaf(v.Interface())
			return
		}
	}
	open, separator, end := "[", " ", "]"
	if p.goSyntax() {
		if v.Kind() == reflect.Slice && v.IsNil() {
			p.text(TypeName(t) + "(nil)")
			return
		}
		open, separator, end = TypeName(t)+"{", ", ", "}"
	}
	p.list(open, separator, end, v.Len(), func(i int) { p.value(v.Index(i), element, depth+1, exported) })
}

func (p printer) pointer(v reflect.Value, t types.Type) {
	var address uintptr
	switch v.Kind() {
	case reflect.Pointer, reflect.Chan, reflect.Func, reflect.Map, reflect.Slice:
		address = v.Pointer()
	}
	switch {
	case p.goSyntax() && address == 0:
		p.text("(" + TypeName(t) + ")(nil)")
	case p.goSyntax():
		p.text(fmt.Sprintf("(%s)(%#x)", TypeName(t), address))
	case p.verb == 'v' && address == 0:
		p.text("<nil>")
	case p.verb == 'v':
		p.text(fmt.Sprintf("%#x", address))
	case v.CanInterface():
		p.leaf(v.Interface())
	}
}
