package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"eigenbook/nbkernel/client"
	"eigenbook/nbkernel/notebook"
	"eigenbook/nbkernel/notebook/compare"
	"eigenbook/nbkernel/notebook/report"
)

var execCommand = &command{
	name:  "exec",
	args:  "[flags] NB.ipynb…",
	short: "execute notebooks from a clean start, as tests",
	long: `
The cells of each notebook run in order in a new kernel, whose working folder is the
notebook's. A cell that fails, a failed check, a panic, a cell over the time limit and a
kernel that dies end the notebook with an exit code that is not 0; what ran is kept in the
files that the flags name. A cell tagged raises-exception may fail, one tagged
skip-execution is left alone. What -p gives to variables of a cell tagged parameters stands
in a cell of its own after it, tagged injected-parameters. Nothing is written unless a flag asks for it.

With -check the outputs are compared with those the notebook has: standard output as one
text, then plain text and picture of each display and result. Standard error and cells tagged
ignore-output are not compared.`,
	flags: func(fs *flag.FlagSet) func(Streams, []string) int {
		e := &executor{params: params{}}
		fs.StringVar(&e.kernel, "kernel", defaultKernel, "run the cells with `NAME`: eigenbook (this program), gonb (built from\nthis module) or any installed kernel")
		fs.Var(e.params, "p", "set a parameter, `name=value`, that cells read with nb.ParamInt and its like or that\na cell tagged parameters declares; may be repeated")
		fs.DurationVar(&e.limit, "timeout", 0, "time limit for each cell, such as 90s or 5m; 0 is none")
		fs.BoolVar(&e.keepGoing, "keep-going", false, "run the cells after one that failed")
		fs.StringVar(&e.out, "o", "", "write the executed notebook to `FILE`")
		fs.BoolVar(&e.inplace, "inplace", false, "write the executed notebooks over the notebooks")
		fs.StringVar(&e.html, "html", "", "write a report of all notebooks to `FILE`, one page that needs no other file")
		fs.BoolVar(&e.check, "check", false, "fail where a cell shows something else than its notebook has stored")
		fs.Float64Var(&e.tolerance, "tolerance", 1e-9, "by how much numbers may differ under -check, relative to those above 1")
		fs.StringVar(&e.junit, "junit", "", "write the results to `FILE` as JUnit XML, a test case for each cell")
		fs.BoolVar(&e.verbose, "v", false, "show what cells print while they run")
		return e.run
	},
}

// An executor runs the command exec.
type executor struct {
	kernel           string
	params           params
	limit            time.Duration
	keepGoing        bool
	out, html, junit string
	inplace, verbose bool
	check            bool
	tolerance        float64

	executions []*execution
}

// What a kernel and its cells get when they are told to end.
const (
	cellGrace   = 5 * time.Second
	kernelGrace = 3 * time.Second
)

func (e *executor) run(s Streams, args []string) int {
	if err := e.checkArgs(args); err != nil {
		s.errorf("exec: %v", err)
		return ExitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal must end the program even if a kernel hangs.
	context.AfterFunc(ctx, stop)

	var notebooks []*notebook.Notebook
	for _, path := range args {
		info, err := os.Stat(path)
		var n *notebook.Notebook
		if err == nil {
			n, err = notebook.ReadFile(path)
		}
		if err == nil {
			err = e.fits(n, path)
		}
		if err != nil {
			s.errorf("%v", err)
			return ExitUsage
		}
		notebooks = append(notebooks, n)
		e.executions = append(e.executions, &execution{notebook: n, path: path, file: info, keepGoing: e.keepGoing, limit: e.limit, grace: cellGrace})
	}
	if err := e.params.check(notebooks); err != nil {
		s.errorf("exec: %v", err)
		return ExitUsage
	}
	for _, n := range notebooks {
		e.params.inject(n)
	}
	k, err := findKernel(ctx, e.kernel, filepath.Dir(args[0]), s.Err)
	if err != nil {
		s.errorf("%v", err)
		if ctx.Err() != nil {
			return ExitInterrupted
		}
		return ExitUsage
	}
	for i, x := range e.executions {
		if ctx.Err() != nil {
			e.executions = e.executions[:i]
			break
		}
		e.notebook(ctx, s, k, x)
	}
	return e.finish(s, ctx.Err() != nil)
}

// checkArgs looks at flags and arguments before anything is read.
func (e *executor) checkArgs(args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("which notebook? give one or more .ipynb files")
	case e.limit < 0:
		return fmt.Errorf("-timeout is %v, want 0 or more", e.limit)
	case math.IsNaN(e.tolerance) || e.tolerance < 0 || math.IsInf(e.tolerance, 0):
		return fmt.Errorf("-tolerance is %g, want 0 or more", e.tolerance)
	case e.out != "" && e.inplace:
		return errors.New("-o and -inplace exclude each other")
	case e.out != "" && len(args) > 1:
		return fmt.Errorf("-o names one file but there are %d notebooks; -inplace writes each over itself", len(args))
	}
	for _, path := range args {
		if !isNotebook(path) {
			return fmt.Errorf("%s is not a notebook: its name does not end in .ipynb", path)
		}
	}
	return e.checkFiles(args)
}

// checkFiles looks whether what will be written can be, before cells have run for hours, and
// whether it would go over something else.
func (e *executor) checkFiles(args []string) error {
	flags := map[string]string{} // by the file's path
	for _, f := range []struct{ flag, path string }{{"-o", e.out}, {"-html", e.html}, {"-junit", e.junit}} {
		if f.path == "" {
			continue
		}
		if info, err := os.Stat(filepath.Dir(f.path)); err != nil || !info.IsDir() {
			return fmt.Errorf("%s %s: there is no folder %s", f.flag, f.path, filepath.Dir(f.path))
		}
		if f.flag != "-o" && isNotebook(f.path) {
			return fmt.Errorf("%s names a file for a report, and %s is a notebook", f.flag, f.path)
		}
		if err := notebook.CanReplace(f.path); err != nil {
			return fmt.Errorf("%s: %w", f.flag, err)
		}
		if info, err := os.Stat(f.path); err == nil && !info.Mode().IsRegular() {
			continue
		}
		path := filepath.Clean(f.path)
		if other, taken := flags[path]; taken {
			return fmt.Errorf("%s and %s both name %s", other, f.flag, f.path)
		}
		flags[path] = f.flag
	}
	if !e.inplace {
		return nil
	}
	given := map[string]bool{}
	for _, path := range args {
		if resolved, err := filepath.EvalSymlinks(path); err != nil {
			continue // reading it says why
		} else if given[resolved] {
			return fmt.Errorf("-inplace: %s is given twice", path)
		} else if err := notebook.CanReplace(path); err != nil {
			return fmt.Errorf("-inplace: %w", err)
		} else {
			given[resolved] = true
		}
	}
	return nil
}

func isNotebook(path string) bool { return strings.EqualFold(filepath.Ext(path), ".ipynb") }

// fits returns an error if the notebook is written in another language than Go and the
// kernel is one for Go.
func (e *executor) fits(n *notebook.Notebook, path string) error {
	name, _, language := n.KernelSpec()
	if language == "" || strings.EqualFold(language, "go") || e.kernel != defaultKernel && e.kernel != gonbKernel {
		return nil
	}
	return fmt.Errorf("%s is written in %s, for the kernel %s; \"-kernel %s\" runs it there", path, language, name, name)
}

// notebook runs one notebook and writes it if asked.
func (e *executor) notebook(ctx context.Context, s Streams, k kernelChoice, x *execution) {
	name := filepath.Base(x.path)
	x.progress = func(done, all int, took time.Duration, ok bool) {
		mark := ""
		if !ok {
			mark = "  failed"
		}
		fmt.Fprintf(s.Err, "%s  %d/%d  %s%s\n", name, done, all, shortTime(took), mark)
	}
	if e.verbose {
		x.printed = func(text string) { fmt.Fprint(s.Out, text) }
	}
	k.options.Dir = filepath.Dir(x.path)
	k.options.Env = append(slices.Clone(k.options.Env), e.params.environment()...)
	k.options.Grace = kernelGrace
	stored := slices.Clone(x.notebook.Cells)
	for i, c := range stored {
		copied := *c
		stored[i] = &copied
	}
	start := time.Now()
	if err := e.cells(ctx, k, x); err != nil {
		f := failure{cause: kernelDied, dead: true}
		f.message, f.detail, _ = strings.Cut(err.Error(), "\n")
		if ctx.Err() != nil {
			f = failure{cause: interrupted, dead: true, message: "interrupted while the kernel started"}
		}
		x.fail(f)
		x.clear() // for the report; files stay as they are
	} else if err := e.keep(x); err != nil {
		x.fail(failure{cause: cellFailed, message: fmt.Sprintf("the notebook was not written: %v", err)})
	}
	if e.check {
		e.compare(stored, x)
	}
	x.elapsed = time.Since(start)
	e.conclude(s, x)
}

// compare looks for differences between what the cells that ran show and what was stored.
func (e *executor) compare(stored []*notebook.Cell, x *execution) {
	for i, c := range x.notebook.Cells {
		if _, ran := x.times[c]; !ran {
			continue
		}
		if d := compare.Cell(stored[i], c, compare.Options{Tolerance: e.tolerance}); d != "" {
			x.fail(failure{cause: cellFailed, cell: i + 1, message: "not what is stored: " + d})
		}
	}
}

// cells starts a kernel, runs the notebook's cells in it and ends it. The error says why no
// cell was run.
func (e *executor) cells(ctx context.Context, k kernelChoice, x *execution) error {
	c, err := client.Start(ctx, k.spec, k.options)
	if err != nil {
		return fmt.Errorf("the kernel %s did not start: %w", k.spec.Name, err)
	}
	// What ran counts even if the kernel does not end well, and Close leaves no process.
	defer c.Close()
	e.describe(x.notebook, k, c)
	if err := k.prepare(ctx, c); err != nil {
		return err
	}
	x.run(ctx, c)
	return nil
}

// describe writes the language and, where the notebook does not say, the kernel into the
// notebook's metadata, which front ends and converters rely on.
func (e *executor) describe(n *notebook.Notebook, k kernelChoice, c *client.Client) {
	if name, _, _ := n.KernelSpec(); name == "" {
		n.SetKernelSpec(k.spec.Name, k.spec.DisplayName, k.spec.Language)
	}
	data, err := json.Marshal(c.Info().LanguageInfo)
	if err != nil {
		return // a kernel that does not describe its language
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var info map[string]any
	if d.Decode(&info) == nil {
		n.SetLanguageInfo(info)
	}
}

// keep writes the executed notebook where the flags say. One that was changed while its cells
// ran, in an editor perhaps, is left alone.
func (e *executor) keep(x *execution) error {
	switch {
	case e.inplace && x.changed():
		beside := strings.TrimSuffix(x.path, filepath.Ext(x.path)) + ".executed.ipynb"
		if err := x.notebook.WriteFile(beside); err != nil {
			return err
		}
		return fmt.Errorf("%s was changed meanwhile; what was executed is in %s", x.path, beside)
	case e.inplace:
		return x.notebook.WriteFile(x.path)
	case e.out != "":
		return x.notebook.WriteFile(e.out)
	}
	return nil
}

// conclude prints how a notebook went.
func (e *executor) conclude(s Streams, x *execution) {
	for _, f := range x.failures {
		s.errorf("%s: %v", x.path, f)
		if f.detail != "" {
			fmt.Fprintf(s.Err, "    %s\n", strings.ReplaceAll(strings.TrimSpace(f.detail), "\n", "\n    "))
		}
	}
	state := "ok"
	if len(x.failures) > 0 {
		state = "FAILED"
	}
	claims := ""
	if n := checks(x.notebook); n > 0 {
		claims = fmt.Sprintf(", %d claims checked", n)
	}
	fmt.Fprintf(s.Err, "%s  %s: %d cells run%s, %s\n", filepath.Base(x.path), state, len(x.times), claims, shortTime(x.elapsed))
}

// finish writes the reports and returns the exit code.
func (e *executor) finish(s Streams, stopped bool) int {
	var failures []failure
	for _, x := range e.executions {
		failures = append(failures, x.failures...)
	}
	code := exitCode(failures)
	if stopped {
		code = ExitInterrupted
	}
	write := func(path string, data []byte, err error) {
		if err == nil {
			err = notebook.ReplaceFile(path, data)
		}
		if err != nil {
			s.errorf("%s was not written: %v", path, err)
			code = max(code, ExitFailed)
		}
	}
	if e.html != "" {
		var b bytes.Buffer
		err := report.Write(&b, e.runs())
		write(e.html, b.Bytes(), err)
	}
	if e.junit != "" {
		data, err := junit(e.executions)
		write(e.junit, data, err)
	}
	return code
}

// runs returns what the report shows.
func (e *executor) runs() []report.Run {
	var runs []report.Run
	for _, x := range e.executions {
		r := report.Run{Notebook: x.notebook, Path: x.path, Kernel: e.kernel, Times: x.times, Elapsed: x.elapsed}
		for _, f := range x.failures {
			message := f.message
			if f.line > 0 {
				message = fmt.Sprintf("line %d: %s", f.line, message)
			}
			r.Failures = append(r.Failures, report.Failure{Cell: f.cell, Message: message})
		}
		runs = append(runs, r)
	}
	return runs
}

// shortTime shows a time for people.
func shortTime(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
