package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A console is a terminal with a program at it.
type console struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd

	mu     sync.Mutex
	seen   bytes.Buffer // what was written since the last expect
	closed chan struct{}
}

// openConsole starts "nbkernel repl" at a terminal of its own.
func openConsole(t *testing.T, state string) *console {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120})
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "repl")
	// What the race detector says of the interpreter, which reads its own memory for a moment
	// after an interrupt, must not stand between the lines; of repl its exit code says it.
	cmd.Env = append(os.Environ(), "TERM=xterm", "XDG_STATE_HOME="+state, "GORACE=log_path="+filepath.Join(t.TempDir(), "race"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &console{t: t, master: master, cmd: cmd, closed: make(chan struct{})}
	go func() {
		defer close(c.closed)
		_, _ = io.Copy(c, master) // ends with an error when the program does
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		master.Close()
		<-c.closed
	})
	return c
}

func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen.Write(p)
}

// expect waits until the program has written text.
func (c *console) expect(text string) {
	c.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		c.mu.Lock()
		if _, after, found := strings.Cut(c.seen.String(), text); found {
			c.seen.Reset()
			c.seen.WriteString(after)
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t.Fatalf("the terminal shows no %q but %q", text, c.seen.String())
}

// shows waits for a line that a cell prints first, behind the end of the paste mode.
func (c *console) shows(line string) {
	c.t.Helper()
	c.expect("\x1b[?2004l" + line + "\r\n")
}

// press types keys.
func (c *console) press(keys string) {
	c.t.Helper()
	if _, err := io.WriteString(c.master, keys); err != nil {
		c.t.Fatal(err)
	}
}

// end waits for the end of the program.
func (c *console) end() {
	c.t.Helper()
	done := make(chan error, 1)
	go func() { done <- c.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			c.t.Errorf("the program ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		c.t.Fatal("the program does not end")
	}
}

func TestReplTerminal(t *testing.T) {
	state := t.TempDir()
	c := openConsole(t, state)
	c.expect("[1] ")
	c.press("figures := 40\r")
	c.expect("[2] ")
	c.press("figu\t + 2\r") // Tab completes the name
	c.shows("42")
	c.expect("[3] ")
	c.press("func g() int {\r")
	c.expect("… ")
	c.press("return figures\r")
	c.expect("… ")
	c.press("}\r")
	c.expect("[4] ")
	c.press("strings.ToU\tx\x7f\t") // two names begin so: they are listed
	c.expect("ToUpperSpecial")
	c.press("\x03") // discards the line
	c.expect("^C")
	c.expect("[4] ")
	c.press("fmt.Println(\"begun\"); for { }\r")
	c.shows("begun")
	began := time.Now()
	c.press("\x03") // interrupts the cell
	c.expect("interrupted")
	if took := time.Since(began); took > time.Second {
		t.Errorf("the interrupt took %v", took)
	}
	c.expect("[5] ")
	c.press("g() + 1\r") // values are kept
	c.shows("41")
	c.expect("[6] ")
	c.press("\x1b[200~if true {\r\tfmt.Println(\"pasted\")\r}\r\x1b[201~")
	c.shows("pasted")
	c.expect("[7] ")
	c.press("var n int; fmt.Scan(&n); n * 2\r")
	c.expect("\n")
	time.Sleep(300 * time.Millisecond) // until the worker is seen to read
	c.press("21\r")
	c.shows("42")
	c.expect("[8] ")
	c.press("\x04")
	c.end()

	file := filepath.Join(state, "eigenbook", "history")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the history is %v (%v), want mode 0600", info, err)
	}
	c = openConsole(t, state)
	c.expect("[1] ")
	c.press("7 * 7\r")
	c.shows("49")
	c.expect("[2] ")
	c.press("\x1b[A\x1b[A\x1b[A")
	c.expect("fmt.Scan(&n)") // of the earlier session
	c.press("\x15\x04")
	c.end()
}

// A signal to end gives the terminal back as it was.
func TestReplTerminated(t *testing.T) {
	c := openConsole(t, t.TempDir())
	echo := func() bool {
		state, err := unix.IoctlGetTermios(int(c.master.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		return state.Lflag&unix.ECHO != 0
	}
	c.expect("[1] ")
	if echo() {
		t.Error("the terminal echoes while a line is edited")
	}
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Wait(); c.cmd.ProcessState.ExitCode() != ExitInterrupted {
		t.Errorf("the program ended with %v, want exit code %d", err, ExitInterrupted)
	}
	if !echo() {
		t.Error("the terminal does not echo any more")
	}
}

// Without a terminal an interrupt ends the session, also while a cell runs.
func TestReplPipeInterrupted(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, input := range map[string]string{"in a cell": "fmt.Println(\"begun\"); for {}\n", "between cells": "fmt.Println(\"begun\")\n"} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(self, "repl")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() }).Stop()
			if _, err := io.WriteString(in, input); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(out, make([]byte, len("begun\n"))); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != ExitInterrupted {
				t.Errorf("the program ended with %v, want exit code %d", err, ExitInterrupted)
			}
		})
	}
}
