package display

import (
	"fmt"
	"math"
	"slices"
)

// GridOptions are the options of Grid.
type GridOptions struct {
	Title   string
	Columns int // figures side by side; 0 means all, up to 3
	Width   int // CSS pixels; 0 means 860
}

// Sizes of a grid.
const (
	gridWidth  = 860
	gridGap    = 14
	leastPanel = 270 // height that a panel keeps when it becomes narrower
	maxPanels  = 60
)

// Grid puts figures side by side, row by row, into one figure. They are laid out anew for
// the room they get, with text as large as before.
func Grid(figures []*Figure, opts ...GridOptions) *Figure {
	o, err := only("Grid", opts)
	if err != nil {
		return failed(err)
	}
	if len(figures) == 0 || len(figures) > maxPanels {
		return failed(fmt.Errorf("%w: Grid: %d figures, want 1 to %d", ErrInput, len(figures), maxPanels))
	}
	for i, f := range figures {
		if f == nil {
			return failed(fmt.Errorf("%w: Grid: figure %d of %d is nil", ErrInput, i+1, len(figures)))
		}
		if f.err != nil {
			return failed(fmt.Errorf("display: Grid: figure %d of %d: %w", i+1, len(figures), f.err))
		}
	}
	if o.Columns == 0 {
		o.Columns = min(3, len(figures))
	}
	if o.Width == 0 {
		o.Width = gridWidth
	}
	if o.Columns < 1 || o.Columns > 8 {
		return failed(fmt.Errorf("%w: Grid: Columns is %d, want 0 to 8", ErrInput, o.Columns))
	}
	p := &grid{GridOptions: o, figures: slices.Clone(figures)}
	f := newFigure("Grid", o.Width, int(math.Ceil(p.height(float64(o.Width)))), 0, 0, p.summary(), p.paint)
	f.heightFor = p.height
	return f
}

// Row puts figures side by side into one figure.
func Row(figures ...*Figure) *Figure {
	return Grid(figures, GridOptions{Columns: len(figures)})
}

// grid is what the figure draws.
type grid struct {
	GridOptions
	figures []*Figure
}

// summary is the text of all figures.
func (g *grid) summary() string {
	text := g.Title
	for _, f := range g.figures {
		text = join("\n", text, f.summary)
	}
	return text
}

// cellWidth returns the width of one panel in a grid of some width.
func (g *grid) cellWidth(width float64) float64 {
	return (width - gridGap*float64(g.Columns-1)) / float64(g.Columns)
}

// rowHeight returns the height of the row that starts with figure i.
func (g *grid) rowHeight(i int, cell float64) float64 {
	high := 0.0
	for _, f := range g.figures[i:min(len(g.figures), i+g.Columns)] {
		high = math.Max(high, f.heightAt(cell))
	}
	return high
}

// height returns the height of a grid of some width.
func (g *grid) height(width float64) float64 {
	total := 0.0
	if g.Title != "" {
		total = float64(len(wrap(titleInk, g.Title, width-16)))*titleInk.size*1.3 + 10
	}
	for i := 0; i < len(g.figures); i += g.Columns {
		total += g.rowHeight(i, g.cellWidth(width))
		if i > 0 {
			total += gridGap / 2
		}
	}
	return total
}

// heightAt returns the height that suits the figure at a width.
func (f *Figure) heightAt(width float64) float64 {
	if f.heightFor != nil {
		return f.heightFor(width)
	}
	return math.Max(math.Min(f.height, leastPanel), f.height*width/f.width)
}

// paint draws the panels.
func (g *grid) paint(s *surface, r rect) {
	cell := g.cellWidth(r.w())
	y := r.y0
	if g.Title != "" {
		y = s.paragraph(titleInk, rect{r.x0 + 8, r.y0 + 8, r.x1 - 8, r.y1}, g.Title) + 2
	}
	for i, f := range g.figures {
		column := i % g.Columns
		x := r.x0 + float64(column)*(cell+gridGap)
		high := g.rowHeight(i-column, cell)
		f.paint(s, rect{x, y, x + cell, y + high})
		if column == g.Columns-1 {
			y += high + gridGap/2
		}
	}
}
