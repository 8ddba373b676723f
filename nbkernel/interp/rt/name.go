package rt

import (
	"fmt"
	"go/types"
	"strings"
)

// TypeName writes a type as package reflect does, which is how Go's own messages and %T name
// it.
func TypeName(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return TypeName(types.Unalias(t))
	case *types.Basic:
		return types.Typ[t.Kind()].Name() // uint8 and int32 for byte and rune
	case *types.Named:
		return namedName(t)
	case *types.Pointer:
		return "*" + TypeName(t.Elem())
	case *types.Slice:
		return "[]" + TypeName(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), TypeName(t.Elem()))
	case *types.Map:
		return "map[" + TypeName(t.Key()) + "]" + TypeName(t.Elem())
	case *types.Chan:
		switch t.Dir() {
		case types.SendOnly:
			return "chan<- " + TypeName(t.Elem())
		case types.RecvOnly:
			return "<-chan " + TypeName(t.Elem())
		}
		return "chan " + TypeName(t.Elem())
	case *types.Signature:
		return "func" + signatureName(t)
	case *types.Struct:
		return structName(t)
	case *types.Interface:
		return interfaceName(t)
	}
	return t.String()
}

func namedName(t *types.Named) string {
	name := t.Obj().Name()
	if pkg := t.Obj().Pkg(); pkg != nil {
		name = pkg.Name() + "." + name
	}
	if t.TypeArgs().Len() == 0 {
		return name
	}
	var arguments []string
	for a := range t.TypeArgs().Types() {
		arguments = append(arguments, TypeName(a))
	}
	return name + "[" + strings.Join(arguments, ",") + "]"
}

// signatureName writes the parameters and results of a function type.
func signatureName(t *types.Signature) string {
	in := typeNames(t.Params())
	if t.Variadic() {
		in[len(in)-1] = "..." + strings.TrimPrefix(in[len(in)-1], "[]")
	}
	name := "(" + strings.Join(in, ", ") + ")"
	switch out := typeNames(t.Results()); len(out) {
	case 0:
		return name
	case 1:
		return name + " " + out[0]
	default:
		return name + " (" + strings.Join(out, ", ") + ")"
	}
}

func typeNames(t *types.Tuple) (names []string) {
	for v := range t.Variables() {
		names = append(names, TypeName(v.Type()))
	}
	return names
}

func structName(t *types.Struct) string {
	if t.NumFields() == 0 {
		return "struct {}"
	}
	var fields []string
	for i := range t.NumFields() {
		field := t.Field(i).Name() + " " + TypeName(t.Field(i).Type())
		if tag := t.Tag(i); tag != "" {
			field += fmt.Sprintf(" %q", tag)
		}
		fields = append(fields, field)
	}
	return "struct { " + strings.Join(fields, "; ") + " }"
}

func interfaceName(t *types.Interface) string {
	if t.NumMethods() == 0 {
		return "interface {}"
	}
	var methods []string
	for m := range t.Methods() {
		methods = append(methods, m.Name()+signatureName(m.Signature()))
	}
	return "interface { " + strings.Join(methods, "; ") + " }"
}
