package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

func (l *Lower) args(call *ast.CallExpr, sig *types.Signature, raw func(i int) bool) string {
	n := sig.Params().Len()
	pt := func(i int) types.Type {
		if sig.Variadic() && i >= n-1 && !call.Ellipsis.IsValid() {
			return sig.Params().At(n - 1).Type().Underlying().(*types.Slice).Elem()
		}
		return sig.Params().At(i).Type()
	}
	var out []string
	for i, a := range call.Args {
		x := l.exprTo(a, pt(i))
		if raw != nil && raw(i) {
			x = l.expr(a)
			if importer.IsInterface(l.typeOf(a)) {
				x = "rt.Raw(" + l.conv(x, l.typeOf(a), types.Universe.Lookup("any").Type().Underlying()) + ")"
			}
		}
		if call.Ellipsis.IsValid() && i == len(call.Args)-1 {
			x += "..."
		}
		out = append(out, x)
	}
	return strings.Join(out, ", ")
}

var rawPkgs = map[string]bool{"sort": true, "reflect": true, "encoding/binary": true, "encoding/gob": true, "encoding/xml": true, "text/template": true, "html/template": true}

func (l *Lower) call(e *ast.CallExpr) string {
	fun := ast.Unparen(e.Fun)
	ftv := l.info.Types[e.Fun]
	if ftv.IsType() {
		to := l.typeOf(e.Fun)
		if importer.IsInterface(to) {
			return l.exprTo(e.Args[0], to)
		}
		x := l.expr(e.Args[0])
		if tv := l.info.Types[e.Args[0]]; tv.Value != nil {
			t := types.Unalias(l.subst(tv.Type))
			x = l.typedConst(l.constText(tv.Value, t), t)
		}
		return "(" + l.tstr(to) + ")(" + x + ")"
	}
	if ftv.IsBuiltin() {
		return l.builtin(e, identOf(fun).Name)
	}
	sig := l.typeOf(e.Fun).Underlying().(*types.Signature)
	// f(g()) with several results
	if len(e.Args) == 1 {
		if tup, ok := l.info.TypeOf(e.Args[0]).(*types.Tuple); ok {
			tup = l.tuple(tup)
			var ps, as []string
			for i := 0; i < tup.Len(); i++ {
				p := l.tmp()
				ps = append(ps, p+" "+l.tstr(tup.At(i).Type()))
				to := types.Type(nil)
				if sig.Variadic() && i >= sig.Params().Len()-1 {
					to = sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice).Elem()
				} else {
					to = sig.Params().At(i).Type()
				}
				as = append(as, l.conv(p, tup.At(i).Type(), to))
			}
			fn := l.callee(fun, strings.Join(as, ", "))
			res, ret := "", ""
			if sig.Results().Len() > 0 {
				ret = "return "
				res = l.sigstr(types.NewSignatureType(nil, nil, nil, nil, sig.Results(), false), nil, nil)[2:]
			}
			return fmt.Sprintf("func(%s)%s { %s%s }(%s)", strings.Join(ps, ", "), res, ret, fn, l.expr(e.Args[0]))
		}
	}
	var raw func(int) bool
	if id := identOf(fun); id != nil {
		if f, ok := l.info.Uses[id].(*types.Func); ok && f.Pkg() != nil && !l.s.imp.Source(f.Pkg()) {
			if f.FullName() == "errors.As" {
				return l.errorsAs(e)
			}
			if rawPkgs[f.Pkg().Path()] || strings.HasPrefix(f.Name(), "Sscan") || strings.HasPrefix(f.Name(), "Scan") || strings.HasPrefix(f.Name(), "Fscan") {
				raw = func(i int) bool {
					n := sig.Params().Len()
					t := sig.Params().At(min(i, n-1)).Type()
					if sig.Variadic() && i >= n-1 {
						t = t.(*types.Slice).Elem()
					}
					_, ci := l.s.imp.CompiledInterface(t)
					return importer.IsInterface(t) && !ci
				}
			}
		}
	}
	return l.callee(fun, l.args(e, sig, raw))
}

// callee emits the call of fun with lowered arguments.
func (l *Lower) callee(fun ast.Expr, args string) string {
	if se, ok := fun.(*ast.SelectorExpr); ok {
		if s := l.info.Selections[se]; s != nil && s.Kind() == types.MethodVal {
			t := l.typeOf(se.X)
			o, idx := l.lookup(t, se)
			return l.methodCall(l.expr(se.X), t, o.(*types.Func), idx, args)
		}
	}
	saved := l.calling
	l.calling = identOf(fun)
	fn := l.expr(fun)
	l.calling = saved
	return fn + "(" + args + ")"
}
