package cell

import (
	"go/scanner"
	"go/token"
	"strings"
)

// IsComplete says whether a cell can be run: "complete", "incomplete" if more lines must
// follow, or "invalid" if none can mend it; indent is what the next line of incomplete code
// starts with.
func IsComplete(source string) (status, indent string) {
	c := Parse(source)
	if c.Whole {
		return "complete", ""
	}
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(c.Go))
	open, invalid := false, false
	var s scanner.Scanner
	s.Init(file, []byte(c.Go), func(_ token.Position, msg string) {
		if strings.HasSuffix(msg, "not terminated") && (strings.HasPrefix(msg, "raw string") || strings.HasPrefix(msg, "comment")) {
			open = true
		} else {
			invalid = true
		}
	}, 0)
	var brackets []token.Token
	last := token.SEMICOLON
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			brackets = append(brackets, tok)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(brackets) == 0 || closing[brackets[len(brackets)-1]] != tok {
				return "invalid", ""
			}
			brackets = brackets[:len(brackets)-1]
		}
		if tok != token.SEMICOLON || lit == ";" {
			last = tok
		}
	}
	switch {
	case invalid:
		return "invalid", ""
	case open || len(brackets) > 0:
		return "incomplete", strings.Repeat("\t", len(brackets))
	case last.IsOperator() && expectsMore(last):
		return "incomplete", "\t"
	}
	return "complete", ""
}

var closing = map[token.Token]token.Token{token.LPAREN: token.RPAREN, token.LBRACK: token.RBRACK, token.LBRACE: token.RBRACE}

// expectsMore reports whether an operator at the end of a line needs an operand.
func expectsMore(tok token.Token) bool {
	switch tok {
	case token.RPAREN, token.RBRACK, token.RBRACE, token.SEMICOLON, token.INC, token.DEC, token.ELLIPSIS:
		return false
	}
	return true
}
