package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (l *lowering) selectStmt(s *ast.SelectStmt, label string) {
	l.within(label, false, func(t *target) {
		l.mark(t)
		l.line("select {")
		for _, c := range s.Body.List {
			c := c.(*ast.CommClause)
			l.communication(c.Comm)
			l.stmts(c.Body)
		}
		l.line("}")
	})
}

// communication emits the head of a case and, for a receive, the assignment of what came.
func (l *lowering) communication(s ast.Stmt) {
	switch s := s.(type) {
	case nil:
		l.line("default:")
	case *ast.SendStmt:
		element := l.typeOf(s.Chan).Underlying().(*types.Chan).Elem()
		l.line("case %s <- %s:", l.expr(s.Chan), l.exprTo(s.Value, element))
	case *ast.ExprStmt:
		l.line("case <-%s:", l.expr(ast.Unparen(s.X).(*ast.UnaryExpr).X))
	case *ast.AssignStmt:
		from := ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr).X
		element := types.Unalias(l.typeOf(from).Underlying().(*types.Chan).Elem())
		var names []string
		for range s.Lhs {
			names = append(names, l.tmp())
		}
		l.line("case %s := <-%s:", strings.Join(names, ", "), l.expr(from))
		for i, e := range s.Lhs {
			t := element
			if i == 1 {
				t = types.Typ[types.Bool]
			}
			if !isBlank(e) {
				l.store(e, names[i], t, s.Tok == token.DEFINE)
			}
		}
	}
}
