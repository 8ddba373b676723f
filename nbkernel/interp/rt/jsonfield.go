package rt

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// A jsonField is a field of a struct, or of a struct embedded in it, that JSON shows.
type jsonField struct {
	name                        string
	tagged                      bool
	path                        []int // indexes from the outermost struct
	typ                         types.Type
	omitEmpty, omitZero, quoted bool
}

// jsonFields returns the fields of t in their order. Of fields with one name the least deep
// one counts, of several of these the one whose tag names it, and otherwise none.
func jsonFields(t *types.Struct) []jsonField {
	type level struct {
		t    *types.Struct
		path []int
	}
	var all []jsonField
	seen := map[*types.Struct]bool{t: true}
	for next := []level{{t, nil}}; len(next) > 0; {
		now := next
		next = nil
		for _, l := range now {
			for i := range l.t.NumFields() {
				path := append(slices.Clip(l.path), i)
				f, embedded := newJSONField(l.t, i, path)
				if embedded != nil {
					if !seen[embedded] {
						next = append(next, level{embedded, path})
					}
				} else if f.name != "" {
					all = append(all, f)
				}
			}
		}
		for _, l := range next {
			seen[l.t] = true
		}
	}
	byName := map[string][]jsonField{}
	for _, f := range all {
		byName[f.name] = append(byName[f.name], f)
	}
	var fields []jsonField
	for _, list := range byName {
		slices.SortStableFunc(list, func(a, b jsonField) int {
			if c := cmp.Compare(len(a.path), len(b.path)); c != 0 || a.tagged == b.tagged {
				return c
			}
			if a.tagged {
				return -1
			}
			return +1
		})
		if len(list) == 1 || len(list[0].path) < len(list[1].path) || list[0].tagged && !list[1].tagged {
			fields = append(fields, list[0])
		}
	}
	slices.SortFunc(fields, func(a, b jsonField) int { return slices.Compare(a.path, b.path) })
	return fields
}

// newJSONField returns field i of t, without a name if JSON does not show it, or the struct
// embedded there whose fields it shows instead.
func newJSONField(t *types.Struct, i int, path []int) (f jsonField, embedded *types.Struct) {
	v := t.Field(i)
	inner, _ := v.Type().Underlying().(*types.Struct)
	if p, ok := v.Type().Underlying().(*types.Pointer); ok && inner == nil {
		inner, _ = p.Elem().Underlying().(*types.Struct)
	}
	if !v.Exported() && (!v.Embedded() || inner == nil) {
		return f, nil
	}
	tag := reflect.StructTag(t.Tag(i)).Get("json")
	if tag == "-" {
		return f, nil
	}
	name, options, _ := strings.Cut(tag, ",")
	if !validName(name) {
		name = ""
	}
	if name == "" && v.Embedded() && inner != nil {
		return f, inner
	}
	f = jsonField{name: name, tagged: name != "", path: path, typ: v.Type()}
	if name == "" {
		f.name = v.Name()
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
		case "string":
			b, ok := v.Type().Underlying().(*types.Basic)
			f.quoted = ok && b.Info()&(types.IsBoolean|types.IsNumeric|types.IsString) != 0
		}
	}
	return f, nil
}

func validName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// of returns the field's value in a struct; ok is false behind a nil embedded pointer.
func (f jsonField) of(v reflect.Value) (field reflect.Value, ok bool) {
	for _, i := range f.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
}

// settable is of, with the embedded pointers on the way made.
func (f jsonField) settable(v reflect.Value) reflect.Value {
	for _, i := range f.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}

// omits reports whether omitempty or omitzero leave the value out.
func (f jsonField) omits(v reflect.Value, t *Table) bool {
	if f.omitEmpty {
		switch v.Kind() {
		case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
			if v.Len() == 0 {
				return true
			}
		case reflect.Struct:
		default:
			if v.IsZero() {
				return true
			}
		}
	}
	if !f.omitZero {
		return false
	}
	if isZero, ok := t.methodOf(v, f.typ, "IsZero").(func() bool); ok {
		return isZero()
	}
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}
