package interp

import (
	"fmt"
	"go/constant"
	"go/types"
)

var anyT = types.Universe.Lookup("any").Type().Underlying()

// conv gives text of type from the representation of type to.
func (l *Lower) conv(x string, from, to types.Type) string {
	from, to = types.Unalias(from), types.Unalias(to)
	if b, ok := from.(*types.Basic); ok && b.Kind() == types.UntypedNil {
		return "nil"
	}
	if !isIface(to) || to == from {
		return x
	}
	_, ci := compiledIface(to)
	if !isIface(from) {
		if taintedType(from) {
			x = fmt.Sprintf("rt.MakeBox(%d, %s)", l.desc(from), x)
			if ci {
				return l.toIface(to) + "(" + x + ")"
			}
			return x
		}
		if ci {
			return x
		}
		return "interface{}(" + x + ")"
	}
	_, cf := compiledIface(from)
	switch {
	case !cf && !ci:
		return x
	case cf && !ci:
		return "rt.Norm(" + x + ")"
	}
	if types.Identical(from, to) {
		return x
	}
	return l.toIface(to) + "(" + x + ")"
}

// toIface emits, once, the function that gives a value the compiled interface type t.
func (l *Lower) toIface(t types.Type) string {
	rt, _ := compiledIface(t)
	if n, ok := l.s.toI[rt]; ok {
		return n
	}
	// The type may come from a package that no cell names, whose wrappers are then not known yet.
	if p := rt.PkgPath(); p != "" && l.s.Imp.syms[p] != nil {
		if _, err := l.s.Imp.Import(p); err != nil {
			panic(err)
		}
	}
	wrapTab = append(wrapTab, rt)
	k := len(wrapTab) - 1
	n := fmt.Sprintf("to_%d", k)
	l.s.toI[rt] = n
	ts := l.tstr(t)
	fmt.Fprintf(l.decls, "func %s(x interface{}) %s {\nr := rt.Wrap(x, %d)\nif r == nil { return nil }\nreturn r.(%s)\n}\n", n, ts, k, ts)
	return n
}

func (l *Lower) zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return l.constText(constant.MakeBool(false), t)
		case u.Info()&types.IsString != 0:
			return l.constText(constant.MakeString(""), t)
		case u.Info()&types.IsNumeric != 0:
			return l.constText(constant.MakeInt64(0), t)
		}
	case *types.Struct, *types.Array:
		return l.tstr(t) + "{}"
	}
	return "nil"
}

func (l *Lower) zeroTyped(t types.Type) string {
	z := l.zero(t)
	return z
}

// desc returns the id of t's descriptor, making it and its bind function.
func (l *Lower) desc(t types.Type) int {
	t = types.Unalias(t)
	k := typeKey(t)
	if d, ok := descMem[k]; ok {
		return d.ID
	}
	d := &Desc{ID: len(descs), T: t}
	descMem[k] = d
	descs = append(descs, d)
	l.emitBind(d)
	// parts whose methods the printer may call
	switch u := t.(type) {
	case *types.Pointer:
		l.part(u.Elem())
	case *types.Named:
		l.parts(u.Underlying())
	default:
		l.parts(t)
	}
	return d.ID
}

func (l *Lower) part(t types.Type) {
	if taintedType(t) && !isIface(t) {
		l.desc(t)
	}
}

func (l *Lower) parts(t types.Type) {
	switch t := t.(type) {
	case *types.Pointer:
		l.part(t.Elem())
	case *types.Slice:
		l.part(t.Elem())
	case *types.Array:
		l.part(t.Elem())
	case *types.Map:
		l.part(t.Key())
		l.part(t.Elem())
	case *types.Struct:
		for i := 0; i < t.NumFields(); i++ {
			l.part(t.Field(i).Type())
		}
	}
}

func (l *Lower) caseIdx(ts ...types.Type) int {
	for _, t := range ts {
		if t != nil && taintedType(t) && !isIface(t) {
			l.desc(t)
		}
	}
	caseTab = append(caseTab, ts)
	return len(caseTab) - 1
}
