package interp

import (
	"go/types"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

// withCells makes messages tell types of the same name apart by the cells that declare them:
// cannot use P (cell 9) as P (cell 3). The checker knows types by their names alone, so it
// checks the cell again while they have longer ones.
func (c *compilation) withCells(r *report) *report {
	long := c.ambiguous(r.messages)
	if len(long) == 0 {
		return r
	}
	emptyScope(c.s.pkg)
	for _, o := range c.visible {
		c.s.pkg.Scope().Insert(o)
	}
	for _, t := range long {
		cell := c.s.files.Position(t.Pos()).Filename
		defer func(before types.TypeName) { *t = before }(*t)
		*t = *types.NewTypeName(t.Pos(), t.Pkg(), t.Name()+" ("+cell+")", t.Type()) // scopes keep the name they know it by
	}
	again := &report{s: c.s}
	c.s.checkFile(types.Config{Importer: c.s.importer, Error: again.add}, c.tree, importer.NewInfo())
	return again
}

// ambiguous returns the types of earlier cells whose names stand in messages and have been
// declared more than once.
func (c *compilation) ambiguous(messages []string) (list []*types.TypeName) {
	count := map[string]int{}
	for _, t := range c.s.types {
		count[t.Name()]++
	}
	for name := range declaredNames(c.decls) {
		count[name]++
	}
	text := strings.Join(messages, "\n")
	for _, t := range c.s.types {
		if count[t.Name()] > 1 && strings.Contains(text, t.Name()) {
			list = append(list, t)
		}
	}
	return list
}
