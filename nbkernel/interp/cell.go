package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"runtime/debug"
	"strings"
)

func (s *Session) lower(info *types.Info, pkg *types.Package, file *ast.File, cellFn *ast.FuncDecl, last ast.Expr) (text, call string, commit func(), err error) {
	l := &Lower{s: s, info: info, decls: &strings.Builder{}, vars: s.vars, global: s.global}
	defer func() {
		if r := recover(); r != nil {
			if rf, ok := r.(Refused); ok {
				p := s.position(rf.Pos)
				err = &CellError{[]string{fmt.Sprintf("%d:%d: %s", p.line, p.column, rf.Msg)}}
				return
			}
			err = fmt.Errorf("lowering: %v\n%s", r, debug.Stack())
		}
	}()
	newObjs := map[string]types.Object{}
	s.addFuncs(file, info)
	// package-level variables
	var gv []types.Object
	fresh := map[types.Object]bool{}
	for _, o := range info.Defs {
		fresh[o] = true
	}
	for _, n := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(n)
		if fresh[o] && n != "_cell" && !strings.Contains(n, "·") {
			newObjs[n] = o
			if v, ok := o.(*types.Var); ok {
				gv = append(gv, v)
			}
		}
	}
	var locals []types.Object
	if cellFn != nil {
		sc := info.Scopes[cellFn.Type]
		for _, n := range sc.Names() {
			o := sc.Lookup(n)
			switch o := o.(type) {
			case *types.Var:
				gv = append(gv, o)
				locals = append(locals, o)
			default:
				newObjs[n] = o
			}
		}
	}
	for _, o := range gv {
		s.global[o] = true
		fmt.Fprintf(l.decls, "var %s %s\n", l.name(o), l.tstr(types.Unalias(o.Type())))
	}
	s.locals = nil
	for _, o := range locals {
		s.locals = append(s.locals, local{o.Name(), s.position(o.Pos()), s.objs[o.Name()]})
		nv := types.NewVar(o.Pos(), pkg, o.Name(), o.Type())
		s.names[nv] = s.names[o]
		s.global[nv] = true
		newObjs[o.Name()] = nv
	}
	// functions and methods of this cell, not generic ones
	var inits []string
	for _, d := range file.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd != cellFn {
			f, ok := info.Defs[fd.Name].(*types.Func)
			if !ok {
				continue
			}
			sg := f.Type().(*types.Signature)
			if fd.Name.Name == "init" && fd.Recv == nil {
				inits = append(inits, l.funcName(f, nil))
				continue
			}
			if sg.TypeParams().Len() == 0 && sg.RecvTypeParams().Len() == 0 {
				l.funcName(f, nil)
			}
		}
	}
	// statements
	l.b = &strings.Builder{}
	l.fn = &fnCtx{results: types.NewTuple()}
	if cellFn != nil {
		l.analyse(cellFn)
	}
	for _, in := range info.InitOrder {
		l.initVar(in)
	}
	for _, n := range inits {
		l.line("%s()", n)
	}
	if cellFn != nil {
		if hasDefer(cellFn.Body) {
			l.fn.defers = l.tmp()
			l.line("%s := rt.NewDefers()", l.fn.defers)
			l.line("%s.Call(func() {", l.fn.defers)
			l.fn.native = true
		}
		list := cellFn.Body.List
		if last != nil {
			list = list[:len(list)-1]
		}
		for _, st := range list {
			l.reach(st)
			l.stmt(st, "")
		}
		if last != nil {
			l.reach(last)
			l.result(last)
		}
		if l.fn.defers != "" {
			l.line("})")
		}
	}
	body := l.b.String()
	l.b = nil
	for _, n := range s.rebind {
		for _, t := range []types.Type{n, types.NewPointer(n)} {
			if d := s.table.Descriptor(t); d != nil {
				l.emitBind(d)
			}
		}
	}
	s.rebind = nil
	for len(l.queue) > 0 {
		q := l.queue[0]
		l.queue = l.queue[1:]
		q()
	}
	if len(s.inits) > 0 {
		body = strings.Join(s.inits, "\n") + "\n" + body
		s.inits = nil
	}
	if body != "" {
		fn := fmt.Sprintf("cell_%d", s.cell)
		fmt.Fprintf(l.decls, "func %s() {\n%s}\n", fn, body)
		call = fn + "()"
	}
	return l.decls.String(), call, func() {
		for n := range s.imported {
			delete(s.objs, n)
		}
		for n, o := range newObjs {
			s.objs[n] = o
		}
		for _, f := range s.late {
			delete(s.ghosts, f)
		}
	}, nil
}

func (l *Lower) result(e ast.Expr) {
	switch t := l.info.TypeOf(e).(type) {
	case *types.Tuple:
		if t.Len() == 0 {
			l.line("%s", l.expr(e))
			return
		}
		var ts []string
		for i := 0; i < t.Len(); i++ {
			ts = append(ts, l.tmp())
		}
		l.line("%s := %s", strings.Join(ts, ", "), l.expr(e))
		var values []string
		for i, name := range ts {
			values = append(values, l.conv(name, types.Unalias(t.At(i).Type()), anyT))
		}
		l.line("cell.Result(%s)", strings.Join(values, ", "))
	default:
		if tv := l.info.Types[e]; tv.IsVoid() {
			l.line("%s", l.expr(e))
			return
		}
		l.line("cell.Result(%s)", l.exprTo(e, anyT))
	}
}

func (l *Lower) initVar(in *types.Initializer) {
	if len(in.Lhs) == 1 {
		o := in.Lhs[0]
		if o.Name() == "_" {
			l.line("_ = %s", l.exprTo(in.Rhs, types.Unalias(o.Type())))
			return
		}
		l.line("%s = %s", l.name(o), l.exprTo(in.Rhs, types.Unalias(o.Type())))
		return
	}
	var ids []ast.Expr
	for _, o := range in.Lhs {
		id := ast.NewIdent(o.Name())
		l.info.Uses[id] = o
		l.info.Types[id] = types.TypeAndValue{Type: o.Type()}
		ids = append(ids, id)
	}
	l.multi(ids, in.Rhs, false)
}

// prints reports whether an expression is a call of a function of fmt that prints: the count
// it returns is not what the cell is about.
func (s *Session) prints(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "fmt" &&
		(strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint"))
}

func (s *Session) addFuncs(f *ast.File, info *types.Info) {
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			if o, ok := info.Defs[fd.Name].(*types.Func); ok {
				s.funcs[o] = &funcSrc{fd, info}
			}
		}
	}
}

// source returns the source of a function of a cell or of a generic package, nil if there is
// none.
func (s *Session) source(f *types.Func) *funcSrc {
	if src := s.funcs[f]; src != nil {
		return src
	}
	if generic, ok := s.imp.Function(f); ok {
		return &funcSrc{generic.Decl, generic.Info}
	}
	return nil
}
