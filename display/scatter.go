package display

import "gonum.org/v1/gonum/mat"

// A PointSet is a named set of points, one in each row.
type PointSet struct {
	Name   string
	Points mat.Matrix
	Rank   int  // rank of the points' covariance for the legend; 0 leaves it out
	Lines  bool // join consecutive points
}

// ScatterOptions are the options of Scatter.
type ScatterOptions struct {
	Title          string
	XLabel, YLabel string
	Columns        [2]int // columns drawn; the zero value means 0 and 1
	EqualAspect    bool   // same scale on both axes

	Width, Height int // CSS pixels; 0 means 560×440
}

// Scatter draws sets of points in one plane, later sets over earlier ones: data,
// reconstructions and samples of a toy, for example.
func Scatter(sets []PointSet, opts ...ScatterOptions) *Figure {
	o, err := only("Scatter", opts)
	if err != nil {
		return failed(err)
	}
	return newFigure("Scatter", o.Width, o.Height, 560, 440, "Scatter", blank)
}

// KernelSamplesOptions are the options of KernelSamples.
type KernelSamplesOptions struct {
	Title string
	Kept  int      // leading coordinates that the model keeps, q; named in the axes
	Pairs [][2]int // coordinates of each panel, counted from 0; nil means those around the cut

	Width, Height int // CSS pixels; 0 means 800×400
}

// KernelSamples draws sampled kernel representations in eigen-coordinates (rows Eᵀk, one
// column for each eigenvector) over the representations of the training rows, in one
// panel for each pair of coordinates.
func KernelSamples(training mat.Matrix, samples []PointSet, opts ...KernelSamplesOptions) *Figure {
	o, err := only("KernelSamples", opts)
	if err != nil {
		return failed(err)
	}
	return newFigure("KernelSamples", o.Width, o.Height, defaultWidth, 400, "KernelSamples", blank)
}
