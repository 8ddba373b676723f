// Package sync is the generic part of the standard package of this name.
package sync

import "sync"

// OnceValue returns a function that calls f once and returns its value, or panics as f did.
func OnceValue[T any](f func() T) func() T {
	both := OnceValues(func() (T, struct{}) { return f(), struct{}{} })
	return func() T {
		v, _ := both()
		return v
	}
}

// OnceValues is OnceValue for two values.
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var (
		once     sync.Once
		v1       T1
		v2       T2
		failed   bool
		panicked any
	)
	return func() (T1, T2) {
		once.Do(func() {
			failed = true
			defer func() { panicked = recover() }()
			v1, v2 = f()
			failed = false
		})
		if failed {
			panic(panicked)
		}
		return v1, v2
	}
}
