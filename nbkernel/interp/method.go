package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"eigenbook/nbkernel/interp/importer"
	"eigenbook/nbkernel/interp/rt"
)

// path follows embedded fields from x of type t.
func (l *Lower) path(x string, t types.Type, index []int) (string, types.Type) {
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st := t.Underlying().(*types.Struct)
		f := st.Field(i)
		x += "." + l.field(f, i)
		t = types.Unalias(f.Type())
	}
	return x, t
}

// methodCall calls method f, found at index in type t, on x.
func (l *Lower) methodCall(x string, t types.Type, f *types.Func, index []int, args string) string {
	x, t = l.path(x, t, index[:len(index)-1])
	fn, recv := l.methodFn(x, t, f)
	if recv == "" {
		return fn + "(" + args + ")"
	}
	if args != "" {
		recv += ", "
	}
	return fn + "(" + recv + args + ")"
}

// methodFn returns the function to call and its receiver argument ("" when bound).
func (l *Lower) methodFn(x string, t types.Type, f *types.Func) (fn, recv string) {
	bt := t
	isPtr := false
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if _, nm := t.(*types.Named); !nm {
			bt, isPtr = types.Unalias(p.Elem()), true
		}
	}
	if importer.IsInterface(bt) {
		if _, ok := l.s.imp.CompiledInterface(bt); ok {
			return x + "." + f.Name(), ""
		}
		sig := f.Type().(*types.Signature)
		sg := l.subst(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
		return fmt.Sprintf("rt.Method(%s, %q).(%s)", x, f.Name(), l.tstr(sg)), ""
	}
	n := bt.(*types.Named)
	if !l.s.imp.Declared(n) {
		return x + "." + f.Name(), ""
	}
	var ta []types.Type
	for i := 0; i < n.TypeArgs().Len(); i++ {
		ta = append(ta, types.Unalias(n.TypeArgs().At(i)))
	}
	_, wantPtr := f.Type().(*types.Signature).Recv().Type().(*types.Pointer)
	switch {
	case wantPtr && !isPtr:
		x = addrOf(x)
	case !wantPtr && isPtr:
		x = "(*" + x + ")"
	}
	return l.funcName(f, ta), x
}

func (l *Lower) lookup(t types.Type, sel *ast.SelectorExpr) (types.Object, []int) {
	var pkg *types.Package
	if s := l.info.Selections[sel]; s != nil {
		pkg = s.Obj().Pkg()
	}
	o, idx, _ := types.LookupFieldOrMethod(t, true, pkg, sel.Sel.Name)
	if o == nil {
		panic("lookup " + t.String() + "." + sel.Sel.Name)
	}
	return o, idx
}

func (l *Lower) selector(e *ast.SelectorExpr) string {
	s := l.info.Selections[e]
	if s == nil { // qualified
		o := l.info.Uses[e.Sel]
		switch o := o.(type) {
		case *types.Func:
			return l.funcVal(e.Sel, o)
		case *types.Var:
			if l.s.imp.Source(o.Pkg()) {
				return l.varText(o)
			}
			return l.s.pkgAlias(o.Pkg().Path()) + "." + o.Name()
		}
		panic(fmt.Sprintf("selector %T", o))
	}
	t := l.typeOf(e.X)
	o, idx := l.lookup(t, e)
	switch s.Kind() {
	case types.FieldVal:
		x, _ := l.path(l.expr(e.X), t, idx)
		return x
	case types.MethodVal:
		f := o.(*types.Func)
		x, bt := l.path(l.expr(e.X), t, idx[:len(idx)-1])
		fn, recv := l.methodFn(x, bt, f)
		if recv == "" {
			return fn
		}
		sig := l.typeOf(e).(*types.Signature)
		_, ptr := f.Type().(*types.Signature).Recv().Type().(*types.Pointer)
		recvType := derefT(bt)
		if ptr {
			recvType = types.NewPointer(recvType)
		}
		ps, as := l.plist(sig)
		ret := ""
		if sig.Results().Len() > 0 {
			ret = "return "
		}
		return fmt.Sprintf("func(r %s) %s { return func%s { %s%s(r%s) } }(%s)", l.tstr(recvType), l.tstr(sig), l.sigstr(sig, ps, nil), ret, fn, as, recv)
	default: // MethodExpr
		sig := l.typeOf(e).(*types.Signature)
		ps, _ := l.plist(sig)
		args := strings.Join(ps[1:], ", ")
		if sig.Variadic() {
			args += "..."
		}
		ret := ""
		if sig.Results().Len() > 0 {
			ret = "return "
		}
		return fmt.Sprintf("func%s { %s%s }", l.sigstr(sig, ps, nil), ret, l.methodCall(ps[0], types.Unalias(sig.Params().At(0).Type()), o.(*types.Func), idx, args))
	}
}

// emitBind writes the function that binds the methods of d's type to a value.
func (l *Lower) emitBind(d *rt.Desc) {
	t := d.T
	l.s.n++
	gen := l.s.n
	ms := types.NewMethodSet(t)
	if ms.Len() > 0 && !importer.IsInterface(t) {
		lt := l.tstr(t)
		env, ek, inf := l.env, l.envKey, l.info
		_ = inf
		l.queue = append(l.queue, func() {
			saveE, saveK := l.env, l.envKey
			l.env, l.envKey = env, ek
			defer func() { l.env, l.envKey = saveE, saveK }()
			var sb strings.Builder
			fmt.Fprintf(&sb, "func bind_%d_%d(v interface{}, name string) interface{} {\nr := v.(%s)\nswitch name {\n", d.ID, gen, lt)
			for i := 0; i < ms.Len(); i++ {
				m := ms.At(i)
				if l.s.isGhost(m.Obj()) {
					continue
				}
				sig := m.Type().(*types.Signature)
				var ps []string
				for j := 0; j < sig.Params().Len(); j++ {
					ps = append(ps, fmt.Sprintf("a%d", j))
				}
				args := strings.Join(ps, ", ")
				if sig.Variadic() {
					args += "..."
				}
				ret := ""
				if sig.Results().Len() > 0 {
					ret = "return "
				}
				call := l.methodCall("r", t, m.Obj().(*types.Func), m.Index(), args)
				fmt.Fprintf(&sb, "case %q:\nreturn func%s { %s%s }\n", m.Obj().Name(), l.sigstr(sig, ps, nil), ret, call)
			}
			sb.WriteString("}\nreturn nil\n}\n")
			l.decls.WriteString(sb.String())
			l.s.inits = append(l.s.inits, fmt.Sprintf("rt.Bind(%d, bind_%d_%d)", d.ID, d.ID, gen))
		})
	}
}
