package interp

import (
	"fmt"
	"go/types"
	"strconv"
)

var objNum = map[*types.TypeName]int{}

func typeKey(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return typeKey(types.Unalias(t))
	case *types.Basic:
		return types.Typ[t.Kind()].Name()
	case *types.Named:
		o := t.Origin().Obj()
		n, ok := objNum[o]
		if !ok {
			n = len(objNum) + 1
			objNum[o] = n
		}
		s := fmt.Sprintf("%s#%d", o.Name(), n)
		if t.TypeArgs().Len() > 0 {
			s += "["
			for i := 0; i < t.TypeArgs().Len(); i++ {
				s += typeKey(t.TypeArgs().At(i)) + ","
			}
			s += "]"
		}
		return s
	case *types.Pointer:
		return "*" + typeKey(t.Elem())
	case *types.Slice:
		return "[]" + typeKey(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), typeKey(t.Elem()))
	case *types.Map:
		return "map[" + typeKey(t.Key()) + "]" + typeKey(t.Elem())
	case *types.Chan:
		return fmt.Sprintf("chan%d %s", t.Dir(), typeKey(t.Elem()))
	case *types.Signature:
		s := "func("
		for i := 0; i < t.Params().Len(); i++ {
			s += typeKey(t.Params().At(i).Type()) + ","
		}
		s += fmt.Sprint(t.Variadic()) + ")("
		for i := 0; i < t.Results().Len(); i++ {
			s += typeKey(t.Results().At(i).Type()) + ","
		}
		return s + ")"
	case *types.Struct:
		s := "struct{"
		for i := 0; i < t.NumFields(); i++ {
			s += t.Field(i).Name() + " " + typeKey(t.Field(i).Type()) + strconv.Quote(t.Tag(i)) + ";"
		}
		return s + "}"
	case *types.Interface:
		s := "interface{"
		for i := 0; i < t.NumMethods(); i++ {
			s += t.Method(i).Name() + typeKey(t.Method(i).Type()) + ";"
		}
		return s + "}"
	}
	return t.String()
}
