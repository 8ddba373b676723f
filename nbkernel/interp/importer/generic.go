package importer

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/types"
	"path"
	"strings"
)

// generic has the generic packages as source, in folders with their import paths.
//
//go:embed generic
var generic embed.FS

// Generic reports whether the package with this path is source, and no compiled package.
func Generic(path string) bool { return len(sources(path)) > 0 }

// sources returns the files of a generic package, none if there is no such package.
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

// check parses and checks a generic package and keeps its functions.
func (im *Importer) check(path string, names []string) (*types.Package, error) {
	var files []*ast.File
	for _, name := range names {
		source, err := generic.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(im.fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	info := NewInfo()
	conf := types.Config{Importer: locked{im}}
	pkg, err := conf.Check(path, im.fset, files, info)
	if err != nil {
		return nil, err
	}
	im.packages[path], im.complete[path] = pkg, true
	for _, file := range files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				im.functions[info.Defs[d.Name].(*types.Func)] = Function{d, info}
			}
		}
	}
	return pkg, nil
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
