package display

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// helperVariable makes the test binary behave as a script that uses this package.
const helperVariable = "DISPLAY_TEST_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) != "" {
		helper()
		return
	}
	os.Exit(m.Run())
}

// helper is the script: a table, a figure, progress and another figure.
func helper() {
	Show(Table([]string{"a"}, [][]any{{1}}))
	Show(Spectrum([]float64{2, 1}, SpectrumOptions{Width: 200, Height: 150}))
	bar := Progress("work", 3)
	bar.Set(3)
	bar.Finish()
	Show(Spectrum([]float64{3, 1}, SpectrumOptions{Width: 200, Height: 150}))
}

// runHelper runs the script and returns its outputs.
func runHelper(t *testing.T, environment ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperVariable+"=1")
	cmd.Env = append(cmd.Env, environment...)
	var out, note bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &note
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, note.String())
	}
	return out.String(), note.String()
}

func TestScript(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "folder")
	stdout, stderr := runHelper(t, FolderVariable+"="+folder)
	want := "a\n1\nSpectrum: 2 eigenvalues 2 … 1\nSpectrum: 2 eigenvalues 3 … 1\n"
	if stdout != want {
		t.Errorf("standard output is %q, want %q", stdout, want)
	}
	for _, name := range []string{"001-spectrum.png", "002-spectrum.png"} {
		path := filepath.Join(folder, name)
		if content, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(content, []byte("\x89PNG")) {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(stderr, path+"\n") {
			t.Errorf("standard error does not name %s:\n%s", path, stderr)
		}
	}
	if !strings.Contains(stderr, "work: 3 of 3 (100%), in ") || strings.Contains(stderr, "\r") {
		t.Errorf("standard error has no line for the progress:\n%s", stderr)
	}
	if again, _ := runHelper(t, FolderVariable+"="+folder); again != stdout {
		t.Errorf("a second run printed %q", again)
	}
}

func TestScriptTemporaryFolder(t *testing.T) {
	temp := t.TempDir()
	_, stderr := runHelper(t, FolderVariable+"=", "TMPDIR="+temp)
	found, err := filepath.Glob(filepath.Join(temp, "eigenbook-*", "001-spectrum.png"))
	if err != nil || len(found) != 1 || !strings.Contains(stderr, found[0]) {
		t.Errorf("pictures %v (%v), standard error\n%s", found, err, stderr)
	}
}

func TestScriptFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv(FolderVariable, file)
	s := &scriptSink{out: &bytes.Buffer{}, note: &bytes.Buffer{}}
	err := s.Display(Bundle{Data: map[string]any{MIMEPNG: []byte("x")}}, "", false)
	if err == nil || !strings.Contains(err.Error(), FolderVariable) {
		t.Errorf("error is %v, want one that names %s", err, FolderVariable)
	}
}

func TestSlug(t *testing.T) {
	for text, want := range map[string]string{
		"Spectrum: 3 values":       "spectrum",
		"Two  words, here\nsecond": "two-words-here",
		"σ²":                       "picture",
		"../../etc/passwd":         "etc-passwd",
		strings.Repeat("ab", 90):   strings.Repeat("ab", 20),
	} {
		if got := slug(text); got != want {
			t.Errorf("slug(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTerminalProtocol(t *testing.T) {
	for _, tc := range []struct {
		env  map[string]string
		want protocolName
	}{
		{map[string]string{"TERM": "xterm-256color"}, ""},
		{map[string]string{"TERM": "xterm-kitty"}, kittyProtocol},
		{map[string]string{"TERM_PROGRAM": "iTerm.app"}, iTerm2Protocol},
		{map[string]string{"TERM_PROGRAM": "WezTerm", "TMUX": "/tmp/x"}, ""},
	} {
		if got := terminalProtocol(func(k string) string { return tc.env[k] }); got != tc.want {
			t.Errorf("%v: protocol %q, want %q", tc.env, got, tc.want)
		}
	}
}

func TestInlinePictures(t *testing.T) {
	picture := bytes.Repeat([]byte{1, 2, 3}, 4000)
	payload := base64.StdEncoding.EncodeToString(picture)
	iterm := string(iTerm2Protocol.encode(picture, 0))
	if want := fmt.Sprintf("\x1b]1337;File=inline=1;size=12000:%s\a\n", payload); iterm != want {
		t.Errorf("iTerm2 sequence is %.60q…, want %.60q…", iterm, want)
	}
	joined := ""
	chunks := strings.Split(strings.TrimSuffix(string(kittyProtocol.encode(picture, 800)), "\x1b\\\n"), "\x1b\\")
	for i, chunk := range chunks {
		control, data, found := strings.Cut(strings.TrimPrefix(chunk, "\x1b_G"), ";")
		more := "m=1"
		if i == len(chunks)-1 {
			more = "m=0"
		}
		if !found || len(data) > kittyChunk || !strings.HasSuffix(control, more) || (i == 0) != strings.HasPrefix(control, "a=T,f=100,c=100,") {
			t.Errorf("kitty chunk %d of %d has control %q and %d bytes", i, len(chunks), control, len(data))
		}
		joined += data
	}
	if joined != payload {
		t.Error("the kitty chunks do not add up to the picture")
	}
}

// A bar under test has its own clock and output.
func testBar(place barPlace, total int) (*Bar, *bytes.Buffer, *time.Time) {
	clock := time.Unix(1000, 0)
	var out bytes.Buffer
	b := &Bar{name: "fit", total: total, place: place, out: &out, now: func() time.Time { return clock }}
	b.begin()
	return b, &out, &clock
}

func TestProgressOnATerminal(t *testing.T) {
	b, out, clock := testBar(barTerminal, 200)
	for i := range 201 {
		b.Set(i)
		*clock = clock.Add(10 * time.Millisecond)
	}
	b.Note("error 0.1")
	b.Finish()
	b.Finish()
	b.Set(3)
	lines := strings.Split(strings.TrimPrefix(out.String(), "\r"), "\r")
	if len(lines) < 15 || len(lines) > 25 {
		t.Errorf("%d states in 2 s, want about 20:\n%q", len(lines), lines)
	}
	if middle := lines[10]; !strings.HasPrefix(middle, "fit: 100 of 200 (50%), 100/s, 1s left") {
		t.Errorf("state in the middle is %q", middle)
	}
	if last := strings.TrimRight(lines[len(lines)-1], " "); !strings.HasSuffix(strings.TrimRight(last, " \n"), "in 2s, error 0.1") || !strings.HasSuffix(out.String(), "\n") {
		t.Errorf("last state is %q", last)
	}
}

func TestProgressInLines(t *testing.T) {
	b, out, clock := testBar(barLines, 0)
	for range 300 {
		b.Add(2)
		*clock = clock.Add(100 * time.Millisecond)
	}
	b.Finish()
	want := "fit: 202, 20.2/s\nfit: 402, 20.1/s\nfit: 600, in 30s\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestProgressInANotebook(t *testing.T) {
	r := record(t)
	b, _, clock := testBar(barNotebook, 10)
	*clock = clock.Add(time.Second)
	b.Set(5)
	b.Set(6)
	b.Finish()
	if len(r.bundles) != 2 && len(r.bundles) != 3 {
		t.Fatalf("%d results, want 3", len(r.bundles))
	}
	for i := range r.bundles {
		if r.ids[i] == "" || r.ids[i] != r.ids[0] || r.updates[i] != (i > 0) {
			t.Errorf("result %d has id %q and update %t", i, r.ids[i], r.updates[i])
		}
	}
	if got := r.bundles[1].Plain(); got != "fit: 5 of 10 (50%), 5/s, 1s left" {
		t.Errorf("running state is %q", got)
	}
	last := r.bundles[len(r.bundles)-1]
	if last.Plain() != "fit: 6 of 10 (60%)" || strings.Contains(last.Data[MIMEHTML].(string), "in ") {
		t.Errorf("final state is %q and %q, want no times", last.Plain(), last.Data[MIMEHTML])
	}
	other, _, _ := testBar(barNotebook, 1)
	other.Finish()
	if r.ids[len(r.ids)-1] == r.ids[0] {
		t.Error("two bars share an id")
	}
}
