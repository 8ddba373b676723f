package worker

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each display function of gonbui shows one output in the form that it has in GoNB, with text
// beside.
func TestGonbuiCells(t *testing.T) {
	p := start(t, Config{Argv: []string{os.Args[0], "go"}})
	const red = "img := image.NewRGBA(image.Rect(0, 0, 3, 2))\nvar b bytes.Buffer\npng.Encode(&b, img)\n"
	for _, tc := range []struct{ code, kind, id, mime, want, plain string }{
		{`gonbui.DisplayHTML("<b>a &lt; b</b>")`, Display, "", "text/html", "<b>a &lt; b</b>", "a < b"},
		{`gonbui.DisplayHtml("<i>x</i>")`, Display, "", "text/html", "<i>x</i>", "x"},
		{`gonbui.DisplayHTMLF("<i>%d%%</i>", 5)`, Display, "", "text/html", "<i>5%</i>", "5%"},
		{`gonbui.DisplayHtmlf("<i>%v</i>", true)`, Display, "", "text/html", "<i>true</i>", "true"},
		{`gonbui.DisplayMarkdown("# a $x^2$")`, Display, "", "text/markdown", "# a $x^2$", "# a $x^2$"},
		{red + `gonbui.DisplayPNG(b.Bytes())`, Display, "", "image/png", "\x89PNG", "picture, 3×2 pixels"},
		{`gonbui.DisplayPng(b.Bytes())`, Display, "", "image/png", "\x89PNG", "picture, 3×2 pixels"},
		{`gonbui.DisplayImage(img);`, Display, "", "image/png", "\x89PNG", "picture, 3×2 pixels"},
		{`gonbui.DisplaySVG("<svg/>")`, Display, "", "image/svg+xml", "<svg/>", "drawing"},
		{`gonbui.DisplaySvg("<svg/>")`, Display, "", "image/svg+xml", "<svg/>", "drawing"},
		{`gonbui.ScriptJavascript("1+1")`, Display, "", "text/javascript", "1+1", "script"},
		{`gonbui.UpdateHTML("one", "<p>1</p>")`, Display, "one", "text/html", "<p>1</p>", "1"},
		{`gonbui.UpdateHtml("one", "<p>2</p>")`, UpdateDisplay, "one", "text/html", "<p>2</p>", "2"},
		{`gonbui.UpdateMarkdown("two", "*m*")`, Display, "two", "text/markdown", "*m*", "*m*"},
		{`gonbui.UpdateMarkdown("two", "*n*")`, UpdateDisplay, "two", "text/markdown", "*n*", "*n*"},
		{`id := gonbui.UniqueID(); if id == gonbui.UniqueId() { panic(id) }; gonbui.UpdateHTML(id, "u")`, Display, "gonb_id_00000001", "text/html", "u", "u"},
		{"src, err := gonbui.EmbedImageAsPNGSrc(img)\ngonbui.Sync()\ngonbui.DisplayHTML(fmt.Sprint(src[:22], err, gonbui.IsNotebook, gonbui.Error()))", Display, "", "text/html",
			"data:image/png;base64,<nil> true <nil>", "data:image/png;base64, true"},
	} {
		got := runCell(t, p, tc.code)
		if len(got.events) != 1 {
			t.Errorf("%s: %s, want one output", tc.code, got.story())
			continue
		}
		e := got.events[0]
		text := fmt.Sprintf("%s", e.Data[tc.mime])
		matches := text == tc.want || tc.mime == "image/png" && strings.HasPrefix(text, tc.want)
		if e.Kind != tc.kind || e.DisplayID != tc.id || !matches || e.Data["text/plain"] != tc.plain || len(e.Data) != 2 {
			t.Errorf("%s: %s %q %v, want %s %q %s %q %q", tc.code, e.Kind, e.DisplayID, e.Data, tc.kind, tc.id, tc.mime, tc.want, tc.plain)
		}
	}
	if got := runCell(t, p, `gonbui.RequestInput("name", false)`); got.Status != Failed || !strings.Contains(got.Failure.Value, "nobody answers") {
		t.Errorf("a question that nobody answers: %+v", got.Outcome)
	}
	answers := []string{"42", "secret", "hidden"}
	var asked []string
	answer := func(e Event) {
		if e.Kind == InputRequest {
			asked = append(asked, fmt.Sprint(e.Prompt, e.Password))
			if err := p.Answer(answers[0]); err != nil {
				t.Error(err)
			}
			answers = answers[1:]
		}
	}
	code := "gonbui.RequestInput(\"n: \", false)\nvar n int\nvar pin string\nfmt.Scan(&n)\ngonbui.RequestInput(\"pin: \", true)\nfmt.Scan(&pin)\nfmt.Println(n, pin)"
	if got := runWith(t, p, context.Background(), code, ExecOptions{AllowStdin: true}, answer); got.text(Stdout) != "42 secret\n" {
		t.Errorf("answers: %q %+v", got.story(), got.Failure)
	}
	if got := runWith(t, p, context.Background(), "%with_password\n!read x; echo $x", ExecOptions{AllowStdin: true}, answer); got.text(Stdout) != "hidden\n" {
		t.Errorf("a password for a command: %q %+v", got.story(), got.Failure)
	}
	if want := "[n: false pin: true true]"; fmt.Sprint(asked) != want {
		t.Errorf("asked %v, want %s", asked, want)
	}
}

// What special lines print, and how they fail. The order of what a captured cell prints and shows
// is not kept: a star.
func TestMagicCells(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, Config{Argv: []string{os.Args[0], "go"}})
	for _, tc := range []struct{ code, want, fails string }{
		{"%cd " + dir, "stdout " + dir + "\n", ""},
		{"%cd", "stdout " + dir + "\n", ""},
		{"%cd nowhere\nfmt.Println(1)", "", "nowhere"},
		{"!echo $GONB_DIR; pwd", "stdout " + dir + "\n" + dir + "\n", ""},
		{"!*pwd", "stdout " + dir + "\n", ""},
		{"!exit 3\nfmt.Println(1)", "", "exit status 3"},
		{"!*false", "", "exit status 1"},
		{"fmt.Println(\"after\")\n!echo before", "stdout before\nafter\n", ""},
		{"!echo a \\\n  b", "stdout a b\n", ""},
		{"%env EB_ONE=1\n%env EB_TWO \"a b\"\n!echo $EB_ONE $EB_TWO\nos.Getenv(\"EB_TWO\")", "stdout EB_ONE=1\nEB_TWO=a b\n1 a b\n|result a b", ""},
		{"%env", "", "NAME=value"},
		{"%%writefile a.txt\n%env is text\n", "stderr 13 bytes written to a.txt\n", ""},
		{"%%writefile -a $GONB_DIR/a.txt\nmore\n", "stderr 5 bytes written to " + dir + "/a.txt\n", ""},
		{"!cat a.txt", "stdout %env is text\nmore\n", ""},
		{"%%writefile", "", "PATH"},
		{"%%writefile no/such\nx", "", "no/such"},
		{"%capture b.txt\nfmt.Print(\"out \")\ndisplay.Show(display.Markdown(\"shown \"))\n5", "*", ""},
		{"!grep -o 'out\\|shown\\|5' b.txt | sort", "stdout 5\nout\nshown\n", ""},
		{"%capture -a b.txt\ngonbui.DisplayHTML(\"<hr>\")", "*", ""},
		{"!grep -c 'hr' b.txt", "stdout 1\n", ""},
		{"%capture", "", "PATH"},
		{"var count = 1\nfunc half(x int) int {\n\treturn x / 2\n}", "", ""},
		{"%who", "stdout count\tint\n", ""},
		{"%ls", "stdout count\tint\nfunc half(x int) int { …\n", ""},
		{"%rm half count", "", ""},
		{"half(2)", "", "undefined: half"},
		{"%rm half", "", "half"},
		{"%rm", "", "names"},
		{"x := 1", "", ""},
		{"%reset\n%who", "", ""},
		{"x", "", "undefined: x"},
		{"%nosuch", "", "%nosuch is unknown"},
		{"y := 1\n%%bash\necho no", "", "%%bash must be the first line"},
		{"func init_a() { fmt.Println(\"init\", z) }\nvar z = 2", "stdout init 2\n", ""},
		{"%%\nfmt.Println(\"once\")", "stdout once\n", ""},
		{"func init_b() { fmt.Print(\"b \") }\n%%\nfmt.Println(\"main\")", "stdout b main\n", ""},
		{"%%nosuch\nx", "", "%%nosuch is unknown"},
		{"a := `\n%nosuch\n!exit 3\n`\n/*\n%nosuch\n*/\nlen(a)", "result 17", ""},
		{"s := \"`\"\n!echo `echo in`\nlen(s)", "stdout in\n|result 1", ""},
	} {
		got := runCell(t, p, tc.code)
		story, _, _ := strings.Cut(got.story(), "error")
		failure := ""
		if got.Failure != nil {
			failure = got.Failure.Value
		}
		if tc.want != "*" && strings.TrimSuffix(story, "|") != tc.want ||
			(tc.fails == "") != (failure == "") || !strings.Contains(failure, tc.fails) || got.Restarted {
			t.Errorf("%s\n%q and %q, want\n%q and %q", tc.code, story, failure, tc.want, tc.fails)
		}
	}
	for name := range passedOver {
		if got := runCell(t, p, "%"+name+" x\n1"); got.Status != OK || !strings.Contains(got.story(), "%"+name+" has no meaning here") || !strings.HasSuffix(got.story(), "|result 1") {
			t.Errorf("%%%s: %s %q", name, got.Status, got.story())
		}
	}
}

// cache.Cache keeps values across cells, also of types that cells declare.
func TestCacheCells(t *testing.T) {
	p := start(t, Config{Argv: []string{os.Args[0], "go"}})
	for _, tc := range []struct{ code, want, fails string }{
		{"import \"github.com/janpfeifer/gonb/cache\"\ntype row struct{ name string; n int }\nfunc slow() row { fmt.Print(\"slow \"); return row{\"a\", 1} }\ncache.Cache(\"row\", slow)", "stdout slow |result {a 1}", ""},
		{"cache.Cache(\"row\", slow).name", "result a", ""},
		{"cache.Cache(\"row\", func() int { return 1 })", "", "cache.ResetKey(\"row\")"},
		{"cache.ResetKey(\"row\")\ncache.Cache(\"row\", func() int { return 1 })", "result 1", ""},
		{"cache.Reset()\ncache.Cache(\"row\", slow).n", "stdout slow |result 1", ""},
		{"func incr[T constraints.Integer | constraints.Float](x T) T { return x + 1 }\nincr(0.5)", "result 1.5", ""},
	} {
		got := runCell(t, p, tc.code)
		story, _, _ := strings.Cut(got.story(), "error")
		if (got.Failure == nil) != (tc.fails == "") || strings.TrimSuffix(story, "|") != tc.want || got.Failure != nil && !strings.Contains(got.Failure.Value, tc.fails) {
			t.Errorf("%s\n%q %+v, want %q %q", tc.code, got.story(), got.Failure, tc.want, tc.fails)
		}
	}
}

// The README's table says what is passed over and which packages of GoNB there are.
func TestReadmeTable(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| in GoNB | here |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	if !found {
		t.Fatal("the README has no table of differences")
	}
	code := regexp.MustCompile("`([^`]*)`")
	var passed []string
	p := start(t, Config{Argv: []string{os.Args[0], "go"}})
	for row := range strings.Lines(table) {
		there, here, _ := strings.Cut(strings.Trim(row, "|\n "), " | ")
		for _, m := range code.FindAllStringSubmatch(there, -1) {
			name := strings.TrimPrefix(m[1], "%")
			if _, known := magics[name]; name != m[1] && name != "%" && name != "x" && !known {
				t.Errorf("no special line is called %s", m[1])
			}
			if strings.HasPrefix(here, "passed over") {
				passed = append(passed, name)
			}
		}
		for _, m := range code.FindAllStringSubmatch(row, -1) {
			if !strings.HasPrefix(m[1], "github.com/") {
				continue
			}
			absent := strings.Contains(here, m[0])
			if got := runCell(t, p, "import \""+m[1]+"\""); (got.Status == Failed) != absent {
				t.Errorf("%s: %s", m[1], got.Status)
			}
		}
	}
	slices.Sort(passed)
	if want := slices.Sorted(maps.Keys(passedOver)); !slices.Equal(passed, want) {
		t.Errorf("the README says that %q are passed over, these are: %q", passed, want)
	}
}
