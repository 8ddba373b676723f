package browser

import (
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const emptyNotebook = `{"nbformat": 4, "nbformat_minor": 5, "cells": [], "metadata": {
	"kernelspec": {"name": "eigenbook", "display_name": "Go (Eigenbook)", "language": "go"}}}`

// outputs looks at each kind of output that is not a figure, as the front end draws it.
func outputs(p *page) {
	for _, tc := range []struct{ name, source, want string }{
		{"table", `display.Table([]string{"kernel", "σ²", "rank"}, [][]any{{"RBF", 0.12345678, 12}, {"Linear <k>", 1e-9, 3}, {"Polynomial", 123456.0, 144}},
	display.TableOptions{Caption: "Three kernels"})`,
			"table tbody tr:nth-child(2)"},
		{"matrix", "mat.NewDense(3, 4, []float64{1, 2, 3, 4, 0.5, -0.25, 1e-7, 1e7, 9, 10, 11, 12})", "table, .MathJax, img"},
		{"large-matrix", "dataset.Digits().X", "table, img"},
		{"set", "dataset.Iris()", ".output_text, table"},
		{"math", `display.Math("\\sigma^2 = \\frac{1}{d-q} \\sum_{j>q} \\lambda_j")`, ".MathJax"},
		{"markdown", "display.Markdown(\"**Bold**, a list\\n\\n- $k(x, y)$\\n- `code`\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |\")", "strong"},
		{"values", "strconv.Atoi(\"12a\")", ".output_result"},
		{"struct", "kernel.RBF{LengthScale: 2}", ".output_result"},
		{"map", "map[string][]int{\"a\": {1, 2}, \"b\": nil}", ".output_result"},
		{"compile-error", "func mean(x []float64) float64 {\n\treturn sum(x) / len(x)\n}\nfmt.Printn(mean(nil))", ".ansi-red-intense-fg, .ansi-red-fg"},
		{"panic", "func at(x []int, i int) int {\n\treturn x[i]\n}\nat([]int{1, 2}, 7)", ".ansi-red-intense-fg, .ansi-red-fg"},
		{"magic-error", "%nothing", ".ansi-red-intense-fg, .ansi-red-fg"},
		{"check-error", "check.Near(\"two and two\", 2+2, 5, 1e-9)", ".output_error"},
		{"streams", "fmt.Println(\"to stdout\")\nfmt.Fprintln(os.Stderr, \"to stderr\")\nlog.Print(\"a log line\")", ".output_stderr"},
		{"help", "%help", ".output_stdout, .output_text, .output_html"},
		{"exit", "os.Exit(3)", ".output_error"},
	} {
		i := p.start(tc.source)
		p.idle(20 * time.Second)
		p.wait(tc.name+" is drawn as "+tc.want, 5*time.Second, cellOutput(i)+".querySelector('"+tc.want+"')")
		p.do("scroll", chromedp.Evaluate[chromedp.Void]("Jupyter.notebook.scroll_to_bottom()"))
		p.shot(tc.name)
	}
	p.progress()
	p.answer()
}

// progress looks at a bar while it runs, and when it is done.
func (p *page) progress() {
	p.t.Helper()
	i := p.start("bar := display.Progress(\"rounds\", 3)\nfor range 3 {\n\ttime.Sleep(300 * time.Millisecond)\n\tbar.Add(1)\n}\nbar.Finish()")
	p.wait("a bar that is not full", 5*time.Second, cellOutput(i)+".innerText.includes('rounds')")
	p.shot("progress")
	p.idle(10 * time.Second)
	p.shot("progress-done")
	if text := p.output(i); !strings.Contains(text, "3 of 3") || strings.Contains(text, "0 of 3") {
		p.t.Errorf("a finished bar shows %q", text)
	}
}

// answer types into the field that a cell asks with.
func (p *page) answer() {
	p.t.Helper()
	i := p.start("var name string\nfmt.Print(\"Name? \")\nfmt.Scan(&name)\nfmt.Println(\"Hello,\", name)")
	p.wait("a field to type into", 5*time.Second, "document.activeElement.matches('input.raw_input')")
	p.insert("Ada")
	p.shot("question")
	p.press(kb.Enter)
	p.idle(10 * time.Second)
	p.shot("answered")
	if text := p.output(i); !strings.Contains(text, "Hello, Ada") {
		p.t.Errorf("after an answer the cell shows %q", text)
	}
}
