package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"eigenbook/nbkernel/interp/importer"
	"eigenbook/nbkernel/interp/lower"
)

// A followed is a function of an earlier cell that was checked again, because what it names has
// another type or, as a constant, another value.
type followed struct {
	name     string // that has a new meaning
	key      string // of the function in Session.sources
	again    *declaration
	before   *declaration
	function *types.Func // the one of before
}

// follow makes functions of earlier cells name what this cell declares anew, as they would if
// all cells were one program. A function or variable with the type it had needs no more than
// that code which names it is emitted again; what names another one is checked again. A function
// that does not compile any more stays as it was, and the cell says so. A type declared anew is
// another type, and functions stay with the one they were written for.
func (c *compilation) follow() {
	s := c.s
	now := c.declaredNow()
	names := make([]string, 0, len(now))
	for name := range now {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		old, new := s.objects[name], now[name]
		same := types.Identical(old.Type(), new.Type())
		switch old := old.(type) {
		case *types.Func:
			f, ok := new.(*types.Func)
			if same = same && ok; same {
				s.program.Implement(old, f)
			}
		case *types.Var: // package lower replaces it
			_, ok := new.(*types.Var)
			same = same && ok
		default:
			same = false
		}
		c.checkUsers(name, now, same)
	}
}

// declaredNow returns what the cell declares of the names that earlier cells gave to functions,
// variables and constants.
func (c *compilation) declaredNow() map[string]types.Object {
	now := map[string]types.Object{}
	add := func(scope *types.Scope, has func(types.Object) bool) {
		for _, name := range scope.Names() {
			o := scope.Lookup(name)
			if old := c.s.objects[name]; old == nil || isType(old) || isType(o) || !has(o) {
				continue
			}
			now[name] = o
		}
	}
	scope := c.s.pkg.Scope()
	add(scope, func(o types.Object) bool { return o != c.s.objects[o.Name()] && o.Pkg() == c.s.pkg })
	if c.fn != nil {
		add(c.info.Scopes[c.fn.Type], func(types.Object) bool { return true })
	}
	for name, o := range now {
		if v, ok := o.(*types.Var); ok && v.Parent() != scope {
			if c.globals == nil {
				c.globals = map[*types.Var]*types.Var{}
			}
			c.globals[v] = types.NewVar(v.Pos(), c.s.pkg, name, v.Type())
			now[name] = c.globals[v]
		}
	}
	return now
}

func isType(o types.Object) bool { _, ok := o.(*types.TypeName); return ok }

// checkUsers checks the functions again that use a name which is declared anew. With the type
// that it had, these are functions that have stayed behind before.
func (c *compilation) checkUsers(name string, now map[string]types.Object, same bool) {
	s := c.s
	old := s.current(s.objects[name])
	var keys []string
	for key, d := range s.sources {
		o := d.uses[name]
		if _, pkg := o.(*types.PkgName); o == nil || pkg || isType(o) || d.function == nil {
			continue
		}
		if !(same && s.current(o) == old) && !c.declares(key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		before := s.sources[key]
		again, err := c.checkAgain(before, now)
		if err != "" {
			c.notes = append(c.notes, fmt.Sprintf("%s still uses the earlier %s: with the new one it does not compile: %s", key, name, err))
			continue
		}
		f := followed{name, key, again, before, before.info.Defs[before.function.Name].(*types.Func)}
		s.program.Source(again.function, again.info)
		s.program.Implement(f.function, again.info.Defs[again.function.Name].(*types.Func))
		c.followed = append(c.followed, f)
	}
}

// declares reports whether the cell declares a function or method itself.
func (c *compilation) declares(key string) bool {
	return slices.ContainsFunc(c.decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && functionKey(f) == key
	})
}

// current returns the object that stands in the place of o.
func (s *Session) current(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Func:
		return s.program.Current(o)
	case *types.Var:
		return s.program.CurrentVar(o)
	}
	return o
}

// checkAgain checks a function with what is declared now. The text is the first error.
func (c *compilation) checkAgain(d *declaration, now map[string]types.Object) (*declaration, string) {
	function := *d.function
	if function.Recv != nil {
		base := receiverBase(&function)
		if d.info.Defs[function.Name].(*types.Func).Signature().RecvTypeParams().Len() > 0 {
			return nil, "it is a method of the generic type " + base
		}
		name, signature, parameters := *function.Name, *function.Type, *function.Type.Params
		signature.Params = &parameters
		function.Name, function.Type = &name, &signature
		asFunction(&function, base)
	}
	scope := c.s.pkg.Scope()
	var seen []types.Object
	for _, name := range scope.Names() {
		seen = append(seen, scope.Lookup(name))
	}
	emptyScope(c.s.pkg)
	file := &ast.File{Name: c.tree.Name}
	for name, o := range d.uses {
		switch p, ok := o.(*types.PkgName); {
		case ok:
			file.Decls = append(file.Decls, importOf(name, p.Imported().Path()))
		case now[name] != nil:
			scope.Insert(now[name])
		case name != function.Name.Name:
			scope.Insert(o)
		}
	}
	file.Decls = append(file.Decls, &function)
	report := &report{s: c.s}
	info := importer.NewInfo()
	c.s.checkFile(types.Config{Importer: c.s.importer, Error: report.add}, file, info)
	emptyScope(c.s.pkg)
	for _, o := range seen {
		scope.Insert(o)
	}
	again := *d
	again.function, again.info = &function, info
	again.uses = usedBy(&function, info)
	if len(report.messages) > 0 {
		_, text, _ := strings.Cut(report.messages[0], ": ")
		return nil, text
	}
	f, old := info.Defs[function.Name].(*types.Func), d.info.Defs[d.function.Name].(*types.Func)
	if d.function.Recv == nil && !types.Identical(f.Type(), old.Type()) {
		return nil, "its own type would change"
	}
	return &again, ""
}

// keepFollowed makes what was checked again the source of the next check.
func (c *compilation) keepFollowed() {
	for _, f := range c.followed {
		c.s.sources[f.key] = f.again
	}
}

// unfollow takes back what functions follow.
func (s *Session) unfollow(list []followed) {
	for _, f := range list {
		s.program.Implement(f.function, f.function)
		s.sources[f.key] = f.before
	}
}

// functionKey returns the key of a function in Session.sources, "" if nobody can name it.
func functionKey(d *ast.FuncDecl) string {
	base, name, late := strings.Cut(d.Name.Name, lower.MethodDot)
	if !late {
		base, name = receiverBase(d), d.Name.Name
	}
	switch {
	case base != "":
		return base + "." + name
	case name == "init" || name == "_":
		return ""
	}
	return name
}
