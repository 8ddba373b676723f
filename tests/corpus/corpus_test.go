// Package corpus holds small programs that must do the same compiled and interpreted.
//
// The archives in testdata are the language's specification as this project understands it:
// each program is compiled with the Go tool chain, run as a script, run as two cells
// (declarations, then the body of main) and run with every statement of main in a cell of its
// own, and what it writes, how it ends and what it panics with are compared byte for byte.
// A program is written without its imports, which are added, and may begin with lines
//
//	//differs MODE: REASON     the named mode (script, cells or steps) differs, and why
//	//refused: TEXT            interpreted, it is refused with a message that contains TEXT
//	//alone                    it writes while it is initialised, so it is compiled by itself
//
// A program listed as differing must differ, so that the list stays true.
package corpus

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"eigenbook/nbkernel/interp"
)

// A program is one entry of an archive.
type program struct {
	name    string            // topic/name
	decls   string            // everything but the body of main, with package clause and imports
	body    string            // of main, without its braces
	steps   []string          // the statements of body; nil if they cannot stand alone
	source  string            // the whole file
	differs map[string]string // mode → reason
	refused string
	alone   bool
}

// runVariable holds the cells, as JSON, that a process of the test binary runs.
const runVariable = "EIGENBOOK_CORPUS_CELLS"

func TestMain(m *testing.M) {
	if cells, ok := os.LookupEnv(runVariable); ok {
		os.Exit(runCells(cells))
	}
	os.Exit(m.Run())
}

// runCells runs cells in one session and writes how they ended in the words of a compiled
// program. The exit code is that of os.Exit, 2 after a panic and 3 if a cell was refused.
func runCells(encoded string) int {
	var cells []string
	if err := json.Unmarshal([]byte(encoded), &cells); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 4
	}
	s, err := interp.New(interp.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 4
	}
	for i, source := range cells {
		_, err := s.Run(context.Background(), source, i+1)
		var e *interp.Error
		switch {
		case err == nil:
			continue
		case !errors.As(err, &e):
			fmt.Fprintln(os.Stderr, err)
			return 4
		case e.Kind == interp.Exit:
			return e.ExitCode
		case e.Kind == interp.CompileError:
			fmt.Fprintln(os.Stderr, "refused:", e.Message)
			return 3
		}
		fmt.Fprintln(os.Stderr, "panic: "+e.Message)
		return 2
	}
	return 0
}

// An outcome is what a run left behind.
type outcome struct {
	stdout string
	panic  string // the first line of the message
	code   int
}

func (o outcome) String() string {
	return fmt.Sprintf("exit code %d, panic %q, output:\n%s", o.code, o.panic, o.stdout)
}

func execute(cmd *exec.Cmd) (outcome, string, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return outcome{}, "", err
	}
	o := outcome{stdout: stdout.String(), code: cmd.ProcessState.ExitCode()}
	for line := range strings.Lines(stderr.String()) {
		if text, ok := strings.CutPrefix(line, "panic: "); ok {
			o.panic = withoutNumbers(strings.TrimSpace(text))
			break
		}
	}
	return o, stderr.String(), nil
}

// withoutNumbers shortens the messages of index and slice expressions: the interpreter knows
// the kind of the error, but not the numbers.
func withoutNumbers(text string) string {
	for _, kind := range []string{"index out of range", "slice bounds out of range"} {
		if head, _, ok := strings.Cut(text, kind); ok {
			return head + kind
		}
	}
	return text
}

func interpreted(cells []string) (outcome, string, error) {
	encoded, err := json.Marshal(cells)
	if err != nil {
		return outcome{}, "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), runVariable+"="+string(encoded))
	return execute(cmd)
}

// TestCorpus runs every program in every way.
func TestCorpus(t *testing.T) {
	programs := readPrograms(t)
	reference := compile(t, programs)
	var mu sync.Mutex
	same := map[string]int{}
	t.Run("programs", func(t *testing.T) {
		for _, p := range programs {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				want := reference(t, p)
				modes := map[string][]string{"script": {p.source}, "cells": {p.decls, p.body}, "steps": append([]string{p.decls}, p.steps...)}
				if p.steps == nil {
					delete(modes, "steps")
				}
				for _, mode := range []string{"script", "cells", "steps"} {
					cells, ok := modes[mode]
					if !ok {
						continue
					}
					got, stderr, err := interpreted(cells)
					if err != nil {
						t.Fatal(err)
					}
					if p.refused != "" {
						if got.code != 3 || !strings.Contains(stderr, p.refused) {
							t.Errorf("as %s it is not refused with %q:\n%v\n%s", mode, p.refused, got, stderr)
						}
						continue
					}
					reason, differs := p.differs[mode]
					switch {
					case got != want && !differs:
						t.Errorf("as %s:\n%v\n%s\ncompiled:\n%v", mode, got, stderr, want)
						return // the other modes would mostly repeat it
					case got == want && differs:
						t.Errorf("as %s it does what the compiled program does, yet it is listed as different (%s)", mode, reason)
					case got == want:
						mu.Lock()
						same[mode]++
						mu.Unlock()
					}
				}
			})
		}
	})
	t.Logf("%d programs: the same as a script %d, as cells %d, statement by statement %d", len(programs), same["script"], same["cells"], same["steps"])
}

// compile builds the programs and returns a function that runs one of them. They are packages
// with an exported Main in one binary, which takes a tenth of the time of linking each, but for
// those that stand alone.
func compile(t *testing.T, programs []*program) func(*testing.T, *program) outcome {
	t.Helper()
	var together []*program
	binaries := map[*program]string{}
	for _, p := range programs {
		if p.alone {
			binaries[p] = build(t, []*program{p})
		} else {
			together = append(together, p)
		}
	}
	binary := build(t, together)
	return func(t *testing.T, p *program) outcome {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		o, _, err := execute(exec.CommandContext(ctx, cmp.Or(binaries[p], binary), p.id()))
		if err != nil {
			t.Fatal(err)
		}
		o.stdout = strings.ReplaceAll(o.stdout, p.id()+".", "main.")
		o.panic = strings.ReplaceAll(o.panic, p.id()+".", "main.")
		return o
	}
}

// build returns the path of a binary that runs the program whose id is its first argument. The
// sources live outside the tree; an overlay puts them into this module for the imports' sake.
func build(t *testing.T, programs []*program) string {
	t.Helper()
	dir, err := filepath.Abs("compiled")
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	add := func(name, text string) {
		file := filepath.Join(temp, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(dir, name)] = file
	}
	var imports, cases strings.Builder
	for _, p := range programs {
		id := p.id()
		source := strings.Replace(p.source, "package main\n", "package "+id+"\n", 1)
		source = strings.Replace(source, "\nfunc main()", "\nfunc Main()", 1)
		add(id+"/program.go", source)
		fmt.Fprintf(&imports, "\t%q\n", "eigenbook/tests/corpus/compiled/"+id)
		fmt.Fprintf(&cases, "\tcase %q:\n\t\t%s.Main()\n", id, id)
	}
	add("main.go", "package main\n\nimport (\n\t\"os\"\n\n"+imports.String()+")\n\nfunc main() {\n\tname := os.Args[1]\n\tos.Args = os.Args[:1]\n\tswitch name {\n"+cases.String()+"\t}\n}\n")
	encoded, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(temp, "overlay.json")
	if err := os.WriteFile(file, encoded, 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(temp, "compiled.exe")
	cmd := exec.Command("go", "build", "-gcflags=-e", "-overlay", file, "-o", binary, "./compiled")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the programs do not compile: %v\n%s", err, out)
	}
	return binary
}

// id is the name of the program's package in the compiled binary: one that no program prints.
func (p *program) id() string {
	return "corpus_" + strings.NewReplacer("/", "_", "-", "_").Replace(p.name)
}

func readPrograms(t *testing.T) []*program {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var programs []*program
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		topic := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, f := range archive.Files {
			p, err := newProgram(topic+"/"+f.Name, string(f.Data))
			if err != nil {
				t.Fatalf("%s, %s: %v", file, f.Name, err)
			}
			if slices.ContainsFunc(programs, func(q *program) bool { return q.id() == p.id() }) {
				t.Fatalf("%s: two programs are named %s", file, f.Name)
			}
			programs = append(programs, p)
		}
	}
	if len(programs) == 0 {
		t.Fatal("testdata has no programs")
	}
	return programs
}

func newProgram(name, text string) (*program, error) {
	p := &program{name: name, differs: map[string]string{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "//differs "); ok {
			modes, reason, ok := strings.Cut(rest, ": ")
			if !ok {
				return nil, fmt.Errorf("%q gives no reason", line)
			}
			for _, mode := range strings.Fields(modes) {
				p.differs[mode] = reason
			}
		}
		p.alone = p.alone || line == "//alone"
		if rest, ok := strings.CutPrefix(line, "//refused: "); ok {
			p.refused = rest
		}
	}
	text = "package main\n\n" + text
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, 0)
	if err != nil {
		return nil, err
	}
	var imports strings.Builder
	for _, id := range file.Unresolved {
		path, ok := packages[id.Name]
		if line := fmt.Sprintf("import %q\n", path); ok && !strings.Contains(imports.String(), line) {
			imports.WriteString(line)
		}
	}
	offset := func(pos token.Pos) int { return set.Position(pos).Offset }
	var main *ast.FuncDecl
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "main" {
			main = f
		}
	}
	if main == nil {
		return nil, errors.New("there is no func main")
	}
	head := len("package main\n\n")
	p.source = text[:head] + imports.String() + text[head:]
	p.decls = imports.String() + text[head:offset(main.Pos())] + text[offset(main.End()):]
	p.body = text[offset(main.Body.Lbrace)+1 : offset(main.Body.Rbrace)]
	alone := true
	ast.Inspect(main.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt, *ast.ReturnStmt, *ast.LabeledStmt:
			alone = false
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "recover" {
				alone = false
			}
		}
		return true
	})
	if alone {
		for _, s := range main.Body.List {
			p.steps = append(p.steps, text[offset(s.Pos()):offset(s.End())])
		}
	}
	return p, nil
}
