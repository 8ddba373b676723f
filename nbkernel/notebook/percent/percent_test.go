package percent

import (
	"bytes"
	"errors"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"eigenbook/nbkernel/notebook"
)

// text returns a notebook's file without outputs and execution counts.
func text(t testing.TB, nb *notebook.Notebook) string {
	t.Helper()
	for _, c := range nb.Cells {
		c.ClearOutputs()
	}
	data, err := nb.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// thereAndBack checks that a notebook is the same after a stay in a Go file, and returns that.
func thereAndBack(t testing.TB, nb *notebook.Notebook) string {
	t.Helper()
	file, err := Write(nb)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Read(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	if want, got := text(t, nb), text(t, back); got != want {
		t.Fatalf("notebook\n%s\nis after the Go file\n%s\n%s", want, file, got)
	}
	return string(file)
}

// backAndThere checks that a Go file is the same after a stay in a notebook's file.
func backAndThere(t testing.TB, file string) *notebook.Notebook {
	t.Helper()
	nb, err := Read([]byte(file))
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	data, err := nb.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	stored, err := notebook.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Write(stored)
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != file {
		t.Fatalf("file\n%s\nis after the notebook\n%s", file, again)
	}
	return nb
}

func TestRepositoryNotebooks(t *testing.T) {
	paths, err := filepath.Glob("../../../notebooks/*.ipynb")
	if err != nil || len(paths) < 2 {
		t.Fatalf("%d notebooks, want at least 2 (%v)", len(paths), err)
	}
	for _, path := range paths {
		nb, err := notebook.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file := thereAndBack(t, nb)
		backAndThere(t, file)
		formatted, err := format.Source([]byte(file))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		after, err := Read(formatted)
		if err != nil || len(after.Cells) != len(nb.Cells) {
			t.Fatalf("%s has another number of cells after gofmt (%v)", path, err)
		}
		for i, c := range after.Cells {
			// gofmt may move blanks in a cell that was not formatted.
			if want := nb.Cells[i].Source; strings.Join(strings.Fields(c.Source), " ") != strings.Join(strings.Fields(want), " ") {
				t.Errorf("%s: cell %d is after gofmt\n%s\nwant\n%s", path, i+1, c.Source, want)
			}
		}
	}
}

func TestCode(t *testing.T) {
	for _, tc := range []struct{ name, source, want string }{
		{"declaration", "func f() {}", "func f() {}"},
		{"statement", "x := 1", "func _() {\n\tx := 1\n}"},
		{"value", "1 + 2", "func _() {\n\t1 + 2\n}"},
		{"method", "func (t T) M() {}", "func (t T) M() {}"},
		{"function value", "func() int { return 1 }()", "func _() {\n\tfunc() int { return 1 }()\n}"},
		{"raw string", "s := `a\n\tb\nc`\ns", "func _() {\n\ts := `a\n\tb\nc`\n\ts\n}"},
		{"label", "loop:\nfor {\n\tbreak loop\n}", "func _() {\nloop:\n\tfor {\n\t\tbreak loop\n\t}\n}"},
		{"magic", "%time f()", "//gonb:%time f()"},
		{"escaped magic", "//gonb:%time f()", "//gonb://gonb:%time f()"},
		{"main", "%%\nx := 1\nx", "func _() {\n\t//gonb:%%\n\tx := 1\n\tx\n}"},
		{"shell", "%%bash\necho `date`  ", "//gonb:%%bash\n//gonb:\"echo `date`  \""},
		{"main with declarations", "%%\nvar a int\na++", "func _() {\n\t//gonb:%%\n\tvar a int\n\ta++\n}"},
		{"magic above a declaration", "%time\nvar a int", "//gonb:%time //gonb:join\n\nvar a int"},
		{"magic that looks joined", "!echo //gonb:join", "//gonb:\"!echo //gonb:join\""},
		{"no Go", "for {", "//gonb:for {"},
		{"mixed", "import \"fmt\"\n\nfunc f() int { return 1 }\n\n// Show it.\nfmt.Println(f())",
			"import \"fmt\"\n\nfunc f() int { return 1 }\n\nfunc _() {\n\t// Show it.\n\tfmt.Println(f())\n}"},
		{"joined", "var a = 1\na++\nvar b = 2",
			"var a = 1\n\nfunc _() { //gonb:join\n\ta++\n} //gonb:join\n\nvar b = 2"},
		{"late import", "var a = 1\n\nimport \"fmt\"", "var a = 1\n\n//gonb:import \"fmt\""},
		{"unformatted", "func  f( ) { }", "func  f( ) { }"},
		{"unformatted statement", "if x>1 {\n  y()\n}", "func _() {\n\tif x>1 {\n\t  y()\n\t}\n}"},
		{"marker", "// %% x\nvar a = 1", "//gonb:// %% x //gonb:join\n\nvar a = 1"},
		{"wrapper", "func _() {\n\tx := 1\n}", "//gonb:func _() {\n//gonb:\tx := 1\n//gonb:}"},
		{"blank lines at the edges", "\nvar a = 1\n", "//gonb: //gonb:join\n\nvar a = 1\n//gonb:"},
		{"carriage return", "x := 1\r\nx", "//gonb:\"x := 1\\r\"\n//gonb:x"},
		{"magic in a raw string", "var s = `\n%time\n!x`", "var s = `\n%time\n!x`"},
		{"marker in a raw string", "var s = `\n// %%\n`", "var s = `\n//gonb:// %%\n`"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			nb := notebook.New()
			nb.Append(notebook.Code, tc.source)
			file := thereAndBack(t, nb)
			_, got, _ := strings.Cut(file, "// %%\n\n")
			if got != tc.want+"\n" {
				t.Errorf("the cell is\n%s\nwant\n%s", got, tc.want)
			}
			backAndThere(t, file)
		})
	}
}

func TestFields(t *testing.T) {
	data, err := os.ReadFile("testdata/fields.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	nb, err := notebook.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t, nb); got != string(data) {
		t.Fatalf("the test's notebook is not as Jupyter would write it:\n%s", got)
	}
	got := thereAndBack(t, nb)
	want, err := os.ReadFile("testdata/fields.go")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the Go file is\n%s\nwant\n%s", got, want)
	}
	if formatted, err := format.Source([]byte(got)); err != nil || string(formatted) != got {
		t.Errorf("gofmt changes the Go file (%v)", err)
	}
	backAndThere(t, got)
}

func TestByHand(t *testing.T) {
	for name, file := range map[string]string{
		"empty":               "",
		"package only":        "package main",
		"no package":          "// %%\nx := 1\n",
		"script":              "// Hello prints.\npackage main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n",
		"tight":               "package main\n// %% [md]\n// a\n//b\n\n// c\n// %%\nx := 1\n// %%\ny := 2",
		"wide":                "package main\n\n\n\n// %%\n\n\nvar x = 1\n\n\n\n// %%   Two  words   [markdown]\n//   x  \n",
		"carriage returns":    "package main\r\n\r\n// %%\r\nx := 1\r\n",
		"two imports":         "package main\n\n// %%\n\nimport \"fmt\"\n\n// %%\n\nimport \"os\"\n\nfunc _() {\n\tfmt.Println(1)\n}\n",
		"unclosed wrapper":    "package main\n\n// %%\n\nfunc _() {\n\tx := 1\n",
		"metadata":            "//nbkernel:notebook { \"nbformat_minor\":4 , \"metadata\": {} }\npackage main\n\n// %% tags=[ \"a\",\"b\" ] id=\"q\" n=1.50\n\nvar x = 1\n",
		"attachments as text": "package main\n\n// %% [markdown]\n// x\n//nbkernel:cell {\"attachments\":{\"a\":{\"text/plain\":\"x\\ny\"}}}\n",
		"own memory":          "package main\n\n// %% nbkernel_percent=\"// %%\\n\" a=1\n\nvar x = 1\n",
		"block comment first": "/* about */\npackage main\n\n// %%\n\nvar x = 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			nb := backAndThere(t, file)
			thereAndBack(t, nb)
		})
	}
}

// A file of jupytext is the notebook it was made from.
func TestJupytext(t *testing.T) {
	nb := backAndThere(t, `// ---
// jupyter:
//   kernelspec:
//     display_name: Go (gonb)
//     language: go
//     name: gonb
// ---

// %% [markdown] tags=["intro"]
// # Title
//
// text

// %% tags=["parameters"]
import "fmt"

n := 3

// %%
//gonb:%%
fmt.Println(n)
`)
	want := []struct{ kind, source string }{
		{notebook.Markdown, "# Title\n\ntext"},
		{notebook.Code, "import \"fmt\"\n\nn := 3"},
		{notebook.Code, "%%\nfmt.Println(n)"},
	}
	if len(nb.Cells) != len(want) {
		t.Fatalf("%d cells, want %d", len(nb.Cells), len(want))
	}
	for i, c := range nb.Cells {
		if c.Type != want[i].kind || c.Source != want[i].source {
			t.Errorf("cell %d is %s %q, want %q", i+1, c.Type, c.Source, want[i])
		}
	}
	if !nb.Cells[0].HasTag("intro") || !nb.Cells[1].HasTag("parameters") {
		t.Error("the tags are lost")
	}
}

// What was written by hand is given up where the cell is another now.
func TestChanged(t *testing.T) {
	nb := backAndThere(t, "package main\n// %%\nx := 1\n// %%\ny := 2\n")
	nb.Cells[0].Source = "x := 3"
	file, err := Write(nb)
	if err != nil {
		t.Fatal(err)
	}
	want := "// %% id=\"" + nb.Cells[0].ID + "\"\n\nfunc _() {\n\tx := 3\n}\n\n// %%\ny := 2\n"
	if !strings.HasSuffix(string(file), want) {
		t.Errorf("the file is\n%s\nwant it to end in\n%s", file, want)
	}
}

func TestRefused(t *testing.T) {
	for _, tc := range []struct{ name, file, want string }{
		{"no text", "package main\nx \xff", "line 2, column 3: byte 0xff"},
		{"zero", "a\x00", "line 1, column 2: byte 0x0"},
		{"metadata", "// %% a=1 tags=[\"x\"", "line 1, column 11: tags= wants"},
		{"twice", "// %% a=1 a=2", "line 1, column 11: a stands there twice"},
		{"prose", "// %% [markdown]\n\n// a\nb\n", "line 4, column 1: \"b\" is no comment"},
		{"escape", "// %%\n//gonb:\"x\n", "line 2, column 8:"},
		{"two lines", "// %%\n//gonb:\"x\\ny\"\n", "line 2, column 8:"},
		{"fields", "// %%\n//nbkernel:cell {\n", "line 2, column 17:"},
		{"source", "// %%\n//nbkernel:cell {\"source\": 1}\n", "line 2: the field source"},
		{"notebook", "//nbkernel:notebook []\npackage main\n", "line 1, column 21:"},
		{"cells", "//nbkernel:notebook {\"cells\": [1]}\npackage main\n", "cells and nbformat"},
		{"id", "// %% id=7\n", "cell 1: id is 7"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			nb, err := Read([]byte(tc.file))
			if !errors.Is(err, ErrSyntax) || nb != nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Read = %v, %v; want an ErrSyntax with %q", nb, err, tc.want)
			}
		})
	}
}

func TestCells(t *testing.T) {
	cells, err := Cells([]byte("package main\n\n// %%\n\nfunc _() {\n\tx := 1\n\t//gonb:%time x\n}\n\n// %% [markdown]\n\n// a\n\n// %%\ny := 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Cell{{3, "\n\n\n\tx := 1\n%time x\n\n\n"}, {14, "\ny := 2\n"}}
	if !slices.Equal(cells, want) {
		t.Errorf("Cells = %+v, want %+v", cells, want)
	}
	if got, want := cells[1].Placed(), strings.Repeat("\n", 14)+"y := 2\n"; got != want {
		t.Errorf("Placed = %q, want %q", got, want)
	}
}

// A file that opens very many functions and closes none is read in linear time: in a quarter of
// a second, where looking for the end of each takes half a minute.
func TestUnclosed(t *testing.T) {
	began := time.Now()
	if _, err := Cells([]byte("package main\n\n// %%\n\n" + strings.Repeat("func _() {\n", 200_000))); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add("package main\n\n// %% [markdown] tags=[\"x\"]\n\n// # a\n\n// %%\n\nfunc _() {\n\t//gonb:%%\n\tx := `a\n`\n}\n")
	f.Add("x := 1\ny")
	f.Add("import \"fmt\"\nfunc f() {}\nf()\n%time f()\ntype T int")
	f.Add("// %% id=\"a\"\n//gonb:\"x  \"\n//nbkernel:cell {\"attachments\":{}}\n")
	f.Add("func _() { //gonb:join\n}\n\n} //gonb:join")
	f.Fuzz(func(t *testing.T, s string) {
		nb, err := Read([]byte(s))
		if _, cellsErr := Cells([]byte(s)); cellsErr != nil && err == nil {
			t.Fatalf("Read takes what Cells does not: %v", cellsErr)
		}
		if err == nil {
			thereAndBack(t, backAndThere(t, s))
		} else if !errors.Is(err, ErrSyntax) || nb != nil {
			t.Fatalf("Read = %v, %v", nb, err)
		}
		if bytes.ContainsRune([]byte(s), 0xfffd) {
			return // broken text is not kept by JSON either
		}
		nb = notebook.New()
		nb.Append(notebook.Code, "package main")
		nb.Append(notebook.Code, s)
		nb.Append(notebook.Markdown, s).Metadata["title"] = s
		nb.Append(notebook.Raw, s).Metadata[s] = s
		nb.Append(notebook.Code, s)
		data, err := nb.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if nb, err = notebook.Parse(data); err != nil {
			return // not UTF-8
		}
		backAndThere(t, thereAndBack(t, nb))
	})
}
