package rt

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
)

// methods lets v write itself, if its type is one of a cell and has a method for the verb.
func (p printer) methods(v reflect.Value, t types.Type) bool {
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() != "main" {
		return false
	}
	if format, ok := p.method(v, t, "Format").(func(fmt.State, rune)); ok {
		format(p.state, p.verb)
		return true
	}
	if p.goSyntax() {
		goString, ok := p.method(v, t, "GoString").(func() string)
		if ok {
			p.text(goString())
		}
		return ok
	}
	switch p.verb {
	case 'v', 's', 'x', 'X', 'q':
		for _, name := range []string{"Error", "String"} {
			if text, ok := p.method(v, t, name).(func() string); ok {
				p.textMethod(v, name, text)
				return true
			}
		}
	}
	return false
}

// textMethod writes what the method returns, or as package fmt does that it panicked.
func (p printer) textMethod(v reflect.Value, name string, text func() string) {
	defer func() {
		switch r := recover(); {
		case r == nil:
		case v.Kind() == reflect.Pointer && v.IsNil():
			p.text("<nil>")
		default:
			fmt.Fprintf(p.state, "%%!%c(PANIC=%s method: %v)", p.verb, name, r)
		}
	}()
	p.leaf(text())
}

// method returns the method of v with this name as a func, nil if there is none.
func (p printer) method(v reflect.Value, t types.Type, name string) any {
	o, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
	if _, ok := o.(*types.Func); !ok {
		return nil
	}
	b, ok := p.table.boxOf(v, t)
	if !ok {
		return nil
	}
	if m := b.method(name); m.IsValid() {
		return m.Interface()
	}
	return nil
}

// compare orders the keys of a map as package fmt does.
func (t *Table) compare(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	switch a.Kind() {
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Bool:
		switch {
		case a.Bool() == b.Bool():
			return 0
		case b.Bool():
			return -1
		}
		return 1
	case reflect.Struct:
		for i := range a.NumField() {
			if c := t.compare(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if c := t.compare(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case reflect.Interface:
		return t.compare(reflect.ValueOf(t.Raw(a.Interface())), reflect.ValueOf(t.Raw(b.Interface())))
	}
	return 0
}
