package texmath

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A class says how a node behaves beside its neighbours.
type class int

const (
	ordinary class = iota
	function       // log, det: a thin space separates it from an ordinary neighbour
	operator       // +, =: MathML spaces it
	opening
	closing
	space
)

// A node is a piece of MathML, always one element or nothing.
type node struct {
	ml     string
	class  class
	limits bool // scripts go below and above where there is room
}

// A parser reads TeX and returns MathML nodes.
type parser struct {
	lexer
	font  font
	depth int
}

// all reads the whole source, including closing tokens that close nothing.
func (p *parser) all() []node {
	var nodes []node
	for {
		nodes = append(nodes, p.table(p.row)...)
		t := p.next()
		if t == end {
			return nodes
		}
		nodes = append(nodes, text(string(t)))
	}
}

// table reads rows separated by \\ and cells separated by & where they stand outside an
// environment, as in "a &= b \\ &= c"; one cell is returned as it is.
func (p *parser) table(row func() []node) []node {
	first := row()
	if t := p.peek(); t != "&" && t != `\\` {
		return first
	}
	rows := p.rows(first)
	return []node{{ml: alignedTable(rows)}}
}

// row reads nodes up to a token that ends a row, a cell or a group, and leaves it.
func (p *parser) row() []node {
	p.depth++
	defer func() { p.depth-- }()
	var nodes []node
	for {
		if p.depth > maxDepth {
			return append(nodes, p.rest())
		}
		switch t := p.peek(); t {
		case end, "}", "&", `\\`, `\cr`, `\right`, `\middle`, `\end`:
			return nodes
		case `\displaystyle`, `\textstyle`, `\scriptstyle`:
			p.next()
			nodes = append(nodes, node{ml: styled(t, wrap(p.row()))})
		case `\over`, `\choose`:
			p.next()
			return []node{fraction(t, wrap(nodes), wrap(p.row()))}
		default:
			if n, ok := p.scripted(); ok {
				nodes = append(nodes, n)
			}
		}
	}
}

func styled(command token, ml string) string {
	switch command {
	case `\displaystyle`:
		return `<mstyle displaystyle="true" scriptlevel="0">` + ml + `</mstyle>`
	case `\textstyle`:
		return `<mstyle displaystyle="false" scriptlevel="0">` + ml + `</mstyle>`
	}
	return `<mstyle displaystyle="false" scriptlevel="1">` + ml + `</mstyle>`
}

// scripted reads a node with the sub- and superscripts that follow it.
func (p *parser) scripted() (node, bool) {
	var base node
	ok := true
	if t := p.peek(); t != "^" && t != "_" && t != "'" {
		base, ok = p.atom()
	}
	var sub, sup []node
	hasSub, hasSup := false, false
	for {
		switch p.peek() {
		case "^":
			p.next()
			sup, hasSup = append(sup, p.argument()), true
		case "_":
			p.next()
			sub, hasSub = append(sub, p.argument()), true
		case "'":
			p.next()
			sup, hasSup = append(sup, node{ml: "<mo>′</mo>"}), true
		case `\limits`:
			p.next()
			base.limits = true
		case `\nolimits`:
			p.next()
			base.limits = false
		default:
			if !hasSub && !hasSup {
				return base, ok
			}
			return attach(base, sub, sup, hasSub, hasSup), true
		}
	}
}

func attach(base node, sub, sup []node, hasSub, hasSup bool) node {
	names := [3]string{"msub", "msup", "msubsup"}
	if base.limits {
		names = [3]string{"munder", "mover", "munderover"}
	}
	ml := base.ml
	if ml == "" {
		ml = "<mrow></mrow>"
	}
	out := node{class: base.class}
	switch {
	case hasSub && hasSup:
		out.ml = element(names[2], ml+wrap(sub)+wrap(sup))
	case hasSub:
		out.ml = element(names[0], ml+wrap(sub))
	default:
		out.ml = element(names[1], ml+wrap(sup))
	}
	return out
}

// argument reads what a command takes: a group, or a single token with its own arguments.
func (p *parser) argument() node {
	switch t := p.peek(); {
	case t == end || t == "}" || t == "&" || t == `\\` || t == `\right` || t == `\middle` || t == `\end`:
		return node{ml: "<mrow></mrow>"}
	case t == "^" || t == "_" || t == "'":
		p.next()
		return text(string(t))
	case len(t) == 1 && '0' <= t[0] && t[0] <= '9':
		p.next()
		return p.digits(string(t))
	}
	n, ok := p.atom()
	if !ok || n.ml == "" {
		return node{ml: "<mrow></mrow>"}
	}
	return n
}

// atom reads one node without scripts. It is false where the source asks for nothing
// visible, as with \label.
func (p *parser) atom() (node, bool) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return p.rest(), true
	}
	t := p.next()
	if t[0] == '\\' {
		return p.command(t)
	}
	r, _ := utf8.DecodeRuneInString(string(t))
	switch {
	case t == "{":
		return p.braces(), true
	case '0' <= r && r <= '9':
		start := p.pos - len(t)
		for p.pos < len(p.src) && isNumber(p.src[p.pos:]) {
			p.raw()
		}
		return p.digits(p.src[start:p.pos]), true
	case t == "~":
		return gap("0.333em"), true
	case unicode.IsLetter(r):
		return p.letter(r), true
	}
	return character(r), true
}

// rest shows all that was not read yet as it is.
func (p *parser) rest() node {
	rest := p.src[p.pos:]
	p.pos = len(p.src)
	return text(rest)
}

// isNumber reports whether s goes on with a digit, or with a point before a digit.
func isNumber(s string) bool {
	digit := func(i int) bool { return i < len(s) && '0' <= s[i] && s[i] <= '9' }
	return digit(0) || s[0] == '.' && digit(1)
}

// braces reads the rest of a group. Fonts chosen inside end with it.
func (p *parser) braces() node {
	outer := p.font
	nodes := p.table(p.row)
	p.font = outer
	for p.peek() != "}" {
		t := p.next()
		if t == end {
			return single(nodes)
		}
		nodes = append(nodes, text(string(t)))
		nodes = append(nodes, p.row()...)
	}
	p.next()
	return single(nodes)
}

// single returns the nodes as one, keeping the nature of a lone operator.
func single(nodes []node) node {
	if len(nodes) == 1 {
		return nodes[0]
	}
	return node{ml: wrap(nodes)}
}

// sub reads a separate piece of source with the current font.
func (p *parser) sub(src string) []node {
	inner := parser{lexer: lexer{src: src}, font: p.font, depth: p.depth}
	return inner.all()
}

// wrap returns the nodes as exactly one element.
func wrap(nodes []node) string {
	if len(nodes) == 1 && nodes[0].ml != "" {
		return nodes[0].ml
	}
	var b strings.Builder
	b.WriteString("<mrow>")
	for i, n := range nodes {
		if i > 0 && thinSpace(nodes[i-1].class, n.class) {
			b.WriteString(thin)
		}
		b.WriteString(n.ml)
	}
	b.WriteString("</mrow>")
	return b.String()
}

const thin = `<mspace width="0.167em"></mspace>`

func thinSpace(left, right class) bool {
	return left == function && (right == ordinary || right == function) ||
		right == function && (left == ordinary || left == closing)
}

func element(name, content string) string {
	return "<" + name + ">" + content + "</" + name + ">"
}

// text shows characters upright, with their spaces.
func text(s string) node {
	return node{ml: element("mtext", strings.ReplaceAll(html.EscapeString(s), " ", "\u00a0"))}
}

func gap(width string) node {
	return node{ml: `<mspace width="` + width + `"></mspace>`, class: space}
}

func (p *parser) digits(s string) node {
	return node{ml: element("mn", p.font.convert(s))}
}

func (p *parser) letter(r rune) node {
	if p.font == upright {
		return node{ml: `<mi mathvariant="normal">` + html.EscapeString(string(r)) + `</mi>`}
	}
	return node{ml: element("mi", html.EscapeString(p.font.convert(string(r))))}
}

// character shows a character that is neither letter nor digit.
func character(r rune) node {
	switch r {
	case '(', '[':
		return node{ml: `<mo stretchy="false" form="prefix">` + string(r) + `</mo>`, class: opening}
	case ')', ']':
		return node{ml: `<mo stretchy="false" form="postfix">` + string(r) + `</mo>`, class: closing}
	case '|':
		return node{ml: `<mo stretchy="false" lspace="0" rspace="0">|</mo>`, class: space}
	case '-':
		return node{ml: "<mo>−</mo>", class: operator}
	case '*':
		return node{ml: "<mo>∗</mo>", class: operator}
	case '/':
		return node{ml: `<mo lspace="0" rspace="0">/</mo>`, class: operator}
	case '!':
		return node{ml: `<mo lspace="0" rspace="0">!</mo>`, class: closing}
	case '.', '#', '$', '"', '`', '@', '?':
		return node{ml: element("mtext", html.EscapeString(string(r))), class: operator}
	}
	return node{ml: element("mo", html.EscapeString(string(r))), class: operator}
}
