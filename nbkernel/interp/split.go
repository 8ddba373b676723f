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

// parse splits a cell in declarations and statements; both keep their positions in the cell.
func (s *Session) parse(name, src string) (decls []ast.Decl, body []ast.Stmt, last ast.Expr, err error) {
	// One parse as a function body: declarations of functions and imports are cut out first, by token.
	fset := s.Fset
	f := fset.AddFile("", fset.Base(), len(src))
	var sc scanner.Scanner
	sc.Init(f, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	type piece struct {
		lo, hi int
		decl   bool
		mute   bool // a semicolon follows, not only the end of a line
	}
	var ps []piece
	depth := 0
	start := -1
	isDecl := false
	prevTok := token.ILLEGAL
	for {
		pos, tok, lit := sc.Scan()
		off := f.Offset(pos)
		if tok == token.EOF {
			if start >= 0 {
				ps = append(ps, piece{start, len(src), isDecl, false})
			}
			break
		}
		if tok == token.COMMENT {
			continue
		}
		if start < 0 {
			if tok == token.SEMICOLON {
				if lit == ";" {
					ps = append(ps, piece{off, off + 1, isDecl, true})
				}
				continue
			}
			start = off
			switch tok {
			case token.IMPORT, token.TYPE, token.CONST:
				isDecl = true
			case token.FUNC:
				isDecl = false // decided by the next token
			default:
				isDecl = false
			}
			if tok == token.FUNC {
				prevTok = token.FUNC
				continue
			}
			prevTok = tok
		} else if prevTok == token.FUNC && depth == 0 {
			if tok == token.IDENT {
				isDecl = true
			} else if tok == token.LPAREN {
				isDecl = looksLikeMethod(src[off:])
			}
			prevTok = token.ILLEGAL
		}
		switch tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.SEMICOLON:
			if depth == 0 {
				ps = append(ps, piece{start, off, isDecl, lit == ";"})
				start = -1
			}
		}
	}
	blank := func(keep bool) string {
		b := []byte(src)
		for i := range b {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
		for _, p := range ps {
			if p.decl == keep {
				copy(b[p.lo:p.hi], src[p.lo:p.hi])
				if p.hi < len(b) && src[p.hi] == ';' {
					b[p.hi] = ';'
				}
			}
		}
		return string(b)
	}
	any := func(d bool) bool {
		for _, p := range ps {
			if p.decl == d {
				return true
			}
		}
		return false
	}
	var errs scanner.ErrorList
	if any(true) {
		file, e := parser.ParseFile(fset, name, declWrapper+blank(true), parser.SkipObjectResolution|parser.AllErrors)
		if e != nil {
			errs = append(errs, e.(scanner.ErrorList)...)
		} else {
			decls = file.Decls
		}
	}
	if any(false) {
		file, e := parser.ParseFile(fset, name, statementWrapper+blank(false)+"\n}", parser.SkipObjectResolution|parser.AllErrors)
		if e != nil {
			errs = append(errs, e.(scanner.ErrorList)...)
		} else {
			body = file.Decls[0].(*ast.FuncDecl).Body.List
		}
	}
	if len(errs) > 0 {
		return nil, nil, nil, errs
	}
	if n := len(body); n > 0 {
		if es, ok := body[n-1].(*ast.ExprStmt); ok {
			last = es.X
			for _, p := range slices.Backward(ps) {
				if !p.decl {
					if p.mute {
						last = nil
					}
					break
				}
			}
		}
	}
	return
}

func looksLikeMethod(s string) bool {
	d := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			d++
		case ')':
			d--
			if d == 0 {
				r := strings.TrimLeft(s[i+1:], " \t")
				j := 0
				for j < len(r) && (r[j] == '_' || r[j] >= 'a' && r[j] <= 'z' || r[j] >= 'A' && r[j] <= 'Z' || j > 0 && r[j] >= '0' && r[j] <= '9' || r[j] >= 0x80) {
					j++
				}
				return j > 0 && strings.HasPrefix(strings.TrimLeft(r[j:], " "), "(") && !strings.HasPrefix(r, "func(")
			}
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

// mainRuns turns the body of a function main into the cell's last statement: it runs once,
// now.
func mainRuns(decls []ast.Decl, body []ast.Stmt, last ast.Expr) ([]ast.Decl, []ast.Stmt, ast.Expr) {
	for i, d := range decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Name.Name != "main" || f.Type.Params.NumFields() > 0 || f.Type.Results.NumFields() > 0 || f.Body == nil {
			continue
		}
		call := &ast.CallExpr{Fun: &ast.FuncLit{Type: f.Type, Body: f.Body}, Lparen: f.Body.Rbrace, Rparen: f.Body.Rbrace}
		return slices.Delete(slices.Clone(decls), i, i+1), append(slices.Clone(body), &ast.ExprStmt{X: call}), nil
	}
	return decls, body, last
}

// onlyVariables reports whether all statements declare variables with var.
func onlyVariables(body []ast.Stmt) bool {
	for _, st := range body {
		d, ok := st.(*ast.DeclStmt)
		if !ok || d.Decl.(*ast.GenDecl).Tok != token.VAR {
			return false
		}
	}
	return true
}
