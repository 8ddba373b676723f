package interp

import (
	"go/types"

	"eigenbook/nbkernel/interp/lower"
)

// A local is a variable that a cell declares at its top level.
type local struct {
	name     string
	at       position
	before   types.Object // what had the name
	followed []followed   // the functions that took the new meaning
}

// forgetUnreached gives the names that a cell has not come to declare, because it panicked or
// was stopped, their earlier meaning.
func (s *Session) forgetUnreached(locals []local) {
	at := s.reached()
	for _, l := range locals {
		if l.at.line < at.line || l.at.line == at.line && l.at.column < at.column {
			continue
		}
		if v, ok := s.objects[l.name].(*types.Var); ok {
			s.program.Restore(v)
		}
		s.unfollow(l.followed)
		if l.before == nil {
			delete(s.objects, l.name)
		} else {
			s.objects[l.name] = l.before
		}
	}
}

// reached returns the statement of its top level that the cell has come to.
func (s *Session) reached() position {
	line, column := lower.Position(valueOf(s.yaegi.Globals(), s.origin[s.cell].reach))
	return position{line, column}
}
