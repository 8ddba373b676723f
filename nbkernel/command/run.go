package command

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"

	"eigenbook/nbkernel/script"
)

var runCommand = &command{
	name:  "run",
	args:  "[flags] FILE.go [args…]",
	short: "run a script in the interpreter",
	long: `
FILE.go is a main package, or - for standard input. It needs no compiler, and prints what
"go run" would print. A notebook kept as a Go file ("nbkernel convert") runs cell by cell,
with the value of a last expression printed; only magics other than %% are refused. With -e there is no file: the code is a cell, in which the packages of
the library and the standard library are there without an import.`,
	script: true,
	flags: func(fs *flag.FlagSet) func(Streams, []string) int {
		p := params{}
		code := fs.String("e", "", "run `CODE` and print the value of its last expression")
		show := fs.String("show", "", "write figures to the folder `DIR`")
		fs.Var(p, "p", "set a parameter, `name=value`, that the script reads with nb.ParamInt and its\nlike; may be repeated")
		return func(s Streams, args []string) int {
			given := false
			fs.Visit(func(f *flag.Flag) { given = given || f.Name == "e" })
			if !given && len(args) == 0 {
				s.errorf("run: which script? give a .go file, - for standard input, or -e CODE")
				return ExitUsage
			}
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			context.AfterFunc(ctx, stop)
			options := script.Options{Show: *show, Params: p}
			var status int
			var err error
			if given {
				status, err = script.RunCode(ctx, *code, args, options)
			} else {
				status, err = script.RunFile(ctx, args[0], args[1:], options)
			}
			if err != nil {
				s.errorf("%v", err)
			}
			return status
		}
	},
}
