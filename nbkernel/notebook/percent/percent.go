// Package percent keeps a notebook as a Go file in the percent format: every cell below a
// comment "// %%", as jupytext, VS Code and other editors know it.
//
//	//go:build ignore
//
//	package main
//
//	// %% [markdown]
//
//	// # Spectra
//	// A paragraph.
//
//	// %% tags=["parameters"]
//
//	import "fmt"
//
//	func square(x float64) float64 { return x * x }
//
//	// %% A title
//
//	func _() {
//		//gonb:%time
//		fmt.Println(square(3))
//	}
//
// A marker is a line
//
//	// %% TITLE [TYPE] KEY=JSON …
//
// of which all but the %% may be missing. TYPE is markdown or raw (md is short for markdown);
// a code cell has none. The title is the cell's metadata field "title", id is the cell's id,
// and the other keys are metadata. An id that nbkernel would give the cell anyway is not
// written. Blank lines between a marker and its text, and between the text and the next
// marker, do not count.
//
// Text of a cell that is not code stands in line comments. Code is written so that the whole
// file is Go that gofmt accepts:
//
//   - declarations stand as they are;
//   - statements stand in func _() { … }, indented by a tab, which is no part of the cell;
//     where //gonb:join stands behind the opening or closing brace, the blank line on its outer
//     side is no part of the cell either;
//   - a line behind //gonb: belongs to the cell but is no Go, or none at this place: magics,
//     imports below other declarations, lines that look like markers, cells in another
//     language. If what follows is in double quotes it is a Go string literal, which is how a
//     line that ends in blanks is kept. After //gonb:join at its end, the blank line below is
//     no part of the cell.
//
// Running gofmt changes a cell only where it would change the cell's own code. Statements may
// also stand bare below a marker; the file is then no Go for other tools, but it is the same
// notebook.
//
// What else a notebook has is kept too: //nbkernel:notebook above the package clause holds
// its metadata, //nbkernel:cell at the end of a cell its attachments and unknown fields, as
// JSON. Outputs and execution counts are not kept. Apart from them Read(Write(nb)) is nb, and
// Write(Read(file)) is file to the byte: what is written by hand in another way than here is
// remembered in metadata fields named nbkernel_percent, and forgotten when the cell changes.
package percent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"eigenbook/nbkernel/notebook"
)

// ErrSyntax is what errors of Read and Cells wrap; they name line and column.
var ErrSyntax = errors.New("not a percent file")

// Lines with a meaning.
const (
	escape         = "//gonb:"
	notebookFields = "//nbkernel:notebook "
	cellFields     = "//nbkernel:cell "
	open           = "func _() {"
	shut           = "}"
	join           = " //gonb:join"
)

// asWritten is the metadata field with the text of a preamble or cell that Write would write
// in another way.
const asWritten = "nbkernel_percent"

var (
	marker        = regexp.MustCompile(`^// ?%%($|[ \t])`)
	packageClause = regexp.MustCompile(`^package[ \t]+[\pL_][\pL\pN_]*[ \t]*(//.*)?$`)
)

// Is reports whether a file is in the percent format: whether it has a marker.
func Is(data []byte) bool {
	for line := range bytes.Lines(data) {
		if marker.Match(bytes.TrimRight(line, "\r\n")) {
			return true
		}
	}
	return false
}

// A file is a percent file taken apart; the parts joined are the file.
type file struct {
	preamble string
	chunks   []chunk
}

// A chunk is a cell with its marker.
type chunk struct {
	text string
	line int // of its first line in the file, from 1
}

// split takes a file apart. Code above the first marker is a cell without a marker.
func split(data []byte) (file, error) {
	for i, line := 0, 1; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 || r == 0 {
			column := utf8.RuneCount(data[bytes.LastIndexByte(data[:i], '\n')+1:i]) + 1
			return file{}, fmt.Errorf("%w: line %d, column %d: byte %#x is not text", ErrSyntax, line, column, data[i])
		}
		if r == '\n' {
			line++
		}
		i += size
	}
	lines := strings.SplitAfter(string(data), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	start := preambleEnd(lines)
	for start < len(lines) && isBlank(lines[start]) {
		start++
	}
	f := file{preamble: strings.Join(lines[:start], "")}
	for i := start; i < len(lines); {
		end := i + 1
		for end < len(lines) && !isMarker(lines[end]) {
			end++
		}
		f.chunks = append(f.chunks, chunk{strings.Join(lines[i:end], ""), i + 1})
		i = end
	}
	return f, nil
}

// preambleEnd returns how many lines stand before the first cell: all up to the package
// clause; without one, comments above the first marker, such as jupytext's header, or those
// that are for tools.
func preambleEnd(lines []string) int {
	tools := 0
	for i, line := range lines {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case packageClause.MatchString(line):
			return i + 1
		case strings.HasPrefix(line, "//go:build ") || strings.HasPrefix(line, notebookFields):
			tools = i + 1
		case marker.MatchString(line):
			return i
		case !strings.HasPrefix(line, "//") && !isBlank(line):
			return tools
		}
	}
	return tools
}

func isMarker(line string) bool { return marker.MatchString(strings.TrimRight(line, "\r\n")) }

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// fields are the JSON fields of a notebook or a cell, as nbformat names them.
type fields = map[string]any

// object reads one JSON object, which must be all of text.
func object(text string) (fields, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var f fields
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("want a JSON object: %v", err)
	}
	if f == nil || strings.TrimSpace(text[d.InputOffset():]) != "" {
		return nil, errors.New("want one JSON object and nothing else")
	}
	return f, nil
}

// compact writes a JSON value in one line that may stand in a Go comment.
func compact(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\ufeff", `\ufeff`), nil
}

// document returns the notebook as JSON fields, its cells apart, without what a percent file
// does not keep.
func document(nb *notebook.Notebook) (fields, []fields, error) {
	bare := *nb
	bare.Cells = slices.Clone(nb.Cells)
	for i, c := range bare.Cells {
		cell := *c
		cell.ClearOutputs()
		bare.Cells[i] = &cell
	}
	data, err := bare.Bytes()
	if err != nil {
		return nil, nil, err
	}
	doc, err := object(string(data))
	if err != nil {
		return nil, nil, err
	}
	list, _ := doc["cells"].([]any)
	cells := make([]fields, len(list))
	for i, v := range list {
		cells[i], _ = v.(fields)
		delete(cells[i], "outputs")
		delete(cells[i], "execution_count")
		cells[i]["source"] = bare.Cells[i].Source
	}
	delete(doc, "cells")
	delete(doc, "nbformat")
	return doc, cells, nil
}
