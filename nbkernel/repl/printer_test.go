package repl

import (
	"bytes"
	"testing"

	"eigenbook/nbkernel/worker"
)

func TestPrinter(t *testing.T) {
	plain := func(kind, text, id string) worker.Event {
		return worker.Event{Kind: kind, Data: map[string]any{"text/plain": text}, DisplayID: id}
	}
	for _, tc := range []struct {
		name      string
		overwrite bool
		events    []worker.Event
		want      string
	}{
		{"a result begins a line", false, []worker.Event{{Kind: worker.Stdout, Text: "a"}, plain(worker.Result, "b", "")}, "a\nb\n"},
		{"updates at a terminal", true, []worker.Event{plain(worker.Display, "1%", "p"), plain(worker.UpdateDisplay, "2%", "p"), plain(worker.UpdateDisplay, "3%", "p")},
			"1%\n\x1b[1A\x1b[2K2%\n\x1b[1A\x1b[2K3%\n"},
		{"updates below other output", true, []worker.Event{plain(worker.Display, "1%", "p"), {Kind: worker.Stdout, Text: "x\n"}, plain(worker.UpdateDisplay, "2%", "p")},
			"1%\nx\n2%\n"},
		{"updates in a pipe", false, []worker.Event{plain(worker.Display, "1%", "p"), plain(worker.UpdateDisplay, "2%", "p")}, "1%\n2%\n"},
		{"a failure without traceback", false, []worker.Event{{Kind: worker.Error, Failure: &worker.Failure{Name: "panic", Value: "no"}}}, "panic: no\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var b bytes.Buffer
			p := &printer{out: &b, err: &b, overwrite: tc.overwrite}
			for _, e := range tc.events {
				p.event(e)
			}
			p.end()
			if b.String() != tc.want {
				t.Errorf("printed %q, want %q", b.String(), tc.want)
			}
		})
	}
}
