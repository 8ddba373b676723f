package percent

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"eigenbook/nbkernel/cell"
)

// code returns the source of a code cell as lines of a Go file: the most readable form that
// gofmt leaves alone and that reads back as the source. below says that declarations stand
// above, so that an import cannot be written as one.
func code(source string, below bool) string {
	if source == "" {
		return ""
	}
	c := analyse(source, below)
	all := make([]string, len(c.source))
	for i, line := range c.source {
		all[i] = escaped(line)
	}
	plain := strings.Join(c.lines, "\n")
	wrapped, formatted := "", ""
	if c.statements {
		wrapped = c.wrap(true)
		if text, err := format.Source([]byte(context(c.wrap(false), below))); err == nil {
			formatted = body(string(text))
		}
	}
	reads := func(text string) bool {
		if text == "" {
			return false
		}
		back, err := readChunk(chunk{"// %%\n\n" + text + "\n", 1})
		return err == nil && back["source"] == source
	}
	for _, text := range []string{plain, formatted} {
		if reads(text) && stable(text, below) {
			return text
		}
	}
	for _, text := range []string{plain, wrapped} {
		if reads(text) && survives(text, below) {
			return text
		}
	}
	return strings.Join(all, "\n")
}

// context returns a file in which the text stands where it will.
func context(text string, below bool) string {
	head := "package p\n\n"
	if below {
		head += "var _ int\n\n"
	}
	return head + "// %%\n\n" + text + "\n"
}

// body undoes context.
func body(file string) string {
	_, text, _ := strings.Cut(file, "\n// %%\n\n")
	return strings.TrimSuffix(text, "\n")
}

func stable(text string, below bool) bool {
	file := context(text, below)
	out, err := format.Source([]byte(file))
	return err == nil && string(out) == file
}

// survives reports whether gofmt takes the text and leaves what is escaped as it is.
func survives(text string, below bool) bool {
	out, err := format.Source([]byte(context(text, below)))
	return err == nil && strings.Count(string(out), escape) == strings.Count(text, escape)
}

// declares reports whether something other than imports is declared in the text.
func declares(text string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", context(text, false), parser.SkipObjectResolution)
	if err != nil {
		return true
	}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			return true
		}
	}
	return false
}

// The kinds of lines in a cell.
type kind int

const (
	blank kind = iota
	comment
	declaration
	statement
)

// An analysis is a code cell line by line.
type analysis struct {
	source     []string // as in the cell
	lines      []string // with magics and the like escaped
	kinds      []kind
	within     []bool // the line begins inside a raw string or a comment
	statements bool   // there are some
	main       int    // the line with %% or %main, or one that there is not
}

func analyse(source string, below bool) *analysis {
	c := &analysis{source: strings.Split(source, "\n"), lines: strings.Split(source, "\n")}
	c.main = len(c.lines)
	parsed := cell.Parse(source)
	bare := strings.Split(parsed.Go, "\n")
	trimmed := strings.Trim(source, "\n")
	first := len(source) - len(strings.TrimLeft(source, "\n"))
	last := first + strings.Count(trimmed, "\n")
	for i, line := range c.lines {
		magic := parsed.Whole || i < len(bare) && isBlank(bare[i]) && !isBlank(line)
		edge := i < first || i > last
		if magic || edge || strings.HasPrefix(line, escape) || strings.HasPrefix(line, cellFields) || marker.MatchString(line) {
			c.lines[i] = escaped(line)
		}
		if magic && c.main > i && cell.Parse(line).Main {
			c.main = i
		}
	}
	c.classify(strings.Join(c.lines, "\n"), below)
	c.loosen()
	return c
}

// loosen puts an empty line between what is escaped and a declaration below it, whose doc
// comment it would be, and gofmt rewrites those.
func (c *analysis) loosen() {
	for i := len(c.lines) - 2; i >= 0; i-- {
		if c.kinds[i+1] == declaration && strings.HasPrefix(c.lines[i], escape) && !strings.HasPrefix(c.lines[i+1], escape) && !c.within[i+1] {
			c.lines[i] += join
			c.lines = slices.Insert(c.lines, i+1, "")
			c.kinds = slices.Insert(c.kinds, i+1, blank)
			c.within = slices.Insert(c.within, i+1, false)
		}
	}
}

// An item is a declaration or a statement at the top level of a cell, from its first token to
// the end of its last line.
type item struct {
	tokens      []token.Token // the first ones
	first, last int
}

// declares tells a declaration from a statement.
func (it item) declares() bool {
	switch it.tokens[0] {
	case token.IMPORT, token.TYPE, token.CONST, token.VAR:
		return true
	case token.FUNC:
		if len(it.tokens) > 1 && it.tokens[1] == token.IDENT {
			return true
		}
		depth := 0
		for i, tok := range it.tokens[1:] {
			switch tok {
			case token.LPAREN:
				depth++
			case token.RPAREN:
				depth--
			}
			if depth == 0 {
				// A name behind the receiver; a function value has its result or body there.
				return i+3 < len(it.tokens) && it.tokens[i+2] == token.IDENT && it.tokens[i+3] == token.LPAREN
			}
		}
	}
	return false
}

// items lists what stands at the top level.
func items(source string) []item {
	var list []item
	var open *item
	depth := 0
	scan([]byte(source), func(t goToken) {
		if t.tok == token.COMMENT {
			return
		}
		if open == nil && t.tok != token.SEMICOLON {
			list = append(list, item{first: t.line})
			open = &list[len(list)-1]
		}
		switch t.tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.SEMICOLON:
			if depth <= 0 {
				if open != nil {
					open.last = t.line
				}
				open = nil
				return
			}
		}
		if open != nil {
			open.last = t.line + strings.Count(t.text, "\n")
			open.tokens = append(open.tokens, t.tok)
		}
	})
	return list
}

// classify says of each line what it is, and escapes imports that cannot stay.
func (c *analysis) classify(source string, below bool) {
	c.kinds = make([]kind, len(c.lines))
	c.within = inside(c.lines)
	for i, line := range c.lines {
		if !isBlank(line) || c.within[i] {
			c.kinds[i] = comment
		}
	}
	for _, it := range items(source) {
		isImport := it.tokens[0] == token.IMPORT
		k := statement
		// Below %% only functions are no statements.
		if it.declares() && (it.first < c.main || isImport || it.tokens[0] == token.FUNC) {
			k = declaration
		} else {
			c.statements = true
		}
		for i := it.first; i <= it.last && i < len(c.lines); i++ {
			c.kinds[i] = k
			if isImport && below {
				c.lines[i] = escaped(c.source[i])
			}
		}
		below = below || !isImport
	}
	// A comment belongs to what stands directly below it, else to what stands above.
	for i := len(c.kinds) - 2; i >= 0; i-- {
		if c.kinds[i] == comment && c.kinds[i+1] > comment {
			c.kinds[i] = c.kinds[i+1]
		}
	}
	above := declaration
	for i, k := range c.kinds {
		switch {
		case k == comment:
			c.kinds[i] = above
		case k > comment:
			above = k
		}
	}
}

// wrap returns the cell with its statements in functions.
func (c *analysis) wrap(indent bool) string {
	var out []string
	for i := 0; i < len(c.lines); {
		end, k := i+1, c.kinds[i]
		for j := end; j < len(c.lines) && (c.kinds[j] == k || c.kinds[j] == blank); j++ {
			if c.kinds[j] == k {
				end = j + 1
			}
		}
		if k != statement {
			out = append(out, c.lines[i:end]...)
			i = end
			continue
		}
		head, tail := open, shut
		if i > 0 && c.kinds[i-1] != blank {
			out = append(out, "")
			head += join
		}
		if end < len(c.lines) && c.kinds[end] != blank {
			tail += join
		}
		out = append(out, head)
		for j := i; j < end; j++ {
			line := c.lines[j]
			if indent && line != "" && !c.within[j] {
				line = "\t" + line
			}
			out = append(out, line)
		}
		out = append(out, tail)
		if tail != shut {
			out = append(out, "")
		}
		i = end
	}
	return strings.Join(out, "\n")
}
