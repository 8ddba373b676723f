package report

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"eigenbook/nbkernel/notebook"
)

// output renders one output and counts the claims that it says were checked.
func output(o *notebook.Output, dir string) (content string, checks int) {
	switch o.Type {
	case notebook.Stream:
		content, checks = printed(o.Text)
		return fmt.Sprintf("<pre class=\"out %s\">%s</pre>\n", streamClass(o.Name), content), checks
	case notebook.ErrorOutput:
		return fmt.Sprintf("<pre class=\"out error\">%s</pre>\n", ansi(errorText(o))), 0
	}
	return bundle(o.Data, o.Metadata, dir), 0
}

func streamClass(name string) string {
	if name == "stderr" {
		return "stderr"
	}
	return "stdout"
}

// printed renders what was written to a stream, with lines that tell of a check marked.
func printed(text string) (content string, checks int) {
	var b strings.Builder
	var waiting []string // colours may reach over lines, so these are rendered together
	flush := func() {
		if len(waiting) > 0 {
			b.WriteString(ansi(strings.Join(waiting, "\n")) + "\n")
			waiting = nil
		}
	}
	for line := range strings.SplitSeq(strings.TrimRight(overwrite(text), "\n"), "\n") {
		class := ""
		switch {
		case strings.HasPrefix(line, "✓"):
			class = "check"
			checks++
		case strings.HasPrefix(line, "✗"):
			class = "uncheck"
		default:
			waiting = append(waiting, line)
			continue
		}
		flush()
		b.WriteString(`<span class="` + class + `">` + ansi(line) + "</span>\n")
	}
	flush()
	return strings.TrimSuffix(b.String(), "\n"), checks
}

// overwrite does what a terminal does with carriage returns, which progress bars use: the
// line begins again, and what is written covers what stood there.
func overwrite(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		if !strings.Contains(line, "\r") {
			continue
		}
		var shown []rune
		for _, part := range strings.Split(line, "\r") {
			written := []rune(part)
			if len(written) < len(shown) {
				written = append(written, shown[len(written):]...)
			}
			shown = written
		}
		lines[i] = string(shown)
	}
	return strings.Join(lines, "\n")
}

// errorText returns what an error output says, once.
func errorText(o *notebook.Output) string {
	trace := strings.Join(o.Traceback, "\n")
	message := o.EName
	if o.EValue != "" {
		message += ": " + o.EValue
	}
	switch {
	case strings.TrimSpace(trace) == "":
		return message
	case o.EValue != "" && strings.Contains(plainText(trace), o.EValue):
		return trace
	}
	return message + "\n" + trace
}

// pictures are the binary types a browser draws, best first.
var pictures = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// bundle renders the best type of a MIME bundle: HTML, as in Jupyter, unless it needs a
// script and there is a picture; then pictures, Markdown, formulas, text.
func bundle(data, metadata map[string]any, dir string) string {
	get := func(mime string) (string, bool) { s, ok := data[mime].(string); return s, ok }
	plain, hasPlain := get("text/plain")
	markup, hasHTML := get("text/html")
	if hasHTML && !strings.Contains(strings.ToLower(markup), "<script") {
		return "<div class=\"out html\">\n" + contain(markup) + "\n</div>\n"
	}
	for _, mime := range pictures {
		if s, ok := get(mime); ok {
			return picture("data:"+mime+";base64,"+strings.Join(strings.Fields(s), ""), plain, metadata[mime])
		}
	}
	if s, ok := get("image/svg+xml"); ok {
		return picture("data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString([]byte(s)), plain, metadata["image/svg+xml"])
	}
	if hasHTML {
		return "<div class=\"out html\">\n" + contain(markup) + "\n</div>\n"
	}
	if s, ok := get("text/markdown"); ok {
		content, _ := markdown(s, nil, dir, map[string]bool{})
		return "<div class=\"out text\">\n" + content + "</div>\n"
	}
	if s, ok := get("text/latex"); ok {
		return "<div class=\"out text\">\n" + latex(s) + "</div>\n"
	}
	if hasPlain {
		return "<pre class=\"out result\">" + ansi(strings.TrimRight(plain, "\n")) + "</pre>\n"
	}
	return structured(data)
}

// picture shows a picture with the text form of the output for those who cannot see it.
func picture(address, plain string, metadata any) string {
	size := ""
	if m, ok := metadata.(map[string]any); ok {
		for _, key := range []string{"width", "height"} {
			if n, ok := pixels(m[key]); ok {
				size += fmt.Sprintf(" %s=\"%d\"", key, n)
			}
		}
	}
	return fmt.Sprintf("<div class=\"out figure\"><img src=\"%s\"%s alt=\"%s\"></div>\n", html.EscapeString(address), size, html.EscapeString(plain))
}

func pixels(v any) (int, bool) {
	var n float64
	switch v := v.(type) {
	case json.Number:
		n, _ = v.Float64()
	case float64:
		n = v
	case int:
		n = float64(v)
	}
	return int(n), n >= 1 && n <= 20000
}

// structured shows data of types that have no picture, folded.
func structured(data map[string]any) string {
	var b strings.Builder
	for _, mime := range sortedKeys(data) {
		text, ok := data[mime].(string)
		if !ok {
			indented, err := json.MarshalIndent(data[mime], "", "  ")
			if err != nil {
				continue
			}
			text = string(indented)
		}
		fmt.Fprintf(&b, "<details class=\"out\"><summary>%s</summary><pre>%s</pre></details>\n", html.EscapeString(mime), html.EscapeString(text))
	}
	return b.String()
}
