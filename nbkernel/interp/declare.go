package interp

import (
	"go/ast"
	"go/types"

	"eigenbook/nbkernel/interp/importer"
)

// declare makes the variable and sets it.
func (l *Lower) declare(o types.Object, val string) {
	ts := l.tstr(types.Unalias(l.subst(o.Type())))
	n := l.name(o)
	switch {
	case l.global[o]:
		if val == "" {
			val = l.zero(types.Unalias(l.subst(o.Type())))
		}
		l.line("%s = %s", n, val)
	case l.vars[o].cell():
		l.line("%s := new(%s)", n, ts)
		if val != "" {
			l.line("*%s = %s", n, val)
		}
	case val == "":
		l.line("var %s %s", n, ts)
		// a variable in a loop starts at zero each time
		if v := l.vars[o]; v != nil && v.inLoop {
			l.line("%s = %s", n, l.zero(types.Unalias(l.subst(o.Type()))))
		}
	default:
		l.line("var %s %s = %s", n, ts, val)
	}
}

func (l *Lower) valueSpec(sp *ast.ValueSpec) {
	if len(sp.Values) == 0 {
		for _, id := range sp.Names {
			if id.Name != "_" {
				l.declare(l.info.Defs[id], "")
			}
		}
		return
	}
	if len(sp.Values) == len(sp.Names) {
		var ts []string
		for i, id := range sp.Names {
			o := l.info.Defs[id]
			var to types.Type
			if o != nil {
				to = types.Unalias(l.subst(o.Type()))
			}
			if len(sp.Names) == 1 {
				if id.Name == "_" {
					l.line("_ = %s", l.expr(sp.Values[i]))
				} else {
					l.declare(o, l.exprTo(sp.Values[i], to))
				}
				return
			}
			t := l.tmp()
			l.line("%s := %s", t, l.exprTyped(sp.Values[i], to))
			ts = append(ts, t)
		}
		for i, id := range sp.Names {
			if id.Name != "_" {
				l.declare(l.info.Defs[id], ts[i])
			}
		}
		return
	}
	lhs := make([]ast.Expr, len(sp.Names))
	for i, id := range sp.Names {
		lhs[i] = id
	}
	l.multi(lhs, sp.Values[0], true)
}

// exprTyped is exprTo for the right side of :=, where a bare constant would lose its type.
func (l *Lower) exprTyped(e ast.Expr, to types.Type) string {
	x := l.exprTo(e, to)
	if l.info.Types[e].Value != nil && !importer.IsInterface(to) {
		if b, ok := to.(*types.Basic); ok {
			return b.Name() + "(" + x + ")"
		}
	}
	if x == "nil" {
		return "(" + l.tstr(to) + ")(nil)"
	}
	return x
}
