package interp

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"

	"eigenbook/nbkernel/interp/importer"
)

// A looked is what is known of a place in code that is being written.
type looked struct {
	object  types.Object            // that the name there is
	member  bool                    // the name stands behind a dot
	of      types.Type              // of the expression before the dot
	pkg     string                  // path of the package before the dot
	literal types.Type              // of the composite literal whose field may be named here
	locals  map[string]types.Object // of the cell, as far as they are visible
}

// look finds out what the name is that begins at start of code and ends with it. The code before
// it is checked as a cell, of which nothing stays; where it cannot be parsed, the expression
// alone is.
func (s *Session) look(code string, start int) looked {
	if l, ok := s.lookIn(code, start); ok {
		return l
	}
	from := expressionStart(code, start)
	if l, ok := s.lookIn(code[from:], start-from); ok {
		return l
	}
	return looked{member: start > 0 && code[start-1] == '.'}
}

func (s *Session) lookIn(code string, start int) (l looked, ok bool) {
	if start == len(code) {
		code += "x"
	}
	base := s.files.Base()
	imports := s.imports
	s.imports = map[string]string{}
	for name, path := range imports {
		s.imports[name] = path
	}
	defer func() {
		s.imports = imports
		emptyScope(s.pkg)
		for pos := base; pos < s.files.Base(); {
			f := s.files.File(token.Pos(pos))
			if f == nil {
				break
			}
			pos = f.Base() + f.Size() + 1
			s.files.RemoveFile(f)
		}
		if recover() != nil {
			ok = false
		}
	}()
	c := &compilation{s: s, source: blankPackageClause(code + closers(code)), name: "", imported: map[string]bool{}}
	if c.split() != nil {
		return l, false
	}
	c.importKnown()
	c.assemble()
	for _, m := range c.late { // checked as functions; the types do not change
		c.tree.Decls = append(c.tree.Decls, asFunction(m.decl, m.of.Obj().Name()))
	}
	if c.fn != nil {
		c.tree.Decls = append(c.tree.Decls, c.fn)
	}
	c.info = importer.NewInfo()
	s.checkFile(types.Config{Importer: s.importer, Error: func(error) {}}, c.tree, c.info)
	return c.found(start)
}

// found describes the name at an offset of the source.
func (c *compilation) found(start int) (l looked, ok bool) {
	var at token.Pos
	is := func(pos token.Pos) bool {
		if !pos.IsValid() {
			return false
		}
		f := c.s.files.File(pos)
		return f != nil && f.Offset(pos)-len(declWrapper) == start
	}
	ast.Inspect(c.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if !is(n.Sel.Pos()) {
				return true
			}
			ok, at = true, n.Sel.Pos()
			l.member, l.object = true, c.info.Uses[n.Sel]
			if selection := c.info.Selections[n]; selection != nil {
				l.object = selection.Obj()
			}
			if id, name := n.X.(*ast.Ident); name {
				if p, isPkg := c.info.Uses[id].(*types.PkgName); isPkg {
					l.pkg = p.Imported().Path()
					return false
				}
			}
			l.of = c.info.TypeOf(n.X)
			if b, basic := l.of.(*types.Basic); basic && b.Kind() == types.Invalid {
				l.of = nil
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if is(e.Pos()) && c.info.TypeOf(n) != nil {
					l.literal = c.info.TypeOf(n)
				}
			}
		case *ast.Ident:
			if is(n.Pos()) && !ok {
				ok, at, l.object = true, n.Pos(), c.info.ObjectOf(n)
			}
		}
		return true
	})
	l.locals = map[string]types.Object{}
	for _, o := range c.info.Defs {
		if o == nil || strings.Contains(o.Name(), "·") || c.fn != nil && o.Name() == c.fn.Name.Name {
			continue
		}
		if scope := o.Parent(); scope == c.s.pkg.Scope() || scope != nil && scope.Contains(at) && o.Pos() < at {
			l.locals[o.Name()] = o
		}
	}
	return l, ok
}

// closers returns what closes the brackets that are open at the end of code.
func closers(code string) string {
	var open []byte
	file := token.NewFileSet().AddFile("", 1, len(code))
	var sc scanner.Scanner
	sc.Init(file, []byte(code), func(token.Position, string) {}, 0)
	for {
		_, tok, _ := sc.Scan()
		switch tok {
		case token.EOF:
			text := ""
			for i := len(open) - 1; i >= 0; i-- {
				if open[i] == '}' {
					text += "\n"
				}
				text += string(open[i])
			}
			if strings.HasPrefix(text, "\n") && literalBrace(code) {
				text = text[1:]
			}
			return text
		case token.LPAREN:
			open = append(open, ')')
		case token.LBRACE:
			open = append(open, '}')
		case token.LBRACK:
			open = append(open, ']')
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
}

// literalBrace reports whether the last open brace of code is that of a composite literal, before
// whose end no line may end.
func literalBrace(code string) bool {
	depth := 0
	for i := len(code) - 1; i >= 0; i-- {
		switch code[i] {
		case '}', ')', ']':
			depth++
		case '(', '[':
			depth--
		case '{':
			if depth--; depth < 0 {
				before := strings.TrimRight(code[:i], " \t")
				at := expressionStart(before, nameStart(before, len(before)))
				if _, err := parser.ParseExpr(before[at:] + "{}"); err != nil || i > 0 && code[i-1] == ' ' {
					return false
				}
				return true
			}
		}
	}
	return false
}

// expressionStart returns where the operand begins that ends with the name at start.
func expressionStart(code string, start int) int {
	for start > 0 && code[start-1] == '.' {
		at := start - 1
		for at > 0 && (code[at-1] == ')' || code[at-1] == ']' || code[at-1] == '}') {
			if at = opening(code, at-1); at < 0 {
				return start
			}
		}
		start = nameStart(code, at)
	}
	return start
}

// opening returns the offset of the bracket that the one at an offset closes, -1 if there is none.
func opening(code string, end int) int {
	depth := 0
	for i := end; i >= 0; i-- {
		switch code[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// enclosingCall returns the offset of the parenthesis in which the end of code stands, 0 if
// there is none.
func enclosingCall(code string) int {
	depth := 0
	for i := len(code) - 1; i > 0; i-- {
		switch code[i] {
		case ')', ']', '}':
			depth++
		case '[', '{':
			depth--
		case '(':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return 0
}
