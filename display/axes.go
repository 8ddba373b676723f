package display

import "math"

// Distances in a panel, in CSS pixels.
const (
	tickLength = 4
	tickGap    = 4
	labelGap   = 6
	barWidth   = 14
)

// axes describe one panel: a title, a legend, two axes, perhaps a colour bar, and what is
// painted between them.
type axes struct {
	title          string
	note           string // small text below the panel
	xLabel, yLabel string
	x, y           scale
	xTicks, yTicks []tick // nil: chosen by the scale and the space
	equal          bool   // same scale on both axes
	noGrid         bool
	square         bool    // the area itself is a square
	headroom       float64 // room left above the area
	legend         []legendItem
	bar            *colorBar
}

// A frame is the painting area of a panel with its coordinates.
type frame struct {
	*surface
	area rect
	x, y scale
}

// at returns the place of a point in CSS pixels.
func (f *frame) at(x, y float64) (float64, float64) {
	return f.area.x0 + f.x.at(x)*f.area.w(), f.area.y1 - f.y.at(y)*f.area.h()
}

// curve draws the line through xs, ys, cut at the edges of the area.
func (f *frame) curve(st stroke, xs, ys []float64) {
	var px, py []float64
	flush := func() {
		f.line(st, px, py)
		px, py = nil, nil
	}
	for i := 1; i < len(xs); i++ {
		x0, y0 := f.at(xs[i-1], ys[i-1])
		x1, y1 := f.at(xs[i], ys[i])
		a0, b0, a1, b1, visible := clip(f.area, x0, y0, x1, y1)
		if !visible {
			flush()
			continue
		}
		if n := len(px); n == 0 || px[n-1] != a0 || py[n-1] != b0 {
			flush()
			px, py = []float64{a0}, []float64{b0}
		}
		px, py = append(px, a1), append(py, b1)
	}
	flush()
}

// clip cuts a segment at the edges of r (Liang and Barsky) and reports whether any of it is
// inside.
func clip(r rect, x0, y0, x1, y1 float64) (a0, b0, a1, b1 float64, visible bool) {
	dx, dy := x1-x0, y1-y0
	if math.IsNaN(dx + dy) {
		return 0, 0, 0, 0, false
	}
	t0, t1 := 0.0, 1.0
	for _, edge := range [4][2]float64{{-dx, x0 - r.x0}, {dx, r.x1 - x0}, {-dy, y0 - r.y0}, {dy, r.y1 - y0}} {
		p, q := edge[0], edge[1]
		switch {
		case p == 0 && q < 0:
			return 0, 0, 0, 0, false
		case p < 0:
			t0 = math.Max(t0, q/p)
		case p > 0:
			t1 = math.Min(t1, q/p)
		}
	}
	if t0 > t1 {
		return 0, 0, 0, 0, false
	}
	a0, b0, a1, b1 = x0, y0, x1, y1
	if t0 > 0 {
		a0, b0 = x0+t0*dx, y0+t0*dy
	}
	if t1 < 1 {
		a1, b1 = x0+t1*dx, y0+t1*dy
	}
	return a0, b0, a1, b1, true
}

// draw paints the panel into r and calls paint between grid and axis lines.
func (a axes) draw(s *surface, r rect, paint func(*frame)) {
	if a.title != "" {
		r.y0 = s.paragraph(titleInk, r, a.title) + 2
	}
	if len(a.legend) > 0 {
		r.y0 = drawLegend(s, r, a.legend) + 4
	}
	if a.note != "" {
		r.y1 = s.footnote(r, a.note)
	}
	f := &frame{surface: s, area: r, x: a.x, y: a.y}
	if a.xLabel != "" {
		f.area.y1 -= labelInk.size + labelGap
	}
	f.area.y1 -= tickInk.size + tickGap + tickLength
	yTicks := a.yTicks
	if yTicks == nil {
		yTicks = a.y.ticks(int(math.Max(2, f.area.h()/38)))
	}
	if a.yLabel != "" {
		f.area.x0 += labelInk.size + labelGap
	}
	widest := 0.0
	for _, t := range yTicks {
		widest = math.Max(widest, textWidth(tickInk, t.label))
	}
	f.area.x0 += widest + tickGap + tickLength
	f.area.y0 += tickInk.size/2 + a.headroom
	if a.bar != nil {
		f.area.x1 -= a.bar.width(f.area)
	} else {
		f.area.x1 -= 8
	}
	if a.square {
		side := math.Min(f.area.w(), f.area.h())
		f.area.x1, f.area.y1 = f.area.x0+side, f.area.y0+side
	}
	if a.equal {
		f.equalize()
		if a.yTicks == nil {
			yTicks = f.y.ticks(int(math.Max(2, f.area.h()/38)))
		}
	}
	xTicks := a.xTicks
	if xTicks == nil {
		xTicks = f.fittingTicks()
	}
	a.drawGrid(f, xTicks, yTicks)
	paint(f)
	a.drawAxes(f, r, xTicks, yTicks, widest)
	if a.bar != nil {
		a.bar.draw(s, f.area)
	}
}

// equalize widens the range of one axis until a unit is as long on both.
func (f *frame) equalize() {
	ux, uy := (f.x.max-f.x.min)/f.area.w(), (f.y.max-f.y.min)/f.area.h()
	widen := func(s *scale, factor float64) {
		middle, half := (s.min+s.max)/2, (s.max-s.min)/2*factor
		s.min, s.max = middle-half, middle+half
	}
	if ux > uy {
		widen(&f.y, ux/uy)
	} else {
		widen(&f.x, uy/ux)
	}
}

// fittingTicks returns as many x ticks as have room for their labels.
func (f *frame) fittingTicks() []tick {
	for n := int(math.Max(4, f.area.w()/40)); ; n-- {
		ticks := f.x.ticks(n)
		room, widest := f.area.w(), 0.0
		for i, t := range ticks {
			widest = math.Max(widest, textWidth(tickInk, t.label))
			if i > 0 {
				gap := (f.x.at(t.value) - f.x.at(ticks[i-1].value)) * f.area.w()
				room = math.Min(room, gap)
			}
		}
		if n <= 1 || len(ticks) == 2 || widest+16 <= room {
			return ticks
		}
	}
}

// drawGrid paints the lines behind the data.
func (a axes) drawGrid(f *frame, xTicks, yTicks []tick) {
	if a.noGrid {
		return
	}
	st := stroke{color: gridColor, width: 1}
	for _, t := range xTicks {
		x, _ := f.at(t.value, f.y.min)
		if x >= f.area.x0 && x <= f.area.x1+0.5 {
			f.segment(st, x, f.area.y0, x, f.area.y1)
		}
	}
	for _, t := range yTicks {
		_, y := f.at(f.x.min, t.value)
		if y >= f.area.y0-0.5 && y <= f.area.y1 {
			f.segment(st, f.area.x0, y, f.area.x1, y)
		}
	}
}

// drawAxes paints axis lines, ticks and labels; outer is the panel without title and
// legend, widest the width of the y labels.
func (a axes) drawAxes(f *frame, outer rect, xTicks, yTicks []tick, widest float64) {
	st := stroke{color: axisColor, width: 1}
	r := f.area
	f.line(st, []float64{r.x0, r.x0, r.x1}, []float64{r.y0, r.y1, r.y1})
	for _, t := range xTicks {
		x, _ := f.at(t.value, f.y.min)
		if x < r.x0-0.5 || x > r.x1+0.5 {
			continue
		}
		f.segment(st, x, r.y1, x, r.y1+tickLength)
		half := textWidth(tickInk, t.label) / 2
		k := tickInk
		k.align = 0.5
		f.text(k, math.Min(x, outer.x1-half), r.y1+tickLength+tickGap+tickInk.size*0.8, t.label)
	}
	for _, t := range yTicks {
		_, y := f.at(f.x.min, t.value)
		if y < r.y0-0.5 || y > r.y1+0.5 {
			continue
		}
		f.segment(st, r.x0-tickLength, y, r.x0, y)
		k := tickInk
		k.align = 1
		f.text(k, r.x0-tickLength-tickGap, y+tickInk.size*0.36, t.label)
	}
	k := labelInk
	k.align = 0.5
	f.text(k, (r.x0+r.x1)/2, r.y1+tickLength+tickGap+tickInk.size+labelGap+labelInk.size*0.75, shorten(k, a.xLabel, outer.w()))
	k.upwards = true
	f.text(k, outer.x0+labelInk.size*0.85, (r.y0+r.y1)/2, shorten(k, a.yLabel, outer.h()))
}
