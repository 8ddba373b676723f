package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// unavailable are packages that no notebook can import, or that make a program depend on the
// compiler rather than on the language.
var unavailable = []string{"unsafe", "os/exec", "syscall", "runtime/debug", "C", "plugin", "go/build", "testing", "internal"}

// compilersOwn are programs whose output is the compiler's and not the language's.
var compilersOwn = map[string]string{
	"typeparam/nested.go": "prints the numbers that the compiler gives to local types",
}

// TestGoPrograms runs the test programs of the Go installation, when it has them, as scripts:
// those whose first line is "// run" and that need no more than the language. Four fifths must
// print what Go says they print, and no program may end well with another output.
func TestGoPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "test")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("this Go installation has no test programs: %v", err)
	}
	var files []string
	for _, pattern := range []string{"*.go", "ken/*.go", "chan/*.go", "interface/*.go", "typeparam/*.go"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	var mu sync.Mutex
	var silent, loud []string
	passed := 0
	var running sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !isRun(source) {
			continue
		}
		want, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(file, root+"/")
		if reason, ok := compilersOwn[name]; ok {
			t.Logf("%s is left out: it %s", name, reason)
			continue
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			got, err := script(string(source))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && bytes.Equal(got, want):
				passed++
			case err == nil:
				silent = append(silent, fmt.Sprintf("%s: ends well and prints %.200q, want %.200q", name, got, want))
			default:
				loud = append(loud, fmt.Sprintf("%s: %v: %.300q", name, err, got[max(0, len(got)-300):]))
			}
		})
	}
	running.Wait()
	total := passed + len(silent) + len(loud)
	slices.Sort(silent)
	slices.Sort(loud)
	for _, line := range silent {
		t.Error(line)
	}
	t.Logf("%d of %d programs of Go's own tests print what they should, %d fail loudly", passed, total, len(loud))
	for _, line := range loud {
		t.Log(line)
	}
	if passed < total*4/5 {
		t.Errorf("that is less than four fifths")
	}
}

// isRun reports whether source is a program that is run without arguments or build constraints
// and imports nothing unavailable.
func isRun(source []byte) bool {
	first, _, _ := bytes.Cut(source, []byte("\n"))
	if strings.TrimSpace(string(first)) != "// run" || bytes.Contains(source, []byte("//go:build")) {
		return false
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ImportsOnly)
	if err != nil {
		return false
	}
	for _, i := range file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil || slices.ContainsFunc(unavailable, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") }) {
			return false
		}
	}
	return true
}

// script runs source and returns all that it wrote.
func script(source string) ([]byte, error) {
	encoded, err := json.Marshal([]string{source})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), runVariable+"="+string(encoded), "GOMEMLIMIT=1GiB")
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	return out, err
}
