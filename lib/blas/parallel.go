package blas

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls f for each job from 0 to jobs−1, in any order and on several goroutines, and
// returns when all are done. The caller works too and waits for jobs that somebody took, never
// for a goroutine that has not started.
func parallel(jobs int, f func(job int)) {
	helpers := min(runtime.GOMAXPROCS(0), jobs) - 1
	if helpers < 1 {
		inOrder(jobs, f)
		return
	}
	var next, done atomic.Int64
	finished := make(chan struct{})
	work := func() {
		for {
			job := int(next.Add(1)) - 1
			if job >= jobs {
				return
			}
			f(job)
			if int(done.Add(1)) == jobs {
				close(finished)
			}
		}
	}
	for range helpers {
		go work()
	}
	work()
	<-finished
}

// inOrder calls f for each job on the caller's goroutine.
func inOrder(jobs int, f func(job int)) {
	for job := range jobs {
		f(job)
	}
}

var buffers = sync.Pool{New: func() any { return new([]float64) }}

// getBuffer returns n or more numbers of any value; putBuffer takes them back.
func getBuffer(n int) *[]float64 {
	b := buffers.Get().(*[]float64)
	if len(*b) < n {
		*b = make([]float64, n+n/8)
	}
	return b
}

func putBuffer(b *[]float64) { buffers.Put(b) }
