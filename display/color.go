package display

import (
	"image/color"
	"math"
)

// Colours of everything that is not data.
var (
	textColor  = color.RGBA{0x22, 0x22, 0x22, 0xff}
	faintColor = color.RGBA{0x66, 0x66, 0x66, 0xff}
	gridColor  = color.RGBA{0xe6, 0xe6, 0xe6, 0xff}
	axisColor  = color.RGBA{0x88, 0x88, 0x88, 0xff}
	whiteColor = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// classColors are Okabe and Ito's, without the yellow that is lost on white, and three more
// for classes beyond the seventh.
var classColors = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0x33, 0x33, 0x33, 0xff}, // near black
	{0x88, 0x22, 0x55, 0xff}, // wine
	{0xa8, 0x9a, 0x00, 0xff}, // olive
	{0x8c, 0x5a, 0x2b, 0xff}, // brown
}

// unknownColor is that of points without a class.
var unknownColor = color.RGBA{0xaa, 0xaa, 0xaa, 0xff}

// classColor returns the colour of a class; negative classes are unknown.
func classColor(class int) color.RGBA {
	if class < 0 {
		return unknownColor
	}
	return classColors[class%len(classColors)]
}

// withAlpha returns c at the given opacity, premultiplied as color.RGBA wants it.
func withAlpha(c color.RGBA, alpha float64) color.RGBA {
	scale := func(v uint8) uint8 { return uint8(math.Round(float64(v) * alpha)) }
	return color.RGBA{scale(c.R), scale(c.G), scale(c.B), scale(c.A)}
}

// A colorMap has 256 colours for values from 0 to 1.
type colorMap [256]color.RGBA

// at returns the colour of t, clamped to [0, 1].
func (m *colorMap) at(t float64) color.RGBA {
	return m[int(math.Round(255*math.Min(1, math.Max(0, t))))]
}

var (
	// sequential rises evenly in lightness from dark violet over teal to pale yellow.
	sequential = makeColorMap(func(t float64) (l, c, h float64) {
		return 0.25 + 0.69*t, 0.096 + 0.034*t*t*t, 300 - 195*t
	})

	// diverging runs from blue over white to red with equal lightness on both sides.
	diverging = makeColorMap(func(t float64) (l, c, h float64) {
		side := math.Abs(2*t - 1)
		hue := 255.0
		if t > 0.5 {
			hue = 30
		}
		return 0.985 - 0.535*side, 0.165 * math.Pow(side, 0.9), hue
	})

	// grey runs from black to white evenly in lightness.
	grey = makeColorMap(func(t float64) (l, c, h float64) { return t, 0, 0 })
)

// makeColorMap samples a path of lightness, chroma and hue (degrees) in OKLCh.
func makeColorMap(path func(t float64) (l, c, h float64)) *colorMap {
	var m colorMap
	for i := range m {
		m[i] = oklch(path(float64(i) / 255))
	}
	return &m
}

// oklch converts to sRGB, with less chroma where the screen cannot show it.
func oklch(l, c, h float64) color.RGBA {
	sin, cos := math.Sincos(h * math.Pi / 180)
	for ; c > 0; c -= 0.002 {
		if rgb, ok := oklab(l, c*cos, c*sin); ok {
			return rgb
		}
	}
	rgb, _ := oklab(l, 0, 0)
	return rgb
}

// oklab converts OKLab (Ottosson 2020) to sRGB and reports whether the screen can show it.
func oklab(l, a, b float64) (color.RGBA, bool) {
	cube := func(v float64) float64 { return v * v * v }
	long := cube(l + 0.3963377774*a + 0.2158037573*b)
	medium := cube(l - 0.1055613458*a - 0.0638541728*b)
	short := cube(l - 0.0894841775*a - 1.2914855480*b)
	linear := [3]float64{
		4.0767416621*long - 3.3077115913*medium + 0.2309699292*short,
		-1.2684380046*long + 2.6097574011*medium - 0.3413193965*short,
		-0.0041960863*long - 0.7034186147*medium + 1.7076147010*short,
	}
	inside := true
	var out [3]uint8
	for i, v := range linear {
		if v < -1e-4 || v > 1+1e-4 {
			inside = false
		}
		v = math.Min(1, math.Max(0, v))
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		out[i] = uint8(math.Round(255 * v))
	}
	return color.RGBA{out[0], out[1], out[2], 0xff}, inside
}
