package command

import (
	"context"
	"errors"
	"flag"
	"os/signal"
	"syscall"

	"eigenbook/nbkernel/kernel"
	"eigenbook/nbkernel/wire"
	"eigenbook/nbkernel/worker"
)

var kernelCommand = &command{
	name:  "kernel",
	args:  "-f CONNECTION_FILE",
	short: "serve a notebook; this is what Jupyter starts",
	flags: func(fs *flag.FlagSet) func(Streams, []string) int {
		file := fs.String("f", "", "the `FILE` in which Jupyter says where to listen")
		return func(s Streams, args []string) int {
			if *file == "" || len(args) > 0 {
				s.errorf("kernel: want -f CONNECTION_FILE and nothing else; Jupyter, and \"nbkernel exec\", start kernels")
				return ExitUsage
			}
			// SIGINT interrupts the cell, which is the kernel's own business.
			ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
			defer stop()
			if err := kernel.Run(ctx, *file, kernel.Config{Version: Version(), Log: s.Err}); err != nil {
				s.errorf("%v", err)
				if errors.Is(err, wire.ErrConnection) {
					return ExitUsage
				}
				return ExitFailed
			}
			return ExitDone
		}
	},
}

// workerCommand is the process that a kernel starts to run cells in.
var workerCommand = &command{
	name:   "worker",
	short:  "run cells for a kernel",
	hidden: true,
	script: true,
	flags: func(*flag.FlagSet) func(Streams, []string) int {
		return func(Streams, []string) int { return worker.Main() }
	},
}
