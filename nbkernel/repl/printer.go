package repl

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"eigenbook/nbkernel/worker"
)

// A printer prints the outputs of cells.
type printer struct {
	out, err  io.Writer
	folder    string // for figures; "" until the first if it is to be a temporary one
	figures   int
	overwrite bool // updates of a line replace it

	open bool   // the last line printed has no end
	live string // id of the display that the last line shows, if an update may replace it
}

// event prints an output.
func (p *printer) event(e worker.Event) {
	switch e.Kind {
	case worker.Stdout:
		p.text(p.out, e.Text)
	case worker.Stderr:
		p.text(p.err, e.Text)
	case worker.Result:
		p.bundle(e.Data, "")
	case worker.Display:
		p.bundle(e.Data, e.DisplayID)
	case worker.UpdateDisplay:
		p.update(e.Data, e.DisplayID)
	case worker.Page:
		p.bundle(e.Data, "")
	case worker.Error:
		p.failure(e.Failure)
	}
}

// text prints what was written as it is.
func (p *printer) text(w io.Writer, text string) {
	if text == "" {
		return
	}
	p.live = ""
	fmt.Fprint(w, text)
	p.open = !strings.HasSuffix(text, "\n")
}

// end ends the line.
func (p *printer) end() {
	if p.open {
		fmt.Fprintln(p.out)
	}
	p.open, p.live = false, ""
}

// bundle prints the text of a value or display and writes its picture to a file.
func (p *printer) bundle(data map[string]any, id string) {
	p.end()
	text, _ := data["text/plain"].(string)
	if text = strings.TrimRight(text, "\n"); text != "" {
		fmt.Fprintln(p.out, text)
	}
	if p.picture(data) || strings.Contains(text, "\n") {
		return
	}
	p.live = id
}

// update prints the new state of a display: over the old one if that is the last line.
func (p *printer) update(data map[string]any, id string) {
	if p.overwrite && id != "" && p.live == id && !p.open {
		const upAndClear = "\x1b[1A\x1b[2K"
		fmt.Fprint(p.out, upAndClear)
	}
	p.bundle(data, id)
}

// picture writes the picture of a bundle to a file and prints its path.
func (p *printer) picture(data map[string]any) bool {
	var content []byte
	ending := ".png"
	if png, ok := data["image/png"].([]byte); ok {
		content = png
	} else if svg, ok := data["image/svg+xml"].(string); ok {
		content, ending = []byte(svg), ".svg"
	} else {
		return false
	}
	path, err := p.write(content, ending)
	if err != nil {
		fmt.Fprintf(p.err, "the figure was not written: %v\n", err)
		return true
	}
	fmt.Fprintln(p.out, path)
	return true
}

func (p *printer) write(content []byte, ending string) (string, error) {
	var err error
	if p.folder == "" {
		p.folder, err = os.MkdirTemp("", "eigenbook-")
	} else {
		err = os.MkdirAll(p.folder, 0o755)
	}
	if err != nil {
		return "", err
	}
	p.figures++
	path := filepath.Join(p.folder, fmt.Sprintf("%03d%s", p.figures, ending))
	return path, os.WriteFile(path, content, 0o644)
}

// failure prints why a cell failed.
func (p *printer) failure(f *worker.Failure) {
	p.end()
	if f == nil {
		return
	}
	lines := f.Traceback
	if len(lines) == 0 {
		lines = []string{f.Name + ": " + f.Value}
	}
	fmt.Fprintln(p.err, strings.TrimRight(strings.Join(lines, "\n"), "\n"))
}
