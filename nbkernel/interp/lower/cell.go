package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"runtime/debug"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

// A Checked is a cell that the checker has accepted.
type Checked struct {
	Info    *types.Info
	Package *types.Package
	File    *ast.File
	Body    *ast.FuncDecl             // the cell's statements, one of File's functions; nil if it has none
	Last    ast.Expr                  // the last of them, if its value is the cell's
	Changed []*types.Named            // types of earlier cells that have gained methods or bodies of methods
	Before  map[string]types.Object   // what earlier cells declare
	Globals map[*types.Var]*types.Var // package-level variables that variables of Body become; others are made
	Skip    func(types.Object) bool   // methods that their type does not have, though the checker thinks so
	Name    string                    // of the lowered function
}

// A Cell is the lowered text of a cell.
type Cell struct {
	Hidden  map[string]reflect.Type  // types that a package at HiddenPath must declare first
	Vars    map[string]reflect.Value // addresses that it must declare
	Imports []string                 // lines to evaluate before Text
	Text    string                   // declarations
	Body    string                   // declaration of the function with the name of the cell, to be called; empty if there is none
	Objects map[string]types.Object  // what the cell declares
	Locals  []*types.Var             // variables that the statements of the cell declare
	Traced  []Function               // functions that Text declares
}

// A Refusal says what cannot be lowered.
type Refusal struct {
	Pos     token.Pos
	Message string
}

func (r *Refusal) Error() string { return r.Message }

// Cell lowers a cell. Variables at its top level become package-level ones. The error is a
// *Refusal, or says that this package has a fault.
func (p *Program) Cell(c Checked) (cell Cell, err error) {
	l := &lowering{p: p, pkg: c.Package, info: c.Info, decls: &strings.Builder{}, vars: map[types.Object]*varInfo{}, skip: c.Skip}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Refusal:
			err = r
		default:
			err = fmt.Errorf("lowering: %v\n%s", r, debug.Stack())
		}
	}()
	defer p.forgetLocals()
	p.addSources(c)
	cell.Objects = map[string]types.Object{}
	l.packageVariables(c, &cell)
	l.cellVariables(c, &cell)
	inits := l.declaredFunctions(c)
	body := l.cellBody(c, inits)
	l.bindAgain()
	l.bindChanged(c.Changed)
	for len(l.queue) > 0 { // emitting a function may ask for others
		emit := l.queue[0]
		l.queue = l.queue[1:]
		emit()
	}
	if body != "" {
		cell.Body = fmt.Sprintf("func %s() {\n%s}", c.Name, body)
	}
	cell.Text, cell.Traced = l.decls.String(), l.traced
	cell.Imports, p.imports = p.imports, nil
	cell.Hidden, p.newHidden = p.newHidden, map[string]reflect.Type{}
	cell.Vars, p.newVars = p.newVars, map[string]reflect.Value{}
	return cell, nil
}

func (p *Program) addSources(c Checked) {
	for _, d := range c.File.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d != c.Body {
			p.Source(d, c.Info)
		}
	}
}

// forgetLocals forgets the names of variables that end with the cell or begin anew when their
// function is written again.
func (p *Program) forgetLocals() {
	for _, o := range p.locals {
		delete(p.names, o)
		delete(p.global, o)
	}
	p.locals = nil
}

// Source makes the source of a function known.
func (p *Program) Source(d *ast.FuncDecl, info *types.Info) {
	if f, ok := info.Defs[d.Name].(*types.Func); ok {
		p.sources[f] = importer.Function{Decl: d, Info: info}
	}
}

// packageVariables notes what the cell declares at package level and declares its variables.
func (l *lowering) packageVariables(c Checked, cell *Cell) {
	fresh := map[types.Object]bool{}
	for _, o := range c.Info.Defs {
		fresh[o] = true
	}
	scope := c.Package.Scope()
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !fresh[o] || c.Body != nil && name == c.Body.Name.Name || strings.Contains(name, MethodDot) {
			continue
		}
		cell.Objects[name] = o
		if v, ok := o.(*types.Var); ok {
			l.declareGlobal(v)
			if old := l.replaced(c.Before[name], v); old != nil {
				l.p.replace(old, v)
			}
		}
	}
}

// replaced returns the variable of an earlier cell that v takes the place of, nil if there is
// none.
func (l *lowering) replaced(before types.Object, v *types.Var) *types.Var {
	if old, ok := before.(*types.Var); ok && types.Identical(old.Type(), v.Type()) {
		return old
	}
	return nil
}

// MethodDot stands in the name of a function that is the body of a method, between the names of
// its type and of the method.
const MethodDot = "·"

// cellVariables does the same for the top level of the cell's statements. Later cells see a
// variable as a package-level one of the same lowered name.
func (l *lowering) cellVariables(c Checked, cell *Cell) {
	if c.Body == nil {
		return
	}
	scope := c.Info.Scopes[c.Body.Type]
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		v, ok := o.(*types.Var)
		if !ok {
			cell.Objects[name] = o
			continue
		}
		l.declareGlobal(v)
		cell.Locals = append(cell.Locals, v)
		global := c.Globals[v]
		if global == nil {
			global = types.NewVar(v.Pos(), c.Package, v.Name(), v.Type())
		}
		l.p.names[global] = l.p.names[v]
		l.p.locals = append(l.p.locals, v)
		if old := l.replaced(c.Before[name], global); old != nil {
			l.copies = append(l.copies, l.name(global)+" = "+l.name(old)) // functions read it until the new value is there
			l.p.replace(old, global)
		}
		l.p.global[global] = true
		cell.Objects[name] = global
	}
}

func (l *lowering) declareGlobal(v *types.Var) {
	l.p.global[v] = true
	l.emit("var %s %s", l.name(v), l.typeText(v.Type()))
}

// declaredFunctions has the functions and methods of the cell emitted, generic ones excepted,
// and returns the names of its functions init.
func (l *lowering) declaredFunctions(c Checked) (inits []string) {
	for _, d := range c.File.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d == c.Body {
			continue
		}
		f, ok := l.info.Defs[d.Name].(*types.Func)
		if !ok {
			continue
		}
		signature := f.Signature()
		switch {
		case d.Name.Name == "init" && d.Recv == nil:
			inits = append(inits, l.funcName(f, nil))
		case signature.TypeParams().Len() == 0 && signature.RecvTypeParams().Len() == 0:
			l.funcName(f, nil)
		}
	}
	return inits
}

// cellBody returns the text of the cell's function: initialisers in the order of their
// dependencies, functions init, statements, and the value of the last one.
func (l *lowering) cellBody(c Checked, inits []string) string {
	l.b = &strings.Builder{}
	l.fn = &function{results: types.NewTuple()}
	l.cellLines(c)
	defer func() { l.lines = nil }()
	if c.Body != nil {
		l.analyse(c.Body)
	}
	for _, text := range l.copies {
		l.line("%s", text)
	}
	for _, in := range l.info.InitOrder {
		l.at(in.Rhs)
		l.initVar(in)
	}
	for _, name := range inits {
		l.line("%s()", name)
	}
	if c.Body != nil {
		l.deferring(hasDefer(c.Body.Body), func() { l.cellStatements(c.Body.Body.List, c.Last) })
	}
	switch {
	case c.Body != nil:
		l.trace(c.Name, "cell", c.Body.Body.Pos())
	case len(l.info.InitOrder) > 0:
		l.trace(c.Name, "cell", l.info.InitOrder[0].Rhs.Pos())
	}
	if l.lines.shared && l.b.Len() > 0 {
		return fmt.Sprintf("%s, %s = 0, 0\n%s", cellLine, cellReach, l.b)
	}
	return l.b.String()
}

// cellLines chooses the variables that say where the cell is.
func (l *lowering) cellLines(c Checked) {
	l.lines = &lines{}
	for _, in := range l.info.InitOrder {
		l.lines.literals = l.lines.literals || hasLiteral(in.Rhs)
	}
	if c.Body != nil {
		l.lines.literals = l.lines.literals || hasLiteral(c.Body.Body)
	}
	switch {
	case !l.lines.literals:
		l.lines.name, l.lines.reach, l.lines.shared = cellLine, cellReach, true
	case c.Body != nil:
		l.lines.reach = l.p.fresh("%s_%d", "reach")
	}
}

func hasLiteral(n ast.Node) (has bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		_, ok := n.(*ast.FuncLit)
		has = has || ok
		return !has
	})
	return has
}

func (l *lowering) cellStatements(list []ast.Stmt, last ast.Expr) {
	if last != nil {
		list = list[:len(list)-1]
	}
	for _, st := range list {
		l.reach(st)
		l.stmt(st, "")
	}
	if last != nil {
		l.reach(last)
		l.result(last)
	}
}

// reach makes the cell note that it has come to a statement of its top level. Where the cell has
// literals, the line variable must say so too: it may hold where one of them was.
func (l *lowering) reach(n ast.Node) {
	if !n.Pos().IsValid() {
		return
	}
	l.line("%s = %s", l.lines.reach, l.where(n))
	if l.lines.literals {
		l.at(n)
	} else {
		l.lines.known = l.where(n)
	}
}

// result hands the values of the cell's last expression to the session.
func (l *lowering) result(e ast.Expr) {
	tuple, ok := l.info.TypeOf(e).(*types.Tuple)
	switch {
	case ok && tuple.Len() == 0 || l.info.Types[e].IsVoid():
		l.line("%s", l.expr(e))
	case ok:
		names, values := l.spread(l.tuple(tuple), func(int) types.Type { return anyT })
		l.line("%s := %s", strings.Join(names, ", "), l.expr(e))
		l.line("cell.Result(%s)", strings.Join(values, ", "))
	default:
		l.line("cell.Result(%s)", l.exprTo(e, anyT))
	}
}

// spread returns names for the values of a call with several results, and the text that gives
// the value with index i the type to(i).
func (l *lowering) spread(tuple *types.Tuple, to func(i int) types.Type) (names, values []string) {
	for i := range tuple.Len() {
		name := l.tmp()
		names = append(names, name)
		values = append(values, l.conv(name, tuple.At(i).Type(), to(i)))
	}
	return names, values
}

// initVar initialises package-level variables.
func (l *lowering) initVar(in *types.Initializer) {
	if len(in.Lhs) == 1 {
		v := in.Lhs[0]
		l.line("%s = %s", l.name(v), l.exprTo(in.Rhs, types.Unalias(v.Type())))
		return
	}
	var names []ast.Expr
	for _, v := range in.Lhs {
		id := ast.NewIdent(v.Name())
		l.info.Uses[id] = v
		l.info.Types[id] = types.TypeAndValue{Type: v.Type()}
		names = append(names, id)
	}
	l.multi(names, in.Rhs, false)
}
