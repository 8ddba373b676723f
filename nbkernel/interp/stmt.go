package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

func (l *Lower) stmts(list []ast.Stmt) {
	for _, s := range list {
		l.mark(s)
		l.stmt(s, "")
	}
}

func (l *Lower) block(b *ast.BlockStmt) {
	l.line("{")
	l.stmts(b.List)
	l.line("}")
}

// mark writes the position of a statement before it, for the positions of run-time errors.
func (l *Lower) mark(s ast.Stmt) {
	if !s.Pos().IsValid() {
		return
	}
	p := l.s.position(s.Pos())
	l.line("// @%d:%d", p.line, p.column)
}

// reach makes the session note that the cell has come to a statement of its top level, where
// yaegi's trace is not exact.
func (l *Lower) reach(n ast.Node) {
	if n.Pos().IsValid() {
		p := l.s.position(n.Pos())
		l.line("cell.At(%d, %d)", p.line, p.column)
	}
}

func (l *Lower) stmt(s ast.Stmt, label string) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.BlockStmt:
		l.block(s)
	case *ast.ExprStmt:
		x := l.expr(s.X)
		if u, ok := ast.Unparen(s.X).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			l.line("<-%s", l.expr(u.X))
			return
		}
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
			_ = call
			l.line("%s", x)
			return
		}
		l.line("_ = %s", x)
	case *ast.IncDecStmt:
		l.line("%s%s", l.expr(s.X), s.Tok)
	case *ast.AssignStmt:
		l.assign(s)
	case *ast.DeclStmt:
		gd := s.Decl.(*ast.GenDecl)
		if gd.Tok == token.VAR {
			for _, sp := range gd.Specs {
				l.valueSpec(sp.(*ast.ValueSpec))
			}
		}
	case *ast.ReturnStmt:
		l.ret(s)
	case *ast.IfStmt:
		l.line("{")
		if s.Init != nil {
			l.stmt(s.Init, "")
		}
		l.line("if %s {", l.expr(s.Cond))
		l.stmts(s.Body.List)
		if s.Else != nil {
			l.line("} else {")
			l.stmt(s.Else, "")
		}
		l.line("}")
		l.line("}")
	case *ast.ForStmt:
		l.forStmt(s, label)
	case *ast.RangeStmt:
		l.rangeStmt(s, label)
	case *ast.SwitchStmt:
		l.switchStmt(s, label)
	case *ast.TypeSwitchStmt:
		l.typeSwitch(s, label)
	case *ast.SelectStmt:
		l.selectStmt(s, label)
	case *ast.LabeledStmt:
		switch s.Stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			l.line("L_%s:", s.Label.Name)
			l.stmt(s.Stmt, s.Label.Name)
		default:
			l.line("L_%s:", s.Label.Name)
			l.stmt(s.Stmt, "")
		}
	case *ast.BranchStmt:
		l.branch(s)
	case *ast.GoStmt:
		fn, pre := l.frozen(s.Call, false)
		l.line("{")
		l.b.WriteString(pre)
		l.line("rt.Go(%s)", fn)
		l.line("}")
	case *ast.DeferStmt:
		if l.fn.rf != nil {
			l.refuse(s, "defer inside a range over a function is not supported here; move it out of the loop")
		}
		fn, pre := l.frozen(s.Call, true)
		l.line("{")
		l.b.WriteString(pre)
		l.line("%s.Push(%s)", l.fn.defers, fn)
		l.line("}")
	case *ast.SendStmt:
		ch := l.typeOf(s.Chan).Underlying().(*types.Chan)
		l.line("%s <- %s", l.expr(s.Chan), l.exprTo(s.Value, ch.Elem()))
	default:
		panic(fmt.Sprintf("stmt %T", s))
	}
}
