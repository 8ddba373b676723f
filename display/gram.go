package display

import (
	"fmt"
	"image"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// GramOptions are the options of Gram.
type GramOptions struct {
	Title      string
	Label      string   // name of the values beside the colour bar; "" means "k(x, y)"
	Labels     []int    // class of each row: orders the rows by class and marks the classes
	ClassNames []string // name of class 0, 1, …
	Order      []int    // order of the rows: a permutation of 0 … N-1, instead of by class
	Names      []string // name of each row, drawn when there is room for them
	Diverging  bool     // zero in the middle of the colours, even if no value is negative

	Width, Height int // CSS pixels; 0 means 560×480
}

// maxCells is the number of cells along one side of the picture; larger matrices are averaged
// over blocks.
const maxCells = 320

// gram is what the figure draws.
type gram struct {
	GramOptions
	rows, cols     int
	order          []int // rows in the order drawn
	cells          [][]float64
	low, high      float64 // range of all entries
	mean           float64
	within, across float64 // mean entry within and between classes, off the diagonal
	starts         []int   // places in order where a class starts
	values         scale   // of the colours
	colors         *colorMap
}

// Gram draws a matrix as a heat map with a colour bar: square Gram matrices and, without
// Labels, Order and Names, any other matrix. Matrices with more than 320 rows or columns
// are averaged over blocks. Where entries are negative and positive alike, as in a centred
// matrix, zero is white.
func Gram(k mat.Matrix, opts ...GramOptions) *Figure {
	o, err := only("Gram", opts)
	if err != nil {
		return failed(err)
	}
	g, err := newGram(k, o)
	if err != nil {
		return failed(err)
	}
	return newFigure("Gram", o.Width, o.Height, 560, 480, g.String(), g.paint)
}

// newGram checks the input and averages it to the cells drawn.
func newGram(k mat.Matrix, o GramOptions) (*gram, error) {
	rows, cols, err := checkMatrix("Gram: k", k)
	if err != nil {
		return nil, err
	}
	if rows != cols && (len(o.Labels) > 0 || len(o.Order) > 0 || len(o.Names) > 0) {
		return nil, fmt.Errorf("%w: Gram: k is %d×%d, want a square matrix with Labels, Order or Names", ErrInput, rows, cols)
	}
	if o.Label == "" {
		o.Label = "k(x, y)"
	}
	g := &gram{GramOptions: o, rows: rows, cols: cols}
	g.Labels, g.Names = slices.Clone(o.Labels), slices.Clone(o.Names)
	g.ClassNames = slices.Clone(o.ClassNames)
	if err := g.sortRows(); err != nil {
		return nil, err
	}
	if err := g.reduce(k); err != nil {
		return nil, err
	}
	g.chooseColors()
	return g, nil
}

// sortRows decides the order of the rows.
func (g *gram) sortRows() error {
	if err := checkLength("Gram: Labels", len(g.Labels), g.rows, "row"); err != nil {
		return err
	}
	if err := checkLength("Gram: Names", len(g.Names), g.rows, "row"); err != nil {
		return err
	}
	if err := checkLength("Gram: Order", len(g.Order), g.rows, "row"); err != nil {
		return err
	}
	g.order = make([]int, g.rows)
	for i := range g.order {
		g.order[i] = i
	}
	switch {
	case len(g.Order) > 0:
		seen := make([]bool, g.rows)
		for i, r := range g.Order {
			if r < 0 || r >= g.rows || seen[r] {
				return fmt.Errorf("%w: Gram: Order[%d] is %d, want each of 0 to %d once", ErrInput, i, r, g.rows-1)
			}
			seen[r] = true
		}
		copy(g.order, g.Order)
	case len(g.Labels) > 0:
		slices.SortStableFunc(g.order, func(a, b int) int { return g.Labels[a] - g.Labels[b] })
		for i, r := range g.order {
			if i == 0 || g.Labels[r] != g.Labels[g.order[i-1]] {
				g.starts = append(g.starts, i)
			}
		}
	}
	return nil
}

// reduce averages k over blocks, in the order of the rows, and collects its statistics.
func (g *gram) reduce(k mat.Matrix) error {
	high := (g.rows + maxCells - 1) / maxCells // entries in a block
	wide := (g.cols + maxCells - 1) / maxCells
	g.cells = make([][]float64, (g.rows+high-1)/high)
	g.low, g.high = math.Inf(1), math.Inf(-1)
	var within, across sum
	for ci := range g.cells {
		g.cells[ci] = make([]float64, (g.cols+wide-1)/wide)
		count := make([]int, len(g.cells[ci]))
		for i := ci * high; i < min(g.rows, (ci+1)*high); i++ {
			rowSum := 0.0
			for j := range g.cols {
				r, c := g.order[i], j
				if g.rows == g.cols {
					c = g.order[j]
				}
				v := k.At(r, c)
				if err := checkValue(v, "Gram: k(%d,%d)", r, c); err != nil {
					return err
				}
				g.low, g.high = math.Min(g.low, v), math.Max(g.high, v)
				rowSum += v / float64(g.cols)
				cj := j / wide
				count[cj]++
				g.cells[ci][cj] += (v - g.cells[ci][cj]) / float64(count[cj])
				if len(g.starts) > 0 && r != c {
					if g.Labels[r] == g.Labels[c] {
						within.add(v)
					} else {
						across.add(v)
					}
				}
			}
			g.mean += rowSum / float64(g.rows)
		}
	}
	g.within, g.across = within.mean(), across.mean()
	return nil
}

// A sum is a running mean.
type sum struct {
	total float64
	n     int
}

// add counts a value.
func (s *sum) add(v float64) { s.total, s.n = s.total+v, s.n+1 }

// mean returns the mean, NaN of nothing.
func (s *sum) mean() float64 { return s.total / float64(s.n) }

// chooseColors takes the diverging map for entries of both signs.
func (g *gram) chooseColors() {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range g.cells {
		l, h := bounds(row)
		low, high = math.Min(low, l), math.Max(high, h)
	}
	g.colors, g.values = sequential, linearScale(low, high, 0)
	if g.Diverging || (low < -0.05*high && high > 0) || high <= 0 && low < 0 {
		most := math.Max(-low, high)
		g.colors, g.values = diverging, linearScale(-most, most, 0)
	}
}

// String is the figure's text form.
func (g *gram) String() string {
	most := math.Max(math.Abs(g.low), math.Abs(g.high))
	text := fmt.Sprintf("Gram: %d×%d, values %s … %s, mean %s", g.rows, g.cols,
		number(settle(g.low, most), 4), number(settle(g.high, most), 4), number(settle(g.mean, most), 4))
	if len(g.starts) > 1 {
		text += fmt.Sprintf(", %d classes:", len(g.starts))
		if !math.IsNaN(g.within) { // no class has two rows
			text += fmt.Sprintf(" mean within %s,", number(settle(g.within, most), 4))
		}
		text += fmt.Sprintf(" between %s", number(settle(g.across, most), 4))
	}
	return join("\n", text, g.Title)
}

// paint draws the heat map.
func (g *gram) paint(s *surface, r rect) {
	r = r.inset(8, 8, 8, 8)
	a := axes{
		title: g.Title, xLabel: "column", yLabel: "row", noGrid: true,
		x: scale{min: 0, max: float64(g.cols), whole: true}, y: scale{min: float64(g.rows), max: 0, whole: true},
		bar: &colorBar{colors: g.colors, values: g.values, label: g.Label},
	}
	if g.rows == g.cols {
		a.square = true
	}
	switch {
	case len(g.starts) > 1:
		a.xLabel, a.yLabel = "rows by class", "rows by class"
		a.xTicks = g.classTicks()
		a.yTicks = a.xTicks
	case len(g.Names) > 0 && g.rows <= 24:
		a.xLabel, a.yLabel = "", ""
		for i, r := range g.order {
			a.yTicks = append(a.yTicks, tick{float64(i) + 0.5, shorten(tickInk, g.Names[r], 110)})
			a.xTicks = append(a.xTicks, tick{float64(i) + 0.5, fmt.Sprint(i + 1)})
		}
	case len(g.Order) == 0 && max(g.rows, g.cols) <= 24:
		a.xTicks, a.yTicks = centred(g.cols), centred(g.rows)
	case len(g.Order) > 0:
		a.xLabel, a.yLabel = "place in the order", "place in the order"
	}
	if g.rows > maxCells || g.cols > maxCells {
		a.note = fmt.Sprintf("Averaged over blocks: %d×%d entries in %d×%d cells.", g.rows, g.cols, len(g.cells), len(g.cells[0]))
	}
	a.draw(s, r, func(f *frame) {
		f.blit(g.image(), f.area)
		for _, start := range g.starts {
			if start > 0 {
				x, y := f.at(float64(start), float64(start))
				st := stroke{color: whiteColor, width: 1}
				if g.colors == diverging {
					st.color = textColor
				}
				f.segment(st, x, f.area.y0, x, f.area.y1)
				f.segment(st, f.area.x0, y, f.area.x1, y)
			}
		}
	})
}

// centred returns ticks at the middle of each of n cells.
func centred(n int) []tick {
	ticks := make([]tick, n)
	for i := range ticks {
		ticks[i] = tick{float64(i) + 0.5, fmt.Sprint(i)}
	}
	return ticks
}

// image returns one pixel for each cell.
func (g *gram) image() image.Image {
	img := image.NewRGBA(image.Rect(0, 0, len(g.cells[0]), len(g.cells)))
	for i, row := range g.cells {
		for j, v := range row {
			img.SetRGBA(j, i, g.colors.at(g.values.at(v)))
		}
	}
	return img
}

// classTicks names each class at the middle of its rows; narrow classes go without.
func (g *gram) classTicks() []tick {
	var ticks []tick
	for i, start := range g.starts {
		end := g.rows
		if i+1 < len(g.starts) {
			end = g.starts[i+1]
		}
		if end-start < g.rows/30 {
			continue
		}
		text := className(g.ClassNames, g.Labels[g.order[start]])
		ticks = append(ticks, tick{float64(start+end) / 2, shorten(tickInk, text, 70)})
	}
	return ticks
}
