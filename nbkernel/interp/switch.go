package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

func (l *Lower) switchStmt(s *ast.SwitchStmt, label string) {
	l.line("{")
	defer l.line("}")
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	tag, tt := "", types.Type(nil)
	iface := false
	if s.Tag != nil {
		tt = l.typeOf(s.Tag)
		if b, ok := tt.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			tt = types.Default(tt)
		}
		tag = l.tmp()
		l.line("var %s %s = %s", tag, l.tstr(tt), l.exprTo(s.Tag, tt))
		iface = importer.IsInterface(tt)
		if !iface {
			for _, c := range s.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					iface = iface || importer.IsInterface(l.typeOf(e))
				}
			}
		}
	}
	t := l.push(label, false)
	defer l.pop()
	if t.native != "" {
		l.line("%s:", t.native)
	}
	plain := tag != "" && !iface // only constants: the interpreter's own switch
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			plain = plain && l.info.Types[e].Value != nil
		}
	}
	if b, ok := types.Type(tt).(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
		plain = false
	}
	if plain {
		l.line("switch %s {", tag)
	} else {
		l.line("switch {")
	}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			l.line("default:")
		} else {
			var xs []string
			for _, e := range c.List {
				switch {
				case tag == "":
					xs = append(xs, l.exprTo(e, types.Typ[types.Bool]))
				case iface:
					if tv := l.info.Types[e]; tv.IsNil() {
						xs = append(xs, "("+tag+" == nil)")
					} else {
						xs = append(xs, fmt.Sprintf("rt.Eq(%s, %s)", l.conv(tag, tt, anyT), l.exprTo(e, anyT)))
					}
				case plain:
					xs = append(xs, l.exprTo(e, tt))
				default:
					xs = append(xs, "("+tag+" == "+l.exprTo(e, tt)+")")
				}
			}
			sep := ", "
			if !plain { // of several conditions the interpreter reads one
				sep = " || "
			}
			l.line("case %s:", strings.Join(xs, sep))
		}
		l.stmts(c.Body)
	}
	l.line("}")
}

func (l *Lower) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	l.line("{")
	defer l.line("}")
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		x = a.Rhs[0]
	}
	te := ast.Unparen(x).(*ast.TypeAssertExpr)
	from := l.typeOf(te.X)
	v, orig := l.tmp(), l.tmp()
	l.line("var %s %s = %s", orig, l.tstr(from), l.expr(te.X))
	l.line("var %s interface{} = %s", v, l.conv(orig, from, anyT))
	var ts []types.Type
	var cases []string
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		var xs []string
		for _, e := range c.List {
			if l.info.Types[e].IsNil() {
				ts = append(ts, nil)
			} else {
				ts = append(ts, l.typeOf(e))
			}
			xs = append(xs, fmt.Sprint(len(ts)-1))
		}
		cases = append(cases, strings.Join(xs, ", "))
	}
	idx := l.caseIdx(ts...)
	t := l.push(label, false)
	defer l.pop()
	if t.native != "" {
		l.line("%s:", t.native)
	}
	l.line("switch rt.Which(%s, %d) {", v, idx)
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			l.line("default:")
		} else {
			l.line("case %s:", cases[i])
		}
		if o := l.info.Implicits[c]; o != nil {
			ot := types.Unalias(l.subst(o.Type()))
			val := orig
			switch {
			case len(c.List) != 1 || l.info.Types[c.List[0]].IsNil():
			case importer.IsInterface(ot):
				val = l.conv(v, anyT, ot)
			case l.s.imp.Tainted(ot):
				val = "rt.Val(" + v + ").(" + l.tstr(ot) + ")"
			default:
				val = v + ".(" + l.tstr(ot) + ")"
			}
			l.declare(o, val)
		}
		l.stmts(c.Body)
	}
	l.line("}")
}

func (l *Lower) selectStmt(s *ast.SelectStmt, label string) {
	t := l.push(label, false)
	defer l.pop()
	if t.native != "" {
		l.line("%s:", t.native)
	}
	l.line("select {")
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		switch cm := c.Comm.(type) {
		case nil:
			l.line("default:")
		case *ast.SendStmt:
			ch := l.typeOf(cm.Chan).Underlying().(*types.Chan)
			l.line("case %s <- %s:", l.expr(cm.Chan), l.exprTo(cm.Value, ch.Elem()))
		case *ast.ExprStmt:
			u := ast.Unparen(cm.X).(*ast.UnaryExpr)
			l.line("case <-%s:", l.expr(u.X))
		case *ast.AssignStmt:
			u := ast.Unparen(cm.Rhs[0]).(*ast.UnaryExpr)
			et := types.Unalias(l.typeOf(u.X).Underlying().(*types.Chan).Elem())
			var ts []string
			for range cm.Lhs {
				ts = append(ts, l.tmp())
			}
			l.line("case %s := <-%s:", strings.Join(ts, ", "), l.expr(u.X))
			for i, e := range cm.Lhs {
				if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
					continue
				}
				ty := et
				if i == 1 {
					ty = types.Typ[types.Bool]
				}
				l.set(e, ts[i], ty, cm.Tok == token.DEFINE)
			}
		}
		l.stmts(c.Body)
	}
	l.line("}")
}
