package report

import (
	"strings"
	"testing"
)

func TestFormulasAreFound(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []string // TeX of the formulas; a trailing ! means display
	}{
		{"a $x_1$ b $y$", []string{"x_1", "y"}},
		{"$$\na\n$$", []string{"\na\n!"}},
		{`\(a\) and \[b\]`, []string{"a", "b!"}},
		{`\\(a\\) and \\[b\\]`, []string{"a", "b!"}},
		{"\\begin{align*}\na\n\\end{align*}", []string{"\\begin{align*}\na\n\\end{align*}!"}},
		{"$5 and $6", nil},
		{"costs $5, or $x$", []string{"x"}},
		{`\$x\$`, nil},
		{"`$x$` and ``a`$y$``", nil},
		{"```\n$x$\n```\n$y$", []string{"y"}},
		{"~~~\n$x$\n~~~", nil},
		{"- ```sh\n  echo $A $B\n  ```\n$y$", []string{"y"}},
		{"```\n$x$", nil},
		{"~~$x$~~", []string{"x"}},
		{"$a\n\nb$", nil},
		{"$$a\n\nb$$", nil},
		{`$\text{if $x$ is}$`, []string{`\text{if $x$ is}`}},
		{"$ x $", []string{" x "}},
		{"$ x$", nil},
		{"| $|x|$ | b |", []string{"|x|"}},
		{"$", nil},
		{"a\\", nil},
		{"`", nil},
	} {
		_, found := takeMath(tc.text)
		var got []string
		for _, f := range found {
			s := f.tex
			if f.display {
				s += "!"
			}
			got = append(got, s)
		}
		if strings.Join(got, "¦") != strings.Join(tc.want, "¦") {
			t.Errorf("%q has formulas %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestMarkdownDoesNotTouchFormulas(t *testing.T) {
	got, _ := markdown("| a | b |\n|---|---|\n| $|x|_1*y*z$ | c |\n", nil, ".", map[string]bool{})
	if !strings.Contains(got, "<table>") || !strings.Contains(got, `<annotation encoding="application/x-tex">|x|_1*y*z</annotation>`) || strings.Contains(got, "<em>") {
		t.Errorf("got %s", got)
	}
}

func TestFormulasWhereNoElementCanStand(t *testing.T) {
	got, _ := markdown("[a](b \"$t<u$\")\n\n    indented $x$ code", nil, ".", map[string]bool{})
	if strings.Contains(got, "<math") || !strings.Contains(got, "indented $x$ code") || !strings.Contains(got, "$t&lt;u$") {
		t.Errorf("got %s", got)
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{"# $x$\n\n`a` $$b$$ \\[c\\]", "```\n$x$", "![a$b$](c \"$d$\")", "<b $x$>", "\ue0000\ue001 $x$", "[$x$]: y\n[$x$]", "1. a\n\n   $$x$$"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		markdown(source, nil, ".", map[string]bool{})
		output := latex(source)
		if output == "" {
			t.Error("nothing is shown")
		}
	})
}
