package notebook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestReplaceFileKeepsPermissionsAndLinks(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.ipynb")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.ipynb")
	if err := os.Symlink("a.ipynb", link); err != nil {
		t.Fatal(err)
	}
	if err := ReplaceFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(name); string(got) != "new" {
		t.Errorf("the file holds %q", got)
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link became a file")
	}
	if info, _ := os.Stat(name); info.Mode().Perm() != 0o600 {
		t.Errorf("permissions are %v, want 0600", info.Mode().Perm())
	}
	onlyFiles(t, dir, "a.ipynb", "link.ipynb")
}

// A reader must not see a half-written file: the old one keeps its contents (here through an
// open descriptor) and the new one is another file.
func TestReplaceFileRenames(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	if err := os.WriteFile(name, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := ReplaceFile(name, []byte("new contents")); err != nil {
		t.Fatal(err)
	}
	old := make([]byte, 20)
	if n, _ := f.Read(old); string(old[:n]) != "old" {
		t.Errorf("whoever had the file open now reads %q", old[:n])
	}
}

func TestReplaceFileLeavesNothingBehindOnFailure(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(name, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := ReplaceFile(name, []byte("new")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	onlyFiles(t, dir, "folder")
	if err := ReplaceFile(filepath.Join(dir, "none", "a"), nil); err == nil {
		t.Error("a file was written into a folder that is not there")
	}
}

func onlyFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if len(got) != len(want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
}

// What is no file is written to: replacing it would take a device from the whole machine.
func TestReplaceFileWritesToPipes(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("pipe", link); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for _, name := range []string{pipe, link, "/dev/null"} {
		if err := errors.Join(CanReplace(name), ReplaceFile(name, []byte("text"))); err != nil {
			t.Fatal(err)
		}
	}
	got := make([]byte, 8)
	if n, err := reader.Read(got); err != nil || string(got[:n]) != "texttext" {
		t.Errorf("the pipe gave %q, %v", got[:n], err)
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Errorf("/dev/null is %v, %v", info.Mode(), err)
	}
	onlyFiles(t, dir, "link", "pipe")
}

// A link whose target is yet to be made stays a link.
func TestReplaceFileFollowsDanglingLinks(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(CanReplace(link), ReplaceFile(link, []byte("new"))); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "target")); err != nil || string(got) != "new" {
		t.Errorf("the target holds %q, %v", got, err)
	}
	onlyFiles(t, dir, "link", "target")
}

func TestCanReplace(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	if err := os.WriteFile(name, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	for _, good := range []string{name, filepath.Join(dir, "new")} {
		if err := CanReplace(good); err != nil {
			t.Errorf("CanReplace(%s) = %v", good, err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "old" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	for _, bad := range []string{dir, filepath.Join(dir, "none", "a"), filepath.Join(name, "a")} {
		if CanReplace(bad) == nil {
			t.Errorf("CanReplace(%s) = nil", bad)
		}
	}
	if os.Getuid() == 0 {
		t.Log("the superuser may write everywhere: folders and files that are read-only are not tested")
	} else {
		if err := os.Chmod(name, 0o400); err != nil {
			t.Fatal(err)
		}
		if err := CanReplace(name); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("CanReplace of a read-only file = %v", err)
		}
	}
	onlyFiles(t, dir, "a")
}
