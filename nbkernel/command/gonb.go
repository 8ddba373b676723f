package command

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"eigenbook/nbkernel/client"
)

// moduleName is the path of the module that this program belongs to.
const moduleName = "eigenbook"

// moduleRoot returns the folder of Eigenbook's source that holds dir or the working folder,
// because GoNB compiles cells against it.
func moduleRoot(dir string) (string, error) {
	for _, start := range []string{dir, "."} {
		at, err := filepath.Abs(start)
		if err != nil {
			return "", err
		}
		for {
			if isModule(filepath.Join(at, "go.mod")) {
				return at, nil
			}
			parent := filepath.Dir(at)
			if parent == at {
				break
			}
			at = parent
		}
	}
	return "", fmt.Errorf("GoNB compiles cells against Eigenbook's source, and neither %s nor the working folder is inside a clone of it; run this from the clone", dir)
}

// isModule reports whether the file is the go.mod of Eigenbook.
func isModule(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) == 2 && fields[0] == "module" {
			return fields[1] == moduleName
		}
	}
	return false
}

// gonbPackages are the programs GoNB needs, built at the versions that go.mod pins.
var gonbPackages = []string{"github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports"}

// buildGoNB builds gonb and goimports from the module at root into a folder of the user's
// cache and returns the folder. A build with the same go.mod, go.sum and Go is used again.
func buildGoNB(ctx context.Context, root string, w io.Writer) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the built GoNB: %w", err)
	}
	key, err := gonbKey(root)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, moduleName, "gonb-"+key)
	if isProgram(filepath.Join(dir, "gonb")) && isProgram(filepath.Join(dir, "goimports")) {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	// Built beside and renamed, so that two runs at once and one that is interrupted leave
	// nothing half done.
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "gonb-building-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	fmt.Fprintln(w, "building GoNB from go.mod (once) …")
	if err := buildInto(ctx, root, fresh); err != nil {
		return "", err
	}
	if err := os.Rename(fresh, dir); err != nil && !isProgram(filepath.Join(dir, "gonb")) {
		return "", err
	}
	return dir, nil
}

// buildInto builds the programs of GoNB into dir.
func buildInto(ctx context.Context, root, dir string) error {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return errors.New("GoNB compiles every cell and needs the Go tool chain: there is no go on PATH")
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	build := exec.CommandContext(ctx, goTool, append([]string{"build", "-o", dir + string(filepath.Separator)}, gonbPackages...)...)
	build.Dir = root
	output, err := build.CombinedOutput()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted while GoNB was built: %w", ctx.Err())
	}
	if err != nil {
		return fmt.Errorf("building GoNB in %s: %w\n%s", root, err, strings.TrimSpace(string(output)))
	}
	return nil
}

// gonbKey names a build by what it is made from.
func gonbKey(root string) (string, error) {
	h := sha256.New()
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return "", err
		}
		h.Write(data)
	}
	io.WriteString(h, runtime.Version()+runtime.GOOS+runtime.GOARCH)
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o100 != 0
}

// gonbSpec describes GoNB in the folder bin, with cells that import the module at root.
func gonbSpec(bin, root string) client.Spec {
	return client.Spec{
		Name:          gonbKernel,
		Argv:          []string{filepath.Join(bin, "gonb"), "--kernel", "{connection_file}", "-go_work=" + root, "-raw_error=true"},
		Env:           map[string]string{"PATH": bin + string(os.PathListSeparator) + os.Getenv("PATH")},
		DisplayName:   "Go (GoNB, Eigenbook)",
		Language:      "go",
		InterruptMode: "message",
	}
}
