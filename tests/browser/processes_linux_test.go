package browser

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of every descendant whose own parent ends, and checks
// at the end of the test that all of them have ended. Jupyter starts a kernel in a session of
// its own and chromium has helpers, so a process group alone would not tell.
func adopt(t *testing.T) {
	t.Helper()
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Fatalf("adopt orphans: %v", err)
	}
	before := descendants()
	t.Cleanup(func() {
		left := func() []string {
			var names []string
			for id, name := range descendants() {
				if _, ok := before[id]; !ok {
					names = append(names, strconv.Itoa(id)+" "+name)
				}
			}
			return names
		}
		if !until(context.Background(), 10*time.Second, func() bool { return len(left()) == 0 }) {
			t.Errorf("processes are left: %s", strings.Join(left(), ", "))
			for id := range descendants() {
				if _, ok := before[id]; !ok {
					unix.Kill(id, unix.SIGKILL)
				}
			}
		}
	})
}

// descendants returns the running processes below this one, by id, with their names.
func descendants() map[int]string {
	parents, names := map[int]int{}, map[int]string{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// id (name) state parent …; a name may hold anything.
		head, rest, _ := strings.Cut(string(text), " (")
		end := strings.LastIndex(rest, ") ")
		fields := strings.Fields(rest[max(end, 0)+2:])
		id, err := strconv.Atoi(head)
		if err != nil || end < 0 || len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		parent, err := strconv.Atoi(fields[1])
		if err != nil {
			continue
		}
		parents[id], names[id] = parent, rest[:end]
	}
	below := map[int]string{}
	for id := range parents {
		for up := id; up > 1; up = parents[up] {
			if parents[up] == os.Getpid() {
				below[id] = names[id]
				break
			}
		}
	}
	return below
}
