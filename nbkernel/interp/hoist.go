package interp

import (
	"go/ast"
	"go/token"
)

// hoist takes the statements out of the body that declare variables at package level, and
// returns them as declarations: those that a function of the same cell names, or the
// initialiser of one of them, all of a cell that is a file, and all of a cell of declarations
// alone, whose order of initialisation then is the checker's.
func (c *compilation) hoist() (hoisted []ast.Decl) {
	named := c.namedByDeclarations()
	for changed := true; changed; {
		changed = false
		for _, st := range c.body {
			d := variables(st)
			if d == nil || !declaresAny(d, named) {
				continue
			}
			for _, spec := range d.Specs {
				for _, value := range spec.(*ast.ValueSpec).Values {
					changed = addNames(named, value) || changed
				}
			}
		}
	}
	var rest []ast.Stmt
	for _, st := range c.body {
		if d := variables(st); d != nil && declaresAny(d, named) {
			hoisted = append(hoisted, d)
		} else {
			rest = append(rest, st)
		}
	}
	c.body = rest
	return hoisted
}

// namedByDeclarations returns the names whose variables must be at package level.
func (c *compilation) namedByDeclarations() map[string]bool {
	named := map[string]bool{}
	for _, d := range c.decls {
		addNames(named, d)
	}
	if !c.file && (len(c.decls) == 0 || !onlyDeclarations(c.body)) {
		return named
	}
	for _, st := range c.body {
		if d := variables(st); d != nil {
			for _, spec := range d.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					named[name.Name] = true
				}
			}
		}
	}
	return named
}

func onlyDeclarations(body []ast.Stmt) bool {
	for _, st := range body {
		if _, ok := st.(*ast.DeclStmt); !ok {
			return false
		}
	}
	return true
}

// addNames adds the names in n and reports whether there were new ones.
func addNames(names map[string]bool, n ast.Node) (added bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !names[id.Name] {
			names[id.Name], added = true, true
		}
		return true
	})
	return added
}

// variables returns a statement as a declaration of variables, nil if it is none. One that
// assigns to something else too cannot be a declaration.
func variables(st ast.Stmt) *ast.GenDecl {
	switch st := st.(type) {
	case *ast.DeclStmt:
		if d := st.Decl.(*ast.GenDecl); d.Tok == token.VAR {
			return d
		}
	case *ast.AssignStmt:
		if st.Tok != token.DEFINE {
			return nil
		}
		spec := &ast.ValueSpec{Values: st.Rhs}
		for _, e := range st.Lhs {
			id, ok := e.(*ast.Ident)
			if !ok {
				return nil
			}
			spec.Names = append(spec.Names, id)
		}
		return &ast.GenDecl{Tok: token.VAR, TokPos: st.Pos(), Specs: []ast.Spec{spec}}
	}
	return nil
}

func declaresAny(d *ast.GenDecl, names map[string]bool) bool {
	for _, spec := range d.Specs {
		for _, name := range spec.(*ast.ValueSpec).Names {
			if names[name.Name] {
				return true
			}
		}
	}
	return false
}
