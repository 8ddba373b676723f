package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// selectStmt emits a select that only communicates and then a switch over the case that was
// taken: yaegi's break inside a select leaves the loop around it.
//
//	var taken int
//	t3, t4, t5 := ch, out, x
//	select {
//	case t1, t2 := <-t3: taken, value, ok = 0, t1, t2
//	case t4 <- t5: taken = 1
//	}
//	switch taken {
//	case 0: x[i], ok = value, ok; body
//	case 1: body
//	}
func (l *lowering) selectStmt(s *ast.SelectStmt, label string) {
	taken := l.tmp()
	l.line("%s := 0", taken)
	stores := make([]func(), len(s.Body.List))
	cases := make([]string, len(s.Body.List))
	for i, c := range s.Body.List {
		cases[i], stores[i] = l.communication(c.(*ast.CommClause).Comm)
	}
	l.line("select {")
	for i, c := range cases {
		l.line("%s%s = %d", c, taken, i)
	}
	l.line("}")
	l.within(label, false, func(t *target) {
		l.mark(t)
		l.line("switch %s {", taken)
		for i, c := range s.Body.List {
			l.line("case %d:", i)
			stores[i]()
			l.stmts(c.(*ast.CommClause).Body)
		}
		l.line("}")
	})
}

// communication returns the head of a case, and what emits the assignment of what it received.
// The variables that keep this are declared before the select.
func (l *lowering) communication(s ast.Stmt) (head string, store func()) {
	store = func() {}
	switch s := s.(type) {
	case *ast.SendStmt:
		element := l.typeOf(s.Chan).Underlying().(*types.Chan).Elem()
		ch, value := l.tmp(), l.tmp()
		l.line("%s := %s", ch, l.core(s.Chan))
		l.line("var %s %s = %s", value, l.typeText(element), l.exprTo(s.Value, element))
		return fmt.Sprintf("case %s <- %s:\n", ch, value), store
	case *ast.ExprStmt:
		ch := l.tmp()
		l.line("%s := %s", ch, l.core(ast.Unparen(s.X).(*ast.UnaryExpr).X))
		return fmt.Sprintf("case <-%s:\n", ch), store
	case *ast.AssignStmt:
		from := ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr).X
		element := types.Unalias(l.typeOf(from).Underlying().(*types.Chan).Elem())
		ch := l.tmp()
		l.line("%s := %s", ch, l.core(from))
		ts := []types.Type{element, types.Typ[types.Bool]}[:len(s.Lhs)]
		var received, kept []string
		keep := ""
		for _, t := range ts {
			in, name := l.tmp(), l.tmp()
			l.line("var %s %s = %s", name, l.typeText(t), l.zero(t))
			received, kept = append(received, in), append(kept, name)
			keep += fmt.Sprintf("%s = %s\n", name, in)
		}
		head = fmt.Sprintf("case %s := <-%s:\n%s", strings.Join(received, ", "), ch, keep)
		return head, func() { l.storeAll(s.Lhs, kept, ts, s.Tok == token.DEFINE) }
	}
	return "default:\n", store
}
