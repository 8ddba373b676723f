package cell

import (
	"go/scanner"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A lexeme is a token of Go with its text.
type lexeme struct {
	token token.Token
	text  string
}

// lexemes returns the tokens of Go source, without comments.
func lexemes(source string) []lexeme {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", 1, len(source)), []byte(source), func(token.Position, string) {}, 0)
	var list []lexeme
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return list
		}
		list = append(list, lexeme{tok, text})
	}
}

// UsesFlags reports whether Go source names something of package flag.
func UsesFlags(source string) bool {
	list := lexemes(source)
	for i := range list[:max(len(list)-1, 0)] {
		if list[i] == (lexeme{token.IDENT, "flag"}) && list[i+1].token == token.PERIOD {
			return true
		}
	}
	return false
}

// Tests returns the names of the tests and benchmarks that Go source declares, in their order.
func Tests(source string) (tests, benchmarks []string) {
	depth := 0
	list := lexemes(source)
	for i, l := range list {
		switch l.token {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.FUNC:
			if depth != 0 || i+1 >= len(list) {
				continue
			}
			switch name := list[i+1].text; {
			case isTest(name, "Test") && takes(list[i+2:], "T"):
				tests = append(tests, name)
			case isTest(name, "Benchmark") && takes(list[i+2:], "B"):
				benchmarks = append(benchmarks, name)
			}
		}
	}
	return tests, benchmarks
}

// isTest reports whether a name is the prefix, alone or followed by no small letter.
func isTest(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(first)
}

// takes reports whether what follows the name of a function is "(x *testing.T) {" or the like.
func takes(list []lexeme, typ string) bool {
	want := []token.Token{token.LPAREN, token.IDENT, token.MUL, token.IDENT, token.PERIOD, token.IDENT, token.RPAREN, token.LBRACE}
	if len(list) > 1 && list[1].token == token.MUL { // the parameter has no name
		want = append(want[:1], want[2:]...)
	}
	if len(list) < len(want) {
		return false
	}
	for i := range want {
		if list[i].token != want[i] {
			return false
		}
	}
	return list[len(want)-5].text == "testing" && list[len(want)-3].text == typ
}
