package worker

import (
	"encoding/binary"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Order of writes
//
// Two pipes do not say which was written first, and everything else that could replace
// descriptors 1 and 2 (sockets, a terminal) breaks programs that open /dev/stderr or write a
// megabyte at once. But the kernel can send a signal for each write to a pipe (O_ASYNC), and
// signals of real time are queued in the order of their causes and carry the descriptor
// (F_SETSIG). With pipes that keep writes apart (O_DIRECT) a signal is a write, so taking one
// write for each signal restores the order, whoever wrote. The text itself takes its
// ordinary way, so that nothing of this can lose it.
//
// A writer that finds its pipe full causes one more signal. Therefore the signals are read
// first, then a pipe is emptied in one stroke (splice), and a signal for which there is no
// write is passed over; when the pipe filled up between the two, the signal is still to come.
//
// The order is not exact where a write of a multiple of 4096 bytes is followed by another
// before both are read, for programs that open /dev/stderr anew and write faster than is
// read, and when more signals wait than the system allows. Text of one stream always keeps
// its own order.
const (
	orderSignal = 50 // of real time, in nobody else's use
	pipeSize    = 1 << 20
	packetSize  = 4096 // bytes that O_DIRECT keeps together

	signalPatience = 20_000_000 // nanoseconds that a write waits for its signal

	fSetSig    = 10 // of fcntl
	fSetOwnEx  = 15
	fSetPipeSz = 1031
	fGetPipeSz = 1032
	ownerTID   = 0
)

// outputPipe returns a pipe that keeps writes apart, if there are such pipes. Reading from it
// blocks, because each write would wake whoever polls.
func outputPipe() (r, w *os.File, err error) {
	var fds [2]int
	if syscall.Pipe2(fds[:], syscall.O_CLOEXEC|syscall.O_DIRECT) != nil {
		return os.Pipe()
	}
	fcntl(fds[1], fSetPipeSz, pipeSize) // if it is refused, 64 KiB have to do
	return os.NewFile(uintptr(fds[0]), "|0"), os.NewFile(uintptr(fds[1]), "|1"), nil
}

// readInOrder is readStreams by signals. It returns false, and has read nothing, where they
// are refused.
func readInOrder(files [2]*os.File, mark []byte, pieces chan<- piece, stop <-chan struct{}) bool {
	started := make(chan *ordered)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlock: the thread ends with its mask of signals
		o, err := newOrdered(files, mark, pieces)
		if err != nil {
			close(started)
			return
		}
		defer o.free()
		started <- o
		o.read()
	}()
	o, ok := <-started
	if !ok {
		return false
	}
	select {
	case <-done:
	case <-stop:
		o.stop.Store(true)
		syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(os.Getpid()), uintptr(o.thread), orderSignal)
		<-done
	}
	return true
}

// An ordered reads two pipes in the order in which they were written.
type ordered struct {
	thread  int
	stop    atomic.Bool // read what is there and end
	pipes   [2]syscall.RawConn
	fds     [2]int
	signals int    // a signalfd
	moved   [2]int // a pipe into which another is emptied: read and write end
	split   [2]splitter
	writes  [2][][]byte // that were read and wait for their signals
	ended   [2]bool     // there is nothing more to read
	closed  [2]bool     // and all was sent
	slots   int         // writes that a pipe holds
	extra   [2]int      // the signal that is to be passed over, counted from the next one; 0 for none
	buf     []byte      // of one read
	text    []byte      // to send
	stream  int         // that text is of
}

func newOrdered(files [2]*os.File, mark []byte, pieces chan<- piece) (*ordered, error) {
	o := &ordered{thread: syscall.Gettid(), signals: -1, buf: make([]byte, readSize)}
	ok := false
	defer func() {
		if !ok {
			o.free()
		}
	}()
	mask := uint64(1)<<(orderSignal-1) | 1<<(uint(syscall.SIGIO)-1)
	if _, _, e := syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, 0, uintptr(unsafe.Pointer(&mask)), 0, 8, 0, 0); e != 0 {
		return nil, e
	}
	fd, _, e := syscall.RawSyscall6(syscall.SYS_SIGNALFD4, ^uintptr(0), uintptr(unsafe.Pointer(&mask)), 8, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0, 0)
	if e != 0 {
		return nil, e
	}
	o.signals = int(fd)
	if err := syscall.Pipe2(o.moved[:], syscall.O_CLOEXEC|syscall.O_NONBLOCK); err != nil {
		return nil, err
	}
	fcntl(o.moved[1], fSetPipeSz, pipeSize)
	size, _, e := syscall.RawSyscall(syscall.SYS_FCNTL, files[0].Fd(), fGetPipeSz, 0)
	if e != 0 {
		return nil, e
	}
	o.slots = int(size) / packetSize
	for i, f := range files {
		o.split[i] = splitter{stream: i, mark: mark, pieces: pieces}
		var err error
		if o.pipes[i], err = f.SyscallConn(); err == nil {
			e := o.pipes[i].Control(func(fd uintptr) {
				o.fds[i] = int(fd)
				err = o.listen(o.fds[i])
			})
			if err == nil {
				err = e
			}
		}
		if err != nil {
			return nil, err
		}
	}
	ok = true
	return o, nil
}

// free closes what newOrdered has opened.
func (o *ordered) free() {
	for _, fd := range []int{o.signals, o.moved[0], o.moved[1]} {
		if fd > 0 {
			syscall.Close(fd)
		}
	}
}

// listen asks for a signal to this thread for each write.
func (o *ordered) listen(fd int) error {
	if err := fcntl(fd, fSetSig, orderSignal); err != nil {
		return err
	}
	owner := [2]int32{ownerTID, int32(o.thread)}
	if _, _, e := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), fSetOwnEx, uintptr(unsafe.Pointer(&owner))); e != 0 {
		return e
	}
	return fcntl(fd, syscall.F_SETFL, syscall.O_ASYNC)
}

func fcntl(fd, command, argument int) error {
	if _, _, e := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), uintptr(command), uintptr(argument)); e != 0 {
		return e
	}
	return nil
}

// read reads both pipes to their ends.
func (o *ordered) read() {
	var order []int // streams, one for each signal
	for {
		all := o.stop.Load() || order == nil // at first, what was written before there were signals
		var full, spare [2]bool              // signals: one more is to come; one was without a write
		for i := range o.writes {
			full[i] = o.empty(i) == o.slots
		}
		for _, i := range order {
			switch {
			case i < 0:
				all = true
			case o.extra[i] == 1:
				o.extra[i] = 0
				spare[i] = true
			case len(o.writes[i]) > 0:
				o.extra[i] = max(0, o.extra[i]-1)
				o.take(i)
			default:
				full[i] = false // this was the signal of the full pipe, or of the end
				spare[i] = true
			}
		}
		for i := range o.writes {
			if full[i] {
				o.extra[i] = o.waiting(i) + 1
			}
			if spare[i] && poll(o.fds[i], 0, &syscall.Timespec{}) == pollHangUp {
				for !o.ended[i] {
					o.empty(i)
				}
			}
		}
		for i := range o.writes {
			for (all || o.ended[i]) && len(o.writes[i]) > 0 {
				o.take(i)
			}
			if (o.ended[i] || o.stop.Load()) && !o.closed[i] {
				o.send()
				o.closed[i] = true
				o.split[i].close()
			}
			if all {
				o.extra[i] = 0
			}
		}
		o.send()
		if o.closed[0] && o.closed[1] {
			return
		}
		order = o.wait(order)
	}
}

// waiting returns how many writes of a stream wait for their signals.
func (o *ordered) waiting(i int) (n int) {
	for _, packet := range o.writes[i] {
		if len(packet) < packetSize {
			n++
		}
	}
	return n
}

// wait returns the streams of all signals that have come, after at least one; -1 stands for
// signals that were lost, for the one that says stop, and for writes that wait too long.
func (o *ordered) wait(order []int) []int {
	const infoSize, fdOffset = 128, 20 // of struct signalfd_siginfo
	var infos [64 * infoSize]byte
	order = order[:0]
	for {
		n, err := syscall.Read(o.signals, infos[:])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil && len(order) > 0:
			return order
		case err != nil:
			var patience *syscall.Timespec
			if len(o.writes[0])+len(o.writes[1]) > 0 {
				patience = &syscall.Timespec{Nsec: signalPatience}
			}
			if poll(o.signals, pollIn, patience) == 0 {
				return append(order, -1)
			}
			continue
		}
		for at := 0; at+infoSize <= n; at += infoSize {
			stream := -1
			if binary.NativeEndian.Uint32(infos[at:]) == orderSignal {
				stream = slices.Index(o.fds[:], int(int32(binary.NativeEndian.Uint32(infos[at+fdOffset:]))))
			}
			order = append(order, stream)
		}
	}
}

const (
	pollIn     = 0x01
	pollHangUp = 0x10
)

// poll waits for one of the events of a descriptor and returns those that are; 0 at the end of
// patience, which nil has without end.
func poll(fd int, events int16, patience *syscall.Timespec) int16 {
	set := [1]struct {
		fd              int32
		events, revents int16
	}{{int32(fd), events, 0}}
	if _, _, e := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&set)), 1, uintptr(unsafe.Pointer(patience)), 0, 0, 0); e != 0 {
		return -1 // interrupted
	}
	return set[0].revents
}

// empty reads all writes that are in a pipe and returns their number; a long one counts as
// several.
func (o *ordered) empty(i int) (packets int) {
	const nonblock = 2 // of splice
	for !o.ended[i] {
		n, failure := uintptr(0), syscall.Errno(0)
		err := o.pipes[i].Read(func(fd uintptr) bool {
			n, _, failure = syscall.RawSyscall6(syscall.SYS_SPLICE, fd, 0, uintptr(o.moved[1]), 0, pipeSize, nonblock)
			return true
		})
		switch {
		case err == nil && failure == syscall.EINTR:
		case err == nil && failure == syscall.EAGAIN:
			return packets
		case err != nil || failure != 0 || n == 0:
			o.ended[i] = true
		default:
			for left := int(n); left > 0; packets++ {
				left -= o.packet(i, left)
			}
			return packets
		}
	}
	return packets
}

// packet reads what was written at once, of left bytes.
func (o *ordered) packet(i, left int) int {
	n, err := syscall.Read(o.moved[0], o.buf[:min(left, len(o.buf))])
	if err == syscall.EINTR {
		return 0
	}
	if err != nil || n == 0 {
		return left
	}
	o.writes[i] = append(o.writes[i], append([]byte(nil), o.buf[:n]...))
	return n
}

// take sends the first write of a stream.
func (o *ordered) take(i int) {
	if i != o.stream {
		o.send()
		o.stream = i
	}
	for n := packetSize; n >= packetSize && len(o.writes[i]) > 0; {
		text := o.writes[i][0]
		o.writes[i] = o.writes[i][1:]
		n = len(text)
		o.text = append(o.text, text...)
		if len(o.text) >= readSize {
			o.send()
		}
	}
}

// send sends the text that was taken.
func (o *ordered) send() {
	if len(o.text) > 0 {
		o.split[o.stream].write(o.text)
		o.text = o.text[:0]
	}
}
