package rt

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The functions of this file are builtins that yaegi does not have or does not get right.

// Clear empties a map or sets the elements of a slice to zero.
func Clear(m any) { reflect.ValueOf(m).Clear() }

// Complex is the builtin complex, of constants.
func Complex(re, im float64) complex128 { return complex(re, im) }

// Length is len or cap of x, an array of that length or a pointer to one.
func Length(_ any, length int) int { return length }

// NilInterface returns a nil interface value that yaegi does not take for the constant nil.
func NilInterface() any { return nil }

// Rune returns the rune at an offset of a string and its size in bytes.
func Rune(s string, at int) (rune, int) { return utf8.DecodeRuneInString(s[at:]) }

// Print is the builtin print: it writes to standard error.
func (t *Table) Print(args ...any) { os.Stderr.WriteString(t.printed(args, "")) }

// Println is the builtin println.
func (t *Table) Println(args ...any) { os.Stderr.WriteString(t.printed(args, " ") + "\n") }

func (t *Table) printed(args []any, separator string) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = printed(reflect.ValueOf(t.Raw(a)))
	}
	return strings.Join(texts, separator)
}

func printed(v reflect.Value) string {
	switch {
	case !v.IsValid():
		return "(0x0,0x0)"
	case v.CanInt(), v.CanUint(), v.Kind() == reflect.String, v.Kind() == reflect.Bool:
		return fmt.Sprint(v)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits())
	}
	switch v.Kind() {
	case reflect.Slice:
		return fmt.Sprintf("[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return fmt.Sprintf("%#x", v.Pointer())
	}
	return fmt.Sprint(v)
}
