// Package script runs Go files in the interpreter: it is what `nbkernel run` does.
//
// A file in the percent format (package percent) is a notebook: its code cells run in order in
// one session, and the value of a last expression is printed.
package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"

	"eigenbook/display"
	"eigenbook/nbkernel/cell"
	"eigenbook/nbkernel/interp"
	"eigenbook/nbkernel/nb"
	"eigenbook/nbkernel/notebook/percent"
)

// Exit codes.
const (
	done        = 0
	failed      = 1
	unreadable  = 2
	interrupted = 130
)

// Options holds the settings of a run. The zero value is usable.
type Options struct {
	Show   string            // folder for figures; empty means display's default
	Params map[string]string // what nb.ParamInt and its like return
}

// RunFile runs the main package in file ("-" means standard input) with os.Args set to file
// and args. It returns the exit code and, unless the script ended by itself, the error to
// print: 1 for a compile error or a panic, 2 for an unreadable file, 130 when ctx was
// cancelled, and otherwise what the script gave os.Exit.
func RunFile(ctx context.Context, file string, args []string, o Options) (int, error) {
	name := filepath.Base(file)
	if file == "-" {
		name = "standard input"
	}
	source, err := read(ctx, file)
	switch {
	case ctx.Err() != nil:
		return interrupted, fmt.Errorf("%s: interrupted", name)
	case err != nil:
		return unreadable, fmt.Errorf("run: %w", err)
	}
	if percent.Is(source) {
		cells, err := percent.Cells(source)
		if err != nil {
			return unreadable, fmt.Errorf("%s: %w", name, err)
		}
		return run(ctx, name, cells, file, args, o, true)
	}
	if err := mainPackage(name, source); err != nil {
		return failed, err
	}
	return run(ctx, name, []percent.Cell{{Line: 1, Text: string(source)}}, file, args, o, false)
}

// maxSource is the size in bytes of the largest script.
const maxSource = 16 << 20

// read returns the source in file. It does not wait for a terminal, or for the writer of a
// pipe, longer than ctx lasts.
func read(ctx context.Context, file string) ([]byte, error) {
	type result struct {
		source []byte
		err    error
	}
	done := make(chan result, 1)
	go func() {
		source, err := readAll(file)
		done <- result{source, err}
	}()
	select {
	case r := <-done:
		return r.source, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func readAll(file string) ([]byte, error) {
	in := os.Stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	source, err := io.ReadAll(io.LimitReader(in, maxSource+1))
	if err == nil && len(source) > maxSource {
		err = fmt.Errorf("%s has more than %d MB, which is no script", file, maxSource>>20)
	}
	return source, err
}

// mainPackage returns an error if source is a Go file that is no program. What does not parse
// is left to the session, whose messages are better.
func mainPackage(name string, source []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	if file.Name.Name != "main" {
		return fmt.Errorf("%s is package %s, want package main", name, file.Name.Name)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "main" {
			return nil
		}
	}
	return fmt.Errorf("%s: function main is undeclared in the main package", name)
}

// RunCode runs code as a cell: statements and declarations in any order, with the imports of
// well-known packages added, and the value of a last expression printed.
func RunCode(ctx context.Context, code string, args []string, o Options) (int, error) {
	return run(ctx, "-e", []percent.Cell{{Line: 1, Text: code}}, os.Args[0], args, o, true)
}

// run runs cells one after the other in one session, up to the first that fails.
func run(ctx context.Context, name string, cells []percent.Cell, program string, args []string, o Options, isCell bool) (int, error) {
	if o.Show != "" {
		if err := os.Setenv(display.FolderVariable, o.Show); err != nil {
			return unreadable, fmt.Errorf("run: %w", err)
		}
	}
	if len(o.Params) > 0 {
		text, err := json.Marshal(o.Params)
		if err != nil {
			return unreadable, fmt.Errorf("run: %w", err)
		}
		if err := os.Setenv(nb.ParamsEnv, string(text)); err != nil {
			return unreadable, fmt.Errorf("run: %w", err)
		}
	}
	if isCell {
		for i, c := range cells {
			parsed := cell.Parse(c.Text)
			if len(parsed.Magics) > 0 {
				m := parsed.Magics[0]
				return failed, fmt.Errorf("%s:%d: %s is for cells of a notebook, not for a script", name, c.Line+m.Line-1, m.Name)
			}
			cells[i].Text = parsed.Go
		}
	}
	os.Args = []string{program}
	session, err := interp.New(interp.Options{Args: args})
	if err != nil {
		return failed, fmt.Errorf("run: %w", err)
	}
	nb.SetContext(ctx)
	for _, c := range cells {
		result, err := session.Run(ctx, c.Placed(), 0)
		if err != nil {
			return explain(name, err)
		}
		if isCell && result.HasValue && !result.Mute {
			b, err := display.Render(result.Shown())
			if err != nil {
				return failed, fmt.Errorf("%s: %w", name, err)
			}
			fmt.Println(b.Plain())
		}
	}
	return done, nil
}

// explain turns the error of a session into an exit code and a message with positions in the
// file.
func explain(name string, err error) (int, error) {
	var e *interp.Error
	if !errors.As(err, &e) {
		return failed, fmt.Errorf("%s: %w", name, err)
	}
	switch e.Kind {
	case interp.Exit:
		return e.ExitCode, nil
	case interp.Interrupted:
		return interrupted, fmt.Errorf("%s: interrupted", name)
	case interp.CompileError:
		lines := strings.Split(e.Message, "\n")
		for i, line := range lines {
			lines[i] = name + ":" + line
		}
		return failed, errors.New(strings.Join(lines, "\n"))
	}
	text := e.Kind + ": " + e.Message
	if e.Line > 0 {
		text = fmt.Sprintf("%s:%d:%d: %s", name, e.Line, e.Column, text)
	}
	for _, frame := range e.Traceback {
		frame = strings.Replace(frame, ", cell 0,", ",", 1)
		text += "\n\t" + strings.Replace(frame, "cell 0,", "main,", 1)
	}
	return failed, errors.New(text)
}
