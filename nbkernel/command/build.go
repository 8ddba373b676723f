package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"eigenbook/nbkernel/symbols/extract"
)

var buildCommand = &command{
	name:  "build",
	args:  "-with MODULE[@VERSION] [-with …] -o FILE",
	short: "build this program with more packages that cells can import",
	long: `
All packages of the modules that can be imported become packages for cells, in the versions
that the modules agree on. MODULE is fetched as "go get" does; ./DIR and /DIR are modules in a
folder, which is not needed any more when FILE is built. It needs the Go tool chain and is run
in a clone of Eigenbook. Generic functions and types of the modules are left out, and so are
packages that need cgo. "FILE install" makes the new kernel Jupyter's kernel eigenbook.`,
	flags: func(fs *flag.FlagSet) func(Streams, []string) int {
		b := &builder{}
		fs.Var(&b.with, "with", "add the packages of `MODULE[@VERSION]`; may be repeated")
		fs.StringVar(&b.out, "o", "", "write the program to `FILE`")
		return func(s Streams, args []string) int {
			if err := b.check(args); err != nil {
				s.errorf("build: %v", err)
				return ExitUsage
			}
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			b.ctx, b.log = ctx, s.Err
			packages, err := b.build()
			switch {
			case ctx.Err() != nil:
				return ExitInterrupted
			case err != nil:
				s.errorf("build: %v", err)
				return ExitFailed
			}
			fmt.Fprintf(s.Out, "%s runs cells that import %s\n", b.out, strings.Join(packages, ", "))
			fmt.Fprintf(s.Out, "\"%s install\" makes it Jupyter's kernel %s\n", b.out, defaultKernel)
			return ExitDone
		}
	},
}

// modules are the values of -with.
type modules []string

func (m *modules) String() string { return strings.Join(*m, " ") }

func (m *modules) Set(text string) error {
	path, _, _ := strings.Cut(text, "@")
	switch {
	case path == "" || strings.ContainsAny(text, " \t\n") || strings.HasPrefix(text, "-"):
		return errors.New("want MODULE, MODULE@VERSION or ./DIR")
	case slices.Contains(*m, text):
		return errors.New("given twice")
	}
	*m = append(*m, text)
	return nil
}

// isFolder reports whether a value of -with names a folder, by the rule of the go command.
func isFolder(with string) bool {
	return with == "." || with == ".." || strings.HasPrefix(with, "./") || strings.HasPrefix(with, "../") || filepath.IsAbs(with)
}

// A builder builds a program in a module of its own.
type builder struct {
	with modules
	out  string

	ctx  context.Context
	log  io.Writer
	root string // Eigenbook's source
	work string // the module in which it is built
}

// check looks at the flags and finds what is needed.
func (b *builder) check(args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("there are flags but no arguments, not %q", args[0])
	case len(b.with) == 0:
		return errors.New("which module? give -with MODULE[@VERSION]")
	case b.out == "":
		return errors.New("where to? give -o FILE")
	}
	var err error
	if b.out, err = filepath.Abs(b.out); err != nil {
		return err
	}
	if info, err := os.Stat(b.out); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("-o %s: there is something that is no file", b.out)
	}
	if info, err := os.Stat(filepath.Dir(b.out)); err != nil || !info.IsDir() {
		return fmt.Errorf("-o %s: there is no folder %s", b.out, filepath.Dir(b.out))
	}
	if _, err := exec.LookPath("go"); err != nil {
		return errors.New("a program is compiled by the Go tool chain, and there is no go on PATH")
	}
	b.root, err = moduleRoot(".")
	if err != nil {
		return errors.New("the program is built from Eigenbook's source, and the working folder is not inside a clone of it")
	}
	return nil
}

// build returns the import paths of the packages that were added.
func (b *builder) build() ([]string, error) {
	var err error
	if b.work, err = os.MkdirTemp("", "eigenbook-build-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(b.work)
	paths, err := b.module()
	if err != nil {
		return nil, err
	}
	list, err := extract.ReadList(filepath.Join(b.root, "nbkernel", "symbols", "generate", "packages.txt"))
	if err != nil {
		return nil, err
	}
	added, err := b.packages(paths)
	if err != nil {
		return nil, err
	}
	for _, path := range added {
		list = append(list, extract.Request{Pattern: path})
	}
	fmt.Fprintf(b.log, "reading what %d packages export …\n", len(added))
	packages, err := extract.Resolve(b.ctx, b.work, b.environ(), list)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		if names := p.Generic(); len(names) > 0 && slices.Contains(added, p.Path()) {
			fmt.Fprintf(b.log, "%s: cells cannot use what is generic: %s\n", p.Path(), strings.Join(names, ", "))
		}
	}
	files, err := extract.Tables(packages)
	if err != nil {
		return nil, err
	}
	overlay, err := b.overlay(files)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(b.log, "compiling …")
	_, err = b.run("build", "-overlay", overlay, "-buildvcs=false", "-o", b.out, moduleName+"/nbkernel")
	return added, err
}

// run runs the go command in the module.
func (b *builder) run(args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(b.ctx, "go", args...)
	cmd.Dir = b.work
	cmd.Env = b.environ()
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

func (b *builder) environ() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "CGO_ENABLED=0")
}

// module writes a module that requires Eigenbook and the modules given, and returns their
// paths.
func (b *builder) module() ([]string, error) {
	edits := []string{"mod", "edit", "-require=" + moduleName + "@v0.0.0", "-replace=" + moduleName + "=" + b.root}
	var paths, fetched []string
	for _, with := range b.with {
		if !isFolder(with) {
			path, version, given := strings.Cut(with, "@")
			if !given {
				version = "latest"
			}
			paths, fetched = append(paths, path), append(fetched, path+"@"+version)
			continue
		}
		dir, err := filepath.Abs(with)
		if err != nil {
			return nil, err
		}
		path, err := b.modulePath(dir)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
		edits = append(edits, "-require="+path+"@v0.0.0", "-replace="+path+"="+dir)
	}
	for i, path := range paths {
		if path == moduleName || slices.Contains(paths[:i], path) {
			return nil, fmt.Errorf("-with %s: %s is there already", b.with[i], path)
		}
	}
	sums, err := os.ReadFile(filepath.Join(b.root, "go.sum"))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(b.work, "go.sum"), sums, 0o644); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(b.work, "go.mod"), []byte("module build\n"), 0o644); err != nil {
		return nil, err
	}
	if _, err := b.run(edits...); err != nil {
		return nil, err
	}
	if len(fetched) > 0 {
		fmt.Fprintf(b.log, "fetching %s …\n", strings.Join(fetched, ", "))
		if _, err := b.run(append([]string{"get"}, fetched...)...); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// modulePath returns the path of the module in a folder.
func (b *builder) modulePath(dir string) (string, error) {
	cmd := exec.CommandContext(b.ctx, "go", "mod", "edit", "-json", filepath.Join(dir, "go.mod"))
	out, err := cmd.Output()
	var mod struct{ Module struct{ Path string } }
	if err == nil {
		err = json.Unmarshal(out, &mod)
	}
	if err != nil || mod.Module.Path == "" {
		return "", fmt.Errorf("%s is no Go module: it has no go.mod that can be read", dir)
	}
	return mod.Module.Path, nil
}

// packages returns the packages of the modules that cells can import.
func (b *builder) packages(modules []string) ([]string, error) {
	var list []string
	for _, module := range modules {
		out, err := b.run("list", "-e", "-json=ImportPath,Name,Incomplete,Error,DepsErrors", module+"/...")
		if err != nil {
			return nil, err
		}
		found := false
		for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
			var p struct {
				ImportPath, Name string
				Incomplete       bool
				Error            *struct{ Err string }
				DepsErrors       []struct{ Err string }
			}
			if err := d.Decode(&p); err != nil {
				return nil, fmt.Errorf("go list: %w", err)
			}
			switch {
			case !extract.Importable(p.ImportPath, p.Name):
			case p.Incomplete:
				why := "it cannot be built here"
				if p.Error != nil {
					why = p.Error.Err
				} else if len(p.DepsErrors) > 0 {
					why = p.DepsErrors[0].Err
				}
				why, _, _ = strings.Cut(why, "\n")
				fmt.Fprintf(b.log, "%s is left out: %s\n", p.ImportPath, why)
			default:
				found = true
				if !slices.Contains(list, p.ImportPath) {
					list = append(list, p.ImportPath)
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("%s has no package that can be imported", module)
		}
	}
	slices.Sort(list)
	return list, nil
}

// overlay lays the tables over those in Eigenbook's source, for the build only, and returns
// the name of the file that says so.
func (b *builder) overlay(files map[string][]byte) (string, error) {
	replace := map[string]string{}
	dir := filepath.Join(b.root, "nbkernel", "symbols")
	for name, text := range files {
		if have, err := os.ReadFile(filepath.Join(dir, name)); err == nil && bytes.Equal(have, text) {
			continue
		}
		file := filepath.Join(b.work, name)
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(dir, name)] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(b.work, "overlay.json")
	return file, os.WriteFile(file, text, 0o644)
}
