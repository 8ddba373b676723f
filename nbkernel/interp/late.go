package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"eigenbook/nbkernel/interp/importer"
)

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
	i0 := importer.NewInfo()
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
	s.table.MethodsChanged()
	return nil
}

// isGhost reports whether o is a method that was declared in a cell that failed.
func (s *Session) isGhost(o types.Object) bool {
	f, ok := o.(*types.Func)
	return ok && s.ghosts[f] && !slices.Contains(s.late, f)
}

// ghostUsed returns an error if a cell names a ghost, which the checker takes for a method.
func (s *Session) ghostUsed(info *types.Info) error {
	var list []*ast.SelectorExpr
	for e, selection := range info.Selections {
		if s.isGhost(selection.Obj()) {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(a, b *ast.SelectorExpr) int { return int(a.Sel.Pos() - b.Sel.Pos()) })
	var messages []string
	for _, e := range list {
		p := s.position(e.Sel.Pos())
		messages = append(messages, fmt.Sprintf("%d:%d: %s undefined (the cell that declares method %s did not compile)",
			p.line, p.column, types.ExprString(e), e.Sel.Name))
	}
	return &CellError{messages}
}
