package worker

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// What a process and the programs that it starts write to both streams comes out in the order
// in which it was written.
func TestStreamsKeepTheirOrder(t *testing.T) {
	p := start(t, Config{})
	const n = 3000
	var want []string
	last := ""
	for i := range n {
		kind, text := "display", fmt.Sprint(i)
		switch i * i % 7 {
		case 0, 4:
			kind, text = "stderr", text+"\n"
		case 1:
			kind, text = "stdout", text+"\n"
		}
		if kind == last && kind != "display" {
			want[len(want)-1] += text
		} else {
			want = append(want, kind+" "+text)
		}
		last = kind
	}
	got := strings.Split(runCell(t, p, fmt.Sprint("mix ", n)).story(), "|")
	for i, w := range want {
		if i >= len(got) || got[i] != w {
			t.Fatalf("output %d of %d is %.60q, want %q", i, len(got), got[min(i, len(got)-1)], w)
		}
	}

	const script = "!for i in 1 2 3 4 5 6 7 8 9; do echo out$i; echo err$i >&2; done; cat nosuchfile || echo failed"
	var story strings.Builder
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&story, "stdout out%d\n|stderr err%d\n|", i, i)
	}
	text := strings.TrimSuffix(story.String(), "|") + "cat: nosuchfile: No such file or directory\n|stdout failed\n"
	for range 20 {
		if got := runCell(t, p, script).story(); got != text {
			t.Fatalf("a program's output is %q, want %q", got, text)
		}
	}
}

// Large writes, a full pipe and descriptors that are opened anew lose nothing.
func TestNoTextIsLost(t *testing.T) {
	p := start(t, Config{})
	for _, tc := range []struct {
		code           string
		stdout, stderr int
	}{
		{"!head -c 5000000 /dev/zero; head -c 3000000 /dev/zero >&2", 5000000, 3000000},
		{"!head -c 4096 /dev/zero; head -c 8192 /dev/zero >&2; head -c 4096 /dev/zero", 8192, 8192},
		{"!head -c 100000 /dev/zero | tee /dev/stderr; head -c 100000 /dev/zero > /dev/stderr", 100000, 200000},
		{"!(head -c 2000000 /dev/zero &); head -c 2000000 /dev/zero >&2; wait; sleep 0.2", 2000000, 2000000},
		{"flood 20000000", 20000000, 0},
	} {
		got := runCell(t, p, tc.code)
		if o, e := len(got.text(Stdout)), len(got.text(Stderr)); o != tc.stdout || e != tc.stderr {
			t.Errorf("%s: %d and %d bytes, want %d and %d", tc.code, o, e, tc.stdout, tc.stderr)
		}
	}
}

// BenchmarkLines is the cost of a cell of short lines from write to event.
func BenchmarkLines(b *testing.B) {
	p := start(b, Config{})
	for b.Loop() {
		runCell(b, p, "lines 20000")
	}
}

// The end of the streams is seen at once, not when somebody stops reading.
func TestEndOfStreams(t *testing.T) {
	var files, writers [2]*os.File
	for i := range files {
		r, w, err := outputPipe()
		if err != nil {
			t.Fatal(err)
		}
		files[i], writers[i] = r, w
		defer r.Close()
	}
	pieces := make(chan piece)
	go readStreams(files, []byte("<mark>"), pieces, make(chan struct{}))
	time.Sleep(20 * time.Millisecond)
	go func() {
		for i := range 6 {
			fmt.Fprint(writers[i%2], i)
		}
		writers[0].Close()
		writers[1].Close()
	}()
	got, timer := "", time.AfterFunc(5*time.Second, func() { panic("the streams do not end") })
	defer timer.Stop()
	for k := range pieces {
		got += k.text
	}
	if got != "012345" {
		t.Errorf("read %q", got)
	}
}
