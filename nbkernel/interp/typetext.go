package interp

import (
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

func (l *Lower) tstr(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return l.tstr(types.Unalias(t))
	case *types.TypeParam:
		panic("type parameter " + t.String() + " not bound")
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return l.s.pkgAlias("unsafe") + ".Pointer"
		}
		if t.Info()&types.IsUntyped != 0 {
			return types.Default(t).String()
		}
		return t.Name()
	case *types.Named:
		if t.Obj().Pkg() == nil {
			return t.Obj().Name() // error
		}
		if importer.IsInterface(t) {
			if _, ok := l.s.imp.CompiledInterface(t); ok {
				return l.compiledName(t)
			}
			return "interface{}"
		}
		if !l.s.imp.Declared(t) {
			return l.compiledName(t)
		}
		return l.named(t)
	case *types.Pointer:
		return "*" + l.tstr(t.Elem())
	case *types.Slice:
		return "[]" + l.tstr(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), l.tstr(t.Elem()))
	case *types.Map:
		return "map[" + l.tstr(t.Key()) + "]" + l.tstr(t.Elem())
	case *types.Chan:
		switch t.Dir() {
		case types.SendOnly:
			return "chan<- " + l.tstr(t.Elem())
		case types.RecvOnly:
			return "<-chan " + l.tstr(t.Elem())
		}
		return "chan (" + l.tstr(t.Elem()) + ")"
	case *types.Signature:
		return "func" + l.sigstr(t, nil, nil)
	case *types.Struct:
		var sb strings.Builder
		sb.WriteString("struct {")
		for i := 0; i < t.NumFields(); i++ {
			if i > 0 {
				sb.WriteString("; ")
			}
			f := t.Field(i)
			sb.WriteString(l.field(f, i) + " " + l.tstr(f.Type()))
			tag := t.Tag(i)
			if !f.Exported() {
				tag = `json:"-" xml:"-"`
			}
			if tag != "" {
				sb.WriteString(" " + strconv.Quote(tag))
			}
		}
		sb.WriteString("}")
		return sb.String()
	case *types.Interface:
		return "interface{}"
	}
	panic(fmt.Sprintf("tstr %T %v", t, t))
}

func (l *Lower) sigstr(t *types.Signature, pnames, rnames []string) string {
	var sb strings.Builder
	sb.WriteString("(")
	for i := 0; i < t.Params().Len(); i++ {
		if i > 0 {
			sb.WriteString(", ")
		}
		if pnames != nil {
			sb.WriteString(pnames[i] + " ")
		}
		pt := t.Params().At(i).Type()
		if t.Variadic() && i == t.Params().Len()-1 {
			sb.WriteString("..." + l.tstr(pt.Underlying().(*types.Slice).Elem()))
		} else {
			sb.WriteString(l.tstr(pt))
		}
	}
	sb.WriteString(")")
	if n := t.Results().Len(); n > 0 {
		sb.WriteString(" (")
		for i := 0; i < n; i++ {
			if i > 0 {
				sb.WriteString(", ")
			}
			if rnames != nil {
				sb.WriteString(rnames[i] + " ")
			}
			sb.WriteString(l.tstr(t.Results().At(i).Type()))
		}
		sb.WriteString(")")
	}
	return sb.String()
}

func (l *Lower) field(f *types.Var, i int) string {
	if f.Pkg() != nil && !l.s.imp.Source(f.Pkg()) {
		return f.Name()
	}
	if f.Name() == "_" {
		return fmt.Sprintf("U_blank%d", i)
	}
	if !f.Exported() {
		return "U_" + f.Name()
	}
	return f.Name()
}

// named returns the name of the lowered declaration of a user's named type.
func (l *Lower) named(t *types.Named) string {
	k := l.s.table.Key(t)
	local := t.Obj().Parent() != nil && t.Obj().Pkg() != nil && t.Obj().Parent() != t.Obj().Pkg().Scope()
	if local {
		k += "@" + l.envKey
	}
	if n, ok := l.s.tnames[k]; ok {
		return n
	}
	l.s.n++
	n := fmt.Sprintf("%s_T%d", t.Obj().Name(), l.s.n)
	l.s.tnames[k] = n
	u := t.Underlying()
	if local {
		u = l.subst(u)
	}
	us := l.tstr(u)
	if us == "struct {}" { // the interpreter looks at the first field
		us = "struct { U_0 bool }"
	}
	fmt.Fprintf(l.decls, "type %s %s\n", n, us)
	return n
}

func (l *Lower) compiledName(t *types.Named) string {
	if l.s.imp.Exported(t) {
		return l.s.pkgAlias(t.Obj().Pkg().Path()) + "." + t.Obj().Name()
	}
	r, _ := l.s.imp.Reflected(t)
	return l.s.hiddenType(r)
}

func (s *Session) pkgAlias(p string) string {
	if a, ok := s.aliases[p]; ok {
		return a
	}
	s.n++
	a := fmt.Sprintf("p%d", s.n)
	s.aliases[p] = a
	s.pending = append(s.pending, fmt.Sprintf("import %s %q", a, p))
	return a
}

func (s *Session) hiddenType(r reflect.Type) string {
	if n, ok := s.hidden[r]; ok {
		return s.pkgAlias("eb/hidden") + "." + n
	}
	n := fmt.Sprintf("H%d", len(s.hidden))
	s.hidden[r] = n
	s.I.Use(importer.Symbols{"eb/hidden/hidden": {n: reflect.Zero(reflect.PointerTo(r))}})
	return s.pkgAlias("eb/hidden") + "." + n
}
