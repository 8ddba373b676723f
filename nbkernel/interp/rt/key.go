package rt

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// Key returns a text that two types share if they are identical. Named types that are declared
// at different places differ, even if their names are the same.
func (t *Table) Key(typ types.Type) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.key(typ)
}

func (t *Table) key(typ types.Type) string {
	switch typ := typ.(type) {
	case *types.Alias:
		return t.key(types.Unalias(typ))
	case *types.Basic:
		return types.Typ[typ.Kind()].Name() // byte is uint8
	case *types.Named:
		return t.namedKey(typ)
	case *types.Pointer:
		return "*" + t.key(typ.Elem())
	case *types.Slice:
		return "[]" + t.key(typ.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", typ.Len(), t.key(typ.Elem()))
	case *types.Map:
		return "map[" + t.key(typ.Key()) + "]" + t.key(typ.Elem())
	case *types.Chan:
		return fmt.Sprintf("chan%d %s", typ.Dir(), t.key(typ.Elem()))
	case *types.Signature:
		return "func(" + t.key(typ.Params()) + strconv.FormatBool(typ.Variadic()) + ")(" + t.key(typ.Results()) + ")"
	case *types.Tuple:
		var b strings.Builder
		for v := range typ.Variables() {
			b.WriteString(t.key(v.Type()) + ",")
		}
		return b.String()
	case *types.Struct:
		var b strings.Builder
		for i := range typ.NumFields() {
			f := typ.Field(i)
			b.WriteString(f.Name() + " " + t.key(f.Type()) + strconv.Quote(typ.Tag(i)) + ";")
		}
		return "struct{" + b.String() + "}"
	case *types.Interface:
		var b strings.Builder
		for m := range typ.Methods() {
			b.WriteString(m.Name() + t.key(m.Type()) + ";")
		}
		return "interface{" + b.String() + "}"
	}
	return typ.String()
}

func (t *Table) namedKey(typ *types.Named) string {
	o := typ.Origin().Obj()
	n, ok := t.numbers[o]
	if !ok {
		n = len(t.numbers) + 1
		t.numbers[o] = n
	}
	key := fmt.Sprintf("%s#%d", o.Name(), n)
	if typ.TypeArgs().Len() == 0 {
		return key
	}
	var arguments strings.Builder
	for a := range typ.TypeArgs().Types() {
		arguments.WriteString(t.key(a) + ",")
	}
	return key + "[" + arguments.String() + "]"
}
