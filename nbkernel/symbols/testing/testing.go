// Package testing stands for the standard package testing in cells: %test runs the functions
// TestX and BenchmarkX that cells declare.
//
// The standard package runs tests in a process that ends with them, and a panic in a test ends
// that process. Here both would end the session, so this package has the types T, B and TB with
// the same methods and prints the same lines, with these differences:
//
//   - messages do not name a file and a line, as a cell is no file;
//   - Parallel does nothing: tests run one after the other;
//   - a panic leaves the test as the panic of the cell, and no further test runs;
//   - there are no fuzz tests, examples, profiles or coverage.
package testing

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"eigenbook/nbkernel/nb"
)

// TB is what T and B have in common.
type TB interface {
	Chdir(dir string)
	Cleanup(f func())
	Context() context.Context
	Error(args ...any)
	Errorf(format string, args ...any)
	Fail()
	FailNow()
	Failed() bool
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Helper()
	Log(args ...any)
	Logf(format string, args ...any)
	Name() string
	Setenv(key, value string)
	Skip(args ...any)
	SkipNow()
	Skipf(format string, args ...any)
	Skipped() bool
	TempDir() string
}

// A T is a test that runs.
type T struct{ common }

// common is what T and B share.
type common struct {
	name     string
	settings *settings

	mu       sync.Mutex
	failed   bool
	skipped  bool
	ended    bool // by FailNow or SkipNow
	panicked any
	resume   func()          // for the trace of the panic, may be nil
	log      strings.Builder // lines for the report
	children strings.Builder // reports of subtests
	cleanups []func()
	ctx      context.Context
	cancel   context.CancelFunc
	subtests map[string]int
}

func (c *common) begin(name string, s *settings) {
	c.name, c.settings = name, s
	c.ctx, c.cancel = context.WithCancel(nb.Context())
}

// Name returns the name of the test, with those of the tests it stands in.
func (c *common) Name() string { return c.name }

// Fail marks the test as failed.
func (c *common) Fail() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed = true
}

// Failed reports whether the test has failed.
func (c *common) Failed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// Skipped reports whether the test was skipped.
func (c *common) Skipped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skipped
}

// FailNow marks the test as failed and ends it.
func (c *common) FailNow() {
	c.Fail()
	c.leave()
}

// SkipNow marks the test as skipped and ends it.
func (c *common) SkipNow() {
	c.mu.Lock()
	c.skipped = true
	c.mu.Unlock()
	c.leave()
}

func (c *common) leave() {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	runtime.Goexit()
}

// note adds a line to the report, or prints it at once if all tests are reported.
func (c *common) note(text string) {
	text = "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n        ") + "\n"
	if c.settings.verbose {
		fmt.Print(text)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log.WriteString(text)
}

// Log notes its arguments, formatted as by fmt.Println.
func (c *common) Log(args ...any) { c.note(fmt.Sprintln(args...)) }

// Logf notes its arguments, formatted as by fmt.Printf.
func (c *common) Logf(format string, args ...any) { c.note(fmt.Sprintf(format, args...)) }

// Error is Log and Fail.
func (c *common) Error(args ...any) { c.Log(args...); c.Fail() }

// Errorf is Logf and Fail.
func (c *common) Errorf(format string, args ...any) { c.Logf(format, args...); c.Fail() }

// Fatal is Log and FailNow.
func (c *common) Fatal(args ...any) { c.Log(args...); c.FailNow() }

// Fatalf is Logf and FailNow.
func (c *common) Fatalf(format string, args ...any) { c.Logf(format, args...); c.FailNow() }

// Skip is Log and SkipNow.
func (c *common) Skip(args ...any) { c.Log(args...); c.SkipNow() }

// Skipf is Logf and SkipNow.
func (c *common) Skipf(format string, args ...any) { c.Logf(format, args...); c.SkipNow() }

// Helper does nothing.
func (c *common) Helper() {}

// Cleanup sets a function to call when the test and its subtests have ended, the last one first.
func (c *common) Cleanup(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cleanups = append(c.cleanups, f)
}

// Context returns a context that ends when the test does, before its cleanups, or when the cell
// is interrupted.
func (c *common) Context() context.Context { return c.ctx }

// TempDir returns a new folder, which is removed when the test has ended.
func (c *common) TempDir() string {
	dir, err := os.MkdirTemp("", "test")
	if err != nil {
		c.Fatalf("TempDir: %v", err)
	}
	c.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Setenv sets an environment variable until the test has ended.
func (c *common) Setenv(key, value string) {
	before, set := os.LookupEnv(key)
	if err := os.Setenv(key, value); err != nil {
		c.Fatalf("Setenv: %v", err)
	}
	c.Cleanup(func() {
		if set {
			os.Setenv(key, before)
		} else {
			os.Unsetenv(key)
		}
	})
}

// Chdir changes the working directory until the test has ended.
func (c *common) Chdir(dir string) {
	before, err := os.Getwd()
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err == nil {
		err = os.Chdir(dir)
	}
	if err != nil {
		c.Fatalf("Chdir: %v", err)
	}
	c.Cleanup(func() { os.Chdir(before) })
}

// Parallel does nothing.
func (t *T) Parallel() {}

// Deadline returns false: tests have no time limit.
func (t *T) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Run runs f as a test within this one and reports whether it succeeded.
func (t *T) Run(name string, f func(t *T)) bool {
	return t.child(t.unique(name), f)
}

// unique returns the full name of a subtest, with a number behind it if it is not the first one.
func (c *common) unique(name string) string {
	name = strings.ReplaceAll(name, " ", "_")
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.subtests == nil {
		c.subtests = map[string]int{}
	}
	n := c.subtests[name]
	c.subtests[name]++
	if n > 0 || name == "" {
		name = fmt.Sprintf("%s#%02d", name, n)
	}
	if c.name == "" {
		return name
	}
	return c.name + "/" + name
}

// child runs a test within t, which is the whole run if it has no name.
func (t *T) child(name string, f func(t *T)) bool {
	if !t.settings.wanted(t.settings.run, name) {
		return true
	}
	sub := &T{}
	sub.begin(name, t.settings)
	if sub.settings.verbose {
		fmt.Printf("=== RUN   %s\n", name)
	}
	began := time.Now()
	sub.execute(func() { f(sub) })
	report := sub.report(time.Since(began))
	if t.name == "" {
		fmt.Print(report)
	}
	t.mu.Lock()
	t.children.WriteString(report)
	t.failed = t.failed || sub.failed
	t.mu.Unlock()
	sub.goOn()
	return !sub.failed
}

// carry passes the trace of a panic to the goroutine on which it goes on.
var carry atomic.Pointer[func() func()]

// SetCarry sets what is called on a goroutine whose panic goes on elsewhere; the function it
// returns is called there. It is for the program that runs cells.
func SetCarry(f func() (resume func())) { carry.Store(&f) }

// goOn panics if the test has.
func (c *common) goOn() {
	if c.panicked == nil {
		return
	}
	if c.resume != nil {
		c.resume()
	}
	panic(c.panicked)
}

// execute runs a test on a goroutine of its own, which FailNow may end, and then its cleanups.
func (c *common) execute(f func()) {
	c.isolated(f)
	c.cancel()
	for {
		c.mu.Lock()
		n := len(c.cleanups)
		if n == 0 {
			c.mu.Unlock()
			return
		}
		last := c.cleanups[n-1]
		c.cleanups = c.cleanups[:n-1]
		c.mu.Unlock()
		c.isolated(last)
	}
}

func (c *common) isolated(f func()) {
	done := make(chan struct{})
	go func() {
		returned := false
		defer close(done)
		defer func() {
			p := recover()
			c.mu.Lock()
			defer c.mu.Unlock()
			switch {
			case p != nil && c.panicked == nil:
				c.panicked, c.failed = p, true
				if f := carry.Load(); f != nil {
					c.resume = (*f)()
				}
			case p == nil && !returned && !c.ended:
				c.failed = true
			}
		}()
		f()
		returned = true
	}()
	<-done
}

// report returns the lines that tell how a test ended, nothing if that need not be told.
func (t *T) report(took time.Duration) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	verdict := "PASS"
	switch {
	case t.failed:
		verdict = "FAIL"
	case t.skipped:
		verdict = "SKIP"
	}
	if !t.failed && !t.settings.verbose {
		return ""
	}
	text := fmt.Sprintf("--- %s: %s (%.2fs)\n", verdict, t.name, took.Seconds()) + t.log.String()
	for line := range strings.Lines(t.children.String()) {
		text += "    " + line
	}
	return text
}
