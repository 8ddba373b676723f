package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A rangeFunc is a range over a function that is being emitted:
//
//	flag := 0
//	seq(func(k K, v V) bool { body; return true })
//	if flag == … { … }
//
// The body sets flag before it returns false, if it leaves more than this loop: to
// leaveFunction, or to the number of one of the exits.
type rangeFunc struct {
	parent *rangeFunc
	flag   string
	exits  []string // statements to run where the loop stands
}

// Values of a flag beside the numbers of exits, from 1.
const (
	leaveFunction = -1
	leaveLoop     = -2
)

func (l *lowering) rangeFunc(s *ast.RangeStmt, label string) {
	yields := l.typeOf(s.X).Underlying().(*types.Signature).Params().At(0).Type()
	yield := yields.Underlying().(*types.Signature)
	seq := &rangeFunc{parent: l.fn.seq, flag: l.tmp()}
	l.line("%s := 0", seq.flag)
	over := l.core(s.X)
	var params []string
	body := l.captured(func() {
		l.within(label, true, func(t *target) {
			t.seq, l.fn.seq = seq, seq
			params = l.yielded(s, yield)
			l.stmts(s.Body.List)
			l.line("return true")
			l.fn.seq = seq.parent
		})
	})
	literal := "func" + l.signatureText(yield, params, nil) + " {\n" + body + "}"
	l.line("%s(%s)", over, l.erase(l.closure(l.heapVarsOf(s), l.coreText(yield), literal), yields))
	if seq.parent != nil {
		l.line("if %s == %d { return false }", seq.flag, leaveFunction)
	} else if l.fn.defers != "" {
		l.line("if %s == %d { return }", seq.flag, leaveFunction)
	} else {
		l.line("if %s == %d { return %s }", seq.flag, leaveFunction, strings.Join(l.fn.resultNames, ", "))
	}
	for i, exit := range seq.exits {
		l.line("if %s == %d {\n%s\n}", seq.flag, i+1, exit)
	}
}

// yielded names the parameters of the body and gives them to the loop's variables.
func (l *lowering) yielded(s *ast.RangeStmt, yield *types.Signature) (params []string) {
	for range yield.Params().Len() {
		params = append(params, l.tmp())
	}
	for i, e := range []ast.Expr{s.Key, s.Value} {
		if i < len(params) && !isBlank(e) {
			l.store(e, params[i], l.objectType(yield.Params().At(i)), s.Tok == token.DEFINE)
		}
	}
	return params
}

func (l *lowering) isRangeFunc(s *ast.RangeStmt) bool {
	t := l.info.TypeOf(s.X)
	if t == nil {
		return false
	}
	_, ok := l.subst(t).Underlying().(*types.Signature)
	return ok
}

// hasRangeFunc reports whether a function ranges over functions: a return in such a body needs
// result variables.
func (l *lowering) hasRangeFunc(body ast.Node) bool {
	return contains(body, func(n ast.Node) bool {
		s, ok := n.(*ast.RangeStmt)
		return ok && l.isRangeFunc(s)
	})
}

// contains reports whether found holds for a node of a function's body outside its literals.
func contains(body ast.Node, found func(ast.Node) bool) bool {
	any := false
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		any = any || n != nil && found(n)
		return !any
	})
	return any
}
