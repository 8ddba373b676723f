// Package report writes executed notebooks as one HTML page that can be opened anywhere, sent
// by mail and printed: everything is inside, nothing is fetched, and no script runs (the
// page's own policy forbids both, also to HTML that a cell has shown; see contain).
//
// The page has a table of contents, the notebook's text with its mathematics as MathML,
// highlighted code, and the outputs: of each output the best picture or text it has. Cells
// that failed are marked, claims that were checked stand out, and each cell says how long it
// took.
package report

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"strings"
	"time"

	"eigenbook/nbkernel/notebook"
)

//go:embed style.css
var style string

// policy lets the page show what it contains and fetch or run nothing.
const policy = `default-src 'none'; img-src data:; media-src data:; font-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`

// A Run is one notebook with what is known about its execution.
type Run struct {
	Notebook *notebook.Notebook
	Path     string // of the file: its name is shown, and pictures are looked up beside it
	Kernel   string // name of the kernel that ran it; empty if it was not run
	Times    map[*notebook.Cell]time.Duration
	Elapsed  time.Duration
	Failures []Failure
}

// A Failure says why a run is not green.
type Failure struct {
	Cell    int    // number of the cell, from 1; 0 if it is about the whole notebook
	Message string // one line or more
}

// Write writes the page for the runs.
func Write(w io.Writer, runs []Run) error {
	sections := make([]*section, len(runs))
	used := map[string]bool{}
	for i := range runs {
		sections[i] = newSection(&runs[i], i+1, used)
	}
	title := "Notebooks"
	if len(sections) == 1 {
		title = sections[0].title
	}
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	b.WriteString(`<meta http-equiv="Content-Security-Policy" content="` + policy + "\">\n")
	b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	fmt.Fprintf(&b, "<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n", html.EscapeString(title), style)
	contents(&b, sections)
	b.WriteString("<main>\n")
	if len(sections) > 1 {
		overview(&b, sections)
	}
	for _, s := range sections {
		s.write(&b)
	}
	b.WriteString("</main>\n</body>\n</html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// A section is one notebook on the page.
type section struct {
	run      *Run
	anchor   string
	title    string
	headings []heading
	checks   int
	body     strings.Builder
}

func newSection(run *Run, number int, used map[string]bool) *section {
	s := &section{run: run, anchor: fmt.Sprintf("notebook-%d", number)}
	used[s.anchor] = true
	failed := map[int]bool{}
	for _, f := range run.Failures {
		failed[f.Cell] = true
	}
	dir := filepath.Dir(run.Path)
	for i, c := range run.Notebook.Cells {
		id := fmt.Sprintf("%s-cell-%d", s.anchor, i+1)
		used[id] = true
		switch c.Type {
		case notebook.Markdown:
			content, headings := markdown(c.Source, c.Attachments, dir, used)
			s.headings = append(s.headings, headings...)
			fmt.Fprintf(&s.body, "<section class=\"text\" id=\"%s\">\n%s</section>\n", id, content)
		case notebook.Code:
			s.code(c, id, dir, failed[i+1])
		default:
			if strings.TrimSpace(c.Source) != "" {
				fmt.Fprintf(&s.body, "<pre class=\"raw\" id=\"%s\">%s</pre>\n", id, html.EscapeString(c.Source))
			}
		}
	}
	s.title = strings.TrimSuffix(filepath.Base(run.Path), ".ipynb")
	for _, h := range s.headings {
		if h.level == 1 {
			s.title = h.text
			break
		}
	}
	return s
}

func (s *section) code(c *notebook.Cell, id, dir string, failed bool) {
	if strings.TrimSpace(c.Source) == "" && len(c.Outputs) == 0 {
		return
	}
	class, note := "cell", ""
	if took, ok := s.run.Times[c]; ok {
		note = duration(took)
	} else if s.run.Kernel != "" {
		class, note = "cell unrun", "not run"
	}
	if failed || hasError(c) {
		class = "cell failed"
	}
	count := "\u00a0"
	if c.ExecutionCount > 0 {
		count = fmt.Sprint(c.ExecutionCount)
	}
	fmt.Fprintf(&s.body, "<section class=\"%s\" id=\"%s\">\n<div class=\"count\">[%s]</div>\n<div class=\"body\">\n", class, id, count)
	if note != "" {
		fmt.Fprintf(&s.body, "<div class=\"time\">%s</div>\n", note)
	}
	fmt.Fprintf(&s.body, "<pre class=\"code\"><code>%s</code></pre>\n", highlight(strings.TrimRight(c.Source, "\n")))
	for _, o := range c.Outputs {
		content, checks := output(o, dir)
		s.body.WriteString(content)
		s.checks += checks
	}
	s.body.WriteString("</div>\n</section>\n")
}

func hasError(c *notebook.Cell) bool {
	for _, o := range c.Outputs {
		if o.Type == notebook.ErrorOutput && !c.HasTag("raises-exception") {
			return true
		}
	}
	return false
}

// status tells in a few words how the run went.
func (s *section) status() string {
	switch {
	case len(s.run.Failures) > 0:
		return `<span class="bad">failed</span>`
	case s.run.Kernel == "":
		return ""
	}
	return `<span class="good">passed</span>`
}

// facts lists what is known about the run.
func (s *section) facts() []string {
	var facts []string
	if s.run.Kernel != "" {
		facts = append(facts, "kernel "+html.EscapeString(s.run.Kernel))
	}
	code := 0
	for _, c := range s.run.Notebook.Cells {
		if c.Type == notebook.Code {
			code++
		}
	}
	facts = append(facts, plural(code, "code cell"))
	if s.checks > 0 {
		facts = append(facts, plural(s.checks, "claim")+" checked")
	}
	if s.run.Elapsed > 0 {
		facts = append(facts, duration(s.run.Elapsed))
	}
	return facts
}

func (s *section) write(b *strings.Builder) {
	fmt.Fprintf(b, "<article id=\"%s\">\n<p class=\"facts\"><b>%s</b> %s %s</p>\n", s.anchor,
		html.EscapeString(filepath.Base(s.run.Path)), s.status(), strings.Join(s.facts(), " · "))
	for _, f := range s.run.Failures {
		message := html.EscapeString(f.Message)
		if f.Cell > 0 {
			message = fmt.Sprintf("<a href=\"#%s-cell-%d\">Cell %d</a>: %s", s.anchor, f.Cell, f.Cell, message)
		}
		fmt.Fprintf(b, "<p class=\"failure\">%s</p>\n", message)
	}
	b.WriteString(s.body.String())
	b.WriteString("</article>\n")
}

// overview lists the notebooks of a page with several.
func overview(b *strings.Builder, sections []*section) {
	b.WriteString("<h1>Notebooks</h1>\n<table class=\"overview\">\n")
	for _, s := range sections {
		fmt.Fprintf(b, "<tr><td><a href=\"#%s\">%s</a></td><td>%s</td><td>%s</td></tr>\n", s.anchor,
			html.EscapeString(s.title), s.status(), strings.Join(s.facts(), " · "))
	}
	b.WriteString("</table>\n")
}

// contents writes the table of contents: headings of the first three levels.
func contents(b *strings.Builder, sections []*section) {
	b.WriteString("<nav aria-label=\"Contents\">\n<ul>\n")
	for _, s := range sections {
		state := ""
		if len(s.run.Failures) > 0 {
			state = ` class="failed"`
		}
		if len(sections) > 1 {
			fmt.Fprintf(b, "<li class=\"level1\"><a%s href=\"#%s\">%s</a></li>\n", state, s.anchor, html.EscapeString(s.title))
		}
		for _, h := range s.headings {
			if h.level == 1 && len(sections) > 1 && h.text == s.title || h.level > 3 {
				continue
			}
			fmt.Fprintf(b, "<li class=\"level%d\"><a href=\"#%s\">%s</a></li>\n", h.level, html.EscapeString(h.id), h.inner)
		}
	}
	b.WriteString("</ul>\n</nav>\n")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// duration shows a time with two digits or so.
func duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
