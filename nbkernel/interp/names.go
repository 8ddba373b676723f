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

// A Completion is the names that may stand somewhere, sorted.
type Completion struct {
	Start, End int // what they replace
	Matches    []string
	Kinds      []string // of each: function, variable, constant, type, package or keyword
	Signatures []string // of each: the type, with the names of parameters where they are known
}

// Complete returns the names that may stand at the byte offset cursor of code: members of what
// the expression before a dot is, fields of a composite literal, or names of the cell, the
// session and packages, and keywords.
func (s *Session) Complete(code string, cursor int) Completion {
	cursor = min(max(cursor, 0), len(code))
	if c, ok := completeText(code, cursor); ok {
		return c
	}
	start := nameStart(code, cursor)
	word := code[start:cursor]
	found := map[string]candidate{}
	add := func(name string, c candidate) {
		if strings.HasPrefix(name, word) && !strings.HasPrefix(name, "_") {
			found[name] = c
		}
	}
	addObject := func(name string, o types.Object) { add(name, candidate{objectKind(o), s.signature(o)}) }
	switch l := s.look(code[:cursor], start); {
	case l.pkg != "":
		if pkg, err := s.importer.Import(l.pkg); err == nil {
			for _, name := range pkg.Scope().Names() {
				if token.IsExported(name) {
					addObject(name, pkg.Scope().Lookup(name))
				}
			}
		}
	case l.member:
		if l.of != nil {
			for name, o := range s.members(l.of) {
				addObject(name, o)
			}
		}
	default:
		s.addNames(add, addObject, l)
		for name, o := range s.members(l.literal) {
			if _, field := o.(*types.Var); field {
				addObject(name, o)
			}
		}
	}
	c := Completion{Start: start, End: cursor}
	for name := range found {
		c.Matches = append(c.Matches, name)
	}
	sort.Strings(c.Matches)
	for _, name := range c.Matches {
		c.Kinds = append(c.Kinds, found[name].kind)
		c.Signatures = append(c.Signatures, found[name].signature)
	}
	return c
}

type candidate struct{ kind, signature string }

// addNames adds what may begin an expression or statement.
func (s *Session) addNames(add func(string, candidate), addObject func(string, types.Object), l looked) {
	for tok := token.BREAK; tok <= token.VAR; tok++ {
		add(tok.String(), candidate{"keyword", ""})
	}
	for _, name := range types.Universe.Names() {
		addObject(name, types.Universe.Lookup(name))
	}
	for _, p := range symbols.Paths() {
		name, _ := symbols.Name(p)
		add(name, candidate{"package", "package " + name})
	}
	for name := range s.imports {
		add(name, candidate{"package", "package " + name})
	}
	for name, o := range s.objects {
		addObject(name, o)
	}
	for name, o := range l.locals {
		addObject(name, o)
	}
}

// Inspect describes the name at the byte offset cursor of code, or the function in whose call
// the cursor stands: its declaration, with types, and its documentation.
func (s *Session) Inspect(code string, cursor int) (text string, found bool) {
	cursor = min(max(cursor, 0), len(code))
	for cursor < len(code) && isNameByte(code[cursor]) {
		cursor++
	}
	start := nameStart(code, cursor)
	if start < cursor {
		if text := s.describe(s.look(code[:cursor], start), code[start:cursor]); text != "" {
			return text, true
		}
	}
	for at := enclosingCall(code[:cursor]); at > 0; at = enclosingCall(code[:at]) {
		end := len(strings.TrimRight(code[:at], " \t"))
		if start := nameStart(code, end); start < end {
			if text := s.describe(s.look(code[:end], start), code[start:end]); text != "" {
				return text, true
			}
		}
	}
	return "", false
}

// describe returns the declaration and documentation of a name.
func (s *Session) describe(l looked, word string) string {
	o := l.object
	if o == nil {
		if path := s.packagePath(word); path != "" && !l.member && l.pkg == "" {
			return "package " + word + " // import \"" + path + "\"" + documented(s.documentation(path, ""))
		}
		return ""
	}
	if p, ok := o.(*types.PkgName); ok {
		path := p.Imported().Path()
		return "package " + word + " // import \"" + path + "\"" + documented(s.documentation(path, ""))
	}
	return s.declaration(o) + documented(s.documentationOf(o))
}

func documented(text string) string {
	if text == "" {
		return ""
	}
	return "\n\n" + text
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

// members returns the exported fields and methods of a type, promoted ones too, and all of a
// type that a cell declared.
func (s *Session) members(t types.Type) map[string]types.Object {
	found := map[string]types.Object{}
	if t == nil {
		return found
	}
	set := types.NewMethodSet(t)
	if _, pointer := types.Unalias(t).(*types.Pointer); !pointer && !types.IsInterface(t) {
		set = types.NewMethodSet(types.NewPointer(t))
	}
	addFields(found, t, map[types.Type]bool{})
	for m := range set.Methods() {
		found[m.Obj().Name()] = m.Obj()
	}
	for name, o := range found {
		if s.isGhost(o) || !o.Exported() && o.Pkg() != nil && o.Pkg().Path() != "main" {
			delete(found, name)
		}
	}
	return found
}

// addFields adds the fields of a struct, level by level of what it embeds.
func addFields(found map[string]types.Object, t types.Type, seen map[types.Type]bool) {
	level := []types.Type{t}
	for len(level) > 0 {
		var next []types.Type
		names := map[string]types.Object{}
		for _, t := range level {
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t = p.Elem()
			}
			fields, ok := t.Underlying().(*types.Struct)
			if !ok || seen[t] {
				continue
			}
			seen[t] = true
			for f := range fields.Fields() {
				if found[f.Name()] == nil {
					names[f.Name()] = f
				}
				if f.Embedded() {
					next = append(next, f.Type())
				}
			}
		}
		for name, f := range names {
			found[name] = f
		}
		level = next
	}
}

func objectKind(o types.Object) string {
	switch o.(type) {
	case *types.Func, *types.Builtin:
		return "function"
	case *types.Const, *types.Nil:
		return "constant"
	case *types.TypeName:
		return "type"
	case *types.PkgName:
		return "package"
	}
	return "variable"
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
