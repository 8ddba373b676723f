// Package importer tells go/types what compiled packages declare, from their symbols alone:
// there is no source and no Go tool chain where a notebook runs.
//
// An Importer turns reflected types into types of go/types, on demand: a package costs
// nothing before a cell imports it. What reflection does not say is filled in:
//
//   - untyped rune constants come as integers and are known by name;
//   - unexported methods of interfaces are visible but those of concrete types are not, so a
//     concrete type gets the unexported methods of the interfaces of its package that it
//     implements;
//   - generic functions and types have no compiled value: they are source, of which the caller
//     lowers a copy for each set of type arguments. The packages cmp, iter, maps and slices are
//     nothing else; sync, for one, is compiled but for sync.OnceValue and its like;
//   - iter.Seq[string] in a compiled signature is a type of its own for package reflect and
//     becomes the instance of the generic type again.
//
// Parameter names stay unknown.
//
// The other way, an Importer knows which types reflection can tell (Compiled, Tainted): a
// value of any other type needs a description beside it when it goes into an interface.
package importer

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"sync"
)

// Symbols are the symbols of packages, in the form that package symbols has them:
// "import path/package name" → name → value.
type Symbols = map[string]map[string]reflect.Value

// An Importer describes compiled packages to the checker. It is safe for concurrent use.
type Importer struct {
	fset    *token.FileSet
	symbols map[string]map[string]reflect.Value // import path → name → value
	names   map[string]string                   // import path → package name

	mu        sync.Mutex // running cells ask for types while the next cell is checked
	packages  map[string]*types.Package
	complete  map[string]bool // packages whose scope is filled
	types     map[reflect.Type]types.Type
	reflected map[types.Type]reflect.Type   // of the named types
	wrappers  map[reflect.Type]reflect.Type // interface type → struct type that implements it by its fields
	isWrapper map[reflect.Type]bool
	tainted   map[types.Type]bool
	functions map[*types.Func]Function // of the packages in source
}

// A Function is a function or method in source.
type Function struct {
	Decl *ast.FuncDecl
	Info *types.Info // of the file it stands in
}

// New returns an importer of the packages with these symbols and of the generic ones. The
// positions of the latter are in fset. symbols is retained and not modified.
func New(fset *token.FileSet, symbols Symbols) *Importer {
	im := &Importer{
		fset:      fset,
		symbols:   map[string]map[string]reflect.Value{},
		names:     map[string]string{},
		packages:  map[string]*types.Package{},
		complete:  map[string]bool{},
		types:     map[reflect.Type]types.Type{errorType: types.Universe.Lookup("error").Type()},
		reflected: map[types.Type]reflect.Type{},
		wrappers:  map[reflect.Type]reflect.Type{},
		isWrapper: map[reflect.Type]bool{},
		tainted:   map[types.Type]bool{},
		functions: map[*types.Func]Function{},
	}
	for key, table := range symbols {
		p := path.Dir(key)
		im.names[p], im.symbols[p] = path.Base(key), table
	}
	return im
}

var errorType = reflect.TypeFor[error]()

// Name returns the name of the package with this import path, or "" if there is none.
func (im *Importer) Name(path string) string { return im.names[path] }

// Function returns the source of a function of a package that is source.
func (im *Importer) Function(f *types.Func) (Function, bool) {
	im.mu.Lock()
	defer im.mu.Unlock()
	function, ok := im.functions[f]
	return function, ok
}

// Import returns the package with this path. It implements types.Importer.
func (im *Importer) Import(path string) (*types.Package, error) {
	im.mu.Lock()
	defer im.mu.Unlock()
	return im.load(path)
}

// locked is an Importer whose lock is held.
type locked struct{ *Importer }

func (im locked) Import(path string) (*types.Package, error) { return im.load(path) }

// load fills the scope of a package when it is first imported. Like all unexported methods it
// is called with the lock held.
func (im *Importer) load(path string) (*types.Package, error) {
	if path == "unsafe" {
		return nil, errors.New("package unsafe is not supported: an interpreted value does not lie in memory as Go lays it out")
	}
	if im.complete[path] {
		return im.packages[path], nil
	}
	symbols, compiled := im.symbols[path]
	files := sources(path)
	if !compiled && files == nil {
		return nil, fmt.Errorf("package %q is not compiled into this kernel", path)
	}
	pkg := im.declare(path, symbols)
	if err := im.check(pkg, files); err != nil {
		return nil, err
	}
	return pkg, nil
}

// pkg returns the package with this path, perhaps one whose scope is not filled yet: a type
// may come from a package that nobody has imported.
func (im *Importer) pkg(p string) *types.Package {
	if pkg := im.packages[p]; pkg != nil {
		return pkg
	}
	name := im.names[p]
	if name == "" {
		name = baseName(p)
	}
	pkg := types.NewPackage(p, name)
	im.packages[p] = pkg
	return pkg
}
