// Package nb is what a notebook or a script may ask of the program that runs it. The same
// calls mean the same in nbkernel, in GoNB, with `nbkernel run` and with `go run`.
//
//	ctx := nb.Context()                        // ends when the user interrupts the cell
//	q := nb.ParamInt("q", 2)                   // exec -p q=5 makes it 5
//	k := nb.Cached("gram", func() any { … })   // computed once
//
// # Parameters
//
// A parameter is a named value from outside, given by `nbkernel exec -p q=5` or
// `nbkernel run -p q=5`. They travel in the environment variable EIGENBOOK_PARAMS as a JSON
// object of strings, {"q":"5"}; numbers and booleans are accepted as values too. A function
// ParamX returns the parameter, or its second argument if the parameter was not given. A
// parameter that cannot be read as an X is a mistake of the person who gave it, and must not
// become a default in silence: ParamX then panics with an error that wraps ErrParameter,
// which fails the cell or the script.
//
// # Cached values
//
// In nbkernel variables keep their values, and so does the cache, until the worker process is
// replaced. GoNB and `go run` start a new process for each cell or run, so there the function
// is called again, and the result is the same if the function depends on its key alone. The
// cache therefore saves time and never changes a result.
package nb

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

var session struct {
	sync.Mutex
	ctx context.Context
}

// Context returns the context of the cell or script that runs. It is cancelled when the user
// interrupts: in nbkernel with the stop button, elsewhere with the signal SIGINT. Pass it to
// every long call of the library, which then stops at once and says at which iteration.
//
// In a program of its own (GoNB, go run) the first call of Context takes over SIGINT: the
// program gets the chance to end by itself, and a second SIGINT kills it.
func Context() context.Context {
	session.Lock()
	defer session.Unlock()
	if session.ctx == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		context.AfterFunc(ctx, stop)
		session.ctx = ctx
	}
	return session.ctx
}

// SetContext sets what Context returns. It is for the program that runs cells or scripts, and
// is not part of what they may call. Nil restores the default.
func SetContext(ctx context.Context) {
	session.Lock()
	defer session.Unlock()
	session.ctx = ctx
}
