package compare

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
)

// The sides of the grid on which pictures are compared, and the distance from which they look
// different: the root mean square difference of the cells' mean colours, of 1 for black and
// white. A curve that moves by its own width changes about 0.01; redrawing text with another
// font changes 0.002.
const (
	gridSide     = 48
	lookDistance = 0.008
)

// pictures describes how two PNG files differ to the eye, or returns "".
func pictures(stored, got []byte) string {
	switch {
	case bytes.Equal(stored, got):
		return ""
	case stored == nil:
		return "it has a picture, none is stored"
	case got == nil:
		return "its picture is missing, one is stored"
	}
	a, err := png.Decode(bytes.NewReader(stored))
	if err != nil {
		return fmt.Sprintf("the stored picture cannot be read: %v", err)
	}
	b, err := png.Decode(bytes.NewReader(got))
	if err != nil {
		return fmt.Sprintf("the picture cannot be read: %v", err)
	}
	if p, q := a.Bounds().Size(), b.Bounds().Size(); p != q {
		return fmt.Sprintf("the picture is %d×%d pixels, %d×%d are stored", q.X, q.Y, p.X, p.Y)
	}
	if d := distance(a, b); d > lookDistance {
		return fmt.Sprintf("the picture looks different: distance %.3f, want at most %g", d, lookDistance)
	}
	return ""
}

// distance returns how different two pictures of one size look.
func distance(a, b image.Image) float64 {
	p, q := grid(a), grid(b)
	sum := 0.0
	for i := range p {
		sum += (p[i] - q[i]) * (p[i] - q[i])
	}
	return math.Sqrt(sum / float64(len(p)))
}

// grid returns the mean red, green and blue of each cell of a grid over a picture, from 0 to 1,
// on white where the picture is transparent.
func grid(m image.Image) []float64 {
	r := m.Bounds()
	sums := make([]float64, gridSide*gridSide*3)
	counts := make([]float64, gridSide*gridSide)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := (y - r.Min.Y) * gridSide / r.Dy() * gridSide
		for x := r.Min.X; x < r.Max.X; x++ {
			cell := row + (x-r.Min.X)*gridSide/r.Dx()
			red, green, blue, alpha := m.At(x, y).RGBA()
			counts[cell]++
			for i, c := range []uint32{red, green, blue} {
				sums[3*cell+i] += float64(c+0xffff-alpha) / 0xffff
			}
		}
	}
	for i, n := range counts {
		for c := range 3 {
			if n > 0 {
				sums[3*i+c] /= n
			}
		}
	}
	return sums
}
