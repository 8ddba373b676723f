package interp

import (
	"context"
	"fmt"
	"go/parser"
	"reflect"

	"github.com/traefik/yaegi/interp"
)

// A machine is yaegi without the memory of what it has compiled.
//
// yaegi keeps the tree of every evaluation in three places: the list of trees and the scopes
// inside a package's scope, both for its debugger, and the symbols of the package. A cell costs
// 20 to 60 KB there, and none of it is wanted again: declarations are found by their symbols, and
// what runs holds its own nodes. So compile empties the first two and takes away the symbol of a
// function that is called once. What a symbol of a variable holds is the tree it was declared in:
// variables and statements must not share one.
//
// yaegi offers no way to do that. The fields are unexported and written through reflect.NewAt;
// newMachine fails if one is not what it was.
type machine struct {
	*interp.Interpreter
	roots, children reflect.Value // slices
	symbols         reflect.Value // a map
}

// compile compiles declarations. A function with the name once can be named by them alone.
func (m *machine) compile(text, once string) (*interp.Program, error) {
	defer m.forget(once)
	file, err := parser.ParseFile(m.FileSet(), interp.DefaultSourceName, "package main;"+text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return m.CompileAST(file)
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
	m := &machine{Interpreter: y}
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
	} {
		v := f.of.FieldByName(f.name)
		if v.Kind() != f.kind {
			return nil, fmt.Errorf("yaegi's field %s is %v, want a %v", f.name, v, f.kind)
		}
		*f.field = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	}
	return m, nil
}
