package command

import (
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"eigenbook/nbkernel/client"
)

var doctorCommand = &command{
	name:  "doctor",
	short: "say what is found on this machine, and what to do about the rest",
	long: `
Nothing that doctor misses keeps "nbkernel run" and "nbkernel exec" from working: they need
neither Go, nor Python, nor Jupyter. The exit code is 1 if something is installed but broken.`,
	flags: func(*flag.FlagSet) func(Streams, []string) int {
		return func(s Streams, args []string) int {
			if len(args) > 0 {
				s.errorf("doctor takes no arguments, not %q", args[0])
				return ExitUsage
			}
			d := doctor{w: s.Out}
			d.program()
			d.goTool()
			d.jupyter()
			d.kernels()
			d.gonb()
			d.data()
			if d.broken > 0 {
				return ExitFailed
			}
			return ExitDone
		}
	},
}

// A doctor writes findings, one a line.
type doctor struct {
	w      io.Writer
	broken int
}

func (d *doctor) say(mark, what, format string, args ...any) {
	fmt.Fprintf(d.w, "%s %-12s %s\n", mark, what, fmt.Sprintf(format, args...))
}

func (d *doctor) found(what, format string, args ...any)   { d.say("✓", what, format, args...) }
func (d *doctor) missing(what, format string, args ...any) { d.say("–", what, format, args...) }
func (d *doctor) bad(what, format string, args ...any) {
	d.broken++
	d.say("✗", what, format, args...)
}

func (d *doctor) program() {
	self, err := os.Executable()
	if err != nil {
		d.bad("nbkernel", "%v", err)
		return
	}
	d.found("nbkernel", "%s, %s, %d CPUs: %s", Version(), runtime.Version(), runtime.NumCPU(), self)
}

// ask runs a program and returns the first line it prints.
func ask(name string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second // for a wrapper whose child holds the pipe
	output, err := cmd.Output()
	line, _, _ := strings.Cut(strings.TrimSpace(string(output)), "\n")
	return line, err
}

func (d *doctor) goTool() {
	path, err := exec.LookPath("go")
	if err != nil {
		d.missing("Go", "no go on PATH; needed only for GoNB and to build from source (https://go.dev/dl)")
		return
	}
	version, err := ask(path, "version")
	if err != nil {
		d.bad("Go", "%s does not run: %v", path, err)
		return
	}
	d.found("Go", "%s: %s", strings.TrimPrefix(version, "go version "), path)
}

func (d *doctor) jupyter() {
	path, err := exec.LookPath("jupyter")
	if err != nil {
		d.missing("Jupyter", "not found; \"nbkernel exec\" runs notebooks without it, JupyterLab or VS Code opens them")
		return
	}
	d.found("Jupyter", "%s", path)
}

func (d *doctor) kernels() {
	ours := 0
	for _, spec := range client.ListSpecs() {
		program := ""
		if len(spec.Argv) > 0 {
			program = spec.Argv[0]
		}
		_, err := exec.LookPath(program)
		mine := spec.Name == defaultKernel || spec.Name == gonbSpecName
		switch {
		case err == nil:
			d.found("kernel", "%s (%s) in %s", spec.Name, spec.DisplayName, spec.Dir)
		case mine:
			d.bad("kernel", "%s in %s starts %s, which is not there; \"nbkernel install\" again", spec.Name, spec.Dir, program)
		default:
			d.missing("kernel", "%s in %s starts %s, which is not there", spec.Name, spec.Dir, program)
		}
		if mine {
			ours++
		}
	}
	if ours == 0 {
		d.missing("kernel", "%s is not installed in Jupyter; \"nbkernel install\" does that", defaultKernel)
	}
}

func (d *doctor) gonb() {
	root, err := moduleRoot(".")
	if err != nil {
		d.missing("GoNB", "\"exec -kernel gonb\" works in a clone of Eigenbook only, and this folder is outside")
		return
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		d.missing("GoNB", "no folder for a build: %v", err)
		return
	}
	key, err := gonbKey(root)
	if err != nil {
		d.bad("GoNB", "%v", err)
		return
	}
	if dir := filepath.Join(cache, moduleName, "gonb-"+key); isProgram(filepath.Join(dir, "gonb")) {
		d.found("GoNB", "built from %s in %s", filepath.Join(root, "go.mod"), dir)
	} else {
		d.missing("GoNB", "not built yet; \"exec -kernel gonb\" builds it from %s", filepath.Join(root, "go.mod"))
	}
}

// data tells where data sets are looked for.
func (d *doctor) data() {
	const variable = "EIGENBOOK_DATA"
	switch dir := os.Getenv(variable); {
	case dir == "":
		d.missing("data", "%s is not set; data sets that are not embedded are downloaded when asked for", variable)
	default:
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			d.bad("data", "%s is %s, which is not a folder", variable, dir)
		} else {
			d.found("data", "%s is %s", variable, dir)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		d.missing("cache", "there is no folder for one: %v", err)
		return
	}
	dir := filepath.Join(cache, moduleName)
	if size, files := folderSize(dir); files > 0 {
		d.found("cache", "%d files, %.1f MB in %s; it may be deleted", files, float64(size)/1e6, dir)
	} else {
		d.missing("cache", "%s is empty", dir)
	}
}

// folderSize returns the size of the files below dir and their number.
func folderSize(dir string) (size int64, files int) {
	// What cannot be read does not count.
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			size += info.Size()
			files++
		}
		return nil
	})
	return size, files
}
