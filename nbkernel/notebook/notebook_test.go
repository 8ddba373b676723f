package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files in testdata were written by Jupyter's own library (Debian's python3-nbformat
// 5.5.0, nbformat.write), from cells, outputs, attachments and metadata chosen to be hard:
// every line end Python knows, control characters, nested JSON outputs, unknown fields.
func TestFilesOfJupyterComeBackByteForByte(t *testing.T) {
	for _, name := range []string{"jupyter45.ipynb", "jupyter44.ipynb", "empty.ipynb"} {
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			nb, err := Parse(want)
			if err != nil {
				t.Fatal(err)
			}
			got, err := nb.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("written again it differs at byte %d:\n got %q\nwant %q", firstDifference(got, want),
					around(got, firstDifference(got, want)), around(want, firstDifference(got, want)))
			}
		})
	}
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func around(s []byte, at int) []byte {
	return s[max(at-40, 0):min(at+40, len(s))]
}

func TestFieldsAreRead(t *testing.T) {
	nb, err := ReadFile("testdata/jupyter45.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if name, display, language := nb.KernelSpec(); name != "eigenbook" || display != "Go (Eigenbook)" || language != "go" {
		t.Errorf("KernelSpec = %q, %q, %q", name, display, language)
	}
	code := nb.Cells[1]
	if code.Type != Code || code.ID != "c-1" || code.ExecutionCount != 3 || code.Source != "fmt.Println(\"a\")\n1 + 2" || !code.HasTag("parameters") {
		t.Errorf("code cell = %+v", code)
	}
	if got := len(code.Outputs); got != 4 {
		t.Fatalf("%d outputs, want 4", got)
	}
	if got := code.Outputs[1].Data["text/html"]; got != "<p>\n</p>\n" {
		t.Errorf("text/html = %q, want the lines joined", got)
	}
	if _, ok := code.Outputs[1].Data["application/json"].(map[string]any)["a"].([]any); !ok {
		t.Error("a list inside application/json was joined; it is data, not lines")
	}
	if o := code.Outputs[3]; o.EName != "panic" || o.EValue != "boom" || len(o.Traceback) != 2 {
		t.Errorf("error output = %+v", o)
	}
}

func TestUnknownFieldsAreKept(t *testing.T) {
	const text = `{"cells":[{"cell_type":"code","source":["a\n","b"],"metadata":{},"future":{"x":1.50},
		"outputs":[{"output_type":"stream","name":"stdout","text":"t","later":[]}],"execution_count":null}],
		"metadata":{},"nbformat":4,"nbformat_minor":4,"top":"level"}`
	nb, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := nb.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(got, &doc); err != nil {
		t.Fatal(err)
	}
	cell := doc["cells"].([]any)[0].(map[string]any)
	if doc["top"] != "level" || cell["future"] == nil || cell["outputs"].([]any)[0].(map[string]any)["later"] == nil {
		t.Errorf("an unknown field is gone:\n%s", got)
	}
	if !bytes.Contains(got, []byte("1.50")) {
		t.Error("the number 1.50 was rewritten")
	}
	if _, ok := cell["id"]; ok {
		t.Error("a cell of nbformat 4.4 has an id")
	}
}

func TestMalformedInputNamesThePlace(t *testing.T) {
	cell := func(s string) string {
		return `{"cells":[{"cell_type":"markdown","metadata":{},"source":""},` + s + `],"metadata":{},"nbformat":4,"nbformat_minor":5}`
	}
	for _, tc := range []struct {
		name, text string
		want       error
		says       string
	}{
		{"empty", "", ErrSyntax, "empty"},
		{"not JSON", "{\n \"cells\": [\n  oops", ErrSyntax, "line 3, column 3"},
		{"cut off", "{\n \"cells\": [", ErrSyntax, "line 2, column 12: the document ends too early"},
		{"trailing text", cell(`{"cell_type":"raw","source":""}`) + "\nx", ErrSyntax, "after the end"},
		{"list", "[]", ErrSyntax, "a list, want an object"},
		{"not UTF-8", "{\"a\": \"\xff\"}", ErrSyntax, "column 8: byte 0xff"},
		{"no nbformat", `{"cells":[]}`, ErrSyntax, "nbformat is missing"},
		{"nbformat text", `{"nbformat":"4"}`, ErrSyntax, "nbformat is text"},
		{"nbformat 3", `{"nbformat":3,"nbformat_minor":0,"worksheets":[]}`, ErrUnsupported, "nbformat is 3, want 4"},
		{"nbformat 5", `{"nbformat":5,"nbformat_minor":0,"cells":[]}`, ErrUnsupported, "nbformat is 5, want 4"},
		{"minor", `{"nbformat":4,"nbformat_minor":-1,"cells":[]}`, ErrSyntax, "nbformat_minor is -1"},
		{"cells", `{"nbformat":4,"nbformat_minor":5,"cells":{}}`, ErrSyntax, "cells is an object, want a list"},
		{"metadata", `{"nbformat":4,"nbformat_minor":5,"cells":[],"metadata":[]}`, ErrSyntax, "metadata is a list"},
		{"cell", cell(`7`), ErrSyntax, "cell 2: it is 7, want an object"},
		{"no source", cell(`{"cell_type":"code"}`), ErrSyntax, "cell 2: source is missing"},
		{"source", cell(`{"cell_type":"code","source":[1]}`), ErrSyntax, "cell 2: source is a list, want text or a list of lines"},
		{"count", cell(`{"cell_type":"code","source":"","execution_count":1.5}`), ErrSyntax, "cell 2: execution_count is 1.5"},
		{"outputs", cell(`{"cell_type":"code","source":"","outputs":{}}`), ErrSyntax, "cell 2: outputs is an object"},
		{"output type", cell(`{"cell_type":"code","source":"","outputs":[{"output_type":"pyout"}]}`), ErrSyntax, `cell 2: output 1: output_type is "pyout"`},
		{"traceback", cell(`{"cell_type":"code","source":"","outputs":[{"output_type":"error","ename":"","evalue":"","traceback":[1]}]}`), ErrSyntax, "traceback holds 1"},
		{"attachment", cell(`{"cell_type":"markdown","source":"","attachments":{"a.png":1}}`), ErrSyntax, `attachment "a.png" is 1`},
		{"depth", strings.Repeat("[", 20000), ErrSyntax, "exceeded max depth"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			nb, err := Parse([]byte(tc.text))
			if !errors.Is(err, tc.want) || nb != nil {
				t.Fatalf("Parse = %v, %v; want nil and %v", nb, err, tc.want)
			}
			if !strings.Contains(err.Error(), tc.says) {
				t.Errorf("the error is %q, want it to say %q", err, tc.says)
			}
		})
	}
	if _, err := ReadFile("testdata/none.ipynb"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
}

func TestCellsGetIDs(t *testing.T) {
	build := func() *Notebook {
		nb := New()
		nb.Append(Code, "same")
		nb.Append(Code, "same").ID = "mine"
		nb.Append(Markdown, "same")
		nb.Append(Code, "another").ID = "mine" // which the schema forbids
		return nb
	}
	a, b := build(), build()
	first, err := a.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	second, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("equal notebooks got different ids")
	}
	if id := a.Cells[3].ID; id == "mine" || id == "" {
		t.Errorf("the second cell with an id that is taken has the id %q", id)
	}
	if a.Cells[1].ID != "mine" || a.Cells[0].ID == "" || a.Cells[0].ID == a.Cells[2].ID {
		t.Errorf("ids are %q, %q, %q", a.Cells[0].ID, a.Cells[1].ID, a.Cells[2].ID)
	}
}

func TestValuesThatJSONCannotHold(t *testing.T) {
	nb := New()
	nb.Metadata["x"] = make(chan int)
	if _, err := nb.Bytes(); err == nil {
		t.Error("a channel was written")
	}
	nb.Metadata["x"] = []float64{1, 0.5}
	got, err := nb.Bytes()
	if err != nil || !bytes.Contains(got, []byte("\"x\": [\n   1,\n   0.5\n  ]")) {
		t.Errorf("a []float64 is written as %s, %v", got, err)
	}
}

// Whatever is accepted is written, read again and written to the same bytes.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"jupyter45.ipynb", "jupyter44.ipynb", "empty.ipynb"} {
		seed, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	f.Add([]byte(`{"cells":[{"cell_type":"code","source":"\ud800","outputs":[{"output_type":"stream","name":"x","text":["a",""]}]}],"nbformat":4,"nbformat_minor":9,"metadata":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, err := Parse(data)
		if err != nil {
			return
		}
		first, err := nb.Bytes()
		if err != nil {
			t.Fatalf("read but not written: %v", err)
		}
		again, err := Parse(first)
		if err != nil {
			t.Fatalf("written but not read: %v\n%s", err, first)
		}
		second, err := again.Bytes()
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("not stable, %v:\n%s\n%s", err, first, second)
		}
	})
}
