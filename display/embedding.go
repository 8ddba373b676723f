package display

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

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

// maxClasses bounds the classes of a figure.
const maxClasses = 100_000

// embedding is what the figure draws.
type embedding struct {
	EmbeddingOptions
	x, y    []float64
	classes []int // classes that occur, ascending; unknown first
	count   map[int]int
	single  bool // one coordinate only: y spreads the points
	thumbs  thumbnails
}

// Embedding draws an N×q embedding in the plane, with classes or values as colours. An
// embedding with one column is drawn as a strip for each class, spread vertically so that
// the points can be seen.
func Embedding(z mat.Matrix, opts ...EmbeddingOptions) *Figure {
	o, err := only("Embedding", opts)
	if err != nil {
		return failed(err)
	}
	e, err := newEmbedding(z, o)
	if err != nil {
		return failed(err)
	}
	height := 520
	if e.single {
		height = 120 + 24*min(10, max(1, len(e.classes)))
	}
	f := newFigure("Embedding", o.Width, o.Height, 720, height, e.String(), e.paint)
	if o.Interactive && len(e.x) <= maxInteractive {
		f.extra = map[string]any{MIMEVegaLite: e.vegaLite()}
	}
	return f
}

// newEmbedding checks and copies the input.
func newEmbedding(z mat.Matrix, o EmbeddingOptions) (*embedding, error) {
	n, q, err := checkMatrix("Embedding: z", z)
	if err != nil {
		return nil, err
	}
	if n > maxPoints {
		return nil, fmt.Errorf("%w: Embedding: z has %d rows, want at most %d", ErrInput, n, maxPoints)
	}
	if o.Columns == [2]int{} && q > 1 {
		o.Columns = [2]int{0, 1}
	}
	for _, j := range o.Columns {
		if j < 0 || j >= q {
			return nil, fmt.Errorf("%w: Embedding: z has no column %d, want 0 to %d", ErrInput, j, q-1)
		}
	}
	if err := o.check(n); err != nil {
		return nil, err
	}
	e := &embedding{EmbeddingOptions: o, count: map[int]int{}, single: q == 1}
	e.Labels = slices.Clone(o.Labels)
	e.Values = slices.Clone(o.Values)
	e.ClassNames, e.PointNames = slices.Clone(o.ClassNames), slices.Clone(o.PointNames)
	for _, label := range e.Labels {
		e.count[max(-1, label)]++
	}
	for label := range e.count {
		e.classes = append(e.classes, label)
	}
	slices.Sort(e.classes)
	if e.x, err = column("Embedding: z", z, o.Columns[0]); err != nil {
		return nil, err
	}
	if e.single {
		e.y = e.strips()
	} else if e.y, err = column("Embedding: z", z, o.Columns[1]); err != nil {
		return nil, err
	}
	if o.Images != nil {
		e.thumbs, err = newThumbnails(o, n)
	}
	return e, err
}

// check reports options that do not fit n rows.
func (o EmbeddingOptions) check(n int) error {
	for _, list := range []struct {
		name   string
		length int
	}{{"Labels", len(o.Labels)}, {"Values", len(o.Values)}, {"PointNames", len(o.PointNames)}} {
		if err := checkLength("Embedding: "+list.name, list.length, n, "row of z"); err != nil {
			return err
		}
	}
	if len(o.Labels) > 0 && len(o.Values) > 0 {
		return fmt.Errorf("%w: Embedding: both Labels and Values are given, want one of them", ErrInput)
	}
	for i, label := range o.Labels {
		if label >= maxClasses {
			return fmt.Errorf("%w: Embedding: Labels[%d] is %d, want less than %d", ErrInput, i, label, maxClasses)
		}
	}
	return checkValues("Embedding: Values", o.Values)
}

// strips returns a height for each point: the class, and within it an even spread.
func (e *embedding) strips() []float64 {
	y := make([]float64, len(e.x))
	for i := range y {
		_, phase := math.Modf(float64(i) * 0.6180339887498949)
		y[i] = 0.7 * (phase - 0.5)
		if len(e.Labels) > 0 {
			place, _ := slices.BinarySearch(e.classes, max(-1, e.Labels[i]))
			y[i] -= float64(place)
		}
	}
	return y
}

// class returns the class of a point; without labels all are of class 0.
func (e *embedding) class(i int) int {
	if len(e.Labels) == 0 {
		return 0
	}
	return max(-1, e.Labels[i])
}

// className returns the name of a class.
func className(names []string, class int) string {
	switch {
	case class < 0:
		return "unknown"
	case class < len(names):
		return names[class]
	}
	return fmt.Sprint(class)
}

// String is the figure's text form.
func (e *embedding) String() string {
	x0, x1 := bounds(e.x)
	text := fmt.Sprintf("Embedding: %d points, %s in [%s, %s]", len(e.x), e.xName(), number(x0, 3), number(x1, 3))
	if !e.single {
		y0, y1 := bounds(e.y)
		text += fmt.Sprintf(", %s in [%s, %s]", e.yName(), number(y0, 3), number(y1, 3))
	}
	if len(e.Values) > 0 {
		v0, v1 := bounds(e.Values)
		name := e.ValueName
		if name == "" {
			name = "value"
		}
		text += fmt.Sprintf(", %s in [%s, %s]", name, number(v0, 3), number(v1, 3))
	}
	if len(e.classes) > 0 {
		var parts []string
		for _, c := range e.classes[:min(len(e.classes), 12)] {
			parts = append(parts, fmt.Sprintf("%s: %d", className(e.ClassNames, c), e.count[c]))
		}
		if len(e.classes) > 12 {
			parts = append(parts, "…")
		}
		word := "classes"
		if len(e.classes) == 1 {
			word = "class"
		}
		text += fmt.Sprintf("\n%d %s (%s)", len(e.classes), word, strings.Join(parts, ", "))
	}
	return join("\n", text, e.Title)
}

// xName names the horizontal axis.
func (e *embedding) xName() string {
	if e.XLabel != "" {
		return e.XLabel
	}
	return fmt.Sprintf("coordinate %d", e.Columns[0]+1)
}

// yName names the vertical axis.
func (e *embedding) yName() string {
	switch {
	case e.single:
		return ""
	case e.YLabel != "":
		return e.YLabel
	}
	return fmt.Sprintf("coordinate %d", e.Columns[1]+1)
}
