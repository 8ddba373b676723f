package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (l *Lower) forStmt(s *ast.ForStmt, label string) {
	l.line("{")
	defer l.line("}")
	var cells []types.Object
	if a, ok := s.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		for _, e := range a.Lhs {
			if o := l.info.Defs[e.(*ast.Ident)]; o != nil && l.vars[o].cell() && !l.global[o] {
				cells = append(cells, o)
			}
		}
	}
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	t := l.push(label, true)
	defer l.pop()
	cond, post := "", ""
	if s.Cond != nil {
		cond = l.expr(s.Cond)
	}
	if s.Post != nil {
		save := l.b
		l.b = &strings.Builder{}
		l.stmt(s.Post, "")
		post = strings.TrimSpace(l.b.String())
		l.b = save
	}
	first := ""
	if len(cells) > 0 || strings.Contains(post, "\n") {
		// the post statement runs at the head of every iteration but the first
		first = l.tmp()
		l.line("%s := true", first)
	}
	if t.native != "" {
		l.line("%s:", t.native)
	}
	if first != "" {
		l.line("for {")
		l.line("if %s { %s = false } else {", first, first)
		for _, o := range cells {
			ts := l.tstr(types.Unalias(l.subst(o.Type())))
			c := l.tmp()
			l.line("%s := new(%s)\n*%s = *%s\n%s = %s", c, ts, c, l.name(o), l.name(o), c)
		}
		l.line("%s\n}", post)
		if cond != "" {
			l.line("if !(%s) { break }", cond)
		}
	} else if cond == "" && post == "" {
		l.line("for {")
	} else {
		l.line("for ; %s; %s {", cond, post)
	}
	l.stmts(s.Body.List)
	l.line("}")
}

func (l *Lower) rangeStmt(s *ast.RangeStmt, label string) {
	xt := l.typeOf(s.X)
	if l.isRangeFunc(s) {
		l.rangeFunc(s, label)
		return
	}
	l.line("{")
	defer l.line("}")
	def := s.Tok == token.DEFINE
	blank := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return e == nil || ok && id.Name == "_"
	}
	bind := func(e ast.Expr, val string, t types.Type) {
		if !blank(e) {
			l.set(e, val, t, def)
		}
	}
	if b, ok := xt.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		it := xt
		if b.Info()&types.IsUntyped != 0 {
			it = types.Typ[types.Int]
		}
		if !blank(s.Key) {
			it = l.typeOf2(s.Key)
		}
		n, i := l.tmp(), l.tmp()
		l.line("var %s %s = %s", n, l.tstr(it), l.exprTo(s.X, it))
		t := l.push(label, true)
		if t.native != "" {
			l.line("%s:", t.native)
		}
		direct := l.direct(s.Key, def)
		if direct != "" {
			i = direct
		}
		l.line("for %s := %s; %s < %s; %s++ {", i, l.exprTyped0(it), i, n, i)
		if direct == "" {
			bind(s.Key, i, it)
		}
		l.stmts(s.Body.List)
		l.line("}")
		l.pop()
		return
	}
	x := l.expr(s.X)
	var kt, vt types.Type
	u := xt.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	switch u := u.(type) {
	case *types.Slice:
		kt, vt = types.Typ[types.Int], u.Elem()
	case *types.Array:
		kt, vt = types.Typ[types.Int], u.Elem()
	case *types.Map:
		kt, vt = u.Key(), u.Elem()
	case *types.Chan:
		kt = u.Elem()
	case *types.Basic:
		kt, vt = types.Typ[types.Int], types.Typ[types.Rune]
		x = "string(" + x + ")"
	}
	c := l.tmp()
	l.line("%s := %s", c, x)
	t := l.push(label, true)
	defer l.pop()
	if t.native != "" {
		l.line("%s:", t.native)
	}
	k, v := "_", "_"
	dk, dv := l.direct(s.Key, def), l.direct(s.Value, def)
	if dk != "" {
		k = dk
	} else if !blank(s.Key) {
		k = l.tmp()
	}
	if dv != "" {
		v = dv
	} else if !blank(s.Value) {
		v = l.tmp()
	}
	switch {
	case vt == nil && k == "_":
		l.line("for range %s {", c)
	case vt == nil:
		l.line("for %s := range %s {", k, c)
	case k == "_" && v == "_":
		l.line("for range %s {", c)
	case v == "_":
		l.line("for %s := range %s {", k, c)
	default:
		l.line("for %s, %s := range %s {", k, v, c)
	}
	if dk == "" {
		bind(s.Key, k, types.Unalias(kt))
	}
	if vt != nil && dv == "" {
		bind(s.Value, v, types.Unalias(vt))
	}
	l.stmts(s.Body.List)
	l.line("}")
}

// direct returns the name of a loop variable that may be the interpreter's own: never assigned, no cell.
func (l *Lower) direct(e ast.Expr, def bool) string {
	id, ok := e.(*ast.Ident)
	if !ok || !def || id.Name == "_" {
		return ""
	}
	o := l.info.Defs[id]
	if v := l.vars[o]; o == nil || v == nil || v.assigned || v.captured || v.addr || l.global[o] {
		return ""
	}
	return l.name(o)
}

func (l *Lower) typeOf2(e ast.Expr) types.Type {
	if id, ok := e.(*ast.Ident); ok {
		if o := l.info.Defs[id]; o != nil {
			return types.Unalias(l.subst(o.Type()))
		}
	}
	return l.typeOf(e)
}

func (l *Lower) exprTyped0(t types.Type) string { return l.tstr(t) + "(0)" }
