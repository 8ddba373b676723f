package importer

import (
	"go/types"
	"reflect"
)

// IsInterface reports whether t is an interface type and not a type parameter.
func IsInterface(t types.Type) bool {
	_, parameter := t.(*types.TypeParam)
	return !parameter && types.IsInterface(t)
}

// Reflected returns the compiled type that a named type describes.
func (im *Importer) Reflected(t types.Type) (reflect.Type, bool) {
	im.mu.Lock()
	defer im.mu.Unlock()
	r, ok := im.reflected[t]
	return r, ok
}

// Exported reports whether t can be named as a member of its package.
func (im *Importer) Exported(t *types.Named) bool {
	r, ok := im.Reflected(t)
	v, found := im.symbols[t.Obj().Pkg().Path()][t.Obj().Name()]
	return ok && found && v.Kind() == reflect.Pointer && v.Type().Elem() == r
}

// Wrapper returns the struct type that implements a compiled interface type by its fields: the
// first is the value it stands for, the others are its methods, named W and the method's name.
func (im *Importer) Wrapper(iface reflect.Type) (reflect.Type, bool) {
	im.mu.Lock()
	defer im.mu.Unlock()
	w, ok := im.wrappers[iface]
	return w, ok
}

// IsWrapper reports whether t is such a struct type.
func (im *Importer) IsWrapper(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	im.mu.Lock()
	defer im.mu.Unlock()
	return im.isWrapper[t]
}

// Declared reports whether t was declared in source: by a cell or a generic package.
func (im *Importer) Declared(t *types.Named) bool {
	im.mu.Lock()
	defer im.mu.Unlock()
	return im.declared(t)
}

func (im *Importer) declared(t *types.Named) bool {
	if t.Obj().Pkg() == nil { // error
		return false
	}
	_, compiled := im.reflected[t]
	return !compiled
}

// Source reports whether o, an object of a package, was declared in source: by a cell, a generic
// package or the generic part of a compiled one.
func (im *Importer) Source(o types.Object) bool {
	_, compiled := im.symbols[o.Pkg().Path()]
	return !compiled || o.Pos().IsValid()
}

// Variable returns the address of a variable of a compiled package.
func (im *Importer) Variable(v *types.Var) reflect.Value {
	im.mu.Lock()
	defer im.mu.Unlock()
	return im.symbols[v.Pkg().Path()][v.Name()].Addr()
}

// Tainted reports whether reflection alone cannot say what t is: it contains a type of a cell,
// an interface type with methods, which the interpreter does not have, or an unexported
// field, which it renames.
func (im *Importer) Tainted(t types.Type) bool {
	im.mu.Lock()
	defer im.mu.Unlock()
	return im.isTainted(t)
}

func (im *Importer) isTainted(t types.Type) bool {
	if known, ok := im.tainted[t]; ok {
		return known
	}
	im.tainted[t] = false // while its parts are looked at, which may be t again
	tainted := im.hasTaint(t)
	im.tainted[t] = tainted
	return tainted
}

func (im *Importer) hasTaint(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		return im.isTainted(types.Unalias(t))
	case *types.Named:
		return im.declared(t)
	case *types.Pointer:
		return im.isTainted(t.Elem())
	case *types.Slice:
		return im.isTainted(t.Elem())
	case *types.Array:
		return im.isTainted(t.Elem())
	case *types.Chan:
		return im.isTainted(t.Elem())
	case *types.Map:
		return im.isTainted(t.Key()) || im.isTainted(t.Elem())
	case *types.Signature:
		return im.isTainted(t.Params()) || im.isTainted(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			if im.isTainted(v.Type()) {
				return true
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if !f.Exported() || im.isTainted(f.Type()) {
				return true
			}
		}
	case *types.Interface:
		return t.NumMethods() > 0
	}
	return false
}

// CompiledInterface returns the compiled type that an interface type with methods describes;
// ok is false if t is another type.
func (im *Importer) CompiledInterface(t types.Type) (r reflect.Type, ok bool) {
	t = types.Unalias(t)
	if t == types.Universe.Lookup("error").Type() {
		return errorType, true
	}
	if _, named := t.(*types.Named); !named || !IsInterface(t) {
		return nil, false
	}
	r, ok = im.Reflected(t)
	return r, ok && r.NumMethod() > 0
}
