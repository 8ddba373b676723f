package interp

import (
	"errors"
	"strings"
	"testing"
)

// TestMethodValues uses methods of compiled types as values.
func TestMethodValues(t *testing.T) {
	for name, steps := range map[string][]step{
		"of a pointer":           {{"m := mat.NewDense(2, 2, []float64{1, 2, 3, 4})\nf := m.At\nm.Set(1, 0, 7)\nf(1, 0)", "7"}},
		"of a variable":          {{"var b bytes.Buffer\nw := b.WriteString\nw(\"x\")\nw(\"y\")\nb.String()", "xy"}},
		"of a value":             {{"d := time.Second\nf := d.String\nd = 0\nf()", "1s"}},
		"of an interface":        {{"var s fmt.Stringer = time.Second\nf := s.String\ns = time.Minute\nf()", "1s"}},
		"of an embedded type":    {{"type M struct{ *mat.Dense }\nm := M{mat.NewDense(1, 1, []float64{5})}\nf := m.At\nf(0, 0)", "5"}},
		"in a slice":             {{"fs := []func(int, int) float64{mat.NewDense(1, 1, nil).At}\nfs[0](0, 0)", "0"}},
		"as an argument":         {{"func call(f func() string) string { return f() }\ncall(time.Minute.String)", "1m0s"}},
		"as an expression":       {{"f := (*mat.Dense).At\nf(mat.NewDense(1, 1, []float64{2}), 0, 0)", "2"}},
		"as the value of a cell": {{"mat.NewDense(1, 1, nil).At", ""}, {"ppca.FitPrimal", ""}},
		"a channel of one way":   {{"ch := make(<-chan int, 3)\ncap(ch)", "3"}},
	} {
		t.Run(name, func(t *testing.T) { follow(t, steps) })
	}
}

// TestEndings ends the cell where a compiled method would end the process.
func TestEndings(t *testing.T) {
	for source, want := range map[string]int{
		"log.New(io.Discard, \"\", 0).Fatal(\"end\")":                                                             1,
		"l := log.New(io.Discard, \"\", 0)\ndefer l.Fatalf(\"%d\", 1)":                                            1,
		"type L struct{ log.Logger }\nl := &L{}\nl.SetOutput(io.Discard)\nl.Fatalln(1)":                           1,
		"f := log.New(io.Discard, \"\", 0).Fatal\nf()":                                                            1,
		"fs := flag.NewFlagSet(\"x\", flag.ExitOnError)\nfs.SetOutput(io.Discard)\nfs.Parse([]string{\"-none\"})": 2,
		"fs := flag.NewFlagSet(\"x\", flag.ExitOnError)\nfs.SetOutput(io.Discard)\nfs.Parse([]string{\"-h\"})":    0,
	} {
		s := session(t)
		_, err := s.Run(t.Context(), source, 1)
		var e *Error
		if !errors.As(err, &e) || e.Kind != Exit || e.ExitCode != want {
			t.Errorf("%s: %v, want exit status %d", source, err, want)
		}
	}
	follow(t, []step{{"fs := flag.NewFlagSet(\"x\", flag.ContinueOnError)\nfs.SetOutput(io.Discard)\nn := fs.Int(\"n\", 1, \"\")\nerr := fs.Parse([]string{\"-n\", \"5\"})\nfmt.Sprint(*n, err)", "5 <nil>"}})
}

// TestRefusedByTheInterpreter has the position of what yaegi does not take, and no lowered text.
func TestRefusedByTheInterpreter(t *testing.T) {
	err := refused(errors.New("_.go:4:3: no such thing"), "func f() {\nline_3 = 8197\nx := 1\ny = z\n}")
	if want := "2:5: the interpreter cannot run this: no such thing"; err.Error() != want || strings.Contains(err.Error(), "line_") {
		t.Errorf("the error is %q, want %q", err, want)
	}
}
