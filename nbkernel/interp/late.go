package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"eigenbook/nbkernel/interp/importer"
	"eigenbook/nbkernel/interp/lower"
)

// A lateMethod is a method that a cell gives to a type of an earlier cell. Values of the type
// that exist gain it too.
type lateMethod struct {
	decl   *ast.FuncDecl // becomes a function with the receiver first
	of     *types.Named
	method *types.Func
	gained bool // the type did not have it before
}

// isLate reports whether f is a method of a type of an earlier cell.
func (c *compilation) isLate(f *ast.FuncDecl, declared map[string]bool) bool {
	base := receiverBase(f)
	if base == "" || declared[base] {
		return false
	}
	name, ok := c.s.objects[base].(*types.TypeName)
	if !ok {
		return false
	}
	_, named := name.Type().(*types.Named)
	return named
}

// addMethods gives the late methods to their types. Their signatures are checked as those of
// functions first, and their bodies with the rest of the cell.
func (c *compilation) addMethods(conf types.Config, report *report) error {
	if len(c.late) == 0 {
		return nil
	}
	names := make([]string, len(c.late))
	for i, m := range c.late {
		if m.of.TypeParams().Len() > 0 {
			return c.s.errorAt(m.decl.Pos(), fmt.Sprintf("a method of the generic type %s must stand in the cell that declares the type", m.of.Obj().Name()))
		}
		names[i] = m.decl.Name.Name
		c.tree.Decls = append(c.tree.Decls, asFunction(m.decl, m.of.Obj().Name()))
	}
	signatures := c.signatures(conf)
	if len(report.messages) > 0 {
		return &CellError{report.messages}
	}
	for i := range c.late {
		m := &c.late[i]
		f, ok := signatures.Defs[m.decl.Name].(*types.Func)
		if !ok {
			return c.s.errorAt(m.decl.Pos(), "this method has no signature")
		}
		if err := c.addMethod(m, names[i], f.Signature()); err != nil {
			return err
		}
	}
	c.s.table.MethodsChanged()
	return nil
}

// asFunction turns a method into a function with the receiver first.
func asFunction(d *ast.FuncDecl, base string) *ast.FuncDecl {
	d.Name.Name = base + lower.MethodDot + d.Name.Name
	d.Type.Params.List = append([]*ast.Field{d.Recv.List[0]}, d.Type.Params.List...)
	d.Recv = nil
	for _, f := range d.Type.Params.List {
		if len(f.Names) == 0 { // named and unnamed parameters cannot be mixed
			f.Names = []*ast.Ident{ast.NewIdent("_")}
		}
	}
	return d
}

// signatures checks the declarations of the cell without bodies and variables, and leaves no
// trace of it in the package.
func (c *compilation) signatures(conf types.Config) *types.Info {
	scope := c.s.pkg.Scope()
	var seen []types.Object
	for _, name := range scope.Names() {
		seen = append(seen, scope.Lookup(name))
	}
	file := &ast.File{Name: c.tree.Name}
	for _, d := range c.tree.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.VAR {
			file.Decls = append(file.Decls, d)
		}
	}
	conf.IgnoreFuncBodies = true
	info := importer.NewInfo()
	c.s.checkFile(conf, file, info)
	emptyScope(c.s.pkg)
	for _, o := range seen {
		scope.Insert(o)
	}
	return info
}

// addMethod gives a type a method whose function, with the receiver first, has this signature.
// A method it has gets a new body; with another signature, values that hold the old one would
// be wrong.
func (c *compilation) addMethod(m *lateMethod, name string, function *types.Signature) error {
	pkg := m.of.Obj().Pkg()
	receiver := types.NewParam(m.decl.Pos(), pkg, "", function.Params().At(0).Type())
	params := slices.Collect(function.Params().Variables())[1:]
	signature := types.NewSignatureType(receiver, nil, nil, types.NewTuple(params...), function.Results(), function.Variadic())
	for method := range m.of.Methods() {
		if method.Name() != name {
			continue
		}
		if !types.Identical(method.Signature(), signature) || isPointer(method.Signature().Recv()) != isPointer(receiver) {
			base := m.of.Obj().Name()
			return c.s.errorAt(m.decl.Pos(), fmt.Sprintf("method %s.%s has another signature; declare type %s again in this cell to start a new one", base, name, base))
		}
		m.method, m.gained = method, c.s.ghosts[method]
		delete(c.s.ghosts, method)
		return nil
	}
	m.method, m.gained = types.NewFunc(m.decl.Pos(), pkg, name, signature), true
	m.of.AddMethod(m.method)
	return nil
}

func isPointer(v *types.Var) bool {
	_, ok := v.Type().(*types.Pointer)
	return ok
}

// isGhost reports whether o is a method that was declared in a cell that failed.
func (s *Session) isGhost(o types.Object) bool {
	f, ok := o.(*types.Func)
	return ok && s.ghosts[f]
}

// ghostUsed returns an error if the cell names a ghost, which the checker takes for a method.
func (c *compilation) ghostUsed() error {
	var list []*ast.SelectorExpr
	for e, selection := range c.info.Selections {
		if c.s.isGhost(selection.Obj()) {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(a, b *ast.SelectorExpr) int { return int(a.Sel.Pos() - b.Sel.Pos()) })
	var messages []string
	for _, e := range list {
		at := c.s.position(e.Sel.Pos())
		messages = append(messages, fmt.Sprintf("%d:%d: %s undefined (the cell that declares method %s did not compile)",
			at.line, at.column, types.ExprString(e), e.Sel.Name))
	}
	return &CellError{messages}
}
