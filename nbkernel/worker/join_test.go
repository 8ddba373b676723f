package worker

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseGo(t *testing.T) {
	for _, tc := range []struct {
		code string
		want plan
	}{
		{"%%bash\nls\n", plan{magics: []magic{{"%%bash", "", "ls\n", 1}}, parse: -1}},
		{"%args a \"b c\"\nx", plan{magics: []magic{{"args", "a \"b c\"", "", 1}}, args: []string{"a", "b c"}, source: strings.Repeat(" ", 13) + "\nx", parse: -1}},
		{"x\n!ls -l", plan{magics: []magic{{"!", "ls -l", "", 2}}, source: "x\n      ", parse: -1}},
		{"x\n%% -n 3\ny", plan{args: []string{"-n", "3"}, source: "x\n       \ny", parse: 2}},
		{"%test -v", plan{magics: []magic{{"test", "-v", "", 1}}, args: []string{"-v"}, parse: -1, test: true}},
		{"%exec F a", plan{magics: []magic{{"exec", "F a", "", 1}}, args: []string{"a"}, source: "\n\nF()\n", parse: 1}},
	} {
		if got, f := parseGo(tc.code); f != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("parseGo(%q) = %+v, %v\nwant %+v", tc.code, got, f, tc.want)
		}
	}
	if _, f := parseGo("%exec"); f == nil {
		t.Error("exec without a function is no failure")
	}
}

func TestGoCells(t *testing.T) {
	p := start(t, Config{Argv: []string{os.Args[0], "go"}})
	for _, tc := range []struct{ code, want string }{
		{"x := 4\nfunc double(a int) int { return 2 * a }\ndouble(x)", "result 8"},
		{"fmt.Print(\"a\"); display.Show(display.Markdown(\"b\")); fmt.Print(\"c\")", "stdout a|display b|stdout c"},
		{"errors.New(\"no such row\")", "result error: no such row"},
		{"strconv.Atoi(\"12\")", "result 12"},
		{"%args p q\nos.Args[1:]", "result [p q]"},
		{"x;", ""},
		{"os.Exit(0)", ""},
		{"%rm double", ""},
	} {
		if got := runCell(t, p, tc.code); got.Status != OK || got.story() != tc.want {
			t.Errorf("%q: %s %q %+v, want %q", tc.code, got.Status, got.story(), got.Failure, tc.want)
		}
	}
	if got := runCell(t, p, "%timeit double2(x)\nfunc double2(a int) int { return 2 * a }"); got.Status != OK || !strings.Contains(got.story(), " a call (7 rounds of ") {
		t.Errorf("timeit: %+v %q", got.Failure, got.story())
	}
	if got := runCell(t, p, "%time x - 2"); got.Status != OK || !strings.Contains(got.story(), "result 2") || !strings.Contains(got.story(), "time: ") {
		t.Errorf("time: %+v %q", got.Failure, got.story())
	}
	if got := runCell(t, p, "x\n%timeit"); got.Status != Failed || got.Failure.Line != 2 {
		t.Errorf("timeit of nothing: %+v", got.Outcome)
	}
	if got := runCell(t, p, "\nx + undefined"); got.Status != Failed || got.Failure.Line != 2 || !strings.Contains(got.Failure.Value, "undefined") {
		t.Errorf("compile error: %+v", got.Failure)
	}
	if got := runCell(t, p, "os.Exit(3)"); got.Status != Failed || got.Restarted || !strings.Contains(got.Failure.Value, "3") {
		t.Errorf("exit: %+v", got.Outcome)
	}
	time.AfterFunc(200*time.Millisecond, p.Interrupt)
	if got := runCell(t, p, "for {}"); got.Status != Interrupted || got.Restarted {
		t.Errorf("interrupt: %+v", got.Outcome)
	}
	runCell(t, p, "func triple(a int) int { return 3 * a }")
	if got := runCell(t, p, "!kill -9 $PPID"); !got.Restarted || !slices.Equal(got.Lost, []string{"x"}) {
		t.Errorf("death: %+v", got.Outcome)
	}
	if got := runCell(t, p, "triple(5)"); got.story() != "result 15" {
		t.Errorf("after the death: %q %+v", got.story(), got.Failure)
	}
}
