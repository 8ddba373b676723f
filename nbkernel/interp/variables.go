package interp

import (
	"go/types"
	"sort"
	"strings"
)

// A Variable is a variable of the session.
type Variable struct{ Name, Type string }

// Variables returns the session's variables, sorted by name.
func (s *Session) Variables() []Variable {
	var list []Variable
	for name, o := range s.objects {
		if v, ok := o.(*types.Var); ok && !strings.HasPrefix(name, "_") {
			list = append(list, Variable{name, types.TypeString(v.Type(), (*types.Package).Name)})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// Forget removes names that cells declared. It returns the names that it did not know.
func (s *Session) Forget(names ...string) (unknown []string) {
	for _, name := range names {
		_, object := s.objects[name]
		_, imported := s.imports[name]
		if !object && !imported {
			unknown = append(unknown, name)
		}
		v, _ := s.objects[name].(*types.Var)
		delete(s.objects, name)
		delete(s.imports, name)
		s.forgetSource(name)
		if v != nil {
			s.releaseAll([]*types.Var{v})
		}
	}
	return unknown
}

// releaseAll lets go of the values of variables that have no name any more. What a function
// names is a variable to keep, also when that function was never lowered, because it is generic.
func (s *Session) releaseAll(list []*types.Var) {
	for _, v := range list {
		named, used := false, s.objects[v.Name()] == v
		for _, d := range s.sources {
			o := d.uses[v.Name()]
			named = named || o != nil
			used = used || o != nil && s.current(o) == v
		}
		if used {
			continue
		}
		s.yaegi.release(s.program.Name(v))
		if !named {
			s.program.Forget(v)
		}
	}
}
