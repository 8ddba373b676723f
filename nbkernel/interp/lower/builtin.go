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
		return "rt.Clear(" + l.core(e.Args[0]) + ")"
	case "panic":
		return "panic(rt.Panic(" + l.exprTo(e.Args[0], anyT) + "))"
	case "print", "println":
		return l.printCall(e, name)
	case "recover":
		if l.fn.recovers == "" { // nobody defers this function
			return "interface{}(nil)"
		}
		return l.fn.recovers + ".Recover()"
	case "delete":
		m := l.typeOf(e.Args[0]).Underlying().(*types.Map)
		return "delete(" + l.core(e.Args[0]) + ", " + l.exprTo(e.Args[1], m.Key()) + ")"
	case "cap", "len":
		if length, ok := arrayLength(l.typeOf(e.Args[0])); ok { // of a nil pointer, too
			return fmt.Sprintf("rt.Length(%s, %d)", l.core(e.Args[0]), length)
		}
		return name + "(" + l.core(e.Args[0]) + ")"
	case "close", "complex", "copy", "imag", "real":
		var args []string
		for _, a := range e.Args {
			args = append(args, l.core(a))
		}
		return name + "(" + strings.Join(args, ", ") + ")"
	}
	l.refuse(e, "%s is not supported here", name) // of package unsafe
	return ""
}

// printCall emits print or println, which yaegi sends to standard output.
func (l *lowering) printCall(e *ast.CallExpr, name string) string {
	function := map[string]string{"print": "rt.Print", "println": "rt.Println"}[name]
	if len(e.Args) == 1 {
		if tuple, ok := l.info.TypeOf(e.Args[0]).(*types.Tuple); ok {
			variadic := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", types.NewSlice(anyT))), nil, true)
			return l.callOfCall(e.Args[0], l.tuple(tuple), variadic, func(args string) string { return function + "(" + args + ")" })
		}
	}
	var args []string
	for _, a := range e.Args {
		args = append(args, l.exprTo(a, anyT))
	}
	return function + "(" + strings.Join(args, ", ") + ")"
}

func (l *lowering) appendCall(e *ast.CallExpr) string {
	t := l.typeOf(e.Args[0])
	args := []string{l.core(e.Args[0])}
	if isNil(t) {
		t = l.typeOf(e)
	}
	if args[0] == "nil" {
		args[0] = "(" + l.coreText(t) + ")(nil)"
	}
	for i, a := range e.Args[1:] {
		if e.Ellipsis.IsValid() && i == len(e.Args)-2 {
			args = append(args, l.core(a)+"...")
		} else {
			args = append(args, l.exprTo(a, t.Underlying().(*types.Slice).Elem()))
		}
	}
	return "append(" + strings.Join(args, ", ") + ")"
}

func (l *lowering) makeCall(e *ast.CallExpr) string {
	args := []string{l.coreText(l.typeOf(e.Args[0]))}
	for _, a := range e.Args[1:] {
		if tv := l.info.Types[a]; tv.Value != nil { // 1e3 is an integer here
			args = append(args, l.constant(tv.Value, types.Typ[types.Int]))
		} else {
			args = append(args, l.expr(a))
		}
	}
	if c, ok := l.typeOf(e.Args[0]).Underlying().(*types.Chan); ok && c.Dir() != types.SendRecv { // which reflection cannot make
		args[0] = l.coreText(types.NewChan(types.SendRecv, c.Elem()))
		return "(" + l.coreText(l.typeOf(e.Args[0])) + ")(make(" + strings.Join(args, ", ") + "))"
	}
	return "make(" + strings.Join(args, ", ") + ")"
}

func (l *lowering) newCall(e *ast.CallExpr) string {
	if l.info.Types[e.Args[0]].IsType() {
		return "new(" + l.typeText(l.typeOf(e.Args[0])) + ")"
	}
	t := elem(l.typeOf(e))
	return l.newValue(l.exprTo(e.Args[0], t), t)
}

// newValue returns a pointer to a new variable of type t with the value x.
func (l *lowering) newValue(x string, t types.Type) string {
	text := l.typeText(t)
	return fmt.Sprintf("func(v %s) *%s { p := new(%s); *p = v; return p }(%s)", text, text, text, x)
}

// extreme emits min or max, which yaegi does not have. NaN and -0 come out as in Go.
func (l *lowering) extreme(e *ast.CallExpr, name string) string {
	t := l.typeOf(e)
	function := l.helper(name, name+" "+l.p.table.Key(t), func(function string) {
		operator, negative := "<", "b"
		if name == "max" {
			operator, negative = ">", "r"
		}
		special := ""
		if b := t.Underlying().(*types.Basic); b.Info()&types.IsFloat != 0 {
			special = "if b != b { return b }\nif r != r { return r }\n" +
				fmt.Sprintf("if b == 0 && r == 0 && 1/%s < 0 { r = b; continue }\n", negative)
		}
		// yaegi passes -0 as 0, but for the arguments of a variadic parameter
		l.emit("func %s(a ...%s) %s {\nr := a[0]\nfor _, b := range a[1:] {\n%sif b %s r { r = b }\n}\nreturn r\n}",
			function, l.typeText(t), l.typeText(t), special, operator)
	})
	var args []string
	for _, a := range e.Args {
		args = append(args, l.exprTo(a, t))
	}
	return function + "(" + strings.Join(args, ", ") + ")"
}
