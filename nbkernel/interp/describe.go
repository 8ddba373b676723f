package interp

import (
	"go/types"
	"reflect"
	"strings"
)

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
