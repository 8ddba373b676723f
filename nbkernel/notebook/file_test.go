package notebook

import (
	"os"
	"path/filepath"
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
