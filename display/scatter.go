package display

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A PointSet is a named set of points, one in each row.
type PointSet struct {
	Name   string
	Points mat.Matrix
	Rank   int  // rank of the points' covariance for the legend; 0 leaves it out
	Lines  bool // join consecutive points
	Faint  bool // small and pale, for what stands in the background
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
	if o.Columns == [2]int{} {
		o.Columns = [2]int{0, 1}
	}
	clouds, err := newClouds("Scatter", sets, o.Columns)
	if err != nil {
		return failed(err)
	}
	summary := join("\n", "Scatter: "+describeClouds(clouds), o.Title)
	return newFigure("Scatter", o.Width, o.Height, 560, 440, summary, func(s *surface, r rect) {
		a := axes{title: o.Title, xLabel: o.XLabel, yLabel: o.YLabel, equal: o.EqualAspect, legend: cloudLegend(clouds)}
		drawClouds(s, r.inset(8, 8, 8, 8), a, clouds)
	})
}

// A cloud is a set of points in the plane, with its looks.
type cloud struct {
	name       string
	rank, cols int
	x, y       []float64
	lines      bool
	faint      bool
	color      color.RGBA
	mark       shape
}

// newClouds reads two columns of each set.
func newClouds(figure string, sets []PointSet, columns [2]int) ([]cloud, error) {
	if len(sets) == 0 {
		return nil, fmt.Errorf("%w: %s: no sets of points, want at least 1", ErrInput, figure)
	}
	total := 0
	clouds := make([]cloud, len(sets))
	for i, set := range sets {
		name := fmt.Sprintf("%s: set %d (%q)", figure, i, set.Name)
		rows, cols, err := checkMatrix(name, set.Points)
		if err != nil {
			return nil, err
		}
		if total += rows; total > maxPoints {
			return nil, fmt.Errorf("%w: %s: more than %d points in all, want at most that many", ErrInput, name, maxPoints)
		}
		c := cloud{name: set.Name, rank: set.Rank, cols: cols, lines: set.Lines, faint: set.Faint, color: classColor(i), mark: classShape(i)}
		if c.name == "" {
			c.name = fmt.Sprintf("set %d", i+1)
		}
		if set.Rank < 0 {
			return nil, fmt.Errorf("%w: %s: Rank is %d, want 0 or more", ErrInput, name, set.Rank)
		}
		for k, target := range []*[]float64{&c.x, &c.y} {
			j := columns[k]
			if j < 0 || j >= cols {
				return nil, fmt.Errorf("%w: %s has no column %d, want 0 to %d", ErrInput, name, j, cols-1)
			}
			if *target, err = column(name, set.Points, j); err != nil {
				return nil, err
			}
		}
		clouds[i] = c
	}
	return clouds, nil
}

// legend is the entry of a cloud in the legend.
func (c cloud) legend() string {
	if c.rank > 0 {
		return fmt.Sprintf("%s (%d, rank %d)", c.name, len(c.x), c.rank)
	}
	return fmt.Sprintf("%s (%d)", c.name, len(c.x))
}

// cloudLegend returns the legend of all clouds.
func cloudLegend(clouds []cloud) []legendItem {
	items := make([]legendItem, len(clouds))
	for i, c := range clouds {
		items[i] = legendItem{name: c.legend(), mark: c.mark, color: c.color}
		if c.lines {
			items[i].line = &stroke{color: c.color, width: 1.2}
		}
	}
	return items
}

// describeClouds is the text form: each set with its extent.
func describeClouds(clouds []cloud) string {
	text := ""
	for i, c := range clouds {
		if i > 0 {
			text += "; "
		}
		x0, x1 := bounds(c.x)
		y0, y1 := bounds(c.y)
		text += fmt.Sprintf("%s in [%s, %s] × [%s, %s]", c.legend(), number(x0, 3), number(x1, 3), number(y0, 3), number(y1, 3))
	}
	return text
}

// drawClouds draws the sets into a panel whose ranges they determine.
func drawClouds(s *surface, r rect, a axes, clouds []cloud) {
	xLow, xHigh, yLow, yHigh := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, c := range clouds {
		x0, x1 := bounds(c.x)
		y0, y1 := bounds(c.y)
		xLow, xHigh = math.Min(xLow, x0), math.Max(xHigh, x1)
		yLow, yHigh = math.Min(yLow, y0), math.Max(yHigh, y1)
	}
	a.x, a.y = linearScale(xLow, xHigh, 0.04), linearScale(yLow, yHigh, 0.04)
	a.draw(s, r, func(f *frame) {
		for _, c := range clouds {
			if c.lines {
				f.curve(stroke{color: c.color, width: 1.2}, c.x, c.y)
			}
		}
		f.stampClouds(clouds)
	})
}

// manyPoints is the size from which sets are mixed, so that none covers the others.
const manyPoints = 200

// stampClouds draws the points: large sets in turns, point by point, then the small ones.
func (f *frame) stampClouds(clouds []cloud) {
	var large []func(i int)
	longest := 0
	for _, c := range clouds {
		if len(c.x) >= manyPoints {
			large = append(large, f.stamper(c))
			longest = max(longest, len(c.x))
		}
	}
	for i := range longest {
		for _, stamp := range large {
			stamp(i)
		}
	}
	for _, c := range clouds {
		if len(c.x) < manyPoints {
			stamp := f.stamper(c)
			for i := range c.x {
				stamp(i)
			}
		}
	}
}

// stamper returns a function that draws point i of a set, if it has one.
func (f *frame) stamper(c cloud) func(i int) {
	radius, rim, opacity := pointSize(len(c.x), f.area)
	if c.faint {
		radius, rim, opacity = math.Min(radius, 2.4), 0, 0.45*opacity
	}
	m := f.newMarker(c.mark, radius, rim)
	return func(i int) {
		if i < len(c.x) {
			x, y := f.at(c.x[i], c.y[i])
			f.stamp(m, c.color, opacity, x, y)
		}
	}
}

// pointSize returns radius, rim and opacity of n markers in an area, so that many points
// show as a density rather than a blot.
func pointSize(n int, area rect) (radius, rim, opacity float64) {
	share := math.Sqrt(area.w() * area.h() / float64(max(n, 1)))
	switch {
	case share > 16:
		return 3.6, 0.7, 0.95
	case share > 8:
		return 2.8, 0.5, 0.85
	case share > 4:
		return 2.2, 0, 0.6
	}
	return math.Max(1.1, share/2), 0, 0.45
}
