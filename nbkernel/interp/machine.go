package interp

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"

	"github.com/traefik/yaegi/interp"
)

// A machine is yaegi without the memory of what it has compiled.
//
// yaegi keeps the tree of every evaluation in three places: the list of trees and the scopes
// inside a package's scope, both for its debugger, and the symbols of the package. A cell costs
// 20 to 60 KB there, and none of it is wanted again: declarations are found by their symbols, and
// what runs holds its own nodes. So compile empties the first two and takes away the symbol of a
// function that is called once. What a symbol of a variable holds is the tree it was declared in:
// variables and statements must not share one. A variable that a later cell declares anew lets its
// value go.
//
// yaegi offers no way to do that. The fields are unexported and written through reflect.NewAt;
// newMachine fails if one is not what it was.
type machine struct {
	*interp.Interpreter
	roots, children reflect.Value    // slices
	symbols         reflect.Value    // a map
	slots           *[]reflect.Value // of the package's variables
	files           []*token.File    // of the present cell
	held            map[string]bool  // names in functions and literals, which may run at any time
}

// compile compiles declarations. A function with the name once can be named by them alone.
func (m *machine) compile(text, once string) (*interp.Program, error) {
	defer m.forget(once)
	file, err := parser.ParseFile(m.FileSet(), interp.DefaultSourceName, "package main;"+text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	m.files = append(m.files, m.FileSet().File(file.Pos()))
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		m.hold(d, ok && f.Name.Name != once)
	}
	return m.CompileAST(file)
}

// forgetPositions forgets where the lines of the present cell are: nothing of it can panic later.
func (m *machine) forgetPositions() {
	for _, f := range m.files {
		m.FileSet().RemoveFile(f)
	}
}

// hold notes the names in functions, or in literals only.
func (m *machine) hold(n ast.Node, all bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if !all {
				m.hold(n, true)
				return false
			}
		case *ast.Ident:
			if all && strings.Contains(n.Name, "_") {
				m.held[n.Name] = true
			}
		}
		return true
	})
}

// release lets go of the value of a variable that no cell can name any more, unless a function
// or literal does. Pointers to the variable keep it.
func (m *machine) release(name string) {
	symbol := m.symbols.MapIndex(reflect.ValueOf(name))
	if m.held[name] || !symbol.IsValid() {
		return
	}
	if i := symbol.Elem().FieldByName("index").Int(); i >= 0 && i < int64(len(*m.slots)) {
		(*m.slots)[i] = reflect.Value{}
	}
	m.symbols.SetMapIndex(reflect.ValueOf(name), reflect.Value{})
}

func (m *machine) forget(name string) {
	m.roots.SetZero()
	m.children.SetZero()
	m.symbols.SetMapIndex(reflect.ValueOf(name), reflect.Value{})
}

// newMachine returns a machine that has evaluated the declarations of text.
func newMachine(y *interp.Interpreter, text string) (*machine, error) {
	p, err := y.Compile(text)
	if err != nil {
		return nil, err
	}
	// With a context from the start: what yaegi compiles before it has seen one ignores it where
	// it waits for a channel.
	if _, err := y.ExecuteWithContext(context.Background(), p); err != nil {
		return nil, err
	}
	of := reflect.ValueOf(y).Elem()
	m := &machine{Interpreter: y, held: map[string]bool{}}
	var slots reflect.Value
	scopes := of.FieldByName("scopes")
	if scopes.Kind() != reflect.Map {
		return nil, fmt.Errorf("yaegi's scopes are %v, want a map", scopes)
	}
	scope := scopes.MapIndex(reflect.ValueOf("main"))
	if scope.Kind() != reflect.Pointer || scope.IsNil() {
		return nil, fmt.Errorf("yaegi's scope of main is %v, want a pointer", scope)
	}
	for _, f := range []struct {
		of    reflect.Value
		name  string
		kind  reflect.Kind
		field *reflect.Value
	}{
		{of, "roots", reflect.Slice, &m.roots},
		{scope.Elem(), "child", reflect.Slice, &m.children},
		{scope.Elem(), "sym", reflect.Map, &m.symbols},
		{of.FieldByName("frame").Elem(), "data", reflect.Slice, &slots},
	} {
		v := f.of.FieldByName(f.name)
		if v.Kind() != f.kind {
			return nil, fmt.Errorf("yaegi's field %s is %v, want a %v", f.name, v, f.kind)
		}
		*f.field = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	}
	var ok bool
	if m.slots, ok = slots.Addr().Interface().(*[]reflect.Value); !ok {
		return nil, fmt.Errorf("yaegi's field data is a %s, want a slice of values", slots.Type())
	}
	if t := m.symbols.Type().Elem(); t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("yaegi's symbols are %s, want pointers to structs", t)
	} else if f, ok := t.Elem().FieldByName("index"); !ok || f.Type.Kind() != reflect.Int {
		return nil, fmt.Errorf("yaegi's symbols have no index")
	}
	return m, nil
}
