// Package command holds what the program nbkernel can be asked to do, one file a command.
//
// Main finds the command by its name, the first argument, and runs it. Every command
// answers with one of the exit codes below, writes what was asked for to Streams.Out and
// everything else (progress, warnings, errors) to Streams.Err.
package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The exit codes of every command.
const (
	ExitDone        = 0   // all was done
	ExitFailed      = 1   // a cell, a check or a script failed
	ExitUsage       = 2   // wrong usage, or input that cannot be read
	ExitTimeout     = 3   // a time limit was reached
	ExitInterrupted = 130 // stopped by SIGINT or SIGTERM
)

// Streams are the three streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// errorf prints a message for people on Err, prefixed by the program's name.
func (s Streams) errorf(format string, args ...any) {
	fmt.Fprintf(s.Err, "nbkernel: "+format+"\n", args...)
}

// A command is one entry of the table in commands.
type command struct {
	name   string
	args   string // what follows the name, as shown in usage
	short  string // one line for the list
	long   string // what "help NAME" says before the flags
	hidden bool   // left out of the list

	// flags declares the flags on the set that is passed and returns what runs the
	// command with the arguments that are left. Printing help declares them too.
	flags func(fs *flag.FlagSet) func(s Streams, args []string) int

	// script is set if arguments after the first that is no flag belong to somebody
	// else and must not be searched for flags.
	script bool
}

// commands returns the table, in the order in which help shows it.
func commands() []*command {
	return []*command{
		runCommand,
		replCommand,
		execCommand,
		convertCommand,
		buildCommand,
		installCommand,
		uninstallCommand,
		kernelCommand,
		workerCommand,
		doctorCommand,
		versionCommand,
		helpCommand,
	}
}

// Main runs nbkernel with the arguments that follow the program's name and returns the
// exit code.
func Main(args []string, s Streams) int {
	if len(args) == 0 {
		overview(s.Err)
		return ExitUsage
	}
	switch args[0] {
	case "-h", "-help", "--help":
		overview(s.Out)
		return ExitDone
	case "-version", "--version":
		args = []string{"version"}
	}
	c := find(args[0])
	if c == nil {
		s.errorf("there is no command %q; commands are %s", args[0], strings.Join(names(), ", "))
		return ExitUsage
	}
	fs := newFlagSet(c)
	run := c.flags(fs)
	rest, err := parse(fs, args[1:], c.script)
	if errors.Is(err, flag.ErrHelp) {
		usage(s.Out, c)
		return ExitDone
	}
	if err != nil {
		s.errorf("%s: %v", c.name, err)
		fmt.Fprintf(s.Err, "usage: nbkernel %s (\"nbkernel help %s\" says more)\n", synopsis(c), c.name)
		return ExitUsage
	}
	return run(s, rest)
}

func find(name string) *command {
	all := commands()
	if i := slices.IndexFunc(all, func(c *command) bool { return c.name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// names lists the commands that help shows.
func names() []string {
	var list []string
	for _, c := range commands() {
		if !c.hidden {
			list = append(list, c.name)
		}
	}
	return list
}

func newFlagSet(c *command) *flag.FlagSet {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// parse reads flags wherever they stand, so that "exec a.ipynb -html b.html" does what it
// looks like. After "--", and after the first argument of a script, everything is an argument.
func parse(fs *flag.FlagSet, args []string, script bool) ([]string, error) {
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		left := fs.Args()
		parsed := len(args) - len(left)
		afterDashes := parsed > 0 && args[parsed-1] == "--"
		if len(left) == 0 || script || afterDashes {
			return append(rest, left...), nil
		}
		rest = append(rest, left[0])
		args = left[1:]
	}
}
