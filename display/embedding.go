package display

import "gonum.org/v1/gonum/mat"

// EmbeddingOptions are the options of Embedding.
type EmbeddingOptions struct {
	Title          string
	XLabel, YLabel string // "" means "coordinate 1", "coordinate 2"
	Columns        [2]int // columns drawn; the zero value means 0 and 1

	Labels     []int    // class of each row, 0 or more; negative means unknown
	ClassNames []string // name of class 0, 1, …

	Values    []float64 // a number for each row, drawn as colour instead of classes
	ValueName string

	// Images has the picture of each row, ImageHeight×ImageWidth pixels row by row; up
	// to Thumbnails of them (0 means 40) are drawn where they do not overlap.
	Images                  mat.Matrix
	ImageHeight, ImageWidth int
	Thumbnails              int

	Density     bool     // shade the plane by the density of the points
	EqualAspect bool     // same scale on both axes
	Interactive bool     // add a Vega-Lite form with tooltips, for up to 5,000 points
	PointNames  []string // name of each row, for tooltips

	Width, Height int // CSS pixels; 0 means 720×520
}

// Embedding draws an N×q embedding in the plane, with classes or values as colours.
func Embedding(z mat.Matrix, opts ...EmbeddingOptions) *Figure {
	o, err := only("Embedding", opts)
	if err != nil {
		return failed(err)
	}
	return newFigure("Embedding", o.Width, o.Height, 720, 520, "Embedding", blank)
}
