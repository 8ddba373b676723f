package display

import (
	"fmt"
	"image"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// An ImageRow is a labelled row of grey images, one in each row of the matrix.
type ImageRow struct {
	Name   string
	Images mat.Matrix

	// Unpaired says that the images are not versions of those in the first row, so that the text of
	// the figure states no difference from them.
	Unpaired bool
}

// ImagesOptions are the options of Images.
type ImagesOptions struct {
	Title        string
	ColumnTitles []string
	Columns      int     // images side by side before a row wraps; 0 means up to 20
	Min, Max     float64 // grey range; both zero mean the range of the first row's values
	EachOwnRange bool    // stretch each image to its own range
	DarkIsHigh   bool    // black for the highest value, as ink on paper

	Width int // CSS pixels; 0 means as wide as needed, up to 800
}

// maxImages bounds the images of a figure.
const maxImages = 2000

// images is what the figure draws.
type images struct {
	ImagesOptions
	names    []string
	pictures [][]*image.Gray
	columns  int
	height   int // pixels of an image
	width    int
}

// Images draws grids of grey images, height×width pixels each, stored row by row: for
// instance one row of originals and below it one of reconstructions for each model. Rows
// may differ in length; long ones wrap. Values beyond the grey range are clipped.
func Images(rows []ImageRow, height, width int, opts ...ImagesOptions) *Figure {
	o, err := only("Images", opts)
	if err != nil {
		return failed(err)
	}
	p := &images{ImagesOptions: o, height: height, width: width}
	p.ColumnTitles = slices.Clone(o.ColumnTitles)
	if err := p.read(rows); err != nil {
		return failed(err)
	}
	w := o.Width
	if w == 0 {
		w = int(math.Ceil(math.Min(defaultWidth, p.layout(defaultWidth).width)))
	}
	f := newFigure("Images", max(w, minWidth), int(math.Ceil(math.Max(minWidth, p.layout(float64(w)).height))), 0, 0, p.summary(rows), p.paint)
	f.heightFor = func(width float64) float64 { return p.layout(width).height }
	return f
}

// read checks and converts the images.
func (p *images) read(rows []ImageRow) error {
	if len(rows) == 0 {
		return fmt.Errorf("%w: Images: no rows, want at least 1", ErrInput)
	}
	if math.IsNaN(p.Min) || math.IsNaN(p.Max) || p.Min > p.Max || math.Abs(p.Min) > maxDrawable || math.Abs(p.Max) > maxDrawable {
		return fmt.Errorf("%w: Images: grey range is %v to %v, want finite numbers in order", ErrInput, p.Min, p.Max)
	}
	if p.Columns < 0 || p.Columns > 200 {
		return fmt.Errorf("%w: Images: Columns is %d, want 0 to 200", ErrInput, p.Columns)
	}
	low, high, total := p.Min, p.Max, 0
	for i, row := range rows {
		name := fmt.Sprintf("Images: row %d (%q)", i, row.Name)
		rowLow, rowHigh, err := checkImages(name, row.Images, p.height, p.width)
		if err != nil {
			return err
		}
		if i == 0 && p.Min == 0 && p.Max == 0 {
			low, high = rowLow, rowHigh
		}
		n, _ := row.Images.Dims()
		if total += n; total > maxImages {
			return fmt.Errorf("%w: %s: more than %d images in all, want at most that many", ErrInput, name, maxImages)
		}
		var pictures []*image.Gray
		for k := range n {
			values := mat.Row(nil, k, row.Images)
			if p.EachOwnRange {
				low, high = bounds(values)
			}
			pictures = append(pictures, greyImage(values, p.height, p.width, low, high, p.DarkIsHigh))
		}
		p.names = append(p.names, row.Name)
		p.pictures = append(p.pictures, pictures)
		p.columns = max(p.columns, n)
	}
	limit := p.Columns
	if limit == 0 {
		limit = 20
	}
	p.columns = min(p.columns, limit)
	if len(p.ColumnTitles) > p.columns {
		return fmt.Errorf("%w: Images: %d ColumnTitles, want at most %d, one for each column", ErrInput, len(p.ColumnTitles), p.columns)
	}
	return nil
}

// summary is the figure's text form, with the difference of each paired row from the first.
func (p *images) summary(rows []ImageRow) string {
	text := fmt.Sprintf("Images: %d×%d pixels", p.height, p.width)
	first, _ := rows[0].Images.Dims()
	for i, row := range rows {
		n, _ := row.Images.Dims()
		text += fmt.Sprintf("\n%s: %d", join("", row.Name, map[bool]string{true: fmt.Sprintf("row %d", i+1)}[row.Name == ""]), n)
		if i > 0 && n == first && !row.Unpaired {
			text += fmt.Sprintf(", root mean square difference from the first row %s", number(difference(rows[0].Images, row.Images), 3))
		}
	}
	return join("\n", text, p.Title)
}

// difference returns the root mean square difference of two matrices of equal size.
func difference(a, b mat.Matrix) float64 {
	rows, cols := a.Dims()
	total := 0.0
	for i := range rows {
		for j := range cols {
			d := a.At(i, j) - b.At(i, j)
			total += d * d
		}
	}
	return math.Sqrt(total / float64(rows*cols))
}

// imageLayout is where the images stand in a figure of some width.
type imageLayout struct {
	width, height float64
	label         float64 // width of the row names
	titles        float64 // height of the column titles
	cellW, cellH  float64
	columns       int
}

// imageGap separates images; rowGap separates named rows.
const (
	imageGap = 3
	rowGap   = 7
)

// layout fits the images into a width: device pixels for one pixel of an image are a whole
// number, and a row wraps where they would become too small.
func (p *images) layout(width float64) imageLayout {
	l := imageLayout{columns: p.columns}
	for _, name := range p.names {
		l.label = math.Max(l.label, textWidth(labelInk, name))
	}
	if l.label > 0 {
		l.label = math.Min(l.label, 130) + 10
	}
	room := width - 16 - l.label
	target := 48.0
	if p.columns <= 8 {
		target = 64
	}
	target = math.Max(target, math.Min(float64(max(p.width, p.height)), 96))
	least := math.Min(target, math.Max(26, float64(max(p.width, p.height))))
	for l.columns > 1 && room/float64(l.columns) < least+imageGap {
		l.columns--
	}
	cell := math.Min(target, room/float64(l.columns)-imageGap)
	factor := math.Floor(cell * pixelRatio / float64(max(p.width, p.height)))
	if factor >= 1 {
		cell = factor * float64(max(p.width, p.height)) / pixelRatio
	}
	l.cellW = cell * float64(p.width) / float64(max(p.width, p.height))
	l.cellH = cell * float64(p.height) / float64(max(p.width, p.height))
	l.titles = 0
	for _, title := range p.ColumnTitles {
		l.titles = math.Max(l.titles, 15*float64(min(2, len(wrap(legendInk, title, l.cellW+imageGap)))))
	}
	l.height = 16 + l.titles
	for _, row := range p.pictures {
		lines := (len(row) + l.columns - 1) / l.columns
		l.height += float64(lines)*(l.cellH+imageGap) + rowGap
	}
	l.width = 16 + l.label + float64(l.columns)*(l.cellW+imageGap)
	if p.Title != "" {
		l.height += float64(len(wrap(titleInk, p.Title, width-16)))*titleInk.size*1.3 + 4
		l.width = math.Max(l.width, math.Min(width, 16+textWidth(titleInk, p.Title)))
	}
	return l
}

// paint draws the images.
func (p *images) paint(s *surface, r rect) {
	l := p.layout(r.w())
	r = r.inset(8, 8, 8, 8)
	if p.Title != "" {
		r.y0 = s.paragraph(titleInk, r, p.Title) + 4
	}
	left := r.x0 + l.label
	for j, title := range p.ColumnTitles {
		if j >= l.columns {
			break
		}
		lines := wrap(legendInk, title, l.cellW+imageGap)
		k := legendInk
		k.align = 0.5
		for n, line := range lines[:min(2, len(lines))] {
			s.text(k, left+float64(j)*(l.cellW+imageGap)+l.cellW/2, r.y0+15*float64(n)+12, line)
		}
	}
	y := r.y0 + l.titles
	frame := stroke{color: gridColor, width: 1}
	for i, row := range p.pictures {
		lines := wrap(labelInk, p.names[i], l.label-10)
		textTop := y + l.cellH/2 - float64(len(lines)-1)*8 + labelInk.size*0.36
		for n, line := range lines {
			s.text(labelInk, r.x0, textTop+16*float64(n), line)
		}
		for k, picture := range row {
			x := left + float64(k%l.columns)*(l.cellW+imageGap)
			top := y + float64(k/l.columns)*(l.cellH+imageGap)
			cell := rect{x, top, x + l.cellW, top + l.cellH}
			s.border(frame, cell.inset(-0.5, -0.5, -0.5, -0.5))
			s.blit(picture, cell)
		}
		y += float64((len(row)+l.columns-1)/l.columns)*(l.cellH+imageGap) + rowGap
	}
}
