package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Cells come through a pipe: their values and figures are printed, and one that fails is told
// by the exit code.
func TestReplPipe(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "figures")
	for _, tc := range []struct {
		name, in    string
		code        int
		out, errors string
	}{
		{"nothing", "", ExitDone, "", ""},
		{"values stay", "x := 3\nfunc f() int {\n\treturn x\n}\nx = 4\nf() + 1\nf();\n", ExitDone, "5\n", ""},
		{"no end of line", "for i := range 2 {\n\tfmt.Print(i)\n}\n\"v\"", ExitDone, "01\nv\n", ""},
		{"magic for a cell", "%%bash\necho a\n\necho := 1\necho\n", ExitDone, "a\n1\n", ""},
		{"failure", "nope\n2\n", ExitFailed, "2\n", "1:1: undefined: nope"},
		{"unfinished", "1 +", ExitFailed, "", "compile error"},
		{"the process dies", "x := 1\nfunc two() int { return 2 }\nos.Exit(3)\ntwo()\n", ExitFailed, "2\n", "exit"},
		{"description", "x := 1.5\nx?\nnosuch?\n", ExitDone, "var x float64\n", "nothing is known of nosuch"},
		{"input", "var n int\nfmt.Scan(&n);\nn\n", ExitDone, "0\n", ""},
		{"figure", "display.Images([]display.ImageRow{{Images: mat.NewDense(1, 4, []float64{0, 1, 2, 3})}}, 2, 2, display.ImagesOptions{})\n",
			ExitDone, filepath.Join(folder, "001.png") + "\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := Main([]string{"repl", "-show", folder}, Streams{In: strings.NewReader(tc.in), Out: &out, Err: &errs})
			if code != tc.code || !strings.HasSuffix(out.String(), tc.out) || tc.name != "figure" && out.String() != tc.out || !strings.Contains(errs.String(), tc.errors) {
				t.Errorf("exit code %d, output %q, errors %q; want %d, %q, %q", code, out.String(), errs.String(), tc.code, tc.out, tc.errors)
			}
			if tc.errors == "" && errs.Len() > 0 {
				t.Errorf("errors %q, want none", errs.String())
			}
		})
	}
	if data, err := os.ReadFile(filepath.Join(folder, "001.png")); err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
		t.Errorf("the figure is no picture (%v)", err)
	}
}
