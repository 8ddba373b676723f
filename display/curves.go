package display

import (
	"fmt"
	"math"
	"slices"
)

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

// A Slope is a guide y ∝ x^Exponent on logarithmic axes, and a straight line of that slope
// on linear ones. It passes through X, Y; if both are zero it stands above the first curve.
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
	Slopes         []Slope // with both axes logarithmic or both linear
	Marks          []Mark
	Levels         []Level
	Gaps           bool // NaN in Y, Lower or Upper interrupts a curve instead of being an error

	Width, Height int // CSS pixels; 0 means 720×400
}

// curves is what the figure draws.
type curves struct {
	CurvesOptions
	list   []Curve
	x, y   scale
	hidden int // points that a logarithmic axis cannot show
}

// Curves draws named lines over common axes. Points that a logarithmic axis cannot show are
// drawn at its edge and counted below the figure.
func Curves(list []Curve, opts ...CurvesOptions) *Figure {
	o, err := only("Curves", opts)
	if err != nil {
		return failed(err)
	}
	p := &curves{CurvesOptions: o}
	p.Slopes, p.Marks, p.Levels = slices.Clone(o.Slopes), slices.Clone(o.Marks), slices.Clone(o.Levels)
	if len(list) == 0 {
		return failed(fmt.Errorf("%w: Curves: no curves, want at least 1", ErrInput))
	}
	total := 0
	for i, c := range list {
		if err := p.check(i, c); err != nil {
			return failed(err)
		}
		if total += len(c.X); total > maxPoints {
			return failed(fmt.Errorf("%w: Curves: more than %d points in all, want at most that many", ErrInput, maxPoints))
		}
		if c.Name == "" && len(list) > 1 {
			c.Name = fmt.Sprintf("curve %d", i+1)
		}
		c.X, c.Y = slices.Clone(c.X), slices.Clone(c.Y)
		c.Lower, c.Upper = slices.Clone(c.Lower), slices.Clone(c.Upper)
		p.list = append(p.list, c)
	}
	if err := p.checkGuides(); err != nil {
		return failed(err)
	}
	if err := p.chooseScales(); err != nil {
		return failed(err)
	}
	return newFigure("Curves", o.Width, o.Height, 720, 400, p.String(), p.paint)
}

// check reports a curve that cannot be drawn.
func (p *curves) check(i int, c Curve) error {
	name := fmt.Sprintf("Curves: curve %d (%q)", i, c.Name)
	if len(c.X) == 0 || len(c.X) != len(c.Y) {
		return fmt.Errorf("%w: %s: X has %d and Y %d values, want as many, at least 1", ErrInput, name, len(c.X), len(c.Y))
	}
	if len(c.Lower) != len(c.Upper) {
		return fmt.Errorf("%w: %s: Lower has %d and Upper %d values, want as many", ErrInput, name, len(c.Lower), len(c.Upper))
	}
	if err := checkLength(name+": Lower", len(c.Lower), len(c.X), "point"); err != nil {
		return err
	}
	if err := checkValues(name+": X", c.X); err != nil {
		return err
	}
	for _, list := range []struct {
		name   string
		values []float64
	}{{"Y", c.Y}, {"Lower", c.Lower}, {"Upper", c.Upper}} {
		for k, v := range list.values {
			if p.Gaps && math.IsNaN(v) {
				continue
			}
			if err := checkValue(v, "%s: %s[%d]", name, list.name, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkGuides reports guides that cannot be drawn.
func (p *curves) checkGuides() error {
	if len(p.Slopes) > 0 && p.LogX != p.LogY {
		return fmt.Errorf("%w: Curves: %d Slopes with LogX %t and LogY %t, want both the same", ErrInput, len(p.Slopes), p.LogX, p.LogY)
	}
	for i, s := range p.Slopes {
		if err := checkValues(fmt.Sprintf("Curves: Slopes[%d]: Exponent, X, Y", i), []float64{s.Exponent, s.X, s.Y}); err != nil {
			return err
		}
		if p.LogX && (s.X != 0 || s.Y != 0) && (s.X <= 0 || s.Y <= 0) {
			return fmt.Errorf("%w: Curves: Slopes[%d] passes through (%v, %v), want both positive on logarithmic axes", ErrInput, i, s.X, s.Y)
		}
	}
	for i, m := range p.Marks {
		if err := checkValue(m.X, "Curves: Marks[%d].X", i); err != nil {
			return err
		}
		if p.LogX && m.X <= 0 {
			return fmt.Errorf("%w: Curves: Marks[%d].X is %v, want a positive value on a logarithmic axis", ErrInput, i, m.X)
		}
	}
	for i, l := range p.Levels {
		if err := checkValue(l.Y, "Curves: Levels[%d].Y", i); err != nil {
			return err
		}
		if p.LogY && l.Y <= 0 {
			return fmt.Errorf("%w: Curves: Levels[%d].Y is %v, want a positive value on a logarithmic axis", ErrInput, i, l.Y)
		}
	}
	return nil
}

// chooseScales finds the ranges of the axes and counts what they cannot show.
func (p *curves) chooseScales() error {
	xs, ys := rangeOf{log: p.LogX}, rangeOf{log: p.LogY}
	for _, c := range p.list {
		for i := range c.X {
			okX, okY := xs.add(c.X[i]), ys.add(c.Y[i])
			if !okX || !okY {
				p.hidden++
			}
		}
		for _, band := range [][]float64{c.Lower, c.Upper} {
			for _, v := range band {
				ys.add(v)
			}
		}
	}
	for _, m := range p.Marks {
		xs.add(m.X)
	}
	for _, l := range p.Levels {
		ys.add(l.Y)
	}
	var err error
	if p.x, err = xs.scale("X", 0.02); err != nil {
		return err
	}
	p.y, err = ys.scale("Y", 0.05)
	return err
}

// A rangeOf collects the range of the values that an axis can show.
type rangeOf struct {
	log       bool
	any       bool
	low, high float64
}

// add widens the range and reports whether the axis can show v; NaN is a gap, not a value.
func (r *rangeOf) add(v float64) bool {
	if math.IsNaN(v) {
		return true
	}
	if r.log && v <= 0 {
		return false
	}
	if !r.any {
		r.low, r.high, r.any = v, v, true
	}
	r.low, r.high = math.Min(r.low, v), math.Max(r.high, v)
	return true
}

// scale returns the scale of the range with a margin.
func (r *rangeOf) scale(axis string, margin float64) (scale, error) {
	if !r.any {
		want := "at least one finite value"
		if r.log {
			want = "at least one positive value for a logarithmic axis"
		}
		return scale{}, fmt.Errorf("%w: Curves: no value of %s can be shown, want %s", ErrInput, axis, want)
	}
	if r.log {
		return logScale(r.low, r.high, margin), nil
	}
	return linearScale(r.low, r.high, margin), nil
}

// String is the figure's text form.
func (p *curves) String() string {
	text := "Curves:"
	if axes := join(" over ", p.YLabel, p.XLabel); axes != "" {
		text = "Curves: " + axes
	}
	for _, c := range p.list {
		text += "\n" + describeCurve(c)
	}
	for _, s := range p.Slopes {
		text += "\nguide: " + s.label()
	}
	for _, m := range p.Marks {
		text += fmt.Sprintf("\nmark: %s at %s", m.Name, number(m.X, 4))
	}
	for _, l := range p.Levels {
		text += fmt.Sprintf("\nlevel: %s at %s", l.Name, number(l.Y, 4))
	}
	return join("\n", text, p.Title)
}

// describeCurve names a curve's points: all if they are few, else both ends and the extremes.
func describeCurve(c Curve) string {
	name := c.Name
	if name == "" {
		name = "curve"
	}
	point := func(i int) string { return fmt.Sprintf("(%s, %s)", number(c.X[i], 4), number(c.Y[i], 4)) }
	n := len(c.X)
	if n <= 6 {
		text := fmt.Sprintf("%s:", name)
		for i := range c.X {
			text += " " + point(i)
		}
		return text
	}
	lowest, highest := -1, -1
	for i, v := range c.Y {
		if math.IsNaN(v) {
			continue
		}
		if lowest < 0 || v < c.Y[lowest] {
			lowest = i
		}
		if highest < 0 || v > c.Y[highest] {
			highest = i
		}
	}
	text := fmt.Sprintf("%s: %d points from %s to %s", name, n, point(0), point(n-1))
	if lowest >= 0 {
		text += fmt.Sprintf(", least %s, greatest %s", point(lowest), point(highest))
	}
	return text
}

// label names a guide.
func (s Slope) label() string {
	if s.Name != "" {
		return s.Name
	}
	return "slope " + minus(number(s.Exponent, 3))
}
