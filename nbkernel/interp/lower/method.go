package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"eigenbook/nbkernel/interp/importer"
	"eigenbook/nbkernel/interp/rt"
)

// selector emits a qualified name, a field, a method value or a method expression.
func (l *lowering) selector(e *ast.SelectorExpr) (x string, isCore bool) {
	selection := l.info.Selections[e]
	if selection == nil {
		return l.object(e.Sel)
	}
	switch selection.Kind() {
	case types.FieldVal:
		t := l.typeOf(e.X)
		_, index := l.lookup(t, e)
		x, _ := l.path(l.expr(e.X), t, index)
		return x, false
	case types.MethodVal:
		return l.methodValue(e), true
	}
	return l.methodExpr(e), true
}

// methodExpr emits T.f, a function with the receiver first.
func (l *lowering) methodExpr(e *ast.SelectorExpr) string {
	signature := l.typeOf(e).(*types.Signature)
	receiver := types.Unalias(signature.Params().At(0).Type())
	o, index := l.lookup(l.typeOf(e.X), e)
	return l.forward(signature, func(params []string, _ string) string {
		return l.methodCall(params[0], receiver, o.(*types.Func), index, l.spreadArgs(params[1:], signature))
	})
}

// methodValue emits x.f without a call: the receiver is evaluated now.
func (l *lowering) methodValue(e *ast.SelectorExpr) string {
	f, x, t := l.receiver(e)
	name, receiver := l.methodFunc(x, t, f)
	signature := l.typeOf(e).(*types.Signature)
	if receiver == "" && !l.isCompiled(t) {
		return name
	}
	if receiver == "" { // yaegi's own method values have the type of a method expression
		if _, pointer := t.Underlying().(*types.Pointer); !pointer && !importer.IsInterface(t) && hasPointerReceiver(f) {
			t, x = types.NewPointer(t), addrOf(x)
		}
		name, _ = l.methodFunc("r", t, f)
		literal := l.forward(signature, func(_ []string, args string) string { return name + "(" + args + ")" })
		return fmt.Sprintf("func(r %s) %s { return %s }(%s)", l.typeText(t), l.coreText(signature), literal, x)
	}
	literal := l.forward(signature, func(_ []string, args string) string { return name + "(" + joinArgs("r", args) + ")" })
	return fmt.Sprintf("func(r %s) %s { return %s }(%s)", l.typeText(receiverType(t, f)), l.coreText(signature), literal, receiver)
}

// isCompiled reports whether the methods of t are compiled ones.
func (l *lowering) isCompiled(t types.Type) bool {
	base := elem(t)
	if importer.IsInterface(base) {
		_, ok := l.p.importer.CompiledInterface(base)
		return ok
	}
	named, ok := base.(*types.Named)
	return ok && !l.p.importer.Declared(named)
}

func (l *lowering) isMethodValue(e *ast.SelectorExpr) bool {
	selection := l.info.Selections[e]
	return selection != nil && selection.Kind() == types.MethodVal
}

// receiver returns the method that e selects and the value that it is a method of, with its
// type: e.X or a field that it embeds.
func (l *lowering) receiver(e *ast.SelectorExpr) (f *types.Func, x string, t types.Type) {
	t = l.typeOf(e.X)
	o, index := l.lookup(t, e)
	x, t = l.path(l.expr(e.X), t, index[:len(index)-1])
	return o.(*types.Func), x, t
}

// lookup finds what e selects in t. In a generic body the checker's selection is of a type
// parameter.
func (l *lowering) lookup(t types.Type, e *ast.SelectorExpr) (types.Object, []int) {
	o, index, _ := types.LookupFieldOrMethod(t, true, l.info.Selections[e].Obj().Pkg(), e.Sel.Name)
	if o == nil {
		panic(fmt.Sprintf("no %s in %v", e.Sel.Name, t))
	}
	return o, index
}

// path follows embedded fields from x of type t.
func (l *lowering) path(x string, t types.Type, index []int) (string, types.Type) {
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			x, t = l.rep(x, t), p.Elem()
		}
		f := t.Underlying().(*types.Struct).Field(i)
		x += "." + l.field(f, i)
		t = types.Unalias(f.Type())
	}
	return x, t
}

// methodCall calls the method f, found at index in type t, on x.
func (l *lowering) methodCall(x string, t types.Type, f *types.Func, index []int, args string) string {
	x, t = l.path(x, t, index[:len(index)-1])
	name, receiver := l.methodFunc(x, t, f)
	if receiver == "" {
		return name + "(" + args + ")"
	}
	return name + "(" + joinArgs(receiver, args) + ")"
}

// methodFunc returns the function to call for a method of x, and the argument that is its
// receiver, "" if it is bound.
func (l *lowering) methodFunc(x string, t types.Type, f *types.Func) (name, receiver string) {
	base, isPointer := t, false
	if p, ok := t.(*types.Pointer); ok {
		base, isPointer = types.Unalias(p.Elem()), true
	}
	if importer.IsInterface(base) {
		if _, ok := l.p.importer.CompiledInterface(base); ok {
			return x + "." + f.Name(), ""
		}
		signature := f.Signature()
		plain := l.subst(types.NewSignatureType(nil, nil, nil, signature.Params(), signature.Results(), signature.Variadic()))
		return fmt.Sprintf("rt.Method(%s, %q).(%s)", x, f.Name(), l.coreText(plain)), ""
	}
	named := base.(*types.Named)
	if !l.p.importer.Declared(named) {
		if name, ok := l.p.Instead[f.FullName()]; ok {
			if hasPointerReceiver(f) && !isPointer {
				x = addrOf(x)
			}
			return name, x
		}
		return x + "." + f.Name(), ""
	}
	var arguments []types.Type
	for t := range named.TypeArgs().Types() {
		arguments = append(arguments, types.Unalias(t))
	}
	switch {
	case hasPointerReceiver(f) && !isPointer:
		x = addrOf(x)
	case !hasPointerReceiver(f) && isPointer:
		x = "(*" + l.rep(x, t) + ")"
	}
	return l.funcName(f, arguments), x
}

func hasPointerReceiver(f *types.Func) bool {
	receiver := f.Signature().Recv()
	if receiver == nil {
		return false
	}
	_, ok := receiver.Type().(*types.Pointer)
	return ok
}

// receiverType returns the type that the receiver of f has when f is a method of t or *t.
func receiverType(t types.Type, f *types.Func) types.Type {
	if hasPointerReceiver(f) {
		return types.NewPointer(elem(t))
	}
	return elem(t)
}

// emitBind emits the function that returns the methods of a boxed value by their names, and gives
// it to the descriptor. A variable's initialiser does that and not the cell's function: yaegi's
// closures die with the evaluation they were made in, when that is cancelled.
func (l *lowering) emitBind(d *rt.Desc) {
	methods := types.NewMethodSet(d.T)
	if methods.Len() == 0 || importer.IsInterface(d.T) {
		return
	}
	name := l.p.fresh(fmt.Sprintf("bind_%d_%%s%%d", d.ID), "")
	b, ok := l.p.bindings[d]
	if !ok {
		receiver := "v.(" + l.typeText(d.T) + ")"
		if l.erased(d.T) {
			receiver = l.erase("v", d.T)
		}
		b = binding{receiver, l.env, l.key}
		set(l.p, l.p.bindings, d, b)
	}
	l.queue = append(l.queue, func() {
		defer func(env map[*types.TypeParam]types.Type, key string) { l.env, l.key, l.node = env, key, node{} }(l.env, l.key)
		l.env, l.key, l.node = b.env, b.key, node{bind: d}
		var cases strings.Builder
		for m := range methods.Methods() {
			if l.skip(m.Obj()) {
				continue
			}
			signature := m.Type().(*types.Signature)
			literal := l.forward(signature, func(_ []string, args string) string {
				return l.methodCall("r", d.T, m.Obj().(*types.Func), m.Index(), args)
			})
			fmt.Fprintf(&cases, "case %q:\nreturn %s\n", m.Obj().Name(), literal)
		}
		l.emit("func %s(v interface{}, name string) interface{} {\nr := %s\nswitch name {\n%s}\nreturn nil\n}", name, b.receiver, cases.String())
		l.emit("var %s = rt.Bind(%d, %s)", l.p.fresh("%s_%d", "bound"), d.ID, name)
	})
}

// bindChanged binds the methods again of each described type that has the methods of a changed
// one, as its own or as those of an embedded field.
func (l *lowering) bindChanged(changed []*types.Named) {
	if len(changed) == 0 {
		return
	}
	for _, d := range l.p.table.Described() {
		if !hasMethodsOf(d.T, changed, map[types.Type]bool{}) {
			continue
		}
		l.emitBind(d)
		if pointer := types.NewPointer(d.T); readsItself(pointer) {
			l.desc(pointer)
		}
	}
}

// hasMethodsOf reports whether t is one of the types of the list, points to one or embeds one.
func hasMethodsOf(t types.Type, list []*types.Named, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	if named, ok := t.(*types.Named); ok && slices.ContainsFunc(list, func(n *types.Named) bool { return n.Obj() == named.Obj() }) {
		return true
	}
	if u, ok := t.Underlying().(*types.Struct); ok {
		for f := range u.Fields() {
			if f.Embedded() && hasMethodsOf(f.Type(), list, seen) {
				return true
			}
		}
	}
	return false
}
