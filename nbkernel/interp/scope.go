package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"
)

// assemble makes the file that is checked of what the cell declares, its hoisted variables and
// its statements, and sees to what it names and does not declare.
//
// One package serves all cells: go/types compares packages by pointer where it compares
// unexported fields, and P{1, 2} of an earlier cell's P must stay possible.
func (c *compilation) assemble() {
	used := map[string]bool{}
	for _, d := range c.decls {
		addNames(used, d)
	}
	for _, st := range c.body {
		addNames(used, st)
	}
	c.noteImports()
	decls := append(c.decls[:len(c.decls):len(c.decls)], c.hoist()...)
	declared := declaredNames(decls)
	var imports, rest []ast.Decl
	for _, d := range decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			imports = append(imports, d)
		} else if f, ok := d.(*ast.FuncDecl); ok && c.isLate(f, declared) {
			c.late = append(c.late, lateMethod{decl: f, of: c.s.objects[receiverBase(f)].Type().(*types.Named)})
		} else {
			rest = append(rest, d)
		}
	}
	emptyScope(c.s.pkg)
	for name := range used {
		if declared[name] || c.imported[name] {
			continue
		}
		if o := c.s.objects[name]; o != nil {
			c.s.pkg.Scope().Insert(o)
			c.visible = append(c.visible, o)
		} else if path, ok := c.s.imports[name]; ok {
			imports = append(imports, importOf(name, path))
		}
	}
	c.tree = &ast.File{Name: ast.NewIdent("main"), Decls: append(imports, rest...)}
	if len(c.body) > 0 {
		c.fn = &ast.FuncDecl{Name: ast.NewIdent("_cell"), Type: &ast.FuncType{Params: &ast.FieldList{}},
			Body: &ast.BlockStmt{List: c.body, Lbrace: c.body[0].Pos(), Rbrace: c.body[len(c.body)-1].End()}}
	}
}

func emptyScope(pkg *types.Package) {
	*pkg.Scope() = *types.NewScope(types.Universe, token.NoPos, token.NoPos, "package main")
}

func importOf(name, path string) ast.Decl {
	return &ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{
		&ast.ImportSpec{Name: ast.NewIdent(name), Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)}}}}
}

// noteImports gives the names of the cell's imports their packages.
func (c *compilation) noteImports() {
	for _, d := range c.decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, spec := range g.Specs {
			name, path := c.s.importName(spec.(*ast.ImportSpec))
			c.imported[name], c.s.imports[name] = true, path
		}
	}
}

// importName returns the name and the path of an import.
func (s *Session) importName(spec *ast.ImportSpec) (name, importPath string) {
	importPath, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		importPath = spec.Path.Value // the checker will say so
	}
	switch {
	case spec.Name != nil:
		name = spec.Name.Name
	case s.importer.Name(importPath) != "":
		name = s.importer.Name(importPath)
	default:
		name = path.Base(importPath)
	}
	return name, importPath
}

// declaredNames returns the names of functions, types, constants and variables.
func declaredNames(decls []ast.Decl) map[string]bool {
	declared := map[string]bool{}
	for _, d := range decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				declared[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					declared[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						declared[name.Name] = true
					}
				}
			}
		}
	}
	return declared
}

// receiverBase returns the name of the type that a method is declared for, "" if it is none.
func receiverBase(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	for t := f.Recv.List[0].Type; ; {
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
