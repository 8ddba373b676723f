package script

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRunFile asserts exit codes and messages. Scripts run in this process, one at a time.
func TestRunFile(t *testing.T) {
	args := os.Args
	defer func() { os.Args = args }()
	for _, tc := range []struct {
		name, source string
		args         []string
		code         int
		says         string
	}{
		{"done", "package main\n\nfunc main() {}\n", nil, 0, ""},
		{"arguments", "package main\n\nimport (\n\t\"flag\"\n\t\"os\"\n)\n\nfunc main() {\n\tn := flag.Int(\"n\", 1, \"\")\n\tflag.Parse()\n\tos.Exit(*n + flag.NArg())\n}\n", []string{"-n", "40", "a", "b"}, 42, ""},
		{"ignored by go build", "//go:build ignore\n\n// Says nothing.\npackage main\n\nfunc main() {}\n", nil, 0, ""},
		{"variables in any order", "package main\n\nimport \"os\"\n\nvar b = a + 1\nvar a = 6\n\nfunc main() { os.Exit(b) }\n", nil, 7, ""},
		{"unknown flag", "package main\n\nimport \"flag\"\n\nfunc main() { flag.Parse() }\n", []string{"-none"}, 2, ""},
		{"help", "package main\n\nimport \"flag\"\n\nfunc main() { flag.Parse() }\n", []string{"-h"}, 0, ""},
		{"no program", "package lib\n\nfunc F() {}\n", nil, 1, "a.go is package lib"},
		{"no main", "package main\n\nfunc f() {}\n", nil, 1, "function main is undeclared"},
		{"compile error", "package main\n\nfunc main() {\n\tnope()\n}\n", nil, 1, "a.go:4:2: undefined: nope"},
		{"syntax error", "package main\n\nfunc main() {\n", nil, 1, "a.go:"},
		{"panic", "package main\n\nfunc f() {\n\tpanic(\"no\")\n}\n\nfunc main() {\n\tf()\n}\n", nil, 1, "a.go:4:"},
		{"notebook", "package main\n\n// %%\n\nimport \"os\"\n\nfunc _() {\n\t//gonb:%%\n\tx := 20\n}\n\n// %% [markdown]\n\n// a\n\n// %%\nos.Exit(x + 1)\n", nil, 21, ""},
		{"error in a notebook", "package main\n\n// %%\n\nfunc _() {\n\tx := 1\n\tx = nope\n}\n", nil, 1, "a.go:7:6: undefined: nope"},
		{"panic in a notebook", "package main\n\n// %%\n\nx := []int{}\n\n// %%\n\nx[3]\n", nil, 1, "a.go:9:"},
		{"magic in a notebook", "package main\n\n// %%\n\n//gonb:%time 1\n", nil, 1, "a.go:5: %time is for cells"},
		{"broken notebook", "// %% a=\n", nil, 2, "line 1, column 7"},
		{"os.Exit(3)", "package main\n\nimport \"os\"\n\nfunc main() { os.Exit(3) }\n", nil, 3, ""},
		{"log.Fatal", "package main\n\nimport \"log\"\n\nfunc main() { log.Fatal(\"stop\") }\n", nil, 1, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.go")
			if err := os.WriteFile(file, []byte(tc.source), 0o644); err != nil {
				t.Fatal(err)
			}
			code, err := RunFile(t.Context(), file, tc.args, Options{})
			if code != tc.code || (err != nil) != (tc.says != "") || err != nil && !strings.Contains(err.Error(), tc.says) {
				t.Errorf("RunFile = %d, %v; want %d, %q", code, err, tc.code, tc.says)
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	huge := filepath.Join(dir, "huge.go")
	if err := os.WriteFile(huge, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, maxSource+1); err != nil {
		t.Fatal(err)
	}
	for file, says := range map[string]string{filepath.Join(dir, "none.go"): "no such file", dir: "is a directory", huge: "more than 16 MB"} {
		if code, err := RunFile(t.Context(), file, nil, Options{}); code != 2 || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("RunFile = %d, %v; want 2 and %q", code, err, says)
		}
	}
}

// A script that never comes, from a terminal or a pipe, is not waited for after SIGINT.
func TestInterruptedWhileReading(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func(in *os.File) { os.Stdin = in }(os.Stdin)
	defer r.Close()
	defer w.Close()
	os.Stdin = r
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if code, err := RunFile(ctx, "-", nil, Options{}); code != 130 || err == nil || !strings.Contains(err.Error(), "standard input: interrupted") {
		t.Errorf("RunFile = %d, %v; want 130", code, err)
	}
}

// The value of a last expression is printed as a cell shows it: without a nil error.
func TestRunCodePrints(t *testing.T) {
	args := os.Args
	defer func() { os.Args = args }()
	for code, want := range map[string]string{`strconv.Atoi("4")`: "4\n", `errors.New("no")`: "error: no\n", `math.Frexp(8)`: "0.5, 4\n", `var e error; e`: "<nil>\n", "1;": ""} {
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		stdout := os.Stdout
		os.Stdout = out
		exit, err := RunCode(t.Context(), code, nil, Options{})
		os.Stdout = stdout
		out.Close()
		printed, readErr := os.ReadFile(out.Name())
		if exit != 0 || err != nil || readErr != nil || string(printed) != want {
			t.Errorf("%s: exit code %d, %v, prints %q; want %q", code, exit, err, printed, want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	args := os.Args
	defer func() { os.Args = args }()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if code, err := RunCode(ctx, "for {\n}", nil, Options{}); code != 130 || err == nil {
		t.Errorf("RunCode = %d, %v; want 130 and an error", code, err)
	}
}

func TestParameters(t *testing.T) {
	args := os.Args
	defer func() { os.Args = args }()
	t.Setenv("EIGENBOOK_PARAMS", "")
	code, err := RunCode(t.Context(), "os.Exit(nb.ParamInt(\"q\", 1))", nil, Options{Params: map[string]string{"q": "7"}})
	if code != 7 || err != nil {
		t.Errorf("RunCode = %d, %v; want 7", code, err)
	}
}
