package display

// GridOptions are the options of Grid.
type GridOptions struct {
	Title   string
	Columns int // figures side by side; 0 means all, up to 3
	Width   int // CSS pixels; 0 means 860
}

// Grid puts figures side by side, row by row, into one figure.
func Grid(figures []*Figure, opts ...GridOptions) *Figure {
	o, err := only("Grid", opts)
	if err != nil {
		return failed(err)
	}
	return newFigure("Grid", o.Width, 0, 860, 300, "Grid", blank)
}

// Row puts figures side by side into one figure.
func Row(figures ...*Figure) *Figure {
	return Grid(figures, GridOptions{Columns: len(figures)})
}
