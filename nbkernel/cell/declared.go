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
	if !strings.Contains(source, "flag") {
		return false
	}
	list := lexemes(source)
	for i := range list[:max(len(list)-1, 0)] {
		if list[i] == (lexeme{token.IDENT, "flag"}) && list[i+1].token == token.PERIOD {
			return true
		}
	}
	return false
}

// wantsOperand reports whether Go source ends inside an expression.
func wantsOperand(source string) bool {
	list := lexemes(source)
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1].token
	return last.IsOperator() && expectsMore(last) && last != token.LBRACE && last != token.COLON
}

// declared calls f with the tokens of each function that Go source declares at its top level,
// from the name on.
func declared(source string, f func(name string, rest []lexeme)) {
	depth := 0
	list := lexemes(source)
	for i, l := range list {
		switch l.token {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.FUNC:
			if depth == 0 && i+1 < len(list) {
				f(list[i+1].text, list[i+2:])
			}
		}
	}
}

// Inits returns the names of the functions init_NAME that Go source declares, in their order.
func Inits(source string) (names []string) {
	if !strings.Contains(source, "init_") {
		return nil
	}
	declared(source, func(name string, rest []lexeme) {
		if strings.HasPrefix(name, "init_") && begins(rest, token.LPAREN, token.RPAREN, token.LBRACE) {
			names = append(names, name)
		}
	})
	return names
}

// Tests returns the names of the tests and benchmarks that Go source declares, in their order.
func Tests(source string) (tests, benchmarks []string) {
	declared(source, func(name string, rest []lexeme) {
		switch {
		case isTest(name, "Test") && takes(rest, "T"):
			tests = append(tests, name)
		case isTest(name, "Benchmark") && takes(rest, "B"):
			benchmarks = append(benchmarks, name)
		}
	})
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
	if len(list) > 1 && list[1].token == token.IDENT { // the name of the parameter
		list = append([]lexeme{list[0]}, list[2:]...)
	}
	return begins(list, token.LPAREN, token.MUL, token.IDENT, token.PERIOD, token.IDENT, token.RPAREN, token.LBRACE) &&
		list[2].text == "testing" && list[4].text == typ
}

func begins(list []lexeme, tokens ...token.Token) bool {
	if len(list) < len(tokens) {
		return false
	}
	for i, t := range tokens {
		if list[i].token != t {
			return false
		}
	}
	return true
}
