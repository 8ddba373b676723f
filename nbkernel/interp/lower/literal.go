package lower

import (
	"go/ast"
	"go/types"
	"strings"
)

// compositeLit emits a literal of a struct, array, slice or map as a value of the core of its type. Inside another one it may stand
// for a pointer to it.
func (l *lowering) compositeLit(e *ast.CompositeLit) string {
	t, address := l.typeOf(e), ""
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t, address = types.Unalias(p.Elem()), "&"
	}
	var elements []string
	switch u := t.Underlying().(type) {
	case *types.Struct:
		elements = l.fields(e, u)
	case *types.Map:
		for _, x := range e.Elts {
			kv := x.(*ast.KeyValueExpr)
			key := l.exprTo(kv.Key, u.Key())
			if l.info.Types[kv.Key].Value == nil && isConstantConversion(l.info, kv.Key) { // yaegi wants constants to differ
				key = "func() " + l.typeText(u.Key()) + " { return " + key + " }()"
			}
			elements = append(elements, key+": "+l.exprTo(kv.Value, u.Elem()))
		}
	case *types.Slice:
		elements = l.list(e, u.Elem())
	case *types.Array:
		elements = l.list(e, u.Elem())
	}
	text := l.coreText(t) + "{" + strings.Join(elements, ", ") + "}"
	if address != "" && l.erased(t) {
		return l.newValue(l.erase(text, t), t)
	}
	return address + text
}

// isConstantConversion reports whether e gives constants other types.
func isConstantConversion(info *types.Info, e ast.Expr) bool {
	if info.Types[e].Value != nil {
		return true
	}
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && info.Types[c.Fun].IsType() && isConstantConversion(info, c.Args[0])
}

func (l *lowering) fields(e *ast.CompositeLit, t *types.Struct) (elements []string) {
	for i, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			x, i = kv.Value, fieldIndex(t, kv.Key.(*ast.Ident).Name)
		}
		f := t.Field(i)
		elements = append(elements, l.field(f, i)+": "+l.exprTo(x, f.Type()))
	}
	return elements
}

// fieldIndex returns the index of a field that t has.
func fieldIndex(t *types.Struct, name string) int {
	i := 0
	for t.Field(i).Name() != name {
		i++
	}
	return i
}

func (l *lowering) list(e *ast.CompositeLit, element types.Type) (elements []string) {
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			elements = append(elements, l.info.Types[kv.Key].Value.ExactString()+": "+l.exprTo(kv.Value, element))
		} else {
			elements = append(elements, l.exprTo(x, element))
		}
	}
	return elements
}
