// Package compare says whether an executed notebook still shows what its file shows.
//
// Cells are compared one by one. What a cell printed on standard output is one text, however
// it came in pieces; standard error is for people and is not compared. Displays and results
// are compared in order, by their plain text and their picture. Texts may differ in numbers
// that are within a tolerance; pictures must have the same size and look the same, which
// rounding in a drawing library or another font hinting does not change.
//
// A cell tagged ignore-output (or nbval-ignore-output) is left out, as is one tagged
// skip-execution.
package compare

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"eigenbook/nbkernel/notebook"
)

// Options holds what may differ. The zero value allows no difference in text.
type Options struct {
	// Tolerance is by how much numbers in texts may differ: a and b are equal if
	// |a − b| ≤ Tolerance·max(1, |a|, |b|).
	Tolerance float64
}

// Cell compares what a stored cell and the executed one show and describes the first
// difference. It returns "" if there is none.
func Cell(stored, executed *notebook.Cell, o Options) string {
	if ignored(stored) {
		return ""
	}
	return outputs(newShown(stored), newShown(executed), o)
}

func ignored(c *notebook.Cell) bool {
	return c.Type != notebook.Code || slices.ContainsFunc(c.Tags(), func(tag string) bool {
		return slices.Contains([]string{"ignore-output", "nbval-ignore-output", "NBVAL_IGNORE_OUTPUT", "skip-execution"}, tag)
	})
}

// shown is what a reader sees below a cell.
type shown struct {
	stdout string
	rich   []rich
}

// rich is a display, a result or an error.
type rich struct {
	kind string // for messages
	text string
	png  []byte // nil if there is no picture
}

func newShown(c *notebook.Cell) shown {
	var s shown
	for _, o := range c.Outputs {
		switch o.Type {
		case notebook.Stream:
			if o.Name == "stdout" {
				s.stdout += o.Text
			}
		case notebook.ErrorOutput:
			s.rich = append(s.rich, rich{kind: "error", text: o.EName + ": " + o.EValue})
		default:
			r := rich{kind: "display"}
			if o.Type == notebook.ExecuteResult {
				r.kind = "result"
			}
			r.text, _ = o.Data["text/plain"].(string)
			if encoded, ok := o.Data["image/png"].(string); ok {
				// what is no base64 is no picture either, and differs from one
				r.png, _ = base64.StdEncoding.DecodeString(strings.Map(dropSpace, encoded))
			}
			s.rich = append(s.rich, r)
		}
	}
	return s
}

func dropSpace(r rune) rune {
	if r == '\n' || r == '\r' || r == ' ' {
		return -1
	}
	return r
}

// outputs describes the first difference, or returns "".
func outputs(stored, got shown, o Options) string {
	if d := texts(stored.stdout, got.stdout, o.Tolerance); d != "" {
		return "printed text, " + d
	}
	for i := range max(len(stored.rich), len(got.rich)) {
		switch {
		case i >= len(got.rich):
			return fmt.Sprintf("output %d, a %s, is stored and did not come: %s", i+1, stored.rich[i].kind, short(stored.rich[i].text))
		case i >= len(stored.rich):
			return fmt.Sprintf("output %d, a %s, came and is not stored: %s", i+1, got.rich[i].kind, short(got.rich[i].text))
		}
		a, b := stored.rich[i], got.rich[i]
		if a.kind != b.kind {
			return fmt.Sprintf("output %d is a %s, a %s is stored", i+1, b.kind, a.kind)
		}
		if d := texts(a.text, b.text, o.Tolerance); d != "" {
			return fmt.Sprintf("text of output %d, %s", i+1, d)
		}
		if d := pictures(a.png, b.png); d != "" {
			return fmt.Sprintf("output %d, %s", i+1, d)
		}
	}
	return ""
}
