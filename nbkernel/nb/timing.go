package nb

import (
	"fmt"
	"math"
	"time"
)

// The rounds of Timeit, and how long each should take at least.
const (
	rounds    = 7
	roundTime = 100 * time.Millisecond
)

// Timeit calls f over and over and says how long a call takes: the mean and the standard
// deviation of seven rounds of equally many calls, so many that a round takes a tenth of a
// second. It stops early, with the rounds it has, when the context of the cell ends. It is
// what the special line %timeit does.
func Timeit(f func()) string {
	ctx := Context()
	run := func(calls int) time.Duration {
		began := time.Now()
		for range calls {
			f()
		}
		return time.Since(began)
	}
	calls, took := 1, run(1)
	for took < roundTime && calls < 1e9 && ctx.Err() == nil {
		calls *= min(10, 1+int(roundTime/max(took, 1)))
		took = run(calls)
	}
	times := []float64{float64(took) / float64(calls)}
	for len(times) < rounds && ctx.Err() == nil {
		times = append(times, float64(run(calls))/float64(calls))
	}
	mean, variance := 0.0, 0.0
	for _, t := range times {
		mean += t / float64(len(times))
	}
	for _, t := range times {
		variance += (t - mean) * (t - mean) / float64(len(times))
	}
	return fmt.Sprintf("%s ± %s a call (%d rounds of %d)", short(mean), short(math.Sqrt(variance)), len(times), calls)
}

// short shows nanoseconds with three digits.
func short(ns float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.size {
			return fmt.Sprintf("%.3g %s", ns/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}
