package worker

import (
	"bytes"
	"io"
)

// A piece of a stream is text or a mark.
type piece struct {
	text string
	mark bool
}

// readPieces reads r to its end and sends what it read to pieces, which it closes. Nothing is
// kept back but the beginning of what may become a mark, and that until the next read.
func readPieces(r io.Reader, mark []byte, pieces chan<- piece) {
	defer close(pieces)
	buf := make([]byte, 64<<10)
	kept := 0 // bytes at the beginning of buf that are not sent yet
	for {
		n, err := r.Read(buf[kept:])
		text := buf[:kept+n]
		for {
			i := bytes.Index(text, mark)
			if i < 0 {
				break
			}
			if i > 0 {
				pieces <- piece{text: string(text[:i])}
			}
			pieces <- piece{mark: true}
			text = text[i+len(mark):]
		}
		tail := 0
		if err == nil {
			tail = beginning(text, mark)
		}
		if end := len(text) - tail; end > 0 {
			pieces <- piece{text: string(text[:end])}
			text = text[end:]
		}
		if err != nil {
			return
		}
		kept = copy(buf, text)
	}
}

// beginning returns the length of the longest end of text that is a beginning of mark.
func beginning(text, mark []byte) int {
	for n := min(len(mark)-1, len(text)); n > 0; n-- {
		if bytes.Equal(text[len(text)-n:], mark[:n]) {
			return n
		}
	}
	return 0
}
