package lower

import (
	"fmt"
	"go/constant"
	"go/types"

	"eigenbook/nbkernel/interp/importer"
)

var anyT = types.Universe.Lookup("any").Type().Underlying()

// conv returns x, an expression of type from, as a value of type to, to which it can be
// assigned. An interface type is one of two in lowered code: a compiled one is itself, any other
// is interface{}. A value that reflection cannot tell goes into an interface in a box; a box
// becomes a compiled interface by a wrapper, and rt.Norm takes the wrapper off again.
func (l *lowering) conv(x string, from, to types.Type) string {
	from, to = types.Unalias(from), types.Unalias(to)
	if isNil(from) {
		return "nil"
	}
	if to == from {
		return x
	}
	if !importer.IsInterface(to) {
		return l.recast(x, from, to)
	}
	_, toCompiled := l.p.importer.CompiledInterface(to)
	if !importer.IsInterface(from) {
		switch {
		case l.p.importer.Tainted(from) && toCompiled:
			return l.toInterface(to) + "(" + l.box(x, from) + ")"
		case l.p.importer.Tainted(from):
			return l.box(x, from)
		case toCompiled:
			return x
		}
		return "interface{}(" + x + ")"
	}
	_, fromCompiled := l.p.importer.CompiledInterface(from)
	switch {
	case !toCompiled && fromCompiled:
		return "rt.Norm(" + x + ")"
	case !toCompiled, types.Identical(from, to):
		return x
	}
	return l.toInterface(to) + "(" + x + ")"
}

func isNil(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}

func (l *lowering) box(x string, t types.Type) string {
	return fmt.Sprintf("rt.MakeBox(%d, %s)", l.desc(t), l.rep(x, t))
}

// held returns the value of type t that the interface value x is known to hold.
func (l *lowering) held(x string, t types.Type) string {
	switch {
	case importer.IsInterface(t):
		return l.conv(x, anyT, t)
	case l.erased(t):
		return l.erase("rt.Val("+x+")", t)
	case l.p.importer.Tainted(t):
		return "rt.Val(" + x + ").(" + l.typeText(t) + ")"
	}
	return x + ".(" + l.typeText(t) + ")"
}

// toInterface returns the name of the function that gives a value the compiled interface type
// t. It is emitted once.
func (l *lowering) toInterface(t types.Type) string {
	compiled, _ := l.p.importer.CompiledInterface(t)
	if name, ok := l.p.wrappers[compiled]; ok {
		return name
	}
	// The type may come from a package that no cell names, whose wrappers are not known yet.
	if path := compiled.PkgPath(); l.p.importer.Name(path) != "" {
		if _, err := l.p.importer.Import(path); err != nil {
			panic(err)
		}
	}
	number := l.p.table.Interface(compiled)
	name := fmt.Sprintf("to_%d", number)
	set(l.p, l.p.wrappers, compiled, name)
	text := l.typeText(t)
	l.emit("func %s(x interface{}) %s {\nr := rt.Wrap(x, %d)\nif r == nil { return nil }\nreturn r.(%s)\n}", name, text, number, text)
	return name
}

// desc returns the number of t's descriptor. A new one gets its methods bound, and so do the
// parts of t, whose methods the printer may call.
func (l *lowering) desc(t types.Type) int {
	t = types.Unalias(t)
	d, isNew := l.p.table.Describe(t)
	if !isNew {
		return d.ID
	}
	if l.erased(t) {
		l.emit("var %s = rt.Represent(%d, []%s(nil))", l.p.fresh("%s_%d", "core"), d.ID, l.coreText(t))
	}
	l.emitBind(d)
	if pointer := types.NewPointer(t); readsItself(pointer) {
		l.desc(pointer)
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		l.describeParts(u.Elem())
	case *types.Slice:
		l.describeParts(u.Elem())
	case *types.Array:
		l.describeParts(u.Elem())
	case *types.Map:
		l.describeParts(u.Key(), u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			l.describeParts(f.Type())
		}
	}
	return d.ID
}

// readsItself reports whether a value of type t is set by a method when JSON is decoded.
func readsItself(t types.Type) bool {
	for _, name := range []string{"UnmarshalJSON", "UnmarshalText"} {
		if o, _, _ := types.LookupFieldOrMethod(t, false, nil, name); o != nil {
			if _, ok := o.(*types.Func); ok {
				return true
			}
		}
	}
	return false
}

func (l *lowering) describeParts(list ...types.Type) {
	for _, t := range list {
		if t != nil && l.p.importer.Tainted(t) && !importer.IsInterface(t) {
			l.desc(t)
		}
	}
}

// cases returns the number by which rt.Which knows a list of types.
func (l *lowering) cases(list ...types.Type) int {
	l.describeParts(list...)
	return l.p.table.Cases(list...)
}

// zero returns the zero value of a type.
func (l *lowering) zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return l.constant(constant.MakeBool(false), t)
		case u.Info()&types.IsString != 0:
			return l.constant(constant.MakeString(""), t)
		case u.Info()&types.IsNumeric != 0:
			return l.constant(constant.MakeInt64(0), t)
		}
	case *types.Struct, *types.Array:
		return l.typeText(t) + "{}"
	}
	return "nil"
}
