package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

func (l *Lower) builtin(e *ast.CallExpr, name string) string {
	switch name {
	case "append":
		st := l.typeOf(e.Args[0])
		if b, ok := st.(*types.Basic); ok && b.Kind() == types.UntypedNil {
			st = l.typeOf(e)
		}
		et := st.Underlying().(*types.Slice).Elem()
		as := []string{l.expr(e.Args[0])}
		if as[0] == "nil" {
			as[0] = "(" + l.tstr(l.typeOf(e)) + ")(nil)"
		}
		for i, a := range e.Args[1:] {
			if e.Ellipsis.IsValid() && i == len(e.Args)-2 {
				as = append(as, l.expr(a)+"...")
			} else {
				as = append(as, l.exprTo(a, et))
			}
		}
		return "append(" + strings.Join(as, ", ") + ")"
	case "make":
		as := []string{l.tstr(l.typeOf(e.Args[0]))}
		for _, a := range e.Args[1:] {
			if tv := l.info.Types[a]; tv.Value != nil {
				as = append(as, l.constText(tv.Value, types.Typ[types.Int]))
				continue
			}
			as = append(as, l.expr(a))
		}
		return "make(" + strings.Join(as, ", ") + ")"
	case "new":
		if l.info.Types[e.Args[0]].IsType() {
			return "new(" + l.tstr(l.typeOf(e.Args[0])) + ")"
		}
		t := derefT(l.typeOf(e))
		ts := l.tstr(t)
		return fmt.Sprintf("func(v %s) *%s { p := new(%s); *p = v; return p }(%s)", ts, ts, ts, l.exprTo(e.Args[0], t))
	case "min", "max":
		t := l.typeOf(e)
		ts := l.tstr(t)
		k := name + l.s.table.Key(t) + fmt.Sprint(len(e.Args))
		n, ok := l.s.asserts[k]
		if !ok {
			l.s.n++
			n = fmt.Sprintf("%s_%d", name, l.s.n)
			l.s.asserts[k] = n
			op := "<"
			if name == "max" {
				op = ">"
			}
			nan := ""
			if b := t.Underlying().(*types.Basic); b.Info()&types.IsFloat != 0 {
				nan = "if b != b { return b }\nif r != r { return r }\n"
				if name == "min" {
					nan += "if b == 0 && r == 0 && 1/b < 0 { r = b; continue }\n"
				} else {
					nan += "if b == 0 && r == 0 && 1/r < 0 { r = b; continue }\n"
				}
			}
			var ps, as []string
			for i := range e.Args {
				ps = append(ps, fmt.Sprintf("a%d %s", i, ts))
				if i > 0 {
					as = append(as, fmt.Sprintf("a%d", i))
				}
			}
			fmt.Fprintf(l.decls, "func %s(%s) %s {\nr := a0\nfor _, b := range []%s{%s} {\n%sif b %s r { r = b }\n}\nreturn r\n}\n", n, strings.Join(ps, ", "), ts, ts, strings.Join(as, ", "), nan, op)
		}
		var as []string
		for _, a := range e.Args {
			as = append(as, l.exprTo(a, t))
		}
		return n + "(" + strings.Join(as, ", ") + ")"
	case "clear":
		return "rt.Clear(" + l.expr(e.Args[0]) + ")"
	case "panic":
		return "panic(" + l.exprTo(e.Args[0], types.Universe.Lookup("any").Type().Underlying()) + ")"
	case "recover":
		if l.fn != nil && l.s.deferOf != "" {
			return l.s.deferOf + ".Recover()"
		}
		return "interface{}(nil)"
	case "delete":
		m := l.typeOf(e.Args[0]).Underlying().(*types.Map)
		return "delete(" + l.expr(e.Args[0]) + ", " + l.exprTo(e.Args[1], m.Key()) + ")"
	case "copy", "len", "cap", "close", "real", "imag", "complex":
		var as []string
		for _, a := range e.Args {
			as = append(as, l.expr(a))
		}
		return name + "(" + strings.Join(as, ", ") + ")"
	case "print", "println":
		var as []string
		for _, a := range e.Args {
			as = append(as, l.expr(a))
		}
		return name + "(" + strings.Join(as, ", ") + ")"
	}
	panic("builtin " + name)
}
