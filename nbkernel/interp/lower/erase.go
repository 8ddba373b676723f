package lower

import (
	"go/ast"
	"go/types"
)

// The core of a type is the form that its values have in lowered code, be the type erased or not:
// what can be indexed, called, sent to and so on. An expression of an erased type is an
// interface{} that holds nil, for the zero value, or a value of the core; rep takes the value out
// and erase puts it in.

// erased reports whether a type is written as interface{} because it is recursive.
func (l *lowering) erased(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		return l.erased(types.Unalias(t))
	case *types.Named:
		return l.verdict(t).itself
	case *types.Pointer:
		return l.holdsCut(t.Elem())
	case *types.Slice:
		return l.holdsCut(t.Elem())
	case *types.Chan:
		return l.holdsCut(t.Elem())
	case *types.Map:
		return l.holdsCut(t.Key()) || l.holdsCut(t.Elem())
	case *types.Signature:
		return l.namesCut(t)
	}
	return false
}

// holdsCut reports whether a value of type t is or has as a part one whose pointers are erased.
func (l *lowering) holdsCut(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		return l.holdsCut(types.Unalias(t))
	case *types.Named:
		return l.verdict(t).pointers
	case *types.Array:
		return l.holdsCut(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if l.holdsCut(f.Type()) {
				return true
			}
		}
	}
	return false
}

// namesCut reports whether t, which is or stands in a function type, names a type for which those
// are erased.
func (l *lowering) namesCut(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		return l.namesCut(types.Unalias(t))
	case *types.Named:
		return l.verdict(t).funcs || l.verdict(t).pointers
	case *types.Pointer:
		return l.namesCut(t.Elem())
	case *types.Slice:
		return l.namesCut(t.Elem())
	case *types.Array:
		return l.namesCut(t.Elem())
	case *types.Chan:
		return l.namesCut(t.Elem())
	case *types.Map:
		return l.namesCut(t.Key()) || l.namesCut(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if l.namesCut(f.Type()) {
				return true
			}
		}
	case *types.Signature:
		return l.namesCut(t.Params()) || l.namesCut(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if l.namesCut(v.Type()) {
				return true
			}
		}
	}
	return false
}

// coreText returns the lowered form of the core of a type.
func (l *lowering) coreText(t types.Type) string {
	if l.erased(t) {
		return l.plainText(l.subst(t.Underlying()))
	}
	return l.typeText(t)
}

// core returns an expression as a value of the core of its type.
func (l *lowering) core(e ast.Expr) string {
	x, isCore := l.value(e)
	if isCore {
		return x
	}
	return l.rep(x, l.typeOf(e))
}

// rep returns x, an expression of type t, as a value of the core of t.
func (l *lowering) rep(x string, t types.Type) string {
	if !l.erased(t) {
		return x
	}
	text := l.coreText(t)
	name := l.helper("rep", "rep "+text, func(name string) {
		l.emit("func %s(x interface{}) %s {\nif x == nil { return nil }\nreturn x.(%s)\n}", name, text, text)
	})
	return name + "(" + x + ")"
}

// erase returns x, a value of the core of t, as an expression of type t.
func (l *lowering) erase(x string, t types.Type) string {
	if !l.erased(t) || x == "nil" {
		return x
	}
	return "rt.Erase(" + x + ")"
}

// recast returns x of type from as an expression of type to, where neither is an interface and
// the one can be assigned or converted to the other as what it is in lowered code.
func (l *lowering) recast(x string, from, to types.Type) string {
	switch {
	case !l.erased(from) && !l.erased(to):
		return x
	case l.erased(from) && l.erased(to) && l.coreText(from) == l.coreText(to):
		return x
	}
	x = l.rep(x, from)
	if l.coreText(from) != l.coreText(to) {
		x = "(" + l.coreText(to) + ")(" + x + ")"
	}
	return l.erase(x, to)
}

// holdsErased reports whether a struct or array has a part of an erased type.
func (l *lowering) holdsErased(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if l.erased(f.Type()) || l.holdsErased(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return l.erased(u.Elem()) || l.holdsErased(u.Elem())
	}
	return false
}
