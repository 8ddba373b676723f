// Package symbols holds what interpreted code may import: for each package a table of its
// exported functions, variables, constants and types as compiled values.
//
// The tables (table_*.go) are written by the program in ./generate, in the form that
// yaegi's extract has, and are never edited. After a change of an exported signature in lib,
// display or nb, or of the list of packages in generate/packages.txt, run
//
//	go generate ./nbkernel/symbols
//
// A test fails while the tables differ from the packages. The same program writes docs.gz, what
// the sources of our library and of gonum say of their names (doc.go), so that it must run after
// a change of a first paragraph or of the name of a parameter too.
//
// Tables are static data, which costs nothing when the program starts. A package's table
// becomes a map of reflect values when it is first imported (Load).
//
// Generic functions and types have no compiled value and are not in the tables. os.Exit,
// log.Fatal and flag.Parse are replaced: to end the program they call the function set by OnExit.
package symbols

//go:generate go run ./generate

import (
	"go/constant"
	"go/token"
	"reflect"
	"sort"
	"strings"
	"sync"
)

// A table describes one package.
type table struct {
	path, name string
	needs      []string  // packages of the list whose types the exported API names
	values     []entry   // functions, typed constants, types as nil pointers, _Interface wrappers as nil pointers
	variables  []entry   // addresses of variables
	untyped    []literal // untyped constants
}

type entry struct {
	name  string
	value any
}

// A literal is an untyped constant: its Go source text and kind.
type literal struct {
	name string
	kind token.Token
	text string
}

var index = sync.OnceValue(func() map[string]*table {
	m := make(map[string]*table, len(tables))
	for _, t := range tables {
		m[t.path] = t
	}
	return m
})

// Name returns the name of the package with this import path; ok is false if there is no
// such package here.
func Name(path string) (name string, ok bool) {
	t, ok := index()[path]
	if !ok {
		return "", false
	}
	return t.name, true
}

// Paths returns the import paths of all packages, sorted.
func Paths() []string {
	paths := make([]string, len(tables))
	for i, t := range tables {
		paths[i] = t.path
	}
	sort.Strings(paths)
	return paths
}

// Load returns the symbols of the package and of the packages whose types its API names, in
// the form that yaegi's Use accepts: "import path/package name" → name → value. Variables are
// addressable values and types nil pointers. The result is nil if there is no such package.
func Load(path string) map[string]map[string]reflect.Value {
	if _, ok := index()[path]; !ok {
		return nil
	}
	exports := map[string]map[string]reflect.Value{}
	load(path, exports)
	return exports
}

func load(path string, exports map[string]map[string]reflect.Value) {
	t := index()[path]
	// yaegi replaces parts of package fmt, and compiles three generic packages, when it sees
	// the key "fmt/fmt"; the same key in another spelling leaves fmt alone.
	key := path + "/./" + t.name
	if _, ok := exports[key]; ok {
		return
	}
	exports[key] = t.symbols()
	for _, p := range t.needs {
		load(p, exports)
	}
}

// symbols turns the static table into reflect values.
func (t *table) symbols() map[string]reflect.Value {
	m := make(map[string]reflect.Value, len(t.values)+len(t.variables)+len(t.untyped))
	for _, e := range t.values {
		m[e.name] = reflect.ValueOf(e.value)
	}
	for _, e := range t.variables {
		m[e.name] = reflect.ValueOf(e.value).Elem()
	}
	for _, l := range t.untyped {
		m[l.name] = reflect.ValueOf(constant.MakeFromLiteral(l.text, l.kind, 0))
	}
	return m
}

// Kind says what a name is.
type Kind string

// Kinds of names.
const (
	Func     Kind = "function"
	Var      Kind = "variable"
	Const    Kind = "constant"
	TypeName Kind = "type"
)

// A Symbol is one exported name of a package.
type Symbol struct {
	Name string
	Kind Kind
	Type reflect.Type // of a function, variable or typed constant; a type itself; nil for an untyped constant
	Text string       // value of an untyped constant
}

// Package returns the exported names of the package, sorted, or nil if there is no such
// package here.
func Package(path string) []Symbol {
	t, ok := index()[path]
	if !ok {
		return nil
	}
	var list []Symbol
	for _, e := range t.values {
		if strings.HasPrefix(e.name, "_") {
			continue
		}
		list = append(list, describe(e))
	}
	for _, e := range t.variables {
		list = append(list, Symbol{Name: e.name, Kind: Var, Type: reflect.TypeOf(e.value).Elem()})
	}
	for _, l := range t.untyped {
		list = append(list, Symbol{Name: l.name, Kind: Const, Text: l.text})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

func describe(e entry) Symbol {
	typ := reflect.TypeOf(e.value)
	switch v := reflect.ValueOf(e.value); {
	case v.Kind() == reflect.Func:
		return Symbol{Name: e.name, Kind: Func, Type: typ}
	case v.Kind() == reflect.Pointer && v.IsNil():
		return Symbol{Name: e.name, Kind: TypeName, Type: typ.Elem()}
	}
	return Symbol{Name: e.name, Kind: Const, Type: typ}
}
