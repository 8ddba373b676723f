package command

import (
	"bytes"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"eigenbook/nbkernel/notebook"
)

// nbkernel runs the program in this process.
func nbkernel(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	return code, out.String(), errs.String()
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	broken := file("broken.ipynb", "{")
	python := file("python.ipynb", `{"cells":[],"metadata":{"kernelspec":{"name":"python3","display_name":"Python","language":"python"}},"nbformat":4,"nbformat_minor":5}`)
	good := file("good.ipynb", `{"cells":[{"cell_type":"code","id":"a","source":"nb.ParamInt(\"q\", 2)","metadata":{},"outputs":[],"execution_count":null}],"metadata":{},"nbformat":4,"nbformat_minor":5}`)
	half := filepath.Join(dir, "kernels", "half")
	if err := os.MkdirAll(half, 0o755); err != nil {
		t.Fatal(err)
	}
	file(filepath.Join("kernels", "half", "kernel.json"), `{"argv": "x"}`)
	t.Setenv("JUPYTER_PATH", dir)
	for _, tc := range []struct {
		args string
		says string
	}{
		{"", "nbkernel exec"},
		{"nosuch", `no command "nosuch"; commands are run, repl, exec`},
		{"help nosuch", `no command "nosuch"`},
		{"help a b", "takes one command"},
		{"version x", "takes no arguments"},
		{"repl x", "no arguments"},
		{"doctor x", "takes no arguments"},
		{"run", "which script?"},
		{"kernel", "-f CONNECTION_FILE"},
		{"kernel -f " + broken, "invalid connection file"},
		{"kernel -f " + dir + "/none", "invalid connection file"},
		{"exec", "which notebook?"},
		{"exec -nosuch x.ipynb", "-nosuch"},
		{"exec a.txt", "does not end in .ipynb"},
		{"exec " + dir + "/none.ipynb", "no such file"},
		{"exec " + broken, "broken.ipynb: not a notebook: line 1, column 2"},
		{"exec " + python, `-kernel python3`},
		{"exec -o x.ipynb -inplace " + good, "exclude each other"},
		{"exec -o x.ipynb " + good + " " + python, "-o names one file but there are 2 notebooks"},
		{"exec -timeout -1s " + good, "want 0 or more"},
		{"exec -timeout soon " + good, "soon"},
		{"exec -html " + dir + "/none/x.html " + good, "there is no folder"},
		{"exec -html " + good + " " + good, "is a notebook"},
		{"exec -junit " + dir + "/new.IPYNB " + good, "is a notebook"},
		{"exec -html " + dir + "/x -junit " + dir + "/./x " + good, "both name"},
		{"exec -o " + dir + " " + good, "is a directory"},
		{"exec -inplace " + good + " " + dir + "/./good.ipynb", "is given twice"},
		{"exec -p q " + good, "want name=value"},
		{"exec -p q=1 -p q=2 " + good, "already given"},
		{"exec -p z=1 " + good, `no cell takes the parameter "z"; the cells take q`},
		{"exec -kernel nosuch " + good, `no kernel "nosuch"`},
		{"exec -kernel half " + good, "half/kernel.json"},
		{"convert " + good, "want IN and OUT"},
		{"convert " + good + " " + dir + "/x.txt", "x.txt: the name ends in none of .ipynb, .go and .html"},
		{"convert " + good + " " + dir + "/x.ipynb", "both end in .ipynb"},
		{"convert " + dir + "/x.html " + good, "a report cannot be read"},
		{"convert " + dir + "/none.go " + good, "no such file"},
		{"convert " + broken + " " + dir + "/x.go", "broken.ipynb: not a notebook: line 1, column 2"},
		{"convert " + file("broken.go", "// %% a=\n") + " " + dir + "/x.ipynb", "broken.go: not a percent file: line 1, column 7"},
		{"convert " + good + " " + dir + "/none/x.go", "no such file"},
		{"build", "which module?"},
		{"build -with example.org/m", "give -o FILE"},
		{"build -with a@v1 -with a@v1 -o x", "given twice"},
		{"build -with @v1 -o x", "want MODULE"},
		{"build -with ./a -o " + dir, "something that is no file"},
		{"build -with ./a -o " + dir + "/none/x", "there is no folder"},
		{"install -user -prefix x", "exclude each other"},
		{"install x", "no arguments"},
	} {
		code, _, stderr := nbkernel(strings.Fields(tc.args)...)
		if code != ExitUsage || !strings.Contains(stderr, tc.says) {
			t.Errorf("nbkernel %s: exit code %d, says %q; want %d and %q", tc.args, code, stderr, ExitUsage, tc.says)
		}
	}
}

func TestHelpKnowsEveryCommand(t *testing.T) {
	_, list, _ := nbkernel("help")
	for _, c := range commands() {
		code, text, _ := nbkernel("help", c.name)
		if code != ExitDone || !strings.Contains(text, "usage: nbkernel "+c.name) {
			t.Errorf("help %s: exit code %d, says %q", c.name, code, text)
		}
		if again, same, _ := nbkernel(c.name, "-h"); again != ExitDone || same != text {
			t.Errorf("%s -h says something else than help %s", c.name, c.name)
		}
		if listed := strings.Contains(list, "nbkernel "+c.name+" "); listed == c.hidden {
			t.Errorf("%s: listed %v, hidden %v", c.name, listed, c.hidden)
		}
	}
}

func TestFlagsMayFollowArguments(t *testing.T) {
	for _, tc := range []struct {
		args   string
		script bool
		x      string
		rest   string
	}{
		{"a -x 1 b", false, "1", "a b"},
		{"-x 1 a b", false, "1", "a b"},
		{"a -- -x 1", false, "", "a -x 1"},
		{"-x 1 a -x 2", true, "1", "a -x 2"},
		{"a -", false, "", "a -"},
	} {
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		x := fs.String("x", "", "")
		rest, err := parse(fs, strings.Fields(tc.args), tc.script)
		if err != nil || *x != tc.x || strings.Join(rest, " ") != tc.rest {
			t.Errorf("%q: x = %q, rest %q, %v; want %q and %q", tc.args, *x, rest, err, tc.x, tc.rest)
		}
	}
}

func TestVersion(t *testing.T) {
	if code, out, _ := nbkernel("version"); code != ExitDone || !strings.HasPrefix(out, "nbkernel ") || !strings.Contains(out, "go1.") {
		t.Errorf("exit code %d, %q", code, out)
	}
}

func TestParameters(t *testing.T) {
	p := params{"q": "5", "name": `a "b"`}
	if got := p.environment(); len(got) != 1 || got[0] != `EIGENBOOK_PARAMS={"name":"a \"b\"","q":"5"}` {
		t.Errorf("environment %q", got)
	}
	if got := (params{}).environment(); got != nil {
		t.Errorf("no parameters give %q", got)
	}
	for _, tc := range []struct {
		source string
		ok     bool
	}{
		{`nb.ParamInt("q", 2); nb.ParamString( "name", "")`, true},
		{"nb.ParamInt(`q`, 2)\nnb.ParamString(`name`, ``)", true},
		{`nb.ParamInt("q", 2)`, false},
		{`nb.ParamInt(which, 2)`, true}, // may be any
		{``, false},
	} {
		n := notebook.New()
		n.Append(notebook.Code, tc.source)
		n.Append(notebook.Markdown, `nb.ParamString("name", "")`)
		if err := p.check([]*notebook.Notebook{n}); (err == nil) != tc.ok {
			t.Errorf("%s: %v", tc.source, err)
		}
	}
}

func TestJUnit(t *testing.T) {
	e := &execution{path: "dir/a.ipynb", keepGoing: true}
	run(t.Context(), e, "print \x01<a>", "fail", "die", "print never")
	e.elapsed = 1500 * time.Millisecond
	whole := &execution{path: "b.ipynb", notebook: notebook.New(), failures: []failure{{cause: kernelDied, message: "did not start"}}}
	data, err := junit([]*execution{e, whole})
	if err != nil {
		t.Fatal(err)
	}
	var got junitSuites
	if err := xml.Unmarshal(data, &got); err != nil {
		t.Fatalf("not valid XML: %v\n%s", err, data)
	}
	if got.Tests != 5 || got.Failures != 3 || len(got.Suites) != 2 || got.Suites[0].Skipped != 1 || got.Suites[0].Time != "1.500" {
		t.Errorf("%d tests, %d failures, %d suites", got.Tests, got.Failures, len(got.Suites))
	}
	cases := got.Suites[0].Cases
	if cases[0].Name != "cell 1: print <a>" || cases[0].Failure != nil || cases[0].Class != "a" {
		t.Errorf("first case %+v", cases[0])
	}
	if f := cases[1].Failure; f == nil || f.Message != "cell 2 [2], line 3: panic: boom" || !strings.Contains(f.Text, "m[1] = 2") {
		t.Errorf("second case %+v", f)
	}
	if cases[3].Skipped == nil {
		t.Error("a cell that was not reached is not skipped")
	}
	if c := got.Suites[1].Cases; len(c) != 1 || c[0].Failure == nil {
		t.Errorf("a notebook whose kernel did not start has cases %+v", c)
	}
}
