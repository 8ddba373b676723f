package lower

import (
	"fmt"
	"go/types"
	"strings"
)

// overrides are compiled functions that lowered code calls in a form that knows boxes.
var overrides = map[string]string{
	"encoding/json.Unmarshal": "rt.Unmarshal",
	"fmt.Errorf":              "rt.Errorf",
	"fmt.Fprintf":             "rt.Fprintf",
	"fmt.Printf":              "rt.Printf",
	"fmt.Sprintf":             "rt.Sprintf",
}

// compiledFunc returns the name of a compiled function.
func (p *Program) compiledFunc(f *types.Func) string {
	if name, ok := overrides[f.FullName()]; ok {
		return name
	}
	return p.alias(f.Pkg().Path()) + "." + f.Name()
}

// ending are compiled functions that end the process, and what to write instead.
var ending = map[string]string{
	"runtime.Breakpoint":   "it would end the kernel; print what you want to see",
	"runtime.SetFinalizer": "the interpreter keeps values longer than compiled code does, and a wrong argument would end the kernel; release what a value holds with defer",
}

// reflecting are packages whose functions look at their arguments of type any by reflection.
var reflecting = map[string]bool{
	"encoding/binary": true,
	"encoding/gob":    true,
	"encoding/xml":    true,
	"html/template":   true,
	"reflect":         true,
	"sort":            true,
	"text/template":   true,
}

// reflects reports whether a compiled function does so, and must get what is in a box and not
// the box.
func reflects(f *types.Func) bool {
	if reflecting[f.Pkg().Path()] {
		return true
	}
	for _, prefix := range []string{"Scan", "Sscan", "Fscan"} {
		if strings.HasPrefix(f.Name(), prefix) {
			return true
		}
	}
	return false
}

// sorts are the functions of package sort for slices of basic types.
var sorts = map[types.BasicKind]string{types.Int: "Ints", types.Float64: "Float64s", types.String: "Strings"}

// intrinsic returns the declaration of a generic function that compiled code does better:
// sorting.
func (l *lowering) intrinsic(f *types.Func, arguments []types.Type, name string) (text string, ok bool) {
	switch f.FullName() {
	case "slices.Sort":
		element := arguments[0].Underlying().(*types.Slice).Elem()
		b, ok := types.Unalias(element).(*types.Basic)
		if !ok || sorts[b.Kind()] == "" {
			return "", false
		}
		return fmt.Sprintf("func %s(x %s) { %s.%s([]%s(x)) }",
			name, l.typeText(arguments[0]), l.p.alias("sort"), sorts[b.Kind()], b.Name()), true
	case "slices.SortFunc", "slices.SortStableFunc":
		var ab []*types.Var
		for range 2 {
			ab = append(ab, types.NewParam(0, nil, "", arguments[1]))
		}
		order := types.NewSignatureType(nil, nil, nil, types.NewTuple(ab...), types.NewTuple(types.NewParam(0, nil, "", types.Typ[types.Int])), false)
		return fmt.Sprintf("func %s(list %s, order %s) {\nx, cmp := %s, %s\n%s.SliceStable(x, func(i, j int) bool { return cmp(x[i], x[j]) < 0 })\n}",
			name, l.typeText(arguments[0]), l.typeText(order), l.rep("list", arguments[0]), l.rep("order", order), l.p.alias("sort")), true
	}
	return "", false
}
