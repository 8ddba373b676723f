package testing

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"eigenbook/nbkernel/nb"
)

// A B is a benchmark that runs.
type B struct {
	common

	N int // how often the benchmark is to do its work

	began     time.Time
	running   bool
	elapsed   time.Duration
	bytes     int64
	allocs    bool
	mallocs   [2]uint64 // counts and bytes when the timer began
	allocated [2]uint64 // while it ran
	extra     map[string]float64
	loops     int // of Loop so far
	limit     int // up to which Loop does not look at the clock
	parent    bool
}

// A BenchmarkResult is what a benchmark came to.
type BenchmarkResult struct {
	N         int
	T         time.Duration
	Bytes     int64 // of one iteration
	MemAllocs uint64
	MemBytes  uint64
	Extra     map[string]float64
}

// NsPerOp returns the nanoseconds of an iteration.
func (r BenchmarkResult) NsPerOp() int64 { return r.per(uint64(r.T.Nanoseconds())) }

// AllocsPerOp returns the allocations of an iteration, those of the interpreter with them.
func (r BenchmarkResult) AllocsPerOp() int64 { return r.per(r.MemAllocs) }

// AllocedBytesPerOp returns the bytes that an iteration allocates.
func (r BenchmarkResult) AllocedBytesPerOp() int64 { return r.per(r.MemBytes) }

func (r BenchmarkResult) per(total uint64) int64 {
	if r.N <= 0 {
		return 0
	}
	return int64(total) / int64(r.N)
}

// MemString returns the allocations of an iteration as benchmarks print them.
func (r BenchmarkResult) MemString() string {
	return fmt.Sprintf("%8d B/op\t%8d allocs/op", r.AllocedBytesPerOp(), r.AllocsPerOp())
}

// String returns the line that benchmarks print, without the name and the allocations.
func (r BenchmarkResult) String() string {
	text := fmt.Sprintf("%8d", r.N)
	if _, set := r.Extra["ns/op"]; !set && r.N > 0 {
		ns := float64(r.T.Nanoseconds()) / float64(r.N)
		digits := 0
		if ns > 0 && ns < 100 {
			digits = min(3, max(1, 3-int(math.Ceil(math.Log10(ns)))))
		}
		text += fmt.Sprintf("\t%10.*f ns/op", digits, ns)
	}
	if r.Bytes > 0 && r.T > 0 {
		text += fmt.Sprintf("\t%7.2f MB/s", float64(r.Bytes)*float64(r.N)/1e6/r.T.Seconds())
	}
	units := make([]string, 0, len(r.Extra))
	for unit := range r.Extra {
		units = append(units, unit)
	}
	slices.Sort(units)
	for _, unit := range units {
		text += fmt.Sprintf("\t%10.4g %s", r.Extra[unit], unit)
	}
	return text
}

// Benchmark runs f as a benchmark, prints nothing and returns what it came to.
func Benchmark(f func(b *B)) BenchmarkResult {
	b := &B{}
	b.begin("", &settings{time: time.Second})
	b.grow(f)
	b.cancel()
	b.goOn()
	return b.result()
}

// AllocsPerRun returns the mean number of allocations of f in so many runs, after one to warm up.
func AllocsPerRun(runs int, f func()) float64 {
	f()
	before := memory()
	for range runs {
		f()
	}
	return float64((memory()[0] - before[0]) / uint64(max(runs, 1)))
}

func memory() [2]uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return [2]uint64{m.Mallocs, m.TotalAlloc}
}

// Run runs f as a benchmark within this one, which then is none itself, and reports whether it
// succeeded.
func (b *B) Run(name string, f func(b *B)) bool {
	b.parent = true
	full := b.unique(name)
	if !b.settings.wanted(b.settings.bench, full) {
		return true
	}
	sub := &B{}
	sub.begin(full, b.settings)
	ok := sub.measure(f)
	if !ok {
		b.Fail()
	}
	return ok
}

// measure runs a benchmark and prints its line.
func (b *B) measure(f func(b *B)) bool {
	if b.settings.verbose {
		fmt.Println(b.name)
	}
	b.grow(f)
	b.cancel()
	label := b.name
	if n := runtime.GOMAXPROCS(0); n > 1 {
		label = fmt.Sprintf("%s-%d", b.name, n)
	}
	switch {
	case b.failed:
		fmt.Printf("--- FAIL: %s\n%s", label, b.log.String())
	case b.skipped:
		fmt.Printf("--- SKIP: %s\n%s", label, b.log.String())
	case !b.parent && nb.Context().Err() == nil:
		line := fmt.Sprintf("%-24s\t%s", label, b.result())
		if b.allocs || b.settings.allocs {
			line += "\t" + b.result().MemString()
		}
		fmt.Print(line + "\n" + b.log.String())
	}
	b.goOn()
	return !b.failed
}

// grow runs a benchmark with larger and larger N until that takes long enough.
func (b *B) grow(f func(b *B)) {
	for n := max(b.settings.times, 1); ; n = b.next(n) {
		b.N, b.loops, b.limit = n, 0, 0
		b.log.Reset()
		b.extra = nil
		b.ResetTimer()
		b.StartTimer()
		b.execute(func() { f(b) })
		b.StopTimer()
		if b.loops > 0 {
			b.N = b.loops
		}
		if b.failed || b.skipped || b.parent || b.loops > 0 || b.settings.times > 0 || b.elapsed >= b.settings.time ||
			n >= 1e9 || nb.Context().Err() != nil {
			return
		}
	}
}

// next returns how many iterations should take the time that is wanted, given that n took less.
func (b *B) next(n int) int {
	per := max(b.elapsed.Nanoseconds(), 1)
	wanted := float64(b.settings.time.Nanoseconds()) * float64(n) / float64(per) * 1.2
	return int(min(max(wanted, float64(n)+1), 100*float64(n), 1e9))
}

// Loop reports whether the benchmark is to go on. The first call starts the timer anew.
func (b *B) Loop() bool {
	switch {
	case b.loops == 0:
		b.ResetTimer()
		b.limit = max(b.settings.times, 1)
	case b.loops < b.limit:
	case b.settings.times > 0 || b.Elapsed() >= b.settings.time || b.limit >= 1e9 || nb.Context().Err() != nil:
		b.StopTimer()
		return false
	default:
		b.elapsed = b.Elapsed()
		b.began = time.Now()
		b.limit = b.next(b.limit)
	}
	b.loops++
	return true
}

// StartTimer goes on measuring.
func (b *B) StartTimer() {
	if !b.running {
		b.running = true
		b.mallocs = memory()
		b.began = time.Now()
	}
}

// StopTimer stops measuring.
func (b *B) StopTimer() {
	if b.running {
		b.elapsed += time.Since(b.began)
		now := memory()
		for i := range now {
			b.allocated[i] += now[i] - b.mallocs[i]
		}
		b.running = false
	}
}

// ResetTimer forgets what was measured.
func (b *B) ResetTimer() {
	b.elapsed, b.allocated, b.extra = 0, [2]uint64{}, nil
	if b.running {
		b.mallocs = memory()
		b.began = time.Now()
	}
}

// Elapsed returns the time measured so far.
func (b *B) Elapsed() time.Duration {
	if b.running {
		return b.elapsed + time.Since(b.began)
	}
	return b.elapsed
}

// SetBytes sets how many bytes an iteration processes.
func (b *B) SetBytes(n int64) { b.bytes = n }

// ReportAllocs reports allocations too, those of the interpreter with them.
func (b *B) ReportAllocs() { b.allocs = true }

// ReportMetric reports a number of one's own by its unit.
func (b *B) ReportMetric(n float64, unit string) {
	if b.extra == nil {
		b.extra = map[string]float64{}
	}
	b.extra[unit] = n
}

func (b *B) result() BenchmarkResult {
	return BenchmarkResult{N: b.N, T: b.elapsed, Bytes: b.bytes, MemAllocs: b.allocated[0], MemBytes: b.allocated[1], Extra: b.extra}
}
