package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

// deferring emits the body of a function; one that defers runs in a literal, see rt.Defers.
func (l *lowering) deferring(defers bool, emit func()) {
	if !defers {
		emit()
		return
	}
	l.fn.defers = l.tmp()
	l.line("%s := rt.NewDefers()", l.fn.defers)
	l.line("%s.Call(func() {", l.fn.defers)
	emit()
	l.line("})")
}

func hasDefer(body ast.Node) bool {
	return contains(body, func(n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok })
}

// A frozenCall is the call of a go or defer statement, whose function and arguments are
// evaluated at the statement:
//
//	func(params) func() { return func() { call } }(args)
type frozenCall struct {
	l            *lowering
	params, args []string
}

// arg adds an argument of type t and returns the name it has in the call.
func (c *frozenCall) arg(t types.Type, x string) string {
	name := c.l.tmp()
	c.params = append(c.params, name+" "+c.l.typeText(t))
	c.args = append(c.args, x)
	return name
}

// frozen returns a func() that makes a call whose function and arguments are evaluated now.
// defers is the Defers variable that it is pushed to, "" for a go statement: a literal or
// function that is deferred directly may recover.
func (l *lowering) frozen(e *ast.CallExpr, defers string) string {
	fun := ast.Unparen(e.Fun)
	if literal, ok := fun.(*ast.FuncLit); ok && len(e.Args) == 0 && l.info.TypeOf(literal).(*types.Signature).Results().Len() == 0 {
		return l.funcLit(literal, defers)
	}
	c := &frozenCall{l: l}
	var call string
	if l.info.Types[e.Fun].IsBuiltin() {
		call = c.builtin(e, identOf(fun).Name, defers)
	} else {
		signature := l.typeOf(e.Fun).Underlying().(*types.Signature)
		call = c.function(fun, signature, c.arguments(e, signature), defers)
	}
	return fmt.Sprintf("func(%s) func() { return func() { %s } }(%s)", strings.Join(c.params, ", "), call, strings.Join(c.args, ", "))
}

// core adds an argument that is used as a value of the core of t.
func (c *frozenCall) core(t types.Type, x string) string {
	name := c.l.tmp()
	c.params = append(c.params, name+" "+c.l.coreText(t))
	c.args = append(c.args, x)
	return name
}

func (c *frozenCall) builtin(e *ast.CallExpr, name, defers string) string {
	if name == "recover" {
		if defers == "" {
			return ""
		}
		return defers + ".Recover()"
	}
	var args []string
	for i, a := range e.Args {
		t := defaultType(c.l.typeOf(a))
		switch {
		case name == "panic" || name == "print" || name == "println":
			args = append(args, c.arg(anyT, c.l.exprTo(a, anyT)))
		case c.l.erased(t) && (name != "delete" || i == 0):
			args = append(args, c.core(t, c.l.core(a)))
		default:
			args = append(args, c.arg(t, c.l.exprTo(a, t)))
		}
	}
	switch name {
	case "clear":
		name = "rt.Clear"
	case "panic":
		args[0] = "rt.Panic(" + args[0] + ")"
	case "print":
		name = "rt.Print"
	case "println":
		name = "rt.Println"
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func (c *frozenCall) arguments(e *ast.CallExpr, signature *types.Signature) string {
	var args []string
	for i, a := range e.Args {
		t := types.Unalias(parameter(signature, i, e.Ellipsis.IsValid()))
		x := c.arg(t, c.l.exprTo(a, t))
		if e.Ellipsis.IsValid() && i == len(e.Args)-1 && c.l.variadic(signature) {
			x += "..."
		}
		args = append(args, x)
	}
	return strings.Join(c.l.pack(args, signature, e.Ellipsis.IsValid()), ", ")
}

// function returns the call of fun with frozen arguments.
func (c *frozenCall) function(fun ast.Expr, signature *types.Signature, args, defers string) string {
	l := c.l
	if e, ok := fun.(*ast.SelectorExpr); ok && l.isMethodValue(e) {
		return c.method(e, args)
	}
	if literal, ok := fun.(*ast.FuncLit); ok {
		return c.core(signature, l.funcLit(literal, defers)) + "(" + args + ")"
	}
	id := identOf(fun)
	f, ok := l.info.Uses[id].(*types.Func)
	switch {
	case !ok:
		return c.core(l.typeOf(fun), l.core(fun)) + "(" + args + ")"
	case defers != "" && l.recovers(f):
		return l.instance(f, l.typeArguments(id), true) + "(" + joinArgs(defers, args) + ")"
	}
	return l.callText(fun, args)
}

// method returns the call of a method with its receiver frozen too.
func (c *frozenCall) method(e *ast.SelectorExpr, args string) string {
	l := c.l
	f, x, t := l.receiver(e)
	name, receiver := l.methodFunc(x, t, f)
	if receiver != "" { // a function with the receiver first
		return name + "(" + joinArgs(c.arg(receiverType(t, f), receiver), args) + ")"
	}
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !importer.IsInterface(t) && hasPointerReceiver(f) {
		t, x = types.NewPointer(t), addrOf(x)
	}
	name, _ = l.methodFunc(c.arg(t, x), t, f)
	return name + "(" + args + ")"
}

// recovers reports whether a function of a cell calls recover itself.
func (l *lowering) recovers(f *types.Func) bool {
	if f.Pkg() == nil || !l.p.importer.Source(f) {
		return false
	}
	source, ok := l.p.source(f.Origin())
	return ok && source.Decl.Body != nil && contains(source.Decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := source.Info.Uses[id].(*types.Builtin)
		return ok && b.Name() == "recover"
	})
}

// joinArgs puts an argument before others.
func joinArgs(first, others string) string {
	if others == "" {
		return first
	}
	return first + ", " + others
}
