package interp

import (
	"encoding/json"
	"fmt"
	"go/types"
	"reflect"
	"strings"
)

func (b Box) MarshalJSON() ([]byte, error) { return jsonOf(reflect.ValueOf(b.V), b.D.T) }

func (b Box) UnmarshalJSON(d []byte) error { return json.Unmarshal(d, b.V) }

func JSONUnmarshal(d []byte, v any) error {
	if b, ok := v.(Box); ok {
		v = &b
	}
	return json.Unmarshal(d, v)
}

// jsonOf follows encoding/json by the checker's types.
func jsonOf(v reflect.Value, t types.Type) ([]byte, error) {
	if !v.IsValid() {
		return []byte("null"), nil
	}
	if d := descOf(t); d != nil {
		b := Box{d, v.Interface()}
		if _, isp := t.(*types.Pointer); !isp || !v.IsNil() {
			if m := bound(b, "MarshalJSON"); m.IsValid() {
				return m.Interface().(func() ([]byte, error))()
			}
			if m := bound(b, "MarshalText"); m.IsValid() {
				r, err := m.Interface().(func() ([]byte, error))()
				if err != nil {
					return nil, err
				}
				return json.Marshal(string(r))
			}
		}
	}
	if !taintedType(t) {
		return json.Marshal(v.Interface())
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		if v.Kind() == reflect.Interface && v.IsNil() {
			return []byte("null"), nil
		}
		return json.Marshal(Norm(v.Interface()))
	case *types.Pointer:
		if v.IsNil() {
			return []byte("null"), nil
		}
		return jsonOf(v.Elem(), u.Elem())
	case *types.Slice, *types.Array:
		var e types.Type
		if s, ok := u.(*types.Slice); ok {
			e = s.Elem()
			if v.IsNil() {
				return []byte("null"), nil
			}
		} else {
			e = u.(*types.Array).Elem()
		}
		out := []json.RawMessage{}
		for i := 0; i < v.Len(); i++ {
			r, err := jsonOf(v.Index(i), e)
			if err != nil {
				return nil, err
			}
			out = append(out, r)
		}
		return json.Marshal(out)
	case *types.Map:
		if v.IsNil() {
			return []byte("null"), nil
		}
		out := map[string]json.RawMessage{}
		for _, k := range v.MapKeys() {
			r, err := jsonOf(v.MapIndex(k), u.Elem())
			if err != nil {
				return nil, err
			}
			out[fmt.Sprint(k.Interface())] = r
		}
		return json.Marshal(out)
	case *types.Struct:
		var sb strings.Builder
		sb.WriteByte('{')
		if err := jsonFields(&sb, v, u); err != nil {
			return nil, err
		}
		sb.WriteByte('}')
		return []byte(sb.String()), nil
	}
	return json.Marshal(v.Interface())
}

func jsonFields(sb *strings.Builder, v reflect.Value, u *types.Struct) error {
	for i := 0; i < u.NumFields(); i++ {
		f := u.Field(i)
		tag := reflect.StructTag(u.Tag(i)).Get("json")
		name, opts, _ := strings.Cut(tag, ",")
		if st, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() && name == "" {
			if err := jsonFields(sb, v.Field(i), st); err != nil {
				return err
			}
			continue
		}
		if !f.Exported() || tag == "-" {
			continue
		}
		fv := v.Field(i)
		if strings.Contains(opts, "omitempty") {
			switch fv.Kind() {
			case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
				if fv.Len() == 0 {
					continue
				}
			case reflect.Struct:
			default:
				if fv.IsZero() {
					continue
				}
			}
		}
		if name == "" {
			name = f.Name()
		}
		r, err := jsonOf(fv, f.Type())
		if err != nil {
			return err
		}
		if sb.Len() > 1 {
			sb.WriteByte(',')
		}
		q, _ := json.Marshal(name)
		sb.Write(q)
		sb.WriteByte(':')
		sb.Write(r)
	}
	return nil
}
