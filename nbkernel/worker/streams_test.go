package worker

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

// A slowReader gives what it holds in pieces of random size.
type slowReader struct {
	rest []byte
	rng  *rand.Rand
}

func (r *slowReader) Read(b []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b, r.rest[:min(len(r.rest), 1+r.rng.IntN(7))])
	r.rest = r.rest[n:]
	return n, nil
}

func TestMarksAreFoundWhereverTheyAreCut(t *testing.T) {
	mark := []byte("\x00ab\x00abc")
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		var want strings.Builder
		var stream bytes.Buffer
		for range rng.IntN(8) {
			switch rng.IntN(3) {
			case 0:
				stream.Write(mark)
				want.WriteString("<MARK>")
			case 1: // something like a mark
				part := mark[:rng.IntN(len(mark))]
				stream.Write(part)
				stream.WriteByte('-')
				want.Write(part)
				want.WriteByte('-')
			default:
				stream.WriteString("text")
				want.WriteString("text")
			}
		}
		pieces := make(chan piece)
		go func() {
			defer close(pieces)
			readPieces(0, &slowReader{stream.Bytes(), rng}, mark, pieces)
		}()
		var got strings.Builder
		for k := range pieces {
			if k.mark {
				got.WriteString("<MARK>")
			} else {
				got.WriteString(k.text)
			}
		}
		if got.String() != want.String() {
			t.Fatalf("%q was read as %q, want %q", stream.Bytes(), got.String(), want.String())
		}
	}
}

// Where the order of writes is not known, each stream is whole, and reading ends when it is
// stopped although somebody holds the pipes.
func TestStreamsApart(t *testing.T) {
	var files, writers [2]*os.File
	for i := range files {
		r, w, err := outputPipe()
		if err != nil {
			t.Fatal(err)
		}
		files[i], writers[i] = r, w
		defer r.Close()
		defer w.Close()
	}
	pieces, stop := make(chan piece), make(chan struct{})
	go func() {
		defer close(pieces)
		readApart(files, []byte("<mark>"), pieces, stop)
	}()
	for i, w := range writers {
		if _, err := w.WriteString(strings.Repeat("x", 100+i) + "<mark>tail"); err != nil {
			t.Fatal(err)
		}
	}
	var got [2]string
	ends := 0
	timer := time.AfterFunc(50*time.Millisecond, func() { close(stop) })
	defer timer.Stop()
	for k := range pieces {
		got[k.stream] += k.text
		if k.mark {
			got[k.stream] += "|"
		}
		if k.end {
			ends++
		}
	}
	for i, text := range got {
		if want := strings.Repeat("x", 100+i) + "|tail"; text != want {
			t.Errorf("stream %d is %q, want %q", i, text, want)
		}
	}
	if ends != 2 {
		t.Errorf("%d streams ended, want 2", ends)
	}
}
