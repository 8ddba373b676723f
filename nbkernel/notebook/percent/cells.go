package percent

import "strings"

// Cells returns the code cells of a percent file as a session runs them, in order. Each is
// preceded by empty lines and keeps its indentation, so that positions in its source are
// positions in the file.
func Cells(data []byte) ([]string, error) {
	f, err := split(data)
	if err != nil {
		return nil, err
	}
	var cells []string
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
		cells = append(cells, strings.Repeat("\n", c.line-1)+strings.Join(out, "\n"))
	}
	return cells, nil
}
