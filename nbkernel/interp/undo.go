package interp

import (
	"go/types"
	"maps"
	"reflect"
	"slices"
)

// A snapshot is what a cell changes before it is known to compile.
type snapshot struct {
	imports, tnames, fnames, asserts map[string]string
	toI                              map[reflect.Type]string
	impl                             map[*types.Func]*types.Func
	descs                            int
	inits                            []string
}

func (s *Session) save() snapshot {
	s.late, s.imported, s.locals = nil, nil, nil
	return snapshot{maps.Clone(s.imports), maps.Clone(s.tnames), maps.Clone(s.fnames), maps.Clone(s.asserts),
		maps.Clone(s.toI), maps.Clone(s.impl), s.table.Mark(), slices.Clone(s.inits)}
}

// restore undoes what a cell that does not compile has changed. The methods it gave to earlier
// types cannot be taken away and stay as ghosts.
func (s *Session) restore(b snapshot) {
	s.imports, s.tnames, s.fnames, s.asserts = b.imports, b.tnames, b.fnames, b.asserts
	s.toI, s.impl, s.inits = b.toI, b.impl, b.inits
	s.table.Undo(b.descs)
	s.rebind = nil
}

// A local is a variable that a cell declares at its top level.
type local struct {
	name   string
	at     position
	before types.Object // what had the name
}

// forgetUnreached gives the names that a cell has not come to declare, because it panicked or
// was stopped, their earlier meaning.
func (s *Session) forgetUnreached() {
	at := s.at.Load()
	for _, l := range s.locals {
		if l.at.line < at.line || l.at.line == at.line && l.at.column < at.column {
			continue
		}
		if l.before == nil {
			delete(s.objs, l.name)
		} else {
			s.objs[l.name] = l.before
		}
	}
}
