// Package interp is a session of Go cells in memory.
//
// A cell is parsed, checked by go/types against the packages of nbkernel/symbols and the
// session's earlier declarations, lowered to a small part of Go, and run by yaegi. yaegi is
// used as a machine without methods, interfaces, generics or defer, the places where it
// computes wrong answers: the checker knows every type, so a method becomes a function with
// the receiver first, a generic function one copy for each set of type arguments, a deferred
// call a closure with its arguments evaluated, and a value whose type reflection cannot tell
// is put into an interface in a Box that says what it is. Every name gets a fresh number, so a
// redefinition never meets the old thing.
//
// Sessions share nothing but what a process has one of: its streams, its arguments and flags
// (SetArgs) and what os.Exit calls.
package interp

import (
	"flag"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"

	"eigenbook/nbkernel/interp/importer"
	"eigenbook/nbkernel/interp/rt"
	"eigenbook/nbkernel/symbols"
)

type Session struct {
	Fset  *token.FileSet
	imp   *importer.Importer
	table *rt.Table
	I     *interp.Interpreter
	tctx  *types.Context

	objs               map[string]types.Object // what a cell may name
	imports            map[string]string       // name -> path
	names              map[types.Object]string
	global             map[types.Object]bool
	vars               map[types.Object]*varInfo
	tnames             map[string]string
	fnames             map[string]string
	toI                map[reflect.Type]string
	asserts            map[string]string
	funcs              map[*types.Func]*funcSrc
	impl               map[*types.Func]*types.Func
	aliases            map[string]string
	hidden             map[reflect.Type]string // types that have no name of their own in lowered code
	pending            []string                // import lines not yet evaluated
	inits              []string
	n, cell            int
	rebind             []*types.Named
	pkg                *types.Package
	deferOf, nextDefer string
	deferParam         bool
	values             []any                    // of the cell's last expression
	ended              chan struct{}            // closed when the function of the cell has returned
	at                 atomic.Pointer[position] // the statement that the cell has come to; a cell left behind may still write it
	trace              traceBuffer              // yaegi's traces of panics
	owner              map[string]*text         // lowered function → the text it stands in
	sources            map[string]*declaration
	remembered         int                  // declarations so far
	imported           map[string]bool      // names that this cell's imports declare
	late               []*types.Func        // methods that this cell gives to earlier types
	ghosts             map[*types.Func]bool // methods whose cell failed; a type cannot lose them
	locals             []local              // of this cell
}

// Options holds the settings of a Session. The zero value is usable.
type Options struct {
	Args []string // os.Args[1:] of the session
}

// exports has the symbols of all packages, made once.
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
		Fset: token.NewFileSet(), tctx: types.NewContext(),
		objs: map[string]types.Object{}, imports: map[string]string{},
		names: map[types.Object]string{}, global: map[types.Object]bool{}, vars: map[types.Object]*varInfo{},
		tnames: map[string]string{}, fnames: map[string]string{}, toI: map[reflect.Type]string{},
		asserts: map[string]string{}, funcs: map[*types.Func]*funcSrc{}, impl: map[*types.Func]*types.Func{},
		aliases: map[string]string{}, hidden: map[reflect.Type]string{}, owner: map[string]*text{}, sources: map[string]*declaration{}, ghosts: map[*types.Func]bool{},
	}
	s.pkg = types.NewPackage("main", "main")
	all := exports()
	s.imp = importer.New(s.Fset, all)
	s.table = rt.NewTable(s.imp)
	s.I = interp.New(interp.Options{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: &s.trace})
	cell := importer.Symbols{"eb/cell/cell": {
		"Result": reflect.ValueOf(func(v ...any) { s.values = v }),
		"Run":    reflect.ValueOf(func(f func()) { s.runCell(f) }),
		"At":     reflect.ValueOf(func(line, column int) { s.at.Store(&position{line, column}) }),
	}}
	for _, table := range []importer.Symbols{all, {"eb/rt/rt": s.table.Symbols()}, cell} {
		if err := s.I.Use(interp.Exports(table)); err != nil {
			return nil, fmt.Errorf("interp: %w", err)
		}
	}
	if _, err := s.I.Eval("import rt \"eb/rt\"\nimport cell \"eb/cell\""); err != nil {
		return nil, fmt.Errorf("interp: %w", err)
	}
	symbols.OnExit(func(code int) { panic(exitStatus(code)) })
	s.SetArgs(o.Args)
	return s, nil
}

// processArgs guards os.Args and flag.CommandLine against sessions that begin at the same time.
var processArgs sync.Mutex

// SetArgs sets os.Args[1:] and makes the flags of package flag anew, for the whole process.
func (s *Session) SetArgs(args []string) {
	processArgs.Lock()
	defer processArgs.Unlock()
	name := "cell"
	if len(os.Args) > 0 {
		name = os.Args[0]
	}
	os.Args = append([]string{name}, args...)
	flag.CommandLine = flag.NewFlagSet(name, flag.PanicOnError)
}

// A Variable is a variable of the session.
type Variable struct{ Name, Type string }

// Variables returns the session's variables, sorted by name.
func (s *Session) Variables() []Variable {
	var list []Variable
	for name, o := range s.objs {
		if v, ok := o.(*types.Var); ok && !strings.HasPrefix(name, "_") {
			list = append(list, Variable{name, types.TypeString(v.Type(), (*types.Package).Name)})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// Forget removes names that cells declared. It returns the names that it did not know.
func (s *Session) Forget(names ...string) (unknown []string) {
	for _, name := range names {
		_, object := s.objs[name]
		_, imported := s.imports[name]
		if !object && !imported {
			unknown = append(unknown, name)
		}
		delete(s.objs, name)
		delete(s.imports, name)
		s.forgetSource(name)
	}
	return unknown
}
