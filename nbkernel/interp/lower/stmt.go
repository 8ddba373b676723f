package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// stmts emits statements. What follows them need not follow the last one.
func (l *lowering) stmts(list []ast.Stmt) {
	if l.lines != nil {
		defer func(known string) { l.lines.known = known }(l.lines.known)
	}
	for _, s := range list {
		l.stmt(s, "")
	}
}

// braces emits what emit writes in a block of its own.
func (l *lowering) braces(emit func()) {
	l.line("{")
	emit()
	l.line("}")
}

// stmt emits a statement. label is the one that break and continue know it by.
func (l *lowering) stmt(s ast.Stmt, label string) {
	l.located(s, func() { l.unlocated(s, label) })
}

func (l *lowering) unlocated(s ast.Stmt, label string) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.BlockStmt:
		l.braces(func() { l.stmts(s.List) })
	case *ast.ExprStmt:
		l.exprStmt(s)
	case *ast.IncDecStmt:
		l.line("%s%s", l.place(s.X), s.Tok)
	case *ast.AssignStmt:
		l.assign(s)
	case *ast.DeclStmt:
		if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR { // types are declared where they are used
			for _, spec := range d.Specs {
				l.valueSpec(spec.(*ast.ValueSpec))
			}
		}
	case *ast.ReturnStmt:
		l.returns(s)
	case *ast.IfStmt:
		l.braces(func() { l.ifStmt(s) })
	case *ast.ForStmt:
		l.braces(func() { l.forStmt(s, label) })
	case *ast.RangeStmt:
		l.braces(func() { l.rangeStmt(s, label) })
	case *ast.SwitchStmt:
		l.braces(func() { l.switchStmt(s, label) })
	case *ast.TypeSwitchStmt:
		l.braces(func() { l.typeSwitch(s, label) })
	case *ast.SelectStmt:
		l.braces(func() { l.selectStmt(s, label) })
	case *ast.LabeledStmt:
		l.line("L_%s:", s.Label.Name) // for goto; what break and continue use is in targets
		l.stmt(s.Stmt, s.Label.Name)
	case *ast.BranchStmt:
		l.branch(s)
	case *ast.GoStmt:
		l.started, _ = ast.Unparen(s.Call.Fun).(*ast.FuncLit)
		l.line("rt.Go(%s)", l.frozen(s.Call, ""))
	case *ast.DeferStmt:
		if l.fn.seq != nil {
			l.refuse(s, "defer inside a range over a function is not supported here; move it out of the loop")
		}
		l.line("%s.Push(%s)", l.fn.defers, l.frozen(s.Call, l.fn.defers))
	case *ast.SendStmt:
		element := l.typeOf(s.Chan).Underlying().(*types.Chan).Elem()
		l.line("%s <- %s", l.core(s.Chan), l.exprTo(s.Value, element))
	default:
		panic(fmt.Sprintf("no lowering of %T", s))
	}
}

func (l *lowering) exprStmt(s *ast.ExprStmt) {
	switch x := ast.Unparen(s.X).(type) {
	case *ast.CallExpr:
		l.line("%s", l.expr(s.X))
	case *ast.UnaryExpr:
		if x.Op == token.ARROW {
			l.line("<-%s", l.core(x.X))
			return
		}
		l.line("_ = %s", l.expr(s.X))
	default: // a cell may have values that nobody uses
		l.line("_ = %s", l.expr(s.X))
	}
}

func (l *lowering) ifStmt(s *ast.IfStmt) {
	l.unlocated(s.Init, "")
	l.line("if %s {", l.expr(s.Cond))
	l.stmts(s.Body.List)
	if s.Else != nil {
		l.line("} else {")
		l.stmt(s.Else, "")
	}
	l.line("}")
}
