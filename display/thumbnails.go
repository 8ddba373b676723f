package display

import (
	"fmt"
	"image"
	"math"

	"gonum.org/v1/gonum/mat"
)

// thumbnails are the small pictures of an embedding's points.
type thumbnails struct {
	pictures []*image.Gray // of each point; nil for those that are never drawn
	limit    int
}

// newThumbnails makes pictures of rows of o.Images, black for the highest value.
func newThumbnails(o EmbeddingOptions, n int) (thumbnails, error) {
	limit := o.Thumbnails
	if limit == 0 {
		limit = 40
	}
	if limit < 0 || limit > 1000 {
		return thumbnails{}, fmt.Errorf("%w: Embedding: Thumbnails is %d, want 0 to 1000", ErrInput, limit)
	}
	rows, _, err := checkMatrix("Embedding: Images", o.Images)
	if err != nil {
		return thumbnails{}, err
	}
	if rows != n {
		return thumbnails{}, fmt.Errorf("%w: Embedding: Images has %d rows, want %d, one for each row of z", ErrInput, rows, n)
	}
	low, high, err := checkImages("Embedding: Images", o.Images, o.ImageHeight, o.ImageWidth)
	if err != nil {
		return thumbnails{}, err
	}
	t := thumbnails{limit: limit, pictures: make([]*image.Gray, n)}
	candidates := 0
	scattered(n, func(i int) {
		if candidates++; candidates <= maxCandidates {
			t.pictures[i] = greyImage(mat.Row(nil, i, o.Images), o.ImageHeight, o.ImageWidth, low, high, true)
		}
	})
	return t, nil
}

// maxCandidates bounds the rows that are tried for a thumbnail.
const maxCandidates = 4000

// checkImages returns the range of the values of m, which must be finite with rows
// height·width long.
func checkImages(name string, m mat.Matrix, height, width int) (low, high float64, err error) {
	rows, cols, err := checkMatrix(name, m)
	if err != nil {
		return 0, 0, err
	}
	if height < 1 || width < 1 || height > 4096 || width > 4096 || height*width != cols {
		return 0, 0, fmt.Errorf("%w: %s: rows have %d values and images are %d×%d pixels, want height times width = %d, each 1 to 4096",
			ErrInput, name, cols, height, width, cols)
	}
	low, high = math.Inf(1), math.Inf(-1)
	for i := range rows {
		for j := range cols {
			v := m.At(i, j)
			if err := checkValue(v, "%s(%d,%d)", name, i, j); err != nil {
				return 0, 0, err
			}
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	return low, high, nil
}

// greyImage returns values as grey from low to high; darkIsHigh inverts.
func greyImage(values []float64, height, width int, low, high float64, darkIsHigh bool) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, width, height))
	for k, v := range values {
		t := 0.5
		if high > low {
			t = math.Min(1, math.Max(0, (v-low)/(high-low)))
		}
		if darkIsHigh {
			t = 1 - t
		}
		img.Pix[k] = grey.at(t).R
	}
	return img
}

// draw puts pictures beside their points, first come first served, where there is room.
func (t thumbnails) draw(f *frame, e *embedding) {
	if len(t.pictures) == 0 {
		return
	}
	size := 28.0
	if largest := max(e.ImageHeight, e.ImageWidth); largest > 28 {
		size = math.Min(44, float64(largest))
	}
	h := size * float64(e.ImageHeight) / float64(max(e.ImageHeight, e.ImageWidth))
	w := size * float64(e.ImageWidth) / float64(max(e.ImageHeight, e.ImageWidth))
	var taken []rect
	scattered(len(t.pictures), func(i int) {
		if len(taken) >= t.limit || t.pictures[i] == nil {
			return
		}
		x, y := f.at(e.x[i], e.y[i])
		box := rect{x - w/2 - 2, y - h/2 - 2, x + w/2 + 2, y + h/2 + 2}
		if box.x0 < f.area.x0 || box.x1 > f.area.x1 || box.y0 < f.area.y0 || box.y1 > f.area.y1 || box.overlapsAny(taken) {
			return
		}
		taken = append(taken, box)
		f.fill(classColor(e.class(i)), box.inset(0.5, 0.5, 0.5, 0.5))
		f.blit(t.pictures[i], box.inset(2, 2, 2, 2))
	})
}
