// Package lower writes checked cells in the part of Go that yaegi gets right.
//
// Its loops, arithmetic, slices, maps, structs, closures, channels and calls into compiled
// code are good. Its methods, interface values, generics and defer are where wrong answers come
// from, and go/types knows enough to do without them:
//
//	methods         functions with the receiver first; the checker resolves each call, and a
//	                promotion is the path of fields it stands for (method.go)
//	interfaces      a user's interface type is interface{}; what reflection cannot tell goes into
//	                it in a box (convert.go); a type switch asks rt.Which (switch.go)
//	generics        one copy for each set of type arguments, emitted when first used (function.go)
//	defer           rt.Defers, with the arguments evaluated (defer.go)
//	constants       their values, in the type that the checker gave them (constant.go)
//	names           each has a number of its own, so that a redefinition never meets the old
//	                thing and yaegi's scoping is never used
//	recursion       types that refer to each other are interface{} where yaegi would get them wrong
//	                (recursive.go, erase.go)
//	loop variables  a heap cell for each turn, if a closure or an address may outlive it
//	                (capture.go, loop.go)
//	positions       a variable of each function, stored before what can panic (position.go)
//	what changes    code that names a function or variable which a later cell declares anew is
//	                written again when it is next used (follow.go)
//
// The text comes from the typed tree in one recursive pass and not by patching the tree: a
// patched tree has no types, and a generic body is emitted many times. An expression becomes
// text of the same type, exprTo gives it another one, and conv turns text of one type into
// another and is the one place that makes boxes.
//
// A Program is what a session has lowered so far. Nothing here knows how the text is run.
package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"

	"eigenbook/nbkernel/interp/importer"
	"eigenbook/nbkernel/interp/rt"
)

// A Program is the lowered code of a session. It is not safe for concurrent use.
type Program struct {
	// Instead has compiled methods that are not called, but a function with the receiver first,
	// by their full names.
	Instead map[string]string

	importer *importer.Importer
	table    *rt.Table
	position func(token.Pos) (line, column int)
	context  *types.Context // so that equal instances of a generic type are the same

	n         int                               // of the last name
	names     map[types.Object]string           // of variables
	global    map[types.Object]bool             // variables at package level
	locals    []types.Object                    // those of names that end with the present cell
	sources   map[*types.Func]importer.Function // of the functions and methods of cells
	impl      map[*types.Func]*types.Func       // function or method → the function that a later cell put in its place
	replaced  map[*types.Var]*types.Var         // variable → the one that a later cell declared with its name and type
	users     map[types.Object]map[node]bool    // function or variable → emitted code that names it
	bindings  map[*rt.Desc]binding              // of the types whose methods are bound
	rebind    []*rt.Desc                        // types whose methods are to be bound again
	types     map[string]string                 // type key → name of the declaration
	verdicts  map[*types.Named]verdict          // on recursion
	families  map[string]verdict                // the same by type keys
	functions map[instance]string               // → name of the declaration
	helpers   map[string]string                 // assertion or builtin and type → name of the function
	wrappers  map[reflect.Type]string           // compiled interface type → name of the function that converts to it
	aliases   map[string]string                 // import path → name in lowered code
	hidden    map[reflect.Type]string           // compiled type that its package does not export → its name in package hidden
	imports   []string                          // lines that were not handed out yet
	newHidden map[string]reflect.Type           // hidden types that were not handed out yet
	addresses map[*types.Var]string             // compiled variable → name of its address in package hidden
	newVars   map[string]reflect.Value          // addresses that were not handed out yet
	undo      []func()                          // of what the present cell has changed, last first
}

// An instance is a function with its type arguments.
type instance struct {
	function  *types.Func
	arguments string // type keys
	recovers  bool   // the copy that is deferred, whose recover works
}

// NewProgram returns a program without code. Compiled types come from im, the numbers of types
// from table, and position says where in its cell a statement stands.
func NewProgram(im *importer.Importer, table *rt.Table, position func(token.Pos) (line, column int)) *Program {
	return &Program{
		importer: im, table: table, position: position, context: types.NewContext(),
		names:     map[types.Object]string{},
		global:    map[types.Object]bool{},
		sources:   map[*types.Func]importer.Function{},
		impl:      map[*types.Func]*types.Func{},
		replaced:  map[*types.Var]*types.Var{},
		users:     map[types.Object]map[node]bool{},
		bindings:  map[*rt.Desc]binding{},
		types:     map[string]string{},
		verdicts:  map[*types.Named]verdict{},
		families:  map[string]verdict{},
		functions: map[instance]string{},
		helpers:   map[string]string{},
		wrappers:  map[reflect.Type]string{},
		aliases:   map[string]string{},
		hidden:    map[reflect.Type]string{},
		newHidden: map[string]reflect.Type{},
		addresses: map[*types.Var]string{},
		newVars:   map[string]reflect.Value{},
	}
}

// Global reports whether o is a variable that outlives its cell.
func (p *Program) Global(o types.Object) bool { return p.global[o] }

// Begin starts a cell: Undo takes back what happens from now on.
func (p *Program) Begin() {
	p.undo = append(p.undo[:0], func() {})
	mark := p.table.Mark()
	p.undo[0] = func() { p.table.Undo(mark) }
}

// Undo forgets the declarations of the cell since Begin, whose text will not be evaluated.
// Imports stay.
func (p *Program) Undo() {
	for i := len(p.undo) - 1; i >= 0; i-- {
		p.undo[i]()
	}
	p.undo = p.undo[:0]
}

// set sets m[k], until Undo.
func set[K comparable, V any](p *Program, m map[K]V, k K, v V) {
	before, had := m[k]
	p.undo = append(p.undo, func() {
		if had {
			m[k] = before
		} else {
			delete(m, k)
		}
	})
	m[k] = v
}

// fresh returns a name that no other declaration has.
func (p *Program) fresh(format, name string) string {
	p.n++
	return fmt.Sprintf(format, name, p.n)
}

// alias returns the name of a compiled package in lowered code.
func (p *Program) alias(path string) string {
	if name, ok := p.aliases[path]; ok {
		return name
	}
	name := p.fresh("%s%d", "p")
	p.aliases[path] = name
	p.imports = append(p.imports, fmt.Sprintf("import %s %q", name, path))
	return name
}

// hiddenType returns a name for a compiled type that its package does not export.
func (p *Program) hiddenType(t reflect.Type) string {
	name, ok := p.hidden[t]
	if !ok {
		name = fmt.Sprintf("H%d", len(p.hidden))
		p.hidden[t] = name
		p.newHidden[name] = t
	}
	return p.alias(HiddenPath) + "." + name
}

// address returns a name for the address of a compiled variable: yaegi takes one of a basic type
// for a constant, and loses what is assigned to another.
func (p *Program) address(v *types.Var) string {
	name, ok := p.addresses[v]
	if !ok {
		name = fmt.Sprintf("V%d", len(p.addresses))
		p.addresses[v] = name
		p.newVars[name] = p.importer.Variable(v)
	}
	return p.alias(HiddenPath) + "." + name
}

// HiddenPath is the path of the package of Cell.Hidden.
const HiddenPath = "eb/hidden"

// source returns the source of a function of a cell or of a generic package.
func (p *Program) source(f *types.Func) (importer.Function, bool) {
	if source, ok := p.sources[f]; ok {
		return source, true
	}
	return p.importer.Function(f)
}
