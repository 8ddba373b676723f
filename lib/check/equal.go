package check

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"reflect"
)

// Equal claims that got and want are the same value: integers of any types by value, everything else
// as by [reflect.DeepEqual], except that a NaN anywhere in it, also behind pointers, is never equal. It is meant for counts, names, labels; numbers that were computed belong to [Near].
func Equal(claim string, got, want any) {
	if !equal(got, want) {
		fail(claim, "got %s, want %s", value(got), value(want))
	}
	pass(claim, "%s", value(want))
}

// Error claims that err is an error that wraps target (errors.Is), or any error when target is nil: for
// cells that show how bad input is refused. The line shows the message.
func Error(claim string, err, target error) {
	if err == nil {
		fail(claim, "there was no error")
	}
	if target != nil && !errors.Is(err, target) {
		fail(claim, "got error %q, want one that wraps %q", err, target)
	}
	pass(claim, "%v", err)
}

func equal(got, want any) bool {
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if g.IsValid() && w.IsValid() && g.Type() != w.Type() {
		return equalIntegers(g, w)
	}
	return !hasNaN(g, map[visit]bool{}) && reflect.DeepEqual(got, want)
}

// equalIntegers compares integers of different types; other values of different types differ.
func equalIntegers(g, w reflect.Value) bool {
	switch {
	case g.CanInt() && w.CanInt():
		return g.Int() == w.Int()
	case g.CanUint() && w.CanUint():
		return g.Uint() == w.Uint()
	case g.CanInt() && w.CanUint():
		return g.Int() >= 0 && uint64(g.Int()) == w.Uint()
	case g.CanUint() && w.CanInt():
		return w.Int() >= 0 && uint64(w.Int()) == g.Uint()
	}
	return false
}

// hasNaN finds what reflect.DeepEqual overlooks when both arguments share their memory. seen has the pointers,
// slices and maps on the way here, so that values which contain themselves come to an end.
func hasNaN(v reflect.Value, seen map[visit]bool) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		here := visit{v.Type(), v.Pointer(), 0}
		if v.Kind() == reflect.Slice {
			here.length = v.Len()
		}
		if v.IsNil() || seen[here] {
			return false
		}
		seen[here] = true
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.IsNaN(v.Float())
	case reflect.Complex64, reflect.Complex128:
		return cmplx.IsNaN(v.Complex())
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && hasNaN(v.Elem(), seen)
	case reflect.Struct:
		for i := range v.NumField() {
			if hasNaN(v.Field(i), seen) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if hasNaN(v.Index(i), seen) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if hasNaN(it.Key(), seen) || hasNaN(it.Value(), seen) {
				return true
			}
		}
	}
	return false
}

// A visit is a place in memory as hasNaN sees it.
type visit struct {
	kind    reflect.Type
	address uintptr
	length  int
}

// value writes v on one line of bounded length.
func value(v any) string {
	format := "%v"
	if _, ok := v.(string); ok {
		format = "%q"
	}
	const most = 80
	text := []rune(fmt.Sprintf(format, v))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
