package client

import (
	"regexp"
	"strings"

	"eigenbook/nbkernel/wire"
)

// A collector keeps the outputs of a cell as a notebook does: consecutive texts of one stream
// become one output, an update replaces what has its display ID, and a cell that clears its
// outputs has only those that follow.
type collector struct {
	outputs []Output
	text    strings.Builder // of the last output, if that is a stream: it grows piece by piece
}

func (c *collector) add(o Output) {
	if n := len(c.outputs); n > 0 && c.outputs[n-1].Type == ClearOutput && o.Type != UpdateDisplay {
		c.outputs = c.outputs[:0] // one that waited for this output
	}
	n := len(c.outputs)
	switch o.Type {
	case Stream:
		if n > 0 && c.outputs[n-1].Type == Stream && c.outputs[n-1].Name == o.Name {
			c.text.WriteString(o.Text)
			c.outputs[n-1].Text = c.text.String()
			return
		}
		c.text.Reset()
		c.text.WriteString(o.Text)
	case UpdateDisplay:
		for i := range c.outputs {
			if c.outputs[i].Type == DisplayData && c.outputs[i].DisplayID == o.DisplayID {
				c.outputs[i].Data, c.outputs[i].Metadata = o.Data, o.Metadata
			}
		}
		return
	case ClearOutput:
		if !o.Wait {
			c.outputs = c.outputs[:0]
			return
		}
	}
	c.outputs = append(c.outputs, o)
}

// all returns the outputs without the trace of a clear_output that nothing followed.
func (c *collector) all() []Output {
	if n := len(c.outputs); n > 0 && c.outputs[n-1].Type == ClearOutput {
		return c.outputs[:n-1]
	}
	return c.outputs
}

// decodeOutput turns a message of the iopub channel into an Output. It returns false for
// messages that are none.
func decodeOutput(m *wire.Message) (o Output, ok bool, err error) {
	switch o.Type = m.Type(); o.Type {
	case Stream:
		var c wire.Stream
		err = m.Read(&c)
		o.Name, o.Text = c.Name, c.Text
	case DisplayData, UpdateDisplay:
		var c wire.DisplayData
		err = m.Read(&c)
		o.Data, o.Metadata, o.DisplayID = c.Data, c.Metadata, c.Transient.DisplayID
	case ExecuteResult:
		var c wire.ExecuteResult
		err = m.Read(&c)
		o.Data, o.Metadata, o.Count = c.Data, c.Metadata, c.ExecutionCount
	case Error:
		var c wire.Failure
		err = m.Read(&c)
		o.EName, o.EValue, o.Traceback = c.EName, c.EValue, c.Traceback
	case ClearOutput:
		var c wire.ClearOutput
		err = m.Read(&c)
		o.Wait = c.Wait
	default:
		return Output{}, false, nil
	}
	return o, err == nil, err
}

var (
	exitLine  = regexp.MustCompile(`^(exit status [1-9][0-9]*|signal: .*)$`)
	panicLine = regexp.MustCompile(`(?m)^(panic: .*|fatal error: .*)$`)
)

// gonbFailure finds out from a cell's stderr whether its program failed under GoNB, which
// answers ok all the same: then the text ends with how the process ended.
func gonbFailure(stderr string) (f wire.Failure, failed bool) {
	text := strings.TrimRight(stderr, " \t\r\n")
	last := strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	panics := panicLine.FindStringIndex(text)
	switch {
	case panics != nil && (exitLine.MatchString(last) || strings.Contains(text[panics[1]:], "\ngoroutine ")):
		f.EName, f.EValue, _ = strings.Cut(text[panics[0]:panics[1]], ": ")
		f.Traceback = strings.Split(text[panics[0]:], "\n")
	case panics != nil && strings.TrimSpace(text[panics[0]:panics[1]]) == last:
		f.EName, f.EValue, _ = strings.Cut(last, ": ")
		f.Traceback = []string{last}
	case exitLine.MatchString(last):
		f.EName, f.EValue = "exit", last
		f.Traceback = strings.Split(text, "\n")
	default:
		return wire.Failure{}, false
	}
	if len(f.Traceback) > 60 {
		f.Traceback = append(f.Traceback[:59:59], "…")
	}
	return f, true
}
