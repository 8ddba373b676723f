package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A Function is a lowered function of a cell, for traces of panics.
type Function struct {
	Name  string // in the lowered text
	User  string // in the cell
	Line  string // the variable that holds where it is, "" if nothing in it can panic
	Reach string // of a cell: the variable that holds the statement of its top level that it has come to
	Exact bool   // Line alone says where it is, not the greater of both
	Once  bool   // it is a cell's and has no literals: nothing runs it again
	Pos   token.Pos
}

// Line variables hold a line and a column of the cell as one number: yaegi's traces know no
// more of a frame than its function.
//
// A store costs as much as a third of the cheapest statement, so there are few: one before a
// statement that can panic, where the variable does not hold that position for certain; none
// in a loop with one such statement that calls nothing, but one before the loop.
const columns = 1 << 12

// Position returns the position that a line variable holds.
func Position(n int) (line, column int) { return n / columns, n % columns }

// LinePrefix begins the names of line variables.
const LinePrefix = "line_"

// The variables of all cells whose statements nothing runs again.
const (
	cellLine  = LinePrefix + "0"
	cellReach = "reach_0"
)

// Prelude is what must be evaluated before the first cell.
const Prelude = "import rt \"eb/rt\"\nimport cell \"eb/cell\"\nvar " + cellLine + ", " + cellReach + " int"

// lines is what is known of the line variable of the function that is emitted.
type lines struct {
	name  string // "" before it is needed
	known string // the value it has at this point, "" if that is not certain
	star  string // "*" if the variable is a pointer

	reach    string // the variable of a cell for the statement of its top level that it has come to
	literals bool   // the cell has literals
	shared   bool   // the variables are those of all cells that nothing runs again
}

// at makes the line variable hold where n stands.
func (l *lowering) at(n ast.Node) { l.hold(l.where(n)) }

func (l *lowering) hold(where string) {
	if l.lines == nil || l.lines.known == where || where == "" {
		return
	}
	if l.lines.name == "" {
		l.lines.name = l.p.fresh(LinePrefix+"%s%d", "")
	}
	l.line("%s%s = %s", l.lines.star, l.lines.name, where)
	l.lines.known = where
}

// where returns the position of n as a line variable holds it.
func (l *lowering) where(n ast.Node) string {
	line, column := l.p.position(n.Pos())
	return fmt.Sprint(line*columns + min(max(column, 0), columns-1))
}

// unknown notes that the line variable may hold any position: other code may have run.
func (l *lowering) unknown() {
	if l.lines != nil {
		l.lines.known = ""
	}
}

// located emits a statement after a store of its position, if it can panic.
func (l *lowering) located(s ast.Stmt, emit func()) {
	if l.lines == nil || s == nil || !s.Pos().IsValid() {
		emit()
		return
	}
	r := risk{info: l.info}
	if isSimple(s) {
		r.add(s)
		if r.panics {
			l.at(s)
		}
		if r.calls {
			l.unknown()
		}
		emit()
		return
	}
	own, inner := parts(s)
	r.add(own...)
	if r.panics {
		l.at(s)
	}
	if r.calls {
		l.unknown()
	}
	body := risk{info: l.info, at: map[token.Pos]bool{}}
	body.add(inner...)
	switch s.(type) {
	case *ast.LabeledStmt: // goto may come from anywhere
		l.unknown()
	case *ast.ForStmt, *ast.RangeStmt:
		if r.panics {
			body.at[s.Pos()] = true
		}
		switch {
		case body.calls || r.calls || len(body.at) > 1 || isFunctionRange(l, s):
			l.unknown()
		case len(body.at) == 1:
			for pos := range body.at {
				l.at(&ast.Ident{NamePos: pos})
			}
		}
	}
	emit()
	if len(body.at) > 0 || body.calls {
		l.unknown()
	}
}

func isFunctionRange(l *lowering, s ast.Stmt) bool {
	r, ok := s.(*ast.RangeStmt)
	return ok && l.isRangeFunc(r)
}

// isSimple reports whether a statement has no statements in it.
func isSimple(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.BlockStmt, *ast.LabeledStmt, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return false
	}
	return true
}

// parts returns what a statement evaluates itself, and the statements in it.
func parts(s ast.Stmt) (own, inner []ast.Node) {
	add := func(list *[]ast.Node, nodes ...ast.Node) { *list = append(*list, nodes...) }
	clauses := func(body *ast.BlockStmt) {
		for _, c := range body.List {
			switch c := c.(type) {
			case *ast.CaseClause:
				for _, e := range c.List {
					add(&own, e)
				}
				for _, st := range c.Body {
					add(&inner, st)
				}
			case *ast.CommClause:
				if c.Comm != nil {
					add(&own, c.Comm)
				}
				for _, st := range c.Body {
					add(&inner, st)
				}
			}
		}
	}
	optional := func(init ast.Stmt, e ast.Expr) {
		if init != nil {
			add(&own, init)
		}
		if e != nil {
			add(&own, e)
		}
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		add(&inner, s)
	case *ast.LabeledStmt:
		add(&inner, s.Stmt)
	case *ast.IfStmt:
		optional(s.Init, s.Cond)
		add(&inner, s.Body)
		if s.Else != nil {
			add(&inner, s.Else)
		}
	case *ast.ForStmt:
		optional(s.Init, s.Cond)
		optional(s.Post, nil)
		add(&inner, s.Body)
	case *ast.RangeStmt:
		optional(nil, s.X)
		add(&inner, s.Body)
	case *ast.SwitchStmt:
		optional(s.Init, s.Tag)
		clauses(s.Body)
	case *ast.TypeSwitchStmt:
		optional(s.Init, nil)
		add(&own, s.Assign)
		clauses(s.Body)
	case *ast.SelectStmt:
		clauses(s.Body)
	}
	return own, inner
}

// A risk says what may happen in code: a panic, or a call of code that has positions of its own.
type risk struct {
	info          *types.Info
	panics, calls bool
	at            map[token.Pos]bool // the statements that can panic, if wanted
}

func (r *risk) add(list ...ast.Node) {
	for _, n := range list {
		ast.Inspect(n, r.visit)
	}
}

func (r *risk) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		return false
	case *ast.BlockStmt, *ast.LabeledStmt, *ast.CaseClause, *ast.CommClause:
	case ast.Stmt:
		if r.at != nil && isSimple(n) {
			of := risk{info: r.info}
			of.add(n)
			if of.panics {
				r.at[n.Pos()] = true
			}
			r.panics, r.calls = r.panics || of.panics, r.calls || of.calls
			return false
		}
		if r.at != nil {
			own, inner := parts(n)
			of := risk{info: r.info}
			of.add(own...)
			if of.panics {
				r.at[n.Pos()] = true
			}
			r.panics, r.calls = r.panics || of.panics, r.calls || of.calls
			r.add(inner...)
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && len(n.Rhs) == 1 {
				r.panics = r.panics || r.operationPanics(n.Tok, n.Lhs[0], n.Rhs[0])
			}
		case *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
			r.panics = true
		}
	case *ast.CallExpr:
		tv := r.info.Types[n.Fun]
		switch {
		case tv.IsBuiltin():
			switch identOf(n.Fun).Name {
			case "len", "cap", "min", "max", "real", "imag", "complex", "append", "copy", "new", "print", "println":
			default:
				r.panics = true
			}
		case tv.IsType():
			r.panics = r.panics || types.IsInterface(tv.Type) || isArray(tv.Type)
		default:
			r.panics, r.calls = true, true
		}
	case *ast.IndexExpr:
		if tv := r.info.Types[n.X]; tv.IsValue() {
			r.panics = true
		}
	case *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
		r.panics = true
	case *ast.SelectorExpr:
		if s := r.info.Selections[n]; s != nil && (s.Indirect() || isPointerType(r.info.TypeOf(n.X))) {
			r.panics = true
		}
	case *ast.BinaryExpr:
		r.panics = r.panics || r.operationPanics(n.Op, n.X, n.Y)
	}
	return true
}

// operationPanics reports whether an operation can: a division, a shift, a comparison of
// interface values.
func (r *risk) operationPanics(op token.Token, x, y ast.Expr) bool {
	switch op {
	case token.QUO, token.REM, token.QUO_ASSIGN, token.REM_ASSIGN, token.SHL, token.SHR, token.SHL_ASSIGN, token.SHR_ASSIGN:
		b, ok := typeUnder(r.info.TypeOf(x)).(*types.Basic)
		return r.info.Types[y].Value == nil && (!ok || b.Info()&types.IsInteger != 0)
	case token.EQL, token.NEQ:
		return !r.info.Types[x].IsNil() && !r.info.Types[y].IsNil() && holdsInterface(typeUnder(r.info.TypeOf(x)))
	}
	return false
}

func typeUnder(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t.Underlying()
}

func isArray(t types.Type) bool { _, ok := t.Underlying().(*types.Array); return ok }

func isPointerType(t types.Type) bool { _, ok := typeUnder(t).(*types.Pointer); return ok }

// turns returns the position of a loop whose condition can panic after each turn, else "".
func (l *lowering) turns(s *ast.ForStmt) string {
	r := risk{info: l.info}
	if s.Cond != nil {
		r.add(s.Cond)
	}
	if s.Post != nil {
		r.add(s.Post)
	}
	if l.lines == nil || !r.panics || l.lines.known == l.where(s) {
		return ""
	}
	return l.where(s)
}

// trace declares the line variable of the function that was emitted and keeps its names.
func (l *lowering) trace(name, user string, pos token.Pos) {
	if l.lines.name != "" && !l.lines.shared {
		l.emit("var %s int", l.lines.name)
	}
	if l.lines.reach != "" && !l.lines.shared {
		l.emit("var %s int", l.lines.reach)
	}
	l.traced = append(l.traced, Function{name, user, l.lines.name, l.lines.reach, l.lines.literals, l.lines.shared, pos})
}

// goroutine returns the text of a literal that a goroutine begins with. It has a place of its
// own: the line variable of the function it stands in serves others at the same time.
func (l *lowering) goroutine(signature *types.Signature, body *ast.BlockStmt) string {
	outer := l.lines
	defer func() { l.lines = outer }()
	l.lines = &lines{name: l.p.fresh(LinePrefix+"%s%d", ""), star: "*"}
	name := l.lines.name
	text := l.function("func(", "", signature, body)
	return strings.Replace(text, " {\n", " {\n"+name+" := rt.Place()\n", 1)
}
