package worker

import (
	"os"
	"strings"
	"testing"
	"time"
)

// What %%bash and %%script do with arguments, streams, bytes that are no text, and failure.
func TestShellCells(t *testing.T) {
	p := start(t, Config{Argv: []string{os.Args[0], "go"}})
	for _, tc := range []struct{ code, want, fails string }{
		{"%%bash\necho one\n# a comment, and % is text\nprintf %s two", "stdout one\ntwo", ""},
		{"%%bash -s a 'b'\necho $1 $# $2", "stdout a 2 'b'\n", ""}, // blanks alone separate
		{"%%bash\nprintf 'a\\0\\377b'", "stdout a\x00\xffb", ""},
		{"%%bash\necho no >&2; exit 4", "stderr no\n", "exit status 4"},
		{"%%bash\nkill -9 $$", "", "signal: killed"},
		{"%%bash\n", "", ""},
		{"%%script cat\nbody\n", "stdout body\n", ""},
		{"%%script no-such-program\nx", "", "no-such-program"},
		{"%%script\nx", "", "wants a command"},
	} {
		got := runCell(t, p, tc.code)
		outputs, _, _ := strings.Cut(got.story(), "error")
		if strings.TrimSuffix(outputs, "|") != tc.want || (got.Status == OK) != (tc.fails == "") || got.Restarted ||
			got.Failure != nil && !strings.Contains(got.Failure.Value, tc.fails) {
			t.Errorf("%q: %s %q %+v, want %q and %q", tc.code, got.Status, got.story(), got.Failure, tc.want, tc.fails)
		}
	}
	// A script that ignores SIGINT costs half a second, not the session.
	runCell(t, p, "x := 1")
	time.AfterFunc(100*time.Millisecond, p.Interrupt)
	if got := runCell(t, p, "%%bash\ntrap '' INT\nwhile true; do sleep 0.05; done"); got.Status != Interrupted || got.Restarted {
		t.Errorf("a script that ignores SIGINT: %+v", got.Outcome)
	}
	if got := runCell(t, p, "x"); got.story() != "result 1" {
		t.Errorf("after that: %q", got.story())
	}
}
