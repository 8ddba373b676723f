package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"eigenbook/nbkernel/symbols"
)

// maxErrors is how many errors of a cell are told, as by Go's own compiler.
const maxErrors = 10

// limited cuts a list of errors.
func limited(messages []string) []string {
	if len(messages) > maxErrors {
		return append(messages[:maxErrors:maxErrors], "too many errors")
	}
	return messages
}

var unknownName = regexp.MustCompile(`^\d+:\d+: (?:undefined: ([\pL\pN_]+)|undefined: ([\pL\pN_]+)\.([\pL\pN_]+)|.* undefined \(type .* has no field or method ([\pL\pN_]+)\)|unknown field ([\pL\pN_]+) in struct literal .*)$`)

// withHints adds to each message about a name that is not known the nearest one that is, as far
// as messages are told.
func (c *compilation) withHints(r *report) []string {
	list := slices.Clone(r.messages)
	for i, m := range list[:min(len(list), maxErrors)] {
		groups := unknownName.FindStringSubmatch(m)
		if groups == nil {
			continue
		}
		word, known := "", map[string]bool{}
		switch {
		case groups[1] != "":
			word = groups[1]
			c.addVisible(known, r.at[i])
		case groups[3] != "":
			word = groups[3]
			for _, symbol := range symbols.Package(c.s.packagePath(groups[2])) {
				known[symbol.Name] = true
			}
		default:
			word = groups[4] + groups[5]
			if t := c.typeBefore(r.at[i]); t != nil {
				for name, o := range c.s.members(t) {
					if _, field := o.(*types.Var); field || groups[4] != "" {
						known[name] = true
					}
				}
			}
		}
		if near := nearest(word, known); near != "" {
			list[i] += fmt.Sprintf(" (did you mean %s?)", near)
		}
	}
	return list
}

// addVisible adds the names that may be meant at pos.
func (c *compilation) addVisible(known map[string]bool, pos token.Pos) {
	for name := range c.s.objects {
		known[name] = true
	}
	for name := range c.s.imports {
		known[name] = true
	}
	for _, path := range symbols.Paths() {
		name, _ := symbols.Name(path)
		known[name] = true
	}
	for _, name := range types.Universe.Names() {
		known[name] = true
	}
	for id, o := range c.info.Defs {
		if o == nil || o.Name() == "_" || id.Name == c.fnName() {
			continue
		}
		if v, ok := o.(*types.Var); ok && v.IsField() {
			continue
		}
		if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
			continue
		}
		if scope := o.Parent(); scope == c.s.pkg.Scope() || scope != nil && scope.Contains(pos) && o.Pos() < pos {
			known[o.Name()] = true
		}
	}
}

func (c *compilation) fnName() string {
	if c.fn == nil {
		return ""
	}
	return c.fn.Name.Name
}

// typeBefore returns the type whose field or method is named at pos.
func (c *compilation) typeBefore(pos token.Pos) (t types.Type) {
	ast.Inspect(c.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if n.Sel.Pos() == pos {
				t = c.info.TypeOf(n.X)
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if e.Pos() == pos && c.info.TypeOf(n) != nil {
					t = c.info.TypeOf(n)
				}
			}
		}
		return true
	})
	return t
}

// nearest returns the name that differs least from word, "" if none is near: of equally near
// ones the first.
func nearest(word string, known map[string]bool) string {
	best, least := "", max(1, len(word)/3)+1
	for name := range known {
		if strings.HasPrefix(name, "_") || name == word {
			continue
		}
		d := distance(word, name)
		if strings.EqualFold(word, name) {
			d = 0
		}
		if d < least || d == least && best != "" && name < best {
			best, least = name, d
		}
	}
	return best
}

// distance returns how many letters must be changed, added, left out or swapped with the next
// to turn a into b (Damerau 1964, in the form of optimal string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
