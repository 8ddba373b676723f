package interp

import (
	"fmt"
	"go/types"
	"strings"
)

// rtName writes a type as package reflect does.
func rtName(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return rtName(types.Unalias(t))
	case *types.Basic:
		switch t.Kind() {
		case types.Uint8:
			return "uint8"
		case types.Int32:
			return "int32"
		}
		return t.Name()
	case *types.Named:
		s := t.Obj().Name()
		if t.Obj().Pkg() != nil {
			s = t.Obj().Pkg().Name() + "." + s
		}
		if n := t.TypeArgs().Len(); n > 0 {
			var a []string
			for i := 0; i < n; i++ {
				a = append(a, rtName(t.TypeArgs().At(i)))
			}
			s += "[" + strings.Join(a, ",") + "]"
		}
		return s
	case *types.Pointer:
		return "*" + rtName(t.Elem())
	case *types.Slice:
		return "[]" + rtName(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), rtName(t.Elem()))
	case *types.Map:
		return "map[" + rtName(t.Key()) + "]" + rtName(t.Elem())
	case *types.Chan:
		switch t.Dir() {
		case types.SendOnly:
			return "chan<- " + rtName(t.Elem())
		case types.RecvOnly:
			return "<-chan " + rtName(t.Elem())
		}
		return "chan " + rtName(t.Elem())
	case *types.Signature:
		var a []string
		for i := 0; i < t.Params().Len(); i++ {
			s := rtName(t.Params().At(i).Type())
			if t.Variadic() && i == t.Params().Len()-1 {
				s = "..." + s[2:]
			}
			a = append(a, s)
		}
		s := "func(" + strings.Join(a, ", ") + ")"
		a = nil
		for i := 0; i < t.Results().Len(); i++ {
			a = append(a, rtName(t.Results().At(i).Type()))
		}
		if len(a) == 1 {
			s += " " + a[0]
		} else if len(a) > 1 {
			s += " (" + strings.Join(a, ", ") + ")"
		}
		return s
	case *types.Struct:
		if t.NumFields() == 0 {
			return "struct {}"
		}
		var a []string
		for i := 0; i < t.NumFields(); i++ {
			s := t.Field(i).Name() + " " + rtName(t.Field(i).Type())
			if t.Tag(i) != "" {
				s += fmt.Sprintf(" %q", t.Tag(i))
			}
			a = append(a, s)
		}
		return "struct { " + strings.Join(a, "; ") + " }"
	case *types.Interface:
		if t.NumMethods() == 0 {
			return "interface {}"
		}
		var a []string
		for i := 0; i < t.NumMethods(); i++ {
			a = append(a, t.Method(i).Name()+rtName(t.Method(i).Type())[4:])
		}
		return "interface { " + strings.Join(a, "; ") + " }"
	}
	return t.String()
}
