package kernel

import (
	"context"
	"os"
	"strconv"
	"syscall"
	"time"
)

// watchParent calls stop when the process that JPY_PARENT_PID names has ended. Jupyter sets
// it so that kernels do not outlive a server that was killed.
func watchParent(ctx context.Context, stop func()) {
	pid, err := strconv.Atoi(os.Getenv("JPY_PARENT_PID"))
	if err != nil || pid <= 1 {
		return
	}
	ours := os.Getppid() == pid // otherwise a shell or launcher stands between
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		if ours && os.Getppid() != pid || syscall.Kill(pid, 0) == syscall.ESRCH {
			stop()
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
