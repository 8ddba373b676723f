package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

type varInfo struct {
	fn                               ast.Node
	inLoop, captured, addr, assigned bool
}

func (v *varInfo) cell() bool { return v != nil && v.inLoop && (v.captured || v.addr) }

// analyse finds the variables that need a cell of their own.
func (l *Lower) analyse(root ast.Node) {
	type frame struct {
		fn   ast.Node
		loop int
	}
	var walk func(n ast.Node, fr frame)
	def := func(o types.Object, fr frame, inLoop bool) {
		if v, ok := o.(*types.Var); ok && !v.IsField() {
			l.vars[o] = &varInfo{fn: fr.fn, inLoop: inLoop || fr.loop > 0}
		}
	}
	markAddr := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.ParenExpr:
				e = x.X
				continue
			case *ast.SelectorExpr:
				if t := l.info.TypeOf(x.X); t != nil {
					if _, ok := l.subst(t).Underlying().(*types.Pointer); ok {
						return
					}
				}
				e = x.X
				continue
			case *ast.IndexExpr:
				if t := l.info.TypeOf(x.X); t != nil {
					if _, ok := l.subst(t).Underlying().(*types.Array); !ok {
						return
					}
				}
				e = x.X
				continue
			case *ast.Ident:
				if v := l.vars[l.info.Uses[x]]; v != nil {
					v.addr = true
				}
			}
			return
		}
	}
	kids := func(n ast.Node, fr frame) {
		first := true
		ast.Inspect(n, func(c ast.Node) bool {
			if first {
				first = false
				return true
			}
			if c != nil {
				walk(c, fr)
			}
			return false
		})
	}
	walk = func(n ast.Node, fr frame) {
		switch n := n.(type) {
		case nil:
			return
		case *ast.FuncLit:
			kids(n, frame{n, 0})
			return
		case *ast.ForStmt:
			fr2 := frame{fr.fn, fr.loop + 1}
			kids(n, fr2)
			return
		case *ast.RangeStmt:
			fr2 := frame{fr.fn, fr.loop + 1}
			walk(n.X, fr)
			if l.isRangeFunc(n) {
				fr2 = frame{n, 0}
			}
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					walk(e, fr2)
				}
			}
			walk(n.Body, fr2)
			return
		case *ast.CaseClause:
			if o := l.info.Implicits[n]; o != nil {
				def(o, fr, false)
			}
		case *ast.Ident:
			if o := l.info.Defs[n]; o != nil {
				def(o, fr, false)
			} else if o := l.info.Uses[n]; o != nil {
				if v := l.vars[o]; v != nil && v.fn != fr.fn {
					v.captured = true
				}
			}
		case *ast.AssignStmt:
			kids(n, fr)
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); ok {
					if v := l.vars[l.info.Uses[id]]; v != nil {
						v.assigned = true
					}
				}
			}
			return
		case *ast.IncDecStmt:
			kids(n, fr)
			if id, ok := n.X.(*ast.Ident); ok {
				if v := l.vars[l.info.Uses[id]]; v != nil {
					v.assigned = true
				}
			}
			return
		case *ast.UnaryExpr:
			kids(n, fr)
			if n.Op == token.AND {
				markAddr(n.X)
			}
			return
		case *ast.SliceExpr:
			kids(n, fr)
			if t := l.info.TypeOf(n.X); t != nil {
				if _, ok := l.subst(t).Underlying().(*types.Array); ok {
					markAddr(n.X)
				}
			}
			return
		case *ast.SelectorExpr:
			kids(n, fr)
			if s := l.info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
				if sg := s.Obj().Type().(*types.Signature); sg.Recv() != nil {
					if _, ok := sg.Recv().Type().(*types.Pointer); ok {
						markAddr(n.X)
					}
				}
			}
			return
		}
		kids(n, fr)
	}
	walk(root, frame{root, 0})
}

// cellsOf lists the cell variables a literal uses from outside.
func (l *Lower) cellsOf(n ast.Node) []types.Object {
	seen := map[types.Object]bool{}
	var r []types.Object
	ast.Inspect(n, func(c ast.Node) bool {
		id, ok := c.(*ast.Ident)
		if !ok {
			return true
		}
		o := l.info.Uses[id]
		v := l.vars[o]
		if v.cell() && !l.global[o] && !seen[o] && !(n.Pos() <= o.Pos() && o.Pos() < n.End()) {
			seen[o] = true
			r = append(r, o)
		}
		return true
	})
	return r
}

func (l *Lower) closure(cells []types.Object, ft, text string) string {
	if len(cells) == 0 {
		return text
	}
	var ps, as []string
	for _, o := range cells {
		ps = append(ps, l.name(o)+" *"+l.tstr(types.Unalias(l.subst(o.Type()))))
		as = append(as, l.name(o))
	}
	return fmt.Sprintf("func(%s) %s { return %s }(%s)", strings.Join(ps, ", "), ft, text, strings.Join(as, ", "))
}

func (l *Lower) funcLit(e *ast.FuncLit) string {
	sig := l.info.TypeOf(e).(*types.Signature)
	text := l.funcBody("func", sig, e.Body)
	return l.closure(l.cellsOf(e), l.tstr(l.subst(sig)), text)
}

func (l *Lower) varText(o types.Object) string {
	n := l.name(o)
	if l.vars[o].cell() && !l.global[o] {
		return "(*" + n + ")"
	}
	return n
}

func addrOf(s string) string {
	if strings.HasPrefix(s, "(*") && strings.HasSuffix(s, ")") && !strings.ContainsAny(s[2:len(s)-1], "() .[") {
		return s[2 : len(s)-1]
	}
	return "&" + s
}
