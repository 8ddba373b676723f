package importer

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"
)

// Type returns what a reflected type is for the checker, always the same for the same type.
func (im *Importer) Type(t reflect.Type) types.Type {
	im.mu.Lock()
	defer im.mu.Unlock()
	return im.typeOf(t)
}

func (im *Importer) typeOf(t reflect.Type) types.Type {
	if known, ok := im.types[t]; ok {
		return known
	}
	switch {
	case t.Name() == "" || t.PkgPath() == "":
		typ := im.underlying(t)
		im.types[t] = typ
		return typ
	case t.PkgPath() == "iter" && strings.HasPrefix(t.Name(), "Seq"):
		return im.sequence(t)
	}
	return im.named(t)
}

// named describes a named type. It exists before its parts are described, which may refer to
// it.
func (im *Importer) named(t reflect.Type) types.Type {
	pkg := im.pkg(t.PkgPath())
	named := types.NewNamed(types.NewTypeName(0, pkg, t.Name(), nil), nil, nil)
	im.types[t], im.reflected[named] = named, t
	named.SetUnderlying(im.underlying(t))
	if t.Kind() == reflect.Interface {
		return named
	}
	pointer := reflect.PointerTo(t)
	for m := range pointer.Methods() { // promoted ones too, which then look declared
		var receiver types.Type = named
		if _, ok := t.MethodByName(m.Name); !ok {
			receiver = types.NewPointer(named)
		}
		signature := im.signature(m.Type, types.NewParam(0, pkg, "", receiver), 1)
		named.AddMethod(types.NewFunc(0, pkg, m.Name, signature))
	}
	return named
}

// sequence describes iter.Seq[V] or iter.Seq2[K, V], whose arguments stand in the signature.
func (im *Importer) sequence(t reflect.Type) types.Type {
	pkg, err := im.load("iter")
	if err != nil {
		panic(err) // it is our own source
	}
	yield := t.In(0)
	var arguments []types.Type
	for in := range yield.Ins() {
		arguments = append(arguments, im.typeOf(in))
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	instance, err := types.Instantiate(nil, pkg.Scope().Lookup(name).Type(), arguments, false)
	if err != nil {
		panic(err)
	}
	im.types[t] = instance
	return instance
}

// signature describes a function type without its first skip parameters.
func (im *Importer) signature(t reflect.Type, receiver *types.Var, skip int) *types.Signature {
	var in, out []*types.Var
	for i := skip; i < t.NumIn(); i++ {
		in = append(in, types.NewParam(0, nil, "", im.typeOf(t.In(i))))
	}
	for i := range t.NumOut() {
		out = append(out, types.NewParam(0, nil, "", im.typeOf(t.Out(i))))
	}
	return types.NewSignatureType(receiver, nil, nil, types.NewTuple(in...), types.NewTuple(out...), t.IsVariadic())
}

var basic = map[reflect.Kind]types.BasicKind{
	reflect.Bool:          types.Bool,
	reflect.Int:           types.Int,
	reflect.Int8:          types.Int8,
	reflect.Int16:         types.Int16,
	reflect.Int32:         types.Int32,
	reflect.Int64:         types.Int64,
	reflect.Uint:          types.Uint,
	reflect.Uint8:         types.Uint8,
	reflect.Uint16:        types.Uint16,
	reflect.Uint32:        types.Uint32,
	reflect.Uint64:        types.Uint64,
	reflect.Uintptr:       types.Uintptr,
	reflect.Float32:       types.Float32,
	reflect.Float64:       types.Float64,
	reflect.Complex64:     types.Complex64,
	reflect.Complex128:    types.Complex128,
	reflect.String:        types.String,
	reflect.UnsafePointer: types.UnsafePointer,
}

var directions = map[reflect.ChanDir]types.ChanDir{
	reflect.BothDir: types.SendRecv,
	reflect.SendDir: types.SendOnly,
	reflect.RecvDir: types.RecvOnly,
}

// underlying describes the structure of a type.
func (im *Importer) underlying(t reflect.Type) types.Type {
	if kind, ok := basic[t.Kind()]; ok {
		return types.Typ[kind]
	}
	switch t.Kind() {
	case reflect.Slice:
		return types.NewSlice(im.typeOf(t.Elem()))
	case reflect.Array:
		return types.NewArray(im.typeOf(t.Elem()), int64(t.Len()))
	case reflect.Map:
		return types.NewMap(im.typeOf(t.Key()), im.typeOf(t.Elem()))
	case reflect.Pointer:
		return types.NewPointer(im.typeOf(t.Elem()))
	case reflect.Chan:
		return types.NewChan(directions[t.ChanDir()], im.typeOf(t.Elem()))
	case reflect.Func:
		return im.signature(t, nil, 0)
	case reflect.Struct:
		return im.structure(t)
	case reflect.Interface:
		return im.iface(t)
	}
	panic(fmt.Sprintf("importer: no type for %v of kind %v", t, t.Kind()))
}

func (im *Importer) structure(t reflect.Type) types.Type {
	var fields []*types.Var
	var tags []string
	for f := range t.Fields() {
		fields = append(fields, types.NewField(0, im.owner(t, f.PkgPath), f.Name, im.typeOf(f.Type), f.Anonymous))
		tags = append(tags, string(f.Tag))
	}
	return types.NewStruct(fields, tags)
}

func (im *Importer) iface(t reflect.Type) types.Type {
	if t.NumMethod() == 0 {
		return types.Universe.Lookup("any").Type().Underlying()
	}
	var methods []*types.Func
	for m := range t.Methods() {
		methods = append(methods, types.NewFunc(0, im.owner(t, m.PkgPath), m.Name, im.signature(m.Type, nil, 0)))
	}
	return types.NewInterfaceType(methods, nil).Complete()
}

// owner returns the package of a field or method of t: reflection names it if the field or
// method is not exported.
func (im *Importer) owner(t reflect.Type, path string) *types.Package {
	if path == "" {
		path = t.PkgPath()
	}
	if path == "" {
		return nil
	}
	return im.pkg(path)
}
