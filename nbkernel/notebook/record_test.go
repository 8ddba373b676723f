package notebook

import (
	"strings"
	"testing"
	"time"
)

func TestStreamsAreJoined(t *testing.T) {
	var r Recorder
	c := &Cell{Type: Code, ExecutionCount: 9, Outputs: []*Output{{Type: Stream}}}
	r.Begin(c)
	r.Stream("stdout", "a")
	r.Stream("stdout", "b\n")
	r.Stream("stderr", "e")
	r.Stream("stdout", "c")
	r.Display(map[string]any{"text/plain": "x"}, nil, "")
	r.Stream("stdout", "d")
	var got []string
	for _, o := range c.Outputs {
		got = append(got, o.Type+":"+o.Name+":"+o.Text)
	}
	want := "stream:stdout:ab\n|stream:stderr:e|stream:stdout:c|display_data::|stream:stdout:d"
	if strings.Join(got, "|") != want {
		t.Errorf("outputs are %q, want %q", got, want)
	}
	if c.ExecutionCount != 0 {
		t.Error("Begin kept the old execution count")
	}
}

func TestUpdateReachesEveryCell(t *testing.T) {
	var r Recorder
	plain := func(s string) map[string]any { return map[string]any{"text/plain": s} }
	a, b := &Cell{Type: Code}, &Cell{Type: Code}
	r.Begin(a)
	r.Display(plain("1"), nil, "bar")
	r.Display(plain("other"), nil, "other")
	r.Begin(b)
	r.Display(plain("1"), nil, "bar")
	r.Update(plain("2"), nil, "bar")
	r.Update(plain("3"), nil, "nobody")
	for _, tc := range []struct {
		o    *Output
		want string
	}{{a.Outputs[0], "2"}, {a.Outputs[1], "other"}, {b.Outputs[0], "2"}} {
		if got := tc.o.Data["text/plain"]; got != tc.want {
			t.Errorf("display shows %v, want %v", got, tc.want)
		}
	}
	if len(b.Outputs) != 1 {
		t.Errorf("an update added an output")
	}
}

func TestClear(t *testing.T) {
	var r Recorder
	c := &Cell{Type: Code}
	r.Begin(c)
	r.Stream("stdout", "10%")
	r.Clear(true)
	if len(c.Outputs) != 1 {
		t.Error("clear with wait cleared at once")
	}
	r.Stream("stdout", "20%")
	if len(c.Outputs) != 1 || c.Outputs[0].Text != "20%" {
		t.Errorf("outputs are %+v, want 20%% alone", c.Outputs[0])
	}
	r.Clear(false)
	if len(c.Outputs) != 0 {
		t.Error("clear without wait did not clear")
	}
}

func TestFloodIsCut(t *testing.T) {
	var r Recorder
	c := &Cell{Type: Code}
	r.Begin(c)
	chunk := strings.Repeat("é", 1<<20)
	for range 10 {
		r.Stream("stdout", chunk)
	}
	got := c.Outputs[0].Text
	if len(c.Outputs) != 1 || len(got) > MaxStream+100 || !strings.Contains(got, "dropped") || strings.Contains(got, "\ufffd") {
		t.Errorf("%d outputs, %d bytes, ends %q", len(c.Outputs), len(got), got[len(got)-80:])
	}
	next := &Cell{Type: Code}
	r.Begin(next)
	r.Stream("stdout", "x")
	if len(next.Outputs) != 1 {
		t.Error("the next cell's output is dropped too")
	}
}

// Many small texts cost what their bytes cost, not the square of that.
func TestRecordManyTexts(t *testing.T) {
	r, c := &Recorder{}, &Cell{Type: Code}
	r.Begin(c)
	const n = 100_000
	start := time.Now()
	for range n {
		r.Stream("stdout", "fifty bytes or so, which is a line of a progress report\n")
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("%d texts took %v", n, d)
	}
	if len(c.Outputs) != 1 || len(c.Outputs[0].Text) != 56*n {
		t.Errorf("%d outputs, %d bytes", len(c.Outputs), len(c.Outputs[0].Text))
	}
}
