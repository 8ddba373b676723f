package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A declaration is the source of a declaration that a new session can replay.
type declaration struct {
	order    int
	source   string
	names    []string                // what it declares; a method is "Type.Name"
	uses     map[string]types.Object // what it names at package level
	variable bool                    // it names a variable, whose value a new session does not have
	imp      bool                    // it is an import

	function *ast.FuncDecl // that it is, nil if it is something else
	info     *types.Info   // of function
}

// remember keeps the sources of imports, types, constants and functions.
func (s *Session) remember(source string, decls []ast.Decl, info *types.Info) {
	for _, d := range decls { // a new type has none of the old one's methods
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, spec := range g.Specs {
				s.forgetSource(spec.(*ast.TypeSpec).Name.Name)
			}
		}
	}
	for _, d := range decls {
		file := s.files.File(d.Pos())
		if file == nil {
			continue // an import that the session added by itself
		}
		from, to := file.Offset(d.Pos())-len(declWrapper), file.Offset(d.End())-len(declWrapper)
		if from < 0 || to > len(source) {
			continue
		}
		r := &declaration{order: s.kept, source: source[from:to]}
		s.kept++
		key := r.identify(d)
		if key == "" {
			continue
		}
		r.function, _ = d.(*ast.FuncDecl)
		r.info, r.uses = info, usedBy(d, info)
		for _, o := range r.uses {
			if v, ok := o.(*types.Var); ok && s.program.Global(v) {
				r.variable = true
			}
		}
		s.sources[key] = r
	}
}

// identify notes what d declares and returns the key that a later declaration of the same has
// too, "" for a function that nobody can name: it has run.
func (r *declaration) identify(d ast.Decl) (key string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if key = functionKey(d); key != "" {
			r.names = []string{key}
		}
		return key
	case *ast.GenDecl:
		r.imp = d.Tok == token.IMPORT
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				r.names = append(r.names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					r.names = append(r.names, name.Name)
				}
			}
		}
	}
	if len(r.names) == 1 {
		return r.names[0]
	}
	return r.source
}

// usedBy returns what a declaration names of packages, by the names it uses.
func usedBy(d ast.Decl, info *types.Info) map[string]types.Object {
	used := map[string]types.Object{}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // what it selects has no name by itself
			ast.Inspect(n.X, visit)
			return false
		case *ast.Ident:
			switch o := info.Uses[n].(type) {
			case nil:
			case *types.PkgName:
				used[n.Name] = o
			default:
				if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
					used[n.Name] = o
				}
			}
		}
		return true
	}
	ast.Inspect(d, visit)
	return used
}

// forgetSource forgets the declaration of a name and the methods of a type.
func (s *Session) forgetSource(name string) {
	for key, d := range s.sources {
		if key == name || strings.HasPrefix(key, name+".") || len(d.names) == 1 && d.names[0] == name {
			delete(s.sources, key)
		}
	}
}

// Declarations returns the sources of the session's imports, types, constants and functions as
// cells for a new session, in an order in which each finds what it needs: what refers to each
// other stands in one cell, and so do a type and its methods. What needs a variable comes last.
func (s *Session) Declarations() []string {
	list := make([]*declaration, 0, len(s.sources))
	for _, d := range s.sources {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b *declaration) int { return a.order - b.order })
	r := replay{of: map[string][]*declaration{}, lost: map[*declaration]bool{}, index: map[*declaration]int{}, low: map[*declaration]int{}}
	for _, d := range list {
		for _, name := range d.names {
			r.of[name] = append(r.of[name], d)
		}
		r.lost[d] = d.variable
	}
	for again := true; again; {
		again = false
		for _, d := range list {
			if !r.lost[d] && slices.ContainsFunc(r.needs(d), func(n *declaration) bool { return r.lost[n] }) {
				r.lost[d], again = true, true
			}
		}
	}
	for _, d := range list {
		if d.imp {
			r.cells = append(r.cells, d.source)
		}
	}
	for _, lost := range []bool{false, true} {
		for _, d := range list {
			if !d.imp && r.lost[d] == lost && r.index[d] == 0 {
				r.visit(d)
			}
		}
	}
	return r.cells
}

// A replay finds the strongly connected declarations (Tarjan 1972), which come out in the
// order of their dependencies.
type replay struct {
	of         map[string][]*declaration // by name, oldest first
	lost       map[*declaration]bool     // by itself or by what it needs
	index, low map[*declaration]int
	stack      []*declaration
	cells      []string
}

// needs returns the declarations that must come before d.
func (r *replay) needs(d *declaration) []*declaration {
	var list []*declaration
	for name, o := range d.uses {
		switch o.(type) {
		case *types.PkgName, *types.Var:
			continue
		}
		if same := r.of[name]; len(same) > 0 {
			list = append(list, same[len(same)-1])
		}
	}
	for _, name := range d.names { // of a name that was declared twice the newer one must win
		if i := slices.Index(r.of[name], d); i > 0 {
			list = append(list, r.of[name][i-1])
		}
	}
	slices.SortFunc(list, func(a, b *declaration) int { return a.order - b.order })
	return list
}

func (r *replay) visit(d *declaration) {
	r.index[d] = len(r.index) + 1
	r.low[d] = r.index[d]
	r.stack = append(r.stack, d)
	next := r.needs(d)
	for _, name := range d.names {
		for method, list := range r.of {
			if strings.HasPrefix(method, name+".") && !r.lost[list[0]] {
				next = append(next, list[0])
			}
		}
	}
	slices.SortFunc(next, func(a, b *declaration) int { return a.order - b.order })
	for _, n := range next {
		if r.index[n] == 0 {
			r.visit(n)
			r.low[d] = min(r.low[d], r.low[n])
		} else if slices.Contains(r.stack, n) {
			r.low[d] = min(r.low[d], r.index[n])
		}
	}
	if r.low[d] != r.index[d] {
		return
	}
	at := slices.Index(r.stack, d)
	group := slices.Clone(r.stack[at:])
	r.stack = r.stack[:at]
	slices.SortFunc(group, func(a, b *declaration) int { return a.order - b.order })
	var sources []string
	for _, d := range group {
		sources = append(sources, d.source)
	}
	r.cells = append(r.cells, strings.Join(sources, "\n\n"))
}
