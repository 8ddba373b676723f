package texmath

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// body returns what MathML makes of tex, without the math element and the annotation.
func body(t *testing.T, tex string) string {
	t.Helper()
	ml := MathML(tex, true)
	wellFormed(t, tex, ml)
	_, after, _ := strings.Cut(ml, "<semantics>")
	inside, _, _ := strings.Cut(after, "<annotation")
	return inside
}

func wellFormed(t *testing.T, tex, ml string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(ml))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%q gives MathML that is not well formed: %v\n%s", tex, err, ml)
		}
	}
}

func TestFormulas(t *testing.T) {
	for _, tc := range []struct{ tex, want string }{
		{`x`, `<mi>x</mi>`},
		{`12.5`, `<mn>12.5</mn>`},
		{`x_12`, `<mrow><msub><mi>x</mi><mn>1</mn></msub><mn>2</mn></mrow>`},
		{`x_{i,j}^2`, `<msubsup><mi>x</mi><mrow><mi>i</mi><mo>,</mo><mi>j</mi></mrow><mn>2</mn></msubsup>`},
		{`x^2_i`, `<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>`},
		{`f'`, `<msup><mi>f</mi><mo>′</mo></msup>`},
		{`\sigma^2`, `<msup><mi>σ</mi><mn>2</mn></msup>`},
		{`A^\top`, `<msup><mi>A</mi><mi mathvariant="normal">⊤</mi></msup>`},
		{`\frac12`, `<mfrac><mn>1</mn><mn>2</mn></mfrac>`},
		{`\frac{a}{b}`, `<mfrac><mi>a</mi><mi>b</mi></mfrac>`},
		{`{a \over b}`, `<mfrac><mi>a</mi><mi>b</mi></mfrac>`},
		{`\sqrt{x}`, `<msqrt><mi>x</mi></msqrt>`},
		{`\sqrt[3]{x}`, `<mroot><mi>x</mi><mn>3</mn></mroot>`},
		{`\sum_{i}^n`, `<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>`},
		{`\int_0^1`, `<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup>`},
		{`\int\limits_0^1`, `<munderover><mo>∫</mo><mn>0</mn><mn>1</mn></munderover>`},
		{`\mathbb{R}`, `<mi>ℝ</mi>`},
		{`\mathbf{Wx}`, `<mrow><mi>𝐖</mi><mi>𝐱</mi></mrow>`},
		{`\boldsymbol\mu`, `<mi>𝝁</mi>`},
		{`\mathcal{L}`, `<mi>ℒ</mi>`},
		{`\mathcal{N}`, `<mi>𝒩</mi>`},
		{`\mathrm{tr}`, `<mi>tr</mi>`},
		{`\mathrm{d}x`, `<mrow><mi mathvariant="normal">d</mi><mi>x</mi></mrow>`},
		{`\operatorname{tr} A`, `<mrow><mi>tr</mi>` + thin + `<mi>A</mi></mrow>`},
		{`\log(x)`, `<mrow><mi>log</mi><mo stretchy="false" form="prefix">(</mo><mi>x</mi><mo stretchy="false" form="postfix">)</mo></mrow>`},
		{`\max_x`, `<munder><mo movablelimits="true" lspace="0" rspace="0">max</mo><mi>x</mi></munder>`},
		{`\hat x`, `<mover accent="true"><mi>x</mi><mo stretchy="false">^</mo></mover>`},
		{`\text{if } x`, "<mrow><mtext>if\u00a0</mtext><mi>x</mi></mrow>"},
		{`\text{where $x$}`, "<mrow><mtext>where\u00a0</mtext><mi>x</mi></mrow>"},
		{`\left(x\right]`, `<mrow><mo stretchy="true" fence="true" form="prefix">(</mo><mi>x</mi><mo stretchy="true" fence="true" form="postfix">]</mo></mrow>`},
		{`\left.x\right|`, `<mrow><mi>x</mi><mo stretchy="true" fence="true" form="postfix">|</mo></mrow>`},
		{`\begin{pmatrix}a&b\\c&d\end{pmatrix}`, `<mrow><mo stretchy="true" fence="true" form="prefix">(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mo stretchy="true" fence="true" form="postfix">)</mo></mrow>`},
		{`a<b`, `<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>`},
		{`a \not= b`, "<mrow><mi>a</mi><mo>=\u0338</mo><mi>b</mi></mrow>"},
		{`a % comment`, `<mi>a</mi>`},
		{`x \label{eq:1}`, `<mi>x</mi>`},
		{``, `<mrow></mrow>`},
	} {
		if got := body(t, tc.tex); got != tc.want {
			t.Errorf("%s\n got %s\nwant %s", tc.tex, got, tc.want)
		}
	}
}

// What is not known, or not right, must still be there to be read.
func TestNothingIsLost(t *testing.T) {
	for _, tc := range []struct {
		tex  string
		says []string
	}{
		{`\unknowncommand{x} + y`, []string{`\unknowncommand`, "<mi>x</mi>", "<mi>y</mi>"}},
		{`\begin{tikzcd} a & b \end{tikzcd}`, []string{`\begin{tikzcd}`, "<mi>a</mi>", "<mi>b</mi>", `\end{tikzcd}`}},
		{`a } b`, []string{"<mi>a</mi>", "}", "<mi>b</mi>"}},
		{`\right) b`, []string{`\right`, "<mi>b</mi>"}},
		{`\frac{a`, []string{"<mi>a</mi>"}},
		{`\left x \right y`, []string{"<mi>x</mi>", "<mi>y</mi>"}},
		{`x^`, []string{"<mi>x</mi>"}},
		{`x__y`, []string{"<mi>x</mi>", "_", "<mi>y</mi>"}},
		{`日本 λ ≤ 1`, []string{"日", "λ", "≤"}},
		{`a\`, []string{"<mi>a</mi>", `\`}},
		{"a\x00b\xff", []string{"<mi>a</mi>", "<mi>b</mi>", "\ufffd"}},
		{`\text{100% & <b>}`, []string{"100%", "&lt;b&gt;"}},
	} {
		got := body(t, tc.tex)
		for _, want := range tc.says {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in %s", tc.tex, want, got)
			}
		}
	}
}

func TestSourceIsKept(t *testing.T) {
	const tex = `a < b & \text{"c"}`
	if ml := MathML(tex, false); !strings.Contains(ml, `<annotation encoding="application/x-tex">a &lt; b &amp; \text{&#34;c&#34;}</annotation>`) {
		t.Errorf("no annotation in %s", ml)
	}
	if strings.Contains(MathML("x", false), "display=") || !strings.Contains(MathML("x", true), `display="block"`) {
		t.Error("display is not told from inline")
	}
}

// Every command of the tables gives something, and its own name only if it is unknown.
func TestTablesAreConsistent(t *testing.T) {
	var all []token
	for k := range letters {
		all = append(all, k)
	}
	for k := range uprights {
		all = append(all, k)
	}
	for k := range operators {
		all = append(all, k)
	}
	for k := range bigs {
		all = append(all, k)
	}
	for k := range functions {
		all = append(all, k)
	}
	for k := range accents {
		all = append(all, k)
	}
	for _, k := range all {
		got := body(t, string(k)+" x")
		if strings.Contains(got, "unknown") || !strings.Contains(got, "<mi>x</mi>") || len(got) <= len("<mrow><mi>x</mi></mrow>") {
			t.Errorf("%s x gives %s", k, got)
		}
	}
}

func TestHostileInputEndsSoon(t *testing.T) {
	for _, tex := range []string{
		strings.Repeat("{", 60000),
		strings.Repeat(`\frac`, 12000),
		strings.Repeat(`\sqrt[`, 10000),
		strings.Repeat(`\left(`, 10000),
		strings.Repeat(`\begin{matrix}`, 4000),
		strings.Repeat(`\displaystyle`, 4900),
		strings.Repeat(`\over x`, 9000),
		strings.Repeat(`\text{$`, 9000),
		strings.Repeat(`x^`, 30000),
		strings.Repeat(`x`, 1<<20),
		strings.Repeat(`\substack{a\\`, 4000),
	} {
		start := time.Now()
		wellFormed(t, tex[:20], MathML(tex, true))
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%.20s…: %v", tex, took)
		}
	}
}

// The largest source takes a moment, whatever it repeats.
func TestTimeIsBounded(t *testing.T) {
	for _, piece := range []string{"1.1", "1.", "{", "}", "^", "'", `\\`, "&", `\left(`, `\right`, `\begin{matrix}`, `\end{x}`, `\frac`, `\sqrt[`, `\text{$`, `\xrightarrow[`, `\substack{`, "%\n", `\over `, `\tag{`} {
		start := time.Now()
		MathML(strings.Repeat(piece, maxSource/len(piece)), true)
		if d := time.Since(start); d > time.Second {
			t.Errorf("%d bytes of %q take %v", maxSource, piece, d)
		}
	}
}

func FuzzMathML(f *testing.F) {
	for _, seed := range []string{
		`\log p(\mathbf{x}) = -\frac{d}{2}\log 2\pi - \tfrac12 \log|\mathbf C| \quad (1)`,
		`\begin{aligned} a &= b \\[2pt] &\le \left\lVert \frac{\hat x}{\sqrt[3]{y}} \middle| z \right\rVert^2 \end{aligned}`,
		`\begin{array}{l|c} 1 & 2 \end{array} \begin{cases} 0 & \text{if $x<0$} \\ 1 \end{cases}`,
		`\xrightarrow[a]{b} \underbrace{x+y}_{z} \not\in \bigl( \operatorname*{argmax}_{\theta} \bigr)`,
		`{\bf x \rm y} \over 2`, `\mathbb \mathrm{ab}`, `\%\$\{`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, tex string) {
		wellFormed(t, tex, MathML(tex, false))
	})
}
