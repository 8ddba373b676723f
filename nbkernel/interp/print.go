package interp

import (
	"fmt"
	"io"
	"log"
	"strings"
)

func Printf(f string, a ...any) (int, error) { f, a = fixT(f, a); return fmt.Fprintf(Out, f, a...) }

func Sprintf(f string, a ...any) string { f, a = fixT(f, a); return fmt.Sprintf(f, a...) }

func Errorf(f string, a ...any) error {
	f, a = fixT(f, a)
	a = append([]any(nil), a...)
	for i, x := range a {
		if b, ok := x.(Box); ok && bound(b, "Error").IsValid() {
			a[i] = &errW{b}
		}
	}
	return fmt.Errorf(f, a...)
}

func Fprintf(w io.Writer, f string, a ...any) (int, error) {
	f, a = fixT(f, a)
	return fmt.Fprintf(w, f, a...)
}

func Println(a ...any) (int, error) { return fmt.Fprintln(Out, a...) }

func Print(a ...any) (int, error) { return fmt.Fprint(Out, a...) }

func LogPrintf(f string, a ...any) { f, a = fixT(f, a); log.Printf(f, a...) }

type named string

func (n named) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, strings.TrimSuffix(fmt.FormatString(s, 's'), "s")+"s", string(n))
}

// fixT replaces the arguments of %T that are boxes by their type's name.
func fixT(f string, a []any) (string, []any) {
	if !strings.Contains(f, "T") {
		return f, a
	}
	out := []byte(f)
	n := 0
	copied := false
	for i := 0; i < len(f); i++ {
		if f[i] != '%' {
			continue
		}
		i++
		for i < len(f) && strings.IndexByte("+-# 0123456789.", f[i]) >= 0 {
			i++
		}
		if i >= len(f) || f[i] == '%' {
			continue
		}
		if f[i] == '[' || f[i] == '*' {
			return f, a
		}
		if f[i] == 'T' && n < len(a) {
			if b, ok := Norm(a[n]).(Box); ok {
				if !copied {
					a = append([]any(nil), a...)
					copied = true
				}
				a[n] = named(rtName(b.D.T))
				out[i] = 's'
			}
		}
		n++
	}
	return string(out), a
}
