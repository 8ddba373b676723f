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
// function must not return. Nil restores os.Exit. Only the functions of the packages os and
// log are replaced; the method Fatal of a logger ends the process.
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
func flagParse() {
	flags := flag.CommandLine
	handling := flags.ErrorHandling()
	flags.Init(flags.Name(), flag.ContinueOnError)
	err := flags.Parse(os.Args[1:])
	flags.Init(flags.Name(), handling)
	switch {
	case errors.Is(err, flag.ErrHelp):
		osExit(0)
	case err != nil:
		osExit(2)
	}
}
