package interp

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// Both parts of a cell are parsed behind a clause of the same length, on the first line, so that
// a position is the cell's after a shift of that length.
const (
	statementWrapper = "package main;func _(){"
	declWrapper      = "package main;         "
)

// split parses the cell: its declarations as a file and its statements as the body of a
// function, each with the other part blanked.
func (c *compilation) split() error {
	list := pieces(c.source)
	has := func(decl bool) bool { return slices.ContainsFunc(list, func(p piece) bool { return p.decl == decl }) }
	var errs scanner.ErrorList
	parse := func(text string) *ast.File {
		base := c.s.files.Base()
		file, err := parser.ParseFile(c.s.files, c.name, text, parser.SkipObjectResolution|parser.AllErrors)
		c.files = append(c.files, c.s.files.File(token.Pos(base)))
		if err != nil {
			errs = append(errs, err.(scanner.ErrorList)...)
		}
		return file
	}
	if has(true) {
		if file := parse(declWrapper + keep(c.source, list, true)); file != nil {
			c.decls = file.Decls
		}
	}
	if has(false) {
		file := parse(statementWrapper + keep(c.source, list, false) + "\n}")
		if len(errs) == 0 {
			c.body = file.Decls[0].(*ast.FuncDecl).Body.List
		}
	}
	if len(errs) > 0 {
		return errs
	}
	if n := len(c.body); n > 0 && !mute(list) {
		if st, ok := c.body[n-1].(*ast.ExprStmt); ok {
			c.last = st.X
		}
	}
	return nil
}

// A piece is a declaration or a statement at the top level of a cell.
type piece struct {
	from, to int // in the source
	decl     bool
	mute     bool // a semicolon follows, not only the end of a line
}

// pieces cuts a source at the semicolons outside all brackets, those that the scanner inserts at
// the ends of lines included.
func pieces(source string) (list []piece) {
	file := token.NewFileSet().AddFile("", 1, len(source))
	var sc scanner.Scanner
	sc.Init(file, []byte(source), func(token.Position, string) {}, 0)
	depth := 0
	started, afterFunc := false, false // a piece; with func, which its next token tells the kind of
	var p piece
	for {
		pos, tok, text := sc.Scan()
		at := file.Offset(pos)
		if tok == token.EOF {
			if started {
				p.to = len(source)
				list = append(list, p)
			}
			return list
		}
		switch {
		case !started && tok == token.SEMICOLON:
			if text == ";" {
				list = append(list, piece{at, at + 1, p.decl, true})
			}
			continue
		case !started:
			p = piece{from: at, decl: tok == token.IMPORT || tok == token.TYPE || tok == token.CONST}
			started, afterFunc = true, tok == token.FUNC
		case afterFunc:
			p.decl = tok == token.IDENT || tok == token.LPAREN && looksLikeMethod(source[at:])
			afterFunc = false
		}
		switch tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.SEMICOLON:
			if depth == 0 {
				p.to, p.mute = at, text == ";"
				list = append(list, p)
				started = false
			}
		}
	}
}

// A receiver, which a name and parameters follow, is told from the parameters of a literal by
// what stands behind it.
var methodName = regexp.MustCompile(`^[ \t]*[\pL_][\pL\pN_]*[ ]*\(`)

// looksLikeMethod reports whether text, from the parenthesis after func on, goes on as the
// declaration of a method.
func looksLikeMethod(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				rest := text[i+1:]
				return methodName.MatchString(rest) && !strings.HasPrefix(strings.TrimLeft(rest, " \t"), "func(")
			}
		}
	}
	return false
}

// keep blanks all pieces but the declarations or statements, and what stands between.
func keep(source string, list []piece, decl bool) string {
	b := []byte(source)
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
	for _, p := range list {
		if p.decl == decl {
			copy(b[p.from:p.to], source[p.from:p.to])
			if p.to < len(b) && source[p.to] == ';' {
				b[p.to] = ';'
			}
		}
	}
	return string(b)
}

// mute reports whether a semicolon ends the last statement.
func mute(list []piece) bool {
	for _, p := range slices.Backward(list) {
		if !p.decl {
			return p.mute
		}
	}
	return false
}

var packageClause = regexp.MustCompile(`(?m)^package[ \t]+\w+[ \t]*;?[ \t]*$`)

// blankPackageClause replaces a package clause before all code by blanks.
func blankPackageClause(source string) string {
	at := packageClause.FindStringIndex(source)
	if at == nil {
		return source
	}
	for line := range strings.Lines(source[:at[0]]) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "//") {
			return source
		}
	}
	return source[:at[0]] + strings.Repeat(" ", at[1]-at[0]) + source[at[1]:]
}

// mainRuns turns the body of a function main into the cell's last statement: it runs once, now.
func (c *compilation) mainRuns() {
	for i, d := range c.decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Name.Name != "main" || f.Type.Params.NumFields() > 0 || f.Type.Results.NumFields() > 0 || f.Body == nil {
			continue
		}
		c.file = onlyVariables(c.body)
		call := &ast.CallExpr{Fun: &ast.FuncLit{Type: f.Type, Body: f.Body}, Lparen: f.Body.Rbrace, Rparen: f.Body.Rbrace}
		c.decls = slices.Delete(slices.Clone(c.decls), i, i+1)
		c.body = append(slices.Clone(c.body), &ast.ExprStmt{X: call})
		c.last = nil
		return
	}
}

// onlyVariables reports whether all statements declare variables with var.
func onlyVariables(body []ast.Stmt) bool {
	return !slices.ContainsFunc(body, func(st ast.Stmt) bool {
		d, ok := st.(*ast.DeclStmt)
		return !ok || d.Decl.(*ast.GenDecl).Tok != token.VAR
	})
}
