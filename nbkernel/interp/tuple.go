package interp

import (
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"eigenbook/display"
)

// Shown returns what is shown of the values of a last expression: an error if there is one,
// else the only value beside errors, else all of them as one value.
func (r Result) Shown() any {
	if len(r.Values) < 2 {
		return r.Value
	}
	last := len(r.Values) - 1
	if err, ok := r.Values[last].(error); ok {
		return err
	}
	values := r.Values
	if values[last] == nil {
		values = values[:last]
	}
	if len(values) == 1 {
		return values[0]
	}
	return tuple(values)
}

// A tuple is the value of an expression that has several, such as a call of a function with
// more than one result. It is shown as its parts, one after the other.
type tuple []any

// Bundle returns the texts of the parts and, if one of them is more than text, a page of all.
func (t tuple) Bundle() (display.Bundle, error) {
	texts := make([]string, len(t))
	var page strings.Builder
	separator, rich := ", ", false
	for i, value := range t {
		b, err := display.Render(value)
		if err != nil {
			return display.Bundle{}, fmt.Errorf("value %d of %d: %w", i+1, len(t), err)
		}
		texts[i] = b.Plain()
		if strings.Contains(texts[i], "\n") {
			separator = "\n"
		}
		markup, isHTML := b.Data[display.MIMEHTML].(string)
		switch picture := b.PNG(); {
		case picture != nil:
			fmt.Fprintf(&page, `<img alt="%s" src="data:image/png;base64,%s">`,
				html.EscapeString(texts[i]), base64.StdEncoding.EncodeToString(picture))
		case isHTML:
			page.WriteString(markup)
		default:
			fmt.Fprintf(&page, "<pre>%s</pre>", html.EscapeString(texts[i]))
		}
		rich = rich || len(b.Data) > 1
	}
	data := map[string]any{display.MIMEPlain: strings.Join(texts, separator)}
	if rich {
		data[display.MIMEHTML] = page.String()
	}
	return display.Bundle{Data: data}, nil
}
