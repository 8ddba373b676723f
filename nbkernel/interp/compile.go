package interp

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"eigenbook/nbkernel/interp/lower"
)

// A compilation is a cell on its way through the passes.
type compilation struct {
	s        *Session
	source   string
	name     string // of the cell, in messages
	function string // that the statements become

	decls []ast.Decl // as the user wrote them
	body  []ast.Stmt
	last  ast.Expr // the last statement, if its value is the cell's
	mute  bool
	file  bool // the cell is a whole file: main and variables, which depend on each other in any order

	imported map[string]bool // names that its imports declare
	late     []lateMethod
	visible  []types.Object // of earlier cells
	tree     *ast.File      // what is checked
	fn       *ast.FuncDecl  // the function of the statements in it, nil if there are none
	info     *types.Info
	locals   []local
	globals  map[*types.Var]*types.Var // package-level variables for variables of the statements
	followed []followed
	notes    []string // for the user, of a cell that runs

	files     []*token.File     // what was parsed
	imports   map[string]string // of the session before
	before    []*types.Var      // variables of earlier cells whose names it declares
	committed bool
}

func (s *Session) begin(source string, count int) *compilation {
	s.cells++
	s.program.Begin()
	return &compilation{
		s: s, source: blankPackageClause(source), name: cellName(count), function: fmt.Sprintf("cell_%d", s.cells),
		imported: map[string]bool{}, imports: maps.Clone(s.imports),
	}
}

// compile runs the passes. The error is of the parser, the checker or package lower.
func (c *compilation) compile() (lower.Cell, error) {
	if err := c.split(); err != nil {
		return lower.Cell{}, err
	}
	c.mainRuns()
	c.importKnown()
	c.mute = c.last == nil && len(c.body) > 0
	c.assemble()
	if err := c.check(); err != nil {
		return lower.Cell{}, err
	}
	return c.lower()
}

func (c *compilation) lower() (lower.Cell, error) {
	checked := lower.Checked{Info: c.info, Package: c.s.pkg, File: c.tree, Body: c.fn, Name: c.function, Skip: c.s.isGhost,
		Before: c.s.objects, Globals: c.globals}
	if c.hasValue() {
		checked.Last = c.last
	}
	for _, m := range c.late {
		checked.Changed = append(checked.Changed, m.of)
	}
	lowered, err := c.s.program.Cell(checked)
	var refusal *lower.Refusal
	if errors.As(err, &refusal) {
		err = c.s.errorAt(refusal.Pos, refusal.Message)
	}
	return lowered, err
}

// hasValue reports whether the last expression is still the last statement after hoisting, and
// is no call of a function of fmt that prints: the count it returns is not what the cell is
// about.
func (c *compilation) hasValue() bool {
	if c.last == nil || c.fn == nil {
		return false
	}
	list := c.fn.Body.List
	st, ok := list[len(list)-1].(*ast.ExprStmt)
	return ok && st.X == c.last && !prints(c.info, c.last)
}

// commit makes what a cell declares known to the next ones.
func (c *compilation) commit(lowered lower.Cell) {
	s := c.s
	for _, v := range lowered.Locals {
		l := local{name: v.Name(), at: s.position(v.Pos()), before: s.objects[v.Name()]}
		for _, f := range c.followed {
			if f.name == l.name {
				l.followed = append(l.followed, f)
			}
		}
		c.locals = append(c.locals, l)
	}
	for name := range c.imported {
		delete(s.objects, name)
	}
	for name := range lowered.Objects {
		if v, ok := s.objects[name].(*types.Var); ok {
			c.before = append(c.before, v)
		}
	}
	maps.Copy(s.objects, lowered.Objects)
	for _, o := range lowered.Objects {
		if t, ok := o.(*types.TypeName); ok {
			s.types = append(s.types, t)
		}
	}
	c.keepFollowed()
	s.remember(c.source, c.decls, c.info)
	c.committed = true
}

// undo takes back what a cell that does not compile has changed. The methods it gave to earlier
// types cannot be taken away and stay as ghosts.
func (c *compilation) undo() {
	if c.committed {
		return
	}
	c.s.imports = c.imports
	c.s.program.Undo()
	if len(c.late) == 0 {
		c.forgetPositions()
	}
	for _, m := range c.late {
		if m.gained {
			c.s.ghosts[m.method] = true
		}
	}
}

// forgetPositions forgets where the lines of a cell are that has declared nothing.
func (c *compilation) forgetPositions() {
	for _, f := range c.files {
		if f != nil {
			c.s.files.RemoveFile(f)
		}
	}
}
