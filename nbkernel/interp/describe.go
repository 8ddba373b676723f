package interp

import (
	"go/types"
	"strings"

	"eigenbook/nbkernel/symbols"
)

// signature returns the type of an object as completion shows it.
func (s *Session) signature(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		return o.Name() + strings.TrimPrefix(s.functionType(o), "func")
	case *types.Builtin:
		text, _, _ := strings.Cut(strings.TrimPrefix(builtins[o.Name()], "func "), "\n")
		return text
	case *types.TypeName:
		return "type " + o.Name()
	case *types.Nil:
		return "nil"
	}
	return types.TypeString(o.Type(), (*types.Package).Name)
}

// functionType writes the type of a function with the names of its parameters.
func (s *Session) functionType(f *types.Func) string {
	signature := f.Signature()
	if key := docKey(f); key.path != "" {
		if names := symbols.Doc(key.path, key.name).Params; names != "" {
			signature = named(signature, strings.Split(names, " "))
		}
	}
	return types.TypeString(signature, (*types.Package).Name)
}

// named gives the parameters of a signature names, if there are as many.
func named(t *types.Signature, names []string) *types.Signature {
	if len(names) != t.Params().Len()+t.Results().Len() {
		return t
	}
	give := func(list *types.Tuple, names []string) *types.Tuple {
		var vars []*types.Var
		for i, name := range names {
			if name == "-" {
				name = ""
			}
			vars = append(vars, types.NewParam(0, nil, name, list.At(i).Type()))
		}
		return types.NewTuple(vars...)
	}
	n := t.Params().Len()
	return types.NewSignatureType(nil, nil, nil, give(t.Params(), names[:n]), give(t.Results(), names[n:]), t.Variadic())
}

// declaration writes what declares an object.
func (s *Session) declaration(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		receiver := ""
		if recv := o.Signature().Recv(); recv != nil {
			receiver = "(" + types.TypeString(recv.Type(), (*types.Package).Name) + ") "
		} else if o.Pkg() != nil && o.Pkg() != s.pkg {
			receiver = o.Pkg().Name() + "."
		}
		return "func " + receiver + o.Name() + strings.TrimPrefix(s.functionType(o), "func")
	case *types.Builtin:
		return builtins[o.Name()]
	case *types.Const:
		name := o.Name()
		if o.Pkg() != nil && o.Pkg() != s.pkg {
			name = o.Pkg().Name() + "." + name
		}
		return "const " + name + " " + types.TypeString(o.Type(), (*types.Package).Name) + " = " + o.Val().String()
	}
	return types.ObjectString(o, func(p *types.Package) string {
		if p == s.pkg {
			return ""
		}
		return p.Name()
	})
}

// A key is what the table of documentation knows an object by.
type key struct{ path, name string }

// docKey returns the key of an object, an empty one if it is of a cell.
func docKey(o types.Object) key {
	if o.Pkg() == nil || o.Pkg().Path() == "main" {
		return key{}
	}
	name := o.Name()
	if f, ok := o.(*types.Func); ok {
		if recv := f.Signature().Recv(); recv != nil {
			base := recv.Type()
			if p, ok := base.(*types.Pointer); ok {
				base = p.Elem()
			}
			named, ok := types.Unalias(base).(*types.Named)
			if !ok {
				return key{}
			}
			name = named.Obj().Name() + "." + name
		}
	}
	return key{o.Pkg().Path(), name}
}

// documentationOf returns what the source of an object says of it.
func (s *Session) documentationOf(o types.Object) string {
	if text, ok := s.fields(o); ok {
		return text
	}
	k := docKey(o)
	if k.path == "" {
		return ""
	}
	return s.documentation(k.path, k.name)
}

// fields describes the fields of a struct type.
func (s *Session) fields(o types.Object) (string, bool) {
	t, ok := o.(*types.TypeName)
	if !ok || o.Pkg() == s.pkg || o.Pkg() == nil {
		return "", false
	}
	list, ok := t.Type().Underlying().(*types.Struct)
	if !ok {
		return "", false
	}
	text := s.documentation(o.Pkg().Path(), o.Name())
	for f := range list.Fields() {
		if f.Exported() {
			text += "\n\t" + f.Name() + " " + types.TypeString(f.Type(), (*types.Package).Name)
		}
	}
	return strings.TrimPrefix(text, "\n"), true
}

// documentation returns the first paragraph of the documentation of a name of a package, or of
// the package for the name "": from our table, or from the Go installation.
func (s *Session) documentation(path, name string) string {
	if text := symbols.Doc(path, name).Text; text != "" {
		return text
	}
	return goDoc(path, name)
}

// builtins are the declarations of the builtin functions.
var builtins = map[string]string{
	"append":  "func append(slice []T, elems ...T) []T\n\nappend returns slice with elems behind its elements, in new memory where its own does not suffice.",
	"cap":     "func cap(v T) int\n\ncap returns the capacity of a slice, array or channel.",
	"clear":   "func clear(t T)\n\nclear deletes all entries of a map, or sets all elements of a slice to zero.",
	"close":   "func close(c chan<- T)\n\nclose says that nothing more is sent on a channel.",
	"complex": "func complex(r, i float) complex\n\ncomplex returns the number with these parts.",
	"copy":    "func copy(dst, src []T) int\n\ncopy copies elements, which may overlap, and returns how many: the smaller of the lengths.",
	"delete":  "func delete(m map[K]V, key K)\n\ndelete deletes the entry of a key, if there is one.",
	"imag":    "func imag(c complex) float\n\nimag returns the imaginary part.",
	"len":     "func len(v T) int\n\nlen returns the number of elements of a slice, array, map or channel, or of bytes of a string.",
	"make":    "func make(T, size ...int) T\n\nmake returns a slice of a length and capacity, a map, or a channel with a buffer.",
	"max":     "func max(x T, y ...T) T\n\nmax returns the greatest of its arguments, NaN if one is NaN.",
	"min":     "func min(x T, y ...T) T\n\nmin returns the least of its arguments, NaN if one is NaN.",
	"new":     "func new(T) *T\n\nnew returns a pointer to a new variable of a type, or with a value.",
	"panic":   "func panic(v any)\n\npanic ends the functions that are active, whose deferred calls run, up to one that recovers.",
	"print":   "func print(args ...T)\n\nprint writes to standard error.",
	"println": "func println(args ...T)\n\nprintln writes to standard error, with blanks and a new line.",
	"real":    "func real(c complex) float\n\nreal returns the real part.",
	"recover": "func recover() any\n\nrecover, called by a deferred function, stops a panic and returns its value.",
}
