package tests

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readme returns the README's indented command lines without their remarks, and its Go program.
func readme(t *testing.T) (commands []string, program string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, m := range regexp.MustCompile(`(?m)^    (\S.*?)(?:\s+#.*)?$`).FindAllStringSubmatch(text, -1) {
		commands = append(commands, m[1])
	}
	for _, m := range regexp.MustCompile("`(go run [^`]*)`").FindAllStringSubmatch(text, -1) {
		commands = append(commands, m[1])
	}
	m := regexp.MustCompile("(?s)```go\n(.*?)```").FindStringSubmatch(text)
	if m == nil || len(commands) < 6 {
		t.Fatalf("the README shows the commands %q and the program %q", commands, m)
	}
	return commands, m[1]
}

// elsewhere matches what TestReadmeCommands leaves out.
var elsewhere = regexp.MustCompile(`^go test| exec -html |FILE\.go|-o FILE|tests/bench|go generate`)

// TestReadmeCommands types what the README tells, but for the tests themselves, the first report, which
// TestCloneToReport makes, what needs a name filled in, the comparison with peers, and the tables, which their package
// checks and which must not change while others read them. Kernels go to a home of their own.
func TestReadmeCommands(t *testing.T) {
	home := t.TempDir()
	env := []string{"JUPYTER_DATA_DIR=" + filepath.Join(home, "jupyter"), "EIGENBOOK_SHOW=" + home}
	commands, _ := readme(t)
	ran := 0
	for _, c := range commands {
		if elsewhere.MatchString(c) {
			continue
		}
		succeed(t, root, env, "bash", "-c", c)
		ran++
	}
	if ran < 5 {
		t.Errorf("%d of the commands %q were run, want at least 5", ran, commands)
	}
	left, err := filepath.Glob(filepath.Join(home, "jupyter", "kernels", "*"))
	if err != nil || len(left) != 0 {
		t.Errorf("after uninstall there are %v (%v)", left, err)
	}
}

// TestReadmeProgram runs the README's program compiled and interpreted.
func TestReadmeProgram(t *testing.T) {
	_, program := readme(t)
	file := filepath.Join(t.TempDir(), "own.go")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	env := []string{"EIGENBOOK_SHOW=" + t.TempDir()}
	compiled := succeed(t, root, env, "go", "run", file)
	interpreted := succeed(t, root, env, nbkernel, "run", file)
	if compiled.stdout != interpreted.stdout || !strings.Contains(compiled.stdout, "Spectrum: 150 eigenvalues") {
		t.Errorf("compiled it prints\n%sinterpreted\n%s", compiled.stdout, interpreted.stdout)
	}
}
