package symbols

import (
	"flag"
	"sync/atomic"
)

// Flags are the flags that the cells of a session have declared. Each cell has a
// flag.CommandLine of its own, so that it may run again; when that is parsed, the flags of
// earlier cells join it, with their default values.
type Flags struct {
	line    *flag.FlagSet
	earlier map[string]*flag.Flag
}

// present are the flags of the session that runs a cell.
var present atomic.Pointer[Flags]

// Begin makes flag.CommandLine anew, for a program of this name.
func (f *Flags) Begin(name string) {
	f.keep()
	f.line = flag.NewFlagSet(name, flag.PanicOnError)
	flag.CommandLine = f.line
	present.Store(f)
}

// Declared reports whether there are flags.
func (f *Flags) Declared() bool {
	f.keep()
	return len(f.earlier) > 0
}

func (f *Flags) keep() {
	if f.line == nil {
		return
	}
	f.line.VisitAll(func(v *flag.Flag) {
		if f.earlier == nil {
			f.earlier = map[string]*flag.Flag{}
		}
		f.earlier[v.Name] = v
	})
}

// join adds the flags of earlier cells to the command line of the present one.
func (f *Flags) join(line *flag.FlagSet) {
	if line != f.line {
		return
	}
	for name, v := range f.earlier {
		if line.Lookup(name) != nil {
			continue
		}
		if v.Value.String() != v.DefValue {
			_ = v.Value.Set(v.DefValue) // a default value that the flag refuses was not its value before
		}
		line.Var(v.Value, name, v.Usage)
	}
}
