package display

import (
	"image"
	"image/color"
	"math"
)

// A shape is the form of a marker. It tells whether the point x, y is inside a marker of
// radius 1.
type shape func(x, y float64) bool

// shapes are told apart at 3 pixels of radius and have about the same area.
var shapes = []shape{
	func(x, y float64) bool { return x*x+y*y <= 1 },                                  // disc
	func(x, y float64) bool { return math.Abs(x) <= 0.86 && math.Abs(y) <= 0.86 },    // square
	func(x, y float64) bool { return y <= 0.75 && math.Abs(x) <= (y+1.25)*0.6 },      // triangle
	func(x, y float64) bool { return math.Abs(x)+math.Abs(y) <= 1.28 },               // diamond
	func(x, y float64) bool { return y >= -0.75 && math.Abs(x) <= (1.25-y)*0.6 },     // inverted triangle
	func(x, y float64) bool { return cross(x, y) },                                   // plus
	func(x, y float64) bool { return cross((x+y)*math.Sqrt2/2, (x-y)*math.Sqrt2/2) }, // ex
}

// cross reports whether x, y is inside a thick plus sign.
func cross(x, y float64) bool {
	x, y = math.Abs(x), math.Abs(y)
	return math.Min(x, y) <= 0.38 && math.Max(x, y) <= 1.2
}

// classShape returns the shape of a class. Colours and shapes repeat with different periods.
func classShape(class int) shape {
	if class < 0 {
		return shapes[0]
	}
	return shapes[class%len(shapes)]
}

// A marker is a shape at a size, ready to be stamped many times.
type marker struct {
	fill, halo *image.Alpha // coverage of the shape, and of a thin rim around it
	half       int
}

// newMarker prepares a marker with a radius in CSS pixels; rim is the width of a white rim
// that separates neighbours, or 0.
func (s *surface) newMarker(form shape, radius, rim float64) *marker {
	radius *= s.ratio
	outer := radius + rim*s.ratio
	half := int(math.Ceil(outer*1.3)) + 1
	m := &marker{fill: coverage(form, radius, half), half: half}
	if rim > 0 {
		m.halo = coverage(form, outer, half)
	}
	return m
}

// coverage returns the share of each pixel that a shape covers, from 4×4 samples.
func coverage(form shape, radius float64, half int) *image.Alpha {
	const samples = 4
	img := image.NewAlpha(image.Rect(0, 0, 2*half+1, 2*half+1))
	for py := -half; py <= half; py++ {
		for px := -half; px <= half; px++ {
			inside := 0
			for i := range samples * samples {
				x := float64(px) + (float64(i%samples)+0.5)/samples - 0.5
				y := float64(py) + (float64(i/samples)+0.5)/samples - 0.5
				if form(x/radius, y/radius) {
					inside++
				}
			}
			img.SetAlpha(px+half, py+half, color.Alpha{A: uint8(inside * 255 / (samples * samples))})
		}
	}
	return img
}

// stamp draws a marker centred at x, y with the given opacity.
func (s *surface) stamp(m *marker, c color.RGBA, opacity, x, y float64) {
	cx, cy := int(math.Round(x*s.ratio-0.5)), int(math.Round(y*s.ratio-0.5))
	if m.halo != nil {
		s.blend(m.halo, whiteColor, 0.85*opacity, cx-m.half, cy-m.half)
	}
	s.blend(m.fill, c, opacity, cx-m.half, cy-m.half)
}

// blend paints c through a mask whose corner is at device pixel left, top.
func (s *surface) blend(mask *image.Alpha, c color.RGBA, opacity float64, left, top int) {
	weight := uint32(math.Round(opacity * 256))
	bounds := s.img.Bounds()
	for my := range mask.Rect.Dy() {
		y := top + my
		if y < bounds.Min.Y || y >= bounds.Max.Y {
			continue
		}
		for mx := range mask.Rect.Dx() {
			x := left + mx
			a := uint32(mask.Pix[my*mask.Stride+mx]) * weight >> 8
			if a == 0 || x < bounds.Min.X || x >= bounds.Max.X {
				continue
			}
			p := s.img.Pix[s.img.PixOffset(x, y):]
			p[0] = mix(p[0], c.R, a)
			p[1] = mix(p[1], c.G, a)
			p[2] = mix(p[2], c.B, a)
		}
	}
}

// mix returns old and new in the proportion 255-a to a.
func mix(old, new uint8, a uint32) uint8 {
	return uint8((uint32(old)*(255-a) + uint32(new)*a + 127) / 255)
}
