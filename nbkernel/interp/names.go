package interp

import (
	"go/token"
	"go/types"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"eigenbook/nbkernel/symbols"
)

// Complete returns the names that may stand at the byte offset cursor of code: members of a
// package, fields and methods of a variable, or names of the session, packages and keywords.
// matches are sorted and replace code[start:end]; types says for each what it is.
func (s *Session) Complete(code string, cursor int) (start, end int, matches, kinds []string) {
	qualifier, word, start := nameAt(code, cursor)
	end = start + len(word)
	found := map[string]string{}
	add := func(name, kind string) {
		if strings.HasPrefix(name, word) && !strings.HasPrefix(name, "_") {
			found[name] = kind
		}
	}
	switch path := s.packagePath(qualifier); {
	case qualifier == "":
		for name, o := range s.objects {
			add(name, objectKind(o))
		}
		for name := range s.imports {
			add(name, "package")
		}
		for _, p := range symbols.Paths() {
			name, _ := symbols.Name(p)
			add(name, "package")
		}
		for tok := token.BREAK; tok <= token.VAR; tok++ {
			add(tok.String(), "keyword")
		}
		for _, name := range types.Universe.Names() {
			add(name, objectKind(types.Universe.Lookup(name)))
		}
	case path != "":
		for _, symbol := range symbols.Package(path) {
			add(symbol.Name, string(symbol.Kind))
		}
	default:
		if o := s.objects[qualifier]; o != nil {
			for name, member := range s.members(o.Type()) {
				add(name, objectKind(member))
			}
		}
	}
	for name := range found {
		matches = append(matches, name)
	}
	sort.Strings(matches)
	for _, name := range matches {
		kinds = append(kinds, found[name])
	}
	return start, end, matches, kinds
}

// Inspect describes the name at the byte offset cursor of code: its declaration, with types.
func (s *Session) Inspect(code string, cursor int) (text string, found bool) {
	for cursor < len(code) && cursor >= 0 && isNameByte(code[cursor]) {
		cursor++
	}
	qualifier, word, _ := nameAt(code, cursor)
	if word == "" {
		return "", false
	}
	if path := s.packagePath(qualifier); path != "" {
		for _, symbol := range symbols.Package(path) {
			if symbol.Name != word {
				continue
			}
			switch {
			case symbol.Type == nil:
				return "const " + qualifier + "." + word + " = " + symbol.Text, true
			case symbol.Kind == symbols.Func:
				return "func " + qualifier + "." + word + strings.TrimPrefix(symbol.Type.String(), "func"), true
			case symbol.Kind == symbols.TypeName:
				return "type " + symbol.Type.String() + " " + symbol.Type.Kind().String(), true
			}
			return string(symbol.Kind) + " " + qualifier + "." + word + " " + symbol.Type.String(), true
		}
		return "", false
	}
	var o types.Object
	if qualifier == "" {
		if o = s.objects[word]; o == nil {
			if path := s.packagePath(word); path != "" {
				return "package " + word + " // import \"" + path + "\"", true
			}
		}
	} else if of := s.objects[qualifier]; of != nil {
		o = s.members(of.Type())[word]
	}
	if o == nil {
		return "", false
	}
	return types.ObjectString(o, (*types.Package).Name), true
}

// packagePath returns the import path that a name stands for, or "".
func (s *Session) packagePath(name string) string {
	if name == "" || s.objects[name] != nil {
		return ""
	}
	if path, ok := s.imports[name]; ok {
		return path
	}
	return bestPackage(name, nil)
}

// members returns the exported fields and methods of a type, and all of a type that a cell
// declared.
func (s *Session) members(t types.Type) map[string]types.Object {
	found := map[string]types.Object{}
	set := types.NewMethodSet(t)
	if _, ok := t.Underlying().(*types.Interface); !ok {
		if _, ok := t.(*types.Pointer); !ok {
			set = types.NewMethodSet(types.NewPointer(t))
		}
	}
	for m := range set.Methods() {
		found[m.Obj().Name()] = m.Obj()
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if fields, ok := t.Underlying().(*types.Struct); ok {
		for f := range fields.Fields() {
			found[f.Name()] = f
		}
	}
	for name, o := range found {
		if s.isGhost(o) || !o.Exported() && o.Pkg() != nil && o.Pkg().Path() != "main" {
			delete(found, name)
		}
	}
	return found
}

func objectKind(o types.Object) string {
	switch o.(type) {
	case *types.Func, *types.Builtin:
		return "function"
	case *types.Const, *types.Nil:
		return "constant"
	case *types.TypeName:
		return "type"
	}
	return "variable"
}

// nameAt returns the part of a name that ends at cursor, where it begins, and the name before
// its dot, if there is one.
func nameAt(code string, cursor int) (qualifier, word string, start int) {
	cursor = min(max(cursor, 0), len(code))
	start = nameStart(code, cursor)
	word = code[start:cursor]
	if start > 0 && code[start-1] == '.' {
		qualifier = code[nameStart(code, start-1) : start-1]
	}
	return qualifier, word, start
}

func nameStart(code string, end int) int {
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(code[:end])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		end -= size
	}
	return end
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= utf8.RuneSelf
}
