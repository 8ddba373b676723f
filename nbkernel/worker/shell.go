package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"eigenbook/display"
)

// commandGrace is the time that a command has to end after the SIGINT of an interrupt.
const commandGrace = 500 * time.Millisecond

// standard are descriptors 0, 1 and 2, whatever cells have made of os.Stdin and its like.
var standard = [3]*os.File{os.NewFile(0, "stdin"), os.NewFile(1, "stdout"), os.NewFile(2, "stderr")}

// runCommand runs a program on the cell's streams.
func runCommand(ctx context.Context, input io.Reader, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = standard[0], standard[1], standard[2]
	if input != nil {
		cmd.Stdin = input
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = commandGrace
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func runShell(c *child, ctx context.Context, m magic, s *showing) error {
	if s.secret && c.answered.Load() {
		c.send(&report{Kind: InputRequest, Marked: true, Password: true})
	}
	s.secret = false
	if err := runCommand(ctx, nil, "/bin/bash", "-c", m.text); err != nil {
		return fmt.Errorf("%s%s: %w", m.name, m.text, err)
	}
	return nil
}

// askSecret makes the input of the next command a password.
func askSecret(c *child, ctx context.Context, m magic, s *showing) error {
	s.secret = true
	return nil
}

// runBody gives the rest of the cell to a program.
func runBody(c *child, ctx context.Context, m magic, s *showing) error {
	args := strings.Fields(m.text)
	switch name := strings.TrimPrefix(m.name, "%%"); {
	case name != "script":
		args = append([]string{name}, args...)
	case len(args) == 0:
		return errors.New("%%script wants a command")
	}
	if err := runCommand(ctx, strings.NewReader(m.body), args[0], args[1:]...); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}

// openTarget opens the file that "[-a] PATH" names.
func openTarget(name, text string) (*os.File, error) {
	path := strings.TrimSpace(text)
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if rest, ok := strings.CutPrefix(path, "-a "); ok {
		path = strings.TrimSpace(rest)
		flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	}
	if path == "" || strings.HasPrefix(path, "-") {
		return nil, fmt.Errorf("%s wants [-a] PATH, not %q", name, text)
	}
	return os.OpenFile(expand(path), flags, 0o644)
}

func writeFile(c *child, ctx context.Context, m magic, s *showing) error {
	f, err := openTarget(m.name, m.text)
	if err != nil {
		return err
	}
	_, err = f.WriteString(m.body)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d bytes written to %s\n", len(m.body), f.Name())
	return nil
}

// capture copies what the cell writes to descriptors 1 and 2 and shows as text to a file. The order of text and
// figures is not kept for such a cell, because the text takes a longer way.
func capture(c *child, ctx context.Context, m magic, s *showing) error {
	target, err := openTarget(m.name, m.text)
	if err != nil {
		return err
	}
	var copied []chan struct{}
	for i, fd := range c.streams {
		r, w, err := os.Pipe()
		if err != nil {
			target.Close()
			return err
		}
		err = replaceDescriptor(int(w.Fd()), i+1)
		w.Close()
		if err != nil {
			r.Close()
			target.Close()
			return err
		}
		done := make(chan struct{})
		copied = append(copied, done)
		go func() {
			defer close(done)
			defer r.Close()
			buf := make([]byte, 32<<10)
			for {
				n, err := r.Read(buf)
				writeAll(fd, buf[:n])
				target.Write(buf[:n])
				if err != nil {
					return
				}
			}
		}()
	}
	c.captured.Store(target)
	s.ends = append(s.ends, func() {
		c.captured.Store(nil)
		for i, fd := range c.streams {
			replaceDescriptor(fd, i+1)
		}
		for _, done := range copied {
			select { // a program that still runs may hold the pipe
			case <-done:
			case <-time.After(commandGrace):
			}
		}
		target.Close()
	})
	return nil
}

// copyShown copies what a bundle shows, in the richest form that is text, to the file of %capture.
func (c *child) copyShown(b display.Bundle) {
	target := c.captured.Load()
	if target == nil {
		return
	}
	for _, mime := range []string{display.MIMEMarkdown, display.MIMEHTML, display.MIMEPlain} {
		if text, ok := b.Data[mime].(string); ok {
			target.WriteString(text)
			return
		}
	}
}
