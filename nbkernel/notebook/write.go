package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Write writes the notebook as Jupyter does. Cells without an id get one if the format
// wants ids.
func (nb *Notebook) Write(w io.Writer) error {
	data, err := nb.Bytes()
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// Bytes returns the text of the notebook's file.
func (nb *Notebook) Bytes() ([]byte, error) {
	nb.completeIDs()
	cells := make([]any, len(nb.Cells))
	for i, c := range nb.Cells {
		cells[i] = nb.cellObject(c)
	}
	doc := maps.Clone(nb.extra)
	if doc == nil {
		doc = map[string]any{}
	}
	doc["cells"] = cells
	doc["metadata"] = orEmpty(nb.Metadata)
	doc["nbformat"] = 4
	doc["nbformat_minor"] = nb.Minor
	var e encoder
	if err := e.value(doc, 0); err != nil {
		return nil, err
	}
	e.buf.WriteByte('\n')
	return e.buf.Bytes(), nil
}

func (nb *Notebook) cellObject(c *Cell) map[string]any {
	doc := maps.Clone(c.extra)
	if doc == nil {
		doc = map[string]any{}
	}
	doc["cell_type"] = c.Type
	doc["metadata"] = orEmpty(c.Metadata)
	doc["source"] = splitLines(c.Source)
	if c.ID != "" {
		doc["id"] = c.ID
	}
	if c.Attachments != nil {
		attachments := map[string]any{}
		for name, bundle := range c.Attachments {
			if object, ok := bundle.(map[string]any); ok {
				attachments[name] = splitBundle(object)
			} else {
				attachments[name] = bundle
			}
		}
		doc["attachments"] = attachments
	}
	if c.Type == Code {
		doc["execution_count"] = countValue(c.ExecutionCount)
		outputs := make([]any, len(c.Outputs))
		for i, o := range c.Outputs {
			outputs[i] = o.object()
		}
		doc["outputs"] = outputs
	}
	return doc
}

func (o *Output) object() map[string]any {
	doc := maps.Clone(o.extra)
	if doc == nil {
		doc = map[string]any{}
	}
	doc["output_type"] = o.Type
	switch o.Type {
	case Stream:
		doc["name"] = o.Name
		doc["text"] = splitLines(o.Text)
	case DisplayData, ExecuteResult:
		doc["data"] = splitBundle(o.Data)
		doc["metadata"] = orEmpty(o.Metadata)
		if o.Type == ExecuteResult {
			doc["execution_count"] = countValue(o.ExecutionCount)
		}
	case ErrorOutput:
		doc["ename"], doc["evalue"] = o.EName, o.EValue
		lines := make([]any, len(o.Traceback))
		for i, line := range o.Traceback {
			lines[i] = line
		}
		doc["traceback"] = lines
	}
	return doc
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func countValue(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// splitBundle returns a bundle whose text is split into lines: the types that Jupyter splits.
func splitBundle(bundle map[string]any) map[string]any {
	out := make(map[string]any, len(bundle))
	for key, v := range bundle {
		s, ok := v.(string)
		if ok && (strings.HasPrefix(key, "text/") || key == "application/javascript" || key == "image/svg+xml") {
			out[key] = splitLines(s)
		} else {
			out[key] = v
		}
	}
	return out
}

// splitLines splits after every line end that Python's str.splitlines knows, since it is
// Python that decides what Jupyter's files look like.
func splitLines(s string) []any {
	lines := []any{}
	start := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch r {
		case '\r':
			if i < len(s) && s[i] == '\n' {
				i++
			}
		case '\n', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		default:
			continue
		}
		lines = append(lines, s[start:i])
		start = i
	}
	if start < len(s) {
		lines = append(lines, s[start:])
	}
	return lines
}

// An encoder writes JSON as Python's json.dumps(indent=1, sort_keys=True,
// ensure_ascii=False) does.
type encoder struct {
	buf bytes.Buffer
}

func (e *encoder) value(v any, depth int) error {
	switch v := v.(type) {
	case nil:
		e.buf.WriteString("null")
	case bool:
		e.buf.WriteString(strconv.FormatBool(v))
	case string:
		e.text(v)
	case int:
		e.buf.WriteString(strconv.Itoa(v))
	case json.Number:
		e.buf.WriteString(v.String())
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("notebook: %v cannot be written as JSON", v)
		}
		e.buf.Write(strconv.AppendFloat(nil, v, 'g', -1, 64))
	case map[string]any:
		if len(v) == 0 {
			e.buf.WriteString("{}")
			return nil
		}
		e.buf.WriteByte('{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			e.next(i, depth+1)
			e.text(key)
			e.buf.WriteString(": ")
			if err := e.value(v[key], depth+1); err != nil {
				return err
			}
		}
		e.newline(depth)
		e.buf.WriteByte('}')
	case []any:
		if len(v) == 0 {
			e.buf.WriteString("[]")
			return nil
		}
		e.buf.WriteByte('[')
		for i, item := range v {
			e.next(i, depth+1)
			if err := e.value(item, depth+1); err != nil {
				return err
			}
		}
		e.newline(depth)
		e.buf.WriteByte(']')
	default:
		return e.other(v, depth)
	}
	return nil
}

// other writes a value of any type that encoding/json can write.
func (e *encoder) other(v any, depth int) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("notebook: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var plain any
	if err := d.Decode(&plain); err != nil {
		return fmt.Errorf("notebook: %w", err)
	}
	return e.value(plain, depth)
}

func (e *encoder) next(i, depth int) {
	if i > 0 {
		e.buf.WriteByte(',')
	}
	e.newline(depth)
}

func (e *encoder) newline(depth int) {
	e.buf.WriteByte('\n')
	for range depth {
		e.buf.WriteByte(' ')
	}
}

// text writes a string, escaping only what JSON requires.
func (e *encoder) text(s string) {
	e.buf.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"':
			e.buf.WriteString(`\"`)
		case '\\':
			e.buf.WriteString(`\\`)
		case '\n':
			e.buf.WriteString(`\n`)
		case '\r':
			e.buf.WriteString(`\r`)
		case '\t':
			e.buf.WriteString(`\t`)
		case '\b':
			e.buf.WriteString(`\b`)
		case '\f':
			e.buf.WriteString(`\f`)
		default:
			if r < 0x20 {
				fmt.Fprintf(&e.buf, `\u%04x`, r)
			} else {
				e.buf.WriteRune(r)
			}
		}
	}
	e.buf.WriteByte('"')
}
