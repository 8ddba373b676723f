package display

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// TableOptions are the options of Table.
type TableOptions struct {
	Caption string
	Digits  int // significant digits of floating-point numbers; 0 means 4
}

// Limits on the cells of a table. A longer one is a file, not something to read.
const (
	maxTableCells = 100_000
	maxCellText   = 2000    // bytes
	maxTableText  = 8 << 20 // characters of the text form
	maxDigits     = 17
)

// Table shows rows of values under a header. Numbers are aligned to the right and rounded;
// every row must be as long as the header.
func Table(header []string, rows [][]any, opts ...TableOptions) *Document {
	o, err := only("Table", opts)
	if err != nil {
		return &Document{err: err}
	}
	digits, err := checkDigits("Table", o.Digits)
	if err != nil {
		return &Document{err: err}
	}
	if len(header) == 0 {
		return &Document{err: fmt.Errorf("%w: Table: no header, want at least one column", ErrInput)}
	}
	if cells := len(header) * len(rows); cells > maxTableCells {
		return &Document{err: fmt.Errorf("%w: Table: %d×%d cells, want at most %d", ErrInput, len(rows), len(header), maxTableCells)}
	}
	g := newCells(o.Caption, header, len(rows))
	for i, row := range rows {
		if len(row) != len(header) {
			return &Document{err: fmt.Errorf("%w: Table: row %d has %d cells, want %d as the header", ErrInput, i, len(row), len(header))}
		}
		for j, v := range row {
			g.text[i][j] = cellText(v, digits)
			g.right[j] = g.right[j] && isNumber(v)
		}
	}
	return g.document()
}

// checkDigits returns the number of significant digits; 0 means 4.
func checkDigits(name string, digits int) (int, error) {
	if digits < 0 || digits > maxDigits {
		return 0, fmt.Errorf("%w: %s: Digits is %d, want 0 to %d", ErrInput, name, digits, maxDigits)
	}
	if digits == 0 {
		return 4, nil
	}
	return digits, nil
}

// cellText formats one value.
func cellText(v any, digits int) string {
	var text string
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return number(v, digits)
	case float32:
		return number(float64(v), digits)
	case error:
		text = v.Error()
	case string:
		text = v
	default:
		text = fmt.Sprint(v)
	}
	text = strings.Join(strings.Fields(clean(text)), " ")
	if len(text) > maxCellText {
		text = cutUTF8(text, maxCellText) + "…"
	}
	return text
}

// isNumber reports whether a value belongs to a column aligned to the right.
func isNumber(v any) bool {
	switch v.(type) {
	case nil, float64, float32, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return true
	}
	return false
}

// cells are a table whose values have become text.
type cells struct {
	caption string
	header  []string
	text    [][]string
	right   []bool // of each column: aligned to the right
	named   bool   // the first column names the rows
}

// newCells returns an empty table of n rows.
func newCells(caption string, header []string, n int) *cells {
	g := &cells{caption: cellText(caption, 0), header: make([]string, len(header)), text: make([][]string, n), right: make([]bool, len(header))}
	for j, h := range header {
		g.header[j] = cellText(h, 0)
		g.right[j] = n > 0
	}
	for i := range g.text {
		g.text[i] = make([]string, len(header))
	}
	return g
}

// document returns the table in its three forms.
func (g *cells) document() *Document {
	width := 0
	for _, w := range g.widths() {
		width += w + 2
	}
	if size := width * (len(g.text) + 1); size > maxTableText {
		return &Document{err: fmt.Errorf("%w: Table: %d lines of %d characters, want at most %d characters in all",
			ErrInput, len(g.text)+1, width, maxTableText)}
	}
	return &Document{bundle: Bundle{Data: map[string]any{
		MIMEHTML:     g.html(),
		MIMEMarkdown: g.markdown(),
		MIMEPlain:    g.plain(),
	}}}
}

// widths returns the number of characters of the widest cell of each column.
func (g *cells) widths() []int {
	widths := make([]int, len(g.header))
	for _, row := range append([][]string{g.header}, g.text...) {
		for j, cell := range row {
			widths[j] = max(widths[j], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// plain aligns the columns with blanks.
func (g *cells) plain() string {
	widths := g.widths()
	var b strings.Builder
	if g.caption != "" {
		b.WriteString(g.caption + "\n")
	}
	write := func(row []string) {
		var line strings.Builder
		for j, cell := range row {
			pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell))
			if j > 0 {
				line.WriteString("  ")
			}
			if g.right[j] {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	write(g.header)
	for _, row := range g.text {
		write(row)
	}
	return strings.TrimRight(b.String(), "\n")
}

// markdownEscape takes their meaning from the characters that have one in Markdown or begin a formula.
var markdownEscape = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", "&", "&amp;", "*", `\*`, "_", `\_`,
	"`", "\\`", "$", `\$`, "[", `\[`, "]", `\]`, "~", `\~`)

// markdown returns a pipe table.
func (g *cells) markdown() string {
	var b strings.Builder
	if g.caption != "" {
		b.WriteString("**" + markdownEscape.Replace(g.caption) + "**\n\n")
	}
	write := func(row []string) {
		for _, cell := range row {
			b.WriteString("| " + markdownEscape.Replace(cell) + " ")
		}
		b.WriteString("|\n")
	}
	write(g.header)
	for _, right := range g.right {
		if right {
			b.WriteString("|---:")
		} else {
			b.WriteString("|:---")
		}
	}
	b.WriteString("|\n")
	for _, row := range g.text {
		write(row)
	}
	return b.String()
}

// html returns a table that carries its own alignment and leaves colours to the page.
func (g *cells) html() string {
	var b strings.Builder
	b.WriteString("<table class=\"tex2jax_ignore mathjax_ignore\">\n") // a $ in a cell begins no formula
	if g.caption != "" {
		fmt.Fprintf(&b, "<caption style=\"text-align:left\">%s</caption>\n", html.EscapeString(g.caption))
	}
	write := func(row []string, tag string) {
		b.WriteString("<tr>")
		for j, cell := range row {
			align, name := "left", tag
			if g.right[j] {
				align = "right"
			}
			if j == 0 && g.named {
				name = "th"
			}
			fmt.Fprintf(&b, "<%s style=\"text-align:%s\">%s</%s>", name, align, html.EscapeString(cell), name)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("<thead>\n")
	write(g.header, "th")
	b.WriteString("</thead>\n<tbody>\n")
	for _, row := range g.text {
		write(row, "td")
	}
	b.WriteString("</tbody>\n</table>")
	return b.String()
}

// columnNumbers formats the values of a column alike, with the decimals that the largest
// needs for the given digits, at least two fewer than digits, unless all values end in zeros;
// if the magnitudes differ much, each by itself.
func columnNumbers(values []float64, digits int) []string {
	low, high := math.Inf(1), 0.0
	for _, v := range values {
		if a := math.Abs(v); a > 0 && !math.IsInf(a, 0) {
			low, high = math.Min(low, a), math.Max(high, a)
		}
	}
	out := make([]string, len(values))
	if high == 0 || high >= 1e6 || low < 1e-4 || high/low >= 1e5 {
		for i, v := range values {
			out[i] = number(v, digits)
		}
		return out
	}
	unit := math.Pow(10, float64(digits))
	decimals := max(digits-2, digits-1-int(math.Floor(math.Log10(high))), 0)
	for ; decimals > 0; decimals-- {
		if !allShort(values, decimals-1, unit) {
			break
		}
	}
	for i, v := range values {
		out[i] = number(v, digits)
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			out[i] = strconv.FormatFloat(v, 'f', decimals, 64)
		}
	}
	return out
}

// allShort reports whether all values, rounded to one part in unit of 1, have at most the
// given number of decimals.
func allShort(values []float64, decimals int, unit float64) bool {
	power := math.Pow(10, float64(decimals))
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) && math.Abs(v*power-math.Round(v*power)) > power/(unit*1e3) {
			return false
		}
	}
	return true
}
