package display

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// A rect is a rectangle in CSS pixels, y downwards.
type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) w() float64 { return r.x1 - r.x0 }
func (r rect) h() float64 { return r.y1 - r.y0 }

// inset returns r without a margin on each side.
func (r rect) inset(left, top, right, bottom float64) rect {
	return rect{r.x0 + left, r.y0 + top, r.x1 - right, r.y1 - bottom}
}

// A surface is what figures are painted on: a white picture with CSS pixels as units and y
// downwards.
type surface struct {
	canvas *vgimg.Canvas
	img    *image.RGBA
	height float64
	ratio  float64 // device pixels for one CSS pixel
}

// newSurface returns an empty surface. One CSS pixel is one point of the vector canvas.
func newSurface(width, height float64, ratio int) *surface {
	c := vgimg.NewWith(
		vgimg.UseWH(vg.Length(width), vg.Length(height)),
		vgimg.UseDPI(72*ratio),
		vgimg.UseBackgroundColor(color.White),
	)
	return &surface{canvas: c, img: c.Image().(*image.RGBA), height: height, ratio: float64(ratio)}
}

// point converts to the vector canvas, whose y points upwards.
func (s *surface) point(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(x), Y: vg.Length(s.height - y)}
}

// A stroke is how a line is drawn.
type stroke struct {
	color  color.Color
	width  float64
	dashes []float64
}

// line draws a polyline through xs, ys.
func (s *surface) line(st stroke, xs, ys []float64) {
	if len(xs) < 2 {
		return
	}
	var p vg.Path
	p.Move(s.point(xs[0], ys[0]))
	for i := 1; i < len(xs); i++ {
		p.Line(s.point(xs[i], ys[i]))
	}
	dashes := make([]vg.Length, len(st.dashes))
	for i, d := range st.dashes {
		dashes[i] = vg.Length(d)
	}
	s.canvas.SetColor(st.color)
	s.canvas.SetLineWidth(vg.Length(st.width))
	s.canvas.SetLineDash(dashes, 0)
	s.canvas.Stroke(p)
	s.canvas.SetLineDash(nil, 0)
}

// segment draws one straight line.
func (s *surface) segment(st stroke, x0, y0, x1, y1 float64) {
	s.line(st, []float64{x0, x1}, []float64{y0, y1})
}

// polygon fills the closed polygon through xs, ys.
func (s *surface) polygon(c color.Color, xs, ys []float64) {
	if len(xs) < 3 {
		return
	}
	var p vg.Path
	p.Move(s.point(xs[0], ys[0]))
	for i := 1; i < len(xs); i++ {
		p.Line(s.point(xs[i], ys[i]))
	}
	p.Close()
	s.canvas.SetColor(c)
	s.canvas.Fill(p)
}

// fill fills a rectangle with a colour.
func (s *surface) fill(c color.Color, r rect) {
	s.polygon(c, []float64{r.x0, r.x1, r.x1, r.x0}, []float64{r.y0, r.y0, r.y1, r.y1})
}

// border outlines a rectangle.
func (s *surface) border(st stroke, r rect) {
	s.line(st, []float64{r.x0, r.x1, r.x1, r.x0, r.x0}, []float64{r.y0, r.y0, r.y1, r.y1, r.y0})
}

// blit stretches img over r with hard pixel edges.
func (s *surface) blit(img image.Image, r rect) {
	s.stretch(img, r, func(_, new color.RGBA) color.RGBA { return new })
}

// multiply stretches img over r as a tint of what is there.
func (s *surface) multiply(img image.Image, r rect) {
	s.stretch(img, r, func(old, new color.RGBA) color.RGBA {
		times := func(a, b uint8) uint8 { return uint8(uint32(a) * uint32(b) / 255) }
		return color.RGBA{times(old.R, new.R), times(old.G, new.G), times(old.B, new.B), 0xff}
	})
}

// stretch paints each device pixel of r with what combine makes of it and the pixel of img
// that lies there.
func (s *surface) stretch(img image.Image, r rect, combine func(old, new color.RGBA) color.RGBA) {
	x0, y0 := int(math.Round(r.x0*s.ratio)), int(math.Round(r.y0*s.ratio))
	x1, y1 := int(math.Round(r.x1*s.ratio)), int(math.Round(r.y1*s.ratio))
	b := img.Bounds()
	if x1 <= x0 || y1 <= y0 || b.Empty() {
		return
	}
	for y := max(y0, 0); y < min(y1, s.img.Rect.Dy()); y++ {
		sy := b.Min.Y + (y-y0)*b.Dy()/(y1-y0)
		for x := max(x0, 0); x < min(x1, s.img.Rect.Dx()); x++ {
			pixel := img.At(b.Min.X+(x-x0)*b.Dx()/(x1-x0), sy)
			s.img.SetRGBA(x, y, combine(s.img.RGBAAt(x, y), opaque(pixel)))
		}
	}
}

// opaque returns c over white.
func opaque(c color.Color) color.RGBA {
	r, g, b, a := c.RGBA()
	over := func(v uint32) uint8 { return uint8((v + 0xffff - a) >> 8) }
	return color.RGBA{over(r), over(g), over(b), 0xff}
}
