package percent

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"eigenbook/nbkernel/notebook"
)

// Write returns the notebook as a percent file, without outputs and execution counts. It does
// not change nb.
func Write(nb *notebook.Notebook) ([]byte, error) {
	w, err := newWriter(nb)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	preamble, err := w.writtenPreamble()
	if err != nil {
		return nil, err
	}
	b.WriteString(preamble)
	for i := range w.cells {
		text, err := w.written(i)
		if err != nil {
			return nil, fmt.Errorf("cell %d: %w", i+1, err)
		}
		b.WriteString(text)
	}
	return []byte(b.String()), nil
}

// A writer holds a notebook as JSON fields.
type writer struct {
	doc    fields
	cells  []fields
	hidden []bool // ids that need not be written
	below  []bool // by cell: declarations other than imports stand above it
	memory []any  // the preamble and the cells as they were read, nil where not remembered
}

func newWriter(nb *notebook.Notebook) (*writer, error) {
	doc, cells, err := document(nb)
	if err != nil {
		return nil, err
	}
	w := &writer{doc: doc, cells: cells, hidden: make([]bool, len(cells)), below: make([]bool, len(cells)+1)}
	w.memory = append(w.memory, forget(doc))
	for _, c := range cells {
		w.memory = append(w.memory, forget(c))
	}
	return w, w.hideIDs()
}

// forget takes what is remembered out of the metadata.
func forget(f fields) any {
	metadata, _ := f["metadata"].(fields)
	text := metadata[asWritten]
	delete(metadata, asWritten)
	return text
}

// hideIDs finds the ids that Read will give again. They are the ones made from place and
// source, if all of them are.
func (w *writer) hideIDs() error {
	without := make([]fields, len(w.cells))
	for i, c := range w.cells {
		without[i] = maps.Clone(c)
		delete(without[i], "id")
	}
	made, err := assemble(w.doc, without)
	if err != nil {
		return err
	}
	for i, c := range made.Cells {
		if w.hidden[i] = w.cells[i]["id"] == c.ID; !w.hidden[i] {
			without[i]["id"] = w.cells[i]["id"]
			if w.cells[i]["id"] == nil {
				delete(without[i], "id")
			}
		}
	}
	again, err := assemble(w.doc, without)
	if err != nil {
		return err
	}
	for i, c := range again.Cells {
		if id, _ := w.cells[i]["id"].(string); id != c.ID {
			clear(w.hidden)
			return nil
		}
	}
	return nil
}

// preamble returns what stands above the first cell.
func (w *writer) preamble() string {
	text := "//go:build ignore\n\n"
	if !reflect.DeepEqual(w.doc, defaults()) {
		// What was decoded from JSON can be encoded.
		line, _ := compact(w.doc)
		text += notebookFields + line + "\n\n"
	}
	text += "package main\n"
	if len(w.cells) > 0 {
		text += "\n"
	}
	return text
}

// writtenPreamble returns the preamble as it was read if that still says the same.
func (w *writer) writtenPreamble() (string, error) {
	text, ok := w.memory[0].(string)
	if !ok {
		return w.preamble(), nil
	}
	doc, err := readPreamble(text)
	if err != nil {
		return w.preamble(), nil
	}
	if read, err := assemble(doc, nil); err != nil {
		return w.preamble(), nil
	} else if doc, _, err = document(read); err != nil || !reflect.DeepEqual(doc, w.doc) {
		return w.preamble(), nil
	}
	// It must be a preamble in this file too.
	file := text
	if len(w.cells) > 0 {
		first, err := w.written(0)
		if err != nil {
			return "", err
		}
		file += first
	}
	if f, err := split([]byte(file)); err != nil || f.preamble != text || len(f.chunks) != min(1, len(w.cells)) {
		return w.preamble(), nil
	}
	return text, nil
}

// written returns the text of cell i as it was read if that is still the cell.
func (w *writer) written(i int) (string, error) {
	canonical, err := w.canonical(i)
	text, ok := w.memory[i+1].(string)
	if err != nil || !ok || !w.stillReads(i, text) {
		return canonical, err
	}
	return text, nil
}

// stillReads reports whether text at the place of cell i is that cell.
func (w *writer) stillReads(i int, text string) bool {
	if !strings.HasSuffix(text, "\n") && i < len(w.cells)-1 {
		return false
	}
	first, _, _ := strings.Cut(text, "\n")
	if i > 0 && !isMarker(first) {
		return false
	}
	f, err := split([]byte("package main\n" + text))
	if err != nil || len(f.chunks) != 1 || f.chunks[0].text != text {
		return false
	}
	read, err := readChunk(f.chunks[0])
	if err != nil {
		return false
	}
	if _, ok := read["id"]; !ok && w.hidden[i] {
		read["id"] = w.cells[i]["id"]
	}
	nb, err := assemble(w.doc, []fields{read})
	if err != nil {
		return false
	}
	_, cells, err := document(nb)
	return err == nil && reflect.DeepEqual(cells[0], w.cells[i])
}

// canonical returns the text of cell i.
func (w *writer) canonical(i int) (string, error) {
	cell := w.cells[i]
	source, _ := cell["source"].(string)
	head, rest := w.marker(i)
	w.below[i+1] = w.below[i]
	var body string
	if cell["cell_type"] == notebook.Code {
		body = code(source, w.below[i])
		w.below[i+1] = w.below[i] || declares(body)
	} else {
		body = prose(source)
	}
	text := head + "\n"
	if body != "" {
		text += "\n" + body + "\n"
	}
	if len(rest) > 0 {
		line, err := compact(rest)
		if err != nil {
			return "", err
		}
		text += "\n" + cellFields + line + "\n"
	}
	if i < len(w.cells)-1 {
		text += "\n"
	}
	return text, nil
}

var (
	plainTitle = regexp.MustCompile(`^[^\s=\[]+( [^\s=\[]+)*$`)
	plainKey   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
	plainType  = regexp.MustCompile(`^[a-z_]+$`)
)

// marker returns the marker of cell i and the fields that it cannot hold.
func (w *writer) marker(i int) (string, fields) {
	cell := w.cells[i]
	rest, other := fields{}, fields{}
	metadata, _ := cell["metadata"].(fields)
	metadata = maps.Clone(metadata)
	head := "// %%"
	if title, ok := metadata["title"].(string); ok && plainTitle.MatchString(title) && isPlain(title) {
		head += " " + title
		delete(metadata, "title")
	}
	kind, _ := cell["cell_type"].(string)
	if kind != notebook.Code && plainType.MatchString(kind) && kind != "md" {
		head += " [" + kind + "]"
	} else if kind != notebook.Code {
		rest["cell_type"] = kind
	}
	for key, v := range cell {
		if !slices.Contains([]string{"cell_type", "id", "metadata", "source"}, key) {
			rest[key] = v
		}
	}
	if id, ok := cell["id"].(string); ok && !w.hidden[i] {
		line, _ := compact(id)
		head += " id=" + line
	}
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		if !plainKey.MatchString(key) || key == "id" {
			other[key] = metadata[key]
			continue
		}
		line, _ := compact(metadata[key])
		head += " " + key + "=" + line
	}
	if len(other) > 0 {
		rest["metadata"] = other
	}
	return head, rest
}

// prose returns the text of a cell that is not code as comments.
func prose(source string) string {
	if source == "" {
		return ""
	}
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		switch commented := "// " + line; {
		case line == "" && i > 0 && i < len(lines)-1:
			lines[i] = "//"
		case !isPlain(line) || line == "" || marker.MatchString(commented):
			lines[i] = escaped(line)
		default:
			lines[i] = commented
		}
	}
	return strings.Join(lines, "\n")
}

// isPlain reports whether a line stays what it is in a Go comment that gofmt has formatted.
func isPlain(line string) bool {
	for _, r := range line {
		if r != '\t' && !unicode.IsPrint(r) && !unicode.IsSpace(r) && r < unicode.MaxLatin1 || strings.ContainsRune("\r\v\f\u0085\ufeff", r) {
			return false
		}
	}
	return strings.TrimRightFunc(line, unicode.IsSpace) == line
}

// escaped returns a comment that keeps the line.
func escaped(line string) string {
	if isPlain(line) && !strings.HasPrefix(line, `"`) && !strings.HasSuffix(line, join) {
		return escape + line
	}
	return escape + strconv.Quote(line)
}
