package rt

import (
	"go/types"
	"maps"
	"reflect"
	"slices"
)

// A Desc describes a type that reflection cannot tell. A session has one for each such type
// that went into an interface, so that descriptors are equal when their types are.
type Desc struct {
	ID    int
	T     types.Type
	table *Table
	bind  func(v any, name string) any // returns a method of v as a func, or nil
	core  reflect.Type                 // of an erased type: the type of what it holds
}

// String returns the type's name as package reflect would write it.
func (d *Desc) String() string { return TypeName(d.T) }

// A Box is the dynamic value of an interface that holds a value of such a type.
type Box struct {
	D *Desc
	V any
}

// Describe returns the descriptor of a type; isNew says that it had none.
func (t *Table) Describe(typ types.Type) (d *Desc, isNew bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := t.key(typ)
	if d := t.byKey[key]; d != nil {
		return d, false
	}
	d = &Desc{ID: len(t.descs), T: typ, table: t}
	t.descs, t.byKey[key] = append(t.descs, d), d
	return d, true
}

// Descriptor returns the descriptor of a type, nil if no value of it went into an interface.
func (t *Table) Descriptor(typ types.Type) *Desc {
	t.mu.Lock() // key may number a type
	defer t.mu.Unlock()
	return t.byKey[t.key(typ)]
}

// Described returns the descriptors of all types that have one, in the order of their numbers.
func (t *Table) Described() []*Desc {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.SortedFunc(maps.Values(t.byKey), func(a, b *Desc) int { return a.ID - b.ID })
}

// Mark returns a state of the table that Undo returns to.
func (t *Table) Mark() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.descs)
}

// Undo forgets the descriptors made since mark, by a cell that will not run: what binds their
// methods was not evaluated. Their numbers are not given again.
func (t *Table) Undo(mark int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, d := range t.descs[mark:] {
		if key := t.key(d.T); t.byKey[key] == d {
			delete(t.byKey, key)
		}
	}
}

// MakeBox returns v in a Box of the descriptor with this number.
func (t *Table) MakeBox(id int, v any) any {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return Box{t.descs[id], v}
}

// Bind sets the function that binds the methods of a descriptor's type. The result is there
// because a variable of lowered code is initialised with it.
func (t *Table) Bind(id int, bind func(v any, name string) any) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.descs[id].bind = bind
	return true
}

// method returns a method of the boxed value as a func, the zero Value if there is none.
func (b Box) method(name string) reflect.Value {
	b.D.table.mu.RLock()
	bind := b.D.bind
	b.D.table.mu.RUnlock()
	if bind == nil {
		return reflect.Value{}
	}
	return reflect.ValueOf(bind(b.V, name))
}

// Norm returns the value that a wrapper around a Box was made for, and other values as they
// are. An interface value may have been wrapped for compiled code on its way; two are equal
// when their norms are.
func (t *Table) Norm(x any) any {
	switch x := x.(type) {
	case nil, Box:
		return x
	case *boxedError:
		return x.box
	}
	if t.importer.IsWrapper(reflect.TypeOf(x)) {
		return reflect.ValueOf(x).Field(0).Interface()
	}
	return x
}

// Raw returns the value in a Box, for compiled code that looks at its argument by reflection.
func (t *Table) Raw(x any) any {
	if b, ok := t.Norm(x).(Box); ok {
		return b.V
	}
	return x
}

// Val returns the value in a Box.
func (t *Table) Val(x any) any { return t.Norm(x).(Box).V }

// Eq is == of two interface values.
func (t *Table) Eq(a, b any) bool { return t.Norm(a) == t.Norm(b) }

// Method returns a method of an interface value as a func. A call through an interface type
// of a cell is lowered to it: yaegi would look for the method by reflection on the bare value.
func (t *Table) Method(x any, name string) any {
	switch x := t.Norm(x).(type) {
	case nil:
		panic(nilDereference)
	case Box:
		return x.method(name).Interface()
	default:
		return reflect.ValueOf(x).MethodByName(name).Interface()
	}
}

// boxOf returns v in a Box, if its type has a descriptor.
func (t *Table) boxOf(v reflect.Value, typ types.Type) (b Box, ok bool) {
	d := t.Descriptor(typ)
	if d == nil || !v.CanInterface() {
		return Box{}, false
	}
	return Box{d, v.Interface()}, true
}
