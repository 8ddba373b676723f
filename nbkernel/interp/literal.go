package interp

import (
	"go/ast"
	"go/types"
	"strings"
)

func (l *Lower) compLit(e *ast.CompositeLit) string {
	t := l.typeOf(e)
	pre := ""
	if p, ok := t.Underlying().(*types.Pointer); ok {
		pre = "&"
		t = types.Unalias(p.Elem())
	}
	var el []string
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				name := kv.Key.(*ast.Ident).Name
				for j := 0; j < u.NumFields(); j++ {
					if u.Field(j).Name() == name {
						el = append(el, l.field(u.Field(j), j)+": "+l.exprTo(kv.Value, u.Field(j).Type()))
					}
				}
			} else {
				el = append(el, l.field(u.Field(i), i)+": "+l.exprTo(x, u.Field(i).Type()))
			}
		}
	case *types.Map:
		for _, x := range e.Elts {
			kv := x.(*ast.KeyValueExpr)
			el = append(el, l.exprTo(kv.Key, u.Key())+": "+l.exprTo(kv.Value, u.Elem()))
		}
	default:
		var et types.Type
		if s, ok := u.(*types.Slice); ok {
			et = s.Elem()
		} else {
			et = u.(*types.Array).Elem()
		}
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				el = append(el, l.info.Types[kv.Key].Value.ExactString()+": "+l.exprTo(kv.Value, et))
			} else {
				el = append(el, l.exprTo(x, et))
			}
		}
	}
	return pre + l.tstr(t) + "{" + strings.Join(el, ", ") + "}"
}
