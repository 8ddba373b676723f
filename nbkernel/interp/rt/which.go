package rt

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"

	"eigenbook/nbkernel/interp/importer"
)

// A target is a type that a value is compared with: a case of a type switch or the type of an
// assertion. The type of case nil is nil.
type target struct {
	typ  types.Type
	desc *Desc // of a type whose values are boxed
}

// Cases keeps the types of a type switch, or the one of an assertion, and returns the number
// that Which knows them by. A type whose values are boxed must have its descriptor already.
func (t *Table) Cases(list ...types.Type) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	targets := make([]target, len(list))
	for i, typ := range list {
		targets[i].typ = typ
		if typ != nil && !importer.IsInterface(typ) {
			targets[i].desc = t.byKey[t.key(typ)]
		}
	}
	t.cases = append(t.cases, targets)
	return len(t.cases) - 1
}

func (t *Table) targets(number int) []target {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.cases[number]
}

// Which returns the index of the first case that x satisfies, or -1.
func (t *Table) Which(x any, cases int) int {
	x = t.Norm(x)
	for i, c := range t.targets(cases) {
		if c.typ == nil && x == nil || c.typ != nil && x != nil && t.hasType(x, c) {
			return i
		}
	}
	return -1
}

// A question is whether a dynamic type has or implements a type.
type question struct{ dynamic, typ types.Type }

// hasType reports whether x, which is not nil, has the type c or implements it.
func (t *Table) hasType(x any, c target) bool {
	box, boxed := x.(Box)
	if boxed && !types.IsInterface(c.typ) {
		return box.D == c.desc
	}
	q := question{t.dynamicType(x), c.typ}
	t.mu.RLock()
	answer, known := t.satisfies[q]
	t.mu.RUnlock()
	if known {
		return answer
	}
	answer = t.implements(x, q)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.satisfies[q] = answer
	return answer
}

func (t *Table) implements(x any, q question) bool {
	iface, ok := q.typ.Underlying().(*types.Interface)
	if !ok {
		return types.Identical(q.dynamic, q.typ)
	}
	if _, boxed := x.(Box); !boxed {
		if compiled, ok := t.importer.Reflected(q.typ); ok {
			return reflect.TypeOf(x).Implements(compiled)
		}
	}
	return types.Implements(q.dynamic, iface)
}

// MethodsChanged forgets which types implement what, because a type has gained a method.
func (t *Table) MethodsChanged() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.satisfies)
}

func (t *Table) dynamicType(x any) types.Type {
	if b, ok := x.(Box); ok {
		return b.D.T
	}
	return t.importer.Type(reflect.TypeOf(x))
}

// AssertFail panics as x.(T) does when x, of the interface type named iface, is no T, the
// only type of cases.
func (t *Table) AssertFail(x any, cases int, iface string) {
	x = t.Norm(x)
	want := t.targets(cases)[0].typ
	if x == nil {
		panic(runtimeError(fmt.Sprintf("interface conversion: %s is nil, not %s", iface, TypeName(want))))
	}
	have := t.dynamicType(x)
	if wanted, ok := want.Underlying().(*types.Interface); ok {
		name := ""
		if missing, _ := types.MissingMethod(have, wanted, true); missing != nil {
			name = missing.Name()
		}
		panic(runtimeError(fmt.Sprintf("interface conversion: %s is not %s: missing method %s", TypeName(have), TypeName(want), name)))
	}
	panic(runtimeError(fmt.Sprintf("interface conversion: %s is %s, not %s", iface, TypeName(have), TypeName(want))))
}

// ErrorsAs is errors.As without the assignment: it returns the first error of err's tree that
// has the only type of cases, or nil.
func (t *Table) ErrorsAs(err error, cases int) any {
	for err != nil {
		if t.Which(err, cases) == 0 {
			return err
		}
		if tree, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range tree.Unwrap() {
				if found := t.ErrorsAs(e, cases); found != nil {
					return found
				}
			}
			return nil
		}
		err = errors.Unwrap(err)
	}
	return nil
}
