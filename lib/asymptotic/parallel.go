package asymptotic

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls work(j) for j = 0 … jobs−1 from as many goroutines as there are processors. Calls
// write to places chosen by j alone. It stops early if ctx is done and says so in the error.
func parallel(ctx context.Context, jobs int, work func(j int)) error {
	var (
		next atomic.Int64
		wg   sync.WaitGroup
	)
	worker := func() {
		for ctx.Err() == nil {
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
	if done := min(int(next.Load()), jobs); ctx.Err() != nil && done < jobs {
		return fmt.Errorf("asymptotic: stopped after %d of %d rows: %w", done, jobs, ctx.Err())
	}
	return nil
}
