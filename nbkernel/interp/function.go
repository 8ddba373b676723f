package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

func (l *Lower) funcName(f *types.Func, targs []types.Type) string {
	o := f.Origin()
	if impl, ok := l.s.impl[o]; ok {
		o = impl
	}
	k := fmt.Sprintf("%p", o)
	for _, t := range targs {
		k += "," + l.s.table.Key(t)
	}
	if n, ok := l.s.fnames[k]; ok {
		return n
	}
	src := l.s.source(o)
	if src == nil {
		panic("no source for function " + o.FullName())
	}
	l.s.n++
	n := fmt.Sprintf("%s_F%d", strings.ReplaceAll(o.Name(), "·", "_"), l.s.n)
	l.s.fnames[k] = n
	l.queue = append(l.queue, func() { l.emitFunc(o, src, targs, n) })
	return n
}

func (l *Lower) emitFunc(f *types.Func, src *funcSrc, targs []types.Type, name string) {
	if in, ok := l.s.intrinsic(l, f, targs, name); ok {
		l.decls.WriteString(in)
		return
	}
	if src.decl.Body == nil {
		panic("no body for " + f.FullName())
	}
	saveInfo, saveEnv, saveKey, saveB, saveFn := l.info, l.env, l.envKey, l.b, l.fn
	defer func() { l.info, l.env, l.envKey, l.b, l.fn = saveInfo, saveEnv, saveKey, saveB, saveFn }()
	l.info = src.info
	sig := f.Type().(*types.Signature)
	l.env = map[*types.TypeParam]types.Type{}
	l.envKey = ""
	tps := sig.TypeParams()
	if sig.RecvTypeParams().Len() > 0 {
		tps = sig.RecvTypeParams()
	}
	for i := 0; i < tps.Len(); i++ {
		l.env[tps.At(i)] = targs[i]
		l.envKey += l.s.table.Key(targs[i]) + ","
	}
	l.analyse(src.decl)
	l.b = &strings.Builder{}
	var ps []*types.Var
	if sig.Recv() != nil {
		ps = append(ps, sig.Recv())
	}
	for i := 0; i < sig.Params().Len(); i++ {
		ps = append(ps, sig.Params().At(i))
	}
	text := l.funcBody("func "+name, types.NewSignatureType(nil, nil, nil, types.NewTuple(ps...), sig.Results(), sig.Variadic()), src.decl.Body)
	l.decls.WriteString(text + "\n")
}

// funcBody returns head, parameters and body of a function.
func (l *Lower) funcBody(head string, sig *types.Signature, body *ast.BlockStmt) string {
	saveB, saveFn := l.b, l.fn
	defer func() { l.b, l.fn = saveB, saveFn }()
	l.b = &strings.Builder{}
	savedOf := l.s.deferOf
	l.s.deferOf, l.s.nextDefer = l.s.nextDefer, ""
	extra := l.s.deferParam
	l.s.deferParam = false
	defer func() { l.s.deferOf = savedOf }()
	res := sig.Results()
	l.fn = &fnCtx{results: l.tuple(res), named: res.Len() > 0 && res.At(0).Name() != ""}
	ds := hasDefer(body)
	if ds {
		l.fn.defers = l.tmp()
	}
	var pn, rn []string
	for i := 0; i < sig.Params().Len(); i++ {
		p := sig.Params().At(i)
		n := l.name(p)
		if p.Name() == "" || p.Name() == "_" {
			n = l.tmp()
		}
		pn = append(pn, n)
	}
	native := ds
	if l.fn.named || native && res.Len() > 0 || hasRangeFunc(l, body) && res.Len() > 0 {
		for i := 0; i < res.Len(); i++ {
			r := res.At(i)
			n := l.name(r)
			if r.Name() == "" || r.Name() == "_" {
				n = l.tmp()
			}
			rn = append(rn, n)
		}
	}
	l.fn.resNames = rn
	l.fn.native = native
	for i, n := range rn { // the interpreter neither clears result variables nor keeps them apart from the caller's
		t := types.Unalias(l.subst(res.At(i).Type()))
		if l.fn.named && l.vars[res.At(i)].cell() {
			l.line("%s := new(%s)", n, l.tstr(t))
		} else {
			l.line("var %s %s = %s", n, l.tstr(t), l.zero(t))
		}
	}
	if ds {
		l.line("%s := rt.NewDefers()", l.fn.defers)
		l.line("%s.Call(func() {", l.fn.defers)
	}
	l.stmts(body.List)
	if ds {
		l.line("})")
	}
	if rn != nil {
		l.line("return %s", strings.Join(rn, ", "))
		rn = nil
	}
	ps := l.subst(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())).(*types.Signature)
	sg := l.sigstr(ps, pn, rn)
	if extra {
		sg = "(ds *rt.Defers, " + sg[1:]
	}
	return head + sg + " {\n" + l.b.String() + "}"
}

func (l *Lower) plist(sig *types.Signature) (ps []string, as string) {
	for i := 0; i < sig.Params().Len(); i++ {
		p := fmt.Sprintf("a%d", i)
		ps = append(ps, p)
		as += ", " + p
	}
	if sig.Variadic() {
		as += "..."
	}
	return
}

func (l *Lower) funcVal(id *ast.Ident, f *types.Func) string {
	if f.Pkg() != nil && !l.s.imp.Source(f.Pkg()) {
		return l.s.compiledFunc(f)
	}
	n := l.funcName(f, l.targs(id))
	if l.calling == id {
		return n
	}
	// a function's name is not a func value inside an interface; a literal is
	ft := l.info.TypeOf(id)
	if in, ok := l.info.Instances[id]; ok {
		ft = in.Type
	}
	sig := l.subst(ft).(*types.Signature)
	ps, as := l.plist(sig)
	ret := ""
	if sig.Results().Len() > 0 {
		ret = "return "
	}
	return fmt.Sprintf("func%s { %s%s(%s) }", l.sigstr(sig, ps, nil), ret, n, strings.TrimPrefix(as, ", "))
}

func (l *Lower) targs(id *ast.Ident) []types.Type {
	in, ok := l.info.Instances[id]
	if !ok {
		return nil
	}
	var a []types.Type
	for i := 0; i < in.TypeArgs.Len(); i++ {
		a = append(a, types.Unalias(l.subst(in.TypeArgs.At(i))))
	}
	return a
}
