package rt

import (
	"go/token"
	"net/url"
	"reflect"
	"testing"
	"time"

	"eigenbook/nbkernel/interp/importer"
)

// TestTypeName compares with package reflect, and asks that a key tells the same types apart
// as reflection does.
func TestTypeName(t *testing.T) {
	im := importer.New(token.NewFileSet(), nil)
	table := NewTable(im)
	keys := map[string]reflect.Type{}
	for _, v := range []any{
		byte(0), 'a', "", uintptr(0), 2i, []byte{}, [3]int{}, map[string][]rune{}, (*int)(nil), time.Second, &url.URL{},
		make(chan int), make(<-chan int), make(chan<- int), func() {}, func(int, ...string) error { return nil },
		func() (int, error) { return 0, nil }, struct{}{}, struct {
			A int `json:"a"`
			B *time.Time
		}{}, struct{ A int }{}, (*any)(nil), (*error)(nil), (*interface{ M(int) string })(nil),
	} {
		r := reflect.TypeOf(v)
		typ := im.Type(r)
		if got := TypeName(typ); got != r.String() {
			t.Errorf("TypeName of %v is %s", r, got)
		}
		key := table.Key(typ)
		if other, ok := keys[key]; ok {
			t.Errorf("%v and %v have the key %s", r, other, key)
		}
		keys[key] = r
	}
}

// TestPanicValue provokes the panics of package reflect that interpreted code runs into.
func TestPanicValue(t *testing.T) {
	var f func()
	var p *struct{ X int }
	five := 5
	for name, tc := range map[string]struct {
		reflected func()
		want      string
	}{
		"nil function": {func() { reflect.ValueOf(f).Call(nil) }, string(nilDereference)},
		"nil pointer":  {func() { reflect.ValueOf(p).Elem().Field(0) }, string(nilDereference)},
		"index":        {func() { reflect.ValueOf([]int{1}).Index(five) }, "runtime error: index out of range"},
		"array":        {func() { reflect.ValueOf([1]int{1}).Index(five) }, "runtime error: index out of range"},
		"string":       {func() { reflect.ValueOf("a").Index(five) }, "runtime error: index out of range"},
		"slice":        {func() { reflect.ValueOf([]int{1}).Slice(five, five) }, "runtime error: slice bounds out of range"},
		"make":         {func() { reflect.MakeSlice(reflect.TypeFor[[]int](), -1, five) }, "runtime error: makeslice: len out of range"},
		"the user's":   {func() { panic("reflect on this") }, "reflect on this"},
	} {
		func() {
			defer func() {
				if got := PanicText(PanicValue(recover())); got != tc.want {
					t.Errorf("%s: %s, want %s", name, got, tc.want)
				}
			}()
			tc.reflected()
		}()
	}
}
