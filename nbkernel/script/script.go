// Package script runs Go files in the interpreter: it is what `nbkernel run` does.
package script

import (
	"context"
	"errors"
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
	return 1, errors.New("script: not available")
}

// RunCode runs code as a cell: statements and declarations in any order, with the imports of
// well-known packages added, and the value of a last expression printed.
func RunCode(ctx context.Context, code string, args []string, o Options) (int, error) {
	return 1, errors.New("script: not available")
}
