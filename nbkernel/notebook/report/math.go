package report

import (
	"html"
	"regexp"
	"strconv"
	"strings"

	"eigenbook/nbkernel/texmath"
)

// A formula is mathematics that was taken out of Markdown, so that Markdown does not read
// its underscores and bars.
type formula struct {
	source  string // as it stood, with its delimiters
	tex     string
	display bool
}

func (f formula) mathML() string { return texmath.MathML(f.tex, f.display) }

// Marks around the number of a formula, from Unicode's private use area.
const (
	markOpen  = "\ue000"
	markClose = "\ue001"
)

var marks = regexp.MustCompile(markOpen + `([0-9]+)` + markClose)

// takeMath replaces the formulas of a Markdown text by marks. Formulas stand between $ and $,
// $$ and $$, \( and \), \[ and \], or are environments such as \begin{align}. None are looked
// for in code, none reaches over a blank line, and a price ($5 and $6) is none.
func takeMath(text string) (string, []formula) {
	var b strings.Builder
	var found []formula
	for i := 0; i < len(text); {
		if n := codeLength(text, i); n > 0 {
			b.WriteString(text[i : i+n])
			i += n
			continue
		}
		if f, n := formulaAt(text[i:]); n > 0 {
			b.WriteString(markOpen + strconv.Itoa(len(found)) + markClose)
			found = append(found, f)
			i += n
			continue
		}
		if text[i] == '\\' && i+1 < len(text) {
			b.WriteByte(text[i])
			i++
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String(), found
}

// codeLength returns the length of the code span or fenced block that begins at i, else 0.
func codeLength(text string, i int) int {
	c := text[i]
	if c != '`' && c != '~' {
		return 0
	}
	run := len(text[i:]) - len(strings.TrimLeft(text[i:], string(c)))
	lineStart := strings.LastIndexByte(text[:i], '\n') + 1
	if run >= 3 && strings.Trim(text[lineStart:i], " >\t") == "" {
		fence := text[i : i+run]
		for at := i + run; ; {
			newline := strings.IndexByte(text[at:], '\n')
			if newline < 0 {
				return len(text) - i
			}
			at += newline + 1
			line, _, _ := strings.Cut(text[at:], "\n")
			if trimmed := strings.Trim(line, " >\t\r"); strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, string(c)) == "" {
				return at + len(line) - i
			}
		}
	}
	if c == '~' {
		return run
	}
	for at := i + run; at < len(text); {
		next := strings.IndexByte(text[at:], '`')
		if next < 0 || strings.Contains(text[at:at+next], "\n\n") {
			break
		}
		at += next
		n := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		at += n
		if n == run {
			return at - i
		}
	}
	return run
}

// formulaAt returns the formula that s begins with and its length, or 0.
func formulaAt(s string) (formula, int) {
	paragraph := s
	if end := blankLine.FindStringIndex(s); end != nil {
		paragraph = s[:end[0]]
	}
	between := func(open, close string, display bool) (formula, int) {
		end := strings.Index(paragraph[len(open):], close)
		if end < 0 {
			return formula{}, 0
		}
		end += len(open)
		n := end + len(close)
		return formula{s[:n], s[len(open):end], display}, n
	}
	switch {
	case strings.HasPrefix(s, "$$"):
		return between("$$", "$$", true)
	case s[0] == '$':
		return dollars(paragraph)
	case strings.HasPrefix(s, `\\[`):
		return between(`\\[`, `\\]`, true)
	case strings.HasPrefix(s, `\\(`):
		return between(`\\(`, `\\)`, false)
	case strings.HasPrefix(s, `\[`):
		return between(`\[`, `\]`, true)
	case strings.HasPrefix(s, `\(`):
		return between(`\(`, `\)`, false)
	case strings.HasPrefix(s, `\begin{`):
		name, _, ok := strings.Cut(paragraph[len(`\begin{`):], "}")
		if !ok || !environmentName.MatchString(name) {
			return formula{}, 0
		}
		close := `\end{` + name + `}`
		f, n := between(`\begin{`+name+`}`, close, true)
		f.tex = f.source
		return f, n
	}
	return formula{}, 0
}

var (
	blankLine       = regexp.MustCompile(`\n[ \t\r]*\n`)
	environmentName = regexp.MustCompile(`^[a-zA-Z]+\*?$`)
)

// dollars reads a formula between single dollar signs. A dollar sign in braces belongs to
// text in the formula. The closing one does not come before a digit, and has a blank before
// it only if the opening one has a blank behind it.
func dollars(s string) (formula, int) {
	depth := 0
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		case '$':
			if depth > 0 {
				continue
			}
			inner := s[1:i]
			digit := i+1 < len(s) && '0' <= s[i+1] && s[i+1] <= '9'
			if strings.TrimSpace(inner) == "" || digit || isBlank(inner[0]) != isBlank(inner[len(inner)-1]) {
				return formula{}, 0
			}
			return formula{s[:i+1], inner, false}, i + 1
		}
	}
	return formula{}, 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// putMath replaces the marks in rendered HTML by MathML, and by the source where an element
// cannot stand: inside a tag and in code.
func putMath(page string, found []formula) string {
	if len(found) == 0 {
		return page
	}
	var b strings.Builder
	last := 0
	code := 0
	for _, m := range marks.FindAllStringSubmatchIndex(page, -1) {
		before := page[last:m[0]]
		b.WriteString(before)
		last = m[1]
		code += strings.Count(before, "<code") - strings.Count(before, "</code>")
		n, err := strconv.Atoi(page[m[2]:m[3]])
		if err != nil || n >= len(found) {
			b.WriteString(page[m[0]:m[1]])
			continue
		}
		inTag := strings.LastIndexByte(page[:m[0]], '<') > strings.LastIndexByte(page[:m[0]], '>')
		if inTag || code > 0 {
			b.WriteString(html.EscapeString(found[n].source))
		} else {
			b.WriteString(found[n].mathML())
		}
	}
	b.WriteString(page[last:])
	return b.String()
}

// latex turns the content of a text/latex output into MathML: formulas with their delimiters
// and text between them.
func latex(source string) string {
	source = strings.TrimSpace(source)
	text, found := takeMath(source)
	if len(found) == 0 {
		return `<p>` + texmath.MathML(strings.Trim(source, "$"), true) + "</p>\n"
	}
	return "<p>" + putMath(html.EscapeString(text), found) + "</p>\n"
}
