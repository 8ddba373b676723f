package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

// frozen evaluates a call's function and arguments now and returns a func() that makes the call.
func (l *Lower) frozen(c *ast.CallExpr, isDefer bool) (fn, pre string) {
	fun := ast.Unparen(c.Fun)
	lit, isLit := fun.(*ast.FuncLit)
	saved := l.s.nextDefer
	defer func() { l.s.nextDefer = saved }()
	if isDefer && isLit {
		l.s.nextDefer = l.fn.defers
	}
	if isLit && len(c.Args) == 0 && l.info.TypeOf(lit).(*types.Signature).Results().Len() == 0 {
		return l.expr(lit), ""
	}
	var ps, as []string
	arg := func(ts, val string) string {
		p := l.tmp()
		ps = append(ps, p+" "+ts)
		as = append(as, val)
		return p
	}
	var call string
	if l.info.Types[c.Fun].IsBuiltin() {
		name := identOf(fun).Name
		if name == "recover" {
			return "func() { " + l.fn.defers + ".Recover() }", ""
		}
		var in []string
		for _, a := range c.Args {
			t := l.typeOf(a)
			if name == "panic" {
				t = anyT
			}
			if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
				t = types.Default(t)
			}
			in = append(in, arg(l.tstr(t), l.exprTo(a, t)))
		}
		if name == "clear" {
			name = "rt.Clear"
		}
		call = name + "(" + strings.Join(in, ", ") + ")"
	} else {
		sig := l.typeOf(c.Fun).Underlying().(*types.Signature)
		var in []string
		n := sig.Params().Len()
		for i, a := range c.Args {
			var pt types.Type
			if sig.Variadic() && i >= n-1 && !c.Ellipsis.IsValid() {
				pt = sig.Params().At(n - 1).Type().Underlying().(*types.Slice).Elem()
			} else {
				pt = sig.Params().At(min(i, n-1)).Type()
			}
			pt = types.Unalias(pt)
			x := arg(l.tstr(pt), l.exprTo(a, pt))
			if c.Ellipsis.IsValid() && i == len(c.Args)-1 {
				x += "..."
			}
			in = append(in, x)
		}
		args := strings.Join(in, ", ")
		if se, ok := fun.(*ast.SelectorExpr); ok && l.info.Selections[se] != nil && l.info.Selections[se].Kind() == types.MethodVal {
			t := l.typeOf(se.X)
			o, idx := l.lookup(t, se)
			f := o.(*types.Func)
			x, bt := l.path(l.expr(se.X), t, idx[:len(idx)-1])
			fnm, recv := l.methodFn(x, bt, f)
			if recv == "" { // interface or compiled receiver: freeze it
				recvType := bt
				val := x
				if !importer.IsInterface(bt) {
					if rv := f.Type().(*types.Signature).Recv(); rv != nil {
						if _, ptr := rv.Type().(*types.Pointer); ptr {
							if _, isp := bt.Underlying().(*types.Pointer); !isp {
								recvType, val = types.NewPointer(bt), addrOf(x)
							}
						}
					}
				}
				p := arg(l.tstr(recvType), val)
				fnm, _ = l.methodFn(p, recvType, f)
				call = fnm + "(" + args + ")"
			} else {
				recvType := derefT(bt)
				if _, ptr := f.Type().(*types.Signature).Recv().Type().(*types.Pointer); ptr {
					recvType = types.NewPointer(recvType)
				}
				p := arg(l.tstr(recvType), recv)
				if args != "" {
					p += ", "
				}
				call = fnm + "(" + p + args + ")"
			}
		} else {
			id := identOf(fun)
			var f *types.Func
			if id != nil {
				f, _ = l.info.Uses[id].(*types.Func)
			}
			switch {
			case f != nil && isDefer && f.Pkg() != nil && l.s.imp.Source(f.Pkg()) && hasRecover(l.s.source(f.Origin())):
				call = l.funcDefer(f, l.targs(id)) + "("
				call += l.fn.defers
				if args != "" {
					call += ", "
				}
				call += args + ")"
			case f != nil:
				l.calling = id
				call = l.expr(fun) + "(" + args + ")"
				l.calling = nil
			default:
				p := arg(l.tstr(sig), l.expr(fun))
				call = p + "(" + args + ")"
			}
		}
	}
	return fmt.Sprintf("func(%s) func() { return func() { %s } }(%s)", strings.Join(ps, ", "), call, strings.Join(as, ", ")), ""
}

func hasDefer(b ast.Node) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return true
	})
	return found
}

func hasRecover(src *funcSrc) bool {
	if src == nil || src.decl.Body == nil {
		return false
	}
	found := false
	ast.Inspect(src.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			if b, ok := src.info.Uses[n].(*types.Builtin); ok && b.Name() == "recover" {
				found = true
			}
		}
		return true
	})
	return found
}

func (l *Lower) funcDefer(f *types.Func, targs []types.Type) string {
	o := f.Origin()
	src := l.s.source(o)
	k := fmt.Sprintf("D%p", o)
	for _, t := range targs {
		k += "," + l.s.table.Key(t)
	}
	if n, ok := l.s.fnames[k]; ok {
		return n
	}
	l.s.n++
	n := fmt.Sprintf("%s_D%d", o.Name(), l.s.n)
	l.s.fnames[k] = n
	l.queue = append(l.queue, func() {
		l.s.nextDefer = "ds"
		l.s.deferParam = true
		l.emitFunc(o, src, targs, n)
	})
	return n
}
