package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"eigenbook/nbkernel/kernel"
	"eigenbook/nbkernel/kernel/kerneltest"
)

// The test program is also the kernel that the tests start: ours, with a worker without
// interpreter, or something that only looks like a kernel.
func TestMain(m *testing.M) {
	role := os.Getenv("EIGENBOOK_TEST_KERNEL")
	if role == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	switch role {
	case "kernel":
		start := func() (kernel.Worker, error) { return kerneltest.New(), nil }
		if err := kernel.Run(ctx, os.Args[1], kernel.Config{Start: start}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "grandchild": // stays behind when the kernel ends, and holds its stderr
		cmd := exec.Command("sleep", "300")
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			os.Exit(1)
		}
		os.WriteFile(os.Args[2], []byte(strconv.Itoa(cmd.Process.Pid)), 0o600)
		start := func() (kernel.Worker, error) { return kerneltest.New(), nil }
		kernel.Run(ctx, os.Args[1], kernel.Config{Start: start})
	case "dies":
		fmt.Fprintln(os.Stderr, "something is missing")
		os.Exit(7)
	case "mute":
		signal.Ignore(syscall.SIGTERM)
		fmt.Fprintln(os.Stderr, "thinking")
		time.Sleep(time.Minute)
	}
}

func testSpec(t testing.TB, role string, args ...string) Spec {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Spec{Name: role, Argv: append([]string{self, "{connection_file}"}, args...), InterruptMode: "message",
		Env: map[string]string{"EIGENBOOK_TEST_KERNEL": role}}
}

// startTest starts the test kernel. At the end no process, file or goroutine may be left.
func startTest(t testing.TB, spec Spec, opts Options) *Client {
	t.Helper()
	before := runtime.NumGoroutine()
	c, err := Start(context.Background(), spec, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if err := syscall.Kill(c.PID(), 0); err != syscall.ESRCH {
			t.Errorf("process %d is left", c.PID())
		}
		if _, err := os.Stat(c.dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left", c.dir)
		}
		for i := 0; runtime.NumGoroutine() > before && i < 100; i++ {
			time.Sleep(10 * time.Millisecond)
		}
		if n := runtime.NumGoroutine(); n > before {
			buf := make([]byte, 1<<16)
			t.Errorf("%d goroutines before, %d after:\n%s", before, n, buf[:runtime.Stack(buf, true)])
		}
	})
	return c
}

func lines(l ...string) string { return strings.Join(l, "\n") }

func TestExecute(t *testing.T) {
	for _, transport := range []string{"tcp", "ipc"} {
		t.Run(transport, func(t *testing.T) {
			start := time.Now()
			c := startTest(t, testSpec(t, "kernel"), Options{Transport: transport})
			t.Logf("ready after %v", time.Since(start))
			var seen []Output
			reply, err := c.Execute(t.Context(), lines("out a", "err b", "show x c", "update x d", "result e"), ExecOptions{},
				func(o Output) { seen = append(seen, o) })
			if err != nil || reply.Status != OK || reply.Count != 1 {
				t.Fatalf("Execute = %+v, %v", reply, err)
			}
			if got, want := summary(seen), "stdout:a\n|stderr:b\n|display_data:c|update_display_data:d|execute_result:e"; got != want {
				t.Errorf("emitted %q, want %q", got, want)
			}
			if got, want := summary(reply.Outputs), "stdout:a\n|stderr:b\n|display_data:d|execute_result:e"; got != want {
				t.Errorf("collected %q, want %q", got, want)
			}
			if png := reply.Outputs[2].Data["image/png"]; png != "AQID" {
				t.Errorf("image %v, want base64", png)
			}
			reply, err = c.Execute(t.Context(), lines("out x", "fail broken"), ExecOptions{}, nil)
			if err != nil || reply.Status != Failed || reply.Count != 2 || reply.EValue != "broken" ||
				!reflect.DeepEqual(reply.Traceback, []string{"cell 2: broken"}) || summary(reply.Outputs) != "stdout:x\n|error:failure: broken" {
				t.Errorf("failing cell: %+v, %v", reply, err)
			}
			reply, err = c.Execute(t.Context(), "result 5", ExecOptions{Silent: true, Expressions: map[string]string{"a": "result 6"}}, nil)
			if err != nil || reply.Status != OK || len(reply.Outputs) != 0 || len(reply.Expressions) != 1 {
				t.Errorf("silent cell: %+v, %v", reply, err)
			}
			reply, err = c.Execute(t.Context(), "flood 20000", ExecOptions{}, nil)
			if err != nil || len(reply.Outputs) != 1 || strings.Count(reply.Outputs[0].Text, "\n") != 20000 {
				t.Errorf("flood: %v, %d outputs", err, len(reply.Outputs))
			}
		})
	}
}

func TestInterrupt(t *testing.T) {
	for _, mode := range []string{"message", "signal"} {
		spec := testSpec(t, "kernel")
		spec.InterruptMode = mode
		c := startTest(t, spec, Options{})
		start := time.Now()
		reply, err := c.Execute(t.Context(), lines("out begun", "loop"), ExecOptions{}, func(o Output) {
			if o.Type == Stream {
				go c.Interrupt(context.Background())
			}
		})
		if err != nil || reply.EName != "interrupted" {
			t.Errorf("%s: %+v, %v", mode, reply, err)
		}
		if d := time.Since(start); d > 500*time.Millisecond {
			t.Errorf("%s: the interrupt took %v", mode, d)
		}
		if reply, err := c.Execute(t.Context(), "out next", ExecOptions{}, nil); err != nil || reply.Status != OK {
			t.Errorf("%s: the next cell: %+v, %v", mode, reply, err)
		}
	}
}

func TestContext(t *testing.T) {
	c := startTest(t, testSpec(t, "kernel"), Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	reply, err := c.Execute(ctx, lines("out kept", "sleep 200ms", "out late"), ExecOptions{}, nil)
	if !errors.Is(err, context.DeadlineExceeded) || summary(reply.Outputs) != "stdout:kept\n" {
		t.Errorf("Execute = %+v, %v", reply, err)
	}
	// What the abandoned cell still prints does not get into the next one.
	if reply, err = c.Execute(t.Context(), "out next", ExecOptions{}, nil); err != nil || summary(reply.Outputs) != "stdout:next\n" {
		t.Errorf("Execute = %+v, %v", reply, err)
	}
}

func TestInput(t *testing.T) {
	c := startTest(t, testSpec(t, "kernel"), Options{Input: func(prompt string, password bool) (string, error) {
		if prompt == "secret: " {
			return "", errors.New("not for you")
		}
		return "[" + prompt + "]", nil
	}})
	if reply, err := c.Execute(t.Context(), "input name: ", ExecOptions{}, nil); err != nil || summary(reply.Outputs) != "stdout:got [name: ]\n" {
		t.Errorf("Execute = %+v, %v", reply, err)
	}
	if reply, err := c.Execute(t.Context(), "input secret: ", ExecOptions{}, nil); err != nil || reply.Status != Failed || !strings.Contains(reply.EValue, "not for you") {
		t.Errorf("Execute = %+v, %v", reply, err)
	}
	deaf := startTest(t, testSpec(t, "kernel"), Options{})
	if reply, err := deaf.Execute(t.Context(), "input name: ", ExecOptions{}, nil); err != nil || reply.Status != Failed {
		t.Errorf("without Input: %+v, %v", reply, err)
	}
}

// A kernel that is killed ends the cell at once, with what it had printed.
func TestKernelDies(t *testing.T) {
	c := startTest(t, testSpec(t, "kernel"), Options{})
	start := time.Now()
	reply, err := c.Execute(t.Context(), lines("out last words", "loop"), ExecOptions{}, func(Output) {
		syscall.Kill(c.PID(), syscall.SIGKILL)
	})
	if !errors.Is(err, ErrDead) || !strings.Contains(err.Error(), "signal: killed") || summary(reply.Outputs) != "stdout:last words\n" {
		t.Errorf("Execute = %+v, %v", reply, err)
	}
	if d := time.Since(start); d > time.Second {
		t.Errorf("it took %v to see that", d)
	}
	for range 2 {
		if _, err := c.Execute(t.Context(), "out x", ExecOptions{}, nil); !errors.Is(err, ErrDead) {
			t.Errorf("Execute = %v, want ErrDead", err)
		}
	}
	if err := c.Interrupt(t.Context()); !errors.Is(err, ErrDead) {
		t.Errorf("Interrupt = %v, want ErrDead", err)
	}
}

func TestCloseWhileRunning(t *testing.T) {
	c := startTest(t, testSpec(t, "kernel"), Options{})
	begun, done := make(chan bool, 1), make(chan error)
	go func() {
		_, err := c.Execute(context.Background(), lines("out x", "loop"), ExecOptions{}, func(Output) { begun <- true })
		done <- err
	}()
	<-begun
	start := time.Now()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("Execute = %v, want ErrClosed", err)
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("closing took %v", d)
	}
	if _, err := c.Execute(t.Context(), "out x", ExecOptions{}, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Execute = %v, want ErrClosed", err)
	}
	if err := c.Interrupt(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("Interrupt = %v, want ErrClosed", err)
	}
}

// What a kernel started ends with it.
func TestGrandchildrenEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	c := startTest(t, testSpec(t, "grandchild", file), Options{})
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	for i := 0; alive(pid); i++ {
		if i > 200 {
			t.Fatalf("process %d is left", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// alive reports whether a process exists and is not a zombie that nobody has waited for.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil && !errors.Is(err, os.ErrNotExist)
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

func TestStartFails(t *testing.T) {
	for _, tc := range []struct {
		name string
		spec Spec
		opts Options
		want string
	}{
		{"no command", Spec{Name: "x"}, Options{}, "no command"},
		{"bad mode", Spec{Name: "x", Argv: []string{"x"}, InterruptMode: "shout"}, Options{}, "shout"},
		{"no such program", Spec{Name: "x", Argv: []string{"/no/such/program"}}, Options{}, "/no/such/program"},
		{"ends at once", testSpec(t, "dies"), Options{}, "something is missing"},
		{"never answers", testSpec(t, "mute"), Options{Timeout: 300 * time.Millisecond}, "no answer within 300ms"},
		{"transport", testSpec(t, "kernel"), Options{Transport: "pigeon"}, `"pigeon", want tcp or ipc`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			start := time.Now()
			c, err := Start(t.Context(), tc.spec, tc.opts)
			if !errors.Is(err, ErrStart) || c != nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Start = %v, %v; want %q", c, err, tc.want)
			}
			if d := time.Since(start); d > 3*time.Second {
				t.Errorf("it took %v", d)
			}
			if left, _ := os.ReadDir(temp); len(left) > 0 {
				t.Errorf("%s is left", left[0].Name())
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := Start(ctx, testSpec(t, "mute"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Start = %v, want Canceled", err)
	}
}

func TestCollect(t *testing.T) {
	text := func(name, text string) Output { return Output{Type: Stream, Name: name, Text: text} }
	show := func(kind, id, text string) Output {
		return Output{Type: kind, DisplayID: id, Data: map[string]any{"text/plain": text}}
	}
	clear := func(wait bool) Output { return Output{Type: ClearOutput, Wait: wait} }
	for _, tc := range []struct {
		name string
		in   []Output
		want string
	}{
		{"streams join", []Output{text("stdout", "a"), text("stdout", "b"), text("stderr", "c"), text("stdout", "d")}, "stdout:ab|stderr:c|stdout:d"},
		{"update", []Output{show(DisplayData, "x", "1"), show(DisplayData, "y", "2"), show(DisplayData, "x", "3"), show(UpdateDisplay, "x", "4")},
			"display_data:4|display_data:2|display_data:4"},
		{"update of nothing", []Output{show(UpdateDisplay, "x", "4")}, ""},
		{"clear", []Output{text("stdout", "a"), clear(false), text("stdout", "b")}, "stdout:b"},
		{"clear and wait", []Output{text("stdout", "a"), clear(true), text("stdout", "b")}, "stdout:b"},
		{"clear and wait in vain", []Output{text("stdout", "a"), clear(true)}, "stdout:a"},
	} {
		var c collector
		for _, o := range tc.in {
			c.add(o)
		}
		if s := summary(c.all()); s != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, s, tc.want)
		}
	}
}

// Many small texts cost what their bytes cost, not the square of that.
func TestCollectManyTexts(t *testing.T) {
	var c collector
	const n = 400_000
	start := time.Now()
	for range n {
		c.add(Output{Type: Stream, Name: "stdout", Text: "fifty bytes or so, which is a line of a progress report\n"})
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("%d texts took %v", n, d)
	}
	if got := c.all(); len(got) != 1 || len(got[0].Text) != 56*n {
		t.Errorf("%d outputs, %d bytes", len(got), len(got[0].Text))
	}
}

func TestGoNBFailure(t *testing.T) {
	const trace = "panic: gone wrong\n\ngoroutine 1 [running]:\nmain.main()\n\t ⋮ main.go:9 +0x1d\nexit status 2\n"
	for _, tc := range []struct {
		stderr, name, value string
	}{
		{"", "", ""},
		{"a warning\n", "", ""},
		{"we print exit status 1 and go on\nfine\n", "", ""},
		{"panic: recovered by the program\nfine\n", "", ""},
		{"exit status 0\n", "", ""},
		{"log\nexit status 3\n\n", "exit", "exit status 3"},
		{"signal: killed\n", "exit", "signal: killed"},
		{"before\n" + trace, "panic", "gone wrong"},
		{strings.TrimSuffix(trace, "exit status 2\n"), "panic", "gone wrong"},
		{"panic: last line", "panic", "last line"},
		{"fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [select]:\nexit status 2", "fatal error", "all goroutines are asleep - deadlock!"},
	} {
		f, failed := gonbFailure(tc.stderr)
		if failed != (tc.name != "") || f.EName != tc.name || f.EValue != tc.value || failed && len(f.Traceback) == 0 {
			t.Errorf("%q: %+v, %v; want %s: %s", tc.stderr, f, failed, tc.name, tc.value)
		}
	}
}

func TestSpecs(t *testing.T) {
	for _, v := range []string{"JUPYTER_DATA_DIR", "XDG_DATA_HOME", "VIRTUAL_ENV", "CONDA_PREFIX"} {
		t.Setenv(v, "")
	}
	home, first, second := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("JUPYTER_PATH", first+string(os.PathListSeparator)+second)
	write := func(root, name, text string) string {
		t.Helper()
		dir := filepath.Join(root, "kernels", name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "kernel.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	spec := func(display string) string {
		data, err := json.Marshal(map[string]any{"argv": []string{"p", "{resource_dir}", "-f", "{connection_file}"},
			"display_name": display, "language": "go", "env": map[string]string{"A": "b"}, "metadata": map[string]any{"x": 1}})
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	dir := write(first, "one", spec("first one"))
	write(second, "one", spec("second one"))
	write(second, "Two", spec("two"))
	write(second, "broken", "{")
	write(second, "empty", "{}")
	write(filepath.Join(home, ".local", "share", "jupyter"), "users", spec("of the user"))

	one, err := FindSpec("ONE")
	want := Spec{Name: "one", Argv: []string{"p", "{resource_dir}", "-f", "{connection_file}"}, Env: map[string]string{"A": "b"},
		DisplayName: "first one", Language: "go", InterruptMode: "signal", Dir: dir}
	if err != nil || !reflect.DeepEqual(one, want) {
		t.Errorf("FindSpec = %+v, %v; want %+v", one, err, want)
	}
	if got := one.command("/c"); !reflect.DeepEqual(got, []string{"p", dir, "-f", "/c"}) {
		t.Errorf("command %q", got)
	}
	if s, err := FindSpec("users"); err != nil || s.DisplayName != "of the user" {
		t.Errorf("FindSpec = %+v, %v", s, err)
	}
	if _, err := FindSpec("three"); !errors.Is(err, ErrNoSpec) || !strings.Contains(err.Error(), `"three"`) || !strings.Contains(err.Error(), "users") {
		t.Errorf("FindSpec = %v, want the names that there are", err)
	}
	for name, reason := range map[string]string{"broken": "JSON", "empty": "no command"} {
		if _, err := FindSpec(name); err == nil || !strings.Contains(err.Error(), reason) || !strings.Contains(err.Error(), "kernel.json") {
			t.Errorf("FindSpec(%s) = %v, want the file and %q", name, err, reason)
		}
	}
	var names []string
	for _, s := range ListSpecs() {
		if s.Dir != "" && (strings.HasPrefix(s.Dir, first) || strings.HasPrefix(s.Dir, second) || strings.HasPrefix(s.Dir, home)) {
			names = append(names, s.Name)
		}
	}
	if !sort.StringsAreSorted(names) || strings.Join(names, " ") != "Two one users" {
		t.Errorf("ListSpecs has %q", names)
	}
}

// The connection file is private and its folder too.
func TestConnectionFileIsPrivate(t *testing.T) {
	_, dir, path, err := newConnection(Spec{Name: "x"}, "tcp")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for p, want := range map[string]os.FileMode{path: 0o600, dir: 0o700} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", p, info.Mode(), err, want)
		}
	}
}

// A trivial cell takes well under five milliseconds at the median.
func TestLatency(t *testing.T) {
	c := startTest(t, testSpec(t, "kernel"), Options{})
	var times []time.Duration
	for range 300 {
		reply, err := c.Execute(t.Context(), "result 1", ExecOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		times = append(times, reply.Elapsed)
	}
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	median := times[len(times)/2]
	t.Logf("median %v, 99 %% below %v", median, times[len(times)*99/100])
	if median > 5*time.Millisecond {
		t.Errorf("a trivial cell takes %v, want less than 5 ms", median)
	}
}
