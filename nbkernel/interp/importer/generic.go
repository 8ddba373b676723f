package importer

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/types"
	"path"
	"strings"
)

// generic has generic packages, and the generic parts of compiled ones, as source in folders
// with their import paths. Each is a package that compiles: a test compares it with the one it
// stands for. What is compiled of a package its generic part imports by the package's path.
//
//go:embed generic
var generic embed.FS

// Generic reports whether a package with this path has a part in source.
func Generic(path string) bool { return len(sources(path)) > 0 }

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
