package command

import (
	"strings"
	"testing"

	"eigenbook/nbkernel/notebook"
)

// parametrised is a notebook whose first cell declares parameters.
func parametrised(source string) *notebook.Notebook {
	n := notebook.New()
	n.Append(notebook.Code, source).Metadata["tags"] = []any{parametersTag}
	n.Append(notebook.Code, `nb.ParamInt("rank", 2)`)
	return n
}

const declared = `q := 2
var width, verbose = -0.5, true
var names = []string{"a"}
const title string = "t"
limit := 2 * time.Second
when := time.Now()
var scale float64 = 3`

func TestInjectedParameters(t *testing.T) {
	n := parametrised(declared)
	p := params{"q": "5", "width": "1e-3", "verbose": "False", "names": "x, y", "title": `a "b"`, "limit": "1m", "scale": "4"}
	want := `var q int = 5
var width float64 = 0.001
var verbose bool = false
var names []string = []string{"x", "y"}
const title string = "a \"b\""
var limit time.Duration = time.Duration(60000000000)
var scale float64 = 4`
	for range 2 { // the second takes the place of the first
		if err := p.check([]*notebook.Notebook{n}); err != nil {
			t.Fatal(err)
		}
		p.inject(n)
		if len(n.Cells) != 3 || n.Cells[1].Source != want || !n.Cells[1].HasTag(injectedTag) {
			t.Fatalf("%d cells, the second is\n%s\nwant\n%s", len(n.Cells), n.Cells[1].Source, want)
		}
	}
}

func TestRefusedParameters(t *testing.T) {
	for _, tc := range []struct{ name, value, want string }{
		{"q", "2.5", `the parameter q is "2.5", want an integer`},
		{"width", "NaN", "want a finite number"},
		{"verbose", "perhaps", "want true or false"},
		{"limit", "5", "want a time with its unit"},
		{"when", "now", "its type that is not written down is none that can be given"},
		{"rank", "two", "want an integer"},
		{"wdith", "1", "perhaps width is meant; the cells take limit, names, q, rank,"},
		{"temperature", "1", `no cell takes the parameter "temperature"; the cells take`},
	} {
		err := params{tc.name: tc.value}.check([]*notebook.Notebook{parametrised(declared)})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s=%s: %v, want %q", tc.name, tc.value, err, tc.want)
		}
	}
}

// What was given reaches the cells.
func TestParametersCell(t *testing.T) {
	n := parametrised("q := 2")
	n.Append(notebook.Code, "check.Equal(\"q was given\", q, 7)")
	path := t.TempDir() + "/p.ipynb"
	if err := n.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := nbkernel("exec", "-p", "q=7", path); code != ExitDone || !strings.Contains(stderr, "1 claims checked") {
		t.Errorf("exit code %d:\n%s", code, stderr)
	}
	if code, _, stderr := nbkernel("exec", "-p", "q=x", path); code != ExitUsage {
		t.Errorf("a wrong type: exit code %d:\n%s", code, stderr)
	}
}
