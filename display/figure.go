package display

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
)

// Sizes of figures in CSS pixels, and the device pixels of the PNG for each of them.
const (
	defaultWidth = 800
	minWidth     = 120
	maxWidth     = 4000
	pixelRatio   = 2
	maxBytes     = 160 << 10 // of a picture with full resolution
)

// A Figure is a picture with a summary in words. It does not change after it was made and
// may be shown any number of times, from any goroutine.
type Figure struct {
	width, height float64 // CSS pixels
	summary       string
	paint         func(s *surface, r rect)
	direct        image.Image                 // the picture itself, instead of paint
	heightFor     func(width float64) float64 // the height that suits a width; nil keeps the shape
	extra         map[string]any              // further MIME types
	err           error
}

// failed returns the figure that reports err when it is shown.
func failed(err error) *Figure { return &Figure{err: err} }

// newFigure returns a figure of the given size; zero width or height means the fallback.
func newFigure(name string, width, height, fallbackWidth, fallbackHeight int, summary string, paint func(*surface, rect)) *Figure {
	if width == 0 {
		width = fallbackWidth
	}
	if height == 0 {
		height = fallbackHeight
	}
	if width < minWidth || width > maxWidth || height < minWidth || height > maxWidth {
		return failed(fmt.Errorf("%w: %s: size is %d×%d, want %d to %d pixels each way",
			ErrInput, name, width, height, minWidth, maxWidth))
	}
	return &Figure{width: float64(width), height: float64(height), summary: summary, paint: paint}
}

// PNG returns the picture, drawn with two device pixels per CSS pixel, or with one where
// two would take more than 160 kB (tens of thousands of points).
func (f *Figure) PNG() ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	if f.direct != nil {
		return encodePNG(f.direct)
	}
	picture, err := encodePNG(f.draw(pixelRatio))
	if err == nil && len(picture) > maxBytes {
		return encodePNG(f.draw(1))
	}
	return picture, err
}

// draw paints the picture with ratio device pixels per CSS pixel.
func (f *Figure) draw(ratio int) image.Image {
	s := newSurface(f.width, f.height, ratio)
	f.paint(s, rect{0, 0, f.width, f.height})
	return s.compact()
}

// encodePNG returns the bytes of a PNG file.
func encodePNG(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := encoder.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("display: encoding a picture: %w", err)
	}
	return b.Bytes(), nil
}

// Save writes the picture to a PNG file.
func (f *Figure) Save(path string) error {
	picture, err := f.PNG()
	if err != nil {
		return err
	}
	return os.WriteFile(path, picture, 0o644)
}

// String returns the summary in words, or the error that showing the figure would report.
func (f *Figure) String() string {
	if f.err != nil {
		return f.err.Error()
	}
	return clean(f.summary)
}

// Bundle returns the picture, the summary and, where there are any, further forms.
func (f *Figure) Bundle() (Bundle, error) {
	picture, err := f.PNG()
	if err != nil {
		return Bundle{}, err
	}
	data := map[string]any{MIMEPNG: picture, MIMEPlain: f.String()}
	for mime, content := range f.extra {
		data[mime] = content
	}
	return Bundle{
		Data:     data,
		Metadata: map[string]any{MIMEPNG: map[string]any{"width": int(f.width), "height": int(f.height)}},
	}, nil
}
