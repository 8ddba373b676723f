package display

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// PictureOptions are the options of Picture and Plot.
type PictureOptions struct {
	Summary       string // the text form; "" describes the picture by its title or size
	Width, Height int    // CSS pixels; 0 means the size of the image, 640×400 for a plot
}

// smallImage is the size in CSS pixels to which a smaller image is enlarged.
const smallImage = 160

// Picture shows an image as it is; one of less than 160 pixels is enlarged by a whole number
// with hard edges.
func Picture(img image.Image, opts ...PictureOptions) *Figure {
	o, err := only("Picture", opts)
	if err != nil {
		return failed(err)
	}
	if img == nil || isNilPointer(img) {
		return failed(fmt.Errorf("%w: Picture: the image is nil", ErrInput))
	}
	b := img.Bounds()
	if b.Dx() < 1 || b.Dy() < 1 || b.Dx() > maxWidth || b.Dy() > maxWidth {
		return failed(fmt.Errorf("%w: Picture: size is %d×%d, want 1 to %d pixels each way", ErrInput, b.Dx(), b.Dy(), maxWidth))
	}
	if o.Summary == "" {
		o.Summary = fmt.Sprintf("Picture: %d×%d pixels", b.Dx(), b.Dy())
	}
	factor := 1
	if longest := max(b.Dx(), b.Dy()); longest < smallImage {
		factor = (smallImage + longest - 1) / longest
	}
	return pictureFigure("Picture", enlarge(img, factor), o, b.Dx()*factor, b.Dy()*factor)
}

// enlarge returns a copy of img with each pixel factor×factor large.
func enlarge(img image.Image, factor int) image.Image {
	b := img.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx()*factor, b.Dy()*factor))
	if factor == 1 {
		draw.Draw(out, out.Rect, img, b.Min, draw.Src)
		return out
	}
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, img.At(b.Min.X+x/factor, b.Min.Y+y/factor))
		}
	}
	return out
}

// pictureFigure returns a figure whose PNG is img itself, shown at width×height CSS pixels
// unless the options say otherwise.
func pictureFigure(name string, img image.Image, o PictureOptions, width, height int) *Figure {
	for _, size := range []int{o.Width, o.Height} {
		if size < 0 || size > maxWidth {
			return failed(fmt.Errorf("%w: %s: size is %d×%d, want 0 to %d pixels each way", ErrInput, name, o.Width, o.Height, maxWidth))
		}
	}
	aspect := float64(height) / float64(width)
	w, h := float64(width), float64(height)
	switch {
	case o.Width > 0 && o.Height > 0:
		w, h = float64(o.Width), float64(o.Height)
	case o.Width > 0:
		w, h = float64(o.Width), float64(o.Width)*aspect
	case o.Height > 0:
		w, h = float64(o.Height)/aspect, float64(o.Height)
	}
	f := &Figure{width: math.Ceil(w), height: math.Ceil(h), summary: o.Summary, direct: img}
	f.heightFor = func(room float64) float64 { return math.Min(room, w) * h / w }
	f.paint = func(s *surface, r rect) {
		shrink := math.Min(1, math.Min(r.w()/w, r.h()/h))
		s.blit(img, rect{r.x0, r.y0, r.x0 + w*shrink, r.y0 + h*shrink})
	}
	return f
}

// Plot shows a plot of gonum.org/v1/plot as it is now. A panic of the plot, for instance on
// a logarithmic axis with values that are not positive, is reported as an error.
func Plot(p *plot.Plot, opts ...PictureOptions) *Figure {
	o, err := only("Plot", opts)
	if err != nil {
		return failed(err)
	}
	if p == nil {
		return failed(fmt.Errorf("%w: Plot: the plot is nil", ErrInput))
	}
	for _, end := range []struct {
		name  string
		value float64
	}{{"X.Min", p.X.Min}, {"X.Max", p.X.Max}, {"Y.Min", p.Y.Min}, {"Y.Max", p.Y.Max}} {
		if math.IsNaN(end.value) {
			return failed(fmt.Errorf("%w: Plot: %s is NaN, want a number", ErrInput, end.name))
		}
	}
	width, height := 640, 400
	if o.Width > 0 {
		width = o.Width
	}
	if o.Height > 0 {
		height = o.Height
	}
	if width < minWidth || height < minWidth || width > maxWidth || height > maxWidth {
		return failed(fmt.Errorf("%w: Plot: size is %d×%d, want %d to %d pixels each way", ErrInput, width, height, minWidth, maxWidth))
	}
	if o.Summary == "" {
		o.Summary = join("\n", "Plot: "+join(" over ", p.Y.Label.Text, p.X.Label.Text), p.Title.Text)
	}
	img, err := drawPlot(p, width, height)
	if err != nil {
		return failed(err)
	}
	return pictureFigure("Plot", img, o, width, height)
}

// drawPlot draws a plot with two device pixels per CSS pixel.
func drawPlot(p *plot.Plot, width, height int) (img image.Image, err error) {
	defer func() {
		if r := recover(); r != nil {
			img, err = nil, fmt.Errorf("%w: Plot: the plot cannot be drawn: %v", ErrInput, r)
		}
	}()
	c := vgimg.NewWith(
		vgimg.UseWH(vg.Length(width), vg.Length(height)),
		vgimg.UseDPI(72*pixelRatio),
		vgimg.UseBackgroundColor(color.White),
	)
	p.Draw(vgdraw.Crop(vgdraw.New(c), 4, -8, 4, -4))
	s := &surface{img: c.Image().(*image.RGBA)}
	return s.compact(), nil
}
