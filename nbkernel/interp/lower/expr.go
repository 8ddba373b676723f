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
	x, isCore := l.value(e)
	if isCore {
		return l.erase(x, l.typeOf(e))
	}
	return x
}

// value returns an expression as a value of its own type or, if isCore, of the core of that.
func (l *lowering) value(e ast.Expr) (x string, isCore bool) {
	if tv, ok := l.info.Types[e]; ok && tv.Value != nil {
		if t := l.subst(tv.Type); !isTypeParam(tv.Type) || !importer.IsInterface(t) {
			return l.constant(tv.Value, t), false
		}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		x, isCore = l.value(e.X)
		return "(" + x + ")", isCore
	case *ast.Ident:
		return l.object(e)
	case *ast.BasicLit:
		return e.Value, false
	case *ast.FuncLit:
		return l.funcLit(e, ""), true
	case *ast.CompositeLit:
		return l.compositeLit(e), true
	case *ast.SelectorExpr:
		return l.selector(e)
	case *ast.IndexExpr:
		return l.index(e)
	case *ast.IndexListExpr: // type arguments
		return l.value(e.X)
	case *ast.SliceExpr:
		return l.slice(e), true
	case *ast.StarExpr:
		return "(*" + l.core(e.X) + ")", false
	case *ast.UnaryExpr:
		return l.unary(e), e.Op == token.AND
	case *ast.BinaryExpr:
		return l.binary(e), false
	case *ast.TypeAssertExpr:
		return l.assert(e), false
	case *ast.CallExpr:
		return l.call(e), l.makesCore(e)
	}
	panic(fmt.Sprintf("no lowering of %T", e))
}

// makesCore reports whether a call is one of a builtin that makes a value.
func (l *lowering) makesCore(e *ast.CallExpr) bool {
	if !l.info.Types[e.Fun].IsBuiltin() {
		return false
	}
	switch identOf(e.Fun).Name {
	case "append", "make", "new":
		return true
	}
	return false
}

// object returns the text of what a name stands for.
func (l *lowering) object(id *ast.Ident) (x string, isCore bool) {
	o := l.info.Uses[id]
	if o == nil {
		o = l.info.Defs[id]
	}
	switch o := o.(type) {
	case *types.Nil:
		return "nil", false
	case *types.Var:
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() && !l.p.importer.Source(o) {
			return l.p.alias(o.Pkg().Path()) + "." + o.Name(), false
		}
		return l.variable(o), false
	case *types.Func:
		if instead := ending[o.FullName()]; instead != "" {
			l.refuse(id, "%s is not supported here: %s", o.FullName(), instead)
		}
		return l.funcValue(id, o), true
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

func (l *lowering) index(e *ast.IndexExpr) (x string, isCore bool) {
	if id := identOf(e.X); id != nil {
		if _, ok := l.info.Instances[id]; ok { // a type argument
			return l.value(e.X)
		}
	}
	if m, ok := l.typeOf(e.X).Underlying().(*types.Map); ok {
		return l.core(e.X) + "[" + l.exprTo(e.Index, m.Key()) + "]", false
	}
	return l.core(e.X) + "[" + l.expr(e.Index) + "]", false
}

func (l *lowering) slice(e *ast.SliceExpr) string {
	text := l.core(e.X) + "["
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
		return "(" + e.Op.String() + l.core(e.X) + ")"
	}
	if literal, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
		if t := l.typeOf(literal); l.erased(t) {
			return l.newValue(l.expr(literal), t)
		}
		return "&" + l.expr(literal)
	}
	if v := l.compiledVariable(e.X); v != nil {
		return l.p.address(v)
	}
	if x, ok := ast.Unparen(e.X).(*ast.StarExpr); ok { // a nil pointer panics, too
		t := l.coreText(l.typeOf(e))
		return fmt.Sprintf("func(p %s) %s { if p == nil { rt.NilDereference() }; return p }(%s)", t, t, l.core(x.X))
	}
	if x, ok := ast.Unparen(e.X).(*ast.IndexExpr); ok { // yaegi does not index the array that a pointer points to
		if _, pointer := l.typeOf(x.X).Underlying().(*types.Pointer); pointer {
			return "&" + l.core(x.X) + "[:][" + l.expr(x.Index) + "]"
		}
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
		case either || holdsInterface(x) || l.holdsErased(x):
			not := ""
			if e.Op == token.NEQ {
				not = "!"
			}
			return fmt.Sprintf("(%srt.Eq(%s, %s))", not, l.exprTo(e.X, anyT), l.exprTo(e.Y, anyT))
		case isNil(x), isNil(y):
			return "(" + l.expr(e.X) + " " + e.Op.String() + " " + l.expr(e.Y) + ")"
		}
		return "(" + l.core(e.X) + " " + e.Op.String() + " " + l.core(e.Y) + ")"
	case token.SHL, token.SHR:
		x := l.expr(e.X)
		if l.info.Types[e.X].Value != nil {
			x = typedConstant(x, types.Unalias(l.subst(l.info.Types[e.X].Type)))
		}
		return "(" + x + " " + e.Op.String() + " " + l.shiftCount(e.Y) + ")"
	}
	return "(" + l.expr(e.X) + " " + e.Op.String() + " " + l.expr(e.Y) + ")"
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
