package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"
)

// constant returns a constant as a literal of type t. Declarations of constants are not lowered:
// yaegi computes untyped constants in the types of their operands.
func (l *lowering) constant(v constant.Value, t types.Type) string {
	t = types.Unalias(t)
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		panic(fmt.Sprintf("constant %v of type %v", v, t))
	}
	var text string
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		text = strconv.FormatBool(constant.BoolVal(v))
	case info&types.IsString != 0:
		text = strconv.Quote(constant.StringVal(v))
	case info&types.IsInteger != 0:
		text = integer(v, t, b)
	case info&types.IsFloat != 0:
		text = float(v, t, b)
	case info&types.IsComplex != 0: // by a call: yaegi's own folding of them crashes
		c, f64 := constant.ToComplex(v), types.Typ[types.Float64]
		text = "rt.Complex(" + l.constant(constant.Real(c), f64) + ", " + l.constant(constant.Imag(c), f64) + ")"
		if b.Kind() == types.Complex64 {
			text = "complex64(" + text + ")"
		}
	default:
		panic(fmt.Sprintf("constant %v of type %v", v, t))
	}
	if named, ok := t.(*types.Named); ok {
		return l.typeText(named) + "(" + text + ")"
	}
	return text
}

// integer writes an integer. One that is not an int says its type: alone it would be an int.
func integer(v constant.Value, t types.Type, b *types.Basic) string {
	text := constant.ToInt(v).ExactString()
	switch {
	case b.Kind() == types.Int || b.Kind() == types.UntypedInt:
		if text[0] == '-' {
			return "(" + text + ")"
		}
		return text
	case b.Kind() == types.UntypedRune:
		return "rune(" + text + ")"
	case t == types.Type(b):
		return b.Name() + "(" + text + ")"
	}
	return text
}

func float(v constant.Value, t types.Type, b *types.Basic) string {
	f, _ := constant.Float64Val(constant.ToFloat(v))
	bits := 64
	if b.Kind() == types.Float32 {
		f32, _ := constant.Float32Val(constant.ToFloat(v))
		f, bits = float64(f32), 32
	}
	text := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if math.Signbit(f) {
		text = "(" + text + ")"
	}
	if bits == 32 && t == types.Type(b) {
		return "float32(" + text + ")"
	}
	return text
}

// typedConstant makes the text of a constant say its type where nothing else does.
func typedConstant(text string, t types.Type) string {
	if b, ok := t.(*types.Basic); ok && (b.Kind() == types.Int || b.Kind() == types.Float64) {
		return b.Name() + "(" + text + ")"
	}
	return text
}

// shiftCount returns a shift count. A large constant makes yaegi crash; beyond the width of
// every type its value does not matter.
func (l *lowering) shiftCount(e ast.Expr) string {
	tv := l.info.Types[e]
	if tv.Value == nil {
		if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && (b.Op == token.SHL || b.Op == token.SHR) && l.info.Types[b.X].Value != nil {
			// yaegi crashes at a shifted constant here
			t := l.typeText(defaultType(l.typeOf(e)))
			return fmt.Sprintf("func(x %s) %s { return x %s %s }(%s)", t, t, b.Op, l.shiftCount(b.Y), l.exprTo(b.X, defaultType(l.typeOf(e))))
		}
		return l.expr(e)
	}
	if n, ok := constant.Uint64Val(constant.ToInt(tv.Value)); !ok || n > 1000 {
		return "1000"
	}
	return tv.Value.ExactString()
}
