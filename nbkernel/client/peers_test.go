package client

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// startIPython starts Debian's ipykernel, an independent implementation of the protocol over
// libzmq.
func startIPython(t *testing.T, opts Options) *Client {
	t.Helper()
	const python = "/usr/bin/python3"
	if out, err := exec.Command(python, "-c", "import ipykernel").CombinedOutput(); err != nil {
		t.Skipf("no ipykernel for %s here: %v %s", python, err, out)
	}
	spec := Spec{Name: "python3", Argv: []string{python, "-m", "ipykernel_launcher", "-f", "{connection_file}"}, Language: "python"}
	opts.Env = append(opts.Env, "IPYTHONDIR="+t.TempDir())
	c, err := Start(t.Context(), spec, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestIPythonKernel(t *testing.T) {
	asked := ""
	c := startIPython(t, Options{Input: func(prompt string, password bool) (string, error) {
		asked = prompt
		return "forty", nil
	}})
	if got := c.Info().LanguageInfo.Name; got != "python" {
		t.Errorf("language %q, want python", got)
	}
	reply, err := c.Execute(t.Context(), "import sys\nprint('a')\nprint('b')\nsys.stdout.flush()\nprint('c', file=sys.stderr)\n1+2", ExecOptions{}, nil)
	if err != nil || reply.Status != OK || reply.Count != 1 {
		t.Fatalf("Execute = %+v, %v", reply, err)
	}
	if got, want := summary(reply.Outputs), "stdout:a\nb\n|stderr:c\n|execute_result:3"; got != want {
		t.Errorf("outputs %q, want %q", got, want)
	}
	reply, err = c.Execute(t.Context(), "x = input('who? ')\nprint(x)", ExecOptions{}, nil)
	if err != nil || reply.Status != OK || asked != "who? " || summary(reply.Outputs) != "stdout:forty\n" {
		t.Errorf("input: %+v, %v, asked %q", reply, err, asked)
	}
	reply, err = c.Execute(t.Context(), "1/0", ExecOptions{Expressions: map[string]string{"a": "1"}}, nil)
	if err != nil || reply.Status != Failed || reply.EName != "ZeroDivisionError" || len(reply.Traceback) == 0 {
		t.Errorf("error: %+v, %v", reply, err)
	}
	time.AfterFunc(200*time.Millisecond, func() { c.Interrupt(context.Background()) })
	start := time.Now()
	reply, err = c.Execute(t.Context(), "import time\ntime.sleep(30)", ExecOptions{}, nil)
	if err != nil || reply.EName != "KeyboardInterrupt" || time.Since(start) > 5*time.Second {
		t.Errorf("interrupt: %+v, %v", reply, err)
	}
	reply, err = c.Execute(t.Context(), "import os\nprint('last words')\nsys.stdout.flush()\ntime.sleep(0.3)\nos.write(2, b'dying')\nos._exit(3)", ExecOptions{}, nil)
	if !errors.Is(err, ErrDead) || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("death: %v", err)
	}
	if got := summary(reply.Outputs); !strings.Contains(got, "last words") {
		t.Errorf("outputs before the death: %q", got)
	}
}

// TestGoNB runs cells in the kernel that compiles every cell. It needs the programs gonb and
// goimports, beside each other in $EIGENBOOK_GONB or on PATH.
func TestGoNB(t *testing.T) {
	bin := os.Getenv("EIGENBOOK_GONB")
	if bin == "" {
		path, err := exec.LookPath("gonb")
		if err != nil {
			t.Skip("no gonb on PATH, and EIGENBOOK_GONB does not name its folder")
		}
		bin = filepath.Dir(path)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	log := &lastLines{}
	spec := Spec{Name: "gonb", Argv: []string{filepath.Join(bin, "gonb"), "--kernel", "{connection_file}", "-go_work=" + root, "-raw_error=true"},
		Env: map[string]string{"PATH": bin + string(os.PathListSeparator) + "${PATH}"}}
	c, err := Start(t.Context(), spec, Options{GoNB: true, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	run := func(code string) Reply {
		t.Helper()
		reply, err := c.Execute(t.Context(), code, ExecOptions{}, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, log)
		}
		return reply
	}
	if r := run("%noautoget"); r.Status != OK {
		t.Fatalf("%%noautoget: %+v", r)
	}
	if r := run("import (\n\"fmt\"\n\"eigenbook/nbkernel/wire\"\n)\n%%\nfmt.Println(wire.ProtocolVersion)"); r.Status != OK || summary(r.Outputs) != "stdout:5.4\n" {
		t.Errorf("import from this module: %+v\n%s", r, log)
	}
	if r := run("%%\npanic(\"gone wrong\")"); r.Status != Failed || r.EName != "panic" || !strings.Contains(r.EValue, "gone wrong") {
		t.Errorf("panic: %+v", r)
	}
	if r := run("import \"os\"\n%%\nos.Exit(3)"); r.Status != Failed || r.EValue != "exit status 3" {
		t.Errorf("exit: %+v", r)
	}
	if r := run("%%\nvar x int = \"text\""); r.Status != Failed || !strings.Contains(strings.Join(r.Traceback, "\n"), "cannot use") {
		t.Errorf("compile error: %+v", r)
	}
	time.AfterFunc(3*time.Second, func() { c.Interrupt(context.Background()) })
	start := time.Now()
	if r := run("import \"time\"\n%%\ntime.Sleep(time.Minute)"); r.Status == OK || time.Since(start) > 20*time.Second {
		t.Errorf("interrupt: %+v after %v", r, time.Since(start))
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// summary shows outputs in one line.
func summary(outputs []Output) string {
	var b strings.Builder
	for i, o := range outputs {
		if i > 0 {
			b.WriteByte('|')
		}
		switch o.Type {
		case Stream:
			b.WriteString(o.Name + ":" + o.Text)
		case Error:
			b.WriteString("error:" + o.EName + ": " + o.EValue)
		case ClearOutput:
			b.WriteString(o.Type)
		default:
			text, _ := o.Data["text/plain"].(string)
			b.WriteString(o.Type + ":" + text)
		}
	}
	return b.String()
}
