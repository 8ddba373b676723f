package interp

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestPositions runs cells of which the last one panics, and compares where: the line in it and
// the calls, innermost first.
func TestPositions(t *testing.T) {
	for name, tc := range map[string]struct {
		cells []string
		line  int
		trace string
	}{
		"a statement":               {[]string{"var s []int\n\n_ = s[1]"}, 3, "cell 1, line 3"},
		"the body of a loop":        {[]string{"s := make([]int, 3)\nn := 0\nfor i := range 5 {\n\tn += i\n\ts[i] = n\n\tn++\n}"}, 5, "cell 1, line 5"},
		"one of several statements": {[]string{"s := make([]int, 3)\nfor i := range 5 {\n\ts[0] = i\n\tif i > 0 {\n\t\ts[1] = i\n\t}\n\ts[i]++\n\ts[2] = i\n}"}, 7, "cell 1, line 7"},
		"the condition of a loop":   {[]string{"s := make([]int, 3)\ni := 0\nfor ; s[i] == 0; i++ {\n\tif i == 1 {\n\t\tcontinue\n\t}\n\ts[0] = 0\n}"}, 3, "cell 1, line 3"},
		"after a loop":              {[]string{"s := make([]int, 3)\nfor i := range s {\n\ts[i] = i\n}\n_ = s[3]"}, 5, "cell 1, line 5"},
		"after a branch":            {[]string{"s := make([]int, 3)\nfor i := 2; ; i++ {\n\tswitch i {\n\tcase 2:\n\t\ts[1] = 0\n\tdefault:\n\t\ts[2] = 1\n\t}\n\ts[i] = 1\n}"}, 9, "cell 1, line 9"},
		"functions of other cells": {[]string{"func f(s []int) int {\n\tn := len(s)\n\treturn s[n]\n}", "func g() int {\n\n\treturn f(nil)\n}", "1 + 1", "x := 1\nx += g()"},
			2, "f, cell 1, line 3|g, cell 2, line 3|cell 4, line 2"},
		"a method":                               {[]string{"type P struct{ v []int }\nfunc (p *P) At(i int) int {\n\treturn p.v[i]\n}", "p := P{}\nfmt.Sprint(p.At(2))"}, 2, "P.At, cell 1, line 3|cell 2, line 2"},
		"an instance in a later cell":            {[]string{"func First[T any](x []T) T {\n\treturn x[0]\n}", "\nFirst([]string{})"}, 2, "First, cell 1, line 2|cell 2, line 2"},
		"a recursion":                            {[]string{"func down(n int, s []int) int {\n\tif n == 0 {\n\t\treturn s[0]\n\t}\n\treturn down(n-1, s) + s[1]\n}\ndown(5, nil)"}, 3, "down, cell 1, line 3|cell 1, line 7"},
		"a literal":                              {[]string{"f := func(s []int) int {\n\treturn s[4]\n}\nx := 1\nx += f(nil)"}, 2, "cell 1, line 2"},
		"a literal that a goroutine begins with": {[]string{"done := make(chan bool)\nn := 0\ngo func(s []int) {\n\t<-done\n\ts[0] = 1\n}(nil)\nclose(done)\nfor {\n\tn = n / (n + 1)\n}"}, 5, "cell 1, line 5"},
		"main":                                   {[]string{"package main\n\nfunc main() {\n\tvar m map[string]int\n\tfor range 2 {\n\t\tm[\"a\"] = 1\n\t}\n}\n"}, 6, "cell 1, line 6"},
		"after a panic that was recovered":       {[]string{"func f() {\n\tpanic(1)\n}\nfunc g() {\n\tdefer func() { recover() }()\n\tf()\n}\ng()\npanic(2)"}, 9, "cell 1, line 9"},
		"a goroutine":                            {[]string{"func f(s []int) {\n\ts[0] = 1\n}\ngo f(nil)\nselect {}"}, 2, "f, cell 1, line 2"},
		"a function that defers":                 {[]string{"func f(s []int) {\n\tdefer func() {}()\n\ts[0] = 1\n}\nf(nil)"}, 3, "f, cell 1, line 3|cell 1, line 5"},
		"compiled code":                          {[]string{"m := mat.NewDense(2, 2, nil)\nfor i := range 3 {\n\tx := i\n\t_ = m.At(x, 0)\n}"}, 4, "cell 1, line 4"},
		"a division":                             {[]string{"n := 0\nx := 1\nx++\nx = x / n"}, 4, "cell 1, line 4"},
		"a division in a loop":                   {[]string{"x := 1\nfor n := 3; ; {\n\tx++\n\tn--\n\tx /= n\n}"}, 5, "cell 1, line 5"},
	} {
		t.Run(name, func(t *testing.T) {
			s := session(t)
			for i, source := range tc.cells {
				_, err := s.Run(t.Context(), source, i+1)
				if i < len(tc.cells)-1 {
					if err != nil {
						t.Fatal(err)
					}
					continue
				}
				var e *Error
				if !errors.As(err, &e) {
					t.Fatalf("the error is %v", err)
				}
				var trace []string
				for _, line := range e.Traceback {
					if strings.Contains(line, "line ") {
						trace = append(trace, line)
					}
				}
				if got := strings.Join(trace, "|"); e.Line != tc.line || got != tc.trace {
					t.Errorf("line %d, %s\nwant line %d, %s", e.Line, got, tc.line, tc.trace)
				}
			}
		})
	}
}

// TestTraceShowsSource has the innermost line with a mark below its column.
func TestTraceShowsSource(t *testing.T) {
	s := session(t)
	_, err := s.Run(t.Context(), "var s []int\nif true {\n\ts[2] = 1\n}", 7)
	var e *Error
	if !errors.As(err, &e) || strings.Join(e.Traceback, "\n") != "cell 7, line 3\n\ts[2] = 1\n\t^" {
		t.Errorf("the trace is %q", e.Traceback)
	}
}

// TestStackOverflow stops a recursion without end before Go ends the process.
func TestStackOverflow(t *testing.T) {
	if raceDetector {
		t.Skip("the functions that call each other are found by a look at their line variables while they run")
	}
	s := session(t)
	for _, tc := range []struct{ source, want string }{
		{"func f(n int) int {\n\treturn f(n+1) + 1\n}\nkept := 3\nf(0)", "stack overflow: f calls itself without end"},
		{"func even(n int) bool {\n\treturn odd(n + 1)\n}\nfunc odd(n int) bool { return even(n + 1) }\neven(0)", "stack overflow: even and odd call each other without end"},
	} {
		begin := time.Now()
		_, err := s.Run(t.Context(), tc.source, 1)
		var e *Error
		if !errors.As(err, &e) || e.Message != tc.want || e.Line != 2 {
			t.Fatalf("%q: %v, want %s at line 2", tc.source, err, tc.want)
		}
		t.Logf("stopped after %v", time.Since(begin))
	}
	if got, err := s.Run(t.Context(), "kept", 2); err != nil || got.Value != 3 {
		t.Errorf("kept is %v (%v), want 3", got.Value, err)
	}
	if _, err := s.Run(t.Context(), "func sum(n int) int { if n == 0 { return 0 }; return n + sum(n-1) }\nsum(20000)", 3); err != nil {
		t.Errorf("a deep recursion with an end: %v", err)
	}
}
