package kernel

import (
	"fmt"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	streamPeriod = 50 * time.Millisecond // between messages of a cell that prints all the time
	streamSize   = 256 << 10             // bytes of a message that does not wait for that
	streamLimit  = 64 << 20              // bytes of text of one cell; the rest is dropped with a note
)

// streams gathers what a cell writes to stdout and stderr into few messages. Text of one
// stream that follows text of the other, or another output, is never put before it, and no
// message ends inside a character.
type streams struct {
	send func(name, text string)

	mu    sync.Mutex
	name  string
	text  []byte
	total int
	timer *time.Timer // runs while there is text
}

func newStreams(send func(name, text string)) *streams { return &streams{send: send} }

// write adds text.
func (s *streams) write(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text == "" || s.total > streamLimit {
		return
	}
	if name != s.name {
		s.sendAll(false)
		s.name = name
	}
	s.total += len(text)
	s.text = append(s.text, text...)
	if s.total > streamLimit {
		s.sendAll(false)
		s.send("stderr", fmt.Sprintf("\n[this cell has printed more than %d MiB; the rest is dropped]\n", streamLimit>>20))
		return
	}
	if len(s.text) >= streamSize {
		s.sendAll(true)
	} else if s.timer == nil {
		s.timer = time.AfterFunc(streamPeriod, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.sendAll(true)
		})
	}
}

// flush sends what is left.
func (s *streams) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sendAll(false)
}

// sendAll sends the text, except, if more is to come, the beginning of a last character.
func (s *streams) sendAll(more bool) {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	cut := len(s.text)
	if more {
		cut -= incomplete(s.text)
	}
	if cut == 0 {
		return
	}
	s.send(s.name, string(s.text[:cut]))
	s.text = append(s.text[:0], s.text[cut:]...)
}

// incomplete returns how many bytes at the end of b are the beginning of a character.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		tail := b[len(b)-n:]
		if utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
