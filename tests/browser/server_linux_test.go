package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const root = "../.."

// A server is a running jupyter-notebook that knows our kernel and nothing of the user's.
type server struct {
	url, token string
	dir        string // where its notebooks are
}

// startServer installs the kernel under a temporary prefix and starts jupyter-notebook on a
// free port, or the next one if somebody takes that first. It ends with the test.
func startServer(t *testing.T) *server {
	t.Helper()
	dir := t.TempDir()
	program, prefix := filepath.Join(dir, "nbkernel"), filepath.Join(dir, "prefix")
	for _, args := range [][]string{
		{"go", "build", "-o", program, root + "/nbkernel"},
		{program, "install", "-prefix", prefix},
	} {
		if text, err := exec.CommandContext(t.Context(), args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, text)
		}
	}
	s := &server{token: "of-this-test-only", dir: filepath.Join(dir, "notebooks")}
	runtime := filepath.Join(dir, "runtime")
	for _, folder := range []string{s.dir, runtime} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("jupyter-notebook", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port="+freePort(t),
		"--NotebookApp.token="+s.token, "--NotebookApp.open_browser=False", "--notebook-dir="+s.dir)
	cmd.Env = append(os.Environ(), "HOME="+dir, "JUPYTER_PATH="+filepath.Join(prefix, "share", "jupyter"),
		"JUPYTER_CONFIG_DIR="+filepath.Join(dir, "config"), "JUPYTER_DATA_DIR="+filepath.Join(dir, "data"),
		"JUPYTER_RUNTIME_DIR="+runtime, "IPYTHONDIR="+filepath.Join(dir, "ipython"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) // it shuts its kernels down
		select {
		case <-ended:
		case <-time.After(15 * time.Second):
			t.Error("jupyter-notebook did not end within 15 s of SIGTERM")
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-ended
		}
		if t.Failed() {
			t.Logf("jupyter-notebook said:\n%s", log.String())
		}
	})
	ok := until(t.Context(), 30*time.Second, func() bool {
		select {
		case <-ended:
			t.Fatalf("jupyter-notebook ended: %v", cmd.ProcessState)
		default:
		}
		return s.answers(runtime)
	})
	if !ok {
		t.Fatal("jupyter-notebook does not answer after 30 s")
	}
	return s
}

// freePort returns a port on which nobody listened a moment ago.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// answers reads the server's address from the file it leaves in its runtime folder, and asks
// for its status.
func (s *server) answers(runtime string) bool {
	files, err := filepath.Glob(filepath.Join(runtime, "nbserver-*.json"))
	if err != nil || len(files) != 1 {
		return false
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return false
	}
	var info struct{ URL string }
	if json.Unmarshal(text, &info) != nil {
		return false // half written
	}
	s.url = info.URL
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Get(s.url + "api/status?token=" + s.token)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// address is where the notebook of a name is edited.
func (s *server) address(name string) string {
	return fmt.Sprintf("%snotebooks/%s?token=%s", s.url, name, s.token)
}

// until asks every 50 ms whether something holds, and says whether it did within the limit.
func until(ctx context.Context, limit time.Duration, holds func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}
