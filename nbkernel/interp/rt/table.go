// Package rt is the run-time library of lowered code: what the text that package lower writes
// calls, and yaegi therefore runs compiled.
//
// yaegi's interface values forget the methods and the name of a type that a cell declares, so
// such a value goes into an interface as a Box, a comparable compiled value that has its type
// beside it. Equality, map keys, typed nils, type switches, %T, formatted output and JSON then
// are right because the type is part of the value. Types are those of go/types, as the checker
// of the cells has them.
//
// Lowered code names types by number. A Table has what the numbers of one session stand for;
// its Symbols are what the session's interpreter imports as rt. Sessions share nothing.
//
// This package does not know the interpreter, so that another one can take yaegi's place. It
// only knows, in PanicValue, what the panics of a reflecting interpreter mean in Go.
package rt

import (
	"go/types"
	"reflect"
	"sync"

	"eigenbook/nbkernel/interp/importer"
)

// A Table is the run-time state of a session. It is safe for concurrent use: goroutines of
// earlier cells may run while the next cell is lowered.
type Table struct {
	importer *importer.Importer

	mu         sync.RWMutex
	descs      []*Desc
	byKey      map[string]*Desc
	numbers    map[*types.TypeName]int // tells types of the same name apart, see key
	cases      [][]target
	interfaces []reflect.Type // compiled interface types that values are wrapped for
	satisfies  map[question]bool

	panics struct {
		sync.Mutex
		report func(value any, at int)
	}
	recovered func()
	places    sync.Map // goroutine → *int, where it is
}

// NewTable returns the table of a session that describes compiled types with im.
func NewTable(im *importer.Importer) *Table {
	return &Table{
		importer:  im,
		byKey:     map[string]*Desc{},
		numbers:   map[*types.TypeName]int{},
		satisfies: map[question]bool{},
		recovered: func() {},
	}
}

// Symbols returns what lowered code imports as rt.
func (t *Table) Symbols() map[string]reflect.Value {
	symbols := map[string]reflect.Value{"Defers": reflect.ValueOf((*Defers)(nil))}
	for name, f := range map[string]any{
		"AssertFail":     t.AssertFail,
		"Bind":           t.Bind,
		"Clear":          Clear,
		"Complex":        Complex,
		"Length":         Length,
		"NilDereference": NilDereference,
		"NilInterface":   NilInterface,
		"Eq":             t.Eq,
		"Erase":          Erase,
		"Errorf":         t.Errorf,
		"ErrorsAs":       t.ErrorsAs,
		"Fprintf":        t.Fprintf,
		"Go":             t.Go,
		"Place":          t.Place,
		"MakeBox":        t.MakeBox,
		"Method":         t.Method,
		"NewDefers":      t.NewDefers,
		"Norm":           t.Norm,
		"Panic":          PanicArgument,
		"Print":          t.Print,
		"Printf":         t.Printf,
		"Println":        t.Println,
		"Raw":            t.Raw,
		"Represent":      t.Represent,
		"Rune":           Rune,
		"Sprintf":        t.Sprintf,
		"Target":         t.Target,
		"Unmarshal":      t.Unmarshal,
		"Val":            t.Val,
		"Which":          t.Which,
		"Wrap":           t.Wrap,
	} {
		symbols[name] = reflect.ValueOf(f)
	}
	return symbols
}
