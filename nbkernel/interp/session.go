package interp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"
)

type Session struct {
	Fset *token.FileSet
	Imp  *Importer
	I    *interp.Interpreter
	tctx *types.Context

	objs               map[string]types.Object // what a cell may name
	imports            map[string]string       // name -> path
	names              map[types.Object]string
	global             map[types.Object]bool
	vars               map[types.Object]*varInfo
	tnames             map[string]string
	fnames             map[string]string
	toI                map[reflect.Type]string
	asserts            map[string]string
	funcs              map[*types.Func]*funcSrc
	impl               map[*types.Func]*types.Func
	aliases            map[string]string
	pending            []string // import lines not yet evaluated
	inits              []string
	n, cell            int
	rebind             []*types.Named
	pkg                *types.Package
	deferOf, nextDefer string
	deferParam         bool
	values             []any                    // of the cell's last expression
	ended              chan struct{}            // closed when the function of the cell has returned
	at                 atomic.Pointer[position] // the statement that the cell has come to; a cell left behind may still write it
	trace              traceBuffer              // yaegi's traces of panics
	owner              map[string]*text         // lowered function → the text it stands in
	sources            map[string]*declaration
	remembered         int                  // declarations so far
	imported           map[string]bool      // names that this cell's imports declare
	late               []*types.Func        // methods that this cell gives to earlier types
	ghosts             map[*types.Func]bool // methods whose cell failed; a type cannot lose them
	locals             []local              // of this cell
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

func (s *Session) pkgAlias(p string) string {
	if a, ok := s.aliases[p]; ok {
		return a
	}
	s.n++
	a := fmt.Sprintf("p%d", s.n)
	s.aliases[p] = a
	s.pending = append(s.pending, fmt.Sprintf("import %s %q", a, p))
	return a
}

func (s *Session) hiddenType(rt reflect.Type) string {
	if n, ok := s.Imp.hidden[rt]; ok {
		return s.pkgAlias("eb/hidden") + "." + n
	}
	n := fmt.Sprintf("H%d", len(s.Imp.hidden))
	s.Imp.hidden[rt] = n
	s.I.Use(Exports{"eb/hidden/hidden": {n: reflect.Zero(reflect.PointerTo(rt))}})
	return s.pkgAlias("eb/hidden") + "." + n
}

var overrides = map[string]string{"encoding/json.Unmarshal": "rt.JSONUnmarshal", "fmt.Printf": "rt.Printf", "fmt.Println": "rt.Println", "fmt.Print": "rt.Print", "fmt.Sprintf": "rt.Sprintf", "fmt.Errorf": "rt.Errorf", "fmt.Fprintf": "rt.Fprintf"}

func (s *Session) compiledFunc(f *types.Func) string {
	if o, ok := overrides[f.FullName()]; ok {
		return o
	}
	return s.pkgAlias(f.Pkg().Path()) + "." + f.Name()
}

func (s *Session) intrinsic(l *Lower, f *types.Func, targs []types.Type, name string) (string, bool) {
	if f.Pkg().Path() == "slices" && f.Name() == "Sort" {
		e := targs[0].Underlying().(*types.Slice).Elem()
		st := l.tstr(targs[0])
		if b, ok := e.Underlying().(*types.Basic); ok {
			switch b.Kind() {
			case types.Int:
				return fmt.Sprintf("func %s(x %s) { %s.Ints([]int(x)) }\n", name, st, s.pkgAlias("sort")), !taintedType(e)
			case types.Float64:
				return fmt.Sprintf("func %s(x %s) { %s.Float64s([]float64(x)) }\n", name, st, s.pkgAlias("sort")), !taintedType(e)
			case types.String:
				return fmt.Sprintf("func %s(x %s) { %s.Strings([]string(x)) }\n", name, st, s.pkgAlias("sort")), !taintedType(e)
			}
		}
	}
	if f.Pkg().Path() == "slices" && (f.Name() == "SortFunc" || f.Name() == "SortStableFunc") {
		return fmt.Sprintf("func %s(x %s, cmp func(a, b %s) int) { %s.SliceStable(x, func(i, j int) bool { return cmp(x[i], x[j]) < 0 }) }\n", name, l.tstr(targs[0]), l.tstr(targs[1]), s.pkgAlias("sort")), true
	}
	return "", false
}

// Both parts of a cell are parsed behind a clause of the same length, on the first line, so that
// a position is the cell's after a shift of that length.
const (
	statementWrapper = "package main;func _(){"
	declWrapper      = "package main;         "
)

// parse splits a cell in declarations and statements; both keep their positions in the cell.
func (s *Session) parse(name, src string) (decls []ast.Decl, body []ast.Stmt, last ast.Expr, err error) {
	// One parse as a function body: declarations of functions and imports are cut out first, by token.
	fset := s.Fset
	f := fset.AddFile("", fset.Base(), len(src))
	var sc scanner.Scanner
	sc.Init(f, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	type piece struct {
		lo, hi int
		decl   bool
		mute   bool // a semicolon follows, not only the end of a line
	}
	var ps []piece
	depth := 0
	start := -1
	isDecl := false
	prevTok := token.ILLEGAL
	for {
		pos, tok, lit := sc.Scan()
		off := f.Offset(pos)
		if tok == token.EOF {
			if start >= 0 {
				ps = append(ps, piece{start, len(src), isDecl, false})
			}
			break
		}
		if tok == token.COMMENT {
			continue
		}
		if start < 0 {
			if tok == token.SEMICOLON {
				if lit == ";" {
					ps = append(ps, piece{off, off + 1, isDecl, true})
				}
				continue
			}
			start = off
			switch tok {
			case token.IMPORT, token.TYPE, token.CONST:
				isDecl = true
			case token.FUNC:
				isDecl = false // decided by the next token
			default:
				isDecl = false
			}
			if tok == token.FUNC {
				prevTok = token.FUNC
				continue
			}
			prevTok = tok
		} else if prevTok == token.FUNC && depth == 0 {
			if tok == token.IDENT {
				isDecl = true
			} else if tok == token.LPAREN {
				isDecl = looksLikeMethod(src[off:])
			}
			prevTok = token.ILLEGAL
		}
		switch tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.SEMICOLON:
			if depth == 0 {
				ps = append(ps, piece{start, off, isDecl, lit == ";"})
				start = -1
			}
		}
	}
	blank := func(keep bool) string {
		b := []byte(src)
		for i := range b {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
		for _, p := range ps {
			if p.decl == keep {
				copy(b[p.lo:p.hi], src[p.lo:p.hi])
				if p.hi < len(b) && src[p.hi] == ';' {
					b[p.hi] = ';'
				}
			}
		}
		return string(b)
	}
	any := func(d bool) bool {
		for _, p := range ps {
			if p.decl == d {
				return true
			}
		}
		return false
	}
	var errs scanner.ErrorList
	if any(true) {
		file, e := parser.ParseFile(fset, name, declWrapper+blank(true), parser.SkipObjectResolution|parser.AllErrors)
		if e != nil {
			errs = append(errs, e.(scanner.ErrorList)...)
		} else {
			decls = file.Decls
		}
	}
	if any(false) {
		file, e := parser.ParseFile(fset, name, statementWrapper+blank(false)+"\n}", parser.SkipObjectResolution|parser.AllErrors)
		if e != nil {
			errs = append(errs, e.(scanner.ErrorList)...)
		} else {
			body = file.Decls[0].(*ast.FuncDecl).Body.List
		}
	}
	if len(errs) > 0 {
		return nil, nil, nil, errs
	}
	if n := len(body); n > 0 {
		if es, ok := body[n-1].(*ast.ExprStmt); ok {
			last = es.X
			for _, p := range slices.Backward(ps) {
				if !p.decl {
					if p.mute {
						last = nil
					}
					break
				}
			}
		}
	}
	return
}

func looksLikeMethod(s string) bool {
	d := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			d++
		case ')':
			d--
			if d == 0 {
				r := strings.TrimLeft(s[i+1:], " \t")
				j := 0
				for j < len(r) && (r[j] == '_' || r[j] >= 'a' && r[j] <= 'z' || r[j] >= 'A' && r[j] <= 'Z' || j > 0 && r[j] >= '0' && r[j] <= '9' || r[j] >= 0x80) {
					j++
				}
				return j > 0 && strings.HasPrefix(strings.TrimLeft(r[j:], " "), "(") && !strings.HasPrefix(r, "func(")
			}
		}
	}
	return false
}

// check checks a cell against what the session has declared.
//
// All variables are package-level ones, initialised in the order of their dependencies, if
// whole is set: the cell is a file.
func (s *Session) check(name string, decls []ast.Decl, body []ast.Stmt, whole bool) (*types.Info, *types.Package, *ast.File, *ast.FuncDecl, error) {
	// One package for all cells: its scope is emptied and filled with what this cell can see.
	pkg := s.pkg
	*pkg.Scope() = *types.NewScope(types.Universe, token.NoPos, token.NoPos, "package main")
	file := &ast.File{Name: ast.NewIdent("main"), Decls: nil}
	declared := map[string]bool{}
	imported := map[string]bool{}
	s.imported = imported
	var methods []*ast.FuncDecl
	for _, d := range decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				declared[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, sp := range d.Specs {
				switch sp := sp.(type) {
				case *ast.TypeSpec:
					declared[sp.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range sp.Names {
						declared[n.Name] = true
					}
				case *ast.ImportSpec:
					p := strings.Trim(sp.Path.Value, `"`)
					n := s.Imp.names[p]
					if n == "" {
						n = path.Base(p)
					}
					if sp.Name != nil {
						n = sp.Name.Name
					}
					imported[n] = true
					s.imports[n] = p
				}
			}
		}
	}
	for _, d := range decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv != nil {
			if b := recvBase(fd); !declared[b] && s.objs[b] != nil {
				methods = append(methods, fd)
				continue
			}
		}
		file.Decls = append(file.Decls, d)
	}
	// names used
	used := map[string]bool{}
	see := func(n ast.Node) {
		ast.Inspect(n, func(c ast.Node) bool {
			if id, ok := c.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
	}
	for _, d := range decls {
		see(d)
	}
	fnUses := map[string]bool{}
	for n := range used {
		fnUses[n] = true
	}
	onlyVars := len(decls) > 0 && !whole
	for _, b := range body {
		if _, ok := b.(*ast.DeclStmt); !ok {
			onlyVars = false
		}
	}
	if onlyVars || whole {
		for _, b := range body {
			names, _ := defined(b)
			for _, n := range names {
				fnUses[n] = true
			}
		}
	} else if len(decls) == 0 {
		clear(fnUses)
	}
	for again := true; again && len(fnUses) > 0; { // and what the initialisers of those use
		again = false
		for _, b := range body {
			names, rhs := defined(b)
			hit := false
			for _, n := range names {
				hit = hit || fnUses[n]
			}
			if hit {
				for _, r := range rhs {
					ast.Inspect(r, func(c ast.Node) bool {
						if id, ok := c.(*ast.Ident); ok && !fnUses[id.Name] {
							fnUses[id.Name] = true
							again = true
						}
						return true
					})
				}
			}
		}
	}
	for _, b := range body {
		see(b)
	}
	for _, st := range body {
		switch x := st.(type) {
		case *ast.DeclStmt:
			for _, sp := range x.Decl.(*ast.GenDecl).Specs {
				if v, ok := sp.(*ast.ValueSpec); ok {
					for _, n := range v.Names {
						if fnUses[n.Name] {
							declared[n.Name] = true
						}
					}
				}
			}
		case *ast.AssignStmt:
			for _, e := range x.Lhs {
				if id, ok := e.(*ast.Ident); ok && x.Tok == token.DEFINE && fnUses[id.Name] {
					declared[id.Name] = true
				}
			}
		}
	}
	for n := range used {
		if declared[n] || imported[n] {
			continue
		}
		if o := s.objs[n]; o != nil {
			pkg.Scope().Insert(o)
		} else if p, ok := s.imports[n]; ok {
			sp := &ast.ImportSpec{Name: ast.NewIdent(n), Path: &ast.BasicLit{Kind: token.STRING, Value: fmt.Sprintf("%q", p)}}
			file.Decls = append([]ast.Decl{&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{sp}}}, file.Decls...)
		}
	}
	// imports must come first
	var imps, rest []ast.Decl
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			imps = append(imps, d)
		} else {
			rest = append(rest, d)
		}
	}
	file.Decls = append(imps, rest...)
	// variables that functions of this cell use become package-level ones
	var keep []ast.Stmt
	for _, st := range body {
		switch x := st.(type) {
		case *ast.DeclStmt:
			g := x.Decl.(*ast.GenDecl)
			hoist := false
			for _, sp := range g.Specs {
				if v, ok := sp.(*ast.ValueSpec); ok {
					for _, n := range v.Names {
						hoist = hoist || fnUses[n.Name]
					}
				}
			}
			if hoist {
				file.Decls = append(file.Decls, g)
				continue
			}
		case *ast.AssignStmt:
			hoist := x.Tok == token.DEFINE
			any := false
			for _, e := range x.Lhs {
				id, ok := e.(*ast.Ident)
				hoist = hoist && ok
				any = any || ok && fnUses[id.Name]
			}
			if hoist && any {
				vs := &ast.ValueSpec{Values: x.Rhs}
				for _, e := range x.Lhs {
					vs.Names = append(vs.Names, e.(*ast.Ident))
				}
				file.Decls = append(file.Decls, &ast.GenDecl{Tok: token.VAR, TokPos: x.Pos(), Specs: []ast.Spec{vs}})
				continue
			}
		}
		keep = append(keep, st)
	}
	body = keep
	for n := range fnUses {
		_ = n
	}
	var cellFn *ast.FuncDecl
	if len(body) > 0 {
		cellFn = &ast.FuncDecl{Name: ast.NewIdent("_cell"), Type: &ast.FuncType{Params: &ast.FieldList{}}, Body: &ast.BlockStmt{List: body, Lbrace: body[0].Pos(), Rbrace: body[len(body)-1].End()}}
	}
	info := newInfo()
	var msgs []string
	var mfuncs []*types.Func
	conf := types.Config{Importer: s.Imp, Error: func(e error) {
		te := e.(types.Error)
		if te.Soft && (strings.Contains(te.Msg, "declared and not used") || strings.Contains(te.Msg, "imported and not used") || strings.Contains(te.Msg, "imported as")) {
			return
		}
		if strings.Contains(te.Msg, "is not used") {
			return
		}
		p := s.position(te.Pos)
		msgs = append(msgs, fmt.Sprintf("%d:%d: %s", p.line, p.column, te.Msg))
	}}
	// methods on earlier types become plain functions; the type gains the method.
	for _, m := range methods {
		if err := s.lateMethod(m, file, pkg, &mfuncs, conf, &msgs); err != nil {
			return nil, nil, nil, nil, err
		}
	}
	if cellFn != nil {
		file.Decls = append(file.Decls, cellFn)
	}
	chk := types.NewChecker(&conf, s.Fset, pkg, info)
	chk.Files([]*ast.File{file})
	if len(msgs) > 0 {
		return nil, nil, nil, nil, &CellError{msgs}
	}
	if err := s.ghostUsed(info); err != nil {
		return nil, nil, nil, nil, err
	}
	for i, m := range methods {
		o := info.Defs[m.Name].(*types.Func)
		s.impl[mfuncs[i]] = o
	}
	return info, pkg, file, cellFn, nil
}

func recvBase(fd *ast.FuncDecl) string {
	t := fd.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// lateMethod rewrites a method of an earlier cell's type as a function and records the method.
func (s *Session) lateMethod(m *ast.FuncDecl, file *ast.File, pkg *types.Package, mfuncs *[]*types.Func, conf types.Config, msgs *[]string) error {
	base := recvBase(m)
	tn := s.objs[base].(*types.TypeName)
	named := tn.Type().(*types.Named)
	if named.TypeParams().Len() > 0 {
		return &CellError{[]string{"a method of the generic type " + base + " must stand in the cell that declares the type"}}
	}
	name := m.Name.Name
	m.Name.Name = base + "·" + name
	m.Type.Params.List = append([]*ast.Field{m.Recv.List[0]}, m.Type.Params.List...)
	if len(m.Recv.List[0].Names) == 0 {
		m.Recv.List[0].Names = []*ast.Ident{ast.NewIdent("_")}
		for _, f := range m.Type.Params.List[1:] {
			if len(f.Names) == 0 {
				f.Names = []*ast.Ident{ast.NewIdent("_")}
			}
		}
	}
	recv := m.Recv
	m.Recv = nil
	_ = recv
	file.Decls = append(file.Decls, m)
	// signature
	i0 := newInfo()
	p0 := pkg
	before := map[string]types.Object{}
	for _, n := range pkg.Scope().Names() {
		before[n] = pkg.Scope().Lookup(n)
	}
	c2 := conf
	c2.IgnoreFuncBodies = true
	f0 := &ast.File{Name: file.Name, Decls: slices.Clone(file.Decls)}
	types.NewChecker(&c2, s.Fset, p0, i0).Files([]*ast.File{f0})
	if len(*msgs) > 0 {
		return &CellError{*msgs}
	}
	*pkg.Scope() = *types.NewScope(types.Universe, token.NoPos, token.NoPos, "package main")
	for _, o := range before {
		pkg.Scope().Insert(o)
	}
	sg := i0.Defs[m.Name].Type().(*types.Signature)
	rv := types.NewParam(m.Pos(), named.Obj().Pkg(), "", sg.Params().At(0).Type())
	var ps []*types.Var
	for i := 1; i < sg.Params().Len(); i++ {
		ps = append(ps, sg.Params().At(i))
	}
	nsig := types.NewSignatureType(rv, nil, nil, types.NewTuple(ps...), sg.Results(), sg.Variadic())
	for i := 0; i < named.NumMethods(); i++ {
		if o := named.Method(i); o.Name() == name {
			_, p1 := o.Type().(*types.Signature).Recv().Type().(*types.Pointer)
			_, p2 := rv.Type().(*types.Pointer)
			if !types.Identical(o.Type(), nsig) || p1 != p2 {
				return &CellError{[]string{fmt.Sprintf("method %s.%s has another signature; declare type %s again in this cell to start a new one", base, name, base)}}
			}
			*mfuncs = append(*mfuncs, o)
			s.late = append(s.late, o)
			s.rebind = append(s.rebind, named)
			return nil
		}
	}
	f := types.NewFunc(m.Pos(), named.Obj().Pkg(), name, nsig)
	named.AddMethod(f)
	s.ghosts[f] = true // until the cell is accepted
	s.rebind = append(s.rebind, named)
	*mfuncs = append(*mfuncs, f)
	s.late = append(s.late, f)
	clear(implMem)
	return nil
}

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
			if d := descOf(t); d != nil {
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

// defined returns the names a top-level statement declares and their initialisers.
func defined(st ast.Stmt) (names []string, rhs []ast.Expr) {
	switch x := st.(type) {
	case *ast.DeclStmt:
		for _, sp := range x.Decl.(*ast.GenDecl).Specs {
			if v, ok := sp.(*ast.ValueSpec); ok {
				for _, n := range v.Names {
					names = append(names, n.Name)
				}
				rhs = append(rhs, v.Values...)
			}
		}
	case *ast.AssignStmt:
		if x.Tok == token.DEFINE {
			for _, e := range x.Lhs {
				if id, ok := e.(*ast.Ident); ok {
					names = append(names, id.Name)
				}
			}
			rhs = x.Rhs
		}
	}
	return
}
