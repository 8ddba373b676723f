package lower

import (
	"go/ast"
	"go/types"

	"eigenbook/nbkernel/interp/importer"
)

// yaegi cannot represent a type that refers to itself other than through a struct, such as
//
//	type Tree map[string]Tree
//	type State func(*Lexer) State
//
// or a struct that holds another one by value which points back to it:
//
//	type element struct { next *element; list *List }
//	type List struct { root element }
//
// Such a type is erased: in lowered code its values are interface values that hold what the type
// is made of, here map[string]interface{} and func(*Lexer) interface{}. Where one is used as what
// it is, indexed or called, made asserts it; nil holds the zero value. Of the
// structs only the field that points back, here list, is such an interface value.

// erased reports whether t is such a type.
func (l *lowering) erased(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || importer.IsInterface(named) || !l.p.importer.Declared(named) {
		return false
	}
	known, ok := l.p.erased[named]
	if !ok {
		known = refersTo(named.Underlying(), named, map[types.Type]bool{})
		l.p.erased[named] = known
	}
	return known
}

// refersTo reports whether t has target among its parts, structs not counted.
func refersTo(t types.Type, target *types.Named, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		return types.Identical(t, target) || refersTo(t.Underlying(), target, seen)
	case *types.Pointer:
		return refersTo(t.Elem(), target, seen)
	case *types.Slice:
		return refersTo(t.Elem(), target, seen)
	case *types.Array:
		return refersTo(t.Elem(), target, seen)
	case *types.Chan:
		return refersTo(t.Elem(), target, seen)
	case *types.Map:
		return refersTo(t.Key(), target, seen) || refersTo(t.Elem(), target, seen)
	case *types.Signature:
		return refersTo(t.Params(), target, seen) || refersTo(t.Results(), target, seen)
	case *types.Tuple:
		for v := range t.Variables() {
			if refersTo(v.Type(), target, seen) {
				return true
			}
		}
	}
	return false
}

// madeOf returns the lowered form of what the values of an erased type hold, and of other types
// their own.
func (l *lowering) madeOf(t types.Type) string {
	if l.erased(t) {
		return l.typeText(l.subst(t.Underlying()))
	}
	return l.typeText(t)
}

// made returns x, of type t, as what t is made of.
func (l *lowering) made(x string, t types.Type) string {
	if !l.erased(t) {
		return x
	}
	return l.fromInterface(x, t, l.madeOf(t))
}

// fromInterface returns what the interface value x holds for a value of type t.
func (l *lowering) fromInterface(x string, t types.Type, text string) string {
	function := l.helper("made", "made "+l.p.table.Key(t), func(function string) {
		l.emit("func %s(x interface{}) %s {\nif x == nil { return nil }\nreturn x.(%s)\n}", function, text, text)
	})
	return function + "(" + x + ")"
}

// pointerTo returns a pointer to a new value of an erased type.
func pointerTo(x string) string {
	return "func() *interface{} { p := new(interface{}); *p = " + x + "; return p }()"
}

// operand returns an expression as what its type is made of.
func (l *lowering) operand(e ast.Expr) string { return l.made(l.expr(e), l.typeOf(e)) }

// erasedField reports whether f points to a struct that holds the struct of f by value.
func (l *lowering) erasedField(f *types.Var) bool {
	p, ok := f.Type().Underlying().(*types.Pointer)
	if !ok || !f.IsField() {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !l.p.importer.Declared(named) {
		return false
	}
	s, ok := named.Underlying().(*types.Struct)
	return ok && holdsInside(s, f.Origin())
}

// holdsInside reports whether a struct has f as a field of a struct that it holds by value.
func holdsInside(s *types.Struct, f *types.Var) bool {
	for g := range s.Fields() {
		t := g.Type().Underlying()
		for a, ok := t.(*types.Array); ok; a, ok = t.(*types.Array) {
			t = a.Elem().Underlying()
		}
		inner, ok := t.(*types.Struct)
		if !ok {
			continue
		}
		for h := range inner.Fields() {
			if h.Origin() == f {
				return true
			}
		}
		if holdsInside(inner, f) {
			return true
		}
	}
	return false
}

// madeField returns x, the value of field f, as a value of its type.
func (l *lowering) madeField(x string, f *types.Var) string {
	if !l.erasedField(f) {
		return x
	}
	t := types.Unalias(l.subst(f.Type()))
	return l.fromInterface(x, t, l.typeText(t))
}

// erasedPlace returns the field that e selects as it is stored, if it is erased.
func (l *lowering) erasedPlace(e ast.Expr) (place string, ok bool) {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || l.info.Selections[s] == nil || l.info.Selections[s].Kind() != types.FieldVal {
		return "", false
	}
	t := l.typeOf(s.X)
	o, index := l.lookup(t, s)
	f := o.(*types.Var)
	if !l.erasedField(f) {
		return "", false
	}
	last := len(index) - 1
	x, _ := l.path(l.expr(s.X), t, index[:last])
	return x + "." + l.field(f, index[last]), true
}
