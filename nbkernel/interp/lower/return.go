package lower

import (
	"go/ast"
	"go/types"
	"strings"
)

// returns emits a return statement. Where the function runs inside a literal, because it defers
// or ranges over a function, the values go to the result variables and the literal returns.
func (l *lowering) returns(s *ast.ReturnStmt) {
	switch {
	case l.fn.seq != nil:
		l.setResults(s)
		for seq := l.fn.seq; seq != nil; seq = seq.parent {
			l.line("%s = %d", seq.flag, leaveFunction)
		}
		l.line("return false")
	case l.fn.defers != "":
		l.setResults(s)
		l.line("return")
	case len(s.Results) == 0: // yaegi leaves the last call's values in named results
		l.line("return %s", strings.Join(l.fn.resultNames, ", "))
	case l.spreads(s):
		names, values := l.spreadResults(s)
		l.line("%s := %s", strings.Join(names, ", "), l.expr(s.Results[0]))
		l.line("return %s", strings.Join(values, ", "))
	default:
		var values []string
		for i, e := range s.Results {
			values = append(values, l.exprTo(e, l.resultType(i)))
		}
		l.line("return %s", strings.Join(values, ", "))
	}
}

// setResults sets the result variables, after all values are known.
func (l *lowering) setResults(s *ast.ReturnStmt) {
	var values []string
	if l.spreads(s) {
		names, converted := l.spreadResults(s)
		l.line("%s := %s", strings.Join(names, ", "), l.expr(s.Results[0]))
		values = converted
	} else {
		for i, e := range s.Results {
			values = append(values, l.tmp())
			l.line("%s := %s", values[i], l.exprTyped(e, l.resultType(i)))
		}
	}
	for i, value := range values {
		l.line("%s = %s", l.fn.resultNames[i], value)
	}
}

// spreads reports whether a statement returns the several values of one call.
func (l *lowering) spreads(s *ast.ReturnStmt) bool {
	return len(s.Results) == 1 && l.fn.results.Len() > 1
}

func (l *lowering) spreadResults(s *ast.ReturnStmt) (names, values []string) {
	return l.spread(l.tuple(l.info.TypeOf(s.Results[0]).(*types.Tuple)), l.resultType)
}

func (l *lowering) resultType(i int) types.Type { return types.Unalias(l.fn.results.At(i).Type()) }
