package command

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"eigenbook/nbkernel/client"
	"eigenbook/nbkernel/notebook"
)

// A fakeSession answers cells by their text: "print X", "fail", "sleep", "deaf", "die".
type fakeSession struct {
	count      int
	ran        []string
	interrupts chan struct{}
}

func newFakeSession() *fakeSession { return &fakeSession{interrupts: make(chan struct{}, 9)} }

func (s *fakeSession) Interrupt(context.Context) error {
	s.interrupts <- struct{}{}
	return nil
}

func (s *fakeSession) Execute(ctx context.Context, code string, _ client.ExecOptions, emit func(client.Output)) (client.Reply, error) {
	s.count++
	s.ran = append(s.ran, code)
	reply := client.Reply{Status: client.OK, Count: s.count}
	verb, rest, _ := strings.Cut(code, " ")
	failed := func(name, value string, trace ...string) (client.Reply, error) {
		reply.Status, reply.EName, reply.EValue, reply.Traceback = client.Failed, name, value, trace
		emit(client.Output{Type: client.Error, EName: name, EValue: value, Traceback: trace})
		return reply, nil
	}
	switch verb {
	case "print":
		emit(client.Output{Type: client.Stream, Name: "stdout", Text: rest + "\n"})
	case "show":
		emit(client.Output{Type: client.DisplayData, Data: map[string]any{"text/plain": rest}, DisplayID: "id"})
	case "update":
		emit(client.Output{Type: client.UpdateDisplay, Data: map[string]any{"text/plain": rest}, DisplayID: "id"})
	case "fail":
		return failed("panic", "boom", "\x1b[31mpanic: boom\x1b[0m", "cell 1, line 3: m[1] = 2")
	case "sleep": // until it is interrupted
		select {
		case <-s.interrupts:
			return failed("interrupted", "stopped")
		case <-ctx.Done():
			return client.Reply{}, ctx.Err()
		}
	case "deaf": // does not heed an interrupt
		<-ctx.Done()
		return client.Reply{}, ctx.Err()
	case "die":
		return client.Reply{}, fmt.Errorf("%w: exit status 2", client.ErrDead)
	}
	return reply, nil
}

func run(ctx context.Context, e *execution, sources ...string) (*fakeSession, []string) {
	e.notebook = notebook.New()
	for _, s := range sources {
		c := e.notebook.Append(notebook.Code, s)
		if tag, source, ok := strings.Cut(s, ": "); ok {
			c.Source = source
			c.Metadata["tags"] = []any{tag}
		}
		c.Outputs = []*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: "old"}}
	}
	if e.grace == 0 {
		e.grace = 50 * time.Millisecond
	}
	s := newFakeSession()
	e.run(ctx, s)
	var failures []string
	for _, f := range e.failures {
		failures = append(failures, f.String())
	}
	return s, failures
}

func TestNotebookIsExecuted(t *testing.T) {
	e := &execution{}
	var progress []string
	e.progress = func(done, all int, _ time.Duration, ok bool) {
		progress = append(progress, fmt.Sprint(done, "/", all, ok))
	}
	_, failures := run(t.Context(), e, "print a", "", "show 1", "update 2", "skip-execution: print never")
	if len(failures) > 0 || exitCode(e.failures) != ExitDone {
		t.Fatalf("failures %v", failures)
	}
	cells := e.notebook.Cells
	if got := cells[0].Outputs; len(got) != 1 || got[0].Text != "a\n" {
		t.Errorf("the first cell has outputs %+v, want what it printed and nothing old", got)
	}
	if cells[0].ExecutionCount != 1 || cells[2].ExecutionCount != 2 || cells[1].ExecutionCount != 0 {
		t.Error("the execution counts are not those of the kernel")
	}
	if len(cells[1].Outputs) != 0 {
		t.Error("an empty cell keeps old output")
	}
	if got := cells[2].Outputs[0].Data["text/plain"]; got != "2" {
		t.Errorf("the display shows %v, want the update from the next cell", got)
	}
	if got := cells[4].Outputs[0].Text; got != "old" {
		t.Errorf("a skipped cell's output is %q, want what it was", got)
	}
	if got := strings.Join(progress, " "); got != "1/3 true 2/3 true 3/3 true" {
		t.Errorf("progress %s", got)
	}
}

func TestFailures(t *testing.T) {
	for _, tc := range []struct {
		name    string
		sources []string
		e       execution
		want    []string
		ran     int
		code    int
	}{
		{"stops at the first", []string{"print a", "fail", "print b"}, execution{}, []string{"cell 2 [2], line 3: panic: boom"}, 2, ExitFailed},
		{"goes on", []string{"fail", "print b", "fail"}, execution{keepGoing: true}, []string{"cell 1 [1], line 3: panic: boom", "cell 3 [3], line 3: panic: boom"}, 3, ExitFailed},
		{"may fail", []string{"raises-exception: fail", "print b"}, execution{}, nil, 2, ExitDone},
		{"time limit", []string{"sleep", "print b"}, execution{limit: 20 * time.Millisecond, grace: 5 * time.Second},
			[]string{"cell 1 [1]: took longer than the limit of 20ms and was interrupted"}, 1, ExitTimeout},
		{"time limit and on", []string{"sleep", "print b"}, execution{limit: 20 * time.Millisecond, grace: 5 * time.Second, keepGoing: true},
			[]string{"cell 1 [1]: took longer than the limit of 20ms and was interrupted"}, 2, ExitTimeout},
		{"deaf to interrupts", []string{"deaf", "print b"}, execution{limit: 20 * time.Millisecond, keepGoing: true},
			[]string{"cell 1: took longer than the limit of 20ms, did not end when interrupted and was abandoned"}, 1, ExitTimeout},
		{"kernel dies", []string{"die", "print b"}, execution{keepGoing: true}, []string{"cell 1: the kernel died: exit status 2"}, 1, ExitFailed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, got := run(t.Context(), &tc.e, tc.sources...)
			if strings.Join(got, "|") != strings.Join(tc.want, "|") {
				t.Errorf("failures %q, want %q", got, tc.want)
			}
			if len(s.ran) != tc.ran {
				t.Errorf("%d cells ran (%q), want %d", len(s.ran), s.ran, tc.ran)
			}
			if code := exitCode(tc.e.failures); code != tc.code {
				t.Errorf("exit code %d, want %d", code, tc.code)
			}
			for i, c := range tc.e.notebook.Cells {
				if i >= len(s.ran) && len(c.Outputs) > 0 {
					t.Errorf("cell %d was not reached but has output", i+1)
				}
				if len(tc.want) > 0 && strings.HasPrefix(tc.want[0], fmt.Sprintf("cell %d", i+1)) && len(c.Outputs) == 0 {
					t.Errorf("cell %d failed and its outputs do not tell", i+1)
				}
			}
		})
	}
}

func TestInterruptKeepsWhatRan(t *testing.T) {
	for _, last := range []string{"sleep", "deaf"} {
		ctx, cancel := context.WithCancel(t.Context())
		e := &execution{keepGoing: true}
		e.progress = func(done, _ int, _ time.Duration, _ bool) {
			if done == 1 {
				time.AfterFunc(20*time.Millisecond, cancel)
			}
		}
		_, failures := run(ctx, e, "print a", last, "print b")
		if len(failures) != 1 || exitCode(e.failures) != ExitInterrupted || !strings.Contains(failures[0], "cell 2") {
			t.Errorf("%s: failures %q, exit code %d", last, failures, exitCode(e.failures))
		}
		if got := e.notebook.Cells[0].Outputs[0].Text; got != "a\n" {
			t.Errorf("%s: the first cell's output is %q", last, got)
		}
		cancel()
	}
}

func TestLineIn(t *testing.T) {
	for _, tc := range []struct {
		text string
		want int
	}{
		{"cell 4, line 12: x", 12},
		{"Cell[3]: Line 7", 7},
		{"3:14: undefined: x", 3},
		{"./main.go:22:5: declared and not used", 22},
		{"ERROR: /tmp/gonb_dd1c/main.go:8:1: expected operand", 0},
		{"\t [[ Cell [5] Line 3 ]] /tmp/gonb_2322/main.go:13 +0x67", 3},
		{"panic: boom", 0},
		{"ratio 1:2 is wrong", 0},
	} {
		if got := lineIn(tc.text); got != tc.want {
			t.Errorf("%q: line %d, want %d", tc.text, got, tc.want)
		}
	}
}

func TestCheckedClaimsAreCounted(t *testing.T) {
	e := &execution{}
	if _, failures := run(t.Context(), e, "print ✓ one\n✓ two\nnot ✓", "print ✓ three"); failures != nil {
		t.Fatal(failures)
	}
	if got := checks(e.notebook); got != 3 {
		t.Errorf("%d claims, want 3", got)
	}
}

func TestAFailureHasAMessage(t *testing.T) {
	if f := cellFailure(client.Reply{Status: client.Failed}, 1); f.message == "" {
		t.Error("a failure without a name has no message")
	}
}
