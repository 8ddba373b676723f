package interp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	s := session(t)
	if _, err := s.Run(t.Context(), "m := mat.NewDense(2, 2, nil)\ntype P struct{ Width int; Next *P }\nfunc (p *P) Grow() *P { return p }\np := P{Width: 3}\n"+
		"type Q struct{ P; Name string }\nps := []Q{{}}\nwidthOf := 1\nfunc get(n int) (map[string]P, error) { return nil, nil }\nfunc one() Q { return Q{} }", 1); err != nil {
		t.Fatal(err)
	}
	before := len(s.imports)
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
		{"p.", 2, "Grow", "function"},
		{"ps[0].", 6, "Width", "variable"},
		{"ps[0].P.Next.Gr", 13, "Grow", "function"},
		{"one().Na", 6, "Name", "variable"},
		{"one().Next.Grow().Next.W", 23, "Width", "variable"},
		{"kernel.RBF{}.Ev", 13, "Eval", "function"},
		{"ppca.Config{La", 12, "Latent", "variable"},
		{"fmt.Println(p.W", 14, "Width", "variable"},
		{"for _, q := range ps {\n\tq.Na", 26, "Name", "variable"},
		{"d := time.Second\nif d > 0 {\n\td.Sec", 31, "Seconds", "function"},
		{"func f(v Q) {\n\tv.P.", 19, "Next", "variable"},
		{"set := dataset.Iris()\nset.X.Ra", 28, "RawMatrix", "function"},
		{"broken := )\nm.Set", 14, "SetRow", "function"},
		{"local := 1\nloc", 11, "local", "variable"},
		{"import \"gonum.org/v1/gonum/ma", 8, "gonum.org/v1/gonum/mat", "package"},
		{"slices.Sor", 7, "SortFunc", "function"},
		{"appe", 0, "append", "function"},
	} {
		c := s.Complete(tc.code, len(tc.code))
		i := slices.Index(c.Matches, tc.want)
		if c.Start != tc.start || c.End != len(tc.code) || i < 0 || c.Kinds[i] != tc.kind {
			t.Errorf("Complete(%q) = %+v; want %s, a %s, from %d", tc.code, c, tc.want, tc.kind, tc.start)
		}
	}
	for cursor := -2; cursor < 9; cursor++ {
		s.Complete("é.a", cursor) // no offset may panic
		s.Inspect("é.a", cursor)
	}
	if len(s.imports) != before {
		t.Errorf("completion has imported packages: %v", s.imports)
	}
	follow(t, []step{{"1 + 1", "2"}})
}

// TestCompleteFiles completes names of files in quotes.
func TestCompleteFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "data.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	code := "os.ReadFile(\"" + dir + "/da"
	if c := session(t).Complete(code, len(code)); !slices.Equal(c.Matches, []string{dir + "/data.csv"}) {
		t.Errorf("Complete(%q) = %+v", code, c)
	}
}

// TestCompleteSignatures shows types with the names of parameters.
func TestCompleteSignatures(t *testing.T) {
	s := session(t)
	for code, want := range map[string]string{
		"ppca.FitPrima":                        "FitPrimal(x mat.Matrix, cfg ppca.Config) (*ppca.Model, error)",
		"var m mat.Dense\nm.SetRo":             "SetRow(i int, src []float64)",
		"func f(a, b int) int { return 0 }\nf": "f(a int, b int) int",
		"math.Sqr":                             "Sqrt(float64) float64",
		"cop":                                  "copy(dst, src []T) int",
	} {
		if c := s.Complete(code, len(code)); !slices.Contains(c.Signatures, want) {
			t.Errorf("Complete(%q) = %+v, want %s", code, c, want)
		}
	}
}

func TestInspect(t *testing.T) {
	s := session(t)
	if _, err := s.Run(t.Context(), "x := 1.5\nfunc f(a int) string { return \"\" }", 1); err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]string{
		"x":                    "float64",
		"f":                    "func f(a int) string",
		"ppca.Config":          "type ppca.Config struct",
		"ppca.FitPrimal":       "func ppca.FitPrimal(x mat.Matrix, cfg ppca.Config) (*ppca.Model, error)\n\nFitPrimal returns",
		"ppca.FitPrimal(nil, ": "func ppca.FitPrimal(x mat.Matrix, cfg ppca.Config)",
		"mat.NewDense(2, f(":   "func f(a int) string",
		"y := mat.NewDense(2, 2, nil)\ny.SetRow(": "func (*mat.Dense) SetRow(i int, src []float64)\n\nSetRow sets",
		"append":      "func append(slice []T, elems ...T) []T",
		"ppca":        "package ppca // import \"eigenbook/lib/ppca\"\n\nPackage ppca",
		"math.Sqrt(2": "func math.Sqrt(float64) float64",
		"math.Sqrt":   "func math.Sqrt(float64) float64",
		"math.Pi":     "const math.Pi untyped float = 3.14159",
		"nothing":     "",
	} {
		text, found := s.Inspect(code, len(code))
		if found != (want != "") || !strings.Contains(text, want) {
			t.Errorf("Inspect(%q) = %q, %v; want … %s", code, text, found, want)
		}
	}
}
