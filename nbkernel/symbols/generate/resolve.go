package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"sort"
	"strings"
)

// A request is a line of the list: a package or pattern, and the import path under which
// interpreted code sees it.
type request struct {
	pattern, as string
}

func readList(name string) ([]request, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list []request
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "#")
		switch f := strings.Fields(line); {
		case len(f) == 0:
		case len(f) == 1:
			list = append(list, request{pattern: f[0]})
		case len(f) == 3 && f[1] == "as":
			list = append(list, request{pattern: f[0], as: f[2]})
		default:
			return nil, fmt.Errorf("%s:%d: %q, want PACKAGE or PACKAGE as PATH", name, i+1, line)
		}
	}
	return list, nil
}

// A source is a package to write a table for.
type source struct {
	as  string // import path for interpreted code
	pkg *types.Package
}

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath, Name, Export string
	DepOnly                  bool
	Error                    *struct{ Err string }
}

// resolve finds the packages and reads their export data. The result is sorted by path.
func resolve(list []request) ([]source, error) {
	as := map[string]string{}
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Name,Export,DepOnly,Error"}
	for _, r := range list {
		args = append(args, r.pattern)
		as[r.pattern] = r.as
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
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
	var packages []source
	for _, path := range paths {
		pkg, err := imp.Import(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		src := source{as: path, pkg: pkg}
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
	for _, elem := range strings.Split(p.ImportPath, "/") {
		if elem == "internal" || elem == "testdata" {
			return false
		}
	}
	return p.Name != "main" && (!strings.HasPrefix(p.ImportPath, "eigenbook/") || !strings.HasSuffix(p.Name, "test"))
}
