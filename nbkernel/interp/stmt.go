package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

var anyT = types.Universe.Lookup("any").Type().Underlying()

func (l *Lower) stmts(list []ast.Stmt) {
	for _, s := range list {
		l.mark(s)
		l.stmt(s, "")
	}
}

func (l *Lower) block(b *ast.BlockStmt) {
	l.line("{")
	l.stmts(b.List)
	l.line("}")
}

// declare makes the variable and sets it.
func (l *Lower) declare(o types.Object, val string) {
	ts := l.tstr(types.Unalias(l.subst(o.Type())))
	n := l.name(o)
	switch {
	case l.global[o]:
		if val == "" {
			val = l.zero(types.Unalias(l.subst(o.Type())))
		}
		l.line("%s = %s", n, val)
	case l.vars[o].cell():
		l.line("%s := new(%s)", n, ts)
		if val != "" {
			l.line("*%s = %s", n, val)
		}
	case val == "":
		l.line("var %s %s", n, ts)
		// a variable in a loop starts at zero each time
		if v := l.vars[o]; v != nil && v.inLoop {
			l.line("%s = %s", n, l.zero(types.Unalias(l.subst(o.Type()))))
		}
	default:
		l.line("var %s %s = %s", n, ts, val)
	}
}

// mark writes the position of a statement before it, for the positions of run-time errors.
func (l *Lower) mark(s ast.Stmt) {
	if !s.Pos().IsValid() {
		return
	}
	p := l.s.position(s.Pos())
	l.line("// @%d:%d", p.line, p.column)
}

// reach makes the session note that the cell has come to a statement of its top level, where
// yaegi's trace is not exact.
func (l *Lower) reach(n ast.Node) {
	if n.Pos().IsValid() {
		p := l.s.position(n.Pos())
		l.line("cell.At(%d, %d)", p.line, p.column)
	}
}

func (l *Lower) stmt(s ast.Stmt, label string) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.BlockStmt:
		l.block(s)
	case *ast.ExprStmt:
		x := l.expr(s.X)
		if u, ok := ast.Unparen(s.X).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			l.line("<-%s", l.expr(u.X))
			return
		}
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
			_ = call
			l.line("%s", x)
			return
		}
		l.line("_ = %s", x)
	case *ast.IncDecStmt:
		l.line("%s%s", l.expr(s.X), s.Tok)
	case *ast.AssignStmt:
		l.assign(s)
	case *ast.DeclStmt:
		gd := s.Decl.(*ast.GenDecl)
		if gd.Tok == token.VAR {
			for _, sp := range gd.Specs {
				l.valueSpec(sp.(*ast.ValueSpec))
			}
		}
	case *ast.ReturnStmt:
		l.ret(s)
	case *ast.IfStmt:
		l.line("{")
		if s.Init != nil {
			l.stmt(s.Init, "")
		}
		l.line("if %s {", l.expr(s.Cond))
		l.stmts(s.Body.List)
		if s.Else != nil {
			l.line("} else {")
			l.stmt(s.Else, "")
		}
		l.line("}")
		l.line("}")
	case *ast.ForStmt:
		l.forStmt(s, label)
	case *ast.RangeStmt:
		l.rangeStmt(s, label)
	case *ast.SwitchStmt:
		l.switchStmt(s, label)
	case *ast.TypeSwitchStmt:
		l.typeSwitch(s, label)
	case *ast.SelectStmt:
		l.selectStmt(s, label)
	case *ast.LabeledStmt:
		switch s.Stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			l.line("L_%s:", s.Label.Name)
			l.stmt(s.Stmt, s.Label.Name)
		default:
			l.line("L_%s:", s.Label.Name)
			l.stmt(s.Stmt, "")
		}
	case *ast.BranchStmt:
		l.branch(s)
	case *ast.GoStmt:
		fn, pre := l.frozen(s.Call, false)
		l.line("{")
		l.b.WriteString(pre)
		l.line("rt.Go(%s)", fn)
		l.line("}")
	case *ast.DeferStmt:
		if l.fn.rf != nil {
			l.refuse(s, "defer inside a range over a function is not supported here; move it out of the loop")
		}
		fn, pre := l.frozen(s.Call, true)
		l.line("{")
		l.b.WriteString(pre)
		l.line("%s.Push(%s)", l.fn.defers, fn)
		l.line("}")
	case *ast.SendStmt:
		ch := l.typeOf(s.Chan).Underlying().(*types.Chan)
		l.line("%s <- %s", l.expr(s.Chan), l.exprTo(s.Value, ch.Elem()))
	default:
		panic(fmt.Sprintf("stmt %T", s))
	}
}

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
				rt := bt
				val := x
				if !isIface(bt) {
					if rv := f.Type().(*types.Signature).Recv(); rv != nil {
						if _, ptr := rv.Type().(*types.Pointer); ptr {
							if _, isp := bt.Underlying().(*types.Pointer); !isp {
								rt, val = types.NewPointer(bt), addrOf(x)
							}
						}
					}
				}
				p := arg(l.tstr(rt), val)
				fnm, _ = l.methodFn(p, rt, f)
				call = fnm + "(" + args + ")"
			} else {
				rt := derefT(bt)
				if _, ptr := f.Type().(*types.Signature).Recv().Type().(*types.Pointer); ptr {
					rt = types.NewPointer(rt)
				}
				p := arg(l.tstr(rt), recv)
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
			case f != nil && isDefer && f.Pkg() != nil && userPkg(f.Pkg()) && hasRecover(l.s.funcs[f.Origin()]):
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
	src := l.s.funcs[o]
	k := fmt.Sprintf("D%p", o)
	for _, t := range targs {
		k += "," + typeKey(t)
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

func (l *Lower) valueSpec(sp *ast.ValueSpec) {
	if len(sp.Values) == 0 {
		for _, id := range sp.Names {
			if id.Name != "_" {
				l.declare(l.info.Defs[id], "")
			}
		}
		return
	}
	if len(sp.Values) == len(sp.Names) {
		var ts []string
		for i, id := range sp.Names {
			o := l.info.Defs[id]
			var to types.Type
			if o != nil {
				to = types.Unalias(l.subst(o.Type()))
			}
			if len(sp.Names) == 1 {
				if id.Name == "_" {
					l.line("_ = %s", l.expr(sp.Values[i]))
				} else {
					l.declare(o, l.exprTo(sp.Values[i], to))
				}
				return
			}
			t := l.tmp()
			l.line("%s := %s", t, l.exprTyped(sp.Values[i], to))
			ts = append(ts, t)
		}
		for i, id := range sp.Names {
			if id.Name != "_" {
				l.declare(l.info.Defs[id], ts[i])
			}
		}
		return
	}
	lhs := make([]ast.Expr, len(sp.Names))
	for i, id := range sp.Names {
		lhs[i] = id
	}
	l.multi(lhs, sp.Values[0], true)
}

// exprTyped is exprTo for the right side of :=, where a bare constant would lose its type.
func (l *Lower) exprTyped(e ast.Expr, to types.Type) string {
	x := l.exprTo(e, to)
	if l.info.Types[e].Value != nil && !isIface(to) {
		if b, ok := to.(*types.Basic); ok {
			return b.Name() + "(" + x + ")"
		}
	}
	if x == "nil" {
		return "(" + l.tstr(to) + ")(nil)"
	}
	return x
}

// multi assigns the several results of rhs.
func (l *Lower) multi(lhs []ast.Expr, rhs ast.Expr, def bool) {
	var ts []types.Type
	var x string
	switch r := ast.Unparen(rhs).(type) {
	case *ast.TypeAssertExpr:
		ts = []types.Type{l.typeOf(r.Type), types.Typ[types.Bool]}
		x = l.assert(r, true)
	case *ast.CallExpr:
		tup := l.info.TypeOf(r).(*types.Tuple)
		for i := 0; i < tup.Len(); i++ {
			ts = append(ts, types.Unalias(l.subst(tup.At(i).Type())))
		}
		x = l.call(r)
	case *ast.IndexExpr:
		m := l.typeOf(r.X).Underlying().(*types.Map)
		ts = []types.Type{m.Elem(), types.Typ[types.Bool]}
		x = l.expr(r.X) + "[" + l.exprTo(r.Index, m.Key()) + "]"
	case *ast.UnaryExpr:
		ts = []types.Type{l.typeOf(r.X).Underlying().(*types.Chan).Elem(), types.Typ[types.Bool]}
		x = "<-" + l.expr(r.X)
	default:
		panic(fmt.Sprintf("multi %T", r))
	}
	tmps := make([]string, len(lhs))
	for i := range lhs {
		tmps[i] = l.tmp()
		if id, ok := lhs[i].(*ast.Ident); ok && id.Name == "_" {
			tmps[i] = "_"
		}
	}
	all := true
	for _, t := range tmps {
		all = all && t == "_"
	}
	if all {
		l.line("%s = %s", strings.Join(tmps, ", "), x)
		return
	}
	l.line("%s := %s", strings.Join(tmps, ", "), x)
	for i, e := range lhs {
		if tmps[i] == "_" {
			continue
		}
		l.set(e, tmps[i], ts[i], def)
	}
}

func (l *Lower) set(e ast.Expr, val string, from types.Type, def bool) {
	if id, ok := e.(*ast.Ident); ok && def {
		if o := l.info.Defs[id]; o != nil {
			l.declare(o, l.conv(val, from, types.Unalias(l.subst(o.Type()))))
			return
		}
	}
	l.line("%s = %s", l.lval(e), l.conv(val, from, l.typeOf(e)))
}

func (l *Lower) lval(e ast.Expr) string {
	x := l.expr(e)
	if strings.HasPrefix(x, "(*") && addrOf(x)[0] != '&' {
		return "*" + addrOf(x)
	}
	return x
}

func (l *Lower) assign(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		lt := l.typeOf(s.Lhs[0])
		op := s.Tok.String()
		r := ""
		if op == "<<=" || op == ">>=" {
			r = l.shiftCount(s.Rhs[0])
		} else {
			r = l.exprTo(s.Rhs[0], lt)
		}
		l.line("%s %s %s", l.lval(s.Lhs[0]), op, r)
		return
	}
	def := s.Tok == token.DEFINE
	if len(s.Lhs) != len(s.Rhs) {
		l.multi(s.Lhs, s.Rhs[0], def)
		return
	}
	ltype := func(i int) types.Type {
		id, ok := s.Lhs[i].(*ast.Ident)
		if ok && id.Name == "_" {
			t := l.typeOf(s.Rhs[i])
			if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
				t = types.Default(t)
			}
			return t
		}
		if ok && def {
			if o := l.info.Defs[id]; o != nil {
				return types.Unalias(l.subst(o.Type()))
			}
		}
		return l.typeOf(s.Lhs[i])
	}
	if len(s.Lhs) == 1 {
		e := s.Lhs[0]
		val := l.exprTo(s.Rhs[0], ltype(0))
		if id, ok := e.(*ast.Ident); ok {
			if id.Name == "_" {
				l.line("_ = %s", l.exprTyped(s.Rhs[0], ltype(0)))
				return
			}
			if o := l.info.Defs[id]; def && o != nil {
				l.declare(o, val)
				return
			}
		}
		l.line("%s = %s", l.lvalMap(e), val)
		return
	}
	// index and pointer operands on the left come first
	var lv []func(val string)
	for i, e := range s.Lhs {
		e := ast.Unparen(e)
		switch x := e.(type) {
		case *ast.IndexExpr:
			base := l.expr(x.X)
			it := l.typeOf(x.Index)
			if m, ok := l.typeOf(x.X).Underlying().(*types.Map); ok {
				it = types.Unalias(m.Key())
			} else if b, ok := it.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
				it = types.Typ[types.Int]
			}
			k := l.tmp()
			l.line("%s := %s", k, l.exprTyped(x.Index, it))
			lv = append(lv, func(v string) { l.line("%s[%s] = %s", base, k, v) })
		default:
			lv = append(lv, func(v string) { l.set(s.Lhs[i], v, ltype(i), def) })
		}
	}
	var ts []string
	for i := range s.Rhs {
		t := l.tmp()
		l.line("%s := %s", t, l.exprTyped(s.Rhs[i], ltype(i)))
		ts = append(ts, t)
	}
	for i, e := range s.Lhs {
		if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
			continue
		}
		lv[i](ts[i])
	}
}

func (l *Lower) lvalMap(e ast.Expr) string { return l.lval(e) }

func (l *Lower) ret(s *ast.ReturnStmt) {
	res := l.fn.results
	if l.fn.rf != nil { // inside the body of a range over a function
		if len(s.Results) > 0 {
			l.retVals(s)
		}
		l.line("%s = -1", l.fn.rf.flag)
		for rf := l.fn.rf.parent; rf != nil; rf = rf.parent {
			l.line("%s = -1", rf.flag)
		}
		l.line("return false")
		return
	}
	if len(s.Results) == 0 {
		if l.fn.native {
			l.line("return")
		} else {
			l.line("return %s", strings.Join(l.fn.resNames, ", "))
		}
		return
	}
	if l.fn.native {
		l.retVals(s)
		l.line("return")
		return
	}
	if len(s.Results) == 1 && res.Len() > 1 {
		tup := l.tuple(l.info.TypeOf(s.Results[0]).(*types.Tuple))
		var ts, cs []string
		for i := 0; i < tup.Len(); i++ {
			t := l.tmp()
			ts = append(ts, t)
			cs = append(cs, l.conv(t, tup.At(i).Type(), res.At(i).Type()))
		}
		l.line("%s := %s", strings.Join(ts, ", "), l.expr(s.Results[0]))
		l.line("return %s", strings.Join(cs, ", "))
		return
	}
	var xs []string
	for i, r := range s.Results {
		xs = append(xs, l.exprTo(r, types.Unalias(res.At(i).Type())))
	}
	l.line("return %s", strings.Join(xs, ", "))
}

// retVals sets the result variables.
func (l *Lower) retVals(s *ast.ReturnStmt) {
	res := l.fn.results
	var ts []string
	if len(s.Results) == 1 && res.Len() > 1 {
		tup := l.tuple(l.info.TypeOf(s.Results[0]).(*types.Tuple))
		var cs []string
		for i := 0; i < tup.Len(); i++ {
			t := l.tmp()
			ts = append(ts, t)
			cs = append(cs, l.conv(t, tup.At(i).Type(), res.At(i).Type()))
		}
		l.line("%s := %s", strings.Join(ts, ", "), l.expr(s.Results[0]))
		ts = cs
	} else {
		for i, r := range s.Results {
			t := l.tmp()
			l.line("%s := %s", t, l.exprTyped(r, types.Unalias(res.At(i).Type())))
			ts = append(ts, t)
		}
	}
	for i, t := range ts {
		l.line("%s = %s", l.fn.resNames[i], t)
	}
}

func (l *Lower) push(label string, loop bool) *target {
	t := &target{label: label, loop: loop}
	if label != "" {
		l.s.n++
		t.native = fmt.Sprintf("L%d_%s", l.s.n, label)
	}
	l.fn.brk = append(l.fn.brk, t)
	return t
}
func (l *Lower) pop() { l.fn.brk = l.fn.brk[:len(l.fn.brk)-1] }

func (l *Lower) branch(s *ast.BranchStmt) {
	if s.Tok == token.FALLTHROUGH {
		l.line("fallthrough")
		return
	}
	if s.Tok == token.GOTO {
		l.line("goto L_%s", s.Label.Name)
		return
	}
	var tg *target
	crossed := []*rangeFn{}
	cur := l.fn.rf
	for i := len(l.fn.brk) - 1; i >= 0; i-- {
		t := l.fn.brk[i]
		match := s.Label != nil && t.label == s.Label.Name || s.Label == nil && (t.loop || s.Tok == token.BREAK)
		if match {
			tg = t
			break
		}
		if t.rf != nil {
			crossed = append(crossed, t.rf)
			cur = t.rf.parent
		}
	}
	_ = cur
	if tg == nil {
		l.refuse(s, "no target for %s", s.Tok)
	}
	if len(crossed) == 0 {
		if tg.rf != nil {
			if s.Tok == token.CONTINUE {
				l.line("return true")
			} else {
				l.line("%s = -2", tg.rf.flag)
				l.line("return false")
			}
			return
		}
		if s.Label != nil {
			l.line("%s %s", s.Tok, tg.native)
		} else {
			l.line("%s", s.Tok)
		}
		return
	}
	// leave the bodies of one or more ranges over functions
	for i, rf := range crossed {
		act := ""
		if i == len(crossed)-1 {
			if tg.rf != nil {
				if s.Tok == token.CONTINUE {
					act = "return true"
				} else {
					act = tg.rf.flag + " = -2\nreturn false"
				}
			} else if s.Label != nil {
				act = s.Tok.String() + " " + tg.native
			} else {
				act = s.Tok.String()
			}
		} else {
			act = "return false"
		}
		rf.exits = append(rf.exits, act)
		l.line("%s = %d", rf.flag, len(rf.exits))
	}
	l.line("return false")
}

func (l *Lower) forStmt(s *ast.ForStmt, label string) {
	l.line("{")
	defer l.line("}")
	var cells []types.Object
	if a, ok := s.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		for _, e := range a.Lhs {
			if o := l.info.Defs[e.(*ast.Ident)]; o != nil && l.vars[o].cell() && !l.global[o] {
				cells = append(cells, o)
			}
		}
	}
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	t := l.push(label, true)
	defer l.pop()
	cond, post := "", ""
	if s.Cond != nil {
		cond = l.expr(s.Cond)
	}
	if s.Post != nil {
		save := l.b
		l.b = &strings.Builder{}
		l.stmt(s.Post, "")
		post = strings.TrimSpace(l.b.String())
		l.b = save
	}
	first := ""
	if len(cells) > 0 || strings.Contains(post, "\n") {
		// the post statement runs at the head of every iteration but the first
		first = l.tmp()
		l.line("%s := true", first)
	}
	if t.native != "" {
		l.line("%s:", t.native)
	}
	if first != "" {
		l.line("for {")
		l.line("if %s { %s = false } else {", first, first)
		for _, o := range cells {
			ts := l.tstr(types.Unalias(l.subst(o.Type())))
			c := l.tmp()
			l.line("%s := new(%s)\n*%s = *%s\n%s = %s", c, ts, c, l.name(o), l.name(o), c)
		}
		l.line("%s\n}", post)
		if cond != "" {
			l.line("if !(%s) { break }", cond)
		}
	} else if cond == "" && post == "" {
		l.line("for {")
	} else {
		l.line("for ; %s; %s {", cond, post)
	}
	l.stmts(s.Body.List)
	l.line("}")
}

func (l *Lower) rangeStmt(s *ast.RangeStmt, label string) {
	xt := l.typeOf(s.X)
	if l.isRangeFunc(s) {
		l.rangeFunc(s, label)
		return
	}
	l.line("{")
	defer l.line("}")
	def := s.Tok == token.DEFINE
	blank := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return e == nil || ok && id.Name == "_"
	}
	bind := func(e ast.Expr, val string, t types.Type) {
		if !blank(e) {
			l.set(e, val, t, def)
		}
	}
	if b, ok := xt.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		it := xt
		if b.Info()&types.IsUntyped != 0 {
			it = types.Typ[types.Int]
		}
		if !blank(s.Key) {
			it = l.typeOf2(s.Key)
		}
		n, i := l.tmp(), l.tmp()
		l.line("var %s %s = %s", n, l.tstr(it), l.exprTo(s.X, it))
		t := l.push(label, true)
		if t.native != "" {
			l.line("%s:", t.native)
		}
		direct := l.direct(s.Key, def)
		if direct != "" {
			i = direct
		}
		l.line("for %s := %s; %s < %s; %s++ {", i, l.exprTyped0(it), i, n, i)
		if direct == "" {
			bind(s.Key, i, it)
		}
		l.stmts(s.Body.List)
		l.line("}")
		l.pop()
		return
	}
	x := l.expr(s.X)
	var kt, vt types.Type
	u := xt.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	switch u := u.(type) {
	case *types.Slice:
		kt, vt = types.Typ[types.Int], u.Elem()
	case *types.Array:
		kt, vt = types.Typ[types.Int], u.Elem()
	case *types.Map:
		kt, vt = u.Key(), u.Elem()
	case *types.Chan:
		kt = u.Elem()
	case *types.Basic:
		kt, vt = types.Typ[types.Int], types.Typ[types.Rune]
		x = "string(" + x + ")"
	}
	c := l.tmp()
	l.line("%s := %s", c, x)
	t := l.push(label, true)
	defer l.pop()
	if t.native != "" {
		l.line("%s:", t.native)
	}
	k, v := "_", "_"
	dk, dv := l.direct(s.Key, def), l.direct(s.Value, def)
	if dk != "" {
		k = dk
	} else if !blank(s.Key) {
		k = l.tmp()
	}
	if dv != "" {
		v = dv
	} else if !blank(s.Value) {
		v = l.tmp()
	}
	switch {
	case vt == nil && k == "_":
		l.line("for range %s {", c)
	case vt == nil:
		l.line("for %s := range %s {", k, c)
	case k == "_" && v == "_":
		l.line("for range %s {", c)
	case v == "_":
		l.line("for %s := range %s {", k, c)
	default:
		l.line("for %s, %s := range %s {", k, v, c)
	}
	if dk == "" {
		bind(s.Key, k, types.Unalias(kt))
	}
	if vt != nil && dv == "" {
		bind(s.Value, v, types.Unalias(vt))
	}
	l.stmts(s.Body.List)
	l.line("}")
}

// direct returns the name of a loop variable that may be the interpreter's own: never assigned, no cell.
func (l *Lower) direct(e ast.Expr, def bool) string {
	id, ok := e.(*ast.Ident)
	if !ok || !def || id.Name == "_" {
		return ""
	}
	o := l.info.Defs[id]
	if v := l.vars[o]; o == nil || v == nil || v.assigned || v.captured || v.addr || l.global[o] {
		return ""
	}
	return l.name(o)
}

func (l *Lower) typeOf2(e ast.Expr) types.Type {
	if id, ok := e.(*ast.Ident); ok {
		if o := l.info.Defs[id]; o != nil {
			return types.Unalias(l.subst(o.Type()))
		}
	}
	return l.typeOf(e)
}

func (l *Lower) exprTyped0(t types.Type) string { return l.tstr(t) + "(0)" }

func (l *Lower) rangeFunc(s *ast.RangeStmt, label string) {
	sig := coreType(l.typeOf(s.X)).(*types.Signature)
	yield := sig.Params().At(0).Type().Underlying().(*types.Signature)
	flag := l.tmp()
	rf := &rangeFn{parent: l.fn.rf, flag: flag}
	l.line("{")
	defer l.line("}")
	l.line("%s := 0", flag)
	x := l.expr(s.X)
	t := l.push(label, true)
	t.rf = rf
	l.fn.rf = rf
	save := l.b
	l.b = &strings.Builder{}
	var ps []string
	var binds []func()
	for i := 0; i < yield.Params().Len(); i++ {
		p := l.tmp()
		ps = append(ps, p)
		e := s.Key
		if i == 1 {
			e = s.Value
		}
		if id, ok := e.(*ast.Ident); e == nil || ok && id.Name == "_" {
			continue
		}
		pt := types.Unalias(yield.Params().At(i).Type())
		binds = append(binds, func() { l.set(e, p, pt, s.Tok == token.DEFINE) })
	}
	for _, f := range binds {
		f()
	}
	l.stmts(s.Body.List)
	l.line("return true")
	body := l.b.String()
	l.b = save
	l.fn.rf = rf.parent
	l.pop()
	lit := "func" + l.sigstr(yield, ps, nil) + " {\n" + body + "}"
	lit = l.closure(l.cellsOf(s), l.tstr(yield), lit)
	l.line("%s(%s)", x, lit)
	// leave further
	var cases strings.Builder
	if rf.parent != nil {
		fmt.Fprintf(&cases, "if %s == -1 { return false }\n", flag)
	} else {
		r := "return " + strings.Join(l.fn.resNames, ", ")
		if l.fn.native {
			r = "return"
		}
		fmt.Fprintf(&cases, "if %s == -1 { %s }\n", flag, r)
		if len(l.fn.resNames) == 0 && l.fn.results.Len() > 0 {
			panic("range over func without result variables")
		}
	}
	for i, e := range rf.exits {
		fmt.Fprintf(&cases, "if %s == %d {\n%s\n}\n", flag, i+1, e)
	}
	l.b.WriteString(cases.String())
}

func (l *Lower) switchStmt(s *ast.SwitchStmt, label string) {
	l.line("{")
	defer l.line("}")
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	tag, tt := "", types.Type(nil)
	iface := false
	if s.Tag != nil {
		tt = l.typeOf(s.Tag)
		if b, ok := tt.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			tt = types.Default(tt)
		}
		tag = l.tmp()
		l.line("var %s %s = %s", tag, l.tstr(tt), l.exprTo(s.Tag, tt))
		iface = isIface(tt)
		if !iface {
			for _, c := range s.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					iface = iface || isIface(l.typeOf(e))
				}
			}
		}
	}
	t := l.push(label, false)
	defer l.pop()
	if t.native != "" {
		l.line("%s:", t.native)
	}
	plain := tag != "" && !iface // only constants: the interpreter's own switch
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			plain = plain && l.info.Types[e].Value != nil
		}
	}
	if b, ok := types.Type(tt).(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
		plain = false
	}
	if plain {
		l.line("switch %s {", tag)
	} else {
		l.line("switch {")
	}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			l.line("default:")
		} else {
			var xs []string
			for _, e := range c.List {
				switch {
				case tag == "":
					xs = append(xs, l.exprTo(e, types.Typ[types.Bool]))
				case iface:
					if tv := l.info.Types[e]; tv.IsNil() {
						xs = append(xs, "("+tag+" == nil)")
					} else {
						xs = append(xs, fmt.Sprintf("rt.Eq(%s, %s)", l.conv(tag, tt, anyT), l.exprTo(e, anyT)))
					}
				case plain:
					xs = append(xs, l.exprTo(e, tt))
				default:
					xs = append(xs, "("+tag+" == "+l.exprTo(e, tt)+")")
				}
			}
			sep := ", "
			if !plain { // of several conditions the interpreter reads one
				sep = " || "
			}
			l.line("case %s:", strings.Join(xs, sep))
		}
		l.stmts(c.Body)
	}
	l.line("}")
}

func (l *Lower) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	l.line("{")
	defer l.line("}")
	if s.Init != nil {
		l.stmt(s.Init, "")
	}
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		x = a.Rhs[0]
	}
	te := ast.Unparen(x).(*ast.TypeAssertExpr)
	from := l.typeOf(te.X)
	v, orig := l.tmp(), l.tmp()
	l.line("var %s %s = %s", orig, l.tstr(from), l.expr(te.X))
	l.line("var %s interface{} = %s", v, l.conv(orig, from, anyT))
	var ts []types.Type
	var cases []string
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		var xs []string
		for _, e := range c.List {
			if l.info.Types[e].IsNil() {
				ts = append(ts, nil)
			} else {
				ts = append(ts, l.typeOf(e))
			}
			xs = append(xs, fmt.Sprint(len(ts)-1))
		}
		cases = append(cases, strings.Join(xs, ", "))
	}
	idx := l.caseIdx(ts...)
	t := l.push(label, false)
	defer l.pop()
	if t.native != "" {
		l.line("%s:", t.native)
	}
	l.line("switch rt.Which(%s, %d) {", v, idx)
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			l.line("default:")
		} else {
			l.line("case %s:", cases[i])
		}
		if o := l.info.Implicits[c]; o != nil {
			ot := types.Unalias(l.subst(o.Type()))
			val := orig
			switch {
			case len(c.List) != 1 || l.info.Types[c.List[0]].IsNil():
			case isIface(ot):
				val = l.conv(v, anyT, ot)
			case taintedType(ot):
				val = "rt.Val(" + v + ").(" + l.tstr(ot) + ")"
			default:
				val = v + ".(" + l.tstr(ot) + ")"
			}
			l.declare(o, val)
		}
		l.stmts(c.Body)
	}
	l.line("}")
}

func (l *Lower) selectStmt(s *ast.SelectStmt, label string) {
	t := l.push(label, false)
	defer l.pop()
	if t.native != "" {
		l.line("%s:", t.native)
	}
	l.line("select {")
	for _, c := range s.Body.List {
		c := c.(*ast.CommClause)
		switch cm := c.Comm.(type) {
		case nil:
			l.line("default:")
		case *ast.SendStmt:
			ch := l.typeOf(cm.Chan).Underlying().(*types.Chan)
			l.line("case %s <- %s:", l.expr(cm.Chan), l.exprTo(cm.Value, ch.Elem()))
		case *ast.ExprStmt:
			u := ast.Unparen(cm.X).(*ast.UnaryExpr)
			l.line("case <-%s:", l.expr(u.X))
		case *ast.AssignStmt:
			u := ast.Unparen(cm.Rhs[0]).(*ast.UnaryExpr)
			et := types.Unalias(l.typeOf(u.X).Underlying().(*types.Chan).Elem())
			var ts []string
			for range cm.Lhs {
				ts = append(ts, l.tmp())
			}
			l.line("case %s := <-%s:", strings.Join(ts, ", "), l.expr(u.X))
			for i, e := range cm.Lhs {
				if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
					continue
				}
				ty := et
				if i == 1 {
					ty = types.Typ[types.Bool]
				}
				l.set(e, ts[i], ty, cm.Tok == token.DEFINE)
			}
		}
		l.stmts(c.Body)
	}
	l.line("}")
}
