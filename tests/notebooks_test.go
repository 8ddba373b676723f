package tests

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNotebooks executes every notebook on both kernels. On ours, what a cell printed and
// the text of its figures must be what the file in the repository shows, so that a reader
// sees what the code does today.
func TestNotebooks(t *testing.T) {
	for _, kernel := range []string{"eigenbook", "gonb"} {
		for _, file := range glob(t, "notebooks/*.ipynb") {
			name := filepath.Base(file)
			t.Run(kernel+"/"+name, func(t *testing.T) {
				out := filepath.Join(t.TempDir(), name)
				succeed(t, root, nil, nbkernel, "exec", "-kernel", kernel, "-o", out, file)
				got, want := readCells(t, out), readCells(t, file)
				if len(got) != len(want) {
					t.Fatalf("the executed notebook has %d code cells, the stored one %d", len(got), len(want))
				}
				for i := range got {
					if kernel == "eigenbook" && got[i].text != want[i].text {
						t.Errorf("code cell %d prints\n%s\nthe stored notebook shows\n%s\n(nbkernel exec -inplace %s)",
							i+1, got[i].text, want[i].text, name)
					}
					if got[i].figures != want[i].figures {
						t.Errorf("code cell %d shows %d figures, the stored notebook %d", i+1, got[i].figures, want[i].figures)
					}
				}
			})
		}
	}
}

// A cell is what a reader sees below a code cell.
type cell struct {
	text    string // streams and text/plain, in order
	figures int    // outputs with a picture
}

// lines is a string that a notebook may store as a list of lines.
type lines string

func (l *lines) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(l))
}

func readCells(t *testing.T, file string) []cell {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var nb struct {
		Cells []struct {
			Type    string `json:"cell_type"`
			Outputs []struct {
				Text lines                      `json:"text"`
				Data map[string]json.RawMessage `json:"data"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(text, &nb); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var cells []cell
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		var seen cell
		for _, out := range c.Outputs {
			seen.text += string(out.Text)
			var plain lines
			if raw, ok := out.Data["text/plain"]; ok {
				if err := json.Unmarshal(raw, &plain); err != nil {
					t.Fatalf("%s: text/plain: %v", file, err)
				}
			}
			seen.text += string(plain)
			if _, ok := out.Data["image/png"]; ok {
				seen.figures++
			}
		}
		cells = append(cells, seen)
	}
	return cells
}
