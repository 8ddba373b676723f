package interp

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"reflect"
	"strconv"
	"strings"
)

type funcSrc struct {
	decl *ast.FuncDecl
	info *types.Info
}

type Lower struct {
	s       *Session
	info    *types.Info
	env     map[*types.TypeParam]types.Type
	envKey  string
	b       *strings.Builder // current function body
	decls   *strings.Builder // types, helpers
	queue   []func()
	vars    map[types.Object]*varInfo
	fn      *fnCtx
	global  map[types.Object]bool
	calling *ast.Ident
}

type varInfo struct {
	fn                               ast.Node
	inLoop, captured, addr, assigned bool
}

func (v *varInfo) cell() bool { return v != nil && v.inLoop && (v.captured || v.addr) }

type fnCtx struct {
	results  *types.Tuple
	named    bool
	resNames []string
	native   bool
	defers   string // name of the Defers variable, "" if none
	rf       *rangeFn
	brk      []*target
}

// target is something break or continue may leave.
type target struct {
	label  string
	loop   bool
	rf     *rangeFn // set for a range-over-func loop
	native string   // label in the lowered text
}

type rangeFn struct {
	parent *rangeFn
	flag   string
	exits  []string
}

type Refused struct {
	Pos token.Pos
	Msg string
}

func (l *Lower) refuse(n ast.Node, f string, a ...any) { panic(Refused{n.Pos(), fmt.Sprintf(f, a...)}) }
func (l *Lower) line(f string, a ...any)               { fmt.Fprintf(l.b, f+"\n", a...) }
func (l *Lower) tmp() string                           { l.s.n++; return fmt.Sprintf("t_%d", l.s.n) }

func (l *Lower) name(o types.Object) string {
	if n, ok := l.s.names[o]; ok {
		return n
	}
	l.s.n++
	n := fmt.Sprintf("%s_%d", o.Name(), l.s.n)
	if o.Name() == "_" {
		return "_"
	}
	l.s.names[o] = n
	return n
}

// ---- types

func (l *Lower) subst(t types.Type) types.Type {
	if t == nil || len(l.env) == 0 {
		return t
	}
	switch t := t.(type) {
	case *types.Alias:
		return l.subst(types.Unalias(t))
	case *types.TypeParam:
		if r, ok := l.env[t]; ok {
			return r
		}
		return t
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return t
		}
		var a []types.Type
		for i := 0; i < t.TypeArgs().Len(); i++ {
			a = append(a, l.subst(t.TypeArgs().At(i)))
		}
		r, err := types.Instantiate(l.s.tctx, t.Origin(), a, false)
		if err != nil {
			panic(err)
		}
		return r
	case *types.Pointer:
		return types.NewPointer(l.subst(t.Elem()))
	case *types.Slice:
		return types.NewSlice(l.subst(t.Elem()))
	case *types.Array:
		return types.NewArray(l.subst(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(l.subst(t.Key()), l.subst(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), l.subst(t.Elem()))
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, l.tuple(t.Params()), l.tuple(t.Results()), t.Variadic())
	case *types.Tuple:
		return l.tuple(t)
	case *types.Struct:
		var fs []*types.Var
		var tags []string
		for i := 0; i < t.NumFields(); i++ {
			f := t.Field(i)
			fs = append(fs, types.NewField(f.Pos(), f.Pkg(), f.Name(), l.subst(f.Type()), f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fs, tags)
	case *types.Interface:
		var ms []*types.Func
		for i := 0; i < t.NumMethods(); i++ {
			m := t.Method(i)
			ms = append(ms, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), l.subst(m.Type()).(*types.Signature)))
		}
		return types.NewInterfaceType(ms, nil).Complete()
	}
	return t
}

func (l *Lower) tuple(t *types.Tuple) *types.Tuple {
	var vs []*types.Var
	for i := 0; i < t.Len(); i++ {
		v := t.At(i)
		vs = append(vs, types.NewParam(v.Pos(), v.Pkg(), v.Name(), l.subst(v.Type())))
	}
	return types.NewTuple(vs...)
}

func (l *Lower) typeOf(e ast.Expr) types.Type {
	t := l.info.TypeOf(e)
	if t == nil {
		panic(fmt.Sprintf("no type for %T at %v", e, l.s.Fset.Position(e.Pos())))
	}
	return types.Unalias(l.subst(t))
}

var objNum = map[*types.TypeName]int{}

func typeKey(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return typeKey(types.Unalias(t))
	case *types.Basic:
		return types.Typ[t.Kind()].Name()
	case *types.Named:
		o := t.Origin().Obj()
		n, ok := objNum[o]
		if !ok {
			n = len(objNum) + 1
			objNum[o] = n
		}
		s := fmt.Sprintf("%s#%d", o.Name(), n)
		if t.TypeArgs().Len() > 0 {
			s += "["
			for i := 0; i < t.TypeArgs().Len(); i++ {
				s += typeKey(t.TypeArgs().At(i)) + ","
			}
			s += "]"
		}
		return s
	case *types.Pointer:
		return "*" + typeKey(t.Elem())
	case *types.Slice:
		return "[]" + typeKey(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), typeKey(t.Elem()))
	case *types.Map:
		return "map[" + typeKey(t.Key()) + "]" + typeKey(t.Elem())
	case *types.Chan:
		return fmt.Sprintf("chan%d %s", t.Dir(), typeKey(t.Elem()))
	case *types.Signature:
		s := "func("
		for i := 0; i < t.Params().Len(); i++ {
			s += typeKey(t.Params().At(i).Type()) + ","
		}
		s += fmt.Sprint(t.Variadic()) + ")("
		for i := 0; i < t.Results().Len(); i++ {
			s += typeKey(t.Results().At(i).Type()) + ","
		}
		return s + ")"
	case *types.Struct:
		s := "struct{"
		for i := 0; i < t.NumFields(); i++ {
			s += t.Field(i).Name() + " " + typeKey(t.Field(i).Type()) + strconv.Quote(t.Tag(i)) + ";"
		}
		return s + "}"
	case *types.Interface:
		s := "interface{"
		for i := 0; i < t.NumMethods(); i++ {
			s += t.Method(i).Name() + typeKey(t.Method(i).Type()) + ";"
		}
		return s + "}"
	}
	return t.String()
}

func userNamed(n *types.Named) bool {
	if n.Obj().Pkg() == nil {
		return false
	}
	_, compiled := theImp.rtypes[n]
	return !compiled
}

var taintMem = map[types.Type]bool{}

// taintedType reports whether reflect alone cannot say what t is.
func taintedType(t types.Type) bool {
	if r, ok := taintMem[t]; ok {
		return r
	}
	taintMem[t] = false
	r := false
	switch t := t.(type) {
	case *types.Alias:
		r = taintedType(types.Unalias(t))
	case *types.Named:
		r = userNamed(t)
	case *types.Pointer:
		r = taintedType(t.Elem())
	case *types.Slice:
		r = taintedType(t.Elem())
	case *types.Array:
		r = taintedType(t.Elem())
	case *types.Chan:
		r = taintedType(t.Elem())
	case *types.Map:
		r = taintedType(t.Key()) || taintedType(t.Elem())
	case *types.Signature:
		for i := 0; i < t.Params().Len(); i++ {
			r = r || taintedType(t.Params().At(i).Type())
		}
		for i := 0; i < t.Results().Len(); i++ {
			r = r || taintedType(t.Results().At(i).Type())
		}
	case *types.Struct:
		for i := 0; i < t.NumFields(); i++ {
			r = r || !t.Field(i).Exported() || taintedType(t.Field(i).Type())
		}
	case *types.Interface:
		r = t.NumMethods() > 0
	}
	taintMem[t] = r
	return r
}

func isIface(t types.Type) bool {
	_, tp := t.(*types.TypeParam)
	return !tp && types.IsInterface(t)
}

// compiledIface reports whether t is an interface type with methods that compiled code knows.
func compiledIface(t types.Type) (reflect.Type, bool) {
	t = types.Unalias(t)
	if t == types.Universe.Lookup("error").Type() {
		return errType, true
	}
	n, ok := t.(*types.Named)
	if !ok || !isIface(t) {
		return nil, false
	}
	rt, ok := theImp.rtypes[n]
	if !ok || rt.NumMethod() == 0 {
		return nil, false
	}
	return rt, true
}

func (l *Lower) tstr(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return l.tstr(types.Unalias(t))
	case *types.TypeParam:
		panic("type parameter " + t.String() + " not bound")
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return l.s.pkgAlias("unsafe") + ".Pointer"
		}
		if t.Info()&types.IsUntyped != 0 {
			return types.Default(t).String()
		}
		return t.Name()
	case *types.Named:
		if t.Obj().Pkg() == nil {
			return t.Obj().Name() // error
		}
		if isIface(t) {
			if _, ok := compiledIface(t); ok {
				return l.compiledName(t)
			}
			return "interface{}"
		}
		if !userNamed(t) {
			return l.compiledName(t)
		}
		return l.named(t)
	case *types.Pointer:
		return "*" + l.tstr(t.Elem())
	case *types.Slice:
		return "[]" + l.tstr(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), l.tstr(t.Elem()))
	case *types.Map:
		return "map[" + l.tstr(t.Key()) + "]" + l.tstr(t.Elem())
	case *types.Chan:
		switch t.Dir() {
		case types.SendOnly:
			return "chan<- " + l.tstr(t.Elem())
		case types.RecvOnly:
			return "<-chan " + l.tstr(t.Elem())
		}
		return "chan (" + l.tstr(t.Elem()) + ")"
	case *types.Signature:
		return "func" + l.sigstr(t, nil, nil)
	case *types.Struct:
		var sb strings.Builder
		sb.WriteString("struct {")
		for i := 0; i < t.NumFields(); i++ {
			if i > 0 {
				sb.WriteString("; ")
			}
			f := t.Field(i)
			sb.WriteString(l.field(f, i) + " " + l.tstr(f.Type()))
			tag := t.Tag(i)
			if !f.Exported() {
				tag = `json:"-" xml:"-"`
			}
			if tag != "" {
				sb.WriteString(" " + strconv.Quote(tag))
			}
		}
		sb.WriteString("}")
		return sb.String()
	case *types.Interface:
		return "interface{}"
	}
	panic(fmt.Sprintf("tstr %T %v", t, t))
}

func (l *Lower) field(f *types.Var, i int) string {
	if f.Pkg() != nil && !userPkg(f.Pkg()) {
		return f.Name()
	}
	if f.Name() == "_" {
		return fmt.Sprintf("U_blank%d", i)
	}
	if !f.Exported() {
		return "U_" + f.Name()
	}
	return f.Name()
}

func userPkg(p *types.Package) bool {
	_, compiled := theImp.syms[p.Path()]
	return !compiled || theImp.srcs[p.Path()] != ""
}

func (l *Lower) compiledName(t *types.Named) string {
	p, n := t.Obj().Pkg().Path(), t.Obj().Name()
	rt := theImp.rtypes[t]
	if v, ok := theImp.syms[p][n]; ok && v.Kind() == reflect.Ptr && v.Type().Elem() == rt {
		return l.s.pkgAlias(p) + "." + n
	}
	return l.s.hiddenType(rt)
}

func (l *Lower) sigstr(t *types.Signature, pnames, rnames []string) string {
	var sb strings.Builder
	sb.WriteString("(")
	for i := 0; i < t.Params().Len(); i++ {
		if i > 0 {
			sb.WriteString(", ")
		}
		if pnames != nil {
			sb.WriteString(pnames[i] + " ")
		}
		pt := t.Params().At(i).Type()
		if t.Variadic() && i == t.Params().Len()-1 {
			sb.WriteString("..." + l.tstr(pt.Underlying().(*types.Slice).Elem()))
		} else {
			sb.WriteString(l.tstr(pt))
		}
	}
	sb.WriteString(")")
	if n := t.Results().Len(); n > 0 {
		sb.WriteString(" (")
		for i := 0; i < n; i++ {
			if i > 0 {
				sb.WriteString(", ")
			}
			if rnames != nil {
				sb.WriteString(rnames[i] + " ")
			}
			sb.WriteString(l.tstr(t.Results().At(i).Type()))
		}
		sb.WriteString(")")
	}
	return sb.String()
}

// named returns the name of the lowered declaration of a user's named type.
func (l *Lower) named(t *types.Named) string {
	k := typeKey(t)
	local := t.Obj().Parent() != nil && t.Obj().Pkg() != nil && t.Obj().Parent() != t.Obj().Pkg().Scope()
	if local {
		k += "@" + l.envKey
	}
	if n, ok := l.s.tnames[k]; ok {
		return n
	}
	l.s.n++
	n := fmt.Sprintf("%s_T%d", t.Obj().Name(), l.s.n)
	l.s.tnames[k] = n
	u := t.Underlying()
	if local {
		u = l.subst(u)
	}
	us := l.tstr(u)
	if us == "struct {}" { // the interpreter looks at the first field
		us = "struct { U_0 bool }"
	}
	fmt.Fprintf(l.decls, "type %s %s\n", n, us)
	return n
}

// desc returns the id of t's descriptor, making it and its bind function.
func (l *Lower) desc(t types.Type) int {
	t = types.Unalias(t)
	k := typeKey(t)
	if d, ok := descMem[k]; ok {
		return d.ID
	}
	d := &Desc{ID: len(descs), T: t}
	descMem[k] = d
	descs = append(descs, d)
	l.emitBind(d)
	// parts whose methods the printer may call
	switch u := t.(type) {
	case *types.Pointer:
		l.part(u.Elem())
	case *types.Named:
		l.parts(u.Underlying())
	default:
		l.parts(t)
	}
	return d.ID
}

func (l *Lower) part(t types.Type) {
	if taintedType(t) && !isIface(t) {
		l.desc(t)
	}
}
func (l *Lower) parts(t types.Type) {
	switch t := t.(type) {
	case *types.Pointer:
		l.part(t.Elem())
	case *types.Slice:
		l.part(t.Elem())
	case *types.Array:
		l.part(t.Elem())
	case *types.Map:
		l.part(t.Key())
		l.part(t.Elem())
	case *types.Struct:
		for i := 0; i < t.NumFields(); i++ {
			l.part(t.Field(i).Type())
		}
	}
}

func (l *Lower) caseIdx(ts ...types.Type) int {
	for _, t := range ts {
		if t != nil && taintedType(t) && !isIface(t) {
			l.desc(t)
		}
	}
	caseTab = append(caseTab, ts)
	return len(caseTab) - 1
}

// toIface emits, once, the function that gives a value the compiled interface type t.
func (l *Lower) toIface(t types.Type) string {
	rt, _ := compiledIface(t)
	if n, ok := l.s.toI[rt]; ok {
		return n
	}
	// The type may come from a package that no cell names, whose wrappers are then not known yet.
	if p := rt.PkgPath(); p != "" && l.s.Imp.syms[p] != nil {
		if _, err := l.s.Imp.Import(p); err != nil {
			panic(err)
		}
	}
	wrapTab = append(wrapTab, rt)
	k := len(wrapTab) - 1
	n := fmt.Sprintf("to_%d", k)
	l.s.toI[rt] = n
	ts := l.tstr(t)
	fmt.Fprintf(l.decls, "func %s(x interface{}) %s {\nr := rt.Wrap(x, %d)\nif r == nil { return nil }\nreturn r.(%s)\n}\n", n, ts, k, ts)
	return n
}

// conv gives text of type from the representation of type to.
func (l *Lower) conv(x string, from, to types.Type) string {
	from, to = types.Unalias(from), types.Unalias(to)
	if b, ok := from.(*types.Basic); ok && b.Kind() == types.UntypedNil {
		return "nil"
	}
	if !isIface(to) || to == from {
		return x
	}
	_, ci := compiledIface(to)
	if !isIface(from) {
		if taintedType(from) {
			x = fmt.Sprintf("rt.MakeBox(%d, %s)", l.desc(from), x)
			if ci {
				return l.toIface(to) + "(" + x + ")"
			}
			return x
		}
		if ci {
			return x
		}
		return "interface{}(" + x + ")"
	}
	_, cf := compiledIface(from)
	switch {
	case !cf && !ci:
		return x
	case cf && !ci:
		return "rt.Norm(" + x + ")"
	}
	if types.Identical(from, to) {
		return x
	}
	return l.toIface(to) + "(" + x + ")"
}

func (l *Lower) zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return l.constText(constant.MakeBool(false), t)
		case u.Info()&types.IsString != 0:
			return l.constText(constant.MakeString(""), t)
		case u.Info()&types.IsNumeric != 0:
			return l.constText(constant.MakeInt64(0), t)
		}
	case *types.Struct, *types.Array:
		return l.tstr(t) + "{}"
	}
	return "nil"
}

func (l *Lower) zeroTyped(t types.Type) string {
	z := l.zero(t)
	return z
}

func (l *Lower) constText(v constant.Value, t types.Type) string {
	t = types.Unalias(t)
	b, ok := t.Underlying().(*types.Basic)
	if !ok { // constant in a context of interface or type parameter: default type
		panic("constant of type " + t.String())
	}
	wrap := func(s string) string {
		if n, ok := t.(*types.Named); ok {
			return l.tstr(n) + "(" + s + ")"
		}
		return s
	}
	switch {
	case b.Info()&types.IsBoolean != 0:
		return wrap(fmt.Sprint(constant.BoolVal(v)))
	case b.Info()&types.IsString != 0:
		return wrap(strconv.Quote(constant.StringVal(v)))
	case b.Info()&types.IsInteger != 0:
		s := constant.ToInt(v).ExactString()
		if b.Kind() == types.Int || b.Kind() == types.UntypedInt {
			if s[0] == '-' {
				s = "(" + s + ")"
			}
			return wrap(s)
		}
		if b.Kind() == types.UntypedRune {
			return "rune(" + s + ")"
		}
		if t == types.Type(b) {
			return b.Name() + "(" + s + ")"
		}
		return wrap(s)
	case b.Info()&types.IsFloat != 0:
		bits := 64
		if b.Kind() == types.Float32 {
			bits = 32
		}
		f, _ := constant.Float64Val(constant.ToFloat(v))
		if bits == 32 {
			f32, _ := constant.Float32Val(constant.ToFloat(v))
			f = float64(f32)
		}
		s := strconv.FormatFloat(f, 'g', -1, bits)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		if f < 0 || math.Signbit(f) {
			s = "(" + s + ")"
		}
		if bits == 32 && t == types.Type(b) {
			return "float32(" + s + ")"
		}
		return wrap(s)
	case b.Info()&types.IsComplex != 0:
		c := constant.ToComplex(v)
		re, im := constant.Real(c), constant.Imag(c)
		ft := types.Typ[types.Float64]
		s := "complex(" + l.constText(re, ft) + ", " + l.constText(im, ft) + ")"
		if b.Kind() == types.Complex64 {
			s = "complex64(" + s + ")"
		}
		return wrap(s)
	}
	panic("constText " + t.String())
}

// ---- functions

func (l *Lower) funcName(f *types.Func, targs []types.Type) string {
	o := f.Origin()
	if impl, ok := l.s.impl[o]; ok {
		o = impl
	}
	k := fmt.Sprintf("%p", o)
	for _, t := range targs {
		k += "," + typeKey(t)
	}
	if n, ok := l.s.fnames[k]; ok {
		return n
	}
	src, ok := l.s.funcs[o]
	if !ok {
		panic("no source for function " + o.FullName())
	}
	l.s.n++
	n := fmt.Sprintf("%s_F%d", strings.ReplaceAll(o.Name(), "·", "_"), l.s.n)
	l.s.fnames[k] = n
	l.queue = append(l.queue, func() { l.emitFunc(o, src, targs, n) })
	return n
}

func (l *Lower) emitFunc(f *types.Func, src *funcSrc, targs []types.Type, name string) {
	if in, ok := l.s.intrinsic(l, f, targs, name); ok {
		l.decls.WriteString(in)
		return
	}
	if src.decl.Body == nil {
		panic("no body for " + f.FullName())
	}
	saveInfo, saveEnv, saveKey, saveB, saveFn := l.info, l.env, l.envKey, l.b, l.fn
	defer func() { l.info, l.env, l.envKey, l.b, l.fn = saveInfo, saveEnv, saveKey, saveB, saveFn }()
	l.info = src.info
	sig := f.Type().(*types.Signature)
	l.env = map[*types.TypeParam]types.Type{}
	l.envKey = ""
	tps := sig.TypeParams()
	if sig.RecvTypeParams().Len() > 0 {
		tps = sig.RecvTypeParams()
	}
	for i := 0; i < tps.Len(); i++ {
		l.env[tps.At(i)] = targs[i]
		l.envKey += typeKey(targs[i]) + ","
	}
	l.analyse(src.decl)
	l.b = &strings.Builder{}
	var ps []*types.Var
	if sig.Recv() != nil {
		ps = append(ps, sig.Recv())
	}
	for i := 0; i < sig.Params().Len(); i++ {
		ps = append(ps, sig.Params().At(i))
	}
	text := l.funcBody("func "+name, types.NewSignatureType(nil, nil, nil, types.NewTuple(ps...), sig.Results(), sig.Variadic()), src.decl.Body)
	l.decls.WriteString(text + "\n")
}

// funcBody returns head, parameters and body of a function.
func (l *Lower) funcBody(head string, sig *types.Signature, body *ast.BlockStmt) string {
	saveB, saveFn := l.b, l.fn
	defer func() { l.b, l.fn = saveB, saveFn }()
	l.b = &strings.Builder{}
	savedOf := l.s.deferOf
	l.s.deferOf, l.s.nextDefer = l.s.nextDefer, ""
	extra := l.s.deferParam
	l.s.deferParam = false
	defer func() { l.s.deferOf = savedOf }()
	res := sig.Results()
	l.fn = &fnCtx{results: l.tuple(res), named: res.Len() > 0 && res.At(0).Name() != ""}
	ds := hasDefer(body)
	if ds {
		l.fn.defers = l.tmp()
	}
	var pn, rn []string
	for i := 0; i < sig.Params().Len(); i++ {
		p := sig.Params().At(i)
		n := l.name(p)
		if p.Name() == "" || p.Name() == "_" {
			n = l.tmp()
		}
		pn = append(pn, n)
	}
	native := ds
	if l.fn.named || native && res.Len() > 0 || hasRangeFunc(l, body) && res.Len() > 0 {
		for i := 0; i < res.Len(); i++ {
			r := res.At(i)
			n := l.name(r)
			if r.Name() == "" || r.Name() == "_" {
				n = l.tmp()
			}
			rn = append(rn, n)
		}
	}
	l.fn.resNames = rn
	l.fn.native = native
	for i, n := range rn { // the interpreter neither clears result variables nor keeps them apart from the caller's
		rt := types.Unalias(l.subst(res.At(i).Type()))
		if l.fn.named && l.vars[res.At(i)].cell() {
			l.line("%s := new(%s)", n, l.tstr(rt))
		} else {
			l.line("var %s %s = %s", n, l.tstr(rt), l.zeroTyped(rt))
		}
	}
	if ds {
		l.line("%s := rt.NewDefers()", l.fn.defers)
		l.line("%s.Call(func() {", l.fn.defers)
	}
	l.stmts(body.List)
	if ds {
		l.line("})")
	}
	if rn != nil {
		l.line("return %s", strings.Join(rn, ", "))
		rn = nil
	}
	ps := l.subst(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())).(*types.Signature)
	sg := l.sigstr(ps, pn, rn)
	if extra {
		sg = "(ds *rt.Defers, " + sg[1:]
	}
	return head + sg + " {\n" + l.b.String() + "}"
}

func hasDefer(b ast.Node) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return true
	})
	return found
}

func hasRangeFunc(l *Lower, b ast.Node) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if l.isRangeFunc(n) {
				found = true
			}
		}
		return true
	})
	return found
}

func (l *Lower) isRangeFunc(n *ast.RangeStmt) bool {
	t := l.info.TypeOf(n.X)
	if t == nil {
		return false
	}
	_, ok := coreType(l.subst(t)).(*types.Signature)
	return ok
}

func coreType(t types.Type) types.Type { return t.Underlying() }

// analyse finds the variables that need a cell of their own.
func (l *Lower) analyse(root ast.Node) {
	type frame struct {
		fn   ast.Node
		loop int
	}
	var walk func(n ast.Node, fr frame)
	def := func(o types.Object, fr frame, inLoop bool) {
		if v, ok := o.(*types.Var); ok && !v.IsField() {
			l.vars[o] = &varInfo{fn: fr.fn, inLoop: inLoop || fr.loop > 0}
		}
	}
	markAddr := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.ParenExpr:
				e = x.X
				continue
			case *ast.SelectorExpr:
				if t := l.info.TypeOf(x.X); t != nil {
					if _, ok := l.subst(t).Underlying().(*types.Pointer); ok {
						return
					}
				}
				e = x.X
				continue
			case *ast.IndexExpr:
				if t := l.info.TypeOf(x.X); t != nil {
					if _, ok := l.subst(t).Underlying().(*types.Array); !ok {
						return
					}
				}
				e = x.X
				continue
			case *ast.Ident:
				if v := l.vars[l.info.Uses[x]]; v != nil {
					v.addr = true
				}
			}
			return
		}
	}
	kids := func(n ast.Node, fr frame) {
		first := true
		ast.Inspect(n, func(c ast.Node) bool {
			if first {
				first = false
				return true
			}
			if c != nil {
				walk(c, fr)
			}
			return false
		})
	}
	walk = func(n ast.Node, fr frame) {
		switch n := n.(type) {
		case nil:
			return
		case *ast.FuncLit:
			kids(n, frame{n, 0})
			return
		case *ast.ForStmt:
			fr2 := frame{fr.fn, fr.loop + 1}
			kids(n, fr2)
			return
		case *ast.RangeStmt:
			fr2 := frame{fr.fn, fr.loop + 1}
			walk(n.X, fr)
			if l.isRangeFunc(n) {
				fr2 = frame{n, 0}
			}
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					walk(e, fr2)
				}
			}
			walk(n.Body, fr2)
			return
		case *ast.CaseClause:
			if o := l.info.Implicits[n]; o != nil {
				def(o, fr, false)
			}
		case *ast.Ident:
			if o := l.info.Defs[n]; o != nil {
				def(o, fr, false)
			} else if o := l.info.Uses[n]; o != nil {
				if v := l.vars[o]; v != nil && v.fn != fr.fn {
					v.captured = true
				}
			}
		case *ast.AssignStmt:
			kids(n, fr)
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); ok {
					if v := l.vars[l.info.Uses[id]]; v != nil {
						v.assigned = true
					}
				}
			}
			return
		case *ast.IncDecStmt:
			kids(n, fr)
			if id, ok := n.X.(*ast.Ident); ok {
				if v := l.vars[l.info.Uses[id]]; v != nil {
					v.assigned = true
				}
			}
			return
		case *ast.UnaryExpr:
			kids(n, fr)
			if n.Op == token.AND {
				markAddr(n.X)
			}
			return
		case *ast.SliceExpr:
			kids(n, fr)
			if t := l.info.TypeOf(n.X); t != nil {
				if _, ok := l.subst(t).Underlying().(*types.Array); ok {
					markAddr(n.X)
				}
			}
			return
		case *ast.SelectorExpr:
			kids(n, fr)
			if s := l.info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
				if sg := s.Obj().Type().(*types.Signature); sg.Recv() != nil {
					if _, ok := sg.Recv().Type().(*types.Pointer); ok {
						markAddr(n.X)
					}
				}
			}
			return
		}
		kids(n, fr)
	}
	walk(root, frame{root, 0})
}

// emitBind writes the function that binds the methods of d's type to a value.
func (l *Lower) emitBind(d *Desc) {
	t := d.T
	l.s.n++
	gen := l.s.n
	ms := types.NewMethodSet(t)
	if ms.Len() > 0 && !isIface(t) {
		lt := l.tstr(t)
		env, ek, inf := l.env, l.envKey, l.info
		_ = inf
		l.queue = append(l.queue, func() {
			saveE, saveK := l.env, l.envKey
			l.env, l.envKey = env, ek
			defer func() { l.env, l.envKey = saveE, saveK }()
			var sb strings.Builder
			fmt.Fprintf(&sb, "func bind_%d_%d(v interface{}, name string) interface{} {\nr := v.(%s)\nswitch name {\n", d.ID, gen, lt)
			for i := 0; i < ms.Len(); i++ {
				m := ms.At(i)
				if l.s.isGhost(m.Obj()) {
					continue
				}
				sig := m.Type().(*types.Signature)
				var ps []string
				for j := 0; j < sig.Params().Len(); j++ {
					ps = append(ps, fmt.Sprintf("a%d", j))
				}
				args := strings.Join(ps, ", ")
				if sig.Variadic() {
					args += "..."
				}
				ret := ""
				if sig.Results().Len() > 0 {
					ret = "return "
				}
				call := l.methodCall("r", t, m.Obj().(*types.Func), m.Index(), args)
				fmt.Fprintf(&sb, "case %q:\nreturn func%s { %s%s }\n", m.Obj().Name(), l.sigstr(sig, ps, nil), ret, call)
			}
			sb.WriteString("}\nreturn nil\n}\n")
			l.decls.WriteString(sb.String())
			l.s.inits = append(l.s.inits, fmt.Sprintf("rt.RegBind(%d, bind_%d_%d)", d.ID, d.ID, gen))
		})
	}
}
