package interp

import (
	"slices"
	"strings"
	"testing"
)

// TestFollow declares names anew: functions of earlier cells that use them mean the new ones.
func TestFollow(t *testing.T) {
	for name, steps := range map[string][]step{
		"a function": {
			{"func f() int { return 1 }", ""},
			{"func g() int { return f() * 10 }", ""},
			{"func h() int { return g() + 1 }", ""},
			{"h()", "11"},
			{"func f() int { return 2 }\nh()", "21"},
			{"func f() int { return 3 }", ""},
			{"h() + g()", "61"}},
		"functions that call each other": {
			{"func f(n int) int { return n }", ""},
			{"func even(n int) bool { if n == 0 { return f(1) == 1 }; return odd(n - 1) }\nfunc odd(n int) bool { if n == 0 { return false }; return even(n - 1) }", ""},
			{"even(4)", "true"},
			{"func f(n int) int { return 7 }", ""},
			{"fmt.Sprint(even(4), odd(3))", "false false"}},
		"a function with another signature": {
			{"func f(x int) int { return x }", ""},
			{"func g() string { return fmt.Sprint(f(3)) }", ""},
			{"func h() string { return g() + \"!\" }", ""},
			{"h()", "3!"},
			{"func f(x float64) float64 { return x / 2 }\nh()", "1.5!"},
			{"func f(x float64) float64 { return x / 4 }", ""},
			{"func f(x int) string { return strings.Repeat(\"a\", x) }", ""},
			{"h()", "aaa!"}},
		"a function that some of its users do not fit": {
			{"func f(x int) int { return x }", ""},
			{"func g() int { return f(3) }\nfunc h() string { return fmt.Sprint(f(4)) }", ""},
			{"func f(x int) string { return \"new\" }", ""},
			{"fmt.Sprint(g(), h())", "3new"},
			{"func f(x int) int { return 10 * x }", ""},
			{"fmt.Sprint(g(), h())", "3040"}},
		"a generic function": {
			{"func Map[T, U any](x []T, f func(T) U) (y []U) { for _, v := range x { y = append(y, f(v)) }; return }", ""},
			{"func g() []int { return Map([]int{1, 2}, func(i int) int { return i * i }) }", ""},
			{"g()", "[1 4]"},
			{"func Map[A, B any](x []A, f func(A) B) (y []B) { for _, v := range x { y = append([]B{f(v)}, y...) }; return }", ""},
			{"g()", "[4 1]"}},
		"what a generic function calls": {
			{"func f() int { return 1 }\nfunc G[T any](x T) string { return fmt.Sprint(x, f()) }", ""},
			{"func g() string { return G(\"a\") }", ""},
			{"g() + G(2.5)", "a12.5 1"},
			{"func f() int { return 2 }", ""},
			{"g() + G(2.5)", "a22.5 2"},
			{"func f() string { return \"s\" }", ""},
			{"g() + G(2.5)", "as2.5s"}},
		"a method": {
			{"type P struct{ X int }\nfunc (p P) N() int { return p.X }\ntype Q struct{ P }", ""},
			{"func g(p P) int { return p.N() }\nfunc q() int { return Q{P{5}}.N() }\nfunc i(v interface{ N() int }) int { return v.N() }", ""},
			{"func T[X interface{ N() int }](x X) int { return x.N() }\nfunc t() int { return T(P{4}) }", ""},
			{"fmt.Sprint(g(P{3}), q(), i(P{1}), i(Q{P{2}}), t())", "3 5 1 2 4"},
			{"func (p P) N() int { return -p.X }", ""},
			{"fmt.Sprint(g(P{3}), q(), i(P{1}), i(Q{P{2}}), t())", "-3 -5 -1 -2 -4"}},
		"what a method calls": {
			{"func f() string { return \"one\" }", ""},
			{"type P struct{}\nfunc (P) String() string { return f() }\nvar s any = P{}", ""},
			{"fmt.Sprint(P{}, s)", "one one"},
			{"func f() string { return \"two\" }", ""},
			{"fmt.Sprint(P{}, s)", "two two"},
			{"func f() int { return 3 }\nfunc g() { f() }", ""},
			{"fmt.Sprint(P{}, s)", "two two"},
			{"func f(x ...int) string { return fmt.Sprint(\"four\", len(x)) }", ""},
			{"fmt.Sprint(P{}, s)", "four0 four0"}},
		"a variable": {
			{"a := 0.5", ""},
			{"func g(x float64) float64 { return a * x }", ""},
			{"old := g; g(2)", "1"},
			{"a := 2.0", ""},
			{"fmt.Sprint(g(2), old(2))", "4 1"},
			{"a *= 2; g(2)", "8"},
			{"a := 3", ""},
			{"g(2)", "8"},
			{"a := 5.0", ""},
			{"a := g(2) + 1\ng(2) + a", "33"},
			{"func k() int { return a }\na := 7\nk()", "7"}},
		"a variable of another type": {
			{"a := 1", ""},
			{"func g() string { return fmt.Sprint(a) }", ""},
			{"a := \"text\"", ""},
			{"g()", "text"},
			{"panic(\"stop\")\na := 2.5", "!stop"},
			{"g() + a", "texttext"}},
		"a variable that the cell does not come to declare": {
			{"a := 1", ""},
			{"func g() int { return a }", ""},
			{"panic(\"stop\")\na := 2", "!stop"},
			{"a = 5\ng()", "5"}},
		"a constant": {
			{"const k = 2", ""},
			{"func g() int { return k * 10 }", ""},
			{"const k = 3\ng()", "30"},
			{"const k = 4", ""},
			{"g()", "40"}},
		"a cell that does not compile": {
			{"func f() int { return 1 }\nconst k = 1", ""},
			{"func g() int { return f() + k }", ""},
			{"func f() int { return 20 }\nconst k = 30\nnope", "!undefined: nope"},
			{"g()", "2"}},
		"a type": {
			{"type P struct{ X int }\nfunc f(p P) int { return p.X }\nold := P{3}", ""},
			{"type P struct{ Y string }", ""},
			{"f(old)", "3"},
			{"f(P{\"y\"})", "!cannot use P{…} (value of struct type P (cell 2)) as P (cell 1) value in argument to f"},
			{"type P int\nf(P(1))", "!cannot use P(1) (constant 1 of int type P) as P (cell 1) value"}},
	} {
		t.Run(name, func(t *testing.T) { follow(t, steps) })
	}
}

// TestFollowNote says which function keeps the earlier meaning of a name.
func TestFollowNote(t *testing.T) {
	s := session(t)
	var notes []string
	s.note = func(text string) { notes = append(notes, text) }
	for i, source := range []string{"func f() int { return 1 }", "func g() int { return f() }\nfunc h() { f() }", "func f() string { return \"\" }"} {
		if _, err := s.Run(t.Context(), source, i+1); err != nil {
			t.Fatal(err)
		}
	}
	want := "g still uses the earlier f: with the new one it does not compile: cannot use f() (value of type string) as int value in return statement"
	if !slices.Equal(notes, []string{want}) {
		t.Errorf("the notes are %q, want %q", strings.Join(notes, "\n"), want)
	}
}
