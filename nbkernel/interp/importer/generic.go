package importer

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/types"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// generic has generic packages, and the generic parts of compiled ones, as source in folders
// with their import paths. Each is a package that compiles: a test compares it with the one it
// stands for. What is compiled of a package its generic part imports by the package's path.
//
//go:embed generic
var generic embed.FS

// GenericPath returns the path of the package with this name that has a part in source: of several
// the standard one, which has the shortest path. It is "" if there is none.
func GenericPath(name string) string { return genericPaths()[name] }

var genericPaths = sync.OnceValue(func() map[string]string {
	paths := map[string]string{}
	err := fs.WalkDir(generic, "generic", func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") {
			return err
		}
		p := strings.TrimPrefix(path.Dir(file), "generic/")
		if name := baseName(p); paths[name] == "" || len(p) < len(paths[name]) {
			paths[name] = p
		}
		return nil
	})
	if err != nil {
		panic(err) // the files are in the program
	}
	return paths
})

// sources returns the files of the generic part of a package, none if there is no such part.
func sources(importPath string) []string {
	entries, err := generic.ReadDir(path.Join("generic", importPath))
	if err != nil {
		return nil
	}
	var files []string
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			files = append(files, path.Join("generic", importPath, name))
		}
	}
	return files
}

// check parses the generic part of a package, checks it into the package and keeps its
// functions.
func (im *Importer) check(pkg *types.Package, names []string) error {
	var files []*ast.File
	for _, name := range names {
		source, err := generic.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(im.fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	info := NewInfo()
	conf := &types.Config{Importer: locked{im}}
	if err := types.NewChecker(conf, im.fset, pkg, info).Files(files); err != nil {
		return err
	}
	for _, file := range files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				im.functions[info.Defs[d.Name].(*types.Func)] = Function{d, info}
			}
		}
	}
	return nil
}

// NewInfo returns an Info in which the checker records all that lowering asks for.
func NewInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{},
		Instances:  map[*ast.Ident]types.Instance{},
	}
}

// baseName returns the name that a package most likely has, by its path.
func baseName(p string) string {
	name := path.Base(p)
	if len(name) > 1 && name[0] == 'v' && name[1] >= '2' && name[1] <= '9' {
		name = path.Base(path.Dir(p))
	}
	return name
}
