package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"

	"eigenbook/nbkernel/interp/importer"
	"eigenbook/nbkernel/interp/rt"
)

func (l *Lower) assert(e *ast.TypeAssertExpr, two bool) string {
	t := l.typeOf(e.Type)
	from := l.typeOf(e.X)
	x := l.conv(l.expr(e.X), from, types.Universe.Lookup("any").Type().Underlying())
	k := l.s.table.Key(t) + fmt.Sprint(two)
	n, ok := l.s.asserts[k]
	if !ok {
		l.s.n++
		n = fmt.Sprintf("as_%d", l.s.n)
		l.s.asserts[k] = n
		ts := l.tstr(t)
		idx := l.caseIdx(t)
		val := "x.(" + ts + ")"
		if importer.IsInterface(t) {
			val = l.conv("x", types.Universe.Lookup("any").Type().Underlying(), t)
		} else if l.s.imp.Tainted(t) {
			val = "rt.Val(x).(" + ts + ")"
		}
		if two {
			fmt.Fprintf(l.decls, "func %s(x interface{}) (r %s, ok bool) {\nif rt.Which(x, %d) == 0 { return %s, true }\nreturn r, false\n}\n", n, ts, idx, val)
		} else {
			fmt.Fprintf(l.decls, "func %s(x interface{}, s string) %s {\nif rt.Which(x, %d) != 0 { rt.AssertFail(x, %d, s) }\nreturn %s\n}\n", n, ts, idx, idx, val)
		}
	}
	if two {
		return n + "(" + x + ")"
	}
	return n + "(" + x + ", " + strconv.Quote(rt.TypeName(from)) + ")"
}

func (l *Lower) errorsAs(e *ast.CallExpr) string {
	pt := l.typeOf(e.Args[1]).Underlying().(*types.Pointer)
	t := types.Unalias(pt.Elem())
	l.s.n++
	n := fmt.Sprintf("erras_%d", l.s.n)
	idx := l.caseIdx(t)
	any := types.Universe.Lookup("any").Type().Underlying()
	val := "r.(" + l.tstr(t) + ")"
	if importer.IsInterface(t) {
		val = l.conv("rt.Norm(r)", any, t)
	} else if l.s.imp.Tainted(t) {
		val = "rt.Val(r).(" + l.tstr(t) + ")"
	}
	fmt.Fprintf(l.decls, "func %s(e error, p *%s) bool {\nr := rt.ErrorsAs(e, %d)\nif r == nil { return false }\n*p = %s\nreturn true\n}\n", n, l.tstr(t), idx, val)
	return fmt.Sprintf("%s(%s, %s)", n, l.expr(e.Args[0]), l.expr(e.Args[1]))
}
