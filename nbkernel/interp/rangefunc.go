package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

type rangeFn struct {
	parent *rangeFn
	flag   string
	exits  []string
}

func (l *Lower) rangeFunc(s *ast.RangeStmt, label string) {
	sig := coreType(l.typeOf(s.X)).(*types.Signature)
	yield := sig.Params().At(0).Type().Underlying().(*types.Signature)
	flag := l.tmp()
	rf := &rangeFn{parent: l.fn.rf, flag: flag}
	l.line("{")
	defer l.line("}")
	l.line("%s := 0", flag)
	x := l.expr(s.X)
	t := l.push(label, true)
	t.rf = rf
	l.fn.rf = rf
	save := l.b
	l.b = &strings.Builder{}
	var ps []string
	var binds []func()
	for i := 0; i < yield.Params().Len(); i++ {
		p := l.tmp()
		ps = append(ps, p)
		e := s.Key
		if i == 1 {
			e = s.Value
		}
		if id, ok := e.(*ast.Ident); e == nil || ok && id.Name == "_" {
			continue
		}
		pt := types.Unalias(yield.Params().At(i).Type())
		binds = append(binds, func() { l.set(e, p, pt, s.Tok == token.DEFINE) })
	}
	for _, f := range binds {
		f()
	}
	l.stmts(s.Body.List)
	l.line("return true")
	body := l.b.String()
	l.b = save
	l.fn.rf = rf.parent
	l.pop()
	lit := "func" + l.sigstr(yield, ps, nil) + " {\n" + body + "}"
	lit = l.closure(l.cellsOf(s), l.tstr(yield), lit)
	l.line("%s(%s)", x, lit)
	// leave further
	var cases strings.Builder
	if rf.parent != nil {
		fmt.Fprintf(&cases, "if %s == -1 { return false }\n", flag)
	} else {
		r := "return " + strings.Join(l.fn.resNames, ", ")
		if l.fn.native {
			r = "return"
		}
		fmt.Fprintf(&cases, "if %s == -1 { %s }\n", flag, r)
		if len(l.fn.resNames) == 0 && l.fn.results.Len() > 0 {
			panic("range over func without result variables")
		}
	}
	for i, e := range rf.exits {
		fmt.Fprintf(&cases, "if %s == %d {\n%s\n}\n", flag, i+1, e)
	}
	l.b.WriteString(cases.String())
}

func (l *Lower) isRangeFunc(n *ast.RangeStmt) bool {
	t := l.info.TypeOf(n.X)
	if t == nil {
		return false
	}
	_, ok := coreType(l.subst(t)).(*types.Signature)
	return ok
}

func hasRangeFunc(l *Lower, b ast.Node) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if l.isRangeFunc(n) {
				found = true
			}
		}
		return true
	})
	return found
}
