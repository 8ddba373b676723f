// Package tests holds what crosses packages: notebooks on both kernels, scripts compiled
// and interpreted, installed kernels, and the way from a clone to a report.
package tests

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	root     string // of the checkout
	nbkernel string // the program, built once
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if root, err = filepath.Abs(".."); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		dir, err := os.MkdirTemp("", "eigenbook-tests-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		nbkernel = filepath.Join(dir, "nbkernel")
		build := exec.Command("go", "build", "-o", nbkernel, "./nbkernel")
		build.Dir = root
		if text, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build ./nbkernel: %v\n%s", err, text)
			return 1
		}
		return m.Run()
	}())
}

// A result is what a finished command left.
type result struct {
	stdout, stderr string
	code           int
}

// command runs a program in dir with extra environment entries; a run of over five
// minutes fails the test.
func command(t *testing.T, dir string, env []string, name string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = 10 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%s %s: %v %v\n%s", name, strings.Join(args, " "), err, ctx.Err(), stderr.String())
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// succeed runs a command that must exit 0.
func succeed(t *testing.T, dir string, env []string, name string, args ...string) result {
	t.Helper()
	r := command(t, dir, env, name, args...)
	if r.code != 0 {
		t.Fatalf("%s %s: exit code %d\n%s%s", name, strings.Join(args, " "), r.code, r.stdout, r.stderr)
	}
	return r
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s (%v)", pattern, err)
	}
	return files
}
