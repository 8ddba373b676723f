package display

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
)

// Limits of what a reader can take in.
const (
	maxLegend     = 24 // classes in the legend
	namedInPlace  = 7  // classes from which names also stand beside their points
	maxPlaceNames = 40
)

// paint draws the embedding.
func (e *embedding) paint(s *surface, r rect) {
	x0, x1 := bounds(e.x)
	y0, y1 := bounds(e.y)
	a := axes{
		title: e.Title, xLabel: e.xName(), yLabel: e.yName(), equal: e.EqualAspect && !e.single,
		x: linearScale(x0, x1, 0.04), y: linearScale(y0, y1, 0.04), legend: e.legend(),
	}
	if e.single {
		a.yTicks = []tick{}
		a.y = scale{min: y0 - 0.3, max: y1 + 0.3}
	}
	if len(e.Values) > 0 {
		v0, v1 := bounds(e.Values)
		a.bar = &colorBar{colors: sequential, values: linearScale(v0, v1, 0), label: e.ValueName}
	}
	a.draw(s, r.inset(8, 8, 8, 8), func(f *frame) {
		if e.Density {
			f.shade(e.x, e.y)
		}
		e.stampPoints(f, a.bar)
		e.thumbs.draw(f, e)
		named := len(e.classes) >= namedInPlace && len(e.classes) <= maxPlaceNames
		if named && !e.single && e.Images == nil {
			e.nameClasses(f)
		}
	})
}

// legend returns the classes that occur.
func (e *embedding) legend() []legendItem {
	var items []legendItem
	for i, c := range e.classes {
		if i == maxLegend-1 && len(e.classes) > maxLegend {
			items = append(items, legendItem{name: fmt.Sprintf("… %d more classes", len(e.classes)-i)})
			break
		}
		items = append(items, legendItem{name: className(e.ClassNames, c), mark: classShape(c), color: classColor(c)})
	}
	return items
}

// scattered calls do for 0 … n-1 in a fixed order that mixes neighbours, so that rows
// sorted by class do not cover each other class by class.
func scattered(n int, do func(i int)) {
	step := int(0.6180339887498949 * float64(n))
	for ; step > 1 && gcd(step, n) != 1; step-- {
	}
	step = max(step, 1)
	for k, i := 0, 0; k < n; k, i = k+1, (i+step)%n {
		do(i)
	}
}

// gcd returns the greatest common divisor.
func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// stampPoints draws the points in the colours of their classes or values.
func (e *embedding) stampPoints(f *frame, bar *colorBar) {
	radius, rim, opacity := pointSize(len(e.x), f.area)
	markers := map[int]*marker{}
	scattered(len(e.x), func(i int) {
		class := e.class(i)
		c := classColor(class)
		if bar != nil {
			c = bar.colors.at(bar.values.at(e.Values[i]))
		}
		if markers[class] == nil {
			markers[class] = f.newMarker(classShape(class), radius, rim)
		}
		x, y := f.at(e.x[i], e.y[i])
		f.stamp(markers[class], c, opacity, x, y)
	})
}

// nameClasses writes the name of each class at the median of its points, unless another
// name stands there.
func (e *embedding) nameClasses(f *frame) {
	points := map[int][2][]float64{}
	for i := range e.x {
		p := points[e.class(i)]
		p[0], p[1] = append(p[0], e.x[i]), append(p[1], e.y[i])
		points[e.class(i)] = p
	}
	k := ink{size: 13, bold: true, align: 0.5}
	var taken []rect
	for _, c := range e.classes {
		name := className(e.ClassNames, c)
		if c < 0 || len(name) > 16 {
			continue
		}
		x, y := f.at(median(points[c][0]), median(points[c][1]))
		half := textWidth(k, name)/2 + 2
		box := rect{x - half, y - 8, x + half, y + 8}
		if box.overlapsAny(taken) || box.x0 < f.area.x0 || box.x1 > f.area.x1 {
			continue
		}
		taken = append(taken, box)
		f.haloText(k, x, y+k.size*0.36, name)
	}
}

// haloText writes text with a white rim, for places where there are data.
func (s *surface) haloText(k ink, x, y float64, text string) {
	white := k
	white.white = true
	for _, d := range [8][2]float64{{-1.5, 0}, {1.5, 0}, {0, -1.5}, {0, 1.5}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		s.text(white, x+d[0], y+d[1], text)
	}
	s.text(k, x, y, text)
}

// overlapsAny reports whether r overlaps one of the others.
func (r rect) overlapsAny(others []rect) bool {
	for _, o := range others {
		if r.x0 < o.x1 && o.x0 < r.x1 && r.y0 < o.y1 && o.y0 < r.y1 {
			return true
		}
	}
	return false
}

// median returns the middle value, without changing the list.
func median(values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

// shade paints the density of the points in grey: a histogram in cells of 4 pixels,
// smoothed by a Gaussian, on a square-root scale.
func (f *frame) shade(xs, ys []float64) {
	const cell, sigma = 4, 3.0
	w, h := max(2, int(f.area.w()/cell)), max(2, int(f.area.h()/cell))
	cells := make([]float64, w*h)
	for i := range xs {
		x, y := f.at(xs[i], ys[i])
		cx := min(w-1, max(0, int((x-f.area.x0)/f.area.w()*float64(w))))
		cy := min(h-1, max(0, int((y-f.area.y0)/f.area.h()*float64(h))))
		cells[cy*w+cx]++
	}
	smooth := blur(blur(cells, w, h, sigma), h, w, sigma)
	_, high := bounds(smooth)
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for cy := range h {
		for cx := range w {
			v := uint8(math.Round(255 - 75*math.Sqrt(smooth[cy*w+cx]/high)))
			img.SetRGBA(cx, cy, color.RGBA{v, v, v, 0xff})
		}
	}
	f.multiply(img, f.area)
}

// blur smooths the rows of a w×h grid and returns it transposed, so that a second call
// smooths the columns and restores the order.
func blur(cells []float64, w, h int, sigma float64) []float64 {
	reach := int(3 * sigma)
	weights := make([]float64, reach+1)
	for d := range weights {
		weights[d] = math.Exp(-float64(d*d) / (2 * sigma * sigma))
	}
	out := make([]float64, len(cells))
	for y := range h {
		for x := range w {
			sum := 0.0
			for d := max(-reach, -x); d <= min(reach, w-1-x); d++ {
				sum += weights[max(d, -d)] * cells[y*w+x+d]
			}
			out[x*h+y] = sum
		}
	}
	return out
}
