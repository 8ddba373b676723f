package rt

import (
	"encoding/json"
	"fmt"
	"go/types"
	"reflect"
	"strings"
)

// MarshalJSON writes the boxed value as package encoding/json does, along the checker's type:
// the interpreter's own type has other field names and no methods.
func (b Box) MarshalJSON() ([]byte, error) {
	return b.D.table.marshal(reflect.ValueOf(b.V), b.D.T)
}

// Unmarshal is json.Unmarshal into a pointer that may be in a box.
func (t *Table) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, t.Raw(v)) }

var null = []byte("null")

func (t *Table) marshal(v reflect.Value, typ types.Type) ([]byte, error) {
	if !v.IsValid() {
		return null, nil
	}
	if b, ok := t.boxOf(v, typ); ok {
		if _, pointer := typ.(*types.Pointer); !pointer || !v.IsNil() {
			if text, ok, err := b.marshalItself(); ok {
				return text, err
			}
		}
	}
	if !t.importer.Tainted(typ) {
		return json.Marshal(v.Interface())
	}
	switch u := typ.Underlying().(type) {
	case *types.Interface:
		if v.Kind() == reflect.Interface && v.IsNil() {
			return null, nil
		}
		return json.Marshal(t.Norm(v.Interface()))
	case *types.Pointer:
		if v.IsNil() {
			return null, nil
		}
		return t.marshal(v.Elem(), u.Elem())
	case *types.Slice:
		if v.IsNil() {
			return null, nil
		}
		return t.marshalList(v, u.Elem())
	case *types.Array:
		return t.marshalList(v, u.Elem())
	case *types.Map:
		if v.IsNil() {
			return null, nil
		}
		return t.marshalMap(v, u.Elem())
	case *types.Struct:
		var b strings.Builder
		b.WriteByte('{')
		if err := t.marshalFields(&b, v, u); err != nil {
			return nil, err
		}
		b.WriteByte('}')
		return []byte(b.String()), nil
	}
	return json.Marshal(v.Interface())
}

// marshalItself calls the value's own MarshalJSON or MarshalText; ok is false if it has none.
func (b Box) marshalItself() (text []byte, ok bool, err error) {
	if m := b.method("MarshalJSON"); m.IsValid() {
		text, err = m.Interface().(func() ([]byte, error))()
		return text, true, err
	}
	if m := b.method("MarshalText"); m.IsValid() {
		text, err = m.Interface().(func() ([]byte, error))()
		if err != nil {
			return nil, true, err
		}
		text, err = json.Marshal(string(text))
		return text, true, err
	}
	return nil, false, nil
}

func (t *Table) marshalList(v reflect.Value, element types.Type) ([]byte, error) {
	list := make([]json.RawMessage, v.Len())
	for i := range list {
		text, err := t.marshal(v.Index(i), element)
		if err != nil {
			return nil, err
		}
		list[i] = text
	}
	return json.Marshal(list)
}

func (t *Table) marshalMap(v reflect.Value, element types.Type) ([]byte, error) {
	object := map[string]json.RawMessage{}
	for _, key := range v.MapKeys() {
		text, err := t.marshal(v.MapIndex(key), element)
		if err != nil {
			return nil, err
		}
		object[fmt.Sprint(key.Interface())] = text
	}
	return json.Marshal(object)
}

// marshalFields writes the fields of a struct, those of an embedded one among them.
func (t *Table) marshalFields(b *strings.Builder, v reflect.Value, u *types.Struct) error {
	for i := range u.NumFields() {
		f := u.Field(i)
		tag := reflect.StructTag(u.Tag(i)).Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if embedded, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() && name == "" {
			if err := t.marshalFields(b, v.Field(i), embedded); err != nil {
				return err
			}
			continue
		}
		if !f.Exported() || tag == "-" || strings.Contains(options, "omitempty") && empty(v.Field(i)) {
			continue
		}
		if name == "" {
			name = f.Name()
		}
		text, err := t.marshal(v.Field(i), f.Type())
		if err != nil {
			return err
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			return err
		}
		b.Write(quoted)
		b.WriteByte(':')
		b.Write(text)
	}
	return nil
}

// empty reports whether omitempty leaves a value out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
