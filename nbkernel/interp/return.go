package interp

import (
	"go/ast"
	"go/types"
	"strings"
)

func (l *Lower) ret(s *ast.ReturnStmt) {
	res := l.fn.results
	if l.fn.rf != nil { // inside the body of a range over a function
		if len(s.Results) > 0 {
			l.retVals(s)
		}
		l.line("%s = -1", l.fn.rf.flag)
		for rf := l.fn.rf.parent; rf != nil; rf = rf.parent {
			l.line("%s = -1", rf.flag)
		}
		l.line("return false")
		return
	}
	if len(s.Results) == 0 {
		if l.fn.native {
			l.line("return")
		} else {
			l.line("return %s", strings.Join(l.fn.resNames, ", "))
		}
		return
	}
	if l.fn.native {
		l.retVals(s)
		l.line("return")
		return
	}
	if len(s.Results) == 1 && res.Len() > 1 {
		tup := l.tuple(l.info.TypeOf(s.Results[0]).(*types.Tuple))
		var ts, cs []string
		for i := 0; i < tup.Len(); i++ {
			t := l.tmp()
			ts = append(ts, t)
			cs = append(cs, l.conv(t, tup.At(i).Type(), res.At(i).Type()))
		}
		l.line("%s := %s", strings.Join(ts, ", "), l.expr(s.Results[0]))
		l.line("return %s", strings.Join(cs, ", "))
		return
	}
	var xs []string
	for i, r := range s.Results {
		xs = append(xs, l.exprTo(r, types.Unalias(res.At(i).Type())))
	}
	l.line("return %s", strings.Join(xs, ", "))
}

// retVals sets the result variables.
func (l *Lower) retVals(s *ast.ReturnStmt) {
	res := l.fn.results
	var ts []string
	if len(s.Results) == 1 && res.Len() > 1 {
		tup := l.tuple(l.info.TypeOf(s.Results[0]).(*types.Tuple))
		var cs []string
		for i := 0; i < tup.Len(); i++ {
			t := l.tmp()
			ts = append(ts, t)
			cs = append(cs, l.conv(t, tup.At(i).Type(), res.At(i).Type()))
		}
		l.line("%s := %s", strings.Join(ts, ", "), l.expr(s.Results[0]))
		ts = cs
	} else {
		for i, r := range s.Results {
			t := l.tmp()
			l.line("%s := %s", t, l.exprTyped(r, types.Unalias(res.At(i).Type())))
			ts = append(ts, t)
		}
	}
	for i, t := range ts {
		l.line("%s = %s", l.fn.resNames[i], t)
	}
}
