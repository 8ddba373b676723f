package interp

import (
	"fmt"
	"go/types"
)

// overrides are compiled functions that lowered code calls in a form that knows boxes.
var overrides = map[string]string{
	"encoding/json.Unmarshal": "rt.Unmarshal",
	"fmt.Errorf":              "rt.Errorf",
	"fmt.Fprintf":             "rt.Fprintf",
	"fmt.Printf":              "rt.Printf",
	"fmt.Sprintf":             "rt.Sprintf",
}

func (s *Session) compiledFunc(f *types.Func) string {
	if o, ok := overrides[f.FullName()]; ok {
		return o
	}
	return s.pkgAlias(f.Pkg().Path()) + "." + f.Name()
}

func (s *Session) intrinsic(l *Lower, f *types.Func, targs []types.Type, name string) (string, bool) {
	if f.Pkg().Path() == "slices" && f.Name() == "Sort" {
		e := targs[0].Underlying().(*types.Slice).Elem()
		st := l.tstr(targs[0])
		if b, ok := e.Underlying().(*types.Basic); ok {
			switch b.Kind() {
			case types.Int:
				return fmt.Sprintf("func %s(x %s) { %s.Ints([]int(x)) }\n", name, st, s.pkgAlias("sort")), !l.s.imp.Tainted(e)
			case types.Float64:
				return fmt.Sprintf("func %s(x %s) { %s.Float64s([]float64(x)) }\n", name, st, s.pkgAlias("sort")), !l.s.imp.Tainted(e)
			case types.String:
				return fmt.Sprintf("func %s(x %s) { %s.Strings([]string(x)) }\n", name, st, s.pkgAlias("sort")), !l.s.imp.Tainted(e)
			}
		}
	}
	if f.Pkg().Path() == "slices" && (f.Name() == "SortFunc" || f.Name() == "SortStableFunc") {
		return fmt.Sprintf("func %s(x %s, cmp func(a, b %s) int) { %s.SliceStable(x, func(i, j int) bool { return cmp(x[i], x[j]) < 0 }) }\n", name, l.tstr(targs[0]), l.tstr(targs[1]), s.pkgAlias("sort")), true
	}
	return "", false
}
