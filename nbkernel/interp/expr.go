package interp

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

func (l *Lower) exprTo(e ast.Expr, to types.Type) string {
	if to == nil {
		return l.expr(e)
	}
	if tv := l.info.Types[e]; tv.Value != nil {
		t := types.Unalias(l.subst(tv.Type))
		if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			if !isIface(to) {
				return l.constText(tv.Value, to)
			}
			t = types.Default(t)
		}
		if isIface(t) || isTypeParam(t) {
			t = to
		}
		x := l.constText(tv.Value, t)
		if isIface(to) && !taintedType(t) {
			return "interface{}(" + l.typedConst(x, t) + ")"
		}
		return l.conv(x, t, to)
	}
	return l.conv(l.expr(e), l.typeOf(e), to)
}

func isTypeParam(t types.Type) bool { _, ok := t.(*types.TypeParam); return ok }

func (l *Lower) typedConst(x string, t types.Type) string {
	if b, ok := t.(*types.Basic); ok && (b.Kind() == types.Int || b.Kind() == types.Float64) {
		return b.Name() + "(" + x + ")"
	}
	return x
}

func (l *Lower) varText(o types.Object) string {
	n := l.name(o)
	if l.vars[o].cell() && !l.global[o] {
		return "(*" + n + ")"
	}
	return n
}

func addrOf(s string) string {
	if strings.HasPrefix(s, "(*") && strings.HasSuffix(s, ")") && !strings.ContainsAny(s[2:len(s)-1], "() .[") {
		return s[2 : len(s)-1]
	}
	return "&" + s
}

func (l *Lower) expr(e ast.Expr) string {
	if tv, ok := l.info.Types[e]; ok && tv.Value != nil {
		t := l.subst(tv.Type)
		if _, tp := tv.Type.(*types.TypeParam); !tp || !isIface(t) {
			return l.constText(tv.Value, t)
		}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return "(" + l.expr(e.X) + ")"
	case *ast.Ident:
		o := l.info.Uses[e]
		if o == nil {
			o = l.info.Defs[e]
		}
		switch o := o.(type) {
		case *types.Nil:
			return "nil"
		case *types.Var:
			if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() && !userPkg(o.Pkg()) {
				return l.s.pkgAlias(o.Pkg().Path()) + "." + o.Name()
			}
			return l.varText(o)
		case *types.Func:
			return l.funcVal(e, o)
		}
		l.refuse(e, "cannot lower %s (%T)", e.Name, o)
	case *ast.BasicLit:
		return e.Value
	case *ast.FuncLit:
		return l.funcLit(e)
	case *ast.CompositeLit:
		return l.compLit(e)
	case *ast.SelectorExpr:
		return l.selector(e)
	case *ast.IndexExpr:
		if tv := l.info.Types[e.X]; tv.IsValue() {
			if id := identOf(e.X); id != nil {
				if _, ok := l.info.Instances[id]; ok {
					return l.expr(e.X)
				}
			}
		} else if id := identOf(e.X); id != nil {
			if _, ok := l.info.Instances[id]; ok {
				return l.expr(e.X)
			}
		}
		if m, ok := l.typeOf(e.X).Underlying().(*types.Map); ok {
			return l.expr(e.X) + "[" + l.exprTo(e.Index, m.Key()) + "]"
		}
		return l.expr(e.X) + "[" + l.expr(e.Index) + "]"
	case *ast.IndexListExpr:
		return l.expr(e.X)
	case *ast.SliceExpr:
		s := l.expr(e.X) + "["
		if e.Low != nil {
			s += l.expr(e.Low)
		}
		s += ":"
		if e.High != nil {
			s += l.expr(e.High)
		}
		if e.Slice3 {
			s += ":" + l.expr(e.Max)
		}
		return s + "]"
	case *ast.StarExpr:
		return "(*" + l.expr(e.X) + ")"
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			if _, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
				return "&" + l.expr(ast.Unparen(e.X))
			}
			return addrOf(l.expr(e.X))
		}
		return "(" + e.Op.String() + l.expr(e.X) + ")"
	case *ast.BinaryExpr:
		return l.binary(e)
	case *ast.TypeAssertExpr:
		return l.assert(e, false)
	case *ast.CallExpr:
		return l.call(e)
	}
	panic(fmt.Sprintf("expr %T", e))
}

func identOf(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return identOf(e.X)
	case *ast.IndexListExpr:
		return identOf(e.X)
	}
	return nil
}

func (l *Lower) binary(e *ast.BinaryExpr) string {
	if e.Op == token.EQL || e.Op == token.NEQ {
		tx, ty := l.typeOf(e.X), l.typeOf(e.Y)
		not := ""
		if e.Op == token.NEQ {
			not = "!"
		}
		isNil := func(t types.Type) bool { b, ok := t.(*types.Basic); return ok && b.Kind() == types.UntypedNil }
		if isIface(tx) || isIface(ty) {
			any := types.Universe.Lookup("any").Type().Underlying()
			if isNil(ty) {
				return "(" + l.expr(e.X) + " " + e.Op.String() + " nil)"
			}
			if isNil(tx) {
				return "(" + l.expr(e.Y) + " " + e.Op.String() + " nil)"
			}
			return fmt.Sprintf("(%srt.Eq(%s, %s))", not, l.exprTo(e.X, any), l.exprTo(e.Y, any))
		}
		if hasIface(tx) {
			any := types.Universe.Lookup("any").Type().Underlying()
			return fmt.Sprintf("(%srt.Eq(%s, %s))", not, l.exprTo(e.X, any), l.exprTo(e.Y, any))
		}
	}
	x, y := l.expr(e.X), l.expr(e.Y)
	if e.Op == token.SHL || e.Op == token.SHR {
		return "(" + x + " " + e.Op.String() + " " + l.shiftCount(e.Y) + ")"
	}
	return "(" + x + " " + e.Op.String() + " " + y + ")"
}

func (l *Lower) shiftCount(e ast.Expr) string {
	if tv := l.info.Types[e]; tv.Value != nil {
		if n, ok := constant.Uint64Val(constant.ToInt(tv.Value)); !ok || n > 1000 {
			return "1000"
		}
		return tv.Value.ExactString()
	}
	return l.expr(e)
}

// hasIface reports whether t's values hold interfaces, so that == must look through boxes.
func hasIface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Struct:
		for i := 0; i < u.NumFields(); i++ {
			if hasIface(u.Field(i).Type()) {
				return true
			}
		}
	case *types.Array:
		return hasIface(u.Elem())
	}
	return false
}

func (l *Lower) assert(e *ast.TypeAssertExpr, two bool) string {
	t := l.typeOf(e.Type)
	from := l.typeOf(e.X)
	x := l.conv(l.expr(e.X), from, types.Universe.Lookup("any").Type().Underlying())
	k := typeKey(t) + fmt.Sprint(two)
	n, ok := l.s.asserts[k]
	if !ok {
		l.s.n++
		n = fmt.Sprintf("as_%d", l.s.n)
		l.s.asserts[k] = n
		ts := l.tstr(t)
		idx := l.caseIdx(t)
		val := "x.(" + ts + ")"
		if isIface(t) {
			val = l.conv("x", types.Universe.Lookup("any").Type().Underlying(), t)
		} else if taintedType(t) {
			val = "rt.Val(x).(" + ts + ")"
		}
		if two {
			fmt.Fprintf(l.decls, "func %s(x interface{}) (r %s, ok bool) {\nif rt.Which(x, %d) == 0 { return %s, true }\nreturn r, false\n}\n", n, ts, idx, val)
		} else {
			fmt.Fprintf(l.decls, "func %s(x interface{}, s string) %s {\nif rt.Which(x, %d) != 0 { rt.AssertFail(x, %d, s) }\nreturn %s\n}\n", n, ts, idx, idx, val)
		}
	}
	if two {
		return n + "(" + x + ")"
	}
	return n + "(" + x + ", " + strconv.Quote(rtName(from)) + ")"
}

func (l *Lower) funcVal(id *ast.Ident, f *types.Func) string {
	if f.Pkg() != nil && !userPkg(f.Pkg()) {
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

// cellsOf lists the cell variables a literal uses from outside.
func (l *Lower) cellsOf(n ast.Node) []types.Object {
	seen := map[types.Object]bool{}
	var r []types.Object
	ast.Inspect(n, func(c ast.Node) bool {
		id, ok := c.(*ast.Ident)
		if !ok {
			return true
		}
		o := l.info.Uses[id]
		v := l.vars[o]
		if v.cell() && !l.global[o] && !seen[o] && !(n.Pos() <= o.Pos() && o.Pos() < n.End()) {
			seen[o] = true
			r = append(r, o)
		}
		return true
	})
	return r
}

func (l *Lower) closure(cells []types.Object, ft, text string) string {
	if len(cells) == 0 {
		return text
	}
	var ps, as []string
	for _, o := range cells {
		ps = append(ps, l.name(o)+" *"+l.tstr(types.Unalias(l.subst(o.Type()))))
		as = append(as, l.name(o))
	}
	return fmt.Sprintf("func(%s) %s { return %s }(%s)", strings.Join(ps, ", "), ft, text, strings.Join(as, ", "))
}

func (l *Lower) funcLit(e *ast.FuncLit) string {
	sig := l.info.TypeOf(e).(*types.Signature)
	text := l.funcBody("func", sig, e.Body)
	return l.closure(l.cellsOf(e), l.tstr(l.subst(sig)), text)
}

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
	if isIface(bt) {
		if _, ok := compiledIface(bt); ok {
			return x + "." + f.Name(), ""
		}
		sig := f.Type().(*types.Signature)
		sg := l.subst(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
		return fmt.Sprintf("rt.Method(%s, %q).(%s)", x, f.Name(), l.tstr(sg)), ""
	}
	n := bt.(*types.Named)
	if !userNamed(n) {
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
			if userPkg(o.Pkg()) {
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
		rt := derefT(bt)
		if ptr {
			rt = types.NewPointer(rt)
		}
		ps, as := l.plist(sig)
		ret := ""
		if sig.Results().Len() > 0 {
			ret = "return "
		}
		return fmt.Sprintf("func(r %s) %s { return func%s { %s%s(r%s) } }(%s)", l.tstr(rt), l.tstr(sig), l.sigstr(sig, ps, nil), ret, fn, as, recv)
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

func derefT(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
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
			if isIface(l.typeOf(a)) {
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
		if isIface(to) {
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
		if f, ok := l.info.Uses[id].(*types.Func); ok && f.Pkg() != nil && !userPkg(f.Pkg()) {
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
					_, ci := compiledIface(t)
					return isIface(t) && !ci
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

func (l *Lower) errorsAs(e *ast.CallExpr) string {
	pt := l.typeOf(e.Args[1]).Underlying().(*types.Pointer)
	t := types.Unalias(pt.Elem())
	l.s.n++
	n := fmt.Sprintf("erras_%d", l.s.n)
	idx := l.caseIdx(t)
	any := types.Universe.Lookup("any").Type().Underlying()
	val := "r.(" + l.tstr(t) + ")"
	if isIface(t) {
		val = l.conv("rt.Norm(r)", any, t)
	} else if taintedType(t) {
		val = "rt.Val(r).(" + l.tstr(t) + ")"
	}
	fmt.Fprintf(l.decls, "func %s(e error, p *%s) bool {\nr := rt.ErrorsAs(e, %d)\nif r == nil { return false }\n*p = %s\nreturn true\n}\n", n, l.tstr(t), idx, val)
	return fmt.Sprintf("%s(%s, %s)", n, l.expr(e.Args[0]), l.expr(e.Args[1]))
}

func (l *Lower) builtin(e *ast.CallExpr, name string) string {
	switch name {
	case "append":
		st := l.typeOf(e.Args[0])
		if b, ok := st.(*types.Basic); ok && b.Kind() == types.UntypedNil {
			st = l.typeOf(e)
		}
		et := st.Underlying().(*types.Slice).Elem()
		as := []string{l.expr(e.Args[0])}
		if as[0] == "nil" {
			as[0] = "(" + l.tstr(l.typeOf(e)) + ")(nil)"
		}
		for i, a := range e.Args[1:] {
			if e.Ellipsis.IsValid() && i == len(e.Args)-2 {
				as = append(as, l.expr(a)+"...")
			} else {
				as = append(as, l.exprTo(a, et))
			}
		}
		return "append(" + strings.Join(as, ", ") + ")"
	case "make":
		as := []string{l.tstr(l.typeOf(e.Args[0]))}
		for _, a := range e.Args[1:] {
			if tv := l.info.Types[a]; tv.Value != nil {
				as = append(as, l.constText(tv.Value, types.Typ[types.Int]))
				continue
			}
			as = append(as, l.expr(a))
		}
		return "make(" + strings.Join(as, ", ") + ")"
	case "new":
		if l.info.Types[e.Args[0]].IsType() {
			return "new(" + l.tstr(l.typeOf(e.Args[0])) + ")"
		}
		t := derefT(l.typeOf(e))
		ts := l.tstr(t)
		return fmt.Sprintf("func(v %s) *%s { p := new(%s); *p = v; return p }(%s)", ts, ts, ts, l.exprTo(e.Args[0], t))
	case "min", "max":
		t := l.typeOf(e)
		ts := l.tstr(t)
		k := name + typeKey(t) + fmt.Sprint(len(e.Args))
		n, ok := l.s.asserts[k]
		if !ok {
			l.s.n++
			n = fmt.Sprintf("%s_%d", name, l.s.n)
			l.s.asserts[k] = n
			op := "<"
			if name == "max" {
				op = ">"
			}
			nan := ""
			if b := t.Underlying().(*types.Basic); b.Info()&types.IsFloat != 0 {
				nan = "if b != b { return b }\nif r != r { return r }\n"
				if name == "min" {
					nan += "if b == 0 && r == 0 && 1/b < 0 { r = b; continue }\n"
				} else {
					nan += "if b == 0 && r == 0 && 1/r < 0 { r = b; continue }\n"
				}
			}
			var ps, as []string
			for i := range e.Args {
				ps = append(ps, fmt.Sprintf("a%d %s", i, ts))
				if i > 0 {
					as = append(as, fmt.Sprintf("a%d", i))
				}
			}
			fmt.Fprintf(l.decls, "func %s(%s) %s {\nr := a0\nfor _, b := range []%s{%s} {\n%sif b %s r { r = b }\n}\nreturn r\n}\n", n, strings.Join(ps, ", "), ts, ts, strings.Join(as, ", "), nan, op)
		}
		var as []string
		for _, a := range e.Args {
			as = append(as, l.exprTo(a, t))
		}
		return n + "(" + strings.Join(as, ", ") + ")"
	case "clear":
		return "rt.Clear(" + l.expr(e.Args[0]) + ")"
	case "panic":
		return "panic(" + l.exprTo(e.Args[0], types.Universe.Lookup("any").Type().Underlying()) + ")"
	case "recover":
		if l.fn != nil && l.s.deferOf != "" {
			return l.s.deferOf + ".Recover()"
		}
		return "interface{}(nil)"
	case "delete":
		m := l.typeOf(e.Args[0]).Underlying().(*types.Map)
		return "delete(" + l.expr(e.Args[0]) + ", " + l.exprTo(e.Args[1], m.Key()) + ")"
	case "copy", "len", "cap", "close", "real", "imag", "complex":
		var as []string
		for _, a := range e.Args {
			as = append(as, l.expr(a))
		}
		return name + "(" + strings.Join(as, ", ") + ")"
	case "print", "println":
		var as []string
		for _, a := range e.Args {
			as = append(as, l.expr(a))
		}
		return name + "(" + strings.Join(as, ", ") + ")"
	}
	panic("builtin " + name)
}
