package interp

import (
	"fmt"
	"go/ast"
	"go/token"
)

// target is something break or continue may leave.
type target struct {
	label  string
	loop   bool
	rf     *rangeFn // set for a range-over-func loop
	native string   // label in the lowered text
}

func (l *Lower) push(label string, loop bool) *target {
	t := &target{label: label, loop: loop}
	if label != "" {
		l.s.n++
		t.native = fmt.Sprintf("L%d_%s", l.s.n, label)
	}
	l.fn.brk = append(l.fn.brk, t)
	return t
}

func (l *Lower) pop() { l.fn.brk = l.fn.brk[:len(l.fn.brk)-1] }

func (l *Lower) branch(s *ast.BranchStmt) {
	if s.Tok == token.FALLTHROUGH {
		l.line("fallthrough")
		return
	}
	if s.Tok == token.GOTO {
		l.line("goto L_%s", s.Label.Name)
		return
	}
	var tg *target
	crossed := []*rangeFn{}
	cur := l.fn.rf
	for i := len(l.fn.brk) - 1; i >= 0; i-- {
		t := l.fn.brk[i]
		match := s.Label != nil && t.label == s.Label.Name || s.Label == nil && (t.loop || s.Tok == token.BREAK)
		if match {
			tg = t
			break
		}
		if t.rf != nil {
			crossed = append(crossed, t.rf)
			cur = t.rf.parent
		}
	}
	_ = cur
	if tg == nil {
		l.refuse(s, "no target for %s", s.Tok)
	}
	if len(crossed) == 0 {
		if tg.rf != nil {
			if s.Tok == token.CONTINUE {
				l.line("return true")
			} else {
				l.line("%s = -2", tg.rf.flag)
				l.line("return false")
			}
			return
		}
		if s.Label != nil {
			l.line("%s %s", s.Tok, tg.native)
		} else {
			l.line("%s", s.Tok)
		}
		return
	}
	// leave the bodies of one or more ranges over functions
	for i, rf := range crossed {
		act := ""
		if i == len(crossed)-1 {
			if tg.rf != nil {
				if s.Tok == token.CONTINUE {
					act = "return true"
				} else {
					act = tg.rf.flag + " = -2\nreturn false"
				}
			} else if s.Label != nil {
				act = s.Tok.String() + " " + tg.native
			} else {
				act = s.Tok.String()
			}
		} else {
			act = "return false"
		}
		rf.exits = append(rf.exits, act)
		l.line("%s = %d", rf.flag, len(rf.exits))
	}
	l.line("return false")
}
