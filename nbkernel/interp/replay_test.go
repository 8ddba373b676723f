package interp

import (
	"fmt"
	"strings"
	"testing"
)

// TestReplay runs a session's declarations in a new one, which then knows the same.
func TestReplay(t *testing.T) {
	for name, tc := range map[string]struct {
		cells   []string
		use     string
		want    string
		refused string // the only declaration that the new session refuses, if any
	}{
		"in order": {[]string{"import \"strings\"", "type P struct{ A int }\nfunc (p P) Twice() int { return 2 * p.A }\nconst k = 3", "x := 5",
			"func f() int { return P{k}.Twice() }"}, "f()", "6", ""},
		"functions that call each other": {[]string{"func even(n int) bool { return n == 0 || odd(n-1) }\nfunc odd(n int) bool { return n != 0 && even(n-1) }"},
			"even(10)", "true", ""},
		"a method before its type": {[]string{"func (p P) N() int { return p.X }\ntype P struct{ X int }"}, "P{4}.N()", "4", ""},
		"methods of a generic type": {[]string{"type S[T any] struct{ v []T }\nfunc (s *S[T]) Push(x T) { s.v = append(s.v, x) }\nfunc (s *S[T]) Len() int { return len(s.v) }"},
			"var s S[int]\ns.Push(1)\ns.Len()", "1", ""},
		"a late method":                 {[]string{"type P struct{ X int }", "func (p P) N() int { return p.X }", "func (p P) N() int { return 2 * p.X }"}, "P{4}.N()", "8", ""},
		"a type declared anew":          {[]string{"type P struct{ X int }\nfunc (p P) N() int { return p.X }", "type P struct{ Y string }"}, "P{\"y\"}.Y", "y", ""},
		"constants declared anew":       {[]string{"const (\n\tA = iota + 1\n\tB\n)", "const A = 7", "func f() int { return 10*A + B }"}, "f() + A", "79", ""},
		"a function declared anew":      {[]string{"func f() int { return 1 }", "func g() int { return f() }", "func f() int { return 2 }"}, "g()", "2", ""},
		"a function with another type":  {[]string{"func f() int { return 1 }", "func g() string { return fmt.Sprint(f()) }", "func f() string { return \"new\" }"}, "g()", "new", ""},
		"a function that stayed behind": {[]string{"func f() int { return 1 }", "func g() int { return f() }", "func f() string { return \"\" }"}, "f()", "", "cannot use f()"},
		"an initialisation has run":     {[]string{"func init() { panicked = true }\nvar panicked = false", "func f() int { return 1 }"}, "f()", "1", ""},
		"a method needs a variable":     {[]string{"v := 1\ntype P struct{ X int }\nfunc (p P) N() int { return p.X }\nfunc (p P) V() int { return v }"}, "P{3}.N()", "3", "undefined: v"},
		"a parameter named like one":    {[]string{"v := 1\nfunc f(v int) int { return v }"}, "f(3)", "3", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := session(t)
			s.note = func(text string) { t.Log(text) }
			for i, source := range tc.cells {
				if _, err := s.Run(t.Context(), source, i+1); err != nil {
					t.Fatal(err)
				}
			}
			declarations := s.Declarations()
			fresh := session(t)
			var refused []string
			for _, source := range declarations {
				if _, err := fresh.Run(t.Context(), source, 0); err != nil {
					refused = append(refused, err.Error())
				}
			}
			if (len(refused) > 0) != (tc.refused != "") || len(refused) > 1 || !strings.Contains(strings.Join(refused, "\n"), tc.refused) {
				t.Errorf("%q: refused %q, want %q", declarations, refused, tc.refused)
			}
			got, err := fresh.Run(t.Context(), tc.use, 1)
			if err != nil || fmt.Sprint(got.Value) != tc.want {
				t.Errorf("%q: %s is %v (%v) in the new session, want %s", declarations, tc.use, got.Value, err, tc.want)
			}
			if again := fresh.Declarations(); tc.refused == "" && strings.Join(again, "\n\n") != strings.Join(declarations, "\n\n") {
				t.Errorf("the new session has %q, want %q", again, declarations)
			}
		})
	}
}
