package texmath

import (
	"unicode"
	"unicode/utf8"
)

// A token is a control sequence with its backslash, or one character.
type token string

const end token = "" // of the source

// A lexer reads tokens; blanks and comments are passed over.
type lexer struct {
	src string
	pos int
}

func (l *lexer) skipBlanks() {
	for l.pos < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[l.pos:])
		switch {
		case unicode.IsSpace(r):
			l.pos += size
		case r == '%':
			for l.pos < len(l.src) && l.src[l.pos] != '\n' {
				l.pos++
			}
		default:
			return
		}
	}
}

func (l *lexer) next() token {
	l.skipBlanks()
	return l.raw()
}

func (l *lexer) peek() token {
	at := l.pos
	t := l.next()
	l.pos = at
	return t
}

// raw reads a token without passing over blanks.
func (l *lexer) raw() token {
	if l.pos >= len(l.src) {
		return end
	}
	start := l.pos
	_, size := utf8.DecodeRuneInString(l.src[start:])
	l.pos += size
	if l.src[start] != '\\' || l.pos >= len(l.src) {
		return token(l.src[start:l.pos])
	}
	for l.pos < len(l.src) && isLetter(l.src[l.pos]) {
		l.pos++
	}
	if l.pos == start+1 {
		_, size := utf8.DecodeRuneInString(l.src[l.pos:])
		l.pos += size
	} else if l.pos < len(l.src) && l.src[l.pos] == '*' && starred[l.src[start:l.pos]] {
		l.pos++
	}
	return token(l.src[start:l.pos])
}

// starred lists the commands whose name may end in a star.
var starred = map[string]bool{`\operatorname`: true, `\hspace`: true, `\tag`: true}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// group reads the text of an argument in braces, or one token, without interpreting it.
func (l *lexer) group() string {
	l.skipBlanks()
	if l.pos >= len(l.src) || l.src[l.pos] != '{' {
		return string(l.raw())
	}
	l.pos++
	start, depth := l.pos, 1
	for l.pos < len(l.src) {
		at := l.pos
		switch l.raw() {
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				return l.src[start:at]
			}
		}
	}
	return l.src[start:]
}

// maxOption is how far option looks for the bracket that closes.
const maxOption = 1000

// option reads the text of an argument in brackets, if there is one.
func (l *lexer) option() (text string, ok bool) {
	if l.peek() != "[" {
		return "", false
	}
	at := l.pos
	l.next()
	start, depth := l.pos, 0
	for l.pos < min(len(l.src), start+maxOption) {
		here := l.pos
		switch l.raw() {
		case "{":
			depth++
		case "}":
			depth--
		case "]":
			if depth == 0 {
				return l.src[start:here], true
			}
		}
	}
	l.pos = at
	return "", false
}
