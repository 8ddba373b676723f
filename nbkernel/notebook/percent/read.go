package percent

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"eigenbook/nbkernel/notebook"
)

// Read returns the notebook in a percent file. Every Go file is one: without markers it is a
// notebook of one cell. A file that does not say for which kernel it is, is for eigenbook's.
func Read(data []byte) (*notebook.Notebook, error) {
	f, err := split(data)
	if err != nil {
		return nil, err
	}
	doc, err := readPreamble(f.preamble)
	if err != nil {
		return nil, err
	}
	cells := make([]fields, len(f.chunks))
	for i, c := range f.chunks {
		if cells[i], err = readChunk(c); err != nil {
			return nil, err
		}
	}
	nb, err := assemble(doc, cells)
	if err != nil {
		return nil, err
	}
	return nb, remember(nb, f)
}

// assemble makes a notebook of its fields.
func assemble(doc fields, cells []fields) (*notebook.Notebook, error) {
	doc = maps.Clone(doc)
	doc["nbformat"] = 4
	list := make([]any, len(cells))
	for i, c := range cells {
		list[i] = c
	}
	doc["cells"] = list
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	nb, err := notebook.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	// Writing once gives the cells their ids.
	if _, err := nb.Bytes(); err != nil {
		return nil, err
	}
	return nb, nil
}

// remember keeps in the metadata what Write would write in another way.
func remember(nb *notebook.Notebook, f file) error {
	w, err := newWriter(nb)
	if err != nil {
		return err
	}
	if f.preamble != w.preamble() {
		nb.Metadata[asWritten] = f.preamble
	}
	for i, c := range f.chunks {
		text, err := w.canonical(i)
		if err != nil {
			return err
		}
		if text != c.text {
			nb.Cells[i].Metadata[asWritten] = c.text
		}
	}
	return nil
}

// defaults are the fields of a notebook that says nothing about itself.
func defaults() fields {
	return fields{
		"nbformat_minor": json.Number("5"),
		"metadata": fields{"kernelspec": fields{
			"name": "eigenbook", "display_name": "Go (Eigenbook)", "language": "go",
		}},
	}
}

func readPreamble(text string) (fields, error) {
	for i, line := range strings.Split(text, "\n") {
		rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r"), notebookFields)
		if !ok {
			continue
		}
		f, err := object(rest)
		if err == nil && (f["cells"] != nil || f["nbformat"] != nil) {
			err = errors.New("cells and nbformat have no place here")
		}
		if err != nil {
			return nil, fmt.Errorf("%w: line %d, column %d: %w", ErrSyntax, i+1, len(notebookFields)+1, err)
		}
		forget(f)
		return f, nil
	}
	return defaults(), nil
}

// readChunk returns the fields of a cell.
func readChunk(c chunk) (fields, error) {
	cell := fields{"cell_type": notebook.Code, "metadata": fields{}}
	lines := strings.Split(strings.TrimSuffix(c.text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], "\r")
	}
	at := c.line
	if marker.MatchString(lines[0]) {
		if err := readMarker(cell, lines[0], at); err != nil {
			return nil, err
		}
		lines, at = lines[1:], at+1
	}
	lines = trimEnd(lines)
	if n := len(lines); n > 0 && strings.HasPrefix(lines[n-1], cellFields) {
		if err := readFields(cell, lines[n-1], at+n-1); err != nil {
			return nil, err
		}
		lines = trimEnd(lines[:n-1])
	}
	forget(cell)
	for len(lines) > 0 && isBlank(lines[0]) {
		lines, at = lines[1:], at+1
	}
	read := readText
	if cell["cell_type"] == notebook.Code {
		read = readCode
	}
	source, err := read(lines, at)
	if err != nil {
		return nil, err
	}
	cell["source"] = source
	return cell, nil
}

// trimEnd drops blank lines at the end.
func trimEnd(lines []string) []string {
	for len(lines) > 0 && isBlank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// readFields puts the fields of a //nbkernel:cell line into the cell.
func readFields(cell fields, line string, at int) error {
	more, err := object(strings.TrimPrefix(line, cellFields))
	if err != nil {
		return fmt.Errorf("%w: line %d, column %d: %w", ErrSyntax, at, len(cellFields)+1, err)
	}
	for key, v := range more {
		inner, isObject := v.(fields)
		switch {
		case key == "metadata" && isObject:
			maps.Copy(cell["metadata"].(fields), inner)
		case key == "metadata" || key == "source" || key == "outputs" || key == "execution_count":
			return fmt.Errorf("%w: line %d: the field %s has no place here", ErrSyntax, at, key)
		default:
			cell[key] = v
		}
	}
	return nil
}

var (
	cellType = regexp.MustCompile(`^\[([a-z_]+)\]$`)
	keyValue = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.-]*)=`)
)

// readMarker puts what a marker says into the cell.
func readMarker(cell fields, line string, at int) error {
	metadata := cell["metadata"].(fields)
	var title []string
	typed := false
	rest := line[strings.Index(line, "%%")+2:]
	for {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" {
			break
		}
		column := utf8.RuneCountInString(line[:len(line)-len(rest)]) + 1
		word := rest
		if i := strings.IndexAny(rest, " \t"); i >= 0 {
			word = rest[:i]
		}
		if m := keyValue.FindStringSubmatch(rest); m != nil {
			key := m[1]
			d := json.NewDecoder(strings.NewReader(rest[len(m[0]):]))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				return fmt.Errorf("%w: line %d, column %d: %s= wants a JSON value: %v", ErrSyntax, at, column, key, err)
			}
			rest = rest[len(m[0])+int(d.InputOffset()):]
			into := metadata
			if key == "id" {
				into = cell
			}
			if _, twice := into[key]; twice {
				return fmt.Errorf("%w: line %d, column %d: %s stands there twice", ErrSyntax, at, column, key)
			}
			into[key] = v
			continue
		}
		rest = rest[len(word):]
		if m := cellType.FindStringSubmatch(word); m != nil && !typed {
			typed = true
			cell["cell_type"] = m[1]
			if m[1] == "md" {
				cell["cell_type"] = notebook.Markdown
			}
			continue
		}
		title = append(title, word)
	}
	if len(title) > 0 {
		if _, twice := metadata["title"]; twice {
			return fmt.Errorf("%w: line %d: there is a title before the type and one as title=", ErrSyntax, at)
		}
		metadata["title"] = strings.Join(title, " ")
	}
	return nil
}

// readText takes the comment marks off the lines of a cell that is not code.
func readText(lines []string, at int) (string, error) {
	out := make([]string, len(lines))
	for i, line := range lines {
		text, ok := strings.CutPrefix(line, "//")
		switch {
		case strings.HasPrefix(line, escape):
			var err error
			if text, err = unescape(line, at+i); err != nil {
				return "", err
			}
		case isBlank(line):
			text = ""
		case !ok:
			return "", fmt.Errorf("%w: line %d, column 1: %.40q is no comment, as the text of a cell that is not code must be",
				ErrSyntax, at+i, line)
		default:
			text = strings.TrimPrefix(text, " ")
		}
		out[i] = text
	}
	return strings.Join(out, "\n"), nil
}

// readCode returns the source of a code cell.
func readCode(lines []string, at int) (string, error) {
	out, kept, err := unwrap(lines, at, true)
	if err != nil {
		return "", err
	}
	source := []string{}
	for i, line := range out {
		if kept[i] {
			source = append(source, line)
		}
	}
	return strings.Join(source, "\n"), nil
}

// unwrap takes statements out of their functions and escaped lines out of their comments. It
// returns as many lines as it got, of which those that are kept belong to the cell. With
// dedent statements lose their tab.
func unwrap(lines []string, at int, dedent bool) (out []string, kept []bool, err error) {
	within := inside(lines)
	out, kept = make([]string, len(lines)), make([]bool, len(lines))
	lastShut := -1
	for i, line := range lines {
		if !within[i] && (line == shut || line == shut+join) {
			lastShut = i
		}
	}
	wrapped, joins := false, false
	for i, line := range lines {
		if joins && isBlank(line) {
			joins = false
			continue
		}
		joins = false
		isOpen := line == open || line == open+join
		isShut := line == shut || line == shut+join
		switch {
		case !wrapped && !within[i] && isOpen && i < lastShut:
			wrapped = true
			if line != open && i > 0 && isBlank(lines[i-1]) {
				kept[i-1] = false
			}
			continue
		case wrapped && !within[i] && isShut:
			wrapped, joins = false, line != shut
			continue
		}
		kept[i] = true
		bare := line
		if wrapped && !within[i] {
			bare = strings.TrimPrefix(line, "\t")
		}
		switch {
		case strings.HasPrefix(bare, escape):
			bare, joins = strings.CutSuffix(bare, join)
			if out[i], err = unescape(bare, at+i); err != nil {
				return nil, nil, err
			}
		case dedent:
			out[i] = bare
		default:
			out[i] = line
		}
	}
	return out, kept, nil
}

// inside reports for each line whether it begins inside a raw string or a comment.
func inside(lines []string) []bool {
	within := make([]bool, len(lines)+1)
	scan([]byte(strings.Join(lines, "\n")), func(t goToken) {
		for l := t.line + 1; l <= t.line+strings.Count(t.text, "\n") && t.text != "\n"; l++ {
			within[l] = true
		}
	})
	return within[:len(lines)]
}

// A goToken is a token of Go with the number of its line, from 0.
type goToken struct {
	tok  token.Token
	text string
	line int
}

// scan calls yield with the tokens of source, comments among them. What is no Go is skipped.
func scan(source []byte, yield func(goToken)) {
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(f, source, func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return
		}
		yield(goToken{tok, text, f.PositionFor(pos, false).Line - 1})
	}
}

// unescape returns the line behind //gonb:.
func unescape(line string, at int) (string, error) {
	text := strings.TrimPrefix(line, escape)
	if !strings.HasPrefix(text, `"`) {
		return text, nil
	}
	s, err := strconv.Unquote(strings.TrimRight(text, " \t"))
	switch {
	case err != nil:
		return "", fmt.Errorf("%w: line %d, column %d: %.40s is not a Go string in double quotes", ErrSyntax, at, len(escape)+1, text)
	case !utf8.ValidString(s):
		return "", fmt.Errorf("%w: line %d, column %d: %.40s is not UTF-8", ErrSyntax, at, len(escape)+1, text)
	case strings.Contains(s, "\n"):
		return "", fmt.Errorf("%w: line %d, column %d: %.40s is more than one line", ErrSyntax, at, len(escape)+1, text)
	}
	return s, nil
}
