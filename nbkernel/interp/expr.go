package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"eigenbook/nbkernel/interp/importer"
)

func (l *Lower) exprTo(e ast.Expr, to types.Type) string {
	if to == nil {
		return l.expr(e)
	}
	if tv := l.info.Types[e]; tv.Value != nil {
		t := types.Unalias(l.subst(tv.Type))
		if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			if !importer.IsInterface(to) {
				return l.constText(tv.Value, to)
			}
			t = types.Default(t)
		}
		if importer.IsInterface(t) || isTypeParam(t) {
			t = to
		}
		x := l.constText(tv.Value, t)
		if importer.IsInterface(to) && !l.s.imp.Tainted(t) {
			return "interface{}(" + l.typedConst(x, t) + ")"
		}
		return l.conv(x, t, to)
	}
	return l.conv(l.expr(e), l.typeOf(e), to)
}

func (l *Lower) expr(e ast.Expr) string {
	if tv, ok := l.info.Types[e]; ok && tv.Value != nil {
		t := l.subst(tv.Type)
		if _, tp := tv.Type.(*types.TypeParam); !tp || !importer.IsInterface(t) {
			return l.constText(tv.Value, t)
		}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return "(" + l.expr(e.X) + ")"
	case *ast.Ident:
		o := l.info.Uses[e]
		if o == nil {
			o = l.info.Defs[e]
		}
		switch o := o.(type) {
		case *types.Nil:
			return "nil"
		case *types.Var:
			if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() && !l.s.imp.Source(o.Pkg()) {
				return l.s.pkgAlias(o.Pkg().Path()) + "." + o.Name()
			}
			return l.varText(o)
		case *types.Func:
			return l.funcVal(e, o)
		}
		l.refuse(e, "cannot lower %s (%T)", e.Name, o)
	case *ast.BasicLit:
		return e.Value
	case *ast.FuncLit:
		return l.funcLit(e)
	case *ast.CompositeLit:
		return l.compLit(e)
	case *ast.SelectorExpr:
		return l.selector(e)
	case *ast.IndexExpr:
		if tv := l.info.Types[e.X]; tv.IsValue() {
			if id := identOf(e.X); id != nil {
				if _, ok := l.info.Instances[id]; ok {
					return l.expr(e.X)
				}
			}
		} else if id := identOf(e.X); id != nil {
			if _, ok := l.info.Instances[id]; ok {
				return l.expr(e.X)
			}
		}
		if m, ok := l.typeOf(e.X).Underlying().(*types.Map); ok {
			return l.expr(e.X) + "[" + l.exprTo(e.Index, m.Key()) + "]"
		}
		return l.expr(e.X) + "[" + l.expr(e.Index) + "]"
	case *ast.IndexListExpr:
		return l.expr(e.X)
	case *ast.SliceExpr:
		s := l.expr(e.X) + "["
		if e.Low != nil {
			s += l.expr(e.Low)
		}
		s += ":"
		if e.High != nil {
			s += l.expr(e.High)
		}
		if e.Slice3 {
			s += ":" + l.expr(e.Max)
		}
		return s + "]"
	case *ast.StarExpr:
		return "(*" + l.expr(e.X) + ")"
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			if _, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
				return "&" + l.expr(ast.Unparen(e.X))
			}
			return addrOf(l.expr(e.X))
		}
		return "(" + e.Op.String() + l.expr(e.X) + ")"
	case *ast.BinaryExpr:
		return l.binary(e)
	case *ast.TypeAssertExpr:
		return l.assert(e, false)
	case *ast.CallExpr:
		return l.call(e)
	}
	panic(fmt.Sprintf("expr %T", e))
}

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
