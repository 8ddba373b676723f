package display

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// KernelSamplesOptions are the options of KernelSamples.
type KernelSamplesOptions struct {
	Title string
	Kept  int      // leading coordinates that the model keeps, q; named in the axes
	Pairs [][2]int // coordinates of each panel, counted from 0; nil means those around the cut

	Width, Height int // CSS pixels; 0 means 800×400
}

// KernelSamples draws sampled kernel representations in eigen-coordinates (rows Eᵀk, one
// column for each eigenvector) over the representations of the training rows, in one
// panel for each pair of coordinates. Without Pairs the panels show the first two coordinates
// and, if the model cuts beyond them, the last one kept against the first one discarded;
// with one coordinate kept, the first two and the first against the third.
func KernelSamples(training mat.Matrix, samples []PointSet, opts ...KernelSamplesOptions) *Figure {
	o, err := only("KernelSamples", opts)
	if err != nil {
		return failed(err)
	}
	_, cols, err := checkMatrix("KernelSamples: training", training)
	if err == nil && cols < 2 {
		err = fmt.Errorf("%w: KernelSamples: training has %d column, want at least 2 coordinates", ErrInput, cols)
	}
	if err == nil && (o.Kept < 0 || o.Kept > cols) {
		err = fmt.Errorf("%w: KernelSamples: Kept is %d, want 0 to %d for %d coordinates", ErrInput, o.Kept, cols, cols)
	}
	if err == nil && len(samples) == 0 {
		err = fmt.Errorf("%w: KernelSamples: no samples, want at least one set", ErrInput)
	}
	if err != nil {
		return failed(err)
	}
	if o.Pairs == nil {
		o.Pairs = defaultPairs(o.Kept, cols)
	}
	if len(o.Pairs) == 0 || len(o.Pairs) > 4 {
		return failed(fmt.Errorf("%w: KernelSamples: %d Pairs, want 1 to 4", ErrInput, len(o.Pairs)))
	}
	sets := append(append([]PointSet(nil), samples...), PointSet{Name: "training rows", Points: training})
	panels := make([][]cloud, len(o.Pairs))
	for i, pair := range o.Pairs {
		if panels[i], err = newClouds("KernelSamples", sets, pair); err != nil {
			return failed(err)
		}
		last := &panels[i][len(sets)-1]
		last.color, last.mark = textColor, shapes[3]
	}
	return newFigure("KernelSamples", o.Width, o.Height, defaultWidth, 400, o.summary(panels), o.painter(panels))
}

// defaultPairs returns the coordinates around the cut after q of n.
func defaultPairs(q, n int) [][2]int {
	pairs := [][2]int{{0, 1}}
	switch {
	case q >= 2 && q < n:
		pairs = append(pairs, [2]int{q - 1, q})
	case n >= 3:
		pairs = append(pairs, [2]int{0, 2})
	}
	return pairs
}

// coordinate names a coordinate in an axis label.
func (o KernelSamplesOptions) coordinate(j int) string {
	switch {
	case o.Kept == 0:
		return fmt.Sprintf("eigen-coordinate %d", j+1)
	case j < o.Kept:
		return fmt.Sprintf("eigen-coordinate %d (kept)", j+1)
	}
	return fmt.Sprintf("eigen-coordinate %d (discarded)", j+1)
}

// summary is the figure's text form, with the extent of each set in each panel.
func (o KernelSamplesOptions) summary(panels [][]cloud) string {
	text := "KernelSamples:"
	for i, clouds := range panels {
		text += fmt.Sprintf("\n%s × %s: %s", o.coordinate(o.Pairs[i][0]), o.coordinate(o.Pairs[i][1]), describeClouds(clouds))
	}
	return join("\n", text, o.Title)
}

// painter draws the panels side by side under one title and legend.
func (o KernelSamplesOptions) painter(panels [][]cloud) func(*surface, rect) {
	return func(s *surface, r rect) {
		r = r.inset(8, 8, 8, 8)
		if o.Title != "" {
			r.y0 = s.paragraph(titleInk, r, o.Title) + 2
		}
		r.y0 = drawLegend(s, r, cloudLegend(panels[0])) + 4
		width := (r.w() - 20*float64(len(panels)-1)) / float64(len(panels))
		for i, clouds := range panels {
			left := r.x0 + float64(i)*(width+20)
			a := axes{xLabel: o.coordinate(o.Pairs[i][0]), yLabel: o.coordinate(o.Pairs[i][1])}
			drawClouds(s, rect{left, r.y0, left + width, r.y1}, a, clouds)
		}
	}
}
