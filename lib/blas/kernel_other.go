//go:build !amd64 || noasm

package blas

import "runtime"

func detect() set {
	if runtime.GOARCH == "amd64" {
		return setGonum // math.FMA is slower here than gonum's multiplications and additions
	}
	return setPortable
}

func (s set) multiply(k int, a, b, c []float64, ldc, rows, cols int, alpha float64, add bool) {
	multiplyPortable(k, a, b, c, ldc, rows, cols, alpha, add)
}

// sets are the kernels that this processor can run.
func sets() []set { return []set{setPortable} }
