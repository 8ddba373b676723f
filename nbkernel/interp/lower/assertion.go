package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"

	"eigenbook/nbkernel/interp/rt"
)

// assert emits x.(T) as the call of a function that T has, which panics with Go's own text.
func (l *lowering) assert(e *ast.TypeAssertExpr) string {
	t := l.typeOf(e.Type)
	name := l.helper("as", "as "+l.p.table.Key(t), func(name string) {
		text, cases := l.typeText(t), l.cases(t)
		l.emit("func %s(x interface{}, s string) %s {\nif rt.Which(x, %d) != 0 { rt.AssertFail(x, %d, s) }\nreturn %s\n}",
			name, text, cases, cases, l.held("x", t))
	})
	return fmt.Sprintf("%s(%s, %s)", name, l.asserted(e), strconv.Quote(rt.TypeName(l.typeOf(e.X))))
}

// assertOK emits x.(T) with two results.
func (l *lowering) assertOK(e *ast.TypeAssertExpr) string {
	t := l.typeOf(e.Type)
	name := l.helper("as", "as ok "+l.p.table.Key(t), func(name string) {
		l.emit("func %s(x interface{}) (r %s, ok bool) {\nif rt.Which(x, %d) == 0 { return %s, true }\nreturn r, false\n}",
			name, l.typeText(t), l.cases(t), l.held("x", t))
	})
	return fmt.Sprintf("%s(%s)", name, l.asserted(e))
}

func (l *lowering) asserted(e *ast.TypeAssertExpr) string {
	return l.conv(l.expr(e.X), l.typeOf(e.X), anyT)
}

// errorsAs emits errors.As(err, &target): the compiled function would look for the type by
// reflection.
func (l *lowering) errorsAs(e *ast.CallExpr) string {
	t := types.Unalias(l.typeOf(e.Args[1]).Underlying().(*types.Pointer).Elem())
	name := l.helper("as_error", "errors.As "+l.p.table.Key(t), func(name string) {
		l.emit("func %s(e error, p *%s) bool {\nr := rt.Norm(rt.ErrorsAs(e, %d))\nif r == nil { return false }\n*p = %s\nreturn true\n}",
			name, l.typeText(t), l.cases(t), l.held("r", t))
	})
	return fmt.Sprintf("%s(%s, %s)", name, l.expr(e.Args[0]), l.core(e.Args[1]))
}
