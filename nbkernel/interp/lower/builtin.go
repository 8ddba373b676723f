package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// builtin emits the call of a builtin function.
func (l *lowering) builtin(e *ast.CallExpr, name string) string {
	switch name {
	case "append":
		return l.appendCall(e)
	case "make":
		return l.makeCall(e)
	case "new":
		return l.newCall(e)
	case "min", "max":
		return l.extreme(e, name)
	case "clear":
		return "rt.Clear(" + l.expr(e.Args[0]) + ")"
	case "panic":
		return "panic(" + l.exprTo(e.Args[0], anyT) + ")"
	case "recover":
		if l.fn.recovers == "" { // nobody defers this function
			return "interface{}(nil)"
		}
		return l.fn.recovers + ".Recover()"
	case "delete":
		m := l.typeOf(e.Args[0]).Underlying().(*types.Map)
		return "delete(" + l.expr(e.Args[0]) + ", " + l.exprTo(e.Args[1], m.Key()) + ")"
	case "cap", "close", "complex", "copy", "imag", "len", "print", "println", "real":
		var args []string
		for _, a := range e.Args {
			args = append(args, l.expr(a))
		}
		return name + "(" + strings.Join(args, ", ") + ")"
	}
	l.refuse(e, "%s is not supported here", name) // of package unsafe
	return ""
}

func (l *lowering) appendCall(e *ast.CallExpr) string {
	t := l.typeOf(e.Args[0])
	args := []string{l.expr(e.Args[0])}
	if isNil(t) {
		t = l.typeOf(e)
	}
	if args[0] == "nil" {
		args[0] = "(" + l.typeText(t) + ")(nil)"
	}
	for i, a := range e.Args[1:] {
		if e.Ellipsis.IsValid() && i == len(e.Args)-2 {
			args = append(args, l.expr(a)+"...")
		} else {
			args = append(args, l.exprTo(a, t.Underlying().(*types.Slice).Elem()))
		}
	}
	return "append(" + strings.Join(args, ", ") + ")"
}

func (l *lowering) makeCall(e *ast.CallExpr) string {
	args := []string{l.typeText(l.typeOf(e.Args[0]))}
	for _, a := range e.Args[1:] {
		if tv := l.info.Types[a]; tv.Value != nil { // 1e3 is an integer here
			args = append(args, l.constant(tv.Value, types.Typ[types.Int]))
		} else {
			args = append(args, l.expr(a))
		}
	}
	return "make(" + strings.Join(args, ", ") + ")"
}

func (l *lowering) newCall(e *ast.CallExpr) string {
	if l.info.Types[e.Args[0]].IsType() {
		return "new(" + l.typeText(l.typeOf(e.Args[0])) + ")"
	}
	t := elem(l.typeOf(e))
	text := l.typeText(t)
	return fmt.Sprintf("func(v %s) *%s { p := new(%s); *p = v; return p }(%s)", text, text, text, l.exprTo(e.Args[0], t))
}

// extreme emits min or max, which yaegi does not have. NaN and -0 come out as in Go.
func (l *lowering) extreme(e *ast.CallExpr, name string) string {
	t := l.typeOf(e)
	function := l.helper(name, fmt.Sprint(name, len(e.Args), " ", l.p.table.Key(t)), func(function string) {
		params := make([]string, len(e.Args))
		for i := range params {
			params[i] = fmt.Sprintf("a%d", i)
		}
		operator, negative := "<", "b"
		if name == "max" {
			operator, negative = ">", "r"
		}
		special := ""
		if b := t.Underlying().(*types.Basic); b.Info()&types.IsFloat != 0 {
			special = "if b != b { return b }\nif r != r { return r }\n" +
				fmt.Sprintf("if b == 0 && r == 0 && 1/%s < 0 { r = b; continue }\n", negative)
		}
		l.emit("func %s(%s %s) %s {\nr := a0\nfor _, b := range []%s{%s} {\n%sif b %s r { r = b }\n}\nreturn r\n}",
			function, strings.Join(params, ", "), l.typeText(t), l.typeText(t), l.typeText(t), strings.Join(params[1:], ", "), special, operator)
	})
	var args []string
	for _, a := range e.Args {
		args = append(args, l.exprTo(a, t))
	}
	return function + "(" + strings.Join(args, ", ") + ")"
}
