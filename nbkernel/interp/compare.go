package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"eigenbook/nbkernel/interp/importer"
)

func (l *Lower) binary(e *ast.BinaryExpr) string {
	if e.Op == token.EQL || e.Op == token.NEQ {
		tx, ty := l.typeOf(e.X), l.typeOf(e.Y)
		not := ""
		if e.Op == token.NEQ {
			not = "!"
		}
		isNil := func(t types.Type) bool { b, ok := t.(*types.Basic); return ok && b.Kind() == types.UntypedNil }
		if importer.IsInterface(tx) || importer.IsInterface(ty) {
			any := types.Universe.Lookup("any").Type().Underlying()
			if isNil(ty) {
				return "(" + l.expr(e.X) + " " + e.Op.String() + " nil)"
			}
			if isNil(tx) {
				return "(" + l.expr(e.Y) + " " + e.Op.String() + " nil)"
			}
			return fmt.Sprintf("(%srt.Eq(%s, %s))", not, l.exprTo(e.X, any), l.exprTo(e.Y, any))
		}
		if hasIface(tx) {
			any := types.Universe.Lookup("any").Type().Underlying()
			return fmt.Sprintf("(%srt.Eq(%s, %s))", not, l.exprTo(e.X, any), l.exprTo(e.Y, any))
		}
	}
	x, y := l.expr(e.X), l.expr(e.Y)
	if e.Op == token.SHL || e.Op == token.SHR {
		return "(" + x + " " + e.Op.String() + " " + l.shiftCount(e.Y) + ")"
	}
	return "(" + x + " " + e.Op.String() + " " + y + ")"
}

// hasIface reports whether t's values hold interfaces, so that == must look through boxes.
func hasIface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Struct:
		for i := 0; i < u.NumFields(); i++ {
			if hasIface(u.Field(i).Type()) {
				return true
			}
		}
	case *types.Array:
		return hasIface(u.Elem())
	}
	return false
}
