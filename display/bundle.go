package display

import (
	"fmt"
	"image"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
)

// MIME types that this package produces.
const (
	MIMEPlain    = "text/plain"
	MIMEHTML     = "text/html"
	MIMEMarkdown = "text/markdown"
	MIMELatex    = "text/latex"
	MIMEPNG      = "image/png"
	MIMEVegaLite = "application/vnd.vegalite.v5+json"
)

// A Bundle is one result in every form in which it can be shown. The front end picks the
// form it likes best; text/plain is always there.
type Bundle struct {
	// Data maps a MIME type to its content: []byte for binary types (image/png), string for
	// text types, a value that encoding/json accepts for JSON types.
	Data map[string]any

	// Metadata maps a MIME type to its metadata, for a picture its width and height in CSS
	// pixels. It may be nil.
	Metadata map[string]any
}

// Bundle returns b itself, so that a bundle put together by hand can be shown.
func (b Bundle) Bundle() (Bundle, error) {
	if len(b.Data) == 0 {
		return Bundle{}, fmt.Errorf("%w: a Bundle without Data, want at least text/plain", ErrInput)
	}
	return b, nil
}

// Plain returns the text/plain form, or "" if there is none.
func (b Bundle) Plain() string {
	s, _ := b.Data[MIMEPlain].(string)
	return s
}

// PNG returns the picture's bytes, or nil if there is none.
func (b Bundle) PNG() []byte {
	p, _ := b.Data[MIMEPNG].([]byte)
	return p
}

// A Viewer is a value that knows how it looks. Every figure, table and text of this package
// is one; a type of your own becomes one with this single method.
type Viewer interface {
	// Bundle returns the same bytes on each call. Its error says what is wrong with the
	// input: the value, the place and the valid range.
	Bundle() (Bundle, error)
}

// A ViewerFunc is a Viewer made of a function. In interpreted code it is the way to give a
// type of your own a look, as in display.Show(display.ViewerFunc(x.View)): the interpreter
// does not pass methods through an argument of type any.
type ViewerFunc func() (Bundle, error)

// Bundle calls f.
func (f ViewerFunc) Bundle() (Bundle, error) {
	if f == nil {
		return Bundle{}, fmt.Errorf("%w: the ViewerFunc is nil", ErrInput)
	}
	return f()
}

// maxPlain bounds the text of a value that has no picture or table of its own.
const maxPlain = 64 << 10

// Render returns what Show would send for v. A Viewer renders itself; a matrix becomes a
// table, an image and a gonum plot a picture, an error its message, a string itself;
// anything else is printed with %v. A panic of a Viewer or String method comes back as an
// error.
func Render(v any) (b Bundle, err error) {
	defer func() {
		if r := recover(); r != nil {
			b, err = Bundle{}, fmt.Errorf("display: rendering %T: panic: %v", v, r)
		}
	}()
	if isNilPointer(v) {
		return plainBundle(fmt.Sprintf("(%T)(nil)", v)), nil
	}
	switch v := v.(type) {
	case Viewer:
		b, err := v.Bundle()
		if err != nil {
			return Bundle{}, err
		}
		return b.completed()
	case error:
		return plainBundle("error: " + v.Error()), nil
	case *plot.Plot:
		return Plot(v).Bundle()
	case image.Image:
		return Picture(v).Bundle()
	case mat.Matrix:
		return Matrix(v).Bundle()
	case string:
		return plainBundle(v), nil
	}
	text := printed(v)
	if len(text) > maxPlain {
		text = fmt.Sprintf("%s … (%d of %d bytes shown)", cutUTF8(text, maxPlain), maxPlain, len(text))
	}
	return plainBundle(text), nil
}

// completed returns b with text/plain, which names the other forms if b has none of its own, and checks that the
// picture is one.
func (b Bundle) completed() (Bundle, error) {
	if p, ok := b.Data[MIMEPNG]; ok {
		if _, ok := p.([]byte); !ok {
			return Bundle{}, fmt.Errorf("%w: %s of a Bundle is a %T, want []byte", ErrInput, MIMEPNG, p)
		}
	}
	if _, ok := b.Data[MIMEPlain].(string); !ok {
		names := slices.Sorted(maps.Keys(b.Data))
		b.Data = maps.Clone(b.Data)
		if b.Data == nil {
			b.Data = map[string]any{}
		}
		b.Data[MIMEPlain] = "(" + strings.Join(names, ", ") + ")"
	}
	return b, nil
}

// maxPrinted is the number of elements of a slice that are printed.
const maxPrinted = 10000

// printed returns v as %v prints it, of a long slice the beginning.
func printed(v any) string {
	r := reflect.ValueOf(v)
	_, speaks := v.(fmt.Stringer)
	if r.Kind() != reflect.Slice || r.Len() <= maxPrinted || speaks {
		return fmt.Sprintf("%v", v)
	}
	text := fmt.Sprintf("%v", r.Slice(0, maxPrinted).Interface())
	return fmt.Sprintf("%s … (%d of %d values shown)", cutUTF8(text, maxPlain-100), maxPrinted, r.Len())
}

// isNilPointer reports whether v holds a nil pointer, whose methods would fault.
func isNilPointer(v any) bool {
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

// plainBundle returns a bundle of text alone.
func plainBundle(text string) Bundle {
	return Bundle{Data: map[string]any{MIMEPlain: valid(text)}}
}

// valid returns text as UTF-8.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// clean returns a name or title as UTF-8 without control characters, which would steer a terminal. Line ends
// stay.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return ' '
		}
		return r
	}, valid(text))
}

// cutUTF8 returns at most n bytes of s, cut between characters.
func cutUTF8(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
