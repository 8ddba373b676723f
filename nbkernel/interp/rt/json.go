package rt

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Package encoding/json sees the interpreter's types, which have other field names and no
// methods. A Box therefore writes and reads itself along the checker's type by the rules of
// that package.

// MarshalJSON writes the boxed value.
func (b Box) MarshalJSON() ([]byte, error) {
	e := encoder{table: b.D.table}
	if err := e.value(reflect.ValueOf(b.V), b.D.T, 0); err != nil {
		return nil, err
	}
	return e.Bytes(), nil
}

// An encoder writes one value.
type encoder struct {
	bytes.Buffer
	table *Table
}

// maxDepth is where nesting is taken for a cycle.
const maxDepth = 1000

func (e *encoder) value(v reflect.Value, t types.Type, depth int) error {
	if depth > maxDepth {
		return &json.UnsupportedValueError{Value: v, Str: "encountered a cycle via " + TypeName(t)}
	}
	v = e.table.stored(v, t)
	if !v.IsValid() {
		return e.null()
	}
	if _, pointer := t.(*types.Pointer); !pointer || !v.IsNil() {
		if done, err := e.methods(v, t); done {
			return err
		}
	}
	if !e.table.importer.Tainted(t) {
		return e.compiled(v.Interface())
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		if v.IsNil() {
			return e.null()
		}
		if b, ok := e.table.Norm(v.Interface()).(Box); ok {
			return e.value(reflect.ValueOf(b.V), b.D.T, depth+1)
		}
		return e.compiled(v.Interface())
	case *types.Pointer:
		if v.IsNil() {
			return e.null()
		}
		return e.value(v.Elem(), u.Elem(), depth+1)
	case *types.Slice:
		if v.IsNil() {
			return e.null()
		}
		return e.list(v, u.Elem(), depth)
	case *types.Array:
		return e.list(v, u.Elem(), depth)
	case *types.Map:
		if v.IsNil() {
			return e.null()
		}
		return e.mapping(v, u, depth)
	case *types.Struct:
		return e.structure(v, u, depth)
	case *types.Chan, *types.Signature:
		return &json.UnsupportedTypeError{Type: v.Type()}
	}
	return e.compiled(v.Interface())
}

func (e *encoder) null() error {
	e.WriteString("null")
	return nil
}

// compiled leaves a value that reflection can tell to package json.
func (e *encoder) compiled(v any) error {
	text, err := json.Marshal(v)
	e.Write(text)
	return err
}

// methods lets the value write itself, if it or its address has a method for it.
func (e *encoder) methods(v reflect.Value, t types.Type) (done bool, err error) {
	if m, ok := e.table.methodOf(v, t, "MarshalJSON").(func() ([]byte, error)); ok {
		text, err := m()
		if err == nil {
			err = json.Compact(&e.Buffer, text)
		}
		return true, wrapMarshal(v, t, err, "MarshalJSON")
	}
	if m, ok := e.table.methodOf(v, t, "MarshalText").(func() ([]byte, error)); ok {
		text, err := m()
		if err != nil {
			return true, wrapMarshal(v, t, err, "MarshalText")
		}
		return true, e.compiled(string(text))
	}
	return false, nil
}

func wrapMarshal(v reflect.Value, t types.Type, err error, method string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("json: error calling %s for type %s: %w", method, TypeName(t), err)
}

// methodOf returns the method of v, or of its address, that a type of a cell declares.
func (t *Table) methodOf(v reflect.Value, typ types.Type, name string) any {
	if b, ok := t.boxOf(v, typ); ok {
		if m := b.method(name); m.IsValid() {
			return m.Interface()
		}
	}
	if _, pointer := typ.(*types.Pointer); !pointer && v.CanAddr() {
		if b, ok := t.boxOf(v.Addr(), types.NewPointer(typ)); ok {
			if m := b.method(name); m.IsValid() {
				return m.Interface()
			}
		}
	}
	return nil
}

func (e *encoder) list(v reflect.Value, element types.Type, depth int) error {
	e.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			e.WriteByte(',')
		}
		if err := e.value(v.Index(i), element, depth+1); err != nil {
			return err
		}
	}
	e.WriteByte(']')
	return nil
}

func (e *encoder) mapping(v reflect.Value, t *types.Map, depth int) error {
	type pair struct {
		name  string
		value reflect.Value
	}
	var pairs []pair
	for i := v.MapRange(); i.Next(); {
		name, err := e.key(i.Key(), t.Key())
		if err != nil {
			return err
		}
		pairs = append(pairs, pair{name, i.Value()})
	}
	slices.SortFunc(pairs, func(a, b pair) int { return strings.Compare(a.name, b.name) })
	e.WriteByte('{')
	for i, p := range pairs {
		if i > 0 {
			e.WriteByte(',')
		}
		if err := e.compiled(p.name); err != nil {
			return err
		}
		e.WriteByte(':')
		if err := e.value(p.value, t.Elem(), depth+1); err != nil {
			return err
		}
	}
	e.WriteByte('}')
	return nil
}

// key returns the name that a key of a map gets.
func (e *encoder) key(k reflect.Value, t types.Type) (string, error) {
	if k.Kind() == reflect.String {
		return k.String(), nil
	}
	if m, ok := e.table.methodOf(k, t, "MarshalText").(func() ([]byte, error)); ok {
		text, err := m()
		return string(text), err
	}
	if m, ok := k.Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		return string(text), err
	}
	switch {
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10), nil
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10), nil
	}
	return "", &json.UnsupportedTypeError{Type: reflect.MapOf(k.Type(), reflect.TypeFor[any]())}
}

func (e *encoder) structure(v reflect.Value, t *types.Struct, depth int) error {
	e.WriteByte('{')
	first := true
	for _, f := range jsonFields(t) {
		field, ok := f.of(v)
		field = e.table.stored(field, f.typ)
		if !ok || f.omits(field, e.table) {
			continue
		}
		if !first {
			e.WriteByte(',')
		}
		first = false
		if err := e.compiled(f.name); err != nil {
			return err
		}
		e.WriteByte(':')
		start := e.Len()
		if err := e.value(field, f.typ, depth+1); err != nil {
			return err
		}
		if f.quoted {
			text := string(e.Bytes()[start:])
			if text != "null" {
				e.Truncate(start)
				if err := e.compiled(text); err != nil {
					return err
				}
			}
		}
	}
	e.WriteByte('}')
	return nil
}

// Unmarshal is json.Unmarshal into a pointer that may be in a box.
func (t *Table) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, t.Target(v)) }

// Target returns what package json can decode into in the place of x: x itself, or something
// that fills the value that a boxed pointer points to.
func (t *Table) Target(x any) any {
	b, ok := t.Norm(x).(Box)
	if !ok {
		return x
	}
	if p, ok := b.D.T.Underlying().(*types.Pointer); ok && !reflect.ValueOf(b.V).IsNil() {
		return &variable{t, reflect.ValueOf(b.V).Elem(), p.Elem()}
	}
	return b.V // package json says what is wrong with it
}

// A variable is one that JSON is decoded into.
type variable struct {
	table *Table
	v     reflect.Value
	t     types.Type
}

// UnmarshalJSON sets the variable. As in package json, what does not fit is left out and told
// at the end.
func (x *variable) UnmarshalJSON(data []byte) error {
	d := decoder{table: x.table}
	if err := d.value(data, x.v, x.t, path{}); err != nil {
		return err
	}
	return d.mismatch
}
