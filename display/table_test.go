package display

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestTable(t *testing.T) {
	d := Table([]string{"model", "σ²", "q"}, [][]any{
		{"PPCA | dual", 0.00108443, 3},
		{"<KPCA>", math.Pi * 1e-9, 12},
		{errors.New("failed\ntwice"), nil, nil},
	}, TableOptions{Caption: "Models", Digits: 3})
	b, err := d.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	want := `Models
model               σ²   q
PPCA | dual    0.00108   3
<KPCA>        3.14e-09  12
failed twice`
	if b.Plain() != want || d.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.Plain(), want)
	}
	markdown := b.Data[MIMEMarkdown].(string)
	if !strings.Contains(markdown, `| PPCA \| dual | 0.00108 | 3 |`) || !strings.Contains(markdown, "|:---|---:|---:|") {
		t.Errorf("Markdown is\n%s", markdown)
	}
	html := b.Data[MIMEHTML].(string)
	for _, part := range []string{"<caption", ">&lt;KPCA&gt;</td>", `<td style="text-align:right">12</td>`, `<th style="text-align:left">model</th>`} {
		if !strings.Contains(html, part) {
			t.Errorf("HTML has no %s:\n%s", part, html)
		}
	}
	if strings.Contains(html, "<script") || strings.Contains(html, "http") {
		t.Errorf("HTML loads something:\n%s", html)
	}
}

func TestMatrix(t *testing.T) {
	m := mat.NewDense(30, 12, nil)
	for i := range 30 {
		for j := range 12 {
			m.Set(i, j, float64(100*i+j)/4)
		}
	}
	m.Set(0, 0, math.NaN())
	m.Set(1, 0, math.Inf(-1))
	got := Matrix(m, MatrixOptions{Rows: 5, Cols: 3}).String()
	golden(t, "matrix.txt", got)
	if lines := strings.Count(got, "\n") + 1; lines != 8 {
		t.Errorf("a 30×12 matrix shown with 5 rows has %d lines, want 8:\n%s", lines, got)
	}
	for _, tc := range []struct {
		m    mat.Matrix
		want string
	}{
		{mat.NewSymDense(2, []float64{1, 0.5, 0.5, 1}), "SymDense, 2×2\n     0    1\n0  1.0  0.5\n1  0.5  1.0"},
		{mat.NewVecDense(2, []float64{1e-9, 1}), "VecDense, 2×1\n       0\n0  1e-09\n1      1"},
		{mat.NewDense(1, 2, []float64{1, 2}).T(), "Transpose, 2×1\n   0\n0  1\n1  2"},
		{empty{0, 3}, "display.empty, 0×3"},
	} {
		if got := Matrix(tc.m).String(); got != tc.want {
			t.Errorf("got\n%s\nwant\n%s", got, tc.want)
		}
	}
}

func TestMatrixHeatMap(t *testing.T) {
	b, err := Matrix(gaussian(3, 1, 1, 1), MatrixOptions{HeatMap: true, Caption: "weights", RowNames: []string{"a", "b", "c"}}).Bundle()
	if err != nil {
		t.Fatal(err)
	}
	if b.PNG() == nil || !strings.Contains(b.Data[MIMEHTML].(string), "data:image/png;base64,") {
		t.Errorf("no picture in %v", b.Metadata)
	}
	if !strings.HasPrefix(b.Plain(), "weights (Dense, 3×2)\n") || !strings.Contains(b.Plain(), "\nb") {
		t.Errorf("text is\n%s", b.Plain())
	}
}

func TestElide(t *testing.T) {
	for _, tc := range []struct {
		n, limit int
		want     []int
	}{
		{0, 0, nil},
		{3, 3, []int{0, 1, 2}},
		{5, 3, []int{0, 1, -1, 4}},
		{12, 0, []int{0, 1, 2, 3, 4, 5, -1, 8, 9, 10, 11}},
		{4, 1, []int{0, -1}},
	} {
		got := elide(tc.n, tc.limit)
		if len(got) != len(tc.want) {
			t.Errorf("elide(%d, %d) = %v, want %v", tc.n, tc.limit, got, tc.want)
			continue
		}
		for i := range got {
			if got[i] != tc.want[i] {
				t.Errorf("elide(%d, %d) = %v, want %v", tc.n, tc.limit, got, tc.want)
			}
		}
	}
}

func TestPlainMath(t *testing.T) {
	for latex, want := range map[string]string{
		`\sigma^2 = \frac{1}{N-q}\sum_{j>q} \lambda_j`: "σ² = 1/(N-q)Σ_(j>q) λⱼ",
		`\mathbf{K}_c = \Phi_c^{*} \Phi_c`:             "K_c = Φ_c* Φ_c",
		`W = U_q (\Lambda_q - \sigma^2 I)^{1/2}`:       "W = U_q (Λ_q - σ² I)^(1/2)",
		`A^{-1} x^T \le 10^{-3}`:                       "A⁻¹ xᵀ ≤ 10⁻³",
		`\left\| x \right\|^2 \unknown{y}`:             "‖ x ‖² unknown y",
		`\sqrt{x+1} \\ y & z`:                          "√(x+1) ; y z",
		`unbalanced } { \`:                             "unbalanced",
	} {
		if got := plainMath(latex); got != want {
			t.Errorf("plainMath(%s) = %q, want %q", latex, got, want)
		}
	}
	b, err := Math(`$$x^2$$`).Bundle()
	if err != nil || b.Data[MIMELatex] != "$$x^2$$" || b.Plain() != "x²" {
		t.Errorf("Math = %v, %v", b.Data, err)
	}
}
