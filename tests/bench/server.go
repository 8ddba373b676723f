package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

//go:embed peer.py
var peerProgram string

// A server is a process that performs one task each time it reads "run".
type server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startServer starts a process and waits for its line "ready".
func startServer(name string, args ...string) (*server, error) {
	cmd := exec.Command(name, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var complaint strings.Builder
	cmd.Stderr = &complaint
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, in: in, out: bufio.NewReader(out)}
	if line, err := s.out.ReadString('\n'); err != nil || strings.TrimSpace(line) != "ready" {
		s.Close()
		lines := strings.Split(strings.TrimSpace(complaint.String()), "\n")
		return nil, fmt.Errorf("%s: %s", name, lines[len(lines)-1])
	}
	return s, nil
}

func (s *server) ask(word string) (float64, error) {
	if _, err := fmt.Fprintln(s.in, word); err != nil {
		return 0, err
	}
	line, err := s.out.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("%s ended early: %w", s.cmd.Path, err)
	}
	return strconv.ParseFloat(strings.TrimSpace(line), 64)
}

func (s *server) Run() (float64, error)    { return s.ask("run") }
func (s *server) PeakMB() (float64, error) { return s.ask("mem") }

func (s *server) Close() {
	s.in.Close()
	s.cmd.Wait()
}

// A program is timed from its start to its end, a process for every run.
type program struct {
	argv []string
	peak float64
}

func (p *program) Run() (float64, error) {
	cmd := exec.Command(p.argv[0], p.argv[1:]...)
	start := time.Now()
	text, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", strings.Join(p.argv, " "), err, text)
	}
	seconds := time.Since(start).Seconds()
	if use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		p.peak = max(p.peak, float64(use.Maxrss)/1024)
	}
	return seconds, nil
}

func (p *program) PeakMB() (float64, error) { return p.peak, nil }
func (p *program) Close()                   {}

func startProgram(argv ...string) func() (contestant, error) {
	return func() (contestant, error) {
		p := &program{argv: argv}
		if _, err := p.Run(); err != nil {
			return nil, err
		}
		return p, nil
	}
}

func peakMB() (float64, error) {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0, err
	}
	return float64(use.Maxrss) / 1024, nil
}

// python returns the interpreter that has scikit-learn: $PYTHON, or Debian's.
func python() string {
	if p := os.Getenv("PYTHON"); p != "" {
		return p
	}
	return "/usr/bin/python3"
}

func peerVersions() string {
	text, err := exec.Command(python(), "-c", `import sys, numpy, scipy, sklearn
print("python", sys.version.split()[0], "· numpy", numpy.__version__, "· scipy", scipy.__version__, "· scikit-learn", sklearn.__version__)`).Output()
	if err != nil {
		return "missing: python3 with scikit-learn (Debian's python3-sklearn)"
	}
	return strings.TrimSpace(string(text))
}

// treeMB returns the sum of a size of a process and all that it has started, as Linux tells
// it: "VmRSS:" is what is resident, "VmHWM:" its peak.
func treeMB(pid int, size string) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	total := 0.0
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, size); ok {
			kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			if err != nil {
				return 0, err
			}
			total += kb / 1024
		}
	}
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return 0, err
	}
	for _, thread := range threads {
		children, err := os.ReadFile(thread)
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range strings.Fields(string(children)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				return 0, err
			}
			if mb, err := treeMB(child, size); err == nil {
				total += mb
			}
		}
	}
	return total, nil
}
