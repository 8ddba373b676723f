package lower

import (
	"fmt"
	"go/ast"
	"go/types"
)

// subst replaces the type parameters of the function that is emitted by its type arguments.
func (l *lowering) subst(t types.Type) types.Type {
	if t == nil || len(l.env) == 0 {
		return t
	}
	switch t := t.(type) {
	case *types.Alias:
		return l.subst(types.Unalias(t))
	case *types.TypeParam:
		if argument, ok := l.env[t]; ok {
			return argument
		}
		return t
	case *types.Named:
		return l.substNamed(t)
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
		var fields []*types.Var
		var tags []string
		for i := range t.NumFields() {
			f := t.Field(i)
			fields = append(fields, types.NewField(f.Pos(), f.Pkg(), f.Name(), l.subst(f.Type()), f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fields, tags)
	case *types.Interface:
		var methods []*types.Func
		for m := range t.Methods() {
			methods = append(methods, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), l.subst(m.Type()).(*types.Signature)))
		}
		return types.NewInterfaceType(methods, nil).Complete()
	}
	return t
}

func (l *lowering) substNamed(t *types.Named) types.Type {
	if t.TypeArgs().Len() == 0 {
		return t
	}
	var arguments []types.Type
	for a := range t.TypeArgs().Types() {
		arguments = append(arguments, l.subst(a))
	}
	instance, err := types.Instantiate(l.p.context, t.Origin(), arguments, false)
	if err != nil {
		panic(err) // the checker has made the same instance
	}
	return instance
}

func (l *lowering) tuple(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), v.Name(), l.subst(v.Type())))
	}
	return types.NewTuple(vars...)
}

// typeOf returns the type of an expression, without aliases and type parameters.
func (l *lowering) typeOf(e ast.Expr) types.Type {
	t := l.info.TypeOf(e)
	if t == nil {
		panic(fmt.Sprintf("no type of %s", types.ExprString(e)))
	}
	return types.Unalias(l.subst(t))
}

// objectType returns the type of an object in the same way.
func (l *lowering) objectType(o types.Object) types.Type { return types.Unalias(l.subst(o.Type())) }

// defaultType returns the type that an untyped constant takes by itself, and t if it is typed.
func defaultType(t types.Type) types.Type {
	if isUntyped(t) {
		return types.Default(t)
	}
	return t
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

func isTypeParam(t types.Type) bool { _, ok := t.(*types.TypeParam); return ok }

// elem returns what a pointer points to, and other types as they are.
func elem(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}
