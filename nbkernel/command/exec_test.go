package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"eigenbook/nbkernel/notebook"
)

// The kernels that these tests start are this test binary: with the variable set it is
// nbkernel.
const actAsProgram = "EIGENBOOK_TEST_AS_NBKERNEL"

func TestMain(m *testing.M) {
	if os.Getenv(actAsProgram) != "" {
		os.Exit(Main(os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	}
	if err := os.Setenv(actAsProgram, "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// written makes a notebook of code cells and returns its path.
func written(t *testing.T, name string, sources ...string) string {
	t.Helper()
	nb := notebook.New()
	nb.SetKernelSpec("eigenbook", "Go (Eigenbook)", "go")
	for _, s := range sources {
		nb.Append(notebook.Code, s)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := nb.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestGreenNotebook(t *testing.T) {
	dir := t.TempDir()
	out, page, xml := filepath.Join(dir, "out.ipynb"), filepath.Join(dir, "page.html"), filepath.Join(dir, "junit.xml")
	code, _, stderr := nbkernel("exec", "-p", "x=4", "-o", out, "-html", page, "-junit", xml, "testdata/green.ipynb")
	if code != ExitDone {
		t.Fatalf("exit code %d:\n%s", code, stderr)
	}
	if !strings.Contains(stderr, "green.ipynb  ok: 2 cells run, 1 claims checked") {
		t.Errorf("the summary is missing in %q", stderr)
	}
	nb, err := notebook.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	last := nb.Cells[len(nb.Cells)-1]
	if len(last.Outputs) != 1 || !strings.HasPrefix(last.Outputs[0].Text, "x = 4\n✓ the square is the product") || last.ExecutionCount != 2 {
		t.Errorf("the last cell has count %d and outputs %+v", last.ExecutionCount, last.Outputs)
	}
	if info, _ := nb.Metadata["language_info"].(map[string]any); info["name"] != "go" || info["file_extension"] != ".go" {
		t.Errorf("language_info is %v", info)
	}
	for path, want := range map[string]string{page: "✓ the square is the product", xml: `tests="2" failures="0"`} {
		if data, err := os.ReadFile(path); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %v, lacks %q", path, err, want)
		}
	}
}

// Two runs of a notebook write the same bytes.
func TestExecutionRepeats(t *testing.T) {
	path := written(t, "a.ipynb", `import "fmt"`, "%%\nfmt.Println(1)", "1 + 2")
	var before []byte
	for range 2 {
		if code, _, stderr := nbkernel("exec", "-inplace", path); code != ExitDone {
			t.Fatalf("exit code %d:\n%s", code, stderr)
		}
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if before != nil && !bytes.Equal(before, after) {
			t.Errorf("the second run wrote something else:\n%s\n%s", before, after)
		}
		before = after
	}
}

// What somebody has written into the notebook while its cells ran is not lost, and neither is
// what they printed.
func TestNotebookChangedMeanwhile(t *testing.T) {
	path := written(t, "a.ipynb", "import (\"fmt\"; \"os\")", "%%\nfmt.Println(\"ran\", os.WriteFile(\"a.ipynb\", []byte(\"edited\"), 0o600))")
	code, _, stderr := nbkernel("exec", "-inplace", path)
	if code != ExitFailed || !strings.Contains(stderr, "was changed meanwhile; what was executed is in") {
		t.Errorf("exit code %d:\n%s", code, stderr)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "edited" {
		t.Errorf("the notebook holds %q, %v", data, err)
	}
	if data, err := os.ReadFile(strings.Replace(path, "a.ipynb", "a.executed.ipynb", 1)); err != nil || !strings.Contains(string(data), "ran <nil>") {
		t.Errorf("what was executed is %q, %v", data, err)
	}
}

func TestRedNotebooks(t *testing.T) {
	for _, tc := range []struct {
		name    string
		flags   string
		sources []string
		code    int
		says    []string
	}{
		{"panic", "", []string{"import \"fmt\"", "%%\nfmt.Println(\"before\")\nvar m map[string]int\nm[\"a\"] = 1", "%%\nfmt.Println(\"never\")"},
			ExitFailed, []string{"a.ipynb: cell 2 [2]", "assignment to entry in nil map"}},
		{"compile error", "", []string{"%%\nx := ", "1"}, ExitFailed, []string{"a.ipynb: cell 1 [1], line"}},
		{"undefined name", "", []string{"import \"fmt\"", "%%\n\nfmt.Println(undefinedName)"}, ExitFailed, []string{"a.ipynb: cell 2 [2], line 3", "undefinedName"}},
		{"exit", "", []string{"import \"os\"", "%%\nos.Exit(3)"}, ExitFailed, []string{"a.ipynb: cell 2 [2]", "exit"}},
		{"panic in a goroutine", "", []string{"import \"time\"", "%%\ngo func() { panic(\"in goroutine\") }()\ntime.Sleep(5 * time.Second)"},
			ExitFailed, []string{"a.ipynb: cell 2 [2]", "in goroutine"}},
		{"time limit", "-timeout 300ms", []string{"import \"time\"", "%%\ntime.Sleep(time.Minute)", "1"}, ExitTimeout, []string{"a.ipynb: cell 2 [2]: took longer than the limit of 300ms"}},
		{"keep going", "-keep-going", []string{"%%\npanic(\"first\")", "%%\npanic(\"second\")"}, ExitFailed, []string{"cell 1 [1]", "first", "cell 2 [2]", "second"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := written(t, "a.ipynb", tc.sources...)
			out := filepath.Join(t.TempDir(), "out.ipynb")
			code, _, stderr := nbkernel(append(append([]string{"exec"}, strings.Fields(tc.flags)...), "-o", out, path)...)
			if code != tc.code {
				t.Errorf("exit code %d, want %d:\n%s", code, tc.code, stderr)
			}
			for _, want := range tc.says {
				if !strings.Contains(stderr, want) {
					t.Errorf("stderr does not say %q:\n%s", want, stderr)
				}
			}
			nb, err := notebook.ReadFile(out)
			if err != nil {
				t.Fatalf("what ran was not kept: %v", err)
			}
			failed := false
			for _, c := range nb.Cells {
				for _, o := range c.Outputs {
					failed = failed || o.Type == notebook.ErrorOutput
				}
			}
			if !failed {
				t.Errorf("the notebook does not tell of the failure: %+v", nb.Cells)
			}
		})
	}
}

func TestFailedCheck(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	code, _, stderr := nbkernel("exec", "-html", page, "testdata/red.ipynb", "testdata/green.ipynb")
	if code != ExitFailed || !strings.Contains(stderr, "testdata/red.ipynb: cell 3 [2], line 4: ") || !strings.Contains(stderr, "one is two") {
		t.Errorf("exit code %d:\n%s", code, stderr)
	}
	if n := strings.Count(stderr, "one is two"); n != 1 {
		t.Errorf("the claim is named %d times, want once:\n%s", n, stderr)
	}
	if !strings.Contains(stderr, "green.ipynb  ok") {
		t.Error("the notebook after the one that failed was not run")
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"before", "one is two", "not run", `<span class="bad">failed</span>`, `<span class="good">passed</span>`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

func TestWorkingFolderIsTheNotebooks(t *testing.T) {
	path := written(t, "a.ipynb", "import (\"fmt\"; \"os\")", "%%\nentries, _ := os.ReadDir(\".\")\nfmt.Println(len(entries), entries[0].Name())")
	code, out, stderr := nbkernel("exec", "-v", path)
	if code != ExitDone || !strings.Contains(out, "1 a.ipynb") {
		t.Errorf("exit code %d, printed %q:\n%s", code, out, stderr)
	}
}

// A signal ends the command soon, keeps what ran and leaves no process behind.
func TestSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			path := written(t, "a.ipynb", "import (\"fmt\"; \"os\"; \"time\")", "%%\nfmt.Println(\"pid\", os.Getpid())", "%%\ntime.Sleep(time.Minute)")
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(self, "exec", "-inplace", path)
			var stderr waitBuffer
			stderr.wait = "2/3"
			stderr.seen = make(chan struct{})
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case <-stderr.seen:
			case err := <-ended:
				t.Fatalf("it ended before the second cell had: %v\n%s", err, stderr.buf.String())
			case <-time.After(30 * time.Second):
				cmd.Process.Kill()
				t.Fatalf("the second cell did not end: %v\n%s", <-ended, stderr.buf.String())
			}
			time.Sleep(200 * time.Millisecond)
			start := time.Now()
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := <-ended; !errors.As(err, &exit) || exit.ExitCode() != ExitInterrupted {
				t.Errorf("it ended with %v, want exit code %d:\n%s", err, ExitInterrupted, stderr.buf.String())
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("it took %v to end", took)
			}
			nb, err := notebook.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(nb.Cells[1].Outputs) != 1 {
				t.Fatalf("the output of the cell that ran was not kept")
			}
			var pid int
			if err := json.Unmarshal([]byte(strings.TrimPrefix(strings.TrimSpace(nb.Cells[1].Outputs[0].Text), "pid ")), &pid); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
				t.Errorf("the worker process %d is still there: %v", pid, err)
			}
		})
	}
}

// A waitBuffer closes seen when the text wait was written.
type waitBuffer struct {
	buf  bytes.Buffer
	wait string
	seen chan struct{}
	done bool
}

func (b *waitBuffer) Write(p []byte) (int, error) {
	b.buf.Write(p)
	if !b.done && strings.Contains(b.buf.String(), b.wait) {
		b.done = true
		close(b.seen)
	}
	return len(p), nil
}

func TestInstalledKernelStarts(t *testing.T) {
	prefix := t.TempDir()
	code, out, stderr := nbkernel("install", "-prefix", prefix)
	if code != ExitDone {
		t.Fatalf("exit code %d:\n%s%s", code, out, stderr)
	}
	dir := filepath.Join(prefix, "share", "jupyter", "kernels", "eigenbook")
	data, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var spec kernelJSON
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	if !filepath.IsAbs(spec.Argv[0]) || spec.InterruptMode != "message" || spec.Language != "go" || !isProgram(spec.Argv[0]) {
		t.Errorf("kernel.json is %s", data)
	}
	for _, name := range []string{"logo-32x32.png", "logo-64x64.png", "logo-svg.svg", "kernel.js", "kernel.css"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if entries, _ := os.ReadDir(filepath.Dir(dir)); len(entries) != 1 {
		t.Errorf("beside the kernel there are %v", entries)
	}
	// Once more over the old one, then by its name through the search path.
	if code, _, stderr := nbkernel("install", "-prefix", prefix); code != ExitDone {
		t.Fatalf("a second time: exit code %d:\n%s", code, stderr)
	}
	t.Setenv("JUPYTER_PATH", filepath.Join(prefix, "share", "jupyter"))
	if err := os.Rename(dir, dir+"-renamed"); err != nil {
		t.Fatal(err)
	}
	renamed := strings.ReplaceAll(string(data), dir, dir+"-renamed")
	if err := os.WriteFile(filepath.Join(dir+"-renamed", "kernel.json"), []byte(renamed), 0o600); err != nil {
		t.Fatal(err)
	}
	path := written(t, "a.ipynb", "1 + 2")
	if code, _, stderr := nbkernel("exec", "-kernel", "eigenbook-renamed", path); code != ExitDone {
		t.Errorf("exec with the installed kernel: exit code %d:\n%s", code, stderr)
	}
}
