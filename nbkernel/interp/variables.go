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
		delete(s.objects, name)
		delete(s.imports, name)
		s.forgetSource(name)
	}
	return unknown
}
