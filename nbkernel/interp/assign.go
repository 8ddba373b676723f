package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// multi assigns the several results of rhs.
func (l *Lower) multi(lhs []ast.Expr, rhs ast.Expr, def bool) {
	var ts []types.Type
	var x string
	switch r := ast.Unparen(rhs).(type) {
	case *ast.TypeAssertExpr:
		ts = []types.Type{l.typeOf(r.Type), types.Typ[types.Bool]}
		x = l.assert(r, true)
	case *ast.CallExpr:
		tup := l.info.TypeOf(r).(*types.Tuple)
		for i := 0; i < tup.Len(); i++ {
			ts = append(ts, types.Unalias(l.subst(tup.At(i).Type())))
		}
		x = l.call(r)
	case *ast.IndexExpr:
		m := l.typeOf(r.X).Underlying().(*types.Map)
		ts = []types.Type{m.Elem(), types.Typ[types.Bool]}
		x = l.expr(r.X) + "[" + l.exprTo(r.Index, m.Key()) + "]"
	case *ast.UnaryExpr:
		ts = []types.Type{l.typeOf(r.X).Underlying().(*types.Chan).Elem(), types.Typ[types.Bool]}
		x = "<-" + l.expr(r.X)
	default:
		panic(fmt.Sprintf("multi %T", r))
	}
	tmps := make([]string, len(lhs))
	for i := range lhs {
		tmps[i] = l.tmp()
		if id, ok := lhs[i].(*ast.Ident); ok && id.Name == "_" {
			tmps[i] = "_"
		}
	}
	all := true
	for _, t := range tmps {
		all = all && t == "_"
	}
	if all {
		l.line("%s = %s", strings.Join(tmps, ", "), x)
		return
	}
	l.line("%s := %s", strings.Join(tmps, ", "), x)
	for i, e := range lhs {
		if tmps[i] == "_" {
			continue
		}
		l.set(e, tmps[i], ts[i], def)
	}
}

func (l *Lower) set(e ast.Expr, val string, from types.Type, def bool) {
	if id, ok := e.(*ast.Ident); ok && def {
		if o := l.info.Defs[id]; o != nil {
			l.declare(o, l.conv(val, from, types.Unalias(l.subst(o.Type()))))
			return
		}
	}
	l.line("%s = %s", l.lval(e), l.conv(val, from, l.typeOf(e)))
}

func (l *Lower) lval(e ast.Expr) string {
	x := l.expr(e)
	if strings.HasPrefix(x, "(*") && addrOf(x)[0] != '&' {
		return "*" + addrOf(x)
	}
	return x
}

func (l *Lower) assign(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		lt := l.typeOf(s.Lhs[0])
		op := s.Tok.String()
		r := ""
		if op == "<<=" || op == ">>=" {
			r = l.shiftCount(s.Rhs[0])
		} else {
			r = l.exprTo(s.Rhs[0], lt)
		}
		l.line("%s %s %s", l.lval(s.Lhs[0]), op, r)
		return
	}
	def := s.Tok == token.DEFINE
	if len(s.Lhs) != len(s.Rhs) {
		l.multi(s.Lhs, s.Rhs[0], def)
		return
	}
	ltype := func(i int) types.Type {
		id, ok := s.Lhs[i].(*ast.Ident)
		if ok && id.Name == "_" {
			t := l.typeOf(s.Rhs[i])
			if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
				t = types.Default(t)
			}
			return t
		}
		if ok && def {
			if o := l.info.Defs[id]; o != nil {
				return types.Unalias(l.subst(o.Type()))
			}
		}
		return l.typeOf(s.Lhs[i])
	}
	if len(s.Lhs) == 1 {
		e := s.Lhs[0]
		val := l.exprTo(s.Rhs[0], ltype(0))
		if id, ok := e.(*ast.Ident); ok {
			if id.Name == "_" {
				l.line("_ = %s", l.exprTyped(s.Rhs[0], ltype(0)))
				return
			}
			if o := l.info.Defs[id]; def && o != nil {
				l.declare(o, val)
				return
			}
		}
		l.line("%s = %s", l.lvalMap(e), val)
		return
	}
	// index and pointer operands on the left come first
	var lv []func(val string)
	for i, e := range s.Lhs {
		e := ast.Unparen(e)
		switch x := e.(type) {
		case *ast.IndexExpr:
			base := l.expr(x.X)
			it := l.typeOf(x.Index)
			if m, ok := l.typeOf(x.X).Underlying().(*types.Map); ok {
				it = types.Unalias(m.Key())
			} else if b, ok := it.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
				it = types.Typ[types.Int]
			}
			k := l.tmp()
			l.line("%s := %s", k, l.exprTyped(x.Index, it))
			lv = append(lv, func(v string) { l.line("%s[%s] = %s", base, k, v) })
		default:
			lv = append(lv, func(v string) { l.set(s.Lhs[i], v, ltype(i), def) })
		}
	}
	var ts []string
	for i := range s.Rhs {
		t := l.tmp()
		l.line("%s := %s", t, l.exprTyped(s.Rhs[i], ltype(i)))
		ts = append(ts, t)
	}
	for i, e := range s.Lhs {
		if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
			continue
		}
		lv[i](ts[i])
	}
}

func (l *Lower) lvalMap(e ast.Expr) string { return l.lval(e) }
