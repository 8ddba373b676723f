package report

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"eigenbook/nbkernel/notebook"
)

func TestContain(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"", ""},
		{"a < b &amp; <b>c</b>", "a &lt; b &amp; <b>c</b>"},
		{"<table><tr><td>1<td>2</table>", "<table><tr><td>1<td>2</td></td></tr></table>"},
		{"</div></section><p>x", "<p>x</p>"},
		{"<b><i>x</b></i>", "<b><i>x</i></b>"},
		{"a<!-- hidden -->b", "ab"},
		{"a<!-- for ever", "a&lt;!-- for ever"},
		{"<!DOCTYPE html><?php x ?>b", "b"},
		{"<script>alert('</b>')</script>x<SCRIPT src=x>", "x"},
		{"<iframe srcdoc='<b>'>y</iframe>x", "x"},
		{`<meta http-equiv="refresh" content="0;url=http://example.org">x<base href="http://example.org">`, "x"},
		{"<plaintext>x<textarea><title>", "x"},
		{"<style>td > b { color: red }</style>x", "<style>td > b { color: red }</style>x"},
		{"<style>a</styles>b</STYLE >c", "<style>a</styles>b</STYLE >c"},
		{"x<style>body { display: none }", "x"},
		{`<img alt="a > b" src=x/>y<br>`, `<img alt="a > b" src=x/>y<br>`},
		{`<p title='"></p>'>x`, `<p title='"></p>'>x</p>`},
		{`<p a"b>x`, `<p a"b>x</p>`},
		{"<p title='x>y<b>", "&lt;p title=&#39;x&gt;y&lt;b&gt;"},
		{"<p", "&lt;p"},
		{`<svg><path d="M0"/><title>t</title></svg>`, `<svg><path d="M0"/><title>t</title></svg>`},
		{"<a<b>x", "&lt;a<b>x</b>"},
		{"<div/>x", "<div/>x</div>"},
		{"<", "&lt;"},
	} {
		if got := contain(tc.in); got != tc.want {
			t.Errorf("%q becomes\n%q, want\n%q", tc.in, got, tc.want)
		}
		if again := contain(tc.want); again != tc.want {
			t.Errorf("%q is not stable: %q", tc.want, again)
		}
	}
}

// What a cell shows, or an author writes, cannot hide the cells that follow or leave the page.
func TestOutputsStayInTheirPlace(t *testing.T) {
	hostile := "</div></section></article></main><meta http-equiv=refresh content='0;url=//x'><base href=//x><script>alert(1)</script><textarea><!-- "
	nb := notebook.New()
	nb.Append(notebook.Markdown, "# Title <b>\n\n"+hostile)
	c := nb.Append(notebook.Code, "1")
	c.Outputs = []*notebook.Output{
		{Type: notebook.DisplayData, Data: map[string]any{"text/html": hostile}},
		{Type: notebook.DisplayData, Data: map[string]any{"text/markdown": hostile}},
		{Type: notebook.DisplayData, Data: map[string]any{"text/plain": hostile, "image/svg+xml": hostile}},
		{Type: notebook.DisplayData, Data: map[string]any{"text/latex": hostile}},
		{Type: notebook.Stream, Name: "stdout\" onload=\"x", Text: hostile},
		{Type: notebook.ErrorOutput, EName: hostile, EValue: hostile, Traceback: []string{hostile}},
		{Type: notebook.DisplayData, Data: map[string]any{"application/x\"><b>": hostile}},
	}
	nb.Append(notebook.Raw, hostile)
	var b strings.Builder
	if err := Write(&b, []Run{{Notebook: nb, Path: "a.ipynb", Failures: []Failure{{Cell: 1, Message: hostile}}}}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	_, page, _ = strings.Cut(page, "<body>")
	for _, forbidden := range []string{"<script", "<meta", "<base", "<textarea", "<!--", "<plaintext", " onload=\"x"} {
		if at := strings.Index(page, forbidden); at >= 0 {
			t.Errorf("the page has %q: …%.200s", forbidden, page[max(0, at-100):])
		}
	}
	for _, element := range []string{"main", "article", "section", "div", "b", "nav"} {
		opened := strings.Count(page, "<"+element+">") + strings.Count(page, "<"+element+" ")
		if closed := strings.Count(page, "</"+element+">"); opened != closed {
			t.Errorf("%d <%s> and %d </%s>", opened, element, closed, element)
		}
	}
}

// Hostile HTML takes time in proportion to its length.
func TestContainIsLinear(t *testing.T) {
	for _, piece := range []string{"<", "<b", "<b ", "<b>", "</b>", "<!--", "<style>", "<script>", "<a b=\"", "<svg><p/>", "</"} {
		start := time.Now()
		contain(strings.Repeat(piece, 1<<18/len(piece)))
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("%d bytes of %q take %v", 1<<18, piece, d)
		}
	}
}

var forbidden = regexp.MustCompile(`(?i)<(script|iframe|plaintext)[ \t\n\f\r/>]|<!--`)

func FuzzContain(f *testing.F) {
	for _, s := range []string{"<b>x", "<p title='>'>", "<!-- -->", "<style></style>", "<svg><path/></svg>", "</b>", "<script>x</script>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := contain(s)
		if twice := contain(once); twice != once {
			t.Errorf("%q becomes %q, and that %q", s, once, twice)
		}
		if forbidden.MatchString(once) {
			t.Errorf("%q becomes %q", s, once)
		}
	})
}
