package command

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"eigenbook/nbkernel/client"
	"eigenbook/nbkernel/notebook"
)

// gonbSpecName is the name under which GoNB is installed.
const gonbSpecName = "eigenbook-gonb"

var installCommand = &command{
	name:  "install",
	args:  "[flags]",
	short: "make the kernels known to Jupyter",
	long: `
Writes the kernel specification eigenbook and, with -gonb, eigenbook-gonb, then starts each
kernel once and runs a cell. With -gonb, GoNB and goimports are built from this module's
go.mod into the specification's folder, and cells import Eigenbook from the clone.
Without a flag that says where, the kernels are installed for the user.`,
	flags: func(fs *flag.FlagSet) func(Streams, []string) int {
		var p places
		p.declare(fs)
		gonb := fs.Bool("gonb", false, "install GoNB as the kernel eigenbook-gonb, too")
		return func(s Streams, args []string) int {
			dir, err := p.folder(args)
			if err != nil {
				s.errorf("install: %v", err)
				return ExitUsage
			}
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			i := installer{ctx: ctx, kernels: dir, out: s.Out}
			err = i.install(*gonb)
			switch {
			case ctx.Err() != nil:
				return ExitInterrupted
			case err != nil:
				s.errorf("install: %v", err)
				return ExitFailed
			}
			return ExitDone
		}
	},
}

var uninstallCommand = &command{
	name:  "uninstall",
	args:  "[flags]",
	short: "remove the kernels from Jupyter",
	flags: func(fs *flag.FlagSet) func(Streams, []string) int {
		var p places
		p.declare(fs)
		return func(s Streams, args []string) int {
			dir, err := p.folder(args)
			if err != nil {
				s.errorf("uninstall: %v", err)
				return ExitUsage
			}
			removed := 0
			for _, name := range []string{defaultKernel, gonbSpecName} {
				spec := filepath.Join(dir, name)
				if _, err := os.Stat(filepath.Join(spec, "kernel.json")); err != nil {
					continue
				}
				if err := os.RemoveAll(spec); err != nil {
					s.errorf("uninstall: %v", err)
					return ExitFailed
				}
				fmt.Fprintf(s.Out, "removed %s\n", spec)
				removed++
			}
			if removed == 0 {
				fmt.Fprintf(s.Out, "no kernel of ours is installed in %s\n", dir)
			}
			return ExitDone
		}
	},
}

// places are the flags that say where kernels are installed.
type places struct {
	user, sysPrefix bool
	prefix          string
}

func (p *places) declare(fs *flag.FlagSet) {
	fs.BoolVar(&p.user, "user", false, "for this user (the default)")
	fs.StringVar(&p.prefix, "prefix", "", "in `DIR`/share/jupyter/kernels")
	fs.BoolVar(&p.sysPrefix, "sys-prefix", false, "in the active Python or conda environment")
}

// folder returns the folder of kernel specifications that the flags name.
func (p *places) folder(args []string) (string, error) {
	if len(args) > 0 {
		return "", fmt.Errorf("there are flags but no arguments, not %q", args[0])
	}
	given := 0
	for _, is := range []bool{p.user, p.prefix != "", p.sysPrefix} {
		if is {
			given++
		}
	}
	if given > 1 {
		return "", errors.New("-user, -prefix and -sys-prefix exclude each other")
	}
	prefix := p.prefix
	if p.sysPrefix {
		for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
			if prefix == "" {
				prefix = os.Getenv(name)
			}
		}
		if prefix == "" {
			return "", errors.New("-sys-prefix: no environment is active (VIRTUAL_ENV and CONDA_PREFIX are not set); -prefix names one")
		}
	}
	if prefix == "" {
		data, err := userData()
		return filepath.Join(data, "kernels"), err
	}
	prefix, err := filepath.Abs(prefix)
	return filepath.Join(prefix, "share", "jupyter", "kernels"), err
}

// userData returns Jupyter's folder for data of the user.
func userData() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Jupyter"), nil
	case "windows":
		config, err := os.UserConfigDir()
		return filepath.Join(config, "jupyter"), err
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// An installer writes kernel specifications below the folder kernels.
type installer struct {
	ctx     context.Context
	kernels string
	out     io.Writer
}

// kernelJSON is the file that Jupyter reads.
type kernelJSON struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env,omitempty"`
	Metadata      map[string]any    `json:"metadata"`
}

func (i *installer) install(gonb bool) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("this program does not find itself: %w", err)
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return err
	}
	err = i.spec(defaultKernel, func(stage, final string) (client.Spec, error) {
		binary := self
		if vanishes(self) {
			binary = filepath.Join(final, "nbkernel"+filepath.Ext(self))
			if err := copyProgram(filepath.Join(stage, filepath.Base(binary)), self); err != nil {
				return client.Spec{}, err
			}
			fmt.Fprintf(i.out, "copied this program to %s, because \"go run\" does not keep it\n", binary)
		}
		return eigenbookSpec(binary), nil
	})
	if err != nil {
		return err
	}
	names := []string{defaultKernel}
	if gonb {
		if err := i.spec(gonbSpecName, i.gonb); err != nil {
			return err
		}
		names = append(names, gonbSpecName)
	}
	for _, name := range names {
		if err := i.verify(name); err != nil {
			return fmt.Errorf("%s is installed in %s but does not work: %w", name, filepath.Join(i.kernels, name), err)
		}
	}
	if data := filepath.Dir(i.kernels); !searched(data) {
		fmt.Fprintf(i.out, "Jupyter looks there if it is of the same prefix; otherwise set JUPYTER_PATH=%s\n", data)
	}
	return nil
}

// spec writes a specification in a folder beside the final one and puts it in its place. The
// function fills the folder stage and returns what is to be started, in terms of final.
func (i *installer) spec(name string, fill func(stage, final string) (client.Spec, error)) error {
	final := filepath.Join(i.kernels, name)
	if err := os.MkdirAll(i.kernels, 0o755); err != nil {
		return err
	}
	stage, err := os.MkdirTemp(i.kernels, "."+name+"-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	if err := os.Chmod(stage, 0o755); err != nil {
		return err
	}
	spec, err := fill(stage, final)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(kernelJSON{spec.Argv, spec.DisplayName, spec.Language, spec.InterruptMode, spec.Env,
		map[string]any{"debugger": false}}, "", "  ")
	if err != nil {
		return err
	}
	files := map[string][]byte{"kernel.json": append(data, '\n'), "logo-svg.svg": []byte(logoSVG),
		"kernel.js": []byte(editorJS), "kernel.css": []byte(editorCSS)}
	for _, side := range []int{32, 64} {
		if files[fmt.Sprintf("logo-%dx%d.png", side, side)], err = logoPNG(side); err != nil {
			return err
		}
	}
	for file, data := range files {
		if err := notebook.ReplaceFile(filepath.Join(stage, file), data); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(final); err != nil {
		return err
	}
	return os.Rename(stage, final)
}

// gonb fills the folder of GoNB's specification.
func (i *installer) gonb(stage, final string) (client.Spec, error) {
	root, err := moduleRoot(".")
	if err != nil {
		return client.Spec{}, err
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		return client.Spec{}, errors.New("GoNB compiles every cell and needs the Go tool chain: there is no go on PATH")
	}
	if goTool, err = filepath.Abs(goTool); err != nil {
		return client.Spec{}, err
	}
	fmt.Fprintln(i.out, "building GoNB from go.mod …")
	bin := filepath.Join(stage, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return client.Spec{}, err
	}
	if err := buildInto(i.ctx, root, bin); err != nil {
		return client.Spec{}, err
	}
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(goWrapper(goTool)), 0o755); err != nil {
		return client.Spec{}, err
	}
	bin = filepath.Join(final, "bin")
	spec := gonbSpec(bin, root)
	spec.Env["PATH"] = bin + ":${PATH}:" + filepath.Dir(goTool)
	return spec, nil
}

// goWrapper is a script that stands before the Go tool in GoNB's PATH. Before each build GoNB
// runs "go get", which asks the network even if everything is there; the script does so only
// if an import does not resolve.
func goWrapper(goTool string) string {
	quoted := "'" + strings.ReplaceAll(goTool, "'", `'\''`) + "'"
	return `#!/bin/sh
if [ "$1" = get ] && ` + quoted + ` list -deps . >/dev/null 2>&1; then
	exit 0
fi
exec ` + quoted + ` "$@"
`
}

// vanishes reports whether the program is one that "go run" or a test built.
func vanishes(program string) bool {
	slashed := filepath.ToSlash(program)
	if strings.Contains(slashed, "/go-build") {
		return true
	}
	for _, dir := range []string{os.TempDir(), os.Getenv("GOCACHE")} {
		if dir == "" {
			continue
		}
		if resolved, err := filepath.EvalSymlinks(dir); err == nil {
			dir = resolved
		}
		if rel, err := filepath.Rel(dir, program); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

func copyProgram(to, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// searched reports whether Jupyter looks for kernels in the data folder by itself.
func searched(data string) bool {
	user, err := userData()
	if err == nil && data == user || data == "/usr/share/jupyter" || data == "/usr/local/share/jupyter" {
		return true
	}
	for _, dir := range filepath.SplitList(os.Getenv("JUPYTER_PATH")) {
		if filepath.Clean(dir) == data {
			return true
		}
	}
	return false
}

// verify finds an installed kernel as Jupyter would, starts it and runs a cell.
func (i *installer) verify(name string) error {
	spec, err := findIn(filepath.Dir(i.kernels), name)
	if err != nil {
		return err
	}
	start := time.Now()
	c, err := client.Start(i.ctx, spec, client.Options{GoNB: name == gonbSpecName})
	if err != nil {
		return err
	}
	defer c.Close()
	ready := time.Since(start)
	// GoNB wants statements in a main, and ours takes both.
	reply, err := c.Execute(i.ctx, "import \"fmt\"\n\n%%\nfmt.Println(\"ready\")", client.ExecOptions{}, nil)
	switch {
	case err != nil:
		return err
	case reply.Status != client.OK:
		return fmt.Errorf("a cell that prints failed: %s: %s", reply.EName, reply.EValue)
	}
	var printed strings.Builder
	for _, o := range reply.Outputs {
		if o.Type == client.Stream && o.Name == "stdout" {
			printed.WriteString(o.Text)
		}
	}
	if strings.TrimSpace(printed.String()) != "ready" {
		return fmt.Errorf("a cell that prints ready printed %q", printed.String())
	}
	fmt.Fprintf(i.out, "%-15s %-22s %s\n%-15s starts in %s, a first cell takes %s\n", name, spec.DisplayName, filepath.Join(i.kernels, name),
		"", shortTime(ready), shortTime(reply.Elapsed))
	return c.Close()
}

// findIn finds the specification of a kernel below a data folder of Jupyter.
func findIn(data, name string) (client.Spec, error) {
	const variable = "JUPYTER_PATH"
	old, had := os.LookupEnv(variable)
	if err := os.Setenv(variable, data+string(os.PathListSeparator)+old); err != nil {
		return client.Spec{}, err
	}
	spec, err := client.FindSpec(name)
	if had {
		err = errors.Join(err, os.Setenv(variable, old))
	} else {
		err = errors.Join(err, os.Unsetenv(variable))
	}
	return spec, err
}
