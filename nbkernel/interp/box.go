package interp

import (
	"fmt"
	"go/types"
	"io"
	"os"
	"reflect"
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

func RegBind(id int, f any) { descs[id].bind = f }

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

func IsBox(x any) bool { _, ok := x.(Box); return ok }

func BoxID(x any) int {
	if b, ok := x.(Box); ok {
		return b.D.ID
	}
	return -1
}

var descMem = map[string]*Desc{}

func descOf(t types.Type) *Desc { return descMem[typeKey(t)] }
