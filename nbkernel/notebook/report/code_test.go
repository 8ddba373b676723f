package report

import (
	"html"
	"regexp"
	"testing"
)

func TestHighlight(t *testing.T) {
	for _, tc := range []struct{ source, want string }{
		{`x := f("a<", 1.5) // c`, `x := <span class="f">f</span>(<span class="s">&#34;a&lt;&#34;</span>, <span class="n">1.5</span>) <span class="c">// c</span>`},
		{"for { return nil }", `<span class="k">for</span> { <span class="k">return</span> <span class="b">nil</span> }`},
		{"%time\na", "<span class=\"m\">%time</span>\na"},
		{"a\n!ls \\\n -l\nb", "a\n<span class=\"m\">!ls \\\n -l</span>\nb"},
		{"%%bash\nfor x; do", "<span class=\"m\">%%bash</span>\nfor x; do"},
		{"`raw\r\n`x", "<span class=\"s\">`raw\r\n`</span>x"},
	} {
		if got := highlight(tc.source); got != tc.want {
			t.Errorf("%q\n got %s\nwant %s", tc.source, got, tc.want)
		}
	}
}

var spans = regexp.MustCompile(`</?span[^>]*>`)

// Whatever a cell contains, the page shows all of it.
func FuzzHighlight(f *testing.F) {
	for _, seed := range []string{"x := 1", "`raw\r\n\r`", "/* a\r */ b", "\"open", "%%\nfunc", "'", "a\r\nb // c\r\n", "\xff\x00", "//gonb:%% \\", "!\\\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if got := html.UnescapeString(spans.ReplaceAllString(highlight(source), "")); got != html.UnescapeString(html.EscapeString(source)) {
			t.Errorf("%q is shown as %q", source, got)
		}
	})
}
