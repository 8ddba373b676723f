package percent

import "strings"

// A Cell is a code cell as a session runs it. Its text keeps the indentation it has in the
// file.
type Cell struct {
	Line int // of the first line of Text in the file, from 1
	Text string
}

// Placed returns the text below so many empty lines that its positions are those in the file.
func (c Cell) Placed() string { return strings.Repeat("\n", c.Line-1) + c.Text }

// Cells returns the code cells of a percent file in order.
func Cells(data []byte) ([]Cell, error) {
	f, err := split(data)
	if err != nil {
		return nil, err
	}
	var cells []Cell
	for _, c := range f.chunks {
		read, err := readChunk(c)
		if err != nil {
			return nil, err
		}
		if read["cell_type"] != "code" {
			continue
		}
		lines := strings.Split(c.text, "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], "\r")
		}
		if marker.MatchString(lines[0]) {
			lines[0] = ""
		}
		out, _, err := unwrap(lines, c.line, false)
		if err != nil {
			return nil, err
		}
		cells = append(cells, Cell{c.line, strings.Join(out, "\n")})
	}
	return cells, nil
}
