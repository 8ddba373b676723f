// Package blas has dense linear algebra behind gonum's interfaces, at the speed of the processor's
// vector units and on all processors, in Go and Go assembly.
//
//	blas64.Use(blas.Implementation{})
//
// makes it what all of gonum/mat multiplies with. Nothing else changes for callers: routines and
// arguments that are not overridden are gonum's own, panics included.
//
// # Instruction sets
//
// There are three kernels: for AVX-512, for AVX2 with FMA, and in plain Go, for other processors
// and for builds with the tag noasm. Set tells which one is in use; GODEBUG=cpu.avx512f=off takes the
// first away. On amd64 without AVX2, gonum's own routines are faster than plain Go, and are used.
//
// # Results repeat
//
// Every element of a product is one chain of fused multiply-adds for each block of up to 256
// terms, and the blocks depend on the number of terms only. So the bits are the same in all
// three sets, for any GOMAXPROCS, and for a product of some of the rows or columns. gonum's differ
// in rounding.
//
// NaN and Inf follow IEEE arithmetic: a zero times NaN is NaN. (gonum's Dgemm skips zeros of the
// first factor.)
package blas

import (
	"gonum.org/v1/gonum/blas/gonum"
)

// Implementation is gonum's BLAS with faster routines in place of some. Its zero value is ready to
// use, also by many goroutines at once.
type Implementation struct{ gonum.Implementation }

// A set is an instruction set that products are computed with.
type set int

const (
	setGonum    set = iota // gonum's own routines
	setPortable            // plain Go
	setAVX2
	setAVX512
)

// active is the set in use: the best that the processor has. Only tests change it.
var active = detect()

// Set returns the name of the instruction set in use: "avx512", "avx2", "portable", or "gonum" where
// gonum's own routines are used.
func Set() string { return active.String() }

func (s set) String() string {
	return [...]string{"gonum", "portable", "avx2", "avx512"}[s]
}
