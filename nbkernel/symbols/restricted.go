package symbols

import (
	"fmt"
	"log"
	"os"
	"sync/atomic"
)

var onExit atomic.Pointer[func(code int)]

// OnExit sets what os.Exit and log.Fatal of interpreted code call with the exit code. The
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
