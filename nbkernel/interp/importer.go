package interp

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"sort"
	"strings"
)

type Exports = map[string]map[string]reflect.Value

// Importer describes packages from reflected symbol tables.
type Importer struct {
	syms   map[string]map[string]reflect.Value // import path -> symbols
	names  map[string]string                   // import path -> package name
	pkgs   map[string]*types.Package
	loaded map[string]bool
	types  map[reflect.Type]types.Type
	rtypes map[types.Type]reflect.Type // Named -> reflect
	srcs   map[string]string           // generic packages as source
	fset   *token.FileSet
	onSrc  func(path string, pkg *types.Package, f *ast.File, info *types.Info)
	hidden map[reflect.Type]string
	// wrappers: reflect type of interface -> wrapper struct type
	wrappers map[reflect.Type]reflect.Type
	isWrap   map[reflect.Type]bool
	NTypes   int
}

func NewImporter(fset *token.FileSet, srcs map[string]string, tabs ...Exports) *Importer {
	im := &Importer{syms: map[string]map[string]reflect.Value{}, names: map[string]string{}, pkgs: map[string]*types.Package{},
		loaded: map[string]bool{}, types: map[reflect.Type]types.Type{}, rtypes: map[types.Type]reflect.Type{}, srcs: srcs, fset: fset,
		hidden: map[reflect.Type]string{}, wrappers: map[reflect.Type]reflect.Type{}, isWrap: map[reflect.Type]bool{}}
	for _, tab := range tabs {
		for k, m := range tab {
			p := path.Dir(k)
			if p == "." || strings.HasPrefix(p, "github.com/traefik/yaegi") {
				continue
			}
			im.names[p] = path.Base(k)
			if im.syms[p] == nil {
				im.syms[p] = m
				continue
			}
			for n, v := range m {
				im.syms[p][n] = v
			}
		}
	}
	im.types[reflect.TypeOf((*error)(nil)).Elem()] = types.Universe.Lookup("error").Type()
	return im
}

func (im *Importer) Paths() []string {
	var r []string
	for p := range im.syms {
		r = append(r, p)
	}
	sort.Strings(r)
	return r
}

func (im *Importer) pkg(p string) *types.Package {
	if pk := im.pkgs[p]; pk != nil {
		return pk
	}
	name := im.names[p]
	if name == "" {
		name = path.Base(p)
		if len(name) > 1 && name[0] == 'v' && name[1] >= '2' && name[1] <= '9' {
			name = path.Base(path.Dir(p))
		}
	}
	pk := types.NewPackage(p, name)
	im.pkgs[p] = pk
	return pk
}

var runeConsts = map[string]bool{"unicode/utf8.RuneError": true, "unicode/utf8.MaxRune": true, "unicode.MaxRune": true, "unicode.ReplacementChar": true, "os.PathSeparator": true, "os.PathListSeparator": true, "path/filepath.Separator": true, "path/filepath.ListSeparator": true}

func (im *Importer) Import(p string) (*types.Package, error) {
	if p == "unsafe" {
		return types.Unsafe, nil
	}
	if im.loaded[p] {
		return im.pkgs[p], nil
	}
	if src, ok := im.srcs[p]; ok {
		f, err := parser.ParseFile(im.fset, p+".go", src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		info := newInfo()
		conf := types.Config{Importer: im}
		pk, err := conf.Check(p, im.fset, []*ast.File{f}, info)
		if err != nil {
			return nil, err
		}
		im.pkgs[p], im.loaded[p] = pk, true
		if im.onSrc != nil {
			im.onSrc(p, pk, f, info)
		}
		return pk, nil
	}
	m, ok := im.syms[p]
	if !ok {
		return nil, fmt.Errorf("package %q is not compiled into this kernel", p)
	}
	pk := im.pkg(p)
	im.loaded[p] = true
	sc := pk.Scope()
	cv := reflect.TypeOf((*constant.Value)(nil)).Elem()
	var ifaces, concs []reflect.Type
	for name, v := range m {
		if name[0] == '_' {
			if v.Kind() == reflect.Ptr {
				w := v.Type().Elem()
				if w.Kind() != reflect.Struct || w.NumField() == 0 || w.Field(0).Name != "IValue" {
					continue
				}
				im.isWrap[w] = true
				if iv, ok := m[name[1:]]; ok && iv.Kind() == reflect.Ptr && iv.Type().Elem().Kind() == reflect.Interface {
					im.wrappers[iv.Type().Elem()] = w
				}
			}
			continue
		}
		t := v.Type()
		if sc.Lookup(name) != nil { // a type some other entry's type led to
			if t.Kind() == reflect.Ptr && !v.CanAddr() {
				if t.Elem().Kind() == reflect.Interface {
					ifaces = append(ifaces, t.Elem())
				} else {
					concs = append(concs, t.Elem())
				}
			}
			continue
		}
		var o types.Object
		switch {
		case !v.CanAddr() && t.Implements(cv):
			c := v.Interface().(constant.Value)
			var ut types.Type
			switch c.Kind() {
			case constant.Bool:
				ut = types.Typ[types.UntypedBool]
			case constant.String:
				ut = types.Typ[types.UntypedString]
			case constant.Int:
				ut = types.Typ[types.UntypedInt]
				if runeConsts[p+"."+name] {
					ut = types.Typ[types.UntypedRune]
				}
			case constant.Float:
				ut = types.Typ[types.UntypedFloat]
			default:
				ut = types.Typ[types.UntypedComplex]
			}
			o = types.NewConst(0, pk, name, ut, c)
		case v.CanAddr():
			o = types.NewVar(0, pk, name, im.Type(t))
		case t.Kind() == reflect.Func:
			o = types.NewFunc(0, pk, name, im.Type(t).(*types.Signature))
		case t.Kind() == reflect.Ptr && v.IsNil():
			e := t.Elem()
			ty := im.Type(e)
			if sc.Lookup(name) != nil {
				goto kinds
			}
			o = types.NewTypeName(0, pk, name, ty) // alias
		kinds:
			if e.Kind() == reflect.Interface {
				ifaces = append(ifaces, e)
			} else {
				concs = append(concs, e)
			}
		default:
			var c constant.Value
			switch t.Kind() {
			case reflect.Bool:
				c = constant.MakeBool(v.Bool())
			case reflect.String:
				c = constant.MakeString(v.String())
			case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
				c = constant.MakeInt64(v.Int())
			case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
				c = constant.MakeUint64(v.Uint())
			case reflect.Float32, reflect.Float64:
				c = constant.MakeFloat64(v.Float())
			}
			if c != nil {
				o = types.NewConst(0, pk, name, im.Type(t), c)
			}
		}
		if o != nil {
			sc.Insert(o)
		}
	}
	// unexported interface methods: give them to the concrete types that have them.
	for _, it := range ifaces {
		for i := 0; i < it.NumMethod(); i++ {
			if it.Method(i).PkgPath == "" {
				continue
			}
			for _, c := range concs {
				n, ok := im.types[c].(*types.Named)
				if !ok {
					continue
				}
				ptr := !c.Implements(it)
				if ptr && !reflect.PointerTo(c).Implements(it) {
					continue
				}
				var rt types.Type = n
				if ptr {
					rt = types.NewPointer(n)
				}
				sig := im.Type(it.Method(i).Type).(*types.Signature)
				n.AddMethod(types.NewFunc(0, im.pkg(it.Method(i).PkgPath), it.Method(i).Name, types.NewSignatureType(types.NewParam(0, pk, "", rt), nil, nil, sig.Params(), sig.Results(), sig.Variadic())))
			}
		}
	}
	pk.MarkComplete()
	return pk, nil
}

var basics = map[reflect.Kind]types.BasicKind{reflect.Bool: types.Bool, reflect.Int: types.Int, reflect.Int8: types.Int8, reflect.Int16: types.Int16, reflect.Int32: types.Int32, reflect.Int64: types.Int64, reflect.Uint: types.Uint, reflect.Uint8: types.Uint8, reflect.Uint16: types.Uint16, reflect.Uint32: types.Uint32, reflect.Uint64: types.Uint64, reflect.Uintptr: types.Uintptr, reflect.Float32: types.Float32, reflect.Float64: types.Float64, reflect.Complex64: types.Complex64, reflect.Complex128: types.Complex128, reflect.String: types.String, reflect.UnsafePointer: types.UnsafePointer}

func (im *Importer) Type(t reflect.Type) types.Type {
	if r, ok := im.types[t]; ok {
		return r
	}
	im.NTypes++
	if t.PkgPath() != "" && t.Name() != "" {
		if t.PkgPath() == "iter" && strings.HasPrefix(t.Name(), "Seq") {
			ip, err := im.Import("iter")
			if err != nil {
				panic(err)
			}
			y := t.In(0)
			var as []types.Type
			for i := 0; i < y.NumIn(); i++ {
				as = append(as, im.Type(y.In(i)))
			}
			g, _, _ := strings.Cut(t.Name(), "[")
			r, err := types.Instantiate(nil, ip.Scope().Lookup(g).Type(), as, false)
			if err != nil {
				panic(err)
			}
			im.types[t] = r
			return r
		}
		pk := im.pkg(t.PkgPath())
		tn := types.NewTypeName(0, pk, t.Name(), nil)
		n := types.NewNamed(tn, nil, nil)
		im.types[t] = n
		im.rtypes[n] = t
		if !strings.Contains(t.Name(), "[") && pk.Scope().Lookup(t.Name()) == nil {
			pk.Scope().Insert(tn)
		}
		n.SetUnderlying(im.under(t))
		if t.Kind() != reflect.Interface {
			pt := reflect.PointerTo(t)
			for i := 0; i < pt.NumMethod(); i++ {
				m := pt.Method(i)
				var rt types.Type = n
				if _, ok := t.MethodByName(m.Name); !ok {
					rt = types.NewPointer(n)
				}
				n.AddMethod(types.NewFunc(0, pk, m.Name, im.sig(m.Type, types.NewParam(0, pk, "", rt), 1)))
			}
		}
		return n
	}
	r := im.under(t)
	im.types[t] = r
	return r
}

func (im *Importer) sig(t reflect.Type, recv *types.Var, skip int) *types.Signature {
	var ps, rs []*types.Var
	for i := skip; i < t.NumIn(); i++ {
		ps = append(ps, types.NewParam(0, nil, "", im.Type(t.In(i))))
	}
	for i := 0; i < t.NumOut(); i++ {
		rs = append(rs, types.NewParam(0, nil, "", im.Type(t.Out(i))))
	}
	return types.NewSignatureType(recv, nil, nil, types.NewTuple(ps...), types.NewTuple(rs...), t.IsVariadic())
}

func (im *Importer) under(t reflect.Type) types.Type {
	if b, ok := basics[t.Kind()]; ok {
		return types.Typ[b]
	}
	switch t.Kind() {
	case reflect.Slice:
		return types.NewSlice(im.Type(t.Elem()))
	case reflect.Array:
		return types.NewArray(im.Type(t.Elem()), int64(t.Len()))
	case reflect.Map:
		return types.NewMap(im.Type(t.Key()), im.Type(t.Elem()))
	case reflect.Ptr:
		return types.NewPointer(im.Type(t.Elem()))
	case reflect.Chan:
		d := map[reflect.ChanDir]types.ChanDir{reflect.BothDir: types.SendRecv, reflect.SendDir: types.SendOnly, reflect.RecvDir: types.RecvOnly}[t.ChanDir()]
		return types.NewChan(d, im.Type(t.Elem()))
	case reflect.Func:
		return im.sig(t, nil, 0)
	case reflect.Struct:
		var fs []*types.Var
		var tags []string
		for i := 0; i < t.NumField(); i++ {
			f := t.Field(i)
			var pk *types.Package
			if f.PkgPath != "" {
				pk = im.pkg(f.PkgPath)
			} else if t.PkgPath() != "" {
				pk = im.pkg(t.PkgPath())
			}
			fs = append(fs, types.NewField(0, pk, f.Name, im.Type(f.Type), f.Anonymous))
			tags = append(tags, string(f.Tag))
		}
		return types.NewStruct(fs, tags)
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return types.Universe.Lookup("any").Type().Underlying()
		}
		var ms []*types.Func
		for i := 0; i < t.NumMethod(); i++ {
			m := t.Method(i)
			var pk *types.Package
			if m.PkgPath != "" {
				pk = im.pkg(m.PkgPath)
			} else if t.PkgPath() != "" {
				pk = im.pkg(t.PkgPath())
			}
			ms = append(ms, types.NewFunc(0, pk, m.Name, im.sig(m.Type, nil, 0)))
		}
		return types.NewInterfaceType(ms, nil).Complete()
	}
	panic("front: no type for " + t.String())
}

func newInfo() *types.Info {
	return &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{}}
}
