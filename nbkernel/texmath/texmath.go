// Package texmath turns the mathematics of notebooks, written in TeX, into MathML, which
// browsers draw without a script.
//
// It knows the part of TeX and AMS-LaTeX that texts on linear algebra, probability and
// optimisation use: letters in all alphabets, scripts, fractions, roots, accents, big
// operators with limits, delimiters that grow, matrices, cases and aligned equations. A
// command it does not know is shown by its name, so that nothing is lost; nothing is an
// error. Macros (\newcommand) are not expanded.
package texmath

import (
	"html"
	"strings"
)

// Bounds beyond which the source is shown as it is.
const (
	maxSource = 64 << 10 // bytes
	maxDepth  = 150      // rows and atoms in each other, about two for a group
)

// MathML returns a math element that shows the TeX source: display chooses between an
// equation of its own and one that stands in a line of text. The source, without the
// dollar signs around it, is kept as an annotation.
func MathML(tex string, display bool) string {
	var b strings.Builder
	b.WriteString(`<math xmlns="http://www.w3.org/1998/Math/MathML"`)
	if display {
		b.WriteString(` display="block"`)
	}
	b.WriteString(`><semantics>`)
	tex = strings.Map(printable, strings.ToValidUTF8(tex, "\ufffd"))
	if len(tex) > maxSource {
		b.WriteString("<mtext>" + html.EscapeString(tex) + "</mtext>")
	} else {
		p := parser{lexer: lexer{src: tex}}
		b.WriteString(wrap(p.all()))
	}
	b.WriteString(`<annotation encoding="application/x-tex">`)
	b.WriteString(html.EscapeString(tex))
	b.WriteString(`</annotation></semantics></math>`)
	return b.String()
}

// printable replaces the characters that a document must not contain.
func printable(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0xfffe || r == 0xffff {
		return '\ufffd'
	}
	return r
}
