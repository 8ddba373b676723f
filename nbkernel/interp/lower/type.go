package lower

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

// typeText returns the lowered form of a type.
func (l *lowering) typeText(t types.Type) string {
	if l.erased(t) {
		return "interface{}"
	}
	return l.plainText(t)
}

// plainText returns the lowered form of a type that is not erased, though its parts may be.
func (l *lowering) plainText(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return l.typeText(types.Unalias(t))
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return l.p.alias("unsafe") + ".Pointer"
		}
		return defaultType(t).String()
	case *types.Named:
		return l.namedText(t)
	case *types.Pointer:
		return "*" + l.typeText(t.Elem())
	case *types.Slice:
		return "[]" + l.typeText(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), l.typeText(t.Elem()))
	case *types.Map:
		return "map[" + l.typeText(t.Key()) + "]" + l.typeText(t.Elem())
	case *types.Chan:
		switch t.Dir() {
		case types.SendOnly:
			return "chan<- " + l.typeText(t.Elem())
		case types.RecvOnly:
			return "<-chan " + l.typeText(t.Elem())
		}
		return "chan (" + l.typeText(t.Elem()) + ")"
	case *types.Signature:
		return "func" + l.signatureText(t, nil, nil)
	case *types.Struct:
		return l.structText(t)
	case *types.Interface:
		return "interface{}"
	}
	panic(fmt.Sprintf("no lowered form of the type %v, a %T", t, t))
}

func (l *lowering) namedText(t *types.Named) string {
	if t.Obj().Pkg() == nil {
		return t.Obj().Name() // error
	}
	if importer.IsInterface(t) {
		if _, ok := l.p.importer.CompiledInterface(t); !ok {
			return "interface{}"
		}
		return l.compiledName(t)
	}
	if !l.p.importer.Declared(t) {
		return l.compiledName(t)
	}
	return l.declaredName(t)
}

func (l *lowering) compiledName(t *types.Named) string {
	if l.p.importer.Exported(t) {
		return l.p.alias(t.Obj().Pkg().Path()) + "." + t.Obj().Name()
	}
	r, _ := l.p.importer.Reflected(t)
	return l.p.hiddenType(r)
}

// declaredName returns the name of the lowered declaration of a user's named type, which it
// emits when it is first asked for. A type that a generic function declares is another one for
// each set of type arguments.
func (l *lowering) declaredName(t *types.Named) string {
	key := l.p.table.Key(t)
	o := t.Obj()
	local := o.Parent() != nil && o.Parent() != o.Pkg().Scope()
	if local {
		key += "@" + l.key
	}
	if name, ok := l.p.types[key]; ok {
		return name
	}
	name := l.p.fresh("%s_T%d", o.Name())
	set(l.p, l.p.types, key, name) // before its parts are written, which may name it
	underlying := t.Underlying()
	if local {
		underlying = l.subst(underlying)
	}
	text := l.plainText(underlying)
	if text == "struct {}" { // yaegi asserts types by the first field
		text = "struct { U_0 bool }"
	}
	l.emit("type %s %s", name, text)
	if l.verdict(t).recursive { // yaegi must meet it before a type that has it as a part
		l.emit("var %s *%s", l.p.fresh("%s_%d", "made"), name)
	}
	return name
}

// structText writes a struct type. Unexported fields get names and tags of our own: yaegi would
// rename them, and encoders must leave them out.
func (l *lowering) structText(t *types.Struct) string {
	var fields []string
	for i := range t.NumFields() {
		f, tag := t.Field(i), t.Tag(i)
		if !f.Exported() {
			tag = `json:"-" xml:"-"`
		}
		field := l.field(f, i) + " " + l.typeText(f.Type())
		if tag != "" {
			field += " " + strconv.Quote(tag)
		}
		fields = append(fields, field)
	}
	return "struct {" + strings.Join(fields, "; ") + "}"
}

// field returns the lowered name of a field, the one with index i of its struct.
func (l *lowering) field(f *types.Var, i int) string {
	switch {
	case f.Pkg() != nil && !l.p.importer.Source(f), f.Exported():
		return f.Name()
	case f.Name() == "_":
		return fmt.Sprintf("U_blank%d", i)
	}
	return "U_" + f.Name()
}

// signatureText writes parameters and results, with the names given for them.
func (l *lowering) signatureText(t *types.Signature, params, results []string) string {
	var in []string
	for i := range t.Params().Len() {
		typ := t.Params().At(i).Type()
		var text string
		if l.variadic(t) && i == t.Params().Len()-1 {
			text = "..." + l.typeText(typ.Underlying().(*types.Slice).Elem())
		} else {
			text = l.typeText(typ)
		}
		if params != nil {
			text = params[i] + " " + text
		}
		in = append(in, text)
	}
	text := "(" + strings.Join(in, ", ") + ")"
	if t.Results().Len() == 0 {
		return text
	}
	return text + " " + l.resultText(t.Results(), results)
}

// variadic reports whether a function is variadic in lowered code too: one whose list of
// arguments is erased takes it as one value.
func (l *lowering) variadic(t *types.Signature) bool {
	return t.Variadic() && !l.erased(t.Params().At(t.Params().Len()-1).Type())
}

func (l *lowering) resultText(t *types.Tuple, names []string) string {
	var out []string
	for i := range t.Len() {
		text := l.typeText(t.At(i).Type())
		if names != nil {
			text = names[i] + " " + text
		}
		out = append(out, text)
	}
	return "(" + strings.Join(out, ", ") + ")"
}
