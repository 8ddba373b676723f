package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ReadFile reads the notebook in the named file. Errors begin with the name.
func ReadFile(name string) (*Notebook, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	nb, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return nb, nil
}

// Read reads a notebook to the end of r. The error wraps ErrSyntax, ErrUnsupported or
// ErrTooLarge if the text is to blame.
func Read(r io.Reader) (*Notebook, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%w: more than %d MB", ErrTooLarge, MaxSize>>20)
	}
	return Parse(data)
}

// Parse returns the notebook with the given text. It does not keep data.
func Parse(data []byte) (*Notebook, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if at := invalidUTF8(data); at >= 0 {
		line, column := position(data, at)
		return nil, fmt.Errorf("%w: line %d, column %d: byte %#x is not UTF-8", ErrSyntax, line, column, data[at])
	}
	doc, err := decode(data)
	if err != nil {
		return nil, err
	}
	p := parser{}
	nb := p.notebook(doc)
	if p.err != nil {
		return nil, p.err
	}
	return nb, nil
}

func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// decode reads one JSON object and nothing after it.
func decode(data []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var doc any
	err := d.Decode(&doc)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			line, column := position(data, int(d.InputOffset()))
			return nil, fmt.Errorf("%w: line %d, column %d: text after the end of the document", ErrSyntax, line, column)
		}
		object, ok := doc.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%w: the document is %s, want an object", ErrSyntax, typeName(doc))
		}
		return object, nil
	}
	var syntax *json.SyntaxError
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return nil, fmt.Errorf("%w: the file is empty", ErrSyntax)
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		line, column := position(data, len(data))
		return nil, fmt.Errorf("%w: line %d, column %d: the document ends too early", ErrSyntax, line, column)
	case errors.As(err, &syntax):
		line, column := position(data, int(syntax.Offset)-1)
		return nil, fmt.Errorf("%w: line %d, column %d: %v", ErrSyntax, line, column, err)
	}
	return nil, fmt.Errorf("%w: %v", ErrSyntax, err)
}

// position returns line and column, in characters, both counted from 1.
func position(data []byte, offset int) (line, column int) {
	offset = min(max(offset, 0), len(data))
	before := data[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])
}

// A parser turns decoded JSON into the types of this package. It takes the fields it knows
// out of each object; what is left is kept as extra. The first error stays.
type parser struct {
	err error
}

func (p *parser) failf(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%w: "+format, append([]any{ErrSyntax}, args...)...)
	}
}

func (p *parser) notebook(doc map[string]any) *Notebook {
	major, ok := integer(doc["nbformat"])
	switch {
	case !ok && doc["nbformat"] == nil:
		p.failf("the field nbformat is missing")
		return nil
	case !ok:
		p.failf("nbformat is %s, want the number 4", typeName(doc["nbformat"]))
		return nil
	case major != 4:
		p.err = fmt.Errorf("%w: nbformat is %d, want 4; opening and saving it in Jupyter, or \"jupyter nbconvert --to notebook --inplace\", upgrades it",
			ErrUnsupported, major)
		return nil
	}
	minor, ok := integer(doc["nbformat_minor"])
	if !ok || minor < 0 {
		p.failf("nbformat_minor is %s, want a number from 0", describe(doc["nbformat_minor"]))
		return nil
	}
	nb := &Notebook{Minor: minor, Metadata: p.object(doc, "metadata", "")}
	delete(doc, "nbformat")
	delete(doc, "nbformat_minor")
	list, ok := doc["cells"].([]any)
	if !ok {
		p.failf("cells is %s, want a list", describe(doc["cells"]))
		return nil
	}
	delete(doc, "cells")
	for i, v := range list {
		place := fmt.Sprintf("cell %d: ", i+1)
		object, ok := v.(map[string]any)
		if !ok {
			p.failf("%sit is %s, want an object", place, describe(v))
			return nil
		}
		nb.Cells = append(nb.Cells, p.cell(object, place))
		if p.err != nil {
			return nil
		}
	}
	nb.extra = doc
	return nb
}

func (p *parser) cell(doc map[string]any, place string) *Cell {
	c := &Cell{
		Type:     p.text(doc, "cell_type", place, required),
		ID:       p.text(doc, "id", place, optional),
		Source:   p.text(doc, "source", place, required),
		Metadata: p.object(doc, "metadata", place),
	}
	if _, ok := doc["attachments"]; ok {
		c.Attachments = p.object(doc, "attachments", place)
		for name, bundle := range c.Attachments {
			object, ok := bundle.(map[string]any)
			if !ok {
				p.failf("%sattachment %q is %s, want an object", place, name, describe(bundle))
				return nil
			}
			joinBundle(object)
		}
	}
	if c.Type != Code {
		c.extra = doc
		return c
	}
	c.ExecutionCount = p.count(doc, place)
	list, ok := doc["outputs"].([]any)
	if !ok && doc["outputs"] != nil {
		p.failf("%soutputs is %s, want a list", place, describe(doc["outputs"]))
		return nil
	}
	delete(doc, "outputs")
	for i, v := range list {
		at := fmt.Sprintf("%soutput %d: ", place, i+1)
		object, ok := v.(map[string]any)
		if !ok {
			p.failf("%sit is %s, want an object", at, describe(v))
			return nil
		}
		c.Outputs = append(c.Outputs, p.output(object, at))
	}
	c.extra = doc
	return c
}

func (p *parser) output(doc map[string]any, place string) *Output {
	o := &Output{Type: p.text(doc, "output_type", place, required)}
	switch o.Type {
	case Stream:
		o.Name = p.text(doc, "name", place, required)
		o.Text = p.text(doc, "text", place, required)
	case DisplayData, ExecuteResult:
		o.Data = p.object(doc, "data", place)
		joinBundle(o.Data)
		o.Metadata = p.object(doc, "metadata", place)
		if o.Type == ExecuteResult {
			o.ExecutionCount = p.count(doc, place)
		}
	case ErrorOutput:
		o.EName = p.text(doc, "ename", place, required)
		o.EValue = p.text(doc, "evalue", place, required)
		list, ok := doc["traceback"].([]any)
		if !ok && doc["traceback"] != nil {
			p.failf("%straceback is %s, want a list", place, describe(doc["traceback"]))
			return nil
		}
		for _, v := range list {
			line, ok := v.(string)
			if !ok {
				p.failf("%straceback holds %s, want text", place, describe(v))
				return nil
			}
			o.Traceback = append(o.Traceback, line)
		}
		delete(doc, "traceback")
	default:
		p.failf("%soutput_type is %q, want %q, %q, %q or %q", place, o.Type, Stream, DisplayData, ExecuteResult, ErrorOutput)
		return nil
	}
	o.extra = doc
	return o
}

type presence bool

const (
	required presence = true
	optional presence = false
)

// text takes a field that holds a string or a list of strings.
func (p *parser) text(doc map[string]any, key, place string, need presence) string {
	v, ok := doc[key]
	if !ok && need == optional {
		return ""
	}
	s, ok := joinLines(v)
	if !ok {
		p.failf("%s%s is %s, want text or a list of lines", place, key, describe(v))
		return ""
	}
	delete(doc, key)
	return s
}

// object takes a field that holds an object; a missing field is an empty object.
func (p *parser) object(doc map[string]any, key, place string) map[string]any {
	v, ok := doc[key]
	if !ok {
		return map[string]any{}
	}
	object, ok := v.(map[string]any)
	if !ok {
		p.failf("%s%s is %s, want an object", place, key, describe(v))
		return nil
	}
	delete(doc, key)
	return object
}

// count takes execution_count, which is null (then 0) or a number from 0.
func (p *parser) count(doc map[string]any, place string) int {
	v := doc["execution_count"]
	delete(doc, "execution_count")
	if v == nil {
		return 0
	}
	n, ok := integer(v)
	if !ok || n < 0 {
		p.failf("%sexecution_count is %s, want null or a whole number from 0", place, describe(v))
	}
	return n
}

// joinBundle joins the lists of lines in a MIME bundle, in place. JSON types stay as they are.
func joinBundle(bundle map[string]any) {
	for key, v := range bundle {
		if list, ok := v.([]any); ok && !isJSON(key) {
			if s, ok := joinLines(list); ok {
				bundle[key] = s
			}
		}
	}
}

// joinLines returns a string, or a list of strings joined.
func joinLines(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []any:
		var b strings.Builder
		for _, line := range v {
			s, ok := line.(string)
			if !ok {
				return "", false
			}
			b.WriteString(s)
		}
		return b.String(), true
	}
	return "", false
}

func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
}

func integer(v any) (int, bool) {
	number, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(number.String(), 10, 64)
	return int(n), err == nil && n <= math.MaxInt32 && n >= math.MinInt32
}

// typeName names the JSON type of a value, with its article.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	case string:
		return "text"
	case []any:
		return "a list"
	}
	return "an object"
}

// describe names a value in an error: short ones in full.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "missing"
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case string:
		if len(v) <= 40 {
			return strconv.Quote(v)
		}
	}
	return typeName(v)
}
