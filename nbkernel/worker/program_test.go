package worker

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// seconds are the times in the reports of tests.
var seconds = regexp.MustCompile(`\(\d+\.\d\ds\)`)

// What %test runs and prints, and that the session outlives failing, panicking and ending tests.
func TestTestCells(t *testing.T) {
	p := start(t, Config{Argv: []string{os.Args[0], "go"}})
	for _, tc := range []struct{ code, want, fails string }{
		{"%test\nfunc TestA(t *testing.T) { fmt.Println(\"in A\") }\nfunc Testing() {}\nfunc TestNot(x int) {}",
			"=== RUN   TestA\nin A\n--- PASS: TestA (T)\nPASS\n", ""},
		{"func TestB(t *testing.T) {\n\tdefer fmt.Println(\"deferred\", recover())\n\tt.Fatal(\"not\", 1)\n\tfmt.Println(\"not reached\")\n}\n%test",
			"=== RUN   TestB\n    not 1\ndeferred <nil>\n--- FAIL: TestB (T)\nFAIL\n", "TestB failed"},
		{"%test", "=== RUN   TestA\nin A\n--- PASS: TestA (T)\n=== RUN   TestB\n    not 1\ndeferred <nil>\n--- FAIL: TestB (T)\nFAIL\n", "TestB failed"},
		{"%test \"\"", "in A\ndeferred <nil>\n--- FAIL: TestB (T)\n    not 1\nFAIL\n", "TestB failed"},
		{"%test -test.run=A$", "in A\nPASS\n", ""},
		{"%test -test.skip TestB -v", "=== RUN   TestA\nin A\n--- PASS: TestA (T)\nPASS\n", ""},
		{"%test -test.nosuch", "", "-test.nosuch"},
		{"%test -run [", "", "missing closing ]"},
		{"%rm TestB", "", ""},
		{"%test\nfunc TestC(t *testing.T) {\n\tfor _, name := range []string{\"x\", \"y\", \"x\"} {\n\t\tt.Run(name, func(t *testing.T) {\n" +
			"\t\t\tt.Cleanup(func() { fmt.Println(\"clean\", t.Name()) })\n\t\t\tif name == \"y\" { t.Skip(\"later\") }\n\t\t\tt.Error(\"bad\")\n\t\t})\n\t}\n}",
			"=== RUN   TestC\n=== RUN   TestC/x\n    bad\nclean TestC/x\n=== RUN   TestC/y\n    later\nclean TestC/y\n=== RUN   TestC/x#01\n    bad\nclean TestC/x#01\n" +
				"--- FAIL: TestC (T)\n    --- FAIL: TestC/x (T)\n    --- SKIP: TestC/y (T)\n    --- FAIL: TestC/x#01 (T)\nFAIL\n", "TestC failed"},
		{"%test -test.run=C/y -v", "=== RUN   TestC\n=== RUN   TestC/y\n    later\nclean TestC/y\n--- PASS: TestC (T)\n    --- SKIP: TestC/y (T)\nPASS\n", ""},
		{"%rm TestC", "", ""},
		{"%test\nfunc TestD(t *testing.T) {\n\tt.Run(\"in\", func(t *testing.T) {\n\t\tvar p *int\n\t\t*p = 1\n\t})\n}",
			"=== RUN   TestD\n=== RUN   TestD/in\n--- FAIL: TestD (T)\n    --- FAIL: TestD/in (T)\n", "nil pointer"},
		{"%test\nfunc TestD(t *testing.T) { os.Exit(3) }", "=== RUN   TestD\n--- FAIL: TestD (T)\n", "exit status 3"},
		{"%test\nfunc TestD(t *testing.T) { check.Near(\"one\", 1, 2, 0) }", "=== RUN   TestD\n--- FAIL: TestD (T)\n", "claim does not hold: one"},
		{"%test\nfunc TestD(t *testing.T) {\n\tvar tb testing.TB = t\n\ttb.Setenv(\"EB_TEST\", tb.Name())\n\tfmt.Println(os.Getenv(\"EB_TEST\"))\n}",
			"=== RUN   TestD\nTestD\n--- PASS: TestD (T)\nPASS\n", ""},
		{"os.Getenv(\"EB_TEST\")", "result ", ""},
		{"r := testing.Benchmark(func(b *testing.B) { time.Sleep(time.Duration(b.N) * 100 * time.Millisecond) })\nr.N > 5 && r.NsPerOp() > 99e6 && r.NsPerOp() < 500e6", "result true", ""},
		{"testing.AllocsPerRun(10, func() {}) < 1000", "result true", ""},
	} {
		got := runCell(t, p, tc.code)
		story := seconds.ReplaceAllString(got.text(Stdout), "(T)")
		if r := got.story(); strings.HasPrefix(r, "result") {
			story = r
		}
		failure := ""
		if got.Failure != nil {
			failure = got.Failure.Value
		}
		if story != tc.want || (tc.fails == "") != (failure == "") || !strings.Contains(failure, tc.fails) || got.Restarted {
			t.Errorf("%s\n%q and %q, want\n%q and %q", tc.code, story, failure, tc.want, tc.fails)
		}
	}
	if got := runCell(t, p, "%test\nfunc TestP(t *testing.T) {\n\tpanic(\"there\")\n}"); got.Failure == nil || got.Failure.Line != 3 {
		t.Errorf("a panic in a test: %+v", got.Failure)
	}
	got := runCell(t, p, "%test -bench=. -benchtime=3x -run=^$\nfunc BenchmarkA(b *testing.B) {\n\tfor range b.N {}\n\tb.ReportMetric(5, \"rows\")\n}\n"+
		"func BenchmarkB(b *testing.B) {\n\tn := 0\n\tfor b.Loop() { n++ }\n\tfmt.Println(n, b.N)\n\tb.Run(\"sub\", func(b *testing.B) { b.Fatal(\"no\") })\n}")
	want := regexp.MustCompile(`^goos: \w+\ngoarch: \w+\nBenchmarkA\S* +\t +3\t +[\d.]+ ns/op\t +5 rows\n3 3\n--- FAIL: BenchmarkB/sub\S*\n    no\n--- FAIL: BenchmarkB\S*\nFAIL\n$`)
	if !want.MatchString(got.text(Stdout)) || got.Failure == nil {
		t.Errorf("benchmarks: %q %+v", got.text(Stdout), got.Failure)
	}
	time.AfterFunc(200*time.Millisecond, p.Interrupt)
	if got := runCell(t, p, "%test\nfunc TestE(t *testing.T) { for {} }"); got.Status != Interrupted || got.Restarted {
		t.Errorf("an interrupted test: %+v", got.Outcome)
	}
	time.AfterFunc(200*time.Millisecond, p.Interrupt)
	if got := runCell(t, p, "%test\nfunc TestE(t *testing.T) { <-t.Context().Done() }\nfunc TestF(t *testing.T) { fmt.Println(\"more\") }"); got.Status != Interrupted || got.Restarted || strings.Contains(got.text(Stdout), "more") {
		t.Errorf("an interrupted test that waits: %+v %q", got.Outcome, got.text(Stdout))
	}
	if got := runCell(t, p, "1 + 1"); got.story() != "result 2" {
		t.Errorf("after that: %q", got.story())
	}
}

// Flags are parsed before the statements after %%, may be declared anew, and have their default
// values in a cell that does not set them.
func TestFlagCells(t *testing.T) {
	p := start(t, Config{Argv: []string{os.Args[0], "go"}})
	for _, tc := range []struct{ code, want, fails string }{
		{"%% -n 3\n1", "", "-n"},
		{"var n = flag.Int(\"n\", 1, \"count\")\nfunc show() { fmt.Println(*n, flag.Args()) }\n%% -n=5 a b\nshow()", "5 [a b]\n", ""},
		{"%%\nshow()", "1 []\n", ""},
		{"%main -n 6\nshow()", "6 []\n", ""},
		{"%args -n 7 c\n%%\nshow()", "7 [c]\n", ""},
		{"%args -n 8\nfunc main() {\n\tflag.Parse()\n\tshow()\n}", "8 []\n", ""},
		{"%exec show -n 9", "9 []\n", ""},
		{"var n = flag.Int(\"n\", 1, \"count\")\nfunc show() { fmt.Println(*n, flag.Args()) }\n%% -n=5 a b\nshow()", "5 [a b]\n", ""},
		{"var n = flag.Float64(\"n\", 0.5, \"now a number\")\n%%\nfmt.Println(*n)", "0.5\n", ""},
		{"%% -n x\nfmt.Println(\"not reached\")", "", "exit status 2"},
		{"%% -h\nfmt.Println(\"not reached\")", "", ""},
		{"var file string\nflag.StringVar(&file, \"file\", \"none\", \"\")\n%%\nfmt.Println(file, *n)", "none 0.5\n", ""},
		{"%% -file=\"a b\" -n 2\nfmt.Println(file, *n)", "a b 2\n", ""},
		{"%reset", "", ""},
		{"%%\nflag := 3\nfmt.Println(flag)", "3\n", ""}, // a name like others while there are no flags
		{"%%\nfmt.Println(flag)", "3\n", ""},
	} {
		got := runCell(t, p, tc.code)
		failure := ""
		if got.Failure != nil {
			failure = got.Failure.Value + got.text(Stderr)
		}
		if got.text(Stdout) != tc.want || (tc.fails == "") != (failure == "") || !strings.Contains(failure, tc.fails) || got.Restarted {
			t.Errorf("%s\n%q and %q, want\n%q and %q", tc.code, got.text(Stdout), failure, tc.want, tc.fails)
		}
	}
}
