package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

// call emits a conversion or the call of a builtin, function or method.
func (l *lowering) call(e *ast.CallExpr) string {
	fun := ast.Unparen(e.Fun)
	switch tv := l.info.Types[e.Fun]; {
	case tv.IsType():
		return l.conversion(e.Args[0], l.typeOf(e.Fun))
	case tv.IsBuiltin():
		return l.builtin(e, identOf(fun).Name)
	}
	signature := l.typeOf(e.Fun).Underlying().(*types.Signature)
	if len(e.Args) == 1 {
		if tuple, ok := l.info.TypeOf(e.Args[0]).(*types.Tuple); ok {
			return l.callOfCall(e.Args[0], l.tuple(tuple), signature, func(args string) string { return l.callText(fun, args) })
		}
	}
	raw := false
	if f, ok := l.info.Uses[identOf(fun)].(*types.Func); ok && f.Pkg() != nil && !l.p.importer.Source(f) {
		if f.FullName() == "errors.As" {
			return l.errorsAs(e)
		}
		if f.FullName() == "(*encoding/json.Decoder).Decode" {
			return l.callText(fun, "rt.Target("+l.exprTo(e.Args[0], anyT)+")")
		}
		raw = reflects(f)
	}
	return l.callText(fun, l.args(e, signature, raw))
}

func (l *lowering) conversion(e ast.Expr, to types.Type) string {
	tv := l.info.Types[e]
	if importer.IsInterface(to) {
		if tv.IsNil() {
			return l.conv("rt.NilInterface()", anyT, to)
		}
		return l.exprTo(e, to)
	}
	if b, ok := to.Underlying().(*types.Basic); ok && tv.Value != nil && b.Info()&types.IsComplex != 0 {
		return l.constant(tv.Value, to) // in a generic function
	}
	x := l.expr(e)
	if l.erased(to) || l.erased(l.typeOf(e)) {
		return l.conv(x, l.typeOf(e), to)
	}
	if tv.Value != nil {
		x = typedConstant(x, types.Unalias(l.subst(tv.Type)))
	}
	return "(" + l.typeText(to) + ")(" + x + ")"
}

// callOfCall emits f(g()) where g has several results, as a literal that gives each its
// parameter's type.
func (l *lowering) callOfCall(arg ast.Expr, tuple *types.Tuple, signature *types.Signature, callText func(args string) string) string {
	names, values := l.spread(tuple, func(i int) types.Type { return parameter(signature, i, false) })
	params := make([]string, len(names))
	for i, name := range names {
		params[i] = name + " " + l.typeText(tuple.At(i).Type())
	}
	call, results := callText(strings.Join(l.pack(values, signature, false), ", ")), ""
	if signature.Results().Len() > 0 {
		call, results = "return "+call, " "+l.resultText(signature.Results(), nil)
	}
	return fmt.Sprintf("func(%s)%s { %s }(%s)", strings.Join(params, ", "), results, call, l.expr(arg))
}

// callText emits the call of fun with lowered arguments.
func (l *lowering) callText(fun ast.Expr, args string) string {
	if e, ok := fun.(*ast.SelectorExpr); ok && l.isMethodValue(e) {
		t := l.typeOf(e.X)
		o, index := l.lookup(t, e)
		return l.methodCall(l.expr(e.X), t, o.(*types.Func), index, args)
	}
	defer func(outer *ast.Ident) { l.calling = outer }(l.calling)
	l.calling = identOf(fun)
	return l.core(fun) + "(" + args + ")"
}

// args emits the arguments of a call. A function that looks at them by reflection gets what is
// in a box.
func (l *lowering) args(e *ast.CallExpr, signature *types.Signature, raw bool) string {
	var list []string
	for i, a := range e.Args {
		to := parameter(signature, i, e.Ellipsis.IsValid())
		x := ""
		if _, compiled := l.p.importer.CompiledInterface(to); raw && importer.IsInterface(to) && !compiled {
			x = l.raw(a)
		} else {
			x = l.exprTo(a, to)
		}
		if e.Ellipsis.IsValid() && i == len(e.Args)-1 {
			if x == "nil" { // yaegi wants its type
				x = "(" + l.typeText(to) + ")(nil)"
			}
			if l.variadic(signature) {
				x += "..."
			}
		}
		list = append(list, x)
	}
	return strings.Join(l.pack(list, signature, e.Ellipsis.IsValid()), ", ")
}

// pack puts the arguments for a variadic parameter into its list, if lowered code passes that.
// whole says that they are the list already.
func (l *lowering) pack(args []string, signature *types.Signature, whole bool) []string {
	if whole || !signature.Variadic() || l.variadic(signature) {
		return args
	}
	last := signature.Params().Len() - 1
	if len(args) == last {
		return append(args, "nil")
	}
	t := signature.Params().At(last).Type()
	return append(args[:last:last], l.erase(l.coreText(t)+"{"+strings.Join(args[last:], ", ")+"}", t))
}

func (l *lowering) raw(e ast.Expr) string {
	t := l.typeOf(e)
	if !importer.IsInterface(t) {
		return l.core(e)
	}
	return "rt.Raw(" + l.conv(l.expr(e), t, anyT) + ")"
}

// parameter returns the type of the parameter that takes argument i. whole says that the last
// argument is the whole list of a variadic parameter.
func parameter(signature *types.Signature, i int, whole bool) types.Type {
	last := signature.Params().Len() - 1
	if !signature.Variadic() || i < last {
		return signature.Params().At(i).Type()
	}
	t := signature.Params().At(last).Type()
	if s, ok := t.Underlying().(*types.Slice); ok && !whole {
		return s.Elem()
	}
	return t
}
