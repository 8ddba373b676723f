package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A process is a kernel's process, in a process group of its own so that what it started ends
// with it.
type process struct {
	cmd    *exec.Cmd
	log    *lastLines
	exited chan struct{} // closed when the process has ended and err is set
	err    error
}

func startProcess(spec Spec, connectionFile string, opts Options) (*process, error) {
	argv := spec.command(connectionFile)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = opts.Dir
	cmd.Env = append(os.Environ(), "JPY_PARENT_PID="+strconv.Itoa(os.Getpid()))
	for name, value := range spec.Env {
		cmd.Env = append(cmd.Env, name+"="+os.Expand(value, os.Getenv))
	}
	cmd.Env = append(cmd.Env, opts.Env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}

	// A pipe of our own: those of package exec make Wait wait for every grandchild that
	// holds them.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		r.Close()
		w.Close()
		return nil, fmt.Errorf("%w: %s: %w", ErrStart, argv[0], err)
	}
	w.Close()
	p := &process{cmd: cmd, log: &lastLines{also: opts.Log}, exited: make(chan struct{})}
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		io.Copy(p.log, r)
	}()
	go func() {
		p.err = cmd.Wait()
		p.signal(syscall.SIGKILL) // what it started, and could not end any more
		select {
		case <-copied:
		case <-time.After(time.Second):
		}
		r.Close()
		<-copied
		close(p.exited)
	}()
	return p, nil
}

// signal sends a signal to the process group.
func (p *process) signal(s syscall.Signal) error {
	err := syscall.Kill(-p.cmd.Process.Pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}

// wait reports whether the process ends within d.
func (p *process) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// kill ends the process group, politely first.
func (p *process) kill() {
	p.signal(syscall.SIGTERM)
	if !p.wait(500 * time.Millisecond) {
		p.signal(syscall.SIGKILL)
		<-p.exited
	}
}

// death describes how the process ended, after it has.
func (p *process) death() error {
	how := "exit status 0"
	if p.err != nil {
		how = p.err.Error()
	}
	if tail := p.log.String(); tail != "" {
		return fmt.Errorf("%w: %s; its last lines:\n%s", ErrDead, how, tail)
	}
	return fmt.Errorf("%w: %s", ErrDead, how)
}

// lastLines keeps the end of what is written to it.
type lastLines struct {
	also io.Writer

	mu   sync.Mutex
	text []byte
}

const keptBytes, keptLines = 4096, 20

func (l *lastLines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.also != nil {
		l.also.Write(b) // a log that cannot be written must not stop the kernel
	}
	l.text = append(l.text, b...)
	if n := len(l.text) - keptBytes; n > 0 {
		l.text = append(l.text[:0], l.text[n:]...)
	}
	return len(b), nil
}

// String returns the last lines.
func (l *lastLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(string(bytes.ToValidUTF8(l.text, nil)))
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-keptLines):], "\n")
}
