package interp

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestCells runs sessions of cells and compares the value of the last one. Several of them
// are places where yaegi alone computes something else.
func TestCells(t *testing.T) {
	for _, tc := range []struct {
		name  string
		cells []string
		want  string
	}{
		{"values are kept", []string{"x := 1", "x += 2", "x"}, "3"},
		{"a name gets another type", []string{"x := 1", `x := "one"`, "x"}, "one"},
		{"shadowing reads the old value", []string{"x := 1", "x := x + 1", "x"}, "2"},
		{"range over int", []string{"s := 0\nfor i := range 4 { s += i }\ns"}, "6"},
		{"min, max", []string{"min(3, 1, 2) + max(1.5, 2)"}, "3"},
		{"loop variables are new in each turn", []string{"var fs []func() int\nfor i := 0; i < 3; i++ { fs = append(fs, func() int { return i }) }",
			"fmt.Sprint(fs[0](), fs[1](), fs[2]())"}, "0 1 2"},
		{"deferred arguments are early", []string{"func f() (r string) { x := 1; defer func(v int) { r = fmt.Sprint(v) }(x); x = 2; return }", "f()"}, "1"},
		{"interface case of a type switch", []string{"var v any = io.EOF\ns := \"\"\nswitch v.(type) {\ncase error:\ns = \"error\"\ndefault:\ns = \"default\"\n}\ns"}, "error"},
		{"a typed nil is no nil error", []string{"type E struct{}\nfunc (*E) Error() string { return \"e\" }\nfunc f() error { var e *E; return e }", "f() == nil"}, "false"},
		{"inferred type arguments", []string{"func Map[T, U any](x []T, f func(T) U) []U { var y []U; for _, v := range x { y = append(y, f(v)) }; return y }",
			"Map([]int{1, 2}, func(i int) string { return strings.Repeat(\"a\", i) })"}, "[a aa]"},
		{"a redefined method is the new one", []string{"type P struct{}\nfunc (P) N() int { return 1 }", "p := P{}", "func (P) N() int { return 2 }", "p.N()"}, "2"},
		{"a type that embeds one gains its methods", []string{"type T struct{ n int }\nfunc (t *T) Zero() { t.n = 0 }", "type W struct{ T }", "w := W{T{3}}\nfmt.Sprint(w, &w)",
			"func (t T) String() string { return fmt.Sprint(\"T\", t.n) }", "var s fmt.Stringer = &w\nfmt.Sprint(w, &w, []W{w}, s)"}, "T3 T3 [T3] T3"},
		{"a type that was printed learns to read itself", []string{"type T float64\nfunc (t T) String() string { return \"T\" }", "type W struct { A T; B []T }", "w := W{}\nfmt.Sprint(w)",
			"func (t *T) UnmarshalJSON([]byte) error { *t = 9; return nil }", "err := json.Unmarshal([]byte(`{\"A\": 1, \"B\": [2]}`), &w)\nfmt.Sprint(err, float64(w.A), float64(w.B[0]))"}, "<nil> 9 9"},
		{"comma ok at the top", []string{"m := map[string]int{\"a\": 1}\nv, ok := m[\"a\"]\nif w, ok := m[\"b\"]; !ok { v += w + 10 }", "fmt.Sprint(v, ok)"}, "11 true"},
		{"a name that prints elements", []string{"type T int\nfunc (T) String() string { return \"T\" }", "fmt.Sprint([]T{1, 2})"}, "[T T]"},
		{"known packages need no import", []string{"math.Sqrt(kernel.RBF{LengthScale: 1}.Eval([]float64{1}, []float64{1}))"}, "1"},
		{"main runs once", []string{"n := 0\nfunc main() { n++ }", "1 + 1", "n"}, "1"},
		{"package clause", []string{"package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Sprint() }", "3"}, "3"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := session(t)
			var last Result
			for i, source := range tc.cells {
				var err error
				if last, err = s.Run(t.Context(), source, i+1); err != nil {
					t.Fatalf("cell %d: %v", i+1, err)
				}
			}
			if got := fmt.Sprint(last.Value); !last.HasValue || got != tc.want {
				t.Errorf("the last value is %v (%v), want %s", got, last.HasValue, tc.want)
			}
		})
	}
}

// sessionWith returns a session; the arguments and flags of the test binary come back after t.
func sessionWith(t testing.TB, o Options) *Session {
	t.Helper()
	args, flags := os.Args, flag.CommandLine
	t.Cleanup(func() { os.Args, flag.CommandLine = args, flags })
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func session(t testing.TB) *Session {
	t.Helper()
	return sessionWith(t, Options{})
}

// TestErrors names kind, line and text of what fails.
func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		name, source, kind string
		line               int
		text               string
	}{
		{"undefined name", "x := 1\n\ny := nope", CompileError, 3, "undefined: nope"},
		{"two errors", "a := nope1\nb := nope2", CompileError, 1, "undefined: nope2"},
		{"syntax", "x := ", CompileError, 1, "expected"},
		{"types", "var s string = 3", CompileError, 1, "cannot use 3"},
		{"missing return", "func f() int { }", CompileError, 1, "missing return"},
		{"not compiled in", "import \"os/exec\"", CompileError, 1, "os/exec"},
		{"index", "var s []int\ni := 3\n_ = s[i]", Panic, 3, "index out of range"},
		{"in a function", "func f(s []int) int {\n\treturn s[1]\n}\nf(nil)", Panic, 2, "index out of range"},
		{"matrix", "m := mat.NewDense(2, 2, nil)\n\nm.At(5, 5)", Panic, 3, "row index out of range"},
		{"check", "check.Near(\"one is two\", 1, 2, 0)", CheckFailed, 1, "one is two"},
		{"exit", "os.Exit(3)", Exit, 0, "exit status 3"},
		{"exit in a deferring function", "func f() { defer func() { recover() }(); os.Exit(3) }\nf()", Exit, 0, "exit status 3"},
		{"exit in a goroutine", "go os.Exit(4)\nselect {}", Exit, 0, "exit status 4"},
		{"goroutine", "go func() { panic(\"lost\") }()\nselect {}", Panic, 1, "lost"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := session(t)
			_, err := s.Run(t.Context(), tc.source, 1)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("the error is %v", err)
			}
			if e.Kind != tc.kind || e.Line != tc.line || !strings.Contains(e.Message, tc.text) {
				t.Errorf("%s at line %d: %s\nwant %s at line %d: … %s", e.Kind, e.Line, e.Message, tc.kind, tc.line, tc.text)
			}
		})
	}
}

func TestFailedCellLeavesNoTrace(t *testing.T) {
	s := session(t)
	if _, err := s.Run(t.Context(), "a := 1", 1); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context(), "a := 2\nb := nope\nc := 3", 2); err == nil {
		t.Fatal("the cell did not fail")
	}
	got, err := s.Run(t.Context(), "a", 3)
	if err != nil || got.Value != 1 {
		t.Errorf("a is %v after the cell that failed (%v), want 1", got.Value, err)
	}
	if vars := s.Variables(); len(vars) != 1 || vars[0] != (Variable{"a", "int"}) {
		t.Errorf("variables %v, want a alone", vars)
	}
}

func TestInterrupt(t *testing.T) {
	s := session(t)
	sources := []string{"for {\n}", "select {}", "<-make(chan int)", "sort.Slice(make([]int, 9), func(i, j int) bool { for {} })"}
	if !raceDetector { // a cell that is left in a compiled call still has the session's variables
		sources = append(sources, "time.Sleep(time.Minute)", "var mu sync.Mutex\nmu.Lock()\nmu.Lock()")
	}
	for _, source := range sources {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err := s.Run(ctx, source, 1)
		cancel()
		var e *Error
		if !errors.As(err, &e) || e.Kind != Interrupted {
			t.Errorf("%q: %v, want it interrupted", source, err)
		}
	}
	if got, err := s.Run(t.Context(), "1 + 1", 2); err != nil || got.Value != 2 {
		t.Errorf("after the interrupts 1 + 1 is %v (%v)", got.Value, err)
	}
}

func TestValueOfACell(t *testing.T) {
	s := session(t)
	for source, want := range map[string]Result{
		"fmt.Sprint(1);":      {Mute: true},
		"fmt.Println()":       {},
		"x := 1":              {Mute: true},
		"strconv.Atoi(\"7\")": {HasValue: true, Value: 7, Values: []any{7, nil}},
	} {
		got, err := s.Run(t.Context(), source, 1)
		if err != nil || got.HasValue != want.HasValue || fmt.Sprint(got.Values) != fmt.Sprint(want.Values) {
			t.Errorf("%s: %+v (%v), want %+v", source, got, err, want)
		}
	}
}

func TestManyCells(t *testing.T) {
	s := session(t)
	for i := range 300 {
		if _, err := s.Run(t.Context(), fmt.Sprintf("func f%d(x int) int { return x + %d }\ny := f%d(1)", i%7, i, i%7), i); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Run(t.Context(), "y", 300); err != nil || got.Value != 300 {
		t.Errorf("y is %v (%v), want 300", got.Value, err)
	}
}
