package interp

import (
	"fmt"
	"strings"
	"testing"
)

// TestHints names the nearest name that is known, behind Go's own message.
func TestHints(t *testing.T) {
	s := session(t)
	if _, err := s.Run(t.Context(), "type Point struct{ Width, Height int }\nfunc (p Point) Area() int { return p.Width * p.Height }\n"+
		"p := Point{1, 2}\nspectrum := []float64{1}\nm := mat.NewDense(2, 2, nil)", 1); err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		"spectum":                         "1:1: undefined: spectum (did you mean spectrum?)",
		"pt.Sprint(1)":                    "1:1: undefined: pt (did you mean p?)",
		"math.Sqr(2)":                     "1:6: undefined: math.Sqr (did you mean Sqrt?)",
		"p.Widht":                         "1:3: p.Widht undefined (type Point has no field or method Widht) (did you mean Width?)",
		"p.Aera()":                        "1:3: p.Aera undefined (type Point has no field or method Aera) (did you mean Area?)",
		"Point{Widht: 1}":                 "1:7: unknown field Widht in struct literal of type Point (did you mean Width?)",
		"m.SetRaw(1, nil)":                "1:3: m.SetRaw undefined (type *mat.Dense has no field or method SetRaw) (did you mean SetRow?)",
		"ppca.Config{Laten: 2}":           "1:13: unknown field Laten in struct literal of type ppca.Config (did you mean Latent?)",
		"func f(count int) { _ = cuont }": "1:25: undefined: cuont (did you mean count?)",
		"zzzzzz":                          "1:1: undefined: zzzzzz",
		"import \"unsafe\"":               "1:8: could not import unsafe (package unsafe is not supported: an interpreted value does not lie in memory as Go lays it out)",
	} {
		_, err := s.Run(t.Context(), source, 2)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", source, err, want)
		}
	}
}

// TestTooManyErrors tells the first ten.
func TestTooManyErrors(t *testing.T) {
	s := session(t)
	var names []string
	for i := range 12 {
		names = append(names, fmt.Sprintf("_ = zzzzzz%d", i))
	}
	_, err := s.Run(t.Context(), strings.Join(names, "\n"), 1)
	if err == nil || strings.Count(err.Error(), "\n") != 10 || !strings.HasSuffix(err.Error(), "undefined: zzzzzz9\ntoo many errors") {
		t.Errorf("the error is %v", err)
	}
}
