package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"unicode/utf8"
)

// forStmt emits a three-clause loop. yaegi's loop variable is one for all turns; where a closure
// or an address keeps it, it is on the heap and each turn but the first begins with a copy:
//
//	first := true
//	for {
//		if first { first = false } else { copy variables; post }
//		if !(cond) { break }
//		body
//	}
//
// The same form serves a post statement that lowers to several.
func (l *lowering) forStmt(s *ast.ForStmt, label string) {
	l.unlocated(s.Init, "")
	l.within(label, true, func(t *target) {
		variables := l.heapLoopVars(s.Init)
		var cond string
		if s.Cond != nil {
			cond = l.expr(s.Cond)
		}
		post := strings.TrimSpace(l.captured(func() { l.unlocated(s.Post, "") }))
		switch {
		case len(variables) > 0 || strings.Contains(post, "\n"):
			first := l.tmp()
			l.line("%s := true", first)
			l.mark(t)
			l.line("for {")
			l.line("if %s { %s = false } else {", first, first)
			for _, o := range variables {
				copied := l.tmp()
				l.line("%s := new(%s)\n*%s = *%s\n%s = %s", copied, l.typeText(l.objectType(o)), copied, l.name(o), l.name(o), copied)
			}
			l.line("%s\n}", post)
			if cond != "" {
				l.line("if !(%s) { break }", cond)
			}
		case cond == "" && post == "":
			l.mark(t)
			l.line("for {")
		default:
			l.mark(t)
			l.line("for ; %s; %s {", cond, post)
		}
		t.again = l.turns(s)
		l.stmts(s.Body.List)
		if t.again != "" {
			l.unknown()
			l.hold(t.again)
		}
		l.line("}")
	})
}

// heapLoopVars returns the variables that a loop declares and that are on the heap.
func (l *lowering) heapLoopVars(init ast.Stmt) (variables []types.Object) {
	a, ok := init.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE {
		return nil
	}
	for _, e := range a.Lhs {
		if o := l.info.Defs[e.(*ast.Ident)]; o != nil && l.onHeap(o) {
			variables = append(variables, o)
		}
	}
	return variables
}

func (l *lowering) rangeStmt(s *ast.RangeStmt, label string) {
	if l.isRangeFunc(s) {
		l.rangeFunc(s, label)
		return
	}
	b, ok := l.typeOf(s.X).Underlying().(*types.Basic)
	switch {
	case !ok:
		l.rangeElements(s, label)
	case b.Info()&types.IsInteger != 0:
		l.rangeInt(s, label)
	default:
		l.rangeString(s, label)
	}
}

// rangeInt emits a range over an integer, which yaegi does not have, as a counting loop.
func (l *lowering) rangeInt(s *ast.RangeStmt, label string) {
	t := defaultType(l.typeOf(s.X))
	if !isBlank(s.Key) {
		t = l.assignedType(s.Key, s.X, true)
	}
	n, i := l.tmp(), l.tmp()
	l.line("var %s %s = %s", n, l.typeText(t), l.exprTo(s.X, t))
	l.within(label, true, func(to *target) {
		l.mark(to)
		own := l.ownLoopVar(s.Key, s.Tok)
		if own != "" {
			i = own
		}
		l.line("for %s := %s(0); %s < %s; %s++ {", i, l.typeText(t), i, n, i)
		if own == "" && !isBlank(s.Key) {
			l.store(s.Key, i, t, s.Tok == token.DEFINE)
		}
		l.stmts(s.Body.List)
		l.line("}")
	})
}

// rangeElements emits a range over an array, slice, map or channel. The operand goes to a
// variable: yaegi evaluates it again in some forms.
func (l *lowering) rangeElements(s *ast.RangeStmt, label string) {
	over := l.tmp()
	l.line("%s := %s", over, l.core(s.X))
	keyType, valueType := elementTypes(l.typeOf(s.X))
	l.within(label, true, func(t *target) {
		l.mark(t)
		key, value, store := l.loopVars(s, keyType, valueType)
		length, isArray := arrayLength(l.typeOf(s.X))
		switch {
		case value == "_" && isArray: // of an array, or a nil pointer to one, only the length counts
			if key == "_" {
				key = l.tmp()
			}
			l.line("for %s := 0; %s < %d; %s++ {", key, key, length, key)
		case key == "_" && value == "_":
			l.line("for range %s {", over)
		case value == "_":
			l.line("for %s := range %s {", key, over)
		default:
			l.line("for %s, %s := range %s {", key, value, over)
		}
		store()
		l.stmts(s.Body.List)
		l.line("}")
	})
}

// rangeString emits a range over a string. yaegi's own counts on after a byte that is no UTF-8,
// and its offsets without runes are those of runes.
//
//	for next := 0; next < len(s); {
//		at := next
//		r, size := rune(s[at]), 1
//		if r >= utf8.RuneSelf { r, size = rt.Rune(s, at) }
//		next += size
//		body
//	}
func (l *lowering) rangeString(s *ast.RangeStmt, label string) {
	over, next, at, r, size := l.tmp(), l.tmp(), l.tmp(), l.tmp(), l.tmp()
	l.line("%s := string(%s)", over, l.expr(s.X))
	l.line("%s := 0", next)
	l.within(label, true, func(t *target) {
		l.mark(t)
		l.line("for %s < len(%s) {", next, over)
		l.line("%s := %s", at, next)
		l.line("%s, %s := rune(%s[%s]), 1", r, size, over, at)
		l.line("if %s >= %d { %s, %s = rt.Rune(%s, %s) }", r, utf8.RuneSelf, r, size, over, at)
		l.line("%s += %s", next, size)
		var to []ast.Expr
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if e != nil {
				to = append(to, e)
			}
		}
		keyType, valueType := elementTypes(types.Typ[types.String])
		l.storeAll(to, []string{at, r}, []types.Type{keyType, valueType}, s.Tok == token.DEFINE)
		l.stmts(s.Body.List)
		l.line("}")
	})
}

// arrayLength returns the length of an array that t is or points to.
func arrayLength(t types.Type) (length int64, ok bool) {
	t = t.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	a, ok := t.(*types.Array)
	if !ok {
		return 0, false
	}
	return a.Len(), true
}

// elementTypes returns the types of what a range over t yields, nil for a missing second value.
func elementTypes(t types.Type) (key, value types.Type) {
	t = t.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch t := t.(type) {
	case *types.Slice:
		return types.Typ[types.Int], types.Unalias(t.Elem())
	case *types.Array:
		return types.Typ[types.Int], types.Unalias(t.Elem())
	case *types.Map:
		return types.Unalias(t.Key()), types.Unalias(t.Elem())
	case *types.Chan:
		return types.Unalias(t.Elem()), nil
	}
	return types.Typ[types.Int], types.Typ[types.Rune]
}

// loopVars returns the names that a range statement sets, and what emits their assignment to the
// loop's variables at the head of the body.
func (l *lowering) loopVars(s *ast.RangeStmt, keyType, valueType types.Type) (key, value string, store func()) {
	var to []ast.Expr
	var names []string
	var from []types.Type
	name := func(e ast.Expr, t types.Type) string {
		if isBlank(e) {
			return "_"
		}
		if own := l.ownLoopVar(e, s.Tok); own != "" {
			return own
		}
		to, names, from = append(to, e), append(names, l.tmp()), append(from, t)
		return names[len(names)-1]
	}
	key, value = name(s.Key, keyType), name(s.Value, valueType)
	return key, value, func() { l.storeAll(to, names, from, s.Tok == token.DEFINE) }
}

// ownLoopVar returns the name of a loop variable that may be the interpreter's own, which is one
// for all turns, because the body neither sets nor keeps it; "" if there is none.
func (l *lowering) ownLoopVar(e ast.Expr, tok token.Token) string {
	id, ok := e.(*ast.Ident)
	if !ok || tok != token.DEFINE || id.Name == "_" {
		return ""
	}
	o := l.info.Defs[id]
	if v := l.vars[o]; o == nil || v == nil || v.assigned || v.captured || v.addressed || l.p.global[o] {
		return ""
	}
	return l.name(o)
}
