// Package interp is a session of Go cells in memory.
//
// A cell is Go, declarations and statements mixed. Before it runs it is compiled in passes, of
// which none changes the session until the last one has succeeded (compile.go):
//
//  1. split: the source is cut at its top level in declarations and statements, and both are
//     parsed with the positions of the cell (split.go);
//  2. complete: packages that nobody imported are found by their names (known.go);
//  3. hoist: a variable that a function of the same cell names becomes a package-level one for
//     the checker; all others stay in the cell's function, so that x := x + 1 and shadowing
//     mean what they say (hoist.go);
//  4. scope: one types.Package serves all cells. Its scope is emptied and filled with what this
//     cell names and does not declare (scope.go);
//  5. late methods: a method of an earlier cell's type is checked as a function with the
//     receiver first, and the type gains it (late.go);
//  6. check: go/types checks the cell against packages that package importer describes
//     (check.go);
//  7. follow: functions of earlier cells that name what this cell declares anew get the new
//     meaning (follow.go);
//  8. lower: package lower writes it in the part of Go that yaegi gets right.
//
// Then yaegi compiles the declarations and, as the function cell_N, the statements, and runs
// them (run.go, call.go, machine.go). Lowered code calls packages rt, the run-time library, and
// cell, which is the session itself.
//
// From yaegi the session relies on this: loops, arithmetic, slices, maps, structs, closures and
// channels are right inside functions over package-level variables; an evaluation of
// declarations takes about 0.1 ms however many came before; a cancelled evaluation stops at its
// next step, also its goroutines, though without a signal; a panic comes back as interp.Panic,
// and a trace of the functions that it leaves goes to Options.Stderr (trace.go), of which each
// has kept its position in a variable (lower/position.go). A recursion without end is stopped
// before Go ends the process (overflow.go). yaegi panics inside its own compiler, so Run
// recovers.
//
// Completion and inspection check what is written so far as a cell, of which nothing stays
// (look.go), and take names of parameters and documentation from a generated table (describe.go).
//
// Sessions share nothing but what a process has one of: its streams, its arguments and flags
// (SetArgs) and what os.Exit calls.
package interp

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"strings"
	"sync"

	"github.com/traefik/yaegi/interp"

	"eigenbook/nbkernel/interp/importer"
	"eigenbook/nbkernel/interp/lower"
	"eigenbook/nbkernel/interp/rt"
	"eigenbook/nbkernel/symbols"
	"eigenbook/nbkernel/symbols/testing"
)

// A Session is a sequence of cells and what they have declared. It runs one cell at a time.
type Session struct {
	files    *token.FileSet
	importer *importer.Importer
	table    *rt.Table
	program  *lower.Program
	yaegi    *machine

	pkg     *types.Package          // of all cells
	objects map[string]types.Object // what a cell may name
	types   []*types.TypeName       // of all cells; the same name may be there again
	imports map[string]string       // name → path
	sources map[string]*declaration // what a new session can replay
	kept    int                     // declarations in sources so far
	ghosts  map[*types.Func]bool    // methods whose cell failed; a type cannot lose them

	cells   int               // so far, for the names of their functions
	values  []any             // of the cell's last expression
	ended   chan struct{}     // closed when the function of the cell has returned
	present context.Context   // of the cell that runs
	cell    string            // lowered function of the cell
	text    string            // lowered text of the cell
	trace   traceBuffer       // yaegi's traces of panics
	left    []string          // lowered functions that the cell's panic has left
	origin  map[string]origin // by lowered function
	shown   map[string]string // source of each cell
	note    func(text string) // tells the user what is no error
	flags   symbols.Flags     // of all cells
}

// Options holds the settings of a Session. The zero value is usable.
type Options struct {
	Args []string // os.Args[1:] of the session
}

// exports has the symbols of all packages, made once and never changed.
var exports = sync.OnceValue(func() importer.Symbols {
	all := importer.Symbols{}
	for _, path := range symbols.Paths() {
		for key, table := range symbols.Load(path) {
			all[key] = table
		}
	}
	return all
})

// New returns a session in which nothing is declared.
func New(o Options) (*Session, error) {
	s := &Session{
		files:   token.NewFileSet(),
		pkg:     types.NewPackage("main", "main"),
		objects: map[string]types.Object{},
		imports: map[string]string{},
		sources: map[string]*declaration{},
		ghosts:  map[*types.Func]bool{},
		origin:  map[string]origin{},
		shown:   map[string]string{},
		note:    func(text string) { fmt.Fprintln(os.Stderr, "note:", text) },
	}
	s.importer = importer.New(s.files, exports())
	s.table = rt.NewTable(s.importer)
	s.program = lower.NewProgram(s.importer, s.table, func(pos token.Pos) (line, column int) {
		at := s.position(pos)
		return at.line, at.column
	})
	s.program.Instead = map[string]string{}
	for method := range symbols.Ending() {
		s.program.Instead[method] = "cell." + endingName(method)
	}
	s.table.OnRecover(func() { s.trace.take() })
	yaegi := interp.New(interp.Options{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: &s.trace})
	for _, table := range []importer.Symbols{exports(), {"eb/rt/rt": s.table.Symbols()}, {"eb/cell/cell": s.symbols()}} {
		if err := yaegi.Use(interp.Exports(table)); err != nil {
			return nil, fmt.Errorf("interp: %w", err)
		}
	}
	var err error
	if s.yaegi, err = newMachine(yaegi, lower.Prelude); err != nil {
		return nil, fmt.Errorf("interp: %w", err)
	}
	symbols.OnExit(func(code int) { panic(rt.Exit(code)) })
	s.SetArgs(o.Args)
	return s, nil
}

// symbols returns what lowered code imports as cell.
func (s *Session) symbols() map[string]reflect.Value {
	all := map[string]reflect.Value{
		"Result": reflect.ValueOf(func(v ...any) { s.values = v }),
		"Run":    reflect.ValueOf(s.runCell),
	}
	for method, f := range symbols.Ending() {
		all[endingName(method)] = reflect.ValueOf(f)
	}
	return all
}

// endingName returns the name of the function that is called for a method which may end the
// process.
func endingName(method string) string {
	return "End" + strings.NewReplacer("(", "", ")", "", "*", "", ".", "_").Replace(method)
}

// processArgs guards os.Args and flag.CommandLine against sessions that begin at the same time.
var processArgs sync.Mutex

// SetArgs sets os.Args[1:] and makes the flags of package flag anew, for the whole process: a cell
// may declare them again. The flags of earlier cells count when they are parsed.
func (s *Session) SetArgs(args []string) {
	processArgs.Lock()
	defer processArgs.Unlock()
	name := "cell"
	if len(os.Args) > 0 {
		name = os.Args[0]
	}
	os.Args = append([]string{name}, args...)
	s.flags.Begin(name)
	testing.SetCarry(s.trace.carry)
}

// HasFlags reports whether cells have declared flags.
func (s *Session) HasFlags() bool { return s.flags.Declared() }
