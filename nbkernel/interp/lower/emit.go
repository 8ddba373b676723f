package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// A lowering is the lowering of one cell. It emits the body of one function at a time; what
// that needs beside itself goes to decls at once or, when it is a body too, to the queue.
type lowering struct {
	p       *Program
	pkg     *types.Package                  // of all cells
	info    *types.Info                     // of the function that is emitted
	env     map[*types.TypeParam]types.Type // its type arguments
	key     string                          // and their keys
	fn      *function                       // the innermost function or literal
	b       *strings.Builder                // its body
	decls   *strings.Builder                // types, functions and helpers
	queue   []func()                        // functions to emit
	vars    map[types.Object]*varInfo       // how variables of emitted functions are used
	skip    func(types.Object) bool         // methods to leave out
	calling *ast.Ident                      // the name that is being called, which may stay bare
	node    node                            // what is emitted
	copies  []string                        // statements that the cell begins with
	lines   *lines                          // of the function that is emitted, nil if it has no positions in a cell
	started *ast.FuncLit                    // the literal that a go statement calls
	traced  []Function                      // what was emitted
}

// A function is what statements need to know of the function or literal they stand in.
type function struct {
	results     *types.Tuple
	resultNames []string   // result variables, if the function needs them
	defers      string     // the Defers variable, "" if the function defers nothing
	recovers    string     // the Defers variable of the caller that defers this function; recover() asks it
	seq         *rangeFunc // the innermost range over a function
	targets     []*target  // what break and continue may leave, innermost last
}

// refuse ends the lowering: n cannot be represented.
func (l *lowering) refuse(n ast.Node, format string, args ...any) {
	panic(&Refusal{n.Pos(), fmt.Sprintf(format, args...)})
}

func (l *lowering) line(format string, args ...any) { fmt.Fprintf(l.b, format+"\n", args...) }

// captured returns what emit writes.
func (l *lowering) captured(emit func()) string {
	saved := l.b
	defer func() { l.b = saved }()
	l.b = &strings.Builder{}
	emit()
	return l.b.String()
}

// tmp returns the name of a temporary variable.
func (l *lowering) tmp() string { return l.p.fresh("%s_%d", "t") }

// name returns the lowered name of a variable.
func (l *lowering) name(o types.Object) string {
	if o.Name() == "_" {
		return "_"
	}
	if v, ok := o.(*types.Var); ok && l.p.global[o] && l.node != (node{}) { // a statement means what it says
		v = l.p.CurrentVar(v)
		l.uses(v)
		o = v
	}
	name, ok := l.p.names[o]
	if !ok {
		name = l.p.fresh("%s_%d", o.Name())
		l.p.names[o] = name
		if !l.p.global[o] {
			l.p.locals = append(l.p.locals, o)
		}
	}
	return name
}

// helper returns the name of a function that is emitted once for each key. declare writes it.
func (l *lowering) helper(prefix, key string, declare func(name string)) string {
	name, ok := l.p.helpers[key]
	if !ok {
		name = l.p.fresh("%s_%d", prefix)
		set(l.p, l.p.helpers, key, name)
		declare(name)
	}
	return name
}

func (l *lowering) emit(format string, args ...any) { fmt.Fprintf(l.decls, format+"\n", args...) }
