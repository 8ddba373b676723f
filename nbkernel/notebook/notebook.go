// Package notebook reads, changes and writes Jupyter notebooks (.ipynb), the format
// nbformat 4.
//
// A file that Jupyter wrote comes back byte for byte: keys sorted, one space of
// indentation, text split into lists of lines, nothing escaped that JSON does not ask for,
// one newline at the end. Fields this package does not know (of cells, outputs and the
// notebook itself) are kept, as are numbers in the digits they were written with.
//
// Reading wants a document of major version 4 and checks what other code relies on: cell
// and output types, and that text is text. An error names the file and the place, a line
// and column for broken JSON, a cell and field for the rest. Writing replaces a file in one
// step, so a reader never meets half a notebook.
//
// A Recorder turns what a kernel sends while a cell runs into the cell's outputs. The HTML
// report of a notebook is package notebook/report.
package notebook

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// Errors that Read and Write wrap.
var (
	ErrSyntax      = errors.New("not a notebook")       // broken JSON, or the wrong type somewhere
	ErrUnsupported = errors.New("unsupported nbformat") // a major version other than 4
	ErrTooLarge    = errors.New("notebook too large")
)

// MaxSize is the size in bytes of the largest notebook that is read.
const MaxSize = 512 << 20

// The types of cells.
const (
	Code     = "code"
	Markdown = "markdown"
	Raw      = "raw"
)

// The types of outputs.
const (
	Stream        = "stream"
	DisplayData   = "display_data"
	ExecuteResult = "execute_result"
	ErrorOutput   = "error"
)

// A Notebook is one document. Values of type map[string]any hold what JSON can hold, with
// numbers as json.Number.
type Notebook struct {
	Cells    []*Cell
	Metadata map[string]any
	Minor    int // nbformat_minor; cells have ids from 5 on

	extra map[string]any // unknown fields
}

// A Cell is one cell of a notebook.
type Cell struct {
	Type           string // Code, Markdown or Raw; other types are kept
	ID             string // "" below nbformat 4.5
	Source         string
	Metadata       map[string]any
	Attachments    map[string]any // name → MIME type → data
	ExecutionCount int            // 0 if the cell was not run
	Outputs        []*Output      // of a code cell

	extra map[string]any
}

// An Output is one output of a code cell. Which fields count depends on Type.
type Output struct {
	Type           string         // Stream, DisplayData, ExecuteResult or ErrorOutput
	Name, Text     string         // Stream: "stdout" or "stderr", and what was written
	Data           map[string]any // DisplayData, ExecuteResult: MIME type → data
	Metadata       map[string]any // DisplayData, ExecuteResult
	ExecutionCount int            // ExecuteResult; 0 is null
	EName, EValue  string         // ErrorOutput
	Traceback      []string       // ErrorOutput

	extra map[string]any
}

// New returns an empty notebook of nbformat 4.5.
func New() *Notebook {
	return &Notebook{Metadata: map[string]any{}, Minor: 5}
}

// Append adds a cell of the given type and returns it.
func (nb *Notebook) Append(cellType, source string) *Cell {
	c := &Cell{Type: cellType, Source: source, Metadata: map[string]any{}}
	nb.Cells = append(nb.Cells, c)
	return c
}

// Tags returns the tags of the cell, from its metadata.
func (c *Cell) Tags() []string {
	list, _ := c.Metadata["tags"].([]any)
	var tags []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			tags = append(tags, s)
		}
	}
	return tags
}

// HasTag reports whether the cell has the tag.
func (c *Cell) HasTag(tag string) bool {
	for _, t := range c.Tags() {
		if t == tag {
			return true
		}
	}
	return false
}

// ClearOutputs removes the outputs and the execution count of a code cell.
func (c *Cell) ClearOutputs() {
	c.Outputs, c.ExecutionCount = nil, 0
}

// KernelSpec returns the kernel the notebook was written for, "" where it does not say.
func (nb *Notebook) KernelSpec() (name, displayName, language string) {
	spec, _ := nb.Metadata["kernelspec"].(map[string]any)
	text := func(key string) string { s, _ := spec[key].(string); return s }
	return text("name"), text("display_name"), text("language")
}

// SetKernelSpec writes the kernel into the metadata, keeping unknown fields.
func (nb *Notebook) SetKernelSpec(name, displayName, language string) {
	spec, ok := nb.Metadata["kernelspec"].(map[string]any)
	if !ok {
		spec = map[string]any{}
		nb.setMetadata("kernelspec", spec)
	}
	spec["name"], spec["display_name"], spec["language"] = name, displayName, language
}

// SetLanguageInfo writes what a kernel said about its language into the metadata.
func (nb *Notebook) SetLanguageInfo(info map[string]any) {
	nb.setMetadata("language_info", info)
}

func (nb *Notebook) setMetadata(key string, value any) {
	if nb.Metadata == nil {
		nb.Metadata = map[string]any{}
	}
	nb.Metadata[key] = value
}

// completeIDs gives every cell an id of its own if the format wants ids: of several cells with
// one id the first keeps it. An id is made from the cell's place and source, so that equal
// notebooks get equal ids.
func (nb *Notebook) completeIDs() {
	if nb.Minor < 5 {
		return
	}
	used := map[string]bool{}
	for _, c := range nb.Cells {
		if used[c.ID] {
			c.ID = ""
		}
		used[c.ID] = true
	}
	for i, c := range nb.Cells {
		for try := 0; c.ID == ""; try++ {
			sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", i, try, c.Source))
			if id := hex.EncodeToString(sum[:4]); !used[id] {
				c.ID, used[id] = id, true
			}
		}
	}
}
