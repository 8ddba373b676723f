package texmath

import (
	"html"
	"strings"
)

// environments maps names to the delimiters around a table; "aligned" tables alternate
// between right and left columns.
var environments = map[string]struct {
	left, right string
	kind        string // "matrix", "aligned", "cases", "array", "gathered" or "plain"
}{
	"matrix": {kind: "matrix"}, "smallmatrix": {kind: "matrix"}, "pmatrix": {"(", ")", "matrix"},
	"bmatrix": {"[", "]", "matrix"}, "Bmatrix": {"{", "}", "matrix"}, "vmatrix": {"|", "|", "matrix"},
	"Vmatrix": {"‖", "‖", "matrix"}, "cases": {"{", "", "cases"}, "dcases": {"{", "", "cases"},
	"rcases": {"", "}", "cases"}, "array": {kind: "array"},
	"aligned": {kind: "aligned"}, "align": {kind: "aligned"}, "align*": {kind: "aligned"}, "split": {kind: "aligned"},
	"alignat": {kind: "alignat"}, "alignat*": {kind: "alignat"}, "alignedat": {kind: "alignat"},
	"eqnarray": {kind: "aligned"}, "eqnarray*": {kind: "aligned"}, "gather": {kind: "gathered"},
	"gather*": {kind: "gathered"}, "gathered": {kind: "gathered"}, "multline": {kind: "gathered"},
	"multline*": {kind: "gathered"}, "equation": {kind: "plain"}, "equation*": {kind: "plain"},
	"displaymath": {kind: "plain"}, "math": {kind: "plain"},
}

// environment reads from after \begin{name} to after \end{name}.
func (p *parser) environment(name string) node {
	env, known := environments[name]
	columns := ""
	switch env.kind {
	case "array":
		p.option()
		columns = strings.Map(func(r rune) rune {
			if r == 'l' || r == 'c' || r == 'r' {
				return r
			}
			return -1
		}, p.group())
	case "alignat":
		p.group()
	}
	outer := p.font
	rows := p.rows(p.row())
	p.font = outer
	if p.peek() == `\end` {
		p.next()
		p.group()
	}
	if !known {
		return node{ml: element("mrow", `<mtext class="unknown">`+html.EscapeString(`\begin{`+name+`}`)+`</mtext>`+
			alignedTable(rows)+`<mtext class="unknown">`+html.EscapeString(`\end{`+name+`}`)+`</mtext>`)}
	}
	var table string
	switch env.kind {
	case "aligned", "alignat":
		table = alignedTable(rows)
	case "plain":
		if len(rows) == 1 && len(rows[0]) == 1 {
			return node{ml: rows[0][0]}
		}
		table = alignedTable(rows)
	case "cases":
		table = matrixTable(rows, "ll")
	case "array":
		table = matrixTable(rows, columns)
	default:
		table = matrixTable(rows, "")
	}
	if env.left == "" && env.right == "" {
		return node{ml: table}
	}
	return node{ml: element("mrow", grown(env.left, "prefix")+table+grown(env.right, "postfix"))}
}

// rows reads the rest of a table whose first cell was read, and returns its cells as
// MathML. It stops before a token that closes what is around the table.
func (p *parser) rows(first []node) [][]string {
	rows := [][]string{{wrap(first)}}
	for {
		switch p.peek() {
		case "&":
			p.next()
			last := len(rows) - 1
			rows[last] = append(rows[last], wrap(p.row()))
		case `\\`, `\cr`:
			p.next()
			if p.pos < len(p.src) && p.src[p.pos] == '[' {
				p.option() // extra space between rows
			}
			rows = append(rows, []string{wrap(p.row())})
		default:
			if last := len(rows) - 1; last > 0 && len(rows[last]) == 1 && rows[last][0] == "<mrow></mrow>" {
				rows = rows[:last] // a table may end in \\
			}
			return rows
		}
	}
}

// cells reads a table that is given as text.
func (p *parser) cells(src string) [][]string {
	inner := parser{lexer: lexer{src: src}, font: p.font, depth: p.depth}
	return inner.rows(inner.row())
}

// matrixTable returns a table with the columns aligned as told by letters l, c and r.
func matrixTable(rows [][]string, columns string) string {
	return table(rows, func(i int) string {
		if i < len(columns) {
			return map[byte]string{'l': "text-align:left", 'r': "text-align:right"}[columns[i]]
		}
		return ""
	}, "")
}

// alignedTable returns a table in which columns meet in pairs at the & signs.
func alignedTable(rows [][]string) string {
	wide := 0
	for _, row := range rows {
		wide = max(wide, len(row))
	}
	if wide == 1 {
		return table(rows, func(int) string { return "" }, ` displaystyle="true"`)
	}
	return table(rows, func(i int) string {
		if i%2 == 0 {
			return "text-align:right;padding-right:0"
		}
		return "text-align:left;padding-left:0.28em"
	}, ` displaystyle="true"`)
}

func table(rows [][]string, style func(column int) string, attributes string) string {
	var b strings.Builder
	b.WriteString("<mtable" + attributes + ">")
	for _, row := range rows {
		b.WriteString("<mtr>")
		for i, cell := range row {
			if s := style(i); s != "" {
				b.WriteString(`<mtd style="` + s + `">` + cell + "</mtd>")
			} else {
				b.WriteString(element("mtd", cell))
			}
		}
		b.WriteString("</mtr>")
	}
	b.WriteString("</mtable>")
	return b.String()
}
