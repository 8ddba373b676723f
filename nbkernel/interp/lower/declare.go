package lower

import (
	"go/ast"
	"go/types"

	"eigenbook/nbkernel/interp/importer"
)

// isBlank reports whether e is absent or the blank identifier.
func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return e == nil || ok && id.Name == "_"
}

// declare declares a variable with a value of its type, or its zero value if value is "".
func (l *lowering) declare(o types.Object, value string) {
	t := l.objectType(o)
	name := l.name(o)
	switch {
	case l.p.global[o]:
		if value == "" {
			value = l.zero(t)
		}
		l.line("%s = %s", name, value)
	case l.vars[o].onHeap():
		l.line("%s := new(%s)", name, l.typeText(t))
		if value != "" {
			l.line("*%s = %s", name, value)
		}
	case value == "":
		l.line("var %s %s", name, l.typeText(t))
		if v := l.vars[o]; v != nil && v.inLoop { // yaegi does not clear it again in the next turn
			l.line("%s = %s", name, l.zero(t))
		}
	default:
		l.line("var %s %s = %s", name, l.typeText(t), value)
	}
}

// valueSpec emits a declaration of variables.
func (l *lowering) valueSpec(spec *ast.ValueSpec) {
	switch {
	case len(spec.Values) == 0:
		for _, id := range spec.Names {
			if id.Name != "_" {
				l.declare(l.info.Defs[id], "")
			}
		}
	case len(spec.Values) != len(spec.Names):
		lhs := make([]ast.Expr, len(spec.Names))
		for i, id := range spec.Names {
			lhs[i] = id
		}
		l.multi(lhs, spec.Values[0], true)
	case len(spec.Names) == 1:
		l.declareOrDrop(spec.Names[0], spec.Values[0])
	default:
		values := make([]string, len(spec.Names))
		for i, id := range spec.Names { // all before the first variable exists
			values[i] = l.tmp()
			l.line("%s := %s", values[i], l.exprTyped(spec.Values[i], l.definedType(id)))
		}
		for i, id := range spec.Names {
			if id.Name != "_" {
				l.declare(l.info.Defs[id], values[i])
			}
		}
	}
}

func (l *lowering) declareOrDrop(id *ast.Ident, value ast.Expr) {
	if id.Name == "_" {
		l.line("_ = %s", l.expr(value))
		return
	}
	l.declare(l.info.Defs[id], l.exprTo(value, l.definedType(id)))
}

// definedType returns the type of the variable that a name declares, nil if there is none.
func (l *lowering) definedType(id *ast.Ident) types.Type {
	if o := l.info.Defs[id]; o != nil {
		return l.objectType(o)
	}
	return nil
}

// exprTyped is exprTo for the right side of :=, where a bare constant would lose its type.
func (l *lowering) exprTyped(e ast.Expr, to types.Type) string {
	x := l.exprTo(e, to)
	if l.info.Types[e].Value != nil && !importer.IsInterface(to) {
		if b, ok := to.(*types.Basic); ok {
			return b.Name() + "(" + x + ")"
		}
	}
	if x == "nil" {
		return "(" + l.typeText(to) + ")(nil)"
	}
	return x
}
