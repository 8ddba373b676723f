package notebook

import (
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"
)

// MaxStream is how many bytes of printed text a Recorder keeps of one cell.
const MaxStream = 8 << 20

// A Recorder turns what a kernel sends into outputs of cells, with the meaning that the
// Jupyter protocol gives the messages: text of the same stream that follows itself is one
// output, an update of a display changes every output with its id, in whichever cell, and
// clear_output with wait clears when the next output comes. The zero value is ready; one
// Recorder serves one run of a notebook.
type Recorder struct {
	cell     *Cell
	clear    bool // before the next output
	streamed int
	text     strings.Builder // of the last output, if that is a stream: it grows piece by piece
	dropping bool
	displays map[string][]*Output
}

// Begin empties the cell's outputs and directs what follows to it.
func (r *Recorder) Begin(c *Cell) {
	c.ClearOutputs()
	r.cell, r.clear, r.streamed, r.dropping = c, false, 0, false
}

// Stream adds text to the stream "stdout" or "stderr".
func (r *Recorder) Stream(name, text string) {
	if r.dropping || text == "" {
		return
	}
	if left := MaxStream - r.streamed; len(text) > left {
		for left > 0 && !utf8.RuneStart(text[left]) {
			left--
		}
		r.dropping = true
		text = text[:left] + fmt.Sprintf("\n[the cell printed more than %d MB; the rest was dropped]\n", MaxStream>>20)
	}
	r.streamed += len(text)
	r.pendingClear()
	if n := len(r.cell.Outputs); n > 0 {
		if last := r.cell.Outputs[n-1]; last.Type == Stream && last.Name == name {
			r.text.WriteString(text)
			last.Text = r.text.String()
			return
		}
	}
	r.text.Reset()
	r.text.WriteString(text)
	r.add(&Output{Type: Stream, Name: name, Text: text})
}

// Display adds a display. The id may be empty.
func (r *Recorder) Display(data, metadata map[string]any, id string) {
	o := &Output{Type: DisplayData, Data: data, Metadata: metadata}
	r.add(o)
	r.remember(id, o)
}

// Update changes all outputs that were displayed with the id. An id nobody has displayed
// changes nothing.
func (r *Recorder) Update(data, metadata map[string]any, id string) {
	for _, o := range r.displays[id] {
		o.Data, o.Metadata = maps.Clone(data), maps.Clone(metadata)
	}
}

// Result adds the value of the cell's last expression.
func (r *Recorder) Result(count int, data, metadata map[string]any) {
	r.add(&Output{Type: ExecuteResult, ExecutionCount: count, Data: data, Metadata: metadata})
}

// Error adds what made the cell fail.
func (r *Recorder) Error(ename, evalue string, traceback []string) {
	r.add(&Output{Type: ErrorOutput, EName: ename, EValue: evalue, Traceback: traceback})
}

// Clear removes the outputs of the cell, now or, with wait, when the next output comes.
func (r *Recorder) Clear(wait bool) {
	r.clear = true
	if !wait {
		r.pendingClear()
	}
}

func (r *Recorder) pendingClear() {
	if r.clear {
		r.cell.Outputs, r.clear = nil, false
	}
}

func (r *Recorder) add(o *Output) {
	r.pendingClear()
	r.cell.Outputs = append(r.cell.Outputs, o)
}

func (r *Recorder) remember(id string, o *Output) {
	if id == "" {
		return
	}
	if r.displays == nil {
		r.displays = map[string][]*Output{}
	}
	r.displays[id] = append(r.displays[id], o)
}
