package interp

import (
	"fmt"
	"go/types"
	"io"
	"reflect"
	"sort"
)

type printer struct {
	s    fmt.State
	verb rune
}

func (p printer) leaf(v any) { fmt.Fprintf(p.s, fmt.FormatString(p.s, p.verb), v) }

func (p printer) str(s string) { io.WriteString(p.s, s) }

func (b Box) Format(s fmt.State, verb rune) {
	v := reflect.ValueOf(b.V)
	p := printer{s, verb}
	p.val(b, v, b.D.T, 0, true)
}

func (p printer) methods(b any, v reflect.Value, t types.Type) (done bool) {
	plus, sharp := p.s.Flag('+'), p.s.Flag('#')
	_ = plus
	find := func(n string) reflect.Value {
		o, _, _ := types.LookupFieldOrMethod(t, false, nil, n)
		f, ok := o.(*types.Func)
		if !ok {
			return reflect.Value{}
		}
		_ = f
		if bb, ok := b.(Box); ok {
			return bound(bb, n)
		}
		d := descOf(t)
		if d == nil || !v.CanInterface() {
			return reflect.Value{}
		}
		return bound(Box{d, v.Interface()}, n)
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() != "main" {
		return false
	}
	if m := find("Format"); m.IsValid() {
		if f, ok := m.Interface().(func(fmt.State, rune)); ok {
			f(p.s, p.verb)
			return true
		}
	}
	if sharp && p.verb == 'v' {
		if m := find("GoString"); m.IsValid() {
			p.str(m.Interface().(func() string)())
			return true
		}
		return false
	}
	switch p.verb {
	case 'v', 's', 'x', 'X', 'q':
		for _, n := range []string{"Error", "String"} {
			if m := find(n); m.IsValid() {
				if f, ok := m.Interface().(func() string); ok {
					defer func() {
						if r := recover(); r != nil {
							done = true
							if v.Kind() == reflect.Ptr && v.IsNil() {
								p.str("<nil>")
								return
							}
							fmt.Fprintf(p.s, "%%!%c(PANIC=%s method: %v)", p.verb, n, r)
						}
					}()
					p.leaf(f())
					return true
				}
			}
		}
	}
	return false
}

func (p printer) val(b any, v reflect.Value, t types.Type, depth int, can bool) {
	if can && v.IsValid() && p.methods(b, v, t) {
		return
	}
	plus, sharp := p.s.Flag('+'), p.s.Flag('#')
	sharpV := sharp && p.verb == 'v'
	plusV := plus && p.verb == 'v'
	if !taintedType(t) {
		if v.CanInterface() {
			p.leaf(v.Interface())
			return
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		if sharpV {
			p.str(rtName(t))
			if v.IsNil() {
				p.str("(nil)")
				return
			}
			p.str("{")
		} else {
			p.str("map[")
		}
		ks := v.MapKeys()
		sort.Slice(ks, func(i, j int) bool { return less(ks[i], ks[j]) })
		for i, k := range ks {
			if i > 0 {
				if sharpV {
					p.str(", ")
				} else {
					p.str(" ")
				}
			}
			p.val(nil, k, u.Key(), depth+1, can)
			p.str(":")
			p.val(nil, v.MapIndex(k), u.Elem(), depth+1, can)
		}
		if sharpV {
			p.str("}")
		} else {
			p.str("]")
		}
	case *types.Struct:
		if sharpV {
			p.str(rtName(t))
		}
		p.str("{")
		for i := 0; i < u.NumFields(); i++ {
			if i > 0 {
				if sharpV {
					p.str(", ")
				} else {
					p.str(" ")
				}
			}
			f := u.Field(i)
			if plusV || sharpV {
				p.str(f.Name() + ":")
			}
			fc := can && f.Exported()
			fv := v.Field(i)
			if fc || fv.Kind() != reflect.Interface {
				p.val(nil, fv, f.Type(), depth+1, fc)
			} else {
				p.val(nil, fv, f.Type(), depth+1, false)
			}
		}
		p.str("}")
	case *types.Interface:
		if v.Kind() == reflect.Interface && v.IsNil() {
			if sharpV {
				p.str(rtName(t) + "(nil)")
			} else {
				p.str("<nil>")
			}
			return
		}
		x := Norm(v.Interface())
		if bb, ok := x.(Box); ok {
			p.val(bb, reflect.ValueOf(bb.V), bb.D.T, depth+1, can)
			return
		}
		p.leaf(x)
	case *types.Slice, *types.Array:
		if (p.verb == 's' || p.verb == 'q' || p.verb == 'x' || p.verb == 'X') && v.Type().Elem().Kind() == reflect.Uint8 {
			p.leaf(v.Interface())
			return
		}
		var e types.Type
		if s, ok := u.(*types.Slice); ok {
			e = s.Elem()
		} else {
			e = u.(*types.Array).Elem()
		}
		open, sep, end := "[", " ", "]"
		if sharpV {
			p.str(rtName(t))
			if v.Kind() == reflect.Slice && v.IsNil() {
				p.str("(nil)")
				return
			}
			open, sep, end = "{", ", ", "}"
		}
		p.str(open)
		for i := 0; i < v.Len(); i++ {
			if i > 0 {
				p.str(sep)
			}
			p.val(nil, v.Index(i), e, depth+1, can)
		}
		p.str(end)
	case *types.Pointer:
		if depth == 0 && v.Kind() == reflect.Ptr && !v.IsNil() {
			switch u.Elem().Underlying().(type) {
			case *types.Array, *types.Slice, *types.Struct, *types.Map:
				p.str("&")
				p.val(nil, v.Elem(), u.Elem(), depth+1, can)
				return
			}
		}
		p.ptr(v, t, depth)
	case *types.Chan, *types.Signature:
		p.ptr(v, t, depth)
	default:
		if !v.CanInterface() {
			p.leaf(fmt.Sprint(v))
			return
		}
		x := v.Interface()
		p.leaf(x)
	}
}

func (p printer) ptr(v reflect.Value, t types.Type, depth int) {
	var u uintptr
	switch v.Kind() {
	case reflect.Ptr, reflect.Chan, reflect.Func, reflect.Map, reflect.Slice:
		u = v.Pointer()
	}
	if p.verb == 'v' && p.s.Flag('#') {
		if u == 0 {
			p.str("(" + rtName(t) + ")(nil)")
		} else {
			p.str(fmt.Sprintf("(%s)(%#x)", rtName(t), u))
		}
		return
	}
	if p.verb == 'v' {
		if u == 0 {
			p.str("<nil>")
		} else {
			p.str(fmt.Sprintf("%#x", u))
		}
		return
	}
	if v.CanInterface() {
		p.leaf(v.Interface())
	}
}

func less(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return a.Int() < b.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return a.Uint() < b.Uint()
	case reflect.String:
		return a.String() < b.String()
	case reflect.Float32, reflect.Float64:
		return a.Float() < b.Float() || a.Float() != a.Float() && b.Float() == b.Float()
	case reflect.Bool:
		return !a.Bool() && b.Bool()
	case reflect.Struct:
		for i := 0; i < a.NumField(); i++ {
			if less(a.Field(i), b.Field(i)) {
				return true
			}
			if less(b.Field(i), a.Field(i)) {
				return false
			}
		}
	case reflect.Array:
		for i := 0; i < a.Len(); i++ {
			if less(a.Index(i), b.Index(i)) {
				return true
			}
			if less(b.Index(i), a.Index(i)) {
				return false
			}
		}
	case reflect.Interface:
		return less(reflect.ValueOf(Raw(a.Interface())), reflect.ValueOf(Raw(b.Interface())))
	}
	return false
}
