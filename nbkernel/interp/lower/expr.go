package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"eigenbook/nbkernel/interp/importer"
)

// exprTo returns an expression as a value of type to.
func (l *lowering) exprTo(e ast.Expr, to types.Type) string {
	if to == nil {
		return l.expr(e)
	}
	tv := l.info.Types[e]
	if tv.Value == nil {
		return l.conv(l.expr(e), l.typeOf(e), to)
	}
	t := types.Unalias(l.subst(tv.Type))
	if isUntyped(t) && !importer.IsInterface(to) {
		return l.constant(tv.Value, to)
	}
	t = defaultType(t)
	if importer.IsInterface(t) || isTypeParam(t) {
		t = to
	}
	x := l.constant(tv.Value, t)
	if _, compiled := l.p.importer.CompiledInterface(to); !compiled && importer.IsInterface(to) && !l.p.importer.Tainted(t) {
		return "interface{}(" + typedConstant(x, t) + ")"
	}
	return l.conv(x, t, to)
}

// expr returns an expression as a value of its own type.
func (l *lowering) expr(e ast.Expr) string {
	if tv, ok := l.info.Types[e]; ok && tv.Value != nil {
		if t := l.subst(tv.Type); !isTypeParam(tv.Type) || !importer.IsInterface(t) {
			return l.constant(tv.Value, t)
		}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return "(" + l.expr(e.X) + ")"
	case *ast.Ident:
		return l.object(e)
	case *ast.BasicLit:
		return e.Value
	case *ast.FuncLit:
		return l.funcLit(e, "")
	case *ast.CompositeLit:
		return l.compositeLit(e)
	case *ast.SelectorExpr:
		return l.selector(e)
	case *ast.IndexExpr:
		return l.index(e)
	case *ast.IndexListExpr: // type arguments
		return l.expr(e.X)
	case *ast.SliceExpr:
		return l.slice(e)
	case *ast.StarExpr:
		return "(*" + l.operand(e.X) + ")"
	case *ast.UnaryExpr:
		return l.unary(e)
	case *ast.BinaryExpr:
		return l.binary(e)
	case *ast.TypeAssertExpr:
		return l.assert(e)
	case *ast.CallExpr:
		return l.call(e)
	}
	panic(fmt.Sprintf("no lowering of %T", e))
}

// object returns the text of what a name stands for.
func (l *lowering) object(id *ast.Ident) string {
	o := l.info.Uses[id]
	if o == nil {
		o = l.info.Defs[id]
	}
	switch o := o.(type) {
	case *types.Nil:
		return "nil"
	case *types.Var:
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() && !l.p.importer.Source(o) {
			return l.p.alias(o.Pkg().Path()) + "." + o.Name()
		}
		return l.variable(o)
	case *types.Func:
		if instead := ending[o.FullName()]; instead != "" {
			l.refuse(id, "%s is not supported here: %s", o.FullName(), instead)
		}
		return l.funcValue(id, o)
	}
	panic(fmt.Sprintf("no lowering of the name %s for a %T", id.Name, o))
}

// identOf returns the name that a function or method is called by, nil if it has none.
func identOf(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return identOf(e.X)
	case *ast.IndexListExpr:
		return identOf(e.X)
	}
	return nil
}

func (l *lowering) index(e *ast.IndexExpr) string {
	if id := identOf(e.X); id != nil {
		if _, ok := l.info.Instances[id]; ok { // a type argument
			return l.expr(e.X)
		}
	}
	if m, ok := l.typeOf(e.X).Underlying().(*types.Map); ok {
		return l.operand(e.X) + "[" + l.exprTo(e.Index, m.Key()) + "]"
	}
	return l.operand(e.X) + "[" + l.expr(e.Index) + "]"
}

func (l *lowering) slice(e *ast.SliceExpr) string {
	text := l.operand(e.X) + "["
	if e.Low != nil {
		text += l.expr(e.Low)
	}
	text += ":"
	if e.High != nil {
		text += l.expr(e.High)
	}
	if e.Slice3 {
		text += ":" + l.expr(e.Max)
	}
	return text + "]"
}

func (l *lowering) unary(e *ast.UnaryExpr) string {
	if e.Op != token.AND {
		return "(" + e.Op.String() + l.operand(e.X) + ")"
	}
	if literal, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
		if l.erased(l.typeOf(literal)) {
			return pointerTo(l.expr(literal))
		}
		return "&" + l.expr(literal)
	}
	if v := l.compiledVariable(e.X); v != nil {
		return l.p.address(v)
	}
	if x, ok := ast.Unparen(e.X).(*ast.StarExpr); ok { // a nil pointer panics, too
		t := l.typeText(l.typeOf(e))
		return fmt.Sprintf("func(p %s) %s { if p == nil { rt.NilDereference() }; return p }(%s)", t, t, l.expr(x.X))
	}
	if x, ok := ast.Unparen(e.X).(*ast.IndexExpr); ok { // yaegi does not index the array that a pointer points to
		if _, pointer := l.typeOf(x.X).Underlying().(*types.Pointer); pointer {
			return "&" + l.expr(x.X) + "[:][" + l.expr(x.Index) + "]"
		}
	}
	if _, ok := l.erasedPlace(e.X); ok {
		l.refuse(e, "the address of a field that points back to the struct around it cannot be taken here")
	}
	return addrOf(l.expr(e.X))
}

// binary emits an operation. == looks through wrappers and boxes where interfaces are compared,
// also those that a struct or array holds.
func (l *lowering) binary(e *ast.BinaryExpr) string {
	switch e.Op {
	case token.EQL, token.NEQ:
		x, y := l.typeOf(e.X), l.typeOf(e.Y)
		either := importer.IsInterface(x) || importer.IsInterface(y)
		switch {
		case either && isNil(y):
			return "(" + l.expr(e.X) + " " + e.Op.String() + " nil)"
		case either && isNil(x):
			return "(" + l.expr(e.Y) + " " + e.Op.String() + " nil)"
		case either || holdsInterface(x):
			not := ""
			if e.Op == token.NEQ {
				not = "!"
			}
			return fmt.Sprintf("(%srt.Eq(%s, %s))", not, l.exprTo(e.X, anyT), l.exprTo(e.Y, anyT))
		}
	case token.SHL, token.SHR:
		x := l.expr(e.X)
		if l.info.Types[e.X].Value != nil {
			x = typedConstant(x, types.Unalias(l.subst(l.info.Types[e.X].Type)))
		}
		return "(" + x + " " + e.Op.String() + " " + l.shiftCount(e.Y) + ")"
	}
	return "(" + l.operand(e.X) + " " + e.Op.String() + " " + l.operand(e.Y) + ")"
}

// holdsInterface reports whether a value of type t has an interface value among its parts.
func holdsInterface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if holdsInterface(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return holdsInterface(u.Elem())
	}
	return false
}
