package interp

import (
	"fmt"
	"go/types"
	"reflect"
	"runtime"
)

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
