package display

import (
	"encoding/json"
	"fmt"
	"image/color"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
)

// hostile has what HTML, TeX, Markdown, terminals and UTF-8 each take amiss.
const hostile = "<script>alert(1)</script> & \"q\" $x^2$ \\alpha *b* _i_ `c` | [l](u) \x1b[31mred\a \xff"

// TestHostileNames: names and titles are shown as text in every form.
func TestHostileNames(t *testing.T) {
	x := gaussian(4, 1, 1, 1, 1, 1)
	curve := []Curve{{Name: hostile, X: []float64{1, 2}, Y: []float64{1, 2}}}
	for name, v := range map[string]Viewer{
		"Spectrum":      Spectrum([]float64{2, 1}, SpectrumOptions{Title: hostile, YLabel: hostile}),
		"Gram":          Gram(x, GramOptions{Title: hostile, Labels: []int{0, 0, 1, 1}, ClassNames: []string{hostile}}),
		"Embedding":     Embedding(x, EmbeddingOptions{Title: hostile, Labels: []int{0, 0, 1, 1}, ClassNames: []string{hostile}, Interactive: true, PointNames: []string{hostile, "", "", ""}}),
		"Scatter":       Scatter([]PointSet{{Name: hostile, Points: x}}),
		"KernelSamples": KernelSamples(x, []PointSet{{Name: hostile, Points: x}}),
		"Curves":        Curves(curve, CurvesOptions{Title: hostile, Marks: []Mark{{Name: hostile, X: 1}}}),
		"Images":        Images([]ImageRow{{Name: hostile, Images: x}}, 2, 2),
		"Grid":          Grid([]*Figure{Curves(curve)}, GridOptions{Title: hostile}),
		"Table":         Table([]string{hostile}, [][]any{{hostile}}, TableOptions{Caption: hostile}),
		"Matrix":        Matrix(x, MatrixOptions{Caption: hostile, RowNames: []string{hostile, "", "", ""}, HeatMap: true}),
		"Math":          Math("a\x1b[31m\xff"),
	} {
		b, err := Render(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text := b.Plain(); text == "" || !utf8.ValidString(text) || strings.ContainsFunc(strings.ReplaceAll(text, "\n", ""), unicode.IsControl) {
			t.Errorf("%s: the text is %q, want UTF-8 without control characters", name, text)
		}
		if _, err := json.Marshal(b.Data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if h, ok := b.Data[MIMEHTML].(string); ok && (strings.Contains(h, "<script") || !strings.Contains(h, "mathjax_ignore")) {
			t.Errorf("%s: the HTML has markup of a name, or would show its formula: %.300s", name, h)
		}
		if m, ok := b.Data[MIMEMarkdown].(string); ok && (strings.Contains(m, "<script") || strings.Contains(m, " $x") || strings.Contains(m, " *b") || strings.Contains(m, " [l]")) {
			t.Errorf("%s: the Markdown has markup of a name: %s", name, m)
		}
	}
}

// TestNamesLeaveRoom: long titles and many names do not push the data out of the figure.
func TestNamesLeaveRoom(t *testing.T) {
	long := strings.Repeat("very long name ", 200)
	if lines := wrap(titleInk, long, 500); len(lines) != maxLines || !strings.Contains(lines[maxLines-1], "…") {
		t.Errorf("the title has %d lines, the last is %q; want %d and an ellipsis", len(lines), lines[len(lines)-1], maxLines)
	}
	if lines := wrap(titleInk, "short words in one line", 500); len(lines) != 1 {
		t.Errorf("a short title has %d lines", len(lines))
	}
	var items []legendItem
	for k := range 100 {
		items = append(items, legendItem{name: fmt.Sprint("set ", k), mark: classShape(0), color: color.RGBA{A: 255}})
	}
	s := newSurface(500, 400, 1)
	if y := drawLegend(s, rect{0, 0, 500, 400}, items); y > maxLegendLines*18 {
		t.Errorf("a legend of 100 names ends at %v of 400, want at most %d", y, maxLegendLines*18)
	}
}

// TestClassesOfOneRow: the mean within classes is of nothing then, and is not shown.
func TestClassesOfOneRow(t *testing.T) {
	if text := Gram(mat.NewDense(2, 2, []float64{1, 0, 0, 1}), GramOptions{Labels: []int{0, 1}}).String(); strings.Contains(text, "NaN") {
		t.Errorf("the summary is %q", text)
	}
}

// TestBundleWithoutText: a bundle of pictures alone is given a text.
func TestBundleWithoutText(t *testing.T) {
	b, err := Render(Bundle{Data: map[string]any{MIMEPNG: []byte("png"), MIMEHTML: "<p>"}})
	if err != nil || b.Plain() != "(image/png, text/html)" {
		t.Errorf("the text is %q, %v", b.Plain(), err)
	}
}
