package interp

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"io"
	"log"
	"os"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"sync"
)

// Desc describes a Go type that the interpreter cannot represent by itself.
type Desc struct {
	ID   int
	T    types.Type
	bind any // func(v any, name string) any
}

func (d *Desc) String() string { return rtName(d.T) }

// Box is the dynamic value of an interface that holds a value of such a type.
type Box struct {
	D *Desc
	V any
}

var (
	descs   []*Desc
	theImp  *Importer
	rtMu    sync.RWMutex
	implMem = map[[2]any]bool{}
	caseTab [][]types.Type
	Out     io.Writer = os.Stdout
)

func MakeBox(id int, v any) any { return Box{descs[id], v} }
func RegBind(id int, f any)     { descs[id].bind = f }

func bound(b Box, name string) reflect.Value {
	if b.D.bind == nil {
		return reflect.Value{}
	}
	f, ok := b.D.bind.(func(any, string) any)
	if !ok {
		panic(fmt.Sprintf("bind is %T", b.D.bind))
	}
	r := f(b.V, name)
	if r == nil {
		return reflect.Value{}
	}
	return reflect.ValueOf(r)
}

// Norm removes a wrapper around an interpreted value.
func Norm(x any) any {
	if x == nil {
		return nil
	}
	switch e := x.(type) {
	case Box:
		return x
	case *errW:
		return e.b
	}
	t := reflect.TypeOf(x)
	if t.Kind() == reflect.Struct && theImp.isWrap[t] {
		return reflect.ValueOf(x).Field(0).Interface()
	}
	return x
}

func Raw(x any) any {
	if b, ok := Norm(x).(Box); ok {
		return b.V
	}
	return x
}

func Eq(a, b any) bool { return Norm(a) == Norm(b) }

func Is(x any, id int) bool {
	b, ok := Norm(x).(Box)
	return ok && b.D.ID == id
}
func Val(x any) any { return Norm(x).(Box).V }

func dynType(x any) types.Type {
	if b, ok := x.(Box); ok {
		return b.D.T
	}
	return theImp.Type(reflect.TypeOf(x))
}

func hasType(x any, t types.Type) bool {
	if x == nil {
		return false
	}
	if b, ok := x.(Box); ok && !types.IsInterface(t) {
		return b.D == descOf(t)
	}
	rtMu.Lock()
	defer rtMu.Unlock()
	dt := dynType(x)
	k := [2]any{dt, t}
	if r, ok := implMem[k]; ok {
		return r
	}
	var r bool
	if it, ok := t.Underlying().(*types.Interface); ok {
		if rt, ok := theImp.rtypes[t]; ok && rt != nil {
			if _, isBox := x.(Box); !isBox {
				r = reflect.TypeOf(x).Implements(rt)
				implMem[k] = r
				return r
			}
		}
		r = types.Implements(dt, it)
	} else {
		r = types.Identical(dt, t)
	}
	implMem[k] = r
	return r
}

// Which returns the index of the first case that x satisfies, or -1.
func Which(x any, tab int) int {
	x = Norm(x)
	for i, t := range caseTab[tab] {
		if t == nil {
			if x == nil {
				return i
			}
			continue
		}
		if hasType(x, t) {
			return i
		}
	}
	return -1
}

func AssertFail(x any, tab int, iface string) {
	x = Norm(x)
	t := caseTab[tab][0]
	if x == nil {
		panic(rtErr(fmt.Sprintf("interface conversion: %s is nil, not %s", iface, rtName(t))))
	}
	if it, ok := t.Underlying().(*types.Interface); ok {
		m, _ := types.MissingMethod(dynType(x), it, true)
		n := ""
		if m != nil {
			n = m.Name()
		}
		panic(rtErr(fmt.Sprintf("interface conversion: %s is not %s: missing method %s", rtName(dynType(x)), rtName(t), n)))
	}
	panic(rtErr(fmt.Sprintf("interface conversion: %s is %s, not %s", iface, rtName(dynType(x)), rtName(t))))
}

type rtErr string

func (e rtErr) Error() string { return string(e) }
func (e rtErr) RuntimeError() {}

var _ runtime.Error = rtErr("")

// Method returns the bound method of x's dynamic value as a func.
func Method(x any, name string) any {
	x = Norm(x)
	if x == nil {
		panic(rtErr("runtime error: invalid memory address or nil pointer dereference"))
	}
	if b, ok := x.(Box); ok {
		return bound(b, name).Interface()
	}
	return reflect.ValueOf(x).MethodByName(name).Interface()
}
func IsBox(x any) bool { _, ok := x.(Box); return ok }
func BoxID(x any) int {
	if b, ok := x.(Box); ok {
		return b.D.ID
	}
	return -1
}

// Wrap gives x the compiled interface type named by key.
func Wrap(x any, key int) any {
	x = Norm(x)
	if x == nil {
		return nil
	}
	it := wrapTab[key]
	b, ok := x.(Box)
	if !ok {
		if !reflect.TypeOf(x).Implements(it) {
			panic(fmt.Sprintf("%T is not %v", x, it))
		}
		return x
	}
	if it == errType {
		return &errW{b}
	}
	w, ok := theImp.wrappers[it]
	if !ok {
		panic("a type of a cell cannot be given to compiled code as " + it.String())
	}
	v := reflect.New(w).Elem()
	v.Field(0).Set(reflect.ValueOf(x))
	for i := 1; i < w.NumField(); i++ {
		m := bound(b, w.Field(i).Name[1:])
		if m.IsValid() {
			v.Field(i).Set(m.Convert(w.Field(i).Type))
		}
	}
	return v.Interface()
}

var wrapTab []reflect.Type
var errType = reflect.TypeOf((*error)(nil)).Elem()

type errW struct{ b Box }

func (e *errW) Error() string { return bound(e.b, "Error").Interface().(func() string)() }
func (e *errW) Unwrap() error {
	if m := bound(e.b, "Unwrap"); m.IsValid() {
		if f, ok := m.Interface().(func() error); ok {
			return f()
		}
	}
	return nil
}
func (e *errW) Is(t error) bool {
	if Norm(t) == any(e.b) {
		return true
	}
	if m := bound(e.b, "Is"); m.IsValid() {
		if f, ok := m.Interface().(func(error) bool); ok {
			return f(t)
		}
	}
	return false
}
func (e *errW) Format(s fmt.State, verb rune) { e.b.Format(s, verb) }

// ErrorsAs walks err's tree; set stores the value if its type fits.
func ErrorsAs(err error, tab int) any {
	for err != nil {
		if Which(err, tab) == 0 {
			return err
		}
		if m, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range m.Unwrap() {
				if r := ErrorsAs(e, tab); r != nil {
					return r
				}
			}
			return nil
		}
		err = errors.Unwrap(err)
	}
	return nil
}

// Defers is the deferred calls of one activation.
type Defers struct {
	fs        []func()
	p         any
	panicking bool
}

func NewDefers() *Defers        { return &Defers{} }
func (d *Defers) Push(f func()) { d.fs = append(d.fs, f) }
func (d *Defers) Recover() any {
	if !d.panicking {
		return nil
	}
	d.panicking = false
	p := d.p
	d.p = nil
	return Norm(goErr(p))
}

// Call runs body, then what it deferred.
func (d *Defers) Call(body func()) {
	func() {
		defer func() {
			if r := recover(); r != nil {
				d.p, d.panicking = r, true
			}
		}()
		body()
	}()
	d.Run(nil)
}
func (d *Defers) Run(p any) {
	if p != nil {
		d.p, d.panicking = p, true
	}
	for len(d.fs) > 0 {
		f := d.fs[len(d.fs)-1]
		d.fs = d.fs[:len(d.fs)-1]
		func() {
			defer func() {
				if r := recover(); r != nil {
					d.p, d.panicking = r, true
				}
			}()
			f()
		}()
	}
	if d.panicking {
		panic(d.p)
	}
}

func goErr(p any) any {
	for {
		v, ok := p.(reflect.Value)
		if !ok {
			break
		}
		if !v.IsValid() || v.Kind() == reflect.Interface && v.IsNil() {
			return nil
		}
		p = v.Interface()
	}
	if e, ok := p.(error); ok && strings.HasPrefix(e.Error(), "reflect: call of ") {
		return rtErr("runtime error: invalid memory address or nil pointer dereference")
	}
	s, ok := p.(string)
	if !ok {
		if e, isErr := p.(*reflect.ValueError); isErr {
			_ = e
			return rtErr("runtime error: invalid memory address or nil pointer dereference")
		}
		return p
	}
	switch {
	case s == "reflect.Value.Call: call of nil function", s == "reflect: Call using zero Value argument", s == "reflect: Method on nil interface value", s == "reflect.Value.Call: call of zero Value":
		return rtErr("runtime error: invalid memory address or nil pointer dereference")
	case strings.HasPrefix(s, "reflect: slice index out of range"), strings.HasPrefix(s, "reflect: array index out of range"), strings.HasPrefix(s, "reflect: string index out of range"):
		return rtErr("runtime error: index out of range")
	case strings.HasPrefix(s, "reflect.Value.Slice: "), strings.HasPrefix(s, "reflect.Value.Slice3: "):
		return rtErr("runtime error: slice bounds out of range")
	}
	if s == "reflect.MakeSlice: negative len" {
		return rtErr("runtime error: makeslice: len out of range")
	}
	return p
}

func Printf(f string, a ...any) (int, error) { f, a = fixT(f, a); return fmt.Fprintf(Out, f, a...) }
func Sprintf(f string, a ...any) string      { f, a = fixT(f, a); return fmt.Sprintf(f, a...) }
func Errorf(f string, a ...any) error {
	f, a = fixT(f, a)
	a = append([]any(nil), a...)
	for i, x := range a {
		if b, ok := x.(Box); ok && bound(b, "Error").IsValid() {
			a[i] = &errW{b}
		}
	}
	return fmt.Errorf(f, a...)
}
func Fprintf(w io.Writer, f string, a ...any) (int, error) {
	f, a = fixT(f, a)
	return fmt.Fprintf(w, f, a...)
}
func Println(a ...any) (int, error) { return fmt.Fprintln(Out, a...) }
func Print(a ...any) (int, error)   { return fmt.Fprint(Out, a...) }
func LogPrintf(f string, a ...any)  { f, a = fixT(f, a); log.Printf(f, a...) }

type named string

func (n named) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, strings.TrimSuffix(fmt.FormatString(s, 's'), "s")+"s", string(n))
}

// fixT replaces the arguments of %T that are boxes by their type's name.
func fixT(f string, a []any) (string, []any) {
	if !strings.Contains(f, "T") {
		return f, a
	}
	out := []byte(f)
	n := 0
	copied := false
	for i := 0; i < len(f); i++ {
		if f[i] != '%' {
			continue
		}
		i++
		for i < len(f) && strings.IndexByte("+-# 0123456789.", f[i]) >= 0 {
			i++
		}
		if i >= len(f) || f[i] == '%' {
			continue
		}
		if f[i] == '[' || f[i] == '*' {
			return f, a
		}
		if f[i] == 'T' && n < len(a) {
			if b, ok := Norm(a[n]).(Box); ok {
				if !copied {
					a = append([]any(nil), a...)
					copied = true
				}
				a[n] = named(rtName(b.D.T))
				out[i] = 's'
			}
		}
		n++
	}
	return string(out), a
}

// rtName writes a type as package reflect does.
func rtName(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return rtName(types.Unalias(t))
	case *types.Basic:
		switch t.Kind() {
		case types.Uint8:
			return "uint8"
		case types.Int32:
			return "int32"
		}
		return t.Name()
	case *types.Named:
		s := t.Obj().Name()
		if t.Obj().Pkg() != nil {
			s = t.Obj().Pkg().Name() + "." + s
		}
		if n := t.TypeArgs().Len(); n > 0 {
			var a []string
			for i := 0; i < n; i++ {
				a = append(a, rtName(t.TypeArgs().At(i)))
			}
			s += "[" + strings.Join(a, ",") + "]"
		}
		return s
	case *types.Pointer:
		return "*" + rtName(t.Elem())
	case *types.Slice:
		return "[]" + rtName(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), rtName(t.Elem()))
	case *types.Map:
		return "map[" + rtName(t.Key()) + "]" + rtName(t.Elem())
	case *types.Chan:
		switch t.Dir() {
		case types.SendOnly:
			return "chan<- " + rtName(t.Elem())
		case types.RecvOnly:
			return "<-chan " + rtName(t.Elem())
		}
		return "chan " + rtName(t.Elem())
	case *types.Signature:
		var a []string
		for i := 0; i < t.Params().Len(); i++ {
			s := rtName(t.Params().At(i).Type())
			if t.Variadic() && i == t.Params().Len()-1 {
				s = "..." + s[2:]
			}
			a = append(a, s)
		}
		s := "func(" + strings.Join(a, ", ") + ")"
		a = nil
		for i := 0; i < t.Results().Len(); i++ {
			a = append(a, rtName(t.Results().At(i).Type()))
		}
		if len(a) == 1 {
			s += " " + a[0]
		} else if len(a) > 1 {
			s += " (" + strings.Join(a, ", ") + ")"
		}
		return s
	case *types.Struct:
		if t.NumFields() == 0 {
			return "struct {}"
		}
		var a []string
		for i := 0; i < t.NumFields(); i++ {
			s := t.Field(i).Name() + " " + rtName(t.Field(i).Type())
			if t.Tag(i) != "" {
				s += fmt.Sprintf(" %q", t.Tag(i))
			}
			a = append(a, s)
		}
		return "struct { " + strings.Join(a, "; ") + " }"
	case *types.Interface:
		if t.NumMethods() == 0 {
			return "interface {}"
		}
		var a []string
		for i := 0; i < t.NumMethods(); i++ {
			a = append(a, t.Method(i).Name()+rtName(t.Method(i).Type())[4:])
		}
		return "interface { " + strings.Join(a, "; ") + " }"
	}
	return t.String()
}

func (b Box) Format(s fmt.State, verb rune) {
	v := reflect.ValueOf(b.V)
	p := printer{s, verb}
	p.val(b, v, b.D.T, 0, true)
}
func (b Box) MarshalJSON() ([]byte, error) { return jsonOf(reflect.ValueOf(b.V), b.D.T) }

func JSONUnmarshal(d []byte, v any) error {
	if b, ok := v.(Box); ok {
		v = &b
	}
	return json.Unmarshal(d, v)
}

// jsonOf follows encoding/json by the checker's types.
func jsonOf(v reflect.Value, t types.Type) ([]byte, error) {
	if !v.IsValid() {
		return []byte("null"), nil
	}
	if d := descOf(t); d != nil {
		b := Box{d, v.Interface()}
		if _, isp := t.(*types.Pointer); !isp || !v.IsNil() {
			if m := bound(b, "MarshalJSON"); m.IsValid() {
				return m.Interface().(func() ([]byte, error))()
			}
			if m := bound(b, "MarshalText"); m.IsValid() {
				r, err := m.Interface().(func() ([]byte, error))()
				if err != nil {
					return nil, err
				}
				return json.Marshal(string(r))
			}
		}
	}
	if !taintedType(t) {
		return json.Marshal(v.Interface())
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		if v.Kind() == reflect.Interface && v.IsNil() {
			return []byte("null"), nil
		}
		return json.Marshal(Norm(v.Interface()))
	case *types.Pointer:
		if v.IsNil() {
			return []byte("null"), nil
		}
		return jsonOf(v.Elem(), u.Elem())
	case *types.Slice, *types.Array:
		var e types.Type
		if s, ok := u.(*types.Slice); ok {
			e = s.Elem()
			if v.IsNil() {
				return []byte("null"), nil
			}
		} else {
			e = u.(*types.Array).Elem()
		}
		out := []json.RawMessage{}
		for i := 0; i < v.Len(); i++ {
			r, err := jsonOf(v.Index(i), e)
			if err != nil {
				return nil, err
			}
			out = append(out, r)
		}
		return json.Marshal(out)
	case *types.Map:
		if v.IsNil() {
			return []byte("null"), nil
		}
		out := map[string]json.RawMessage{}
		for _, k := range v.MapKeys() {
			r, err := jsonOf(v.MapIndex(k), u.Elem())
			if err != nil {
				return nil, err
			}
			out[fmt.Sprint(k.Interface())] = r
		}
		return json.Marshal(out)
	case *types.Struct:
		var sb strings.Builder
		sb.WriteByte('{')
		if err := jsonFields(&sb, v, u); err != nil {
			return nil, err
		}
		sb.WriteByte('}')
		return []byte(sb.String()), nil
	}
	return json.Marshal(v.Interface())
}

func jsonFields(sb *strings.Builder, v reflect.Value, u *types.Struct) error {
	for i := 0; i < u.NumFields(); i++ {
		f := u.Field(i)
		tag := reflect.StructTag(u.Tag(i)).Get("json")
		name, opts, _ := strings.Cut(tag, ",")
		if st, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() && name == "" {
			if err := jsonFields(sb, v.Field(i), st); err != nil {
				return err
			}
			continue
		}
		if !f.Exported() || tag == "-" {
			continue
		}
		fv := v.Field(i)
		if strings.Contains(opts, "omitempty") {
			switch fv.Kind() {
			case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
				if fv.Len() == 0 {
					continue
				}
			case reflect.Struct:
			default:
				if fv.IsZero() {
					continue
				}
			}
		}
		if name == "" {
			name = f.Name()
		}
		r, err := jsonOf(fv, f.Type())
		if err != nil {
			return err
		}
		if sb.Len() > 1 {
			sb.WriteByte(',')
		}
		q, _ := json.Marshal(name)
		sb.Write(q)
		sb.WriteByte(':')
		sb.Write(r)
	}
	return nil
}
func (b Box) UnmarshalJSON(d []byte) error { return json.Unmarshal(d, b.V) }

type printer struct {
	s    fmt.State
	verb rune
}

func (p printer) leaf(v any)   { fmt.Fprintf(p.s, fmt.FormatString(p.s, p.verb), v) }
func (p printer) str(s string) { io.WriteString(p.s, s) }

var descMem = map[string]*Desc{}

func (p printer) methods(b any, v reflect.Value, t types.Type) (done bool) {
	plus, sharp := p.s.Flag('+'), p.s.Flag('#')
	_ = plus
	find := func(n string) reflect.Value {
		o, _, _ := types.LookupFieldOrMethod(t, false, nil, n)
		f, ok := o.(*types.Func)
		if !ok {
			return reflect.Value{}
		}
		_ = f
		if bb, ok := b.(Box); ok {
			return bound(bb, n)
		}
		d := descOf(t)
		if d == nil || !v.CanInterface() {
			return reflect.Value{}
		}
		return bound(Box{d, v.Interface()}, n)
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() != "main" {
		return false
	}
	if m := find("Format"); m.IsValid() {
		if f, ok := m.Interface().(func(fmt.State, rune)); ok {
			f(p.s, p.verb)
			return true
		}
	}
	if sharp && p.verb == 'v' {
		if m := find("GoString"); m.IsValid() {
			p.str(m.Interface().(func() string)())
			return true
		}
		return false
	}
	switch p.verb {
	case 'v', 's', 'x', 'X', 'q':
		for _, n := range []string{"Error", "String"} {
			if m := find(n); m.IsValid() {
				if f, ok := m.Interface().(func() string); ok {
					defer func() {
						if r := recover(); r != nil {
							done = true
							if v.Kind() == reflect.Ptr && v.IsNil() {
								p.str("<nil>")
								return
							}
							fmt.Fprintf(p.s, "%%!%c(PANIC=%s method: %v)", p.verb, n, r)
						}
					}()
					p.leaf(f())
					return true
				}
			}
		}
	}
	return false
}

func descOf(t types.Type) *Desc { return descMem[typeKey(t)] }

func (p printer) val(b any, v reflect.Value, t types.Type, depth int, can bool) {
	if can && v.IsValid() && p.methods(b, v, t) {
		return
	}
	plus, sharp := p.s.Flag('+'), p.s.Flag('#')
	sharpV := sharp && p.verb == 'v'
	plusV := plus && p.verb == 'v'
	if !taintedType(t) {
		if v.CanInterface() {
			p.leaf(v.Interface())
			return
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		if sharpV {
			p.str(rtName(t))
			if v.IsNil() {
				p.str("(nil)")
				return
			}
			p.str("{")
		} else {
			p.str("map[")
		}
		ks := v.MapKeys()
		sort.Slice(ks, func(i, j int) bool { return less(ks[i], ks[j]) })
		for i, k := range ks {
			if i > 0 {
				if sharpV {
					p.str(", ")
				} else {
					p.str(" ")
				}
			}
			p.val(nil, k, u.Key(), depth+1, can)
			p.str(":")
			p.val(nil, v.MapIndex(k), u.Elem(), depth+1, can)
		}
		if sharpV {
			p.str("}")
		} else {
			p.str("]")
		}
	case *types.Struct:
		if sharpV {
			p.str(rtName(t))
		}
		p.str("{")
		for i := 0; i < u.NumFields(); i++ {
			if i > 0 {
				if sharpV {
					p.str(", ")
				} else {
					p.str(" ")
				}
			}
			f := u.Field(i)
			if plusV || sharpV {
				p.str(f.Name() + ":")
			}
			fc := can && f.Exported()
			fv := v.Field(i)
			if fc || fv.Kind() != reflect.Interface {
				p.val(nil, fv, f.Type(), depth+1, fc)
			} else {
				p.val(nil, fv, f.Type(), depth+1, false)
			}
		}
		p.str("}")
	case *types.Interface:
		if v.Kind() == reflect.Interface && v.IsNil() {
			if sharpV {
				p.str(rtName(t) + "(nil)")
			} else {
				p.str("<nil>")
			}
			return
		}
		x := Norm(v.Interface())
		if bb, ok := x.(Box); ok {
			p.val(bb, reflect.ValueOf(bb.V), bb.D.T, depth+1, can)
			return
		}
		p.leaf(x)
	case *types.Slice, *types.Array:
		if (p.verb == 's' || p.verb == 'q' || p.verb == 'x' || p.verb == 'X') && v.Type().Elem().Kind() == reflect.Uint8 {
			p.leaf(v.Interface())
			return
		}
		var e types.Type
		if s, ok := u.(*types.Slice); ok {
			e = s.Elem()
		} else {
			e = u.(*types.Array).Elem()
		}
		open, sep, end := "[", " ", "]"
		if sharpV {
			p.str(rtName(t))
			if v.Kind() == reflect.Slice && v.IsNil() {
				p.str("(nil)")
				return
			}
			open, sep, end = "{", ", ", "}"
		}
		p.str(open)
		for i := 0; i < v.Len(); i++ {
			if i > 0 {
				p.str(sep)
			}
			p.val(nil, v.Index(i), e, depth+1, can)
		}
		p.str(end)
	case *types.Pointer:
		if depth == 0 && v.Kind() == reflect.Ptr && !v.IsNil() {
			switch u.Elem().Underlying().(type) {
			case *types.Array, *types.Slice, *types.Struct, *types.Map:
				p.str("&")
				p.val(nil, v.Elem(), u.Elem(), depth+1, can)
				return
			}
		}
		p.ptr(v, t, depth)
	case *types.Chan, *types.Signature:
		p.ptr(v, t, depth)
	default:
		if !v.CanInterface() {
			p.leaf(fmt.Sprint(v))
			return
		}
		x := v.Interface()
		p.leaf(x)
	}
}

func (p printer) ptr(v reflect.Value, t types.Type, depth int) {
	var u uintptr
	switch v.Kind() {
	case reflect.Ptr, reflect.Chan, reflect.Func, reflect.Map, reflect.Slice:
		u = v.Pointer()
	}
	if p.verb == 'v' && p.s.Flag('#') {
		if u == 0 {
			p.str("(" + rtName(t) + ")(nil)")
		} else {
			p.str(fmt.Sprintf("(%s)(%#x)", rtName(t), u))
		}
		return
	}
	if p.verb == 'v' {
		if u == 0 {
			p.str("<nil>")
		} else {
			p.str(fmt.Sprintf("%#x", u))
		}
		return
	}
	if v.CanInterface() {
		p.leaf(v.Interface())
	}
}

func less(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return a.Int() < b.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return a.Uint() < b.Uint()
	case reflect.String:
		return a.String() < b.String()
	case reflect.Float32, reflect.Float64:
		return a.Float() < b.Float() || a.Float() != a.Float() && b.Float() == b.Float()
	case reflect.Bool:
		return !a.Bool() && b.Bool()
	case reflect.Struct:
		for i := 0; i < a.NumField(); i++ {
			if less(a.Field(i), b.Field(i)) {
				return true
			}
			if less(b.Field(i), a.Field(i)) {
				return false
			}
		}
	case reflect.Array:
		for i := 0; i < a.Len(); i++ {
			if less(a.Index(i), b.Index(i)) {
				return true
			}
			if less(b.Index(i), a.Index(i)) {
				return false
			}
		}
	case reflect.Interface:
		return less(reflect.ValueOf(Raw(a.Interface())), reflect.ValueOf(Raw(b.Interface())))
	}
	return false
}

func Clear(m any) { reflect.ValueOf(m).Clear() }

// Go starts f; a panic in it is reported, not fatal.
func Go(f func()) {
	go func() {
		defer func() {
			if r := recover(); r != nil {
				GoPanic(r)
			}
		}()
		f()
	}()
}

// goPanic is told of a panic in a goroutine that interpreted code started.
var goPanic struct {
	sync.Mutex
	f func(value any)
}

// setGoPanic sets what is told of panics in goroutines, and returns a function that restores
// what was told before.
func setGoPanic(f func(value any)) (restore func()) {
	goPanic.Lock()
	defer goPanic.Unlock()
	before := goPanic.f
	goPanic.f = f
	return func() {
		goPanic.Lock()
		defer goPanic.Unlock()
		goPanic.f = before
	}
}

// GoPanic reports a panic in a goroutine: it fails the cell that runs, and is written to
// standard error when none does.
func GoPanic(r any) {
	value := Norm(goErr(r))
	goPanic.Lock()
	defer goPanic.Unlock()
	if goPanic.f != nil {
		goPanic.f(value)
		return
	}
	fmt.Fprintf(os.Stderr, "panic in a goroutine: %v\n", panicText(value))
}

func rtSymbols() Exports {
	m := map[string]reflect.Value{}
	for n, f := range map[string]any{"MakeBox": MakeBox, "RegBind": RegBind, "Norm": Norm, "Raw": Raw, "Eq": Eq, "Is": Is, "Val": Val, "Which": Which, "AssertFail": AssertFail,
		"Method": Method, "IsBox": IsBox, "BoxID": BoxID, "Wrap": Wrap, "ErrorsAs": ErrorsAs, "NewDefers": NewDefers, "Printf": Printf, "Sprintf": Sprintf, "Errorf": Errorf, "Fprintf": Fprintf, "Println": Println, "Print": Print, "Clear": Clear, "GoPanic": GoPanic, "Go": Go, "JSONUnmarshal": JSONUnmarshal} {
		m[n] = reflect.ValueOf(f)
	}
	m["Defers"] = reflect.ValueOf((*Defers)(nil))
	return Exports{"eb/rt/rt": m}
}
