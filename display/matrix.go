package display

import (
	"encoding/base64"
	"fmt"
	"html"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// MatrixOptions are the options of Matrix.
type MatrixOptions struct {
	Caption     string // "" means type and shape
	Digits      int    // significant digits; 0 means 4
	Rows, Cols  int    // rows and columns shown before the rest is elided; 0 means 10 and 10
	RowNames    []string
	ColumnNames []string
	HeatMap     bool // add a small heat map
}

// Matrix shows a matrix as a table; of a large one the beginning and the end. NaN and
// infinities are shown as what they are.
func Matrix(m mat.Matrix, opts ...MatrixOptions) *Document {
	o, err := only("Matrix", opts)
	if err != nil {
		return &Document{err: err}
	}
	if m == nil || isNilPointer(m) {
		return &Document{err: fmt.Errorf("%w: Matrix: m is nil, want a matrix", ErrInput)}
	}
	digits, err := checkDigits("Matrix", o.Digits)
	rows, cols := m.Dims()
	if err == nil {
		err = checkLength("Matrix: RowNames", len(o.RowNames), rows, "row")
	}
	if err == nil {
		err = checkLength("Matrix: ColumnNames", len(o.ColumnNames), cols, "column")
	}
	if err == nil && (o.Rows < 0 || o.Cols < 0 || o.Rows > 1000 || o.Cols > 100) {
		err = fmt.Errorf("%w: Matrix: shows %d×%d entries, want up to 1000 rows and 100 columns", ErrInput, o.Rows, o.Cols)
	}
	if err != nil {
		return &Document{err: err}
	}
	caption := join(" ", o.Caption, fmt.Sprintf("(%s, %d×%d)", matrixKind(m), rows, cols))
	if o.Caption == "" {
		caption = fmt.Sprintf("%s, %d×%d", matrixKind(m), rows, cols)
	}
	if rows == 0 || cols == 0 {
		return &Document{bundle: plainBundle(caption)}
	}
	g := matrixCells(m, caption, digits, o)
	d := g.document()
	delete(d.bundle.Data, MIMEMarkdown)
	if o.HeatMap {
		d.addPicture(Gram(m, GramOptions{Label: "value", Width: 380, Height: 300}))
	}
	return d
}

// addPicture adds a figure to the document, in the HTML form below the table.
func (d *Document) addPicture(f *Figure) {
	b, err := f.Bundle()
	if err != nil {
		d.err = fmt.Errorf("Matrix: HeatMap: %w", err)
		return
	}
	d.bundle.Data[MIMEPNG], d.bundle.Metadata = b.PNG(), b.Metadata
	d.bundle.Data[MIMEHTML] = fmt.Sprintf("%s\n<img alt=\"%s\" width=\"%d\" src=\"data:image/png;base64,%s\">",
		d.bundle.Data[MIMEHTML], html.EscapeString(f.summary), int(f.width), base64.StdEncoding.EncodeToString(b.PNG()))
}

// matrixKind names the type without its package's path.
func matrixKind(m mat.Matrix) string {
	name := fmt.Sprintf("%T", m)
	return strings.TrimPrefix(strings.TrimPrefix(name, "*"), "mat.")
}

// matrixCells returns the entries that are shown, with an ellipsis for the others.
func matrixCells(m mat.Matrix, caption string, digits int, o MatrixOptions) *cells {
	rows, cols := m.Dims()
	shownRows, shownCols := elide(rows, o.Rows), elide(cols, o.Cols)
	header := []string{""}
	for _, j := range shownCols {
		header = append(header, name(o.ColumnNames, j))
	}
	g := newCells(caption, header, len(shownRows))
	g.named = true
	for i, r := range shownRows {
		g.text[i][0] = cellText(name(o.RowNames, r), 0)
	}
	for k, j := range shownCols {
		var values []float64
		for _, i := range shownRows {
			if i >= 0 && j >= 0 {
				values = append(values, m.At(i, j))
			}
		}
		texts := columnNumbers(values, digits)
		for i, r := range shownRows {
			if r < 0 || j < 0 {
				g.text[i][k+1] = "…"
				continue
			}
			g.text[i][k+1], texts = texts[0], texts[1:]
		}
	}
	g.right[0] = len(o.RowNames) == 0
	return g
}

// elide returns the indices shown of n: all, or the first and last with -1 between them;
// limit 0 means 10.
func elide(n, limit int) []int {
	if limit == 0 {
		limit = 10
	}
	var shown []int
	if n <= limit {
		limit = n
	}
	head := int(math.Ceil(float64(limit) * 0.6))
	for i := range n {
		switch {
		case n == limit || i < head || i >= n-(limit-head):
			shown = append(shown, i)
		case i == head:
			shown = append(shown, -1)
		}
	}
	return shown
}

// name returns the name of row or column i, its number if it has none.
func name(names []string, i int) string {
	switch {
	case i < 0:
		return "…"
	case i < len(names):
		return names[i]
	}
	return fmt.Sprint(i)
}
