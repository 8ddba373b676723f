package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (l *lowering) assign(s *ast.AssignStmt) {
	define := s.Tok == token.DEFINE
	switch {
	case s.Tok != token.ASSIGN && !define:
		l.assignOp(s)
	case len(s.Lhs) != len(s.Rhs):
		l.multi(s.Lhs, s.Rhs[0], define)
	case len(s.Lhs) == 1:
		l.assignOne(s.Lhs[0], s.Rhs[0], define)
	default:
		l.assignAll(s.Lhs, s.Rhs, define)
	}
}

func (l *lowering) assignOp(s *ast.AssignStmt) {
	var value string
	if s.Tok == token.SHL_ASSIGN || s.Tok == token.SHR_ASSIGN {
		value = l.shiftCount(s.Rhs[0])
	} else {
		value = l.exprTo(s.Rhs[0], l.typeOf(s.Lhs[0]))
	}
	l.line("%s %s %s", l.place(s.Lhs[0]), s.Tok, value)
}

func (l *lowering) assignOne(to, value ast.Expr, define bool) {
	t := l.assignedType(to, value, define)
	if isBlank(to) {
		l.line("_ = %s", l.exprTyped(value, t))
		return
	}
	x := l.exprTo(value, t)
	if id, ok := to.(*ast.Ident); ok && define && l.info.Defs[id] != nil {
		l.declare(l.info.Defs[id], x)
		return
	}
	l.line("%s = %s", l.place(to), x)
}

// assignAll assigns several values at once: index operands on the left come first, then the
// values, then the assignments (The Go Programming Language Specification, Assignment
// statements).
func (l *lowering) assignAll(to, values []ast.Expr, define bool) {
	stores := make([]func(value string), len(to))
	changed := l.changedBy(to)
	for i, e := range to {
		if isPart(e) {
			place := l.fixedPlace(e, changed)
			stores[i] = func(value string) { l.line("%s = %s", place, value) }
			continue
		}
		stores[i] = func(value string) { l.store(e, value, l.assignedType(e, values[i], define), define) }
	}
	names := make([]string, len(values))
	for i, value := range values {
		names[i] = l.tmp()
		l.line("%s := %s", names[i], l.exprTyped(value, l.assignedType(to[i], value, define)))
	}
	for i, e := range to {
		if !isBlank(e) {
			stores[i](names[i])
		}
	}
}

// assignedType returns the type that a value takes when it is assigned to e.
func (l *lowering) assignedType(e, value ast.Expr, define bool) types.Type {
	if isBlank(e) {
		return defaultType(l.typeOf(value))
	}
	if id, ok := e.(*ast.Ident); ok && define {
		if t := l.definedType(id); t != nil {
			return t
		}
	}
	return l.typeOf(e)
}

// multi assigns the several values of an expression.
func (l *lowering) multi(to []ast.Expr, value ast.Expr, define bool) {
	x, ts := l.several(value)
	names := make([]string, len(to))
	operator := "="
	for i, e := range to {
		names[i] = "_"
		if !isBlank(e) {
			names[i], operator = l.tmp(), ":="
		}
	}
	l.line("%s %s %s", strings.Join(names, ", "), operator, x)
	l.storeAll(to, names, ts, define)
}

// storeAll assigns variables of these types at once, as assignAll does.
func (l *lowering) storeAll(to []ast.Expr, names []string, from []types.Type, define bool) {
	changed := l.changedBy(to)
	stores := make([]func(value string), len(to))
	for i, e := range to {
		if isBlank(e) {
			continue
		}
		if len(to) > 1 && isPart(e) {
			place := l.fixedPlace(e, changed)
			stores[i] = func(value string) { l.line("%s = %s", place, l.conv(value, from[i], l.typeOf(e))) }
			continue
		}
		stores[i] = func(value string) { l.store(e, value, from[i], define) }
	}
	for i, store := range stores {
		if store != nil {
			store(names[i])
		}
	}
}

// several returns an expression with several values and their types.
func (l *lowering) several(value ast.Expr) (x string, ts []types.Type) {
	withOK := func(t types.Type) []types.Type { return []types.Type{t, types.Typ[types.Bool]} }
	switch e := ast.Unparen(value).(type) {
	case *ast.TypeAssertExpr:
		return l.assertOK(e), withOK(l.typeOf(e.Type))
	case *ast.IndexExpr:
		m := l.typeOf(e.X).Underlying().(*types.Map)
		return l.core(e.X) + "[" + l.exprTo(e.Index, m.Key()) + "]", withOK(m.Elem())
	case *ast.UnaryExpr:
		return "<-" + l.core(e.X), withOK(l.typeOf(e.X).Underlying().(*types.Chan).Elem())
	case *ast.CallExpr:
		for v := range l.info.TypeOf(e).(*types.Tuple).Variables() {
			ts = append(ts, l.objectType(v))
		}
		return l.call(e), ts
	}
	panic(fmt.Sprintf("no several values of %T", value))
}

// store assigns a value of type from to e, or declares the variable e with it.
func (l *lowering) store(e ast.Expr, value string, from types.Type, define bool) {
	if id, ok := e.(*ast.Ident); ok && define {
		if t := l.definedType(id); t != nil {
			l.declare(l.info.Defs[id], l.conv(value, from, t))
			return
		}
	}
	l.line("%s = %s", l.place(e), l.conv(value, from, l.typeOf(e)))
}
