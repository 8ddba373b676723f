package gram

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls work(j) for j = 0 … jobs−1 from as many goroutines as there are processors, the
// caller's among them, and returns when all calls have. Jobs start in order. It stops early if
// ctx is done or a call panics, and says so in the error. Calls must write to places chosen by j
// alone, so that the result does not depend on who does what.
func parallel(ctx context.Context, jobs int, work func(j int)) error {
	var (
		next    atomic.Int64
		failure atomic.Pointer[error]
		wg      sync.WaitGroup
	)
	worker := func() {
		defer func() {
			if r := recover(); r != nil {
				err := fmt.Errorf("%w: panic: %v", ErrKernel, r)
				failure.CompareAndSwap(nil, &err)
			}
		}()
		for failure.Load() == nil && ctx.Err() == nil {
			j := int(next.Add(1)) - 1
			if j >= jobs {
				return
			}
			work(j)
		}
	}
	for range min(jobs, runtime.GOMAXPROCS(0)) - 1 {
		wg.Go(worker)
	}
	worker()
	wg.Wait()
	if err := failure.Load(); err != nil {
		return *err
	}
	if done := min(int(next.Load()), jobs); ctx.Err() != nil && done < jobs {
		return fmt.Errorf("gram: stopped after %d of %d blocks of rows: %w", done, jobs, ctx.Err())
	}
	return nil
}

// blocks returns how many blocks of the given size cover n.
func blocks(n, size int) int { return (n + size - 1) / size }
