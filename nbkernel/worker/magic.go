package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"eigenbook/display"
)

// A plan is a cell taken apart.
type plan struct {
	magics []magic
	args   []string // of the program, for this cell
	source string   // Go; empty if there is none
	parse  int      // where in source the flags are to be parsed if there are any, -1 if nowhere
	test   bool     // run tests, with args as their flags
}

// A magic is a special line of a cell, or a cell that begins with one.
type magic struct {
	name string // without signs; "!" and "!*" for a shell command, "%%bash" and the like for a whole cell
	text string // what follows the name, of a shell command the command
	body string // the rest of the cell, of a whole cell
	line int
}

// settings are what special lines change for later cells.
type settings struct {
	dir     string
	environ map[string]string
}

// A magicFunc runs a special line.
type magicFunc func(c *child, ctx context.Context, m magic, s *showing) error

// magics are the special lines. Those that mean something in GoNB only are accepted, with a
// note on stderr.
var magics map[string]magicFunc

func init() {
	magics = map[string]magicFunc{
		"!": runShell, "!*": runShell,
		"%%bash": runBody, "%%sh": runBody, "%%script": runBody, "%%writefile": writeFile,
		"env": setEnviron, "cd": changeDir, "args": planned, "exec": planned, "test": planned, "timeit": checkTimeit, "time": measure, "capture": capture,
		"ls": list, "list": list, "who": list, "rm": forget, "remove": forget, "reset": reset,
		"help": help, "version": version, "with_password": askSecret,
	}
	for name := range passedOver {
		magics[name] = nil
	}
}

const nothingBuilt = "packages are compiled in and nothing is built"

// passedOver are the special lines that mean something in GoNB only, with the reason.
var passedOver = map[string]string{
	"autoget": nothingBuilt, "noautoget": nothingBuilt, "goflags": nothingBuilt, "goworkfix": nothingBuilt,
	"track": "there is no language server", "untrack": "there is no language server",
	"wasm":    "cells are interpreted, not compiled for a browser",
	"widgets": "widgets of gonbui do not exist here", "widgets_hb": "widgets of gonbui do not exist here",
	"with_inputs": "a command that reads is asked for its input",
}

// runMagics runs the special lines of a cell in order.
func (c *child) runMagics(ctx context.Context, p plan) (*showing, *Failure) {
	s := &showing{began: time.Now()}
	for _, m := range p.magics {
		run, known := magics[m.name]
		var err error
		switch {
		case !known:
			err = fmt.Errorf("%%%s is unknown; %%help lists what there is", m.name)
		case run == nil:
			fmt.Fprintf(os.Stderr, "%%%s has no meaning here and is passed over: %s\n", m.name, passedOver[m.name])
		default:
			err = run(c, ctx, m, s)
		}
		if err != nil {
			return s, &Failure{Name: "magic", Value: err.Error(), Line: m.line,
				Traceback: []string{fmt.Sprintf("magic: line %d: %v", m.line, err)}}
		}
	}
	return s, nil
}

// A showing is what special lines do at the end of their cell.
type showing struct {
	began   time.Time
	measure bool
	secret  bool // the next command reads a password
	ends    []func()
}

func (s *showing) finish() {
	if s.measure {
		fmt.Fprintf(os.Stdout, "time: %v\n", time.Since(s.began).Round(time.Microsecond))
	}
	for _, end := range s.ends {
		end()
	}
}

// planned does nothing: the plan of the cell has what the line says.
func planned(c *child, ctx context.Context, m magic, s *showing) error { return nil }

func measure(c *child, ctx context.Context, m magic, s *showing) error {
	s.measure = true
	return nil
}

// checkTimeit refuses the line that has nothing to measure. Package cell has made Go of others.
func checkTimeit(c *child, ctx context.Context, m magic, s *showing) error {
	if strings.TrimSpace(m.text) == "" {
		return errors.New("timeit wants a statement or an expression, as in %timeit f(x)")
	}
	return nil
}

func setEnviron(c *child, ctx context.Context, m magic, s *showing) error {
	text := strings.TrimSpace(m.text)
	i := strings.IndexAny(text, "= \t")
	if i <= 0 {
		return fmt.Errorf("env wants NAME=value or NAME value, not %q", text)
	}
	name, value := text[:i], strings.TrimSpace(text[i+1:])
	if n := len(value); n >= 2 && value[0] == '"' && value[n-1] == '"' {
		value = value[1 : n-1]
	}
	if err := os.Setenv(name, value); err != nil {
		return err
	}
	if c.settings.environ == nil {
		c.settings.environ = map[string]string{}
	}
	c.settings.environ[name] = value
	fmt.Printf("%s=%s\n", name, value)
	return nil
}

func changeDir(c *child, ctx context.Context, m magic, s *showing) error {
	if dir := strings.TrimSpace(m.text); dir != "" {
		if err := os.Chdir(expand(dir)); err != nil {
			return err
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if strings.TrimSpace(m.text) != "" {
		c.settings.dir = dir
	}
	fmt.Println(dir)
	return os.Setenv("GONB_DIR", dir)
}

// expand replaces ~ and variables in a path.
func expand(path string) string {
	path = os.ExpandEnv(path)
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	return path
}

func list(c *child, ctx context.Context, m magic, s *showing) error {
	for _, v := range c.session.Variables() {
		fmt.Printf("%s\t%s\n", v.name, v.typ)
	}
	if m.name == "who" {
		return nil
	}
	for _, source := range c.session.Declarations() {
		first, rest, _ := strings.Cut(strings.TrimSpace(source), "\n")
		if rest != "" {
			first += " …"
		}
		fmt.Println(first)
	}
	return nil
}

func forget(c *child, ctx context.Context, m magic, s *showing) error {
	names := strings.Fields(m.text)
	if len(names) == 0 {
		return errors.New("rm wants the names to forget")
	}
	for _, name := range names {
		if !c.session.Forget(name) {
			return fmt.Errorf("rm: nothing is called %s", name)
		}
	}
	return nil
}

func reset(c *child, ctx context.Context, m magic, s *showing) error {
	session, err := c.start()
	if err == nil {
		c.session = session
	}
	return err
}

func version(c *child, ctx context.Context, m magic, s *showing) error {
	fmt.Printf("Eigenbook, %s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// help prints what there is, or shows the description of a name beside the notebook.
func help(c *child, ctx context.Context, m magic, s *showing) error {
	if name := strings.TrimSpace(m.text); name != "" {
		text := c.session.Inspect(name, len(name))
		if text == "" {
			return fmt.Errorf("help: nothing is known of %s", name)
		}
		return c.sendBundle(Page, display.Bundle{Data: map[string]any{display.MIMEPlain: text}}, "")
	}
	_, err := os.Stdout.WriteString(helpText)
	return err
}

const helpText = `A cell holds Go: imports, declarations and statements in any order. The value of a last
expression is shown unless a semicolon follows it. Special lines begin in column 0:

!command               run a command in bash; if it fails, the cell fails
%env NAME=value        set an environment variable
%cd [folder]           change or print the working directory
%args a b              set os.Args[1:] for this cell
%exec F a b            call F with os.Args[1:] set and parsed
%test [flags]          run the tests of the cell, or all if it has none
%time [statement]      print how long the cell took; the statement runs in its place
%timeit statement      run it over and over and print how long it takes
%capture [-a] file     copy what the cell prints and shows as text to a file
%with_password         the next command reads a password
%ls, %who              list what is declared; only the variables
%rm name               forget a declaration
%reset                 forget everything
%version, %help        print the version; print this
%help name             describe a name, as in %help mat.Dense
%% or %main [args]     what follows is the body of main; flags are parsed first

Cells that are not Go begin with:

%%bash, %%sh           a shell script
%%script command       the input of a command
%%writefile [-a] file  the content of a file
`

// completeMagic completes the name of a special line.
func completeMagic(code string, cursor int) (Completion, bool) {
	start := strings.LastIndexByte(code[:cursor], '\n') + 1
	word := code[start:cursor]
	if !strings.HasPrefix(word, "%") || strings.ContainsAny(word, " \t") {
		return Completion{}, false
	}
	found := Completion{Start: start, End: cursor}
	for name := range magics {
		if name[0] == '!' {
			continue
		}
		if name[0] != '%' {
			name = "%" + name
		}
		if strings.HasPrefix(name, word) {
			found.Matches = append(found.Matches, name)
		}
	}
	slices.Sort(found.Matches)
	for range found.Matches {
		found.Types = append(found.Types, "magic")
	}
	return found, true
}
