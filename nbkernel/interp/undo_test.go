package interp

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A step is a cell and what becomes of it: its value, or part of its error after "!".
type step struct{ source, want string }

func follow(t *testing.T, steps []step) {
	t.Helper()
	s := session(t)
	s.note = func(text string) { t.Log(text) }
	for i, st := range steps {
		got, err := s.Run(t.Context(), st.source, i+1)
		text, fails := strings.CutPrefix(st.want, "!")
		switch {
		case fails && (err == nil || !strings.Contains(err.Error(), text)):
			t.Errorf("cell %d, %q: the error is %v, want … %s …", i+1, st.source, err, text)
		case !fails && err != nil:
			t.Errorf("cell %d, %q: %v", i+1, st.source, err)
		case !fails && st.want != "" && fmt.Sprint(got.Value) != st.want:
			t.Errorf("cell %d, %q: the value is %v, want %s", i+1, st.source, got.Value, st.want)
		}
	}
}

// TestAfterAFailure follows sessions in which cells fail: what earlier cells made stays.
func TestAfterAFailure(t *testing.T) {
	for name, steps := range map[string][]step{
		"an import of a cell that does not compile": {
			{"import \"math/rand\"\nnope", "!undefined: nope"},
			{"rand.New(rand.NewPCG(1, 2)).IntN(1)", "0"}},
		"a name that was not reached": {
			{"x := 5", ""},
			{"panic(\"stop\")\nx := \"new\"\nfresh := 1", "!stop"},
			{"x", "5"},
			{"fresh", "!undefined: fresh"}},
		"a name whose value panics": {
			{"x := 5\nvar s []int", ""},
			{"x := s[3]", "!index out of range"},
			{"x", "5"}},
		"names that were reached": {
			{"x := 5", ""},
			{"x := 6; y := 7\npanic(\"stop\")", "!stop"},
			{"x + y", "13"}},
		"a method of a cell that does not compile": {
			{"type P struct{ X int }\np := P{1}", ""},
			{"func (p P) String() string { return nope }", "!undefined: nope"},
			{"fmt.Sprint(p, P{2})", "{1} {2}"},
			{"p.String()", "!1:3: p.String undefined"},
			{"func (p P) String() string { return \"P!\" }", ""},
			{"fmt.Sprint(p) + p.String()", "P!P!"}},
		"a method that is not declared anew": {
			{"type P struct{}\nfunc (P) N() int { return 1 }", ""},
			{"func (P) N() int { return 2 }\nnope", "!undefined: nope"},
			{"P{}.N()", "1"}},
		"a function that a failing cell was the first to call": {
			{"func f() int { return 4 }\nfunc g[T any](x T) T { return x }", ""},
			{"g(f()) + nope", "!undefined: nope"},
			{"g(f())", "4"}},
		"methods that a cell which was stopped was the first to need": {
			{"type P struct{ X int }\nfunc (p P) String() string { return fmt.Sprint(\"P\", p.X) }", ""},
			{"go func() { panic(P{1}) }()\nselect {}", "!panic in a goroutine: P1"},
			{"fmt.Sprint(P{2})", "P2"}},
		"an import after a variable of its name": {
			{"fmt := 3", ""},
			{"fmt", "3"},
			{"import \"fmt\"\nfmt.Sprint(1)", "1"},
			{"fmt.Sprint(2)", "2"}},
	} {
		t.Run(name, func(t *testing.T) { follow(t, steps) })
	}
}

// TestTypesOfCellsInCompiledCode gives types of a cell to compiled functions as interfaces
// of packages that no cell names.
func TestTypesOfCellsInCompiledCode(t *testing.T) {
	for name, steps := range map[string][]step{
		"a kernel": {
			{"type K struct{ S float64 }\nfunc (k K) Eval(x, y []float64) float64 { return k.S * floats.Dot(x, y) }\n" +
				"func (K) Validate() error { return nil }\nfunc (K) String() string { return \"K\" }", ""},
			{"g, err := gram.Compute(context.Background(), K{2}, mat.NewDense(2, 1, []float64{3, 5}))\ng.At(0, 1)", "30"}},
		"a writer": {
			{"type W struct{ n int }\nfunc (w *W) Write(p []byte) (int, error) { w.n += len(p); return len(p), nil }", ""},
			{"w := &W{}\nfmt.Fprintf(w, \"four%d\", 4)\nw.n", "5"}},
		"a matrix": {
			{"type I struct{}\nfunc (I) Dims() (int, int) { return 2, 2 }\nfunc (i I) T() mat.Matrix { return i }\n" +
				"func (I) At(i, j int) float64 { if i == j { return 1 }; return 0 }", ""},
			{"mat.Sum(I{})", "2"}},
	} {
		t.Run(name, func(t *testing.T) { follow(t, steps) })
	}
}

func TestMute(t *testing.T) {
	s := session(t)
	if _, err := s.Run(t.Context(), "x := 3\nfunc f() int { return 1 }", 1); err != nil {
		t.Fatal(err)
	}
	for source, mute := range map[string]bool{
		"x": false, "x;": true, "x; // a comment": true, "x /* a */ ; /* b */": true, "x // ;": false,
		"x\n// a comment;\n": false, "fmt.Sprint(\";\")": false, "f();\nfunc g() {}": true, "f()\nfunc g() {}": false,
		"x; x": false, "`;\n`": false,
	} {
		got, err := s.Run(t.Context(), source, 2)
		if err != nil || got.Mute != mute || got.HasValue == mute {
			t.Errorf("%q: mute %v, value %v (%v), want mute %v", source, got.Mute, got.HasValue, err, mute)
		}
	}
}

// TestFile runs a whole file as a cell: its variables depend on each other in any order.
func TestFile(t *testing.T) {
	follow(t, []step{{"package main\n\nvar b = a + 1\nvar a = f()\nvar c, d = g()\n\nfunc f() int { return 2 }\n\n" +
		"func g() (int, int) { return b, a }\n\nfunc main() { a += 10 }\n", ""}, {"fmt.Sprint(a, b, c, d)", "12 3 3 2"}})
}

func TestExitOfFlags(t *testing.T) {
	for args, want := range map[string]int{"-none": 2, "-h": 0} {
		s := sessionWith(t, Options{Args: []string{args}})
		_, err := s.Run(t.Context(), "flag.CommandLine.SetOutput(io.Discard)\nflag.Parse()", 1)
		var e *Error
		if !errors.As(err, &e) || e.Kind != Exit || e.ExitCode != want {
			t.Errorf("%s: %v, want exit status %d", args, err, want)
		}
	}
}
