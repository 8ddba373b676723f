package worker

import (
	"bytes"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// A piece of what the child writes to its descriptors 1 and 2 is text, a mark, or the end of a
// stream.
type piece struct {
	stream int // 0 for stdout, 1 for stderr
	text   string
	mark   bool
	end    bool
}

// readSize is the size of a read, and of the longest text of a piece.
const readSize = 64 << 10

// readStreams reads both streams to their ends and sends what it read to pieces, which it then
// closes. Where the system tells the order of writes it is that of the pieces, else the
// pieces of each stream are in order. When stop is closed, what is there is still read.
func readStreams(files [2]*os.File, mark []byte, pieces chan<- piece, stop <-chan struct{}) {
	defer close(pieces)
	if !readInOrder(files, mark, pieces, stop) {
		readApart(files, mark, pieces, stop)
	}
}

// readApart is readStreams where the order of writes is not known.
func readApart(files [2]*os.File, mark []byte, pieces chan<- piece, stop <-chan struct{}) {
	for i, f := range files {
		if p, err := pollable(f); err == nil {
			defer p.Close()
			files[i] = p
		}
	}
	var readers sync.WaitGroup
	go func() {
		<-stop
		for _, f := range files {
			f.SetReadDeadline(time.Now())
		}
	}()
	for i, f := range files {
		readers.Go(func() { readPieces(i, f, mark, pieces) })
	}
	readers.Wait()
}

// pollable returns a file for the same pipe that knows deadlines.
func pollable(f *os.File) (*os.File, error) {
	pipe, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	copied := -1
	if e := pipe.Control(func(fd uintptr) { copied, err = syscall.Dup(int(fd)) }); e != nil {
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(copied)
	if err := syscall.SetNonblock(copied, true); err != nil {
		syscall.Close(copied)
		return nil, err
	}
	return os.NewFile(uintptr(copied), f.Name()), nil
}

// readPieces reads one stream.
func readPieces(stream int, r io.Reader, mark []byte, pieces chan<- piece) {
	s := splitter{stream: stream, mark: mark, pieces: pieces}
	buf := make([]byte, readSize)
	for {
		n, err := r.Read(buf)
		s.write(buf[:n])
		if err != nil {
			s.close()
			return
		}
	}
}

// A splitter finds the marks in a stream. It keeps nothing back but the beginning of what may
// become a mark, and that until the next write.
type splitter struct {
	stream int
	mark   []byte
	pieces chan<- piece
	kept   []byte
}

func (s *splitter) write(text []byte) {
	if len(s.kept) > 0 {
		text = append(s.kept, text...)
	}
	for {
		i := bytes.Index(text, s.mark)
		if i < 0 {
			break
		}
		s.send(text[:i])
		s.pieces <- piece{stream: s.stream, mark: true}
		text = text[i+len(s.mark):]
	}
	end := len(text) - beginning(text, s.mark)
	s.send(text[:end])
	s.kept = append([]byte(nil), text[end:]...)
}

func (s *splitter) send(text []byte) {
	if len(text) > 0 {
		s.pieces <- piece{stream: s.stream, text: string(text)}
	}
}

func (s *splitter) close() {
	s.send(s.kept)
	s.kept = nil
	s.pieces <- piece{stream: s.stream, end: true}
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
