// Package kernel is the loop that joins messages (wire), sockets (transport) and the worker
// that runs cells.
package kernel

import (
	"context"
	"io"

	"eigenbook/nbkernel/worker"
)

// A Worker runs cells; *worker.Process is one.
type Worker interface {
	Execute(ctx context.Context, code string, count int, opts worker.ExecOptions, emit func(worker.Event)) (worker.Outcome, error)
	Answer(line string) error
	Complete(code string, cursor int) (worker.Completion, error)
	Inspect(code string, cursor, detail int) (map[string]any, error)
	IsComplete(code string) (status, indent string)
	Interrupt()
	Close() error
}

// Config holds the settings of a kernel. The zero value is usable.
type Config struct {
	Version string                 // of the program, for kernel_info; empty means "unknown"
	Log     io.Writer              // what went wrong; nil means os.Stderr
	Start   func() (Worker, error) // nil means worker.Start with its zero Config
}

// Run serves the sockets that the connection file names. It returns when ctx ends, after a
// shutdown request, and when the process that started this one has ended (JPY_PARENT_PID).
// SIGTERM and SIGINT are not its business: the caller cancels ctx for the first and calls
// nothing for the second, which Run catches to interrupt the running cell.
func Run(ctx context.Context, connectionFile string, cfg Config) error { return nil }
