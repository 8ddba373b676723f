package interp

import (
	"fmt"
	"go/ast"
	"go/types"
)

func (l *Lower) subst(t types.Type) types.Type {
	if t == nil || len(l.env) == 0 {
		return t
	}
	switch t := t.(type) {
	case *types.Alias:
		return l.subst(types.Unalias(t))
	case *types.TypeParam:
		if r, ok := l.env[t]; ok {
			return r
		}
		return t
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return t
		}
		var a []types.Type
		for i := 0; i < t.TypeArgs().Len(); i++ {
			a = append(a, l.subst(t.TypeArgs().At(i)))
		}
		r, err := types.Instantiate(l.s.tctx, t.Origin(), a, false)
		if err != nil {
			panic(err)
		}
		return r
	case *types.Pointer:
		return types.NewPointer(l.subst(t.Elem()))
	case *types.Slice:
		return types.NewSlice(l.subst(t.Elem()))
	case *types.Array:
		return types.NewArray(l.subst(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(l.subst(t.Key()), l.subst(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), l.subst(t.Elem()))
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, l.tuple(t.Params()), l.tuple(t.Results()), t.Variadic())
	case *types.Tuple:
		return l.tuple(t)
	case *types.Struct:
		var fs []*types.Var
		var tags []string
		for i := 0; i < t.NumFields(); i++ {
			f := t.Field(i)
			fs = append(fs, types.NewField(f.Pos(), f.Pkg(), f.Name(), l.subst(f.Type()), f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fs, tags)
	case *types.Interface:
		var ms []*types.Func
		for i := 0; i < t.NumMethods(); i++ {
			m := t.Method(i)
			ms = append(ms, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), l.subst(m.Type()).(*types.Signature)))
		}
		return types.NewInterfaceType(ms, nil).Complete()
	}
	return t
}

func (l *Lower) tuple(t *types.Tuple) *types.Tuple {
	var vs []*types.Var
	for i := 0; i < t.Len(); i++ {
		v := t.At(i)
		vs = append(vs, types.NewParam(v.Pos(), v.Pkg(), v.Name(), l.subst(v.Type())))
	}
	return types.NewTuple(vs...)
}

func (l *Lower) typeOf(e ast.Expr) types.Type {
	t := l.info.TypeOf(e)
	if t == nil {
		panic(fmt.Sprintf("no type for %T at %v", e, l.s.Fset.Position(e.Pos())))
	}
	return types.Unalias(l.subst(t))
}

func isTypeParam(t types.Type) bool { _, ok := t.(*types.TypeParam); return ok }

func coreType(t types.Type) types.Type { return t.Underlying() }

func derefT(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}
