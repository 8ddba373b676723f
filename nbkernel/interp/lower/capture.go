package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A varInfo says how a function uses a variable.
type varInfo struct {
	fn        ast.Node // the function, literal or body of a range over a function that declares it
	inLoop    bool     // it is declared in a loop of fn
	captured  bool     // by a closure
	addressed bool
	assigned  bool
}

// onHeap reports whether a variable must be one of its own in each turn of its loop. yaegi has
// one slot in the frame for it; a variable on the heap is a pointer in that slot.
func (v *varInfo) onHeap() bool { return v != nil && v.inLoop && (v.captured || v.addressed) }

func (l *lowering) onHeap(o types.Object) bool { return l.vars[o].onHeap() && !l.p.global[o] }

// A usage finds how variables are used in a function or literal.
type usage struct {
	l     *lowering
	fn    ast.Node
	loops int
}

// analyse notes how the function root uses its variables.
func (l *lowering) analyse(root ast.Node) { usage{l, root, 0}.children(root) }

func (u usage) children(n ast.Node) {
	ast.Inspect(n, func(c ast.Node) bool {
		if c == n {
			return true
		}
		if c != nil {
			u.visit(c)
		}
		return false
	})
}

func (u usage) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncLit:
		usage{u.l, n, 0}.children(n)
		return
	case *ast.ForStmt:
		u.loops++
	case *ast.RangeStmt:
		u.rangeStmt(n)
		return
	case *ast.CaseClause:
		u.declare(u.l.info.Implicits[n])
	case *ast.Ident:
		u.declare(u.l.info.Defs[n])
		if v := u.l.vars[u.l.info.Uses[n]]; v != nil && v.fn != u.fn {
			v.captured = true
		}
	}
	u.children(n)
	switch n := n.(type) { // what is declared in n is known now
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			u.assign(e)
		}
	case *ast.IncDecStmt:
		u.assign(n.X)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			u.address(n.X)
		}
	case *ast.SliceExpr:
		if _, ok := u.under(n.X).(*types.Array); ok {
			u.address(n.X)
		}
	case *ast.SelectorExpr:
		if s := u.l.info.Selections[n]; s != nil && s.Kind() == types.MethodVal && hasPointerReceiver(s.Obj().(*types.Func)) {
			u.address(n.X)
		}
	}
}

// rangeStmt visits a range statement; the body of one over a function is a literal in the
// lowered text.
func (u usage) rangeStmt(n *ast.RangeStmt) {
	u.visit(n.X)
	u.loops++
	if u.l.isRangeFunc(n) {
		u = usage{u.l, n, 0}
	}
	for _, e := range []ast.Expr{n.Key, n.Value} {
		if e != nil {
			u.visit(e)
		}
	}
	u.visit(n.Body)
}

func (u usage) declare(o types.Object) {
	if v, ok := o.(*types.Var); ok && !v.IsField() {
		u.l.vars[o] = &varInfo{fn: u.fn, inLoop: u.loops > 0}
	}
}

func (u usage) assign(e ast.Expr) {
	if id, ok := e.(*ast.Ident); ok {
		if v := u.l.vars[u.l.info.Uses[id]]; v != nil {
			v.assigned = true
		}
	}
}

// address notes that the address of e is taken, which is that of the variable that e is a part
// of.
func (u usage) address(e ast.Expr) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		u.address(x.X)
	case *ast.SelectorExpr:
		if _, ok := u.under(x.X).(*types.Pointer); !ok {
			u.address(x.X)
		}
	case *ast.IndexExpr:
		if t := u.under(x.X); t != nil {
			if _, ok := t.(*types.Array); !ok {
				return
			}
		}
		u.address(x.X)
	case *ast.Ident:
		if v := u.l.vars[u.l.info.Uses[x]]; v != nil {
			v.addressed = true
		}
	}
}

// under returns the underlying type of an expression, nil if it has none.
func (u usage) under(e ast.Expr) types.Type {
	t := u.l.info.TypeOf(e)
	if t == nil {
		return nil
	}
	return u.l.subst(t).Underlying()
}

// heapVarsOf lists the variables on the heap that a literal uses from outside.
func (l *lowering) heapVarsOf(literal ast.Node) (list []types.Object) {
	seen := map[types.Object]bool{}
	ast.Inspect(literal, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		o := l.info.Uses[id]
		if o == nil || seen[o] || !l.onHeap(o) || literal.Pos() <= o.Pos() && o.Pos() < literal.End() {
			return true
		}
		seen[o] = true
		list = append(list, o)
		return true
	})
	return list
}

// closure returns a literal of type typ with its own copies of pointers to variables on the
// heap: yaegi's closures of one frame share its slots, in which the next turn has other ones.
func (l *lowering) closure(variables []types.Object, typ, literal string) string {
	if len(variables) == 0 {
		return literal
	}
	var params, args []string
	for _, o := range variables {
		params = append(params, l.name(o)+" *"+l.typeText(l.objectType(o)))
		args = append(args, l.name(o))
	}
	return fmt.Sprintf("func(%s) %s { return %s }(%s)", strings.Join(params, ", "), typ, literal, strings.Join(args, ", "))
}

// variable returns the text of a variable of a cell.
func (l *lowering) variable(o types.Object) string {
	if l.onHeap(o) {
		return "(*" + l.name(o) + ")"
	}
	return l.name(o)
}

// addrOf returns the address of what x denotes. That of (*name) is name.
func addrOf(x string) string {
	if strings.HasPrefix(x, "(*") && strings.HasSuffix(x, ")") && !strings.ContainsAny(x[2:len(x)-1], "() .[") {
		return x[2 : len(x)-1]
	}
	return "&" + x
}
