package cell

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		name, source string
		magics       []Magic
		code         string
		main         bool
		args         []string
	}{
		{"plain", "x := 1\n", nil, "x := 1\n", false, nil},
		{"magics are blanked", "%env A 1\nx := 1\n!ls -l", []Magic{{1, "%env", "A 1"}, {3, "!", "ls -l"}}, "        \nx := 1\n      ", false, nil},
		{"main", "var x = 1\n%% -n 3 \"a b\"\nfmt.Println(x)", nil, "var x = 1\n" + strings.Repeat(" ", 13) + "\nfmt.Println(x)", true, []string{"-n", "3", "a b"}},
		{"raw string", "s := `\n%env A 1\n!ls\n`", nil, "s := `\n%env A 1\n!ls\n`", false, nil},
		{"comment", "/*\n!ls\n*/\nx := 1", nil, "/*\n!ls\n*/\nx := 1", false, nil},
		{"quote in a comment", "// don't `stop\n!ls", []Magic{{2, "!", "ls"}}, "// don't `stop\n   ", false, nil},
		{"rune and string", "c := '`'; d := \"`\\\"`\"\n!ls", []Magic{{2, "!", "ls"}}, "c := '`'; d := \"`\\\"`\"\n   ", false, nil},
		{"joined lines", "!echo a \\\nb\nx", []Magic{{1, "!", "echo a  b"}}, "         \n \nx", false, nil},
		{"as a Go comment", "//gonb:%cd /tmp\nx", []Magic{{1, "%cd", "/tmp"}}, strings.Repeat(" ", 15) + "\nx", false, nil},
		{"indented is Go", "x := a\n %b", nil, "x := a\n %b", false, nil},
		{"an operand", "x := a &&\n!b\nf(c,\n!d)\nfunc g() {\n!ls\n}", []Magic{{6, "!", "ls"}}, "x := a &&\n!b\nf(c,\n!d)\nfunc g() {\n   \n}", false, nil},
		{"in the module's folder", "!*go version", []Magic{{1, "!*", "go version"}}, strings.Repeat(" ", 12), false, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Parse(tc.source)
			if !reflect.DeepEqual(got.Magics, tc.magics) || got.Go != tc.code || got.Main != tc.main || !reflect.DeepEqual(got.Args, tc.args) || got.Whole {
				t.Errorf("Parse = %+v\nwant magics %v, Go %q, main %v, args %q", got, tc.magics, tc.code, tc.main, tc.args)
			}
		})
	}
}

func TestWholeCell(t *testing.T) {
	got := Parse("%%writefile -a out.txt\n%% not a magic\n!nor this\n")
	if !got.Whole || got.Go != "" || got.Body != "%% not a magic\n!nor this\n" || got.Magics[0] != (Magic{1, "%%writefile", "-a out.txt"}) {
		t.Errorf("Parse = %+v", got)
	}
}

func TestIsComplete(t *testing.T) {
	for source, want := range map[string]string{
		"x := 1":                    "complete",
		"func f() {":                "incomplete",
		"func f() {\n\tx := 1\n}":   "complete",
		"x := 1 +":                  "incomplete",
		"s := `abc":                 "incomplete",
		"/* a":                      "incomplete",
		"f(1,\n2":                   "incomplete",
		"func }{":                   "invalid",
		"x := \"abc":                "invalid",
		"i++":                       "complete",
		"%%bash\nif true; then":     "complete",
		"%env A (":                  "complete",
		"":                          "complete",
		"// a comment with ( in it": "complete",
	} {
		if got, _ := IsComplete(source); got != want {
			t.Errorf("IsComplete(%q) = %s, want %s", source, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"%env A 1\nx := 1", "s := `\n!ls\n`", "%%bash\nls", "!a\\\n", "//gonb:%%\nx"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		c := Parse(source)
		if !c.Whole && len(c.Go) > len(source) {
			t.Errorf("Parse(%q) made %d bytes of %d", source, len(c.Go), len(source))
		}
		IsComplete(source)
	})
}

func TestTimed(t *testing.T) {
	for source, want := range map[string]string{
		"%timeit f(x)":                  "fmt.Println(nb.Timeit(func() { f(x) }))",
		"%timeit a + b":                 "fmt.Println(nb.Timeit(func() { _ = a + b }))",
		"%timeit len(x)":                "fmt.Println(nb.Timeit(func() { _ = len(x) }))",
		"%timeit x := f(); g(x)":        "fmt.Println(nb.Timeit(func() { x := f(); g(x) }))",
		"//gonb:%timeit f(x)":           "fmt.Println(nb.Timeit(func() { f(x) }))",
		"%time x := f()\ny := 1":        "x := f()\ny := 1",
		"%time":                         "",
		"s := `\n%timeit f(x)\n`":       "s := `\n%timeit f(x)\n`",
		"%timeit f(x, \\\n  y)\nz := 1": "fmt.Println(nb.Timeit(func() { f(x,    y) }))\n\nz := 1",
	} {
		lines := strings.Split(Parse(source).Go, "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("%q is the Go %q, want %q", source, got, want)
		}
	}
}

func TestTests(t *testing.T) {
	tests, benchmarks := Tests("import \"testing\"\nfunc TestA(t *testing.T) {}\n// func TestNo(t *testing.T) {}\nvar s = `\nfunc TestNo(t *testing.T) {}\n`\n" +
		"func (r R) TestNo(t *testing.T) {}\nfunc Testing(t *testing.T) {}\nfunc Test(*testing.T) {\n}\nfunc TestHelp(t *testing.T, n int) {}\nfunc TestB(b *testing.B) {}\n" +
		"func BenchmarkÄ(b *testing.B) { func() {}() }\nfunc Test_b(t *testing.T) {}\nfunc Test")
	if !slices.Equal(tests, []string{"TestA", "Test", "Test_b"}) || !slices.Equal(benchmarks, []string{"BenchmarkÄ"}) {
		t.Errorf("Tests = %q, %q", tests, benchmarks)
	}
}

func TestInits(t *testing.T) {
	got := Inits("func init_a() {\n}\nfunc init_b(x int) {}\nfunc init() {}\nfunc (r R) init_c() {}\n// func init_d() {}\nfunc init_e() {}")
	if !slices.Equal(got, []string{"init_a", "init_e"}) {
		t.Errorf("Inits = %q", got)
	}
}

func TestUsesFlags(t *testing.T) {
	for source, want := range map[string]bool{
		"n := flag.Int(\"n\", 1, \"\")": true, "flag.Parse()": true, "flag := 1\nflag": false, "\"flag.\"": false, "// flag.Int": false, "": false, "flag": false,
	} {
		if got := UsesFlags(source); got != want {
			t.Errorf("UsesFlags(%q) = %v", source, got)
		}
	}
}
