package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

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
					n := s.imp.Name(p)
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
	info := importer.NewInfo()
	var msgs []string
	var mfuncs []*types.Func
	conf := types.Config{Importer: s.imp, Error: func(e error) {
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

func recvKey(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	return recvBase(d)
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
