package lower

import (
	"fmt"
	"go/ast"
	"go/token"
)

// A target is a statement that break or continue may leave.
type target struct {
	label   string // of the user, "" if there is none
	lowered string // label in the lowered text
	loop    bool
	seq     *rangeFunc // set for a range over a function
	again   string     // position that the condition of the loop has, if it can panic
}

// within emits a statement that break and continue may leave. Its label must stand directly
// before the statement that begin opens.
func (l *lowering) within(label string, loop bool, emit func(t *target)) {
	t := &target{label: label, loop: loop}
	if label != "" {
		t.lowered = l.p.fresh("B_%s_%d", label)
	}
	l.fn.targets = append(l.fn.targets, t)
	emit(t)
	l.fn.targets = l.fn.targets[:len(l.fn.targets)-1]
}

// mark emits the label of t.
func (l *lowering) mark(t *target) {
	if t.lowered != "" {
		l.line("%s:", t.lowered)
	}
}

// branch emits break, continue, goto or fallthrough. The body of a range over a function is a
// literal, which is left by returning: each literal on the way notes in its flag how its caller
// goes on.
func (l *lowering) branch(s *ast.BranchStmt) {
	switch s.Tok {
	case token.FALLTHROUGH:
		l.line("fallthrough")
		return
	case token.GOTO:
		l.line("goto L_%s", s.Label.Name)
		return
	}
	to, crossed := l.find(s)
	if to == nil {
		l.refuse(s, "no target for %s", s.Tok)
	}
	leave := leaving(s, to)
	if s.Tok == token.CONTINUE && to.again != "" {
		l.hold(to.again)
	}
	if len(crossed) == 0 {
		l.line("%s", leave)
		return
	}
	for i, seq := range crossed {
		exit := "return false"
		if i == len(crossed)-1 {
			exit = leave
		}
		seq.exits = append(seq.exits, exit)
		l.line("%s = %d", seq.flag, len(seq.exits))
	}
	l.line("return false")
}

// find returns the target of break or continue, and the ranges over functions whose bodies it
// leaves on the way, innermost first.
func (l *lowering) find(s *ast.BranchStmt) (to *target, crossed []*rangeFunc) {
	for i := len(l.fn.targets) - 1; i >= 0; i-- {
		t := l.fn.targets[i]
		if s.Label != nil && t.label == s.Label.Name || s.Label == nil && (t.loop || s.Tok == token.BREAK) {
			return t, crossed
		}
		if t.seq != nil {
			crossed = append(crossed, t.seq)
		}
	}
	return nil, nil
}

// leaving returns the statements that do what s says, seen from the body of its target.
func leaving(s *ast.BranchStmt, to *target) string {
	switch {
	case to.seq != nil && s.Tok == token.CONTINUE:
		return "return true"
	case to.seq != nil:
		return fmt.Sprintf("%s = %d\nreturn false", to.seq.flag, leaveLoop)
	case s.Label != nil:
		return s.Tok.String() + " " + to.lowered
	}
	return s.Tok.String()
}
