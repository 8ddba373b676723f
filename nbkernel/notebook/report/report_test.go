package report

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"eigenbook/nbkernel/notebook"
)

// page writes a report and returns its text.
func page(t *testing.T, runs ...Run) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, runs); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sample is a notebook with a failing cell.
func sample() (Run, *notebook.Notebook) {
	nb := notebook.New()
	nb.Append(notebook.Markdown, "# Dual PPCA: $\\sigma^2$\n\nText.\n\n## The fit\n\n## The fit")
	ran := nb.Append(notebook.Code, "x := 1 // one")
	ran.ExecutionCount = 7
	ran.Outputs = []*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: "a < b\n✓ first\nmiddle\n✓ second: <i>\n"}}
	bad := nb.Append(notebook.Code, "panic(1)")
	bad.ExecutionCount = 8
	bad.Outputs = []*notebook.Output{{Type: notebook.ErrorOutput, EName: "panic", EValue: "1", Traceback: []string{"\x1b[31mpanic\x1b[0m: 1"}}}
	nb.Append(notebook.Code, "never")
	return Run{Notebook: nb, Path: "dir/a.ipynb", Kernel: "eigenbook", Elapsed: 1500 * time.Millisecond,
		Times:    map[*notebook.Cell]time.Duration{ran: 12 * time.Millisecond, bad: 2 * time.Second},
		Failures: []Failure{{3, "panic: <1>"}}}, nb
}

func TestPageHasItsParts(t *testing.T) {
	run, _ := sample()
	got := page(t, run)
	for _, want := range []string{
		"<title>Dual PPCA: σ2</title>",
		`<li class="level2"><a href="#The-fit">The fit</a></li>`,
		`<a href="#The-fit-2">`, `<h2 id="The-fit-2">`,
		`<div class="count">[7]</div>`, `<div class="time">12 ms</div>`, `<div class="time">2.0 s</div>`,
		`<span class="check">✓ second: &lt;i&gt;</span>`, "a &lt; b", "2 claims checked", "3 code cells", "1.5 s",
		`<section class="cell failed" id="notebook-1-cell-3">`,
		`<a href="#notebook-1-cell-3">Cell 3</a>: panic: &lt;1&gt;`,
		`<span class="ansi1">panic</span>: 1`,
		`<section class="cell unrun" id="notebook-1-cell-4">`, "not run",
		`<span class="bad">failed</span>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// Everything is inside: nothing may be fetched and no script of ours or a cell's may run.
func TestPageStandsAlone(t *testing.T) {
	run, nb := sample()
	nb.Append(notebook.Markdown, "![remote](https://example.org/a.png) ![local](none.png)")
	got := page(t, run)
	if !strings.Contains(got, `<meta http-equiv="Content-Security-Policy" content="default-src 'none';`) || strings.Contains(policy, "script-src") {
		t.Error("the policy does not forbid scripts")
	}
	if m := regexp.MustCompile(`<script|<link|@import|src="http|url\(`).FindString(got); m != "" {
		t.Errorf("the page contains %q", m)
	}
	if !strings.Contains(got, `<a href="https://example.org/a.png">remote</a>`) {
		t.Error("a remote picture is not a link")
	}
}

func TestSeveralNotebooks(t *testing.T) {
	a, _ := sample()
	b, _ := sample()
	b.Failures = nil
	got := page(t, a, b)
	for _, want := range []string{`<article id="notebook-1">`, `<article id="notebook-2">`, `class="overview"`, `<span class="good">passed</span>`, "<title>Notebooks</title>"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(got, -1) {
		if seen[m[1]] {
			t.Errorf("two elements have the id %q", m[1])
		}
		seen[m[1]] = true
	}
}

func TestNotebookThatWasNotRun(t *testing.T) {
	run, _ := sample()
	run.Kernel, run.Times, run.Failures = "", nil, nil
	got := page(t, run)
	if strings.Contains(got, "not run") || strings.Contains(got, ">passed<") {
		t.Error("a notebook that was only converted claims something about a run")
	}
}

func TestBestOutputIsShown(t *testing.T) {
	plain := "<text>"
	for _, tc := range []struct {
		name string
		data map[string]any
		want string
	}{
		{"png", map[string]any{"image/png": "QUJD\n", "text/html": "<SCRIPT>", "text/plain": plain}, `<img src="data:image/png;base64,QUJD" width="300" alt="&lt;text&gt;">`},
		{"html and png", map[string]any{"image/png": "QUJD", "text/html": "<b>both</b>"}, "<b>both</b>"},
		{"svg", map[string]any{"image/svg+xml": "<svg/>", "text/plain": plain}, `<img src="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString([]byte("<svg/>"))},
		{"html", map[string]any{"text/html": "<b>as it is</b>", "text/latex": "x", "text/plain": plain}, "<b>as it is</b>"},
		{"markdown", map[string]any{"text/markdown": "**m**", "text/latex": "x"}, "<strong>m</strong>"},
		{"latex", map[string]any{"text/latex": "$$x$$", "text/plain": plain}, "<mi>x</mi>"},
		{"bare latex", map[string]any{"text/latex": `\frac12`}, "<mfrac>"},
		{"latex with prose", map[string]any{"text/latex": `so $a<b$ & more`}, "so <math"},
		{"plain", map[string]any{"text/plain": plain}, `<pre class="out result">&lt;text&gt;</pre>`},
		{"json", map[string]any{"application/json": map[string]any{"a": "<"}}, "<summary>application/json</summary>"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			metadata := map[string]any{"image/png": map[string]any{"width": 300}}
			got, _ := output(&notebook.Output{Type: notebook.DisplayData, Data: tc.data, Metadata: metadata}, ".")
			if !strings.Contains(got, tc.want) {
				t.Errorf("got %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestTerminalText(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"10%\r 50%\r100%\nx", "100%\nx"},
		{"long line\rshort", "shortline"},
		{"a\r\nb", "a\nb"},
		{"\x1b[1;32mgreen\x1b[0m off", `<span class="bold ansi2">green</span> off`},
		{"\x1b[38;5;160mpalette\x1b[m", "palette"},
		{"\x1b[2K\x1b[1Acleared\x1b]0;title\x07", "cleared"},
		{"bell\x07 & <", "bell &amp; &lt;"},
	} {
		if got, _ := printed(tc.text); got != tc.want {
			t.Errorf("%q is shown as %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestErrorsAreSaidOnce(t *testing.T) {
	for _, tc := range []struct {
		trace []string
		want  string
	}{
		{nil, "panic: boom"},
		{[]string{"\x1b[31mpanic: boom\x1b[0m", "line 2"}, "\x1b[31mpanic: boom\x1b[0m\nline 2"},
		{[]string{"goroutine 1"}, "panic: boom\ngoroutine 1"},
	} {
		if got := errorText(&notebook.Output{EName: "panic", EValue: "boom", Traceback: tc.trace}); got != tc.want {
			t.Errorf("%q gives %q, want %q", tc.trace, got, tc.want)
		}
	}
}

func TestPicturesAreEmbedded(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a b.png"), []byte("png"), 0o600); err != nil {
		t.Fatal(err)
	}
	attachments := map[string]any{"dot.png": map[string]any{"image/png": "QUJD"}}
	got, _ := markdown("![](attachment:dot.png) ![alt](a%20b.png) ![](../secret.png)", attachments, dir, map[string]bool{})
	for _, want := range []string{`src="data:image/png;base64,QUJD"`, `src="data:image/png;base64,cG5n" alt="alt"`, `src="../secret.png"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}
