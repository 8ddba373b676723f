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
