package interp

import (
	"fmt"
	"go/constant"
	"go/types"

	"eigenbook/nbkernel/interp/importer"
)

var anyT = types.Universe.Lookup("any").Type().Underlying()

// conv gives text of type from the representation of type to.
func (l *Lower) conv(x string, from, to types.Type) string {
	from, to = types.Unalias(from), types.Unalias(to)
	if b, ok := from.(*types.Basic); ok && b.Kind() == types.UntypedNil {
		return "nil"
	}
	if !importer.IsInterface(to) || to == from {
		return x
	}
	_, ci := l.s.imp.CompiledInterface(to)
	if !importer.IsInterface(from) {
		if l.s.imp.Tainted(from) {
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
	_, cf := l.s.imp.CompiledInterface(from)
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
	compiled, _ := l.s.imp.CompiledInterface(t)
	if n, ok := l.s.toI[compiled]; ok {
		return n
	}
	// The type may come from a package that no cell names, whose wrappers are then not known yet.
	if p := compiled.PkgPath(); l.s.imp.Name(p) != "" {
		if _, err := l.s.imp.Import(p); err != nil {
			panic(err)
		}
	}
	k := l.s.table.Interface(compiled)
	n := fmt.Sprintf("to_%d", k)
	l.s.toI[compiled] = n
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

// desc returns the id of t's descriptor, making it and its bind function.
func (l *Lower) desc(t types.Type) int {
	t = types.Unalias(t)
	d, isNew := l.s.table.Describe(t)
	if !isNew {
		return d.ID
	}
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
	if l.s.imp.Tainted(t) && !importer.IsInterface(t) {
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
		if t != nil && l.s.imp.Tainted(t) && !importer.IsInterface(t) {
			l.desc(t)
		}
	}
	return l.s.table.Cases(ts...)
}
