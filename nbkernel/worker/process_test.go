package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestOutputsKeepTheirOrder(t *testing.T) {
	p := start(t, Config{})
	var code, want strings.Builder
	for i := range 200 {
		n := strconv.Itoa(i)
		code.WriteString("out o" + n + "\nshow d" + n + "\nerr e" + n + "\nshow D" + n + "\n")
		want.WriteString("stdout o" + n + "\n|display d" + n + "|stderr e" + n + "\n|display D" + n + "|")
	}
	code.WriteString("value v")
	want.WriteString("result v")
	if got := runCell(t, p, code.String()); got.story() != want.String() || got.Status != OK {
		t.Errorf("status %s, events %.300s\nwant %.300s", got.Status, got.story(), want.String())
	}
}

func TestResults(t *testing.T) {
	p := start(t, Config{})
	for _, tc := range []struct{ code, want string }{
		{"value 7", "result 7"},
		{"mute 7", ""},
		{"value 7\nout x", "stdout x\n"},
		{"", ""},
	} {
		if got := runCell(t, p, tc.code); got.story() != tc.want || got.Status != OK {
			t.Errorf("%q: %s %q, want %q", tc.code, got.Status, got.story(), tc.want)
		}
	}
	if got := runCell(t, p, "errorvalue no such row"); got.Status != OK || !strings.Contains(got.story(), "no such row") {
		t.Errorf("a value that is an error: %s %q", got.Status, got.story())
	}
	if got := runWith(t, p, context.Background(), "value 7", ExecOptions{Silent: true}, nil); got.story() != "" {
		t.Errorf("silent: %q", got.story())
	}
}

func TestFailure(t *testing.T) {
	p := start(t, Config{})
	for _, tc := range []struct{ code, want string }{
		{"out before\nfail the reason", "the reason"},
		{"panic of the interpreter", "of the interpreter"},
		{"%nonsense", "nonsense is unknown"},
		{"!exit 3", "exit status 3"},
	} {
		got := runCell(t, p, tc.code)
		last := got.events[len(got.events)-1]
		if got.Status != Failed || got.Restarted || last.Kind != Error || last.Failure != got.Failure ||
			!strings.Contains(got.Failure.Value, tc.want) || !strings.Contains(strings.Join(got.Failure.Traceback, "\n"), tc.want) {
			t.Errorf("%q: %+v", tc.code, got)
		}
	}
}

func TestOutputsAreTakenBack(t *testing.T) {
	p := start(t, Config{})
	got := runCell(t, p, "out a\nclear wait\nout b\nclear")
	if want := "stdout a\n|clear_output|stdout b\n|clear_output"; got.story() != want || !got.events[1].Wait || got.events[3].Wait {
		t.Errorf("got %q, want %q, the first with Wait", got.story(), want)
	}
}

// An output of gonbui with an identifier is shown once and then replaced.
func TestOutputsWithIdentifier(t *testing.T) {
	p := start(t, Config{})
	got := runCell(t, p, "gonbui one\ngonbui two")
	if want := "display one|update_display two"; got.story() != want || got.events[0].DisplayID != "id" || got.events[1].DisplayID != "id" {
		t.Errorf("got %q %+v, want %q", got.story(), got.events, want)
	}
}

func TestHelpOfAName(t *testing.T) {
	p := start(t, Config{})
	if got := runCell(t, p, "%help f"); got.story() != "page f" {
		t.Errorf("got %q, want a page about f", got.story())
	}
	for _, line := range strings.Split(helpText, "\n") {
		if len(line) > 88 { // what fits a notebook's column
			t.Errorf("%d characters of %%help wrap: %s", len(line), line)
		}
	}
	if got := runCell(t, p, "%help"); !strings.HasPrefix(got.story(), "stdout A cell holds Go") {
		t.Errorf("got %.60q, want the list of special lines", got.story())
	}
}

func TestFloods(t *testing.T) {
	p := start(t, Config{})
	const size = 100 << 20
	n := 0
	got := runWith(t, p, context.Background(), "flood "+strconv.Itoa(size)+"\nvalue end", ExecOptions{}, func(e Event) { n += len(e.Text) })
	if last := got.events[len(got.events)-1]; n != size || last.Kind != Result {
		t.Errorf("%d bytes of %d, then %s", n, size, last.Kind)
	}
}

func TestBinaryOutput(t *testing.T) {
	p := start(t, Config{})
	var want strings.Builder
	for i := range 256 {
		want.Write([]byte{byte(i), 0, 0xff})
	}
	if got := runCell(t, p, "binary"); got.text(Stdout) != want.String() {
		t.Errorf("got %q", got.text(Stdout))
	}
}

func TestClosedStdout(t *testing.T) {
	p := start(t, Config{})
	if got := runCell(t, p, "out a\nclosestdout\nshow b"); got.story() != "stdout a\n|display b" {
		t.Errorf("got %q", got.story())
	}
}

func TestLateOutputGoesToTheNextCell(t *testing.T) {
	p := start(t, Config{})
	runCell(t, p, "late echo")
	time.Sleep(150 * time.Millisecond)
	if got := runCell(t, p, "show x"); got.story() != "stdout echo\n|display x" {
		t.Errorf("got %q", got.story())
	}
}

func TestDeath(t *testing.T) {
	p := start(t, Config{})
	for _, tc := range []struct{ code, want string }{
		{"gopanic boom", "panic: boom"},
		{"exit 0", "exit code 0"},
		{"exit 3", "exit code 3"},
		{"fatal", "fatal error: sync: unlock of unlocked mutex"},
		{"overflow", "stack overflow"},
		{"kill 9", "SIGKILL"},
		{"kill 15", "terminated"},
		{"closereports", "SIGKILL"},
	} {
		t.Run(tc.code, func(t *testing.T) {
			if got := runCell(t, p, "declare f\nset a 1\nset b 2"); got.Status != OK {
				t.Fatalf("%+v", got)
			}
			got := runCell(t, p, "out before\n"+tc.code)
			last := got.events[len(got.events)-1]
			if got.Status != Failed || !got.Restarted || !slices.Equal(got.Lost, []string{"a", "b"}) {
				t.Fatalf("%+v", got.Outcome)
			}
			if last.Kind != Error || !strings.Contains(last.Failure.Value, tc.want) {
				t.Errorf("%s: %+v, want %q", last.Kind, last.Failure, tc.want)
			}
			if got.text(Stdout) != "before\n" {
				t.Errorf("output before the death is lost: %.200q", got.story())
			}
			if got := runCell(t, p, "names"); !strings.HasPrefix(got.text(Stdout), "[declare f") || !strings.HasSuffix(got.text(Stdout), "] 0\n") {
				t.Errorf("after the death: %q", got.text(Stdout))
			}
			if err := p.Restart(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestDeathBetweenCells(t *testing.T) {
	p := start(t, Config{})
	runCell(t, p, "declare f\nset a 1\nlatepanic boom")
	select {
	case <-p.peer.ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the child does not die of the panic")
	}
	got := runCell(t, p, "names")
	if got.Status != OK || !got.Restarted || !slices.Equal(got.Lost, []string{"a"}) {
		t.Errorf("%+v", got.Outcome)
	}
	if !strings.Contains(got.text(Stderr), "panic: boom") || got.text(Stdout) != "[declare f] 0\n" {
		t.Errorf("got %q", got.story())
	}
}

func TestInterrupt(t *testing.T) {
	p := start(t, Config{Grace: 300 * time.Millisecond})
	p.Interrupt() // no cell runs: nothing happens
	soon := func() { time.AfterFunc(100*time.Millisecond, p.Interrupt) }

	runCell(t, p, "set a 1")
	for _, code := range []string{"wait", "!sleep 100", "!sleep 100; sleep 100", "%%bash\nsleep 100\n"} {
		soon()
		got := runCell(t, p, code)
		if got.Status != Interrupted || got.Restarted || got.Elapsed > 10*time.Second {
			t.Errorf("%s: %+v %+v", code, got.Outcome, got.Failure)
		}
	}
	soon()
	got := runCell(t, p, "hang")
	if got.Status != Interrupted || !got.Restarted || !slices.Equal(got.Lost, []string{"a"}) {
		t.Errorf("hang: %+v", got.Outcome)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if got := runWith(t, p, ctx, "wait", ExecOptions{}, nil); got.Status != Interrupted || got.Restarted {
		t.Errorf("context: %+v", got.Outcome)
	}
	if got := runWith(t, p, ctx, "out x", ExecOptions{}, nil); got.Status != Interrupted || got.text(Stdout) != "" {
		t.Errorf("dead context: %+v", got)
	}
	if got := runCell(t, p, "out x"); got.Status != OK {
		t.Errorf("after interrupts: %+v", got.Outcome)
	}
}

// A cell that asks has its prompt in the request, and is asked once.
func TestQuestion(t *testing.T) {
	p := start(t, Config{})
	if got := runCell(t, p, "ask name"); !strings.Contains(got.text(Stdout), "nobody answers") {
		t.Errorf("without stdin: %q", got.story())
	}
	var asked []string
	got := runWith(t, p, context.Background(), "out a\nask name\nask age", ExecOptions{AllowStdin: true}, func(e Event) {
		if e.Kind == InputRequest {
			asked = append(asked, e.Prompt)
			time.AfterFunc(200*time.Millisecond, func() { p.Answer("Ada") }) // time enough to be seen reading
		}
	})
	if want := "stdout a\n|input_request|stdout \"Ada\" <nil>\n|input_request|stdout \"Ada\" <nil>\n"; got.story() != want || !slices.Equal(asked, []string{"name", "age"}) {
		t.Errorf("asked %q, got %q, want %q", asked, got.story(), want)
	}
}

func TestInput(t *testing.T) {
	p := start(t, Config{})
	if got := runCell(t, p, "read"); got.text(Stdout) != "got \"\" EOF\n" {
		t.Errorf("without stdin: %q", got.text(Stdout))
	}
	if !readsInputHere() {
		t.Skip("/proc/PID/task/TID/syscall cannot be read here")
	}
	answers := []string{"Ada", "Grace"}
	answer := func(e Event) {
		if e.Kind == InputRequest {
			if err := p.Answer(answers[0]); err != nil {
				t.Error(err)
			}
			answers = answers[1:]
		}
	}
	got := runWith(t, p, context.Background(), "read\n!\n", ExecOptions{AllowStdin: true}, answer)
	if got.text(Stdout) != "got \"Ada\" <nil>\n" {
		t.Errorf("with stdin: %q", got.story())
	}
	got = runWith(t, p, context.Background(), "!read x; echo $x", ExecOptions{AllowStdin: true}, answer)
	if got.text(Stdout) != "Grace\n" {
		t.Errorf("in a shell: %q", got.story())
	}
	time.AfterFunc(500*time.Millisecond, p.Interrupt)
	if got = runWith(t, p, context.Background(), "!read x", ExecOptions{AllowStdin: true}, nil); got.Status != Interrupted {
		t.Errorf("interrupted: %+v", got.Outcome)
	}
	if err := p.Answer("nobody asked"); err == nil {
		t.Error("an answer without a cell is no error")
	}
}

// readsInputHere says whether the system tells what threads wait for.
func readsInputHere() bool {
	_, err := os.ReadFile("/proc/self/task/" + strconv.Itoa(os.Getpid()) + "/syscall")
	return err == nil
}

func TestRestart(t *testing.T) {
	p := start(t, Config{})
	runCell(t, p, "declare f\nset a 1")
	if err := p.Restart(); err != nil {
		t.Fatal(err)
	}
	if got := runCell(t, p, "names"); got.text(Stdout) != "[] 0\n" || got.Restarted {
		t.Errorf("%+v", got)
	}
	time.AfterFunc(100*time.Millisecond, func() { p.Restart() })
	if got := runCell(t, p, "hang"); got.Status != Failed || !got.Restarted {
		t.Errorf("%+v", got.Outcome)
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	files := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("/proc/self/fd cannot be read here")
		}
		return len(entries)
	}
	cycle := func() (orphan int) {
		p := start(t, Config{})
		got := runCell(t, p, "orphan")
		orphan, err := strconv.Atoi(strings.TrimSpace(got.text(Stdout)))
		if err != nil {
			t.Fatal(err)
		}
		running := make(chan error)
		go func() {
			_, err := p.Execute(context.Background(), "hang", 2, ExecOptions{}, func(Event) {})
			running <- err
		}()
		time.Sleep(20 * time.Millisecond)
		p.Close()
		if err := <-running; !errors.Is(err, ErrClosed) {
			t.Errorf("Execute returned %v", err)
		}
		if p.Close() != nil || !errors.Is(p.Restart(), ErrClosed) || !errors.Is(p.Answer(""), ErrClosed) {
			t.Error("a closed process is used")
		}
		return orphan
	}
	cycle()
	before, routines := files(), runtime.NumGoroutine()
	for range 5 {
		orphan := cycle()
		if !gone(orphan) {
			t.Errorf("process %d lives", orphan)
		}
	}
	time.Sleep(50 * time.Millisecond)
	if after := files(); after > before {
		t.Errorf("%d open files, before %d", after, before)
	}
	if after := runtime.NumGoroutine(); after > routines {
		t.Errorf("%d goroutines, before %d", after, routines)
	}
}

// gone says whether a process ends within a second. A zombie whose parent died counts.
func gone(pid int) bool {
	for range 100 {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil || strings.Contains(string(text), ") Z ") || syscall.Kill(pid, 0) != nil {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func TestMagics(t *testing.T) {
	p := start(t, Config{})
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ code, want string }{
		{"%cd " + dir, "stdout " + dir + "\n"},
		{"%env EIGENTEST=a b", "stdout EIGENTEST=a b\n"},
		{"getenv EIGENTEST", "stdout a b\n"},
		{"!echo $EIGENTEST; echo err >&2", "stdout a b\n|stderr err\n"},
		{"%%writefile a.txt\none\n", "stderr 4 bytes written to a.txt\n"},
		{"%%writefile -a a.txt\ntwo\n", "stderr 4 bytes written to a.txt\n"},
		{"%%bash\ncat a.txt\n", "stdout one\ntwo\n"},
		{"%%script tr a-z A-Z\nword\n", "stdout WORD\n"},
		{"%args x y\nargs", "stdout [x y]\n"},
		{"args", "stdout []\n"},
		{"%capture c.txt\nout seen", "stdout seen\n"},
		{"!cat c.txt", "stdout seen\n"},
		{"set a 1\n%who", ""},
		{"%who", "stdout a\tstring 1\n"},
		{"%rm a", ""},
		{"%who", ""},
	} {
		got := runCell(t, p, tc.code)
		if story := got.story(); story != tc.want && !(strings.Contains(tc.code, ">&2") && story == "stderr err\n|stdout a b\n") {
			t.Errorf("%q: %q, want %q", tc.code, story, tc.want)
		}
	}
	if got := runCell(t, p, "%noautoget\nout x"); got.Status != OK || got.text(Stdout) != "x\n" || got.text(Stderr) == "" {
		t.Errorf("noautoget: %q", got.story())
	}
	if got := runCell(t, p, "%time\nout x"); !strings.HasPrefix(got.text(Stdout), "x\ntime: ") {
		t.Errorf("time: %q", got.story())
	}
	// Settings survive the death of the child.
	runCell(t, p, "exit 1")
	if got := runCell(t, p, "getwd\ngetenv EIGENTEST"); got.text(Stdout) != dir+"\na b\n" {
		t.Errorf("after a death: %q", got.text(Stdout))
	}
}

func TestQueries(t *testing.T) {
	p := start(t, Config{})
	ask := func() {
		t.Helper()
		if c, err := p.Complete("ab", 9); err != nil || !slices.Equal(c.Matches, []string{"abx"}) {
			t.Errorf("Complete = %+v, %v", c, err)
		}
		if m, err := p.Inspect("word", 4, 0); err != nil || m["text/plain"] != "word" {
			t.Errorf("Inspect = %v, %v", m, err)
		}
	}
	ask()
	if c, err := p.Complete("x\n%ti", 5); err != nil || c.Start != 2 || !slices.Equal(c.Matches, []string{"%time", "%timeit"}) {
		t.Errorf("Complete of a magic = %+v, %v", c, err)
	}
	if m, err := p.Inspect("", 0, 0); err != nil || m != nil {
		t.Errorf("Inspect of nothing = %v, %v", m, err)
	}
	time.AfterFunc(500*time.Millisecond, p.Interrupt)
	done := make(chan bool)
	go func() {
		defer close(done)
		p.Execute(context.Background(), "wait", 1, ExecOptions{}, func(Event) {})
	}()
	time.Sleep(50 * time.Millisecond)
	ask()
	<-done
}

func TestStartFails(t *testing.T) {
	for _, argv := range [][]string{{"/nonexistent/program"}, {"/bin/sh", "-c", "echo reason >&2; exit 7"}, {}} {
		if p, err := Start(Config{Argv: argv}); err == nil || p != nil {
			t.Errorf("Start(%q) = %v, %v", argv, p, err)
		} else if len(argv) > 1 && !strings.Contains(err.Error(), "reason") {
			t.Errorf("Start(%q): %v", argv, err)
		}
	}
}

// A cell costs less than a millisecond and a child a tenth of a second; the limits are wide
// for machines that do other things.
func TestSpeed(t *testing.T) {
	began := time.Now()
	p := start(t, Config{})
	ready := time.Since(began)
	times := make([]time.Duration, 1000)
	for i := range times {
		times[i] = runCell(t, p, "value 1").Elapsed
	}
	slices.Sort(times)
	t.Logf("ready after %v; %d cells: median %v, 99%% %v", ready, len(times), times[len(times)/2], times[len(times)*99/100])
	if times[len(times)/2] > 20*time.Millisecond {
		t.Errorf("median of a cell is %v", times[len(times)/2])
	}
}
