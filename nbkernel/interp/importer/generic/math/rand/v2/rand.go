// Package rand is the generic part of the standard package math/rand/v2.
package rand

import "math/rand/v2"

// N returns a number from 0 to n, n not included. It panics unless n > 0.
func N[Int ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(rand.Uint64N(uint64(n)))
}
