package interp

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"strconv"
	"strings"
)

func (l *Lower) constText(v constant.Value, t types.Type) string {
	t = types.Unalias(t)
	b, ok := t.Underlying().(*types.Basic)
	if !ok { // constant in a context of interface or type parameter: default type
		panic("constant of type " + t.String())
	}
	wrap := func(s string) string {
		if n, ok := t.(*types.Named); ok {
			return l.tstr(n) + "(" + s + ")"
		}
		return s
	}
	switch {
	case b.Info()&types.IsBoolean != 0:
		return wrap(fmt.Sprint(constant.BoolVal(v)))
	case b.Info()&types.IsString != 0:
		return wrap(strconv.Quote(constant.StringVal(v)))
	case b.Info()&types.IsInteger != 0:
		s := constant.ToInt(v).ExactString()
		if b.Kind() == types.Int || b.Kind() == types.UntypedInt {
			if s[0] == '-' {
				s = "(" + s + ")"
			}
			return wrap(s)
		}
		if b.Kind() == types.UntypedRune {
			return "rune(" + s + ")"
		}
		if t == types.Type(b) {
			return b.Name() + "(" + s + ")"
		}
		return wrap(s)
	case b.Info()&types.IsFloat != 0:
		bits := 64
		if b.Kind() == types.Float32 {
			bits = 32
		}
		f, _ := constant.Float64Val(constant.ToFloat(v))
		if bits == 32 {
			f32, _ := constant.Float32Val(constant.ToFloat(v))
			f = float64(f32)
		}
		s := strconv.FormatFloat(f, 'g', -1, bits)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		if f < 0 || math.Signbit(f) {
			s = "(" + s + ")"
		}
		if bits == 32 && t == types.Type(b) {
			return "float32(" + s + ")"
		}
		return wrap(s)
	case b.Info()&types.IsComplex != 0:
		c := constant.ToComplex(v)
		re, im := constant.Real(c), constant.Imag(c)
		ft := types.Typ[types.Float64]
		s := "complex(" + l.constText(re, ft) + ", " + l.constText(im, ft) + ")"
		if b.Kind() == types.Complex64 {
			s = "complex64(" + s + ")"
		}
		return wrap(s)
	}
	panic("constText " + t.String())
}

func (l *Lower) typedConst(x string, t types.Type) string {
	if b, ok := t.(*types.Basic); ok && (b.Kind() == types.Int || b.Kind() == types.Float64) {
		return b.Name() + "(" + x + ")"
	}
	return x
}

func (l *Lower) shiftCount(e ast.Expr) string {
	if tv := l.info.Types[e]; tv.Value != nil {
		if n, ok := constant.Uint64Val(constant.ToInt(tv.Value)); !ok || n > 1000 {
			return "1000"
		}
		return tv.Value.ExactString()
	}
	return l.expr(e)
}
