package command

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

var helpCommand = &command{
	name:  "help",
	args:  "[COMMAND]",
	short: "say what a command does",
	long:  "Without an argument, help lists the commands.",
}

// The table of commands contains help, and help reads the table.
func init() { helpCommand.flags = helpFlags }

func helpFlags(*flag.FlagSet) func(Streams, []string) int {
	return func(s Streams, args []string) int {
		switch len(args) {
		case 0:
			overview(s.Out)
			return ExitDone
		case 1:
			if c := find(args[0]); c != nil {
				usage(s.Out, c)
				return ExitDone
			}
			s.errorf("there is no command %q; commands are %s", args[0], strings.Join(names(), ", "))
		default:
			s.errorf("help takes one command, not %d", len(args))
		}
		return ExitUsage
	}
}

// overview prints the list of commands.
func overview(w io.Writer) {
	fmt.Fprintln(w, "Nbkernel runs Go notebooks and scripts with Eigenbook's math library compiled in.")
	fmt.Fprintln(w)
	for _, c := range commands() {
		if !c.hidden {
			fmt.Fprintf(w, "    nbkernel %-26s %s\n", synopsis(c), c.short)
		}
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, `"nbkernel help COMMAND" lists a command's flags.`)
	fmt.Fprintln(w, "Exit codes: 0 done; 1 a cell, check or script failed; 2 wrong usage or unreadable input;")
	fmt.Fprintln(w, "3 time limit; 130 interrupted.")
}

// usage prints one command's help.
func usage(w io.Writer, c *command) {
	fmt.Fprintf(w, "usage: nbkernel %s\n\n%s%s.\n", synopsis(c), strings.ToUpper(c.short[:1]), c.short[1:])
	if c.long != "" {
		fmt.Fprintf(w, "%s\n", c.long)
	}
	fs := newFlagSet(c)
	c.flags(fs)
	any := false
	fs.VisitAll(func(*flag.Flag) { any = true })
	if any {
		fmt.Fprint(w, "\nFlags:\n")
		fs.SetOutput(w)
		fs.PrintDefaults()
	}
}

func synopsis(c *command) string {
	return strings.TrimSpace(c.name + " " + c.args)
}
