package importer

import (
	"go/constant"
	"go/types"
	"reflect"
)

// declare fills the scope of a package from its symbols. By their reflected form a symbol is
//
//   - a wrapper, when its name starts with _: a nil pointer to a struct type that implements
//     the interface of the same name by calling its fields;
//   - a variable, when it can be addressed;
//   - a type, when it is a nil pointer;
//   - a function;
//   - an untyped constant, when it is a constant.Value;
//   - a typed constant otherwise.
func (im *Importer) declare(path string, symbols map[string]reflect.Value) *types.Package {
	pkg := im.pkg(path)
	im.complete[path] = true
	var interfaces, concrete []reflect.Type
	for name, v := range symbols {
		if name[0] == '_' {
			im.noteWrapper(v, symbols[name[1:]])
			continue
		}
		if o := im.object(pkg, name, v); o != nil {
			pkg.Scope().Insert(o)
		}
		if isType(v) {
			if t := v.Type().Elem(); t.Kind() == reflect.Interface {
				interfaces = append(interfaces, t)
			} else {
				concrete = append(concrete, t)
			}
		}
	}
	for _, t := range interfaces {
		im.addUnexportedMethods(t, concrete)
	}
	pkg.MarkComplete()
	return pkg
}

func isType(v reflect.Value) bool {
	return !v.CanAddr() && v.Kind() == reflect.Pointer && v.IsNil()
}

// noteWrapper keeps which struct type implements which interface type.
func (im *Importer) noteWrapper(wrapper, of reflect.Value) {
	if wrapper.Kind() != reflect.Pointer {
		return
	}
	w := wrapper.Type().Elem()
	if w.Kind() != reflect.Struct || w.NumField() == 0 || w.Field(0).Name != "IValue" {
		return
	}
	im.isWrapper[w] = true
	if of.IsValid() && of.Kind() == reflect.Pointer && of.Type().Elem().Kind() == reflect.Interface {
		im.wrappers[of.Type().Elem()] = w
	}
}

var constantType = reflect.TypeFor[constant.Value]()

// object returns what a symbol declares, nil for a value that can be none.
func (im *Importer) object(pkg *types.Package, name string, v reflect.Value) types.Object {
	t := v.Type()
	switch {
	case v.CanAddr():
		return types.NewVar(0, pkg, name, im.typeOf(t))
	case t.Implements(constantType):
		c := v.Interface().(constant.Value)
		return types.NewConst(0, pkg, name, untyped(pkg.Path()+"."+name, c), c)
	case t.Kind() == reflect.Func:
		return types.NewFunc(0, pkg, name, im.typeOf(t).(*types.Signature))
	case isType(v):
		typ := im.typeOf(t.Elem())
		if named, ok := typ.(*types.Named); ok && named.Obj().Pkg() == pkg && named.Obj().Name() == name {
			return named.Obj()
		}
		return types.NewTypeName(0, pkg, name, typ) // an alias
	}
	if c := typedConstant(v); c != nil {
		return types.NewConst(0, pkg, name, im.typeOf(t), c)
	}
	return nil
}

// runes are the untyped rune constants of the standard library, which are integers in the
// tables of symbols.
var runes = map[string]bool{
	"os.PathListSeparator":        true,
	"os.PathSeparator":            true,
	"path/filepath.ListSeparator": true,
	"path/filepath.Separator":     true,
	"unicode.MaxRune":             true,
	"unicode.ReplacementChar":     true,
	"unicode/utf8.MaxRune":        true,
	"unicode/utf8.RuneError":      true,
}

// untyped returns the type of the untyped constant with this qualified name.
func untyped(name string, c constant.Value) types.Type {
	switch c.Kind() {
	case constant.Bool:
		return types.Typ[types.UntypedBool]
	case constant.String:
		return types.Typ[types.UntypedString]
	case constant.Int:
		if runes[name] {
			return types.Typ[types.UntypedRune]
		}
		return types.Typ[types.UntypedInt]
	case constant.Float:
		return types.Typ[types.UntypedFloat]
	}
	return types.Typ[types.UntypedComplex]
}

// typedConstant returns v as a constant, nil if a constant cannot have its type.
func typedConstant(v reflect.Value) constant.Value {
	switch {
	case v.Kind() == reflect.Bool:
		return constant.MakeBool(v.Bool())
	case v.Kind() == reflect.String:
		return constant.MakeString(v.String())
	case v.CanInt():
		return constant.MakeInt64(v.Int())
	case v.CanUint():
		return constant.MakeUint64(v.Uint())
	case v.CanFloat():
		return constant.MakeFloat64(v.Float())
	}
	return nil
}

// addUnexportedMethods gives the unexported methods of an interface to the concrete types of
// its package that implement it: without them ast.Ident would be no ast.Expr.
func (im *Importer) addUnexportedMethods(iface reflect.Type, concrete []reflect.Type) {
	for m := range iface.Methods() {
		if m.PkgPath == "" {
			continue
		}
		signature := im.typeOf(m.Type).(*types.Signature)
		for _, c := range concrete {
			named, ok := im.types[c].(*types.Named)
			if !ok {
				continue
			}
			var receiver types.Type = named
			if !c.Implements(iface) {
				if !reflect.PointerTo(c).Implements(iface) {
					continue
				}
				receiver = types.NewPointer(named)
			}
			named.AddMethod(types.NewFunc(0, im.pkg(m.PkgPath), m.Name, types.NewSignatureType(
				types.NewParam(0, named.Obj().Pkg(), "", receiver), nil, nil, signature.Params(), signature.Results(), signature.Variadic())))
		}
	}
}
