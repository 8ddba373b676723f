package report

import (
	"go/scanner"
	"go/token"
	"go/types"
	"html"
	"strings"
)

// highlight returns a cell's source as HTML with the parts of speech in spans: k keyword,
// s string, n number, c comment, b predeclared name, f function that is called, m magic line.
func highlight(source string) string {
	first, _, _ := strings.Cut(source, "\n")
	for _, data := range []string{"%%writefile", "%%script", "%%bash", "%%sh"} {
		if strings.HasPrefix(first, data) {
			return span("m", first) + html.EscapeString(source[len(first):])
		}
	}
	var b strings.Builder
	rest := source
	for rest != "" {
		n := magicLength(rest)
		if n > 0 {
			b.WriteString(span("m", rest[:n]))
			rest = rest[n:]
			continue
		}
		n = goLength(rest)
		b.WriteString(highlightGo(rest[:n]))
		rest = rest[n:]
	}
	return b.String()
}

// magicLength returns the length of the magic line that s begins with, with its continuations
// and without the line end, else 0.
func magicLength(s string) int {
	if s[0] != '%' && s[0] != '!' && !strings.HasPrefix(s, "//gonb:") {
		return 0
	}
	n := 0
	for {
		line, _, more := strings.Cut(s[n:], "\n")
		n += len(line)
		if !more || !strings.HasSuffix(line, `\`) {
			return n
		}
		n++
	}
}

// goLength returns the length of the text before the next magic line.
func goLength(s string) int {
	for at := 0; ; {
		newline := strings.IndexByte(s[at:], '\n')
		if newline < 0 {
			return len(s)
		}
		at += newline + 1
		if at < len(s) && magicLength(s[at:]) > 0 {
			return at
		}
	}
}

func highlightGo(source string) string {
	var b strings.Builder
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, scanner.ScanComments)
	last := 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
		start := file.Offset(pos)
		if tok == token.SEMICOLON && literal != ";" {
			continue // put in by the scanner
		}
		if literal == "" {
			literal = tok.String()
		}
		end := start + len(literal)
		// The scanner drops carriage returns from comments and raw strings.
		for i := start; i < min(end, len(source)); i++ {
			if source[i] == '\r' {
				end++
			}
		}
		end = min(end, len(source))
		if start < last || end < start {
			continue
		}
		b.WriteString(html.EscapeString(source[last:start]))
		b.WriteString(span(kind(tok, literal, source[end:]), source[start:end]))
		last = end
	}
	b.WriteString(html.EscapeString(source[last:]))
	return b.String()
}

func kind(tok token.Token, literal, after string) string {
	switch {
	case tok.IsKeyword():
		return "k"
	case tok == token.STRING || tok == token.CHAR:
		return "s"
	case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
		return "n"
	case tok == token.COMMENT:
		return "c"
	case tok == token.IDENT && types.Universe.Lookup(literal) != nil:
		return "b"
	case tok == token.IDENT && strings.HasPrefix(after, "("):
		return "f"
	}
	return ""
}

func span(class, s string) string {
	if class == "" {
		return html.EscapeString(s)
	}
	return `<span class="` + class + `">` + html.EscapeString(s) + `</span>`
}
