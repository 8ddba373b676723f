package interp

import (
	"slices"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	s := session(t)
	if _, err := s.Run(t.Context(), "m := mat.NewDense(2, 2, nil)\ntype P struct{ Width int }\np := P{3}\nwidthOf := 1", 1); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		code  string
		start int
		want  string
		kind  string
	}{
		{"ppca.FitD", 5, "FitDual", "function"},
		{"x := math.Sq", 10, "Sqrt", "function"},
		{"m.Set", 2, "SetRow", "function"},
		{"p.W", 2, "Width", "variable"},
		{"wid", 0, "widthOf", "variable"},
		{"retu", 0, "return", "keyword"},
		{"disp", 0, "display", "package"},
	} {
		start, end, matches, kinds := s.Complete(tc.code, len(tc.code))
		i := slices.Index(matches, tc.want)
		if start != tc.start || end != len(tc.code) || i < 0 || kinds[i] != tc.kind {
			t.Errorf("Complete(%q) = %d, %d, %v, %v; want %s, a %s, from %d", tc.code, start, end, matches, kinds, tc.want, tc.kind, tc.start)
		}
	}
	for cursor := -2; cursor < 9; cursor++ {
		s.Complete("é.a", cursor) // no offset may panic
		s.Inspect("é.a", cursor)
	}
}

func TestInspect(t *testing.T) {
	s := session(t)
	if _, err := s.Run(t.Context(), "x := 1.5\nfunc f(a int) string { return \"\" }", 1); err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]string{
		"x":           "float64",
		"f":           "func(a int) string",
		"ppca.Config": "type ppca.Config struct",
		"math.Sqrt(2": "",
		"math.Sqrt":   "func math.Sqrt(float64) float64",
		"math.Pi":     "const math.Pi = 3.14159",
		"nothing":     "",
	} {
		text, found := s.Inspect(code, len(code))
		if found != (want != "") || !strings.Contains(strings.ReplaceAll(text, "func main.f(", "func("), want) {
			t.Errorf("Inspect(%q) = %q, %v; want … %s", code, text, found, want)
		}
	}
}
