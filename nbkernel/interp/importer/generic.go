package importer

import (
	"go/ast"
	"go/parser"
	"go/types"
)

// Generic reports whether the package with this path is source, and no compiled package.
func Generic(path string) bool { return generic[path] != "" }

// check parses and checks a generic package and keeps its functions.
func (im *Importer) check(path, source string) (*types.Package, error) {
	file, err := parser.ParseFile(im.fset, path+".go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	info := NewInfo()
	conf := types.Config{Importer: locked{im}}
	pkg, err := conf.Check(path, im.fset, []*ast.File{file}, info)
	if err != nil {
		return nil, err
	}
	im.packages[path], im.complete[path] = pkg, true
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			im.functions[info.Defs[d.Name].(*types.Func)] = Function{d, info}
		}
	}
	return pkg, nil
}

// NewInfo returns an Info in which the checker records all that lowering asks for.
func NewInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{},
		Instances:  map[*ast.Ident]types.Instance{},
	}
}

// generic has the generic packages as source. SortFunc and SortStableFunc have no body: the
// lowered ones call package sort.
var generic = map[string]string{
	"cmp": `package cmp
type Ordered interface { ~int|~int8|~int16|~int32|~int64|~uint|~uint8|~uint16|~uint32|~uint64|~uintptr|~float32|~float64|~string }
func Less[T Ordered](x, y T) bool { return x != x && y == y || x < y }
func Compare[T Ordered](x, y T) int {
	if x < y || x != x && y == y { return -1 }
	if x > y || x == x && y != y { return 1 }
	return 0
}
func Or[T comparable](vs ...T) T { var z T; for _, v := range vs { if v != z { return v } }; return z }
`,
	"iter": `package iter
type Seq[V any] func(yield func(V) bool)
type Seq2[K, V any] func(yield func(K, V) bool)
func Pull[V any](seq Seq[V]) (next func() (V, bool), stop func()) {
	ch := make(chan V); req := make(chan bool); done := false; started := false
	run := func() { if <-req { seq(func(v V) bool { ch <- v; return <-req }) }; close(ch) }
	next = func() (V, bool) { var z V; if done { return z, false }; if !started { started = true; go run() }; req <- true; v, ok := <-ch; if !ok { done = true }; return v, ok }
	stop = func() { if done { return }; done = true; if started { req <- false; <-ch } }
	return
}
`,
	"slices": `package slices
import ("cmp"; "iter")
func Sort[S ~[]E, E cmp.Ordered](x S) { SortFunc(x, func(a, b E) int { return cmp.Compare(a, b) }) }
func SortFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {}
func SortStableFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {}
func IsSorted[S ~[]E, E cmp.Ordered](x S) bool { for i := 1; i < len(x); i++ { if cmp.Less(x[i], x[i-1]) { return false } }; return true }
func Max[S ~[]E, E cmp.Ordered](x S) E { if len(x) < 1 { panic("slices.Max: empty list") }; m := x[0]; for _, v := range x[1:] { m = max(m, v) }; return m }
func Min[S ~[]E, E cmp.Ordered](x S) E { if len(x) < 1 { panic("slices.Min: empty list") }; m := x[0]; for _, v := range x[1:] { m = min(m, v) }; return m }
func MaxFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E { m := x[0]; for _, v := range x[1:] { if cmp(v, m) > 0 { m = v } }; return m }
func MinFunc[S ~[]E, E any](x S, cmp func(a, b E) int) E { m := x[0]; for _, v := range x[1:] { if cmp(v, m) < 0 { m = v } }; return m }
func Index[S ~[]E, E comparable](s S, v E) int { for i := range s { if v == s[i] { return i } }; return -1 }
func IndexFunc[S ~[]E, E any](s S, f func(E) bool) int { for i := range s { if f(s[i]) { return i } }; return -1 }
func Contains[S ~[]E, E comparable](s S, v E) bool { return Index(s, v) >= 0 }
func ContainsFunc[S ~[]E, E any](s S, f func(E) bool) bool { return IndexFunc(s, f) >= 0 }
func Equal[S ~[]E, E comparable](a, b S) bool { if len(a) != len(b) { return false }; for i := range a { if a[i] != b[i] { return false } }; return true }
func Reverse[S ~[]E, E any](s S) { for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 { s[i], s[j] = s[j], s[i] } }
func Clone[S ~[]E, E any](s S) S { if s == nil { return nil }; return append(S{}, s...) }
func Insert[S ~[]E, E any](s S, i int, v ...E) S { t := append(S{}, s[i:]...); return append(append(s[:i:i], v...), t...) }
func Delete[S ~[]E, E any](s S, i, j int) S { n := len(s); s = append(s[:i], s[j:]...); clear(s[len(s):n]); return s }
func Compact[S ~[]E, E comparable](s S) S { if len(s) < 2 { return s }; k := 1; for i := 1; i < len(s); i++ { if s[i] != s[i-1] { s[k] = s[i]; k++ } }; clear(s[k:]); return s[:k] }
func Concat[S ~[]E, E any](ss ...S) S { var r S; for _, s := range ss { r = append(r, s...) }; return r }
func Repeat[S ~[]E, E any](s S, n int) S { var r S; for range n { r = append(r, s...) }; return r }
func BinarySearch[S ~[]E, E cmp.Ordered](x S, t E) (int, bool) { i, j := 0, len(x); for i < j { h := (i+j)/2; if cmp.Less(x[h], t) { i = h+1 } else { j = h } }; return i, i < len(x) && x[i] == t }
func All[S ~[]E, E any](s S) iter.Seq2[int, E] { return func(yield func(int, E) bool) { for i, v := range s { if !yield(i, v) { return } } } }
func Values[S ~[]E, E any](s S) iter.Seq[E] { return func(yield func(E) bool) { for _, v := range s { if !yield(v) { return } } } }
func Backward[S ~[]E, E any](s S) iter.Seq2[int, E] { return func(yield func(int, E) bool) { for i := len(s)-1; i >= 0; i-- { if !yield(i, s[i]) { return } } } }
func Collect[E any](seq iter.Seq[E]) []E { var r []E; for v := range seq { r = append(r, v) }; return r }
func Sorted[E cmp.Ordered](seq iter.Seq[E]) []E { r := Collect(seq); Sort(r); return r }
func Chunk[S ~[]E, E any](s S, n int) iter.Seq[S] { return func(yield func(S) bool) { for i := 0; i < len(s); i += n { e := min(n, len(s[i:])); if !yield(s[i:i+e:i+e]) { return } } } }
`,
	"maps": `package maps
import "iter"
func Keys[M ~map[K]V, K comparable, V any](m M) iter.Seq[K] { return func(yield func(K) bool) { for k := range m { if !yield(k) { return } } } }
func Values[M ~map[K]V, K comparable, V any](m M) iter.Seq[V] { return func(yield func(V) bool) { for _, v := range m { if !yield(v) { return } } } }
func All[M ~map[K]V, K comparable, V any](m M) iter.Seq2[K, V] { return func(yield func(K, V) bool) { for k, v := range m { if !yield(k, v) { return } } } }
func Clone[M ~map[K]V, K comparable, V any](m M) M { if m == nil { return nil }; r := make(M, len(m)); for k, v := range m { r[k] = v }; return r }
func Copy[M1 ~map[K]V, M2 ~map[K]V, K comparable, V any](dst M1, src M2) { for k, v := range src { dst[k] = v } }
func Equal[M1, M2 ~map[K]V, K, V comparable](a M1, b M2) bool { if len(a) != len(b) { return false }; for k, v := range a { if w, ok := b[k]; !ok || w != v { return false } }; return true }
func Collect[K comparable, V any](seq iter.Seq2[K, V]) map[K]V { r := map[K]V{}; for k, v := range seq { r[k] = v }; return r }
func DeleteFunc[M ~map[K]V, K comparable, V any](m M, del func(K, V) bool) { for k, v := range m { if del(k, v) { delete(m, k) } } }
`,
}
