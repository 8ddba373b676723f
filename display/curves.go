package display

// A Curve is a named line.
type Curve struct {
	Name   string
	X, Y   []float64
	Lower  []float64 // error band; nil draws none
	Upper  []float64
	Dashed bool
	Points bool // mark each point
	NoLine bool // points only
}

// A Slope is a guide y ∝ x^Exponent on logarithmic axes and y = Exponent·x + const on
// linear ones. It starts at X, Y; a zero X and Y choose a free place.
type Slope struct {
	Name     string // "" names the exponent
	Exponent float64
	X, Y     float64
}

// A Mark is a vertical line, such as the onset of a regime.
type Mark struct {
	Name string
	X    float64
}

// A Level is a horizontal line, such as a limit.
type Level struct {
	Name string
	Y    float64
}

// CurvesOptions are the options of Curves.
type CurvesOptions struct {
	Title          string
	XLabel, YLabel string
	LogX, LogY     bool
	Slopes         []Slope
	Marks          []Mark
	Levels         []Level
	Gaps           bool // NaN in Y interrupts a curve instead of being an error

	Width, Height int // CSS pixels; 0 means 720×400
}

// Curves draws named lines over a common axis.
func Curves(curves []Curve, opts ...CurvesOptions) *Figure {
	o, err := only("Curves", opts)
	if err != nil {
		return failed(err)
	}
	return newFigure("Curves", o.Width, o.Height, 720, 400, "Curves", blank)
}
