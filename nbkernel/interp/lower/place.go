package lower

import (
	"go/ast"
	"go/types"
	"strings"
)

// place returns e as the left side of an assignment, where yaegi does not take (*name).
func (l *lowering) place(e ast.Expr) string {
	if v := l.compiledVariable(e); v != nil {
		return "*" + l.p.address(v)
	}
	if star, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		return "*" + l.core(star.X)
	}
	return assignable(l.expr(e))
}

// compiledVariable returns the variable of a compiled package that e names, nil if there is none.
func (l *lowering) compiledVariable(e ast.Expr) *types.Var {
	selector, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	v, ok := l.info.Uses[selector.Sel].(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() || l.p.importer.Source(v) {
		return nil
	}
	return v
}

func assignable(x string) string {
	if pointer := addrOf(x); strings.HasPrefix(x, "(*") && pointer[0] != '&' {
		return "*" + pointer
	}
	return x
}

// fixedPlace is place for one of several left sides: what the assignment to another one could
// change, the operands of index expressions and pointer indirections, is evaluated now. changed
// has the variables that are assigned.
func (l *lowering) fixedPlace(e ast.Expr, changed map[types.Object]bool) string {
	if l.compiledVariable(e) != nil {
		return l.place(e)
	}
	if star, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		return "*" + l.keptCore(star.X, changed)
	}
	return assignable(l.fixed(e, changed))
}

func (l *lowering) fixed(e ast.Expr, changed map[types.Object]bool) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return "(*" + l.keptCore(e.X, changed) + ")"
	case *ast.SelectorExpr:
		if s := l.info.Selections[e]; s == nil || s.Kind() != types.FieldVal {
			break
		}
		t := l.typeOf(e.X)
		_, index := l.lookup(t, e)
		base := ""
		if _, pointer := t.Underlying().(*types.Pointer); pointer {
			base = l.kept(e.X, changed)
		} else {
			base = l.fixed(e.X, changed)
		}
		x, _ := l.path(base, t, index)
		return x
	case *ast.IndexExpr:
		t := l.typeOf(e.X)
		index, base := defaultType(l.typeOf(e.Index)), ""
		switch u := t.Underlying().(type) {
		case *types.Array:
			base = l.fixed(e.X, changed)
		case *types.Map:
			base, index = l.keptCore(e.X, changed), types.Unalias(u.Key())
		default:
			base = l.keptCore(e.X, changed)
		}
		i := l.tmp()
		l.line("%s := %s", i, l.exprTyped(e.Index, index))
		return base + "[" + i + "]"
	}
	return l.expr(e)
}

// kept returns the present value of e, a variable's name if the variable stays what it is.
func (l *lowering) kept(e ast.Expr, changed map[types.Object]bool) string {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok && !changed[l.info.Uses[id]] {
		return l.expr(e)
	}
	x := l.tmp()
	l.line("%s := %s", x, l.expr(e))
	return x
}

func (l *lowering) keptCore(e ast.Expr, changed map[types.Object]bool) string {
	return l.rep(l.kept(e, changed), l.typeOf(e))
}

// changedBy returns the variables among the left sides of an assignment.
func (l *lowering) changedBy(to []ast.Expr) map[types.Object]bool {
	changed := map[types.Object]bool{}
	for _, e := range to {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			changed[l.info.Uses[id]] = true
		}
	}
	delete(changed, nil)
	return changed
}

// isPart reports whether e is more than a variable's name: an element, a field or what a pointer
// points to.
func isPart(e ast.Expr) bool {
	_, name := ast.Unparen(e).(*ast.Ident)
	return e != nil && !name
}
