package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

// A tag is the value that a switch compares its cases with.
type tag struct {
	name string // "" if the switch has none
	typ  types.Type
	// boxes: the tag or a case is an interface value, and they are compared with rt.Eq
	boxes bool
	// plain: all cases are constants, and yaegi's own switch is right
	plain bool
}

// switchStmt emits a switch. yaegi reads one of several conditions of a case and switches wrongly
// on a bool, so all but switches over constants become chains of conditions.
func (l *lowering) switchStmt(s *ast.SwitchStmt, label string) {
	l.unlocated(s.Init, "")
	on := l.tag(s)
	if fallsThrough(s) {
		l.fallingSwitch(s, on, label)
		return
	}
	l.within(label, false, func(t *target) {
		l.mark(t)
		if on.plain {
			l.line("switch %s {", on.name)
		} else {
			l.line("switch {")
		}
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			l.caseHead(c, on)
			l.stmts(c.Body)
		}
		l.line("}")
	})
}

// fallingSwitch emits a switch in which a case goes on with the next: yaegi passes over a
// default there. It chooses the number of a case first, and then switches over that.
func (l *lowering) fallingSwitch(s *ast.SwitchStmt, on tag, label string) {
	chosen := l.tmp()
	l.line("%s := -1", chosen)
	if on.plain {
		l.line("switch %s {", on.name)
	} else {
		l.line("switch {")
	}
	for i, c := range s.Body.List {
		l.caseHead(c.(*ast.CaseClause), on)
		l.line("%s = %d", chosen, i)
	}
	l.line("}")
	l.within(label, false, func(t *target) {
		l.mark(t)
		l.line("switch %s {", chosen)
		for i, c := range s.Body.List {
			l.line("case %d:", i)
			l.stmts(c.(*ast.CaseClause).Body)
		}
		l.line("}")
	})
}

func fallsThrough(s *ast.SwitchStmt) bool {
	return slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool {
		body := c.(*ast.CaseClause).Body
		if len(body) == 0 {
			return false
		}
		b, ok := body[len(body)-1].(*ast.BranchStmt)
		return ok && b.Tok == token.FALLTHROUGH
	})
}

func (l *lowering) tag(s *ast.SwitchStmt) tag {
	if s.Tag == nil {
		return tag{}
	}
	on := tag{name: l.tmp(), typ: defaultType(l.typeOf(s.Tag)), plain: true}
	l.line("var %s %s = %s", on.name, l.typeText(on.typ), l.exprTo(s.Tag, on.typ))
	on.boxes = importer.IsInterface(on.typ)
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			on.boxes = on.boxes || importer.IsInterface(l.typeOf(e))
			on.plain = on.plain && l.info.Types[e].Value != nil
		}
	}
	b, ok := on.typ.(*types.Basic)
	on.plain = on.plain && !on.boxes && !(ok && b.Info()&types.IsBoolean != 0)
	return on
}

func (l *lowering) caseHead(c *ast.CaseClause, on tag) {
	if c.List == nil {
		l.line("default:")
		return
	}
	separator := " || "
	if on.plain {
		separator = ", "
	}
	var conditions []string
	for _, e := range c.List {
		conditions = append(conditions, l.caseCondition(e, on))
	}
	l.line("case %s:", strings.Join(conditions, separator))
}

func (l *lowering) caseCondition(e ast.Expr, on tag) string {
	switch {
	case on.name == "" && importer.IsInterface(l.typeOf(e)):
		return "rt.Eq(true, " + l.exprTo(e, anyT) + ")"
	case on.name == "":
		return l.exprTo(e, types.Typ[types.Bool])
	case on.plain:
		return l.exprTo(e, on.typ)
	case !on.boxes && l.info.Types[e].IsNil():
		return "(" + on.name + " == nil)"
	case !on.boxes && l.erased(on.typ):
		return "(" + l.rep(on.name, on.typ) + " == " + l.rep(l.exprTo(e, on.typ), on.typ) + ")"
	case !on.boxes:
		return "(" + on.name + " == " + l.exprTo(e, on.typ) + ")"
	case l.info.Types[e].IsNil():
		return "(" + on.name + " == nil)"
	}
	return fmt.Sprintf("rt.Eq(%s, %s)", l.conv(on.name, on.typ, anyT), l.exprTo(e, anyT))
}

// typeSwitch emits a switch over the number of the first type that fits.
func (l *lowering) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	l.unlocated(s.Init, "")
	x := switched(s)
	from := l.typeOf(x)
	value, original := l.tmp(), l.tmp()
	l.line("var %s %s = %s", original, l.typeText(from), l.expr(x))
	l.line("var %s interface{} = %s", value, l.conv(original, from, anyT))
	var all []types.Type // nil for the case nil
	heads := make([]string, len(s.Body.List))
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		var numbers []string
		for _, e := range c.List {
			numbers = append(numbers, fmt.Sprint(len(all)))
			if l.info.Types[e].IsNil() {
				all = append(all, nil)
			} else {
				all = append(all, l.typeOf(e))
			}
		}
		heads[i] = "case " + strings.Join(numbers, ", ") + ":"
		if c.List == nil {
			heads[i] = "default:"
		}
	}
	cases := l.cases(all...)
	l.within(label, false, func(t *target) {
		l.mark(t)
		l.line("switch rt.Which(%s, %d) {", value, cases)
		for i, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			l.line("%s", heads[i])
			if o := l.info.Implicits[c]; o != nil {
				x := original
				if len(c.List) == 1 && !l.info.Types[c.List[0]].IsNil() {
					x = l.held(value, l.objectType(o))
				}
				l.declare(o, x)
			}
			l.stmts(c.Body)
		}
		l.line("}")
	})
}

// switched returns x of switch v := x.(type).
func switched(s *ast.TypeSwitchStmt) ast.Expr {
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		x = a.Rhs[0]
	}
	return ast.Unparen(x).(*ast.TypeAssertExpr).X
}
