package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

// funcName returns the name of the lowered function for a function, method or instance of one,
// which is emitted once.
func (l *lowering) funcName(f *types.Func, arguments []types.Type) string {
	return l.instance(f, arguments, false)
}

// deferParam is the first parameter of the copy of a function that is deferred: the deferred
// calls of its caller, whose panic recover() stops.
const deferParam = "ds"

func (l *lowering) instance(f *types.Func, arguments []types.Type, recovers bool) string {
	f = l.p.Current(f.Origin())
	l.uses(f)
	key := instance{f, "", recovers}
	for _, t := range arguments {
		key.arguments += l.p.table.Key(t) + ","
	}
	if name, ok := l.p.functions[key]; ok {
		return name
	}
	source, ok := l.p.source(f)
	if !ok {
		panic("no source of function " + f.FullName())
	}
	name := l.p.fresh("%s_F%d", strings.ReplaceAll(f.Name(), MethodDot, "_"))
	set(l.p, l.p.functions, key, name)
	l.queue = append(l.queue, func() {
		l.node = node{instance: key}
		defer func() { l.node = node{} }()
		l.emitFunc(f, source, arguments, name, recovers)
	})
	return name
}

// emitFunc emits a function under its type arguments.
func (l *lowering) emitFunc(f *types.Func, source importer.Function, arguments []types.Type, name string, recovers bool) {
	if text, ok := l.intrinsic(f, arguments, name); ok {
		l.emit("%s", text)
		return
	}
	if source.Decl.Body == nil {
		l.refuse(source.Decl, "missing function body")
	}
	info, env, key := l.info, l.env, l.key
	defer func() { l.info, l.env, l.key = info, env, key }()
	signature := f.Signature()
	parameters := signature.TypeParams()
	if signature.RecvTypeParams().Len() > 0 {
		parameters = signature.RecvTypeParams()
	}
	l.info, l.env, l.key = source.Info, map[*types.TypeParam]types.Type{}, ""
	if f.Pkg() != nil && l.pkg == f.Pkg() {
		l.lines = &lines{}
		defer func() { l.lines = nil }()
	}
	for i := range parameters.Len() {
		l.env[parameters.At(i)] = arguments[i]
		l.key += l.p.table.Key(arguments[i]) + ","
	}
	l.analyse(source.Decl)
	var params []*types.Var
	if signature.Recv() != nil {
		params = append(params, signature.Recv())
	}
	for v := range signature.Params().Variables() {
		params = append(params, v)
	}
	head, recoverOf := "func "+name+"(", ""
	if recovers {
		head, recoverOf = head+deferParam+" *rt.Defers, ", deferParam
	}
	text := l.function(head, recoverOf, types.NewSignatureType(nil, nil, nil,
		types.NewTuple(params...), signature.Results(), signature.Variadic()), source.Decl.Body)
	if l.lines != nil {
		l.trace(name, userName(f), source.Decl.Pos())
	}
	l.emit("%s", text)
}

// userName returns the name of a function or method as its cell has it.
func userName(f *types.Func) string {
	if receiver := f.Signature().Recv(); receiver != nil {
		if named, ok := elem(types.Unalias(receiver.Type())).(*types.Named); ok {
			return named.Obj().Name() + "." + f.Name()
		}
	}
	return strings.ReplaceAll(f.Name(), MethodDot, ".")
}

// function returns the text of a function or literal. head ends with the parenthesis that opens
// its parameters or with parameters of ours, and recovers is the Defers variable that recover()
// asks.
func (l *lowering) function(head, recovers string, signature *types.Signature, body *ast.BlockStmt) string {
	outer := l.fn
	defer func() { l.fn = outer }()
	if l.lines != nil { // nobody knows when a literal runs
		defer func(known string) { l.lines.known = known }(l.lines.known)
		l.unknown()
	}
	results := signature.Results()
	l.fn = &function{results: l.tuple(results), recovers: recovers}
	defers := hasDefer(body)
	named := results.Len() > 0 && results.At(0).Name() != ""
	if named || results.Len() > 0 && (defers || l.hasRangeFunc(body)) {
		l.fn.resultNames = l.variableNames(results)
	}
	params := l.variableNames(signature.Params())
	text := l.captured(func() {
		for i, name := range l.fn.resultNames { // yaegi neither clears them nor keeps them apart from the caller's
			t := l.objectType(results.At(i))
			l.line("var %s %s = %s", name, l.typeText(t), l.zero(t))
		}
		l.deferring(defers, func() { l.stmts(body.List) })
		if l.fn.resultNames != nil {
			l.line("return %s", strings.Join(l.fn.resultNames, ", "))
		}
	})
	lowered := l.subst(types.NewSignatureType(nil, nil, nil, signature.Params(), results, signature.Variadic())).(*types.Signature)
	return head + strings.TrimPrefix(l.signatureText(lowered, params, nil), "(") + " {\n" + text + "}"
}

// variableNames returns names for parameters or results, also for those without one.
func (l *lowering) variableNames(t *types.Tuple) []string {
	names := make([]string, t.Len())
	for i := range names {
		if v := t.At(i); v.Name() == "" || v.Name() == "_" {
			names[i] = l.tmp()
		} else {
			names[i] = l.name(v)
		}
	}
	return names
}

func (l *lowering) funcLit(e *ast.FuncLit, recovers string) string {
	signature := l.info.TypeOf(e).(*types.Signature)
	text := ""
	if l.lines != nil && l.started == e {
		text = l.goroutine(signature, e.Body)
	} else {
		text = l.function("func(", recovers, signature, e.Body)
	}
	return l.closure(l.heapVarsOf(e), l.coreText(l.subst(signature)), text)
}

// funcValue returns a function by its name. As a value it is a literal: inside an interface{} a
// bare name would be a node of the interpreter.
func (l *lowering) funcValue(id *ast.Ident, f *types.Func) string {
	if f.Pkg() != nil && !l.p.importer.Source(f) {
		return l.p.compiledFunc(f)
	}
	name := l.funcName(f, l.typeArguments(id))
	if l.calling == id {
		return name
	}
	t := l.info.TypeOf(id)
	if instance, ok := l.info.Instances[id]; ok {
		t = instance.Type
	}
	signature := l.subst(t).(*types.Signature)
	return l.forward(signature, func(params []string, args string) string { return name + "(" + args + ")" })
}

// forward returns a literal that makes a call with its own parameters.
func (l *lowering) forward(signature *types.Signature, call func(params []string, args string) string) string {
	params := make([]string, signature.Params().Len())
	for i := range params {
		params[i] = fmt.Sprintf("a%d", i)
	}
	result := ""
	if signature.Results().Len() > 0 {
		result = "return "
	}
	return fmt.Sprintf("func%s { %s%s }", l.signatureText(signature, params, nil), result, call(params, l.spreadArgs(params, signature)))
}

// spreadArgs joins arguments, of which the last goes to a variadic parameter as it is.
func (l *lowering) spreadArgs(args []string, signature *types.Signature) string {
	text := strings.Join(args, ", ")
	if l.variadic(signature) {
		text += "..."
	}
	return text
}

func (l *lowering) typeArguments(id *ast.Ident) (arguments []types.Type) {
	instance, ok := l.info.Instances[id]
	if !ok {
		return nil
	}
	for t := range instance.TypeArgs.Types() {
		arguments = append(arguments, types.Unalias(l.subst(t)))
	}
	return arguments
}
