package symbols

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"sync/atomic"
)

var onExit atomic.Pointer[func(code int)]

// OnExit sets what os.Exit, log.Fatal and a failing flag.Parse of interpreted code call with the exit code. The
// function must not return. Nil restores os.Exit. The functions of packages are replaced in
// their tables; calls of the methods of Ending become calls of its functions.
func OnExit(f func(code int)) {
	if f == nil {
		onExit.Store(nil)
		return
	}
	onExit.Store(&f)
}

func osExit(code int) {
	if f := onExit.Load(); f != nil {
		(*f)(code)
	}
	os.Exit(code)
}

func logFatal(v ...any) {
	_ = log.Output(2, fmt.Sprint(v...))
	osExit(1)
}

func logFatalf(format string, v ...any) {
	_ = log.Output(2, fmt.Sprintf(format, v...))
	osExit(1)
}

func logFatalln(v ...any) {
	_ = log.Output(2, fmt.Sprintln(v...))
	osExit(1)
}

// flagParse is flag.Parse, whose errors end interpreted code as os.Exit does.
func flagParse() { parse(flag.CommandLine, os.Args[1:]) }

// Ending has functions to call for methods that may end the process, by the full names of the
// methods: they call what OnExit has set. The receiver comes first.
func Ending() map[string]any {
	return map[string]any{
		"(*log.Logger).Fatal":   loggerFatal,
		"(*log.Logger).Fatalf":  loggerFatalf,
		"(*log.Logger).Fatalln": loggerFatalln,
		"(*flag.FlagSet).Parse": flagSetParse,
	}
}

func loggerFatal(l *log.Logger, v ...any) {
	_ = l.Output(2, fmt.Sprint(v...))
	osExit(1)
}

func loggerFatalf(l *log.Logger, format string, v ...any) {
	_ = l.Output(2, fmt.Sprintf(format, v...))
	osExit(1)
}

func loggerFatalln(l *log.Logger, v ...any) {
	_ = l.Output(2, fmt.Sprintln(v...))
	osExit(1)
}

func flagSetParse(flags *flag.FlagSet, args []string) error {
	handling := flags.ErrorHandling()
	if handling != flag.ExitOnError {
		return flags.Parse(args)
	}
	parse(flags, args)
	return nil
}

// parse parses flags and ends interpreted code if it fails.
func parse(flags *flag.FlagSet, args []string) {
	if f := present.Load(); f != nil {
		f.join(flags)
	}
	handling := flags.ErrorHandling()
	flags.Init(flags.Name(), flag.ContinueOnError)
	err := flags.Parse(args)
	flags.Init(flags.Name(), handling)
	switch {
	case errors.Is(err, flag.ErrHelp):
		osExit(0)
	case err != nil:
		osExit(2)
	}
}
