package worker

import "testing"

// TestNameQuestion asks what a name is as other kernels are asked.
func TestNameQuestion(t *testing.T) {
	for code, want := range map[string]string{"?ppca.FitPrimal": "ppca.FitPrimal", "x?": "x", " ??mat \n": "mat", "m.At??": "m.At"} {
		p, failure := parseGo(code)
		if failure != nil || len(p.magics) != 1 || p.magics[0].name != "help" || p.magics[0].text != want || p.source != "" {
			t.Errorf("%q: %+v (%v), want the help of %s", code, p, failure, want)
		}
	}
	if p, _ := parseGo("x := \"?\""); len(p.magics) > 0 {
		t.Error("a string is taken for a question")
	}
}
