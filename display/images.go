package display

import "gonum.org/v1/gonum/mat"

// An ImageRow is a labelled row of grey images, one in each row of the matrix.
type ImageRow struct {
	Name   string
	Images mat.Matrix
}

// ImagesOptions are the options of Images.
type ImagesOptions struct {
	Title        string
	ColumnTitles []string
	Columns      int     // images side by side before a row wraps; 0 means up to 20
	Min, Max     float64 // grey range; both zero mean the range of the first row's values
	EachOwnRange bool    // stretch each image to its own range
	DarkIsHigh   bool    // black for the highest value, as ink on paper

	Width int // CSS pixels; 0 means as wide as needed, up to 800
}

// Images draws grids of grey images, height×width pixels each, stored row by row: for
// instance one row of originals and below it one of reconstructions for each model.
func Images(rows []ImageRow, height, width int, opts ...ImagesOptions) *Figure {
	o, err := only("Images", opts)
	if err != nil {
		return failed(err)
	}
	return newFigure("Images", o.Width, 0, defaultWidth, 300, "Images", blank)
}
