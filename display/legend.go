package display

import (
	"fmt"
	"image"
	"image/color"
	"math"
)

// sampleWidth is the width of a legend's samples.
const sampleWidth = 20

// A legendItem is a sample and what it stands for.
type legendItem struct {
	name   string
	line   *stroke
	mark   shape
	color  color.RGBA
	filled bool // a patch instead of a marker
}

// maxLegendLines is the number of lines of a legend that leave room for the figure.
const maxLegendLines = 6

// drawLegend lays the items out in lines from the top of r and returns the y below them. What would take more
// than maxLegendLines is counted instead.
func drawLegend(s *surface, r rect, items []legendItem) float64 {
	const lineHeight = 18
	x, y := r.x0, r.y0
	for i, item := range items {
		name := shorten(legendInk, item.name, math.Max(20, r.w()-sampleWidth-6))
		width := sampleWidth + 6 + textWidth(legendInk, name)
		if x > r.x0 && x+width > r.x1 {
			x, y = r.x0, y+lineHeight
		}
		if y > r.y0+(maxLegendLines-1.5)*lineHeight && i < len(items)-1 {
			name = fmt.Sprintf("… %d more", len(items)-i)
			s.text(legendInk, x+sampleWidth+6, y+lineHeight/2+legendInk.size*0.36, name)
			break
		}
		item.sample(s, x, y+lineHeight/2)
		s.text(legendInk, x+sampleWidth+6, y+lineHeight/2+legendInk.size*0.36, name)
		x += width + 14
	}
	return y + lineHeight
}

// sample draws the sample of an item, starting at x and centred on y.
func (item legendItem) sample(s *surface, x, y float64) {
	if item.line != nil {
		s.segment(*item.line, x, y, x+sampleWidth, y)
	}
	switch {
	case item.filled:
		s.fill(item.color, rect{x + 3, y - 5, x + sampleWidth - 3, y + 5})
	case item.mark != nil:
		s.stamp(s.newMarker(item.mark, 4, 0), item.color, 1, x+sampleWidth/2, y)
	}
}

// A colorBar explains the colours of values from min to max.
type colorBar struct {
	colors *colorMap
	values scale
	label  string
}

// ticks returns the labelled values that fit beside the area.
func (b *colorBar) ticks(area rect) []tick {
	return b.values.ticks(int(math.Max(2, area.h()/45)))
}

// width returns the room that the bar needs on the right of the area.
func (b *colorBar) width(area rect) float64 {
	widest := 0.0
	for _, t := range b.ticks(area) {
		widest = math.Max(widest, textWidth(tickInk, t.label))
	}
	w := 12 + barWidth + tickLength + tickGap + widest + 2
	if b.label != "" {
		w += labelGap + labelInk.size
	}
	return w
}

// draw paints the bar on the right of the area.
func (b *colorBar) draw(s *surface, area rect) {
	bar := rect{area.x1 + 12, area.y0, area.x1 + 12 + barWidth, area.y1}
	img := image.NewRGBA(image.Rect(0, 0, 1, 256))
	for i := range 256 {
		img.SetRGBA(0, 255-i, b.colors[i])
	}
	s.blit(img, bar)
	st := stroke{color: axisColor, width: 1}
	widest := 0.0
	for _, t := range b.ticks(area) {
		y := bar.y1 - b.values.at(t.value)*bar.h()
		s.segment(st, bar.x1, y, bar.x1+tickLength, y)
		s.text(tickInk, bar.x1+tickLength+tickGap, y+tickInk.size*0.36, t.label)
		widest = math.Max(widest, textWidth(tickInk, t.label))
	}
	k := labelInk
	k.align, k.upwards = 0.5, true
	s.text(k, bar.x1+tickLength+tickGap+widest+labelGap+labelInk.size*0.8, (bar.y0+bar.y1)/2, shorten(k, b.label, bar.h()))
}
