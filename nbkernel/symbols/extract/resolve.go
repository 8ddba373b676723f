// Package extract writes symbol tables as package symbols holds them: Go files that list what
// a package exports, with values.
//
// The packages must compile: types come from the compiler's export data, so what is written is
// what is built. It needs the Go tool chain.
package extract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"sort"
	"strings"
)

// A Request is a package or pattern, and the import path under which interpreted code sees it.
type Request struct {
	Pattern string
	As      string // "" is the path it has
}

// ReadList reads requests from a file: one a line, "PATTERN" or "PACKAGE as PATH", with
// comments behind #.
func ReadList(name string) ([]Request, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []Request
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		switch f := strings.Fields(line); {
		case len(f) == 0:
		case len(f) == 1:
			list = append(list, Request{Pattern: f[0]})
		case len(f) == 3 && f[1] == "as":
			list = append(list, Request{Pattern: f[0], As: f[2]})
		default:
			return nil, fmt.Errorf("%s:%d: %q, want PACKAGE or PACKAGE as PATH", name, i+1, line)
		}
	}
	return list, nil
}

// A Package is one to write a table for.
type Package struct {
	as  string // import path for interpreted code
	pkg *types.Package
}

// Path returns the import path for interpreted code.
func (p Package) Path() string { return p.as }

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath, Name, Export string
	DepOnly                  bool
	Error                    *struct{ Err string }
}

// Resolve finds the packages, as the module in dir sees them, and reads their export data. The
// go command gets env, of os.Environ's kind, without cgo. The result is sorted by path.
func Resolve(ctx context.Context, dir string, env []string, list []Request) ([]Package, error) {
	as := map[string]string{}
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Name,Export,DepOnly,Error"}
	for _, r := range list {
		args = append(args, r.Pattern)
		as[r.Pattern] = r.As
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(slices.Clone(env), "CGO_ENABLED=0")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	exports := map[string]string{}
	var paths []string
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Error != nil {
			return nil, fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err)
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly && wantTable(p) {
			paths = append(paths, p.ImportPath)
		}
	}
	open := func(path string) (io.ReadCloser, error) {
		file, ok := exports[path]
		if !ok || file == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(file)
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", open)
	var packages []Package
	for _, path := range paths {
		pkg, err := imp.Import(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		src := Package{as: path, pkg: pkg}
		if as[path] != "" {
			src.as = as[path]
		}
		packages = append(packages, src)
	}
	sort.Slice(packages, func(i, j int) bool { return packages[i].as < packages[j].as })
	return packages, nil
}

// wantTable reports whether a package that a pattern matched is for users: not a command, not
// internal, and not a helper of tests such as kerneltest.
func wantTable(p listed) bool {
	return Importable(p.ImportPath, p.Name) && (!strings.HasPrefix(p.ImportPath, "eigenbook/") || !strings.HasSuffix(p.Name, "test"))
}

// Importable reports whether a package with this path and name can be imported from another
// module and is meant to be.
func Importable(path, name string) bool {
	return name != "main" && !isInternal(path) && !strings.Contains("/"+path+"/", "/testdata/")
}

// isInternal reports whether the package is for its module only.
func isInternal(path string) bool { return strings.Contains("/"+path+"/", "/internal/") }
