package worker

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
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
