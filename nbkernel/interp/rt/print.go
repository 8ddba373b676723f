package rt

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// The functions of package fmt that take a format get it with %T and %p of a Box replaced: a Box
// can say how it is formatted under every verb but these.

// Printf is fmt.Printf for values in boxes.
func (t *Table) Printf(format string, args ...any) (int, error) {
	return t.Fprintf(os.Stdout, format, args...)
}

// Sprintf is fmt.Sprintf for values in boxes.
func (t *Table) Sprintf(format string, args ...any) string {
	format, args = t.nameTypes(format, args)
	return fmt.Sprintf(format, args...)
}

// Fprintf is fmt.Fprintf for values in boxes.
func (t *Table) Fprintf(w io.Writer, format string, args ...any) (int, error) {
	format, args = t.nameTypes(format, args)
	return fmt.Fprintf(w, format, args...)
}

// Errorf is fmt.Errorf for values in boxes: one that is an error may stand for %w.
func (t *Table) Errorf(format string, args ...any) error {
	format, args = t.nameTypes(format, args)
	args = slices.Clone(args)
	for i, x := range args {
		if b, ok := x.(Box); ok && b.method("Error").IsValid() {
			args[i] = &boxedError{b}
		}
	}
	return fmt.Errorf(format, args...)
}

// A typeName is what %T of a Box is replaced by, under %s.
type typeName string

func (n typeName) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, fmt.FormatString(s, 's'), string(n))
}

// nameTypes replaces the arguments of %T that are boxes by the names of their types, and those
// of %p by the pointers in them. A format
// with explicit argument indexes or with widths from arguments stays as it is.
func (t *Table) nameTypes(format string, args []any) (string, []any) {
	if !strings.ContainsAny(format, "Tp") {
		return format, args
	}
	out := []byte(format)
	named := args
	n := 0 // the next argument
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		for i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0 {
			i++
		}
		if i >= len(format) || format[i] == '%' {
			continue
		}
		if format[i] == '[' || format[i] == '*' {
			return format, args
		}
		if (format[i] == 'T' || format[i] == 'p') && n < len(args) {
			if b, ok := t.Norm(args[n]).(Box); ok {
				if &named[0] == &args[0] {
					named = slices.Clone(args)
				}
				if format[i] == 'T' {
					named[n] = typeName(TypeName(b.D.T))
					out[i] = 's'
				} else {
					named[n] = b.V
				}
			}
		}
		n++
	}
	return string(out), named
}
