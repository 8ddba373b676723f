package display

import "gonum.org/v1/gonum/mat"

// TableOptions are the options of Table.
type TableOptions struct {
	Caption string
	Digits  int // significant digits of floating-point numbers; 0 means 4
}

// Table shows rows of values under a header. Numbers are aligned to the right and rounded;
// every row must be as long as the header.
func Table(header []string, rows [][]any, opts ...TableOptions) *Document {
	if _, err := only("Table", opts); err != nil {
		return &Document{err: err}
	}
	return &Document{bundle: plainBundle("Table")}
}

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
	if _, err := only("Matrix", opts); err != nil {
		return &Document{err: err}
	}
	return &Document{bundle: plainBundle("Matrix")}
}
