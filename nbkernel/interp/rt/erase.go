package rt

import (
	"go/types"
	"reflect"
)

// Where types refer to each other in a way that the interpreter cannot represent, lowered code
// has values of some of them as interface{}, see package lower. Such a type is erased; what it
// holds has the reflected type of its core, and nil stands for the zero value. A Box holds the
// value of the core.

// Erase returns a value of a core, which can be nil, as one of the erased type.
func Erase(x any) any {
	if x == nil || reflect.ValueOf(x).IsNil() {
		return nil
	}
	return x
}

// Represent tells the core of an erased type, the one with the descriptor of this number: the
// element type of list, a slice.
func (t *Table) Represent(id int, list any) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.descs[id].core = reflect.TypeOf(list).Elem()
	return true
}

// coreOf returns the type of the core of a type, if v is a variable that holds it erased.
func (t *Table) coreOf(v reflect.Value, typ types.Type) (core reflect.Type, erased bool) {
	if !v.IsValid() || v.Kind() != reflect.Interface || types.IsInterface(typ) {
		return nil, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if d := t.byKey[t.key(typ)]; d != nil {
		return d.core, d.core != nil
	}
	return nil, false
}

// stored returns the value of type typ that v holds, of the core if the type is erased.
func (t *Table) stored(v reflect.Value, typ types.Type) reflect.Value {
	core, erased := t.coreOf(v, typ)
	switch {
	case !erased:
		return v
	case v.IsNil():
		return reflect.Zero(core)
	}
	return v.Elem()
}
