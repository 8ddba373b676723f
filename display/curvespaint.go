package display

import (
	"fmt"
	"math"
)

// Lines beyond the seventh repeat colours with other dashes.
var dashStyles = [][]float64{nil, {7, 4}, {2, 3}, {9, 3, 2, 3}}

// curveStroke returns the looks of curve i.
func (p *curves) curveStroke(i int) stroke {
	const colors = 7
	st := stroke{color: classColor(i % colors), width: 2, dashes: dashStyles[i/colors%len(dashStyles)]}
	if p.list[i].Dashed {
		st.dashes = dashStyles[1]
	}
	return st
}

// paint draws the curves.
func (p *curves) paint(s *surface, r rect) {
	a := axes{title: p.Title, xLabel: p.XLabel, yLabel: p.YLabel, x: p.x, y: p.y}
	if p.hidden > 0 {
		a.note = fmt.Sprintf("%d values at or below zero, which a logarithmic axis cannot show, stand at its edge.", p.hidden)
	}
	for i, c := range p.list {
		if c.Name == "" {
			continue
		}
		item := legendItem{name: c.Name, color: classColor(i % 7)}
		if !c.NoLine {
			st := p.curveStroke(i)
			item.line = &st
		}
		if c.Points || c.NoLine {
			item.mark = classShape(i)
		}
		a.legend = append(a.legend, item)
	}
	labels := placeMarks(p.Marks, p.x, r.w())
	a.headroom = 15 * float64(len(labels))
	a.draw(s, r.inset(8, 8, 8, 8), func(f *frame) {
		for i, c := range p.list {
			p.paintBand(f, i, c)
		}
		p.paintGuides(f, labels)
		for i, c := range p.list {
			p.paintCurve(f, i, c)
		}
		p.nameGuides(f)
	})
}

// edge returns v, or the lower end of a logarithmic axis for what it cannot show.
func edge(s scale, v float64) float64 {
	if s.log && v <= 0 {
		return s.min
	}
	return v
}

// segments splits points at NaN and moves what the axes cannot show to their edges.
func (p *curves) segments(xs, ys []float64) (parts [][2][]float64) {
	var px, py []float64
	for i := range xs {
		if math.IsNaN(ys[i]) {
			if len(px) > 0 {
				parts = append(parts, [2][]float64{px, py})
			}
			px, py = nil, nil
			continue
		}
		px, py = append(px, edge(p.x, xs[i])), append(py, edge(p.y, ys[i]))
	}
	if len(px) > 0 {
		parts = append(parts, [2][]float64{px, py})
	}
	return parts
}

// paintCurve draws the line and the points of a curve.
func (p *curves) paintCurve(f *frame, i int, c Curve) {
	st := p.curveStroke(i)
	radius, rim, opacity := pointSize(len(c.X), f.area)
	radius = math.Min(radius, 3.2)
	if f.area.w() < 2*radius*float64(len(c.X)) {
		rim = 0 // points that overlap along the curve would be covered by the rims of their neighbours
	}
	mark := f.newMarker(classShape(i), radius, rim)
	for _, part := range p.segments(c.X, c.Y) {
		if !c.NoLine {
			f.curve(st, thin(part[0], part[1]), thin(part[1], part[1]))
		}
		if c.Points || c.NoLine || len(part[0]) == 1 {
			for k := range part[0] {
				x, y := f.at(part[0][k], part[1][k])
				f.stamp(mark, classColor(i%7), opacity, x, y)
			}
		}
	}
}

// maxStroked is the number of points from which a line is thinned.
const maxStroked = 20_000

// thin returns values where, in each group of neighbours, by has its least and greatest
// value, so that a long line keeps its envelope.
func thin(values, by []float64) []float64 {
	n := len(values)
	if n <= maxStroked {
		return values
	}
	group := (n + maxStroked/2 - 1) / (maxStroked / 2)
	var out []float64
	for start := 0; start < n; start += group {
		end := min(n, start+group)
		low, high := start, start
		for k := start; k < end; k++ {
			if by[k] < by[low] {
				low = k
			}
			if by[k] > by[high] {
				high = k
			}
		}
		out = append(out, values[min(low, high)], values[max(low, high)])
	}
	return out
}

// paintBand fills the space between the bounds of a curve.
func (p *curves) paintBand(f *frame, i int, c Curve) {
	if len(c.Lower) == 0 {
		return
	}
	var px, low, high []float64
	flush := func() {
		var xs, ys []float64
		for k := range px {
			xs, ys = append(xs, px[k]), append(ys, low[k])
		}
		for k := len(px) - 1; k >= 0; k-- {
			xs, ys = append(xs, px[k]), append(ys, high[k])
		}
		f.polygon(withAlpha(classColor(i%7), 0.2), xs, ys)
		px, low, high = nil, nil, nil
	}
	for k := range c.X {
		if math.IsNaN(c.Lower[k]) || math.IsNaN(c.Upper[k]) {
			flush()
			continue
		}
		x, y0 := f.at(edge(p.x, c.X[k]), edge(p.y, c.Lower[k]))
		_, y1 := f.at(p.x.min, edge(p.y, c.Upper[k]))
		px, low, high = append(px, x), append(low, y0), append(high, y1)
	}
	flush()
}

// A markLabel is the name of a mark in one line above the area.
type markLabel struct {
	mark Mark
	text string
}

// placeMarks distributes the names of marks over lines so that they do not overlap in a
// figure of about the given width.
func placeMarks(marks []Mark, x scale, width float64) [][]markLabel {
	var lines [][]markLabel
	area := width - 90
	for _, m := range marks {
		label := markLabel{m, shorten(noteInk, m.Name, area/2)}
		if label.text == "" {
			continue
		}
		placed := false
		for k := range lines {
			free := true
			for _, other := range lines[k] {
				gap := math.Abs(x.at(m.X)-x.at(other.mark.X)) * area
				if gap < (textWidth(noteInk, label.text)+textWidth(noteInk, other.text))/2+10 {
					free = false
				}
			}
			if free {
				lines[k] = append(lines[k], label)
				placed = true
				break
			}
		}
		if !placed {
			lines = append(lines, []markLabel{label})
		}
	}
	return lines
}

// guideStroke is the looks of marks, levels and slopes.
var guideStroke = stroke{color: faintColor, width: 1.2, dashes: []float64{4, 3}}

// paintGuides draws marks with their names above the area, levels and slopes.
func (p *curves) paintGuides(f *frame, labels [][]markLabel) {
	for _, m := range p.Marks {
		f.curve(guideStroke, []float64{m.X, m.X}, []float64{p.y.min, p.y.max})
	}
	for k, line := range labels {
		for _, label := range line {
			x, _ := f.at(label.mark.X, p.y.min)
			half := textWidth(noteInk, label.text) / 2
			ink := noteInk
			ink.align = 0.5
			y := f.area.y0 - 5 - 15*float64(k)
			f.text(ink, math.Min(math.Max(x, f.area.x0+half), f.area.x1-half), y, label.text)
			f.segment(stroke{color: faintColor, width: 0.8}, x, y+3, x, f.area.y0)
		}
	}
	for _, l := range p.Levels {
		f.curve(guideStroke, []float64{p.x.min, p.x.max}, []float64{l.Y, l.Y})
	}
	for _, s := range p.Slopes {
		xs, ys := p.slopeLine(s)
		f.curve(guideStroke, xs, ys)
	}
}

// slopeLine returns the ends of a guide. One without a place stands a little above the
// middle of the first curve and covers two fifths of the axis.
func (p *curves) slopeLine(s Slope) (xs, ys []float64) {
	at := func(sc scale, t float64) float64 {
		if sc.log {
			return sc.min * math.Pow(sc.max/sc.min, t)
		}
		return sc.min + t*(sc.max-sc.min)
	}
	from, to := 0.0, 1.0
	if s.X == 0 && s.Y == 0 {
		c := p.list[0]
		middle := len(c.X) / 2
		for middle > 0 && math.IsNaN(c.Y[middle]) {
			middle--
		}
		s.X = edge(p.x, c.X[middle])
		place := p.x.at(s.X)
		from, to = math.Max(0, place-0.2), math.Min(1, place+0.2)
		s.Y = at(p.y, p.y.at(edge(p.y, c.Y[middle]))+0.07)
	}
	for _, t := range []float64{from, to} {
		x := at(p.x, t)
		y := s.Y + s.Exponent*(x-s.X)
		if p.LogX {
			y = s.Y * math.Pow(x/s.X, s.Exponent)
		}
		xs, ys = append(xs, x), append(ys, math.Min(math.Max(y, -maxDrawable), maxDrawable))
	}
	return xs, ys
}

// crossings counts the pieces of curves that run through a box.
func (p *curves) crossings(f *frame, box rect) int {
	n := 0
	for _, c := range p.list {
		for _, part := range p.segments(c.X, c.Y) {
			xs, ys := thin(part[0], part[1]), thin(part[1], part[1])
			for i := 1; i < len(xs); i++ {
				x0, y0 := f.at(xs[i-1], ys[i-1])
				x1, y1 := f.at(xs[i], ys[i])
				if _, _, _, _, visible := clip(box, x0, y0, x1, y1); visible {
					n++
				}
			}
		}
	}
	return n
}

// nameGuides writes the names of levels, where the fewest curves run, and of slopes.
func (p *curves) nameGuides(f *frame) {
	for _, l := range p.Levels {
		_, y := f.at(p.x.min, l.Y)
		width := textWidth(noteInk, l.Name)
		best, fewest := rect{}, math.MaxInt
		for _, left := range []float64{f.area.x1 - 4 - width, f.area.x0 + 4} {
			for _, top := range []float64{y - 16, y + 3} {
				box := rect{left, top, left + width, top + 14}
				if n := p.crossings(f, box.inset(-4, -1, -4, -1)); top >= f.area.y0 && n < fewest {
					best, fewest = box, n
				}
			}
		}
		f.haloText(noteInk, best.x0, best.y0+11, l.Name)
	}
	for _, s := range p.Slopes {
		xs, ys := p.slopeLine(s)
		x0, y0 := f.at(xs[0], ys[0])
		x1, y1 := f.at(xs[1], ys[1])
		x0, y0, x1, y1, visible := clip(f.area, x0, y0, x1, y1)
		if !visible {
			continue
		}
		ink := noteInk
		x, y := x0+0.75*(x1-x0), y0+0.75*(y1-y0)-8
		if y1 < y0 {
			ink.align = 1
		}
		width := textWidth(ink, s.label())
		x = math.Min(math.Max(x, f.area.x0+ink.align*width+2), f.area.x1-(1-ink.align)*width-2)
		f.haloText(ink, x, math.Max(y, f.area.y0+12), s.label())
	}
}
