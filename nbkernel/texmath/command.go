package texmath

import (
	"html"
	"strings"
)

// command reads what the control sequence t, already read, asks for.
func (p *parser) command(t token) (node, bool) {
	if n, ok := p.symbol(t); ok {
		return n, true
	}
	if f, ok := fontCommands[t]; ok {
		return p.inFont(f), true
	}
	if a, ok := accents[t]; ok {
		return p.accent(a.mark, a.wide, a.below, strings.HasSuffix(string(t), "brace")), true
	}
	switch t {
	case `\overline`:
		return node{ml: `<mrow style="border-top:0.06em solid;padding-top:0.08em">` + p.argument().ml + `</mrow>`}, true
	case `\underline`:
		return node{ml: `<mrow style="border-bottom:0.06em solid;padding-bottom:0.08em">` + p.argument().ml + `</mrow>`}, true
	case `\frac`, `\dfrac`, `\tfrac`, `\cfrac`, `\binom`, `\dbinom`, `\tbinom`:
		above := p.argument()
		return fraction(t, above.ml, p.argument().ml), true
	case `\sqrt`:
		return p.root(), true
	case `\left`:
		return p.fenced(), true
	case `\begin`:
		return p.environment(strings.TrimSpace(p.group())), true
	case `\text`, `\textrm`, `\textnormal`, `\mbox`, `\hbox`:
		return p.prose(p.group()), true
	case `\textbf`, `\textit`, `\emph`, `\texttt`, `\textsf`:
		f := map[token]font{`\textbf`: bold, `\texttt`: mono, `\textsf`: sans}[t]
		return text(f.convert(p.group())), true
	case `\operatorname`, `\operatorname*`:
		return named(plain(p.group()), t == `\operatorname*`), true
	case `\overset`, `\stackrel`:
		above := p.argument()
		return node{ml: element("mover", p.argument().ml+above.ml), class: operator}, true
	case `\underset`:
		below := p.argument()
		return node{ml: element("munder", p.argument().ml+below.ml), class: operator}, true
	case `\xrightarrow`, `\xleftarrow`:
		arrow := map[token]string{`\xrightarrow`: "→", `\xleftarrow`: "←"}[t]
		below, hasBelow := p.option()
		ml := `<mo stretchy="true">` + arrow + `</mo>`
		if hasBelow {
			return node{ml: element("munderover", ml+wrap(p.sub(below))+p.argument().ml), class: operator}, true
		}
		return node{ml: element("mover", ml+p.argument().ml), class: operator}, true
	case `\substack`:
		return node{ml: matrixTable(p.cells(p.group()), "")}, true
	case `\phantom`, `\hphantom`, `\vphantom`:
		return node{ml: element("mphantom", p.argument().ml)}, true
	case `\boxed`, `\fbox`:
		return node{ml: `<mrow style="border:1px solid;padding:0.2em">` + p.argument().ml + `</mrow>`}, true
	case `\mathop`:
		n := p.argument()
		return node{ml: n.ml, class: function, limits: true}, true
	case `\mathrel`, `\mathbin`, `\mathpunct`, `\mathord`, `\mathopen`, `\mathclose`, `\mathinner`:
		return p.argument(), true
	case `\not`:
		return p.negated(), true
	case `\bmod`, `\mod`:
		return node{ml: `<mo lspace="0.22em" rspace="0.22em">mod</mo>`, class: operator}, true
	case `\pmod`:
		return node{ml: element("mrow", `<mspace width="1em"></mspace><mo stretchy="false">(</mo><mi>mod</mi>`+thin+p.argument().ml+`<mo stretchy="false">)</mo>`)}, true
	case `\tag`, `\tag*`:
		label := p.group()
		if t == `\tag` {
			label = "(" + label + ")"
		}
		return node{ml: element("mrow", `<mspace width="2em"></mspace>`+p.prose(label).ml)}, true
	case `\label`, `\hspace`, `\hspace*`, `\mspace`, `\vspace`, `\color`:
		p.group()
		if t == `\hspace` || t == `\hspace*` || t == `\mspace` {
			return gap("0.5em"), true
		}
		return node{}, false
	case `\textcolor`:
		p.group()
		return p.argument(), true
	case `\eqref`, `\ref`:
		return text("(" + p.group() + ")"), true
	case `\nonumber`, `\notag`, `\limits`, `\nolimits`, `\strut`, `\allowbreak`, `\nobreak`, `\hline`,
		`\rm`, `\bf`, `\it`, `\cal`, `\displaylimits`, `\relax`:
		return p.declared(t)
	}
	if size, ok := sizes[strings.TrimRight(string(t), "lrm")]; ok {
		return p.sized(t, size), true
	}
	return node{ml: `<mtext class="unknown">` + html.EscapeString(string(t)) + `</mtext>`}, true
}

// declared handles commands that change what follows in the group, or nothing.
func (p *parser) declared(t token) (node, bool) {
	if f, ok := map[token]font{`\rm`: upright, `\bf`: bold, `\it`: italic, `\cal`: script}[t]; ok {
		p.font = f
	}
	return node{}, false
}

// symbol returns what stands for itself.
func (p *parser) symbol(t token) (node, bool) {
	if r, ok := letters[t]; ok {
		return node{ml: element("mi", p.font.convert(string(r)))}, true
	}
	if r, ok := uprights[t]; ok {
		if s := p.font.convert(string(r)); s != string(r) {
			return node{ml: element("mi", s)}, true
		}
		return node{ml: `<mi mathvariant="normal">` + html.EscapeString(string(r)) + `</mi>`}, true
	}
	if r, ok := bigs[t]; ok {
		integral := '∫' <= r && r <= '∮'
		return node{ml: element("mo", string(r)), class: operator, limits: !integral}, true
	}
	if limits, ok := functions[t]; ok {
		name := map[token]string{`\argmax`: "arg\u00a0max", `\argmin`: "arg\u00a0min", `\liminf`: "lim\u00a0inf", `\limsup`: "lim\u00a0sup"}[t]
		if name == "" {
			name = string(t[1:])
		}
		return named(name, limits), true
	}
	if width, ok := spaces[t]; ok {
		return gap(width), true
	}
	if r, ok := operators[t]; ok {
		return relation(r), true
	}
	if d, ok := delimiters[t]; ok {
		return delimiter(t, d), true
	}
	return node{}, false
}

func relation(r rune) node {
	switch r {
	case '∣', '∥', '⟂':
		return node{ml: `<mo lspace="0.278em" rspace="0.278em" stretchy="false">` + string(r) + `</mo>`, class: operator}
	case ':':
		return node{ml: `<mo lspace="0" rspace="0.278em">:</mo>`, class: operator}
	case '⋅', '∘', '∗', '⋆', '∙':
		return node{ml: `<mo lspace="0.222em" rspace="0.222em">` + string(r) + `</mo>`, class: operator}
	case '↑', '↓', '↕', '→', '←', '↔', '↦', '⇒', '⇐', '⇔', '⟶', '⟵', '⟼', '⟺', '⟹', '⟸':
		return node{ml: `<mo stretchy="false">` + string(r) + `</mo>`, class: operator}
	}
	return node{ml: element("mo", html.EscapeString(string(r))), class: operator}
}

// delimiter shows a delimiter at its natural size.
func delimiter(t token, d string) node {
	switch {
	case d == "‖" || d == "|":
		return node{ml: `<mo stretchy="false" lspace="0" rspace="0">` + d + `</mo>`, class: space}
	case strings.HasPrefix(string(t), `\l`) || t == `\{`:
		return node{ml: `<mo stretchy="false" form="prefix">` + d + `</mo>`, class: opening}
	}
	return node{ml: `<mo stretchy="false" form="postfix">` + d + `</mo>`, class: closing}
}

// named shows the name of a function.
func named(name string, limits bool) node {
	name = html.EscapeString(name)
	if limits {
		return node{ml: `<mo movablelimits="true" lspace="0" rspace="0">` + name + `</mo>`, class: function, limits: true}
	}
	if len([]rune(name)) == 1 {
		return node{ml: `<mi mathvariant="normal">` + name + `</mi>`, class: function}
	}
	return node{ml: element("mi", name), class: function}
}

// plain returns the text of a name without spacing commands and braces.
func plain(s string) string {
	return strings.NewReplacer(`\,`, "\u00a0", `\;`, "\u00a0", `\ `, "\u00a0", "~", "\u00a0", `\!`, "",
		`\mathrm`, "", `\rm`, "", "{", "", "}", "").Replace(strings.TrimSpace(s))
}

// inFont reads an argument in a font. Several upright letters are one word.
func (p *parser) inFont(f font) node {
	if p.peek() == "{" && f == upright {
		at := p.pos
		if word := strings.TrimSpace(p.group()); len(word) > 1 && strings.IndexFunc(word, notLetter) < 0 {
			return node{ml: element("mi", word)}
		}
		p.pos = at
	}
	outer := p.font
	p.font = f
	n := p.argument()
	p.font = outer
	return node{ml: n.ml}
}

func notLetter(r rune) bool { return r > 127 || !isLetter(byte(r)) }

func (p *parser) accent(mark string, wide, below, limits bool) node {
	name, attribute := "mover", `accent="true"`
	if below {
		name, attribute = "munder", `accentunder="true"`
	}
	mo := `<mo stretchy="false">` + html.EscapeString(mark) + `</mo>`
	if wide {
		mo = `<mo stretchy="true">` + html.EscapeString(mark) + `</mo>`
	}
	return node{ml: "<" + name + " " + attribute + ">" + p.argument().ml + mo + "</" + name + ">", limits: limits}
}

func fraction(t token, above, below string) node {
	switch t {
	case `\dfrac`, `\cfrac`:
		return node{ml: `<mfrac displaystyle="true">` + above + below + `</mfrac>`}
	case `\tfrac`:
		return node{ml: `<mfrac displaystyle="false" scriptlevel="+1">` + above + below + `</mfrac>`}
	case `\binom`, `\dbinom`, `\tbinom`, `\choose`:
		return node{ml: `<mrow><mo>(</mo><mfrac linethickness="0">` + above + below + `</mfrac><mo>)</mo></mrow>`}
	}
	return node{ml: element("mfrac", above+below)}
}

func (p *parser) root() node {
	if index, ok := p.option(); ok {
		degree := wrap(p.sub(index))
		return node{ml: element("mroot", p.argument().ml+degree)}
	}
	return node{ml: element("msqrt", p.argument().ml)}
}

// negated reads the argument of \not.
func (p *parser) negated() node {
	n := p.argument()
	if at := strings.LastIndex(n.ml, "</"); at >= 0 && strings.HasPrefix(n.ml, "<m") && n.class == operator {
		n.ml = n.ml[:at] + "\u0338" + n.ml[at:]
	} else {
		n.ml = element("mrow", `<mtext>¬</mtext>`+n.ml)
	}
	return n
}

// prose shows text that may contain formulas between dollar signs.
func (p *parser) prose(s string) node {
	parts := strings.Split(s, "$")
	if len(parts)%2 == 0 {
		return text(s)
	}
	var nodes []node
	for i, part := range parts {
		switch {
		case part == "":
		case i%2 == 1:
			nodes = append(nodes, p.sub(part)...)
		default:
			nodes = append(nodes, text(strings.NewReplacer(`\ `, " ", `\%`, "%", `\_`, "_", `\&`, "&", `\#`, "#", "~", " ").Replace(part)))
		}
	}
	return single(nodes)
}

// fenced reads from \left's delimiter to \right's.
func (p *parser) fenced() node {
	var b strings.Builder
	b.WriteString("<mrow>")
	b.WriteString(grown(p.delimiter(), "prefix"))
	for {
		b.WriteString(wrap(p.table(p.row)))
		switch p.peek() {
		case `\middle`:
			p.next()
			b.WriteString(grown(p.delimiter(), "infix"))
			continue
		case `\right`:
			p.next()
			b.WriteString(grown(p.delimiter(), "postfix"))
		}
		b.WriteString("</mrow>")
		return node{ml: b.String()}
	}
}

// delimiter reads the token after \left and its like.
func (p *parser) delimiter() string {
	at := p.pos
	t := p.next()
	if d, ok := delimiters[t]; ok {
		return d
	}
	p.pos = at // not a delimiter: it is shown as what it is
	return ""
}

func grown(d, form string) string {
	if d == "" {
		return ""
	}
	spacing := ""
	if form == "infix" {
		spacing = ` lspace="0.2em" rspace="0.2em"`
	}
	return `<mo stretchy="true" fence="true" form="` + form + `"` + spacing + `>` + html.EscapeString(d) + `</mo>`
}

// sized reads the delimiter after \big and its like.
func (p *parser) sized(t token, size string) node {
	d := p.delimiter()
	if d == "" {
		return node{ml: "<mrow></mrow>", class: space}
	}
	class, form := space, ""
	switch t[len(t)-1] {
	case 'l':
		class, form = opening, ` form="prefix"`
	case 'r':
		class, form = closing, ` form="postfix"`
	}
	return node{ml: `<mo stretchy="true"` + form + ` minsize="` + size + `" maxsize="` + size + `">` + html.EscapeString(d) + `</mo>`, class: class}
}
