package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"eigenbook/nbkernel/repl"
	"eigenbook/nbkernel/worker"
)

var replCommand = &command{
	name:  "repl",
	args:  "[flags]",
	short: "run cells that are typed at the terminal or come through a pipe",
	long: `
A cell runs when its Go is complete, and the value of a last expression is printed. Tab
completes, NAME? describes, Control-C interrupts the cell that runs and keeps its values,
Control-D ends. Magics work as in a notebook; one for a whole cell, such as %%bash, ends with
an empty line. Figures are written to files whose paths are printed.

What is typed is kept for the arrow keys of later sessions in eigenbook/history in the user's
folder for state, which only the user can read. If standard input is no terminal there are no
prompts, and the exit code is 1 if a cell failed.`,
	flags: func(fs *flag.FlagSet) func(Streams, []string) int {
		show := fs.String("show", "", "write figures to the folder `DIR`")
		quiet := fs.Bool("no-history", false, "neither read nor keep what was typed")
		return func(s Streams, args []string) int {
			if len(args) > 0 {
				s.errorf("repl: there are flags but no arguments, not %q; \"nbkernel run\" runs files", args[0])
				return ExitUsage
			}
			cfg := repl.Config{In: s.In, Out: s.Out, Err: s.Err, Folder: *show}
			if f, ok := s.In.(*os.File); ok && repl.IsTerminal(f) {
				cfg.Terminal = f
				if !*quiet {
					cfg.History = historyFile()
				}
				fmt.Fprintf(s.Out, "Eigenbook %s, %s. Control-D ends, %%help says more.\n", Version(), runtime.Version())
			}
			return runRepl(s, cfg)
		}
	},
}

func runRepl(s Streams, cfg repl.Config) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	cfg.Signals = signals
	p, err := worker.Start(worker.Config{})
	if err != nil {
		s.errorf("repl: %v", err)
		return ExitFailed
	}
	defer p.Close()
	err = repl.Run(ctx, p, cfg)
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case !errors.Is(err, repl.ErrFailed):
		s.errorf("repl: %v", err)
	}
	return ExitFailed
}

// historyFile returns the file for lines typed, or "" where there is no place for it.
func historyFile() string {
	dir := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".local", "state")
		if runtime.GOOS == "darwin" {
			dir = filepath.Join(home, "Library", "Application Support")
		}
	}
	return filepath.Join(dir, "eigenbook", "history")
}
