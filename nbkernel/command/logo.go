package command

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

// The logo is a λ, the letter of eigenvalues, on a blue square. Coordinates are fractions of
// the side.
var (
	logoStrokes = [][4]float64{{0.36, 0.20, 0.66, 0.80}, {0.50, 0.48, 0.30, 0.80}, {0.28, 0.20, 0.36, 0.20}, {0.66, 0.80, 0.72, 0.80}}
	logoGround  = color.RGBA{0x12, 0x4e, 0x8c, 0xff}
	logoLetter  = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

const (
	logoWidth  = 0.045 // half the width of a stroke
	logoCorner = 0.18  // radius of the square's corners
)

const logoSVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" rx="18" fill="#124e8c"/>` +
	`<path d="M28 20h8l30 60h6M50 48 30 80" fill="none" stroke="#fff" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"/></svg>
`

// logoPNG returns the logo with the given side in pixels.
func logoPNG(side int) ([]byte, error) {
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	pixel := 1 / float64(side)
	for y := range side {
		for x := range side {
			px, py := (float64(x)+0.5)*pixel, (float64(y)+0.5)*pixel
			letter := 0.0
			for _, s := range logoStrokes {
				letter = max(letter, coverage(segmentDistance(px, py, s)-logoWidth, pixel))
			}
			ground := coverage(squareDistance(px, py), pixel)
			mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-letter) + float64(b)*letter)) }
			img.SetNRGBA(x, y, color.NRGBA{mix(logoGround.R, logoLetter.R), mix(logoGround.G, logoLetter.G), mix(logoGround.B, logoLetter.B), uint8(math.Round(255 * ground))})
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// coverage turns a distance from an edge, negative inside, into the covered part of a pixel.
func coverage(distance, pixel float64) float64 {
	return min(max(0.5-distance/pixel, 0), 1)
}

func segmentDistance(x, y float64, s [4]float64) float64 {
	dx, dy := s[2]-s[0], s[3]-s[1]
	t := min(max(((x-s[0])*dx+(y-s[1])*dy)/(dx*dx+dy*dy), 0), 1)
	return math.Hypot(x-s[0]-t*dx, y-s[1]-t*dy)
}

// squareDistance is the distance from the unit square with round corners.
func squareDistance(x, y float64) float64 {
	qx, qy := math.Abs(x-0.5)-0.5+logoCorner, math.Abs(y-0.5)-0.5+logoCorner
	return math.Hypot(max(qx, 0), max(qy, 0)) + min(max(qx, qy), 0) - logoCorner
}
