package worker

import (
	"context"
	"encoding/json"
	"testing"
)

func TestComms(t *testing.T) {
	p := start(t, Config{})
	deliver := func(kind, target, data string) record {
		t.Helper()
		m := &Comm{Kind: kind, ID: "1", Target: target, Data: json.RawMessage(data)}
		return runWith(t, p, context.Background(), "", ExecOptions{Comm: m}, nil)
	}
	if got := deliver(CommOpen, "echo", "1"); got.Failure == nil || got.Failure.Name != NoTarget {
		t.Errorf("a target that nobody named: %+v", got.Outcome)
	}
	runCell(t, p, "comms")
	if got := deliver(CommOpen, "echo", `{"a":1}`); got.Status != OK || got.story() != "stdout open map[a:1]\n" {
		t.Errorf("open: %+v %q", got.Outcome, got.story())
	}
	got := deliver(CommMessage, "", `[1,"two"]`)
	if got.Status != OK || got.story() != "comm_msg" || string(got.events[0].Comm.Data) != `[1,"two"]` || got.events[0].Comm.ID != "1" {
		t.Errorf("message: %+v %q", got.Outcome, got.story())
	}
	if got := deliver(CommMessage, "", `"panic"`); got.Failure == nil || got.Failure.Name != "panic" {
		t.Errorf("a function that panics: %+v", got.Outcome)
	}
}
