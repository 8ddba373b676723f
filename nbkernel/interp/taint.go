package interp

import (
	"go/types"
	"reflect"
)

func userNamed(n *types.Named) bool {
	if n.Obj().Pkg() == nil {
		return false
	}
	_, compiled := theImp.rtypes[n]
	return !compiled
}

var taintMem = map[types.Type]bool{}

// taintedType reports whether reflect alone cannot say what t is.
func taintedType(t types.Type) bool {
	if r, ok := taintMem[t]; ok {
		return r
	}
	taintMem[t] = false
	r := false
	switch t := t.(type) {
	case *types.Alias:
		r = taintedType(types.Unalias(t))
	case *types.Named:
		r = userNamed(t)
	case *types.Pointer:
		r = taintedType(t.Elem())
	case *types.Slice:
		r = taintedType(t.Elem())
	case *types.Array:
		r = taintedType(t.Elem())
	case *types.Chan:
		r = taintedType(t.Elem())
	case *types.Map:
		r = taintedType(t.Key()) || taintedType(t.Elem())
	case *types.Signature:
		for i := 0; i < t.Params().Len(); i++ {
			r = r || taintedType(t.Params().At(i).Type())
		}
		for i := 0; i < t.Results().Len(); i++ {
			r = r || taintedType(t.Results().At(i).Type())
		}
	case *types.Struct:
		for i := 0; i < t.NumFields(); i++ {
			r = r || !t.Field(i).Exported() || taintedType(t.Field(i).Type())
		}
	case *types.Interface:
		r = t.NumMethods() > 0
	}
	taintMem[t] = r
	return r
}

func isIface(t types.Type) bool {
	_, tp := t.(*types.TypeParam)
	return !tp && types.IsInterface(t)
}

// compiledIface reports whether t is an interface type with methods that compiled code knows.
func compiledIface(t types.Type) (reflect.Type, bool) {
	t = types.Unalias(t)
	if t == types.Universe.Lookup("error").Type() {
		return errType, true
	}
	n, ok := t.(*types.Named)
	if !ok || !isIface(t) {
		return nil, false
	}
	rt, ok := theImp.rtypes[n]
	if !ok || rt.NumMethod() == 0 {
		return nil, false
	}
	return rt, true
}

func userPkg(p *types.Package) bool {
	_, compiled := theImp.syms[p.Path()]
	return !compiled || theImp.srcs[p.Path()] != ""
}
