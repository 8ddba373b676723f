package rt

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"go/types"
	"reflect"
	"strconv"
	"strings"
)

// A decoder sets variables from JSON along the checker's types.
type decoder struct {
	table    *Table
	mismatch error // the first value that did not fit
}

// A path is where a value stands in the document: the struct it belongs to and the names from
// the outermost one.
type path struct {
	structure string
	field     string
}

func (p path) in(t types.Type, name string) path {
	if p.field != "" {
		name = p.field + "." + name
	}
	structure := ""
	if n, ok := types.Unalias(t).(*types.Named); ok {
		structure = n.Obj().Name()
	}
	return path{structure, name}
}

var null = []byte("null")

// value sets v, of type t. It returns an error if reading cannot go on.
func (d *decoder) value(data []byte, v reflect.Value, t types.Type, at path) error {
	if core, erased := d.table.coreOf(v, t); erased {
		held := reflect.New(core).Elem()
		if !v.IsNil() {
			held.Set(v.Elem())
		}
		err := d.value(data, held, t, at)
		v.SetZero()
		if x := Erase(held.Interface()); x != nil {
			v.Set(reflect.ValueOf(x))
		}
		return err
	}
	isNull := bytes.Equal(data, null)
	if p, ok := t.Underlying().(*types.Pointer); ok && d.table.importer.Tainted(t) {
		if isNull {
			v.SetZero()
			return nil
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return d.value(data, v.Elem(), p.Elem(), at)
	}
	if done, err := d.methods(data, v, t, isNull); done {
		return err
	}
	if !d.table.importer.Tainted(t) {
		return d.compiled(data, v, t, at)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if isNull {
			return nil
		}
		return d.structure(data, v, t, u, at)
	case *types.Slice:
		return d.slice(data, v, t, u, at)
	case *types.Array:
		if isNull {
			return nil
		}
		return d.array(data, v, t, u, at)
	case *types.Map:
		return d.mapping(data, v, t, u, at)
	case *types.Interface:
		if u.NumMethods() > 0 && !isNull {
			d.fails(data, v, t, at)
			return nil
		}
	}
	return d.compiled(data, v, t, at)
}

// compiled leaves a variable that reflection can tell to package json.
func (d *decoder) compiled(data []byte, v reflect.Value, t types.Type, at path) error {
	err := json.Unmarshal(data, v.Addr().Interface())
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return err
	}
	if mismatch.Struct == "" {
		mismatch.Struct, mismatch.Field = at.structure, at.field
	}
	d.note(mismatch)
	return nil
}

func (d *decoder) note(err error) {
	if d.mismatch == nil {
		d.mismatch = err
	}
}

// fails notes that data does not fit a variable.
func (d *decoder) fails(data []byte, v reflect.Value, _ types.Type, at path) {
	kind := map[byte]string{'{': "object", '[': "array", '"': "string", 't': "bool", 'f': "bool"}[data[0]]
	if kind == "" {
		kind = "number"
	}
	d.note(&json.UnmarshalTypeError{Value: kind, Type: v.Type(), Struct: at.structure, Field: at.field})
}

// methods lets the variable read itself, if its address has a method for it.
func (d *decoder) methods(data []byte, v reflect.Value, t types.Type, isNull bool) (done bool, err error) {
	if m, ok := d.table.methodOf(v, t, "UnmarshalJSON").(func([]byte) error); ok {
		return true, m(bytes.Clone(data))
	}
	m, ok := d.table.methodOf(v, t, "UnmarshalText").(func([]byte) error)
	if !ok || data[0] != '"' {
		return ok && isNull, nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return true, err
	}
	return true, m([]byte(text))
}

func (d *decoder) structure(data []byte, v reflect.Value, t types.Type, u *types.Struct, at path) error {
	if data[0] != '{' {
		d.fails(data, v, t, at)
		return nil
	}
	fields := jsonFields(u)
	return members(data, func(name string, value []byte) error {
		var field *jsonField
		for i := range fields {
			if fields[i].name == name {
				field = &fields[i]
				break
			}
			if field == nil && strings.EqualFold(fields[i].name, name) {
				field = &fields[i]
			}
		}
		if field == nil {
			return nil
		}
		if field.quoted && value[0] == '"' {
			var text string
			if err := json.Unmarshal(value, &text); err != nil {
				return err
			}
			value = []byte(text)
		}
		return d.value(value, field.settable(v), field.typ, at.in(t, field.name))
	})
}

func (d *decoder) slice(data []byte, v reflect.Value, t types.Type, u *types.Slice, at path) error {
	if bytes.Equal(data, null) {
		v.SetZero()
		return nil
	}
	if data[0] != '[' {
		d.fails(data, v, t, at)
		return nil
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(data, &elements); err != nil {
		return err
	}
	if v.Cap() < len(elements) || v.IsNil() {
		v.Set(reflect.MakeSlice(v.Type(), len(elements), len(elements)))
	}
	v.SetLen(len(elements))
	for i, e := range elements {
		v.Index(i).SetZero()
		if err := d.value(e, v.Index(i), u.Elem(), at); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) array(data []byte, v reflect.Value, t types.Type, u *types.Array, at path) error {
	if data[0] != '[' {
		d.fails(data, v, t, at)
		return nil
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(data, &elements); err != nil {
		return err
	}
	for i := range v.Len() {
		if i >= len(elements) {
			v.Index(i).SetZero()
		} else if err := d.value(elements[i], v.Index(i), u.Elem(), at); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) mapping(data []byte, v reflect.Value, t types.Type, u *types.Map, at path) error {
	if bytes.Equal(data, null) {
		v.SetZero()
		return nil
	}
	if data[0] != '{' {
		d.fails(data, v, t, at)
		return nil
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	return members(data, func(name string, value []byte) error {
		key := reflect.New(v.Type().Key()).Elem()
		if err := d.key(name, key, u.Key(), at); err != nil {
			return err
		}
		element := reflect.New(v.Type().Elem()).Elem()
		inner := at
		if at.field != "" {
			inner.field += "." + name
		}
		if err := d.value(value, element, u.Elem(), inner); err != nil {
			return err
		}
		v.SetMapIndex(key, element)
		return nil
	})
}

// key sets a key of a map from the name of a member.
func (d *decoder) key(name string, key reflect.Value, t types.Type, at path) error {
	if m, ok := d.table.methodOf(key, t, "UnmarshalText").(func([]byte) error); ok {
		return m([]byte(name))
	}
	if m, ok := key.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return m.UnmarshalText([]byte(name))
	}
	switch {
	case key.Kind() == reflect.String:
		key.SetString(name)
		return nil
	case key.CanInt():
		if n, err := strconv.ParseInt(name, 10, key.Type().Bits()); err == nil {
			key.SetInt(n)
			return nil
		}
	case key.CanUint():
		if n, err := strconv.ParseUint(name, 10, key.Type().Bits()); err == nil {
			key.SetUint(n)
			return nil
		}
	}
	d.note(&json.UnmarshalTypeError{Value: "number " + name, Type: key.Type(), Struct: at.structure, Field: at.field})
	return nil
}

// members calls f for each member of an object, in order.
func members(object []byte, f func(name string, value []byte) error) error {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		if err := f(name.(string), value); err != nil {
			return err
		}
	}
	return nil
}
