//go:build !noasm

package blas

import "golang.org/x/sys/cpu"

// Each adds alpha·A·B of one panel of A and one of B, k terms, to a tile of C with stride ldc, or
// replaces it if add is 0. The masked ones touch the first rows rows only, and of 24, 16 or 8 columns
// those whose bit in mask is set; panels of B are as wide as the tile.

//go:noescape
func gemm8x24(k int, a, b, c *float64, ldc int, alpha float64, add int)

//go:noescape
func gemm8x24mask(k int, a, b, c *float64, ldc int, alpha float64, add, rows, mask int)

//go:noescape
func gemm8x16mask(k int, a, b, c *float64, ldc int, alpha float64, add, rows, mask int)

//go:noescape
func gemm8x8mask(k int, a, b, c *float64, ldc int, alpha float64, add, rows, mask int)

//go:noescape
func gemm4x12(k int, a, b, c *float64, ldc int, alpha float64, add int)

func detect() set {
	all := sets()
	if len(all) == 1 {
		return setGonum // math.FMA is slower here than gonum's multiplications and additions
	}
	return all[len(all)-1]
}

// sets are the kernels that this processor can run, the best one last.
func sets() []set {
	x := &cpu.X86
	out := []set{setPortable}
	if x.HasAVX2 && x.HasFMA {
		out = append(out, setAVX2)
	}
	if x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512BW {
		out = append(out, setAVX512)
	}
	return out
}

// multiply computes a tile of rows×cols elements of c, which must hold exactly these.
func (s set) multiply(k int, a, b, c []float64, ldc, rows, cols int, alpha float64, add bool) {
	if s == setPortable {
		multiplyPortable(k, a, b, c, ldc, rows, cols, alpha, add)
		return
	}
	mr, nr := s.tile()
	_, _, _ = a[mr*k-1], b[s.width(cols)*k-1], c[(rows-1)*ldc+cols-1]
	flag := 0
	if add {
		flag = 1
	}
	switch {
	case s == setAVX2 && rows == mr && cols == nr:
		gemm4x12(k, &a[0], &b[0], &c[0], ldc, alpha, flag)
	case s == setAVX2:
		var t [maxTile]float64
		gemm4x12(k, &a[0], &b[0], &t[0], nr, 1, 0)
		edge(&t, nr, c, ldc, rows, cols, alpha, add)
	case rows == mr && cols == nr:
		gemm8x24(k, &a[0], &b[0], &c[0], ldc, alpha, flag)
	case cols > 16:
		gemm8x24mask(k, &a[0], &b[0], &c[0], ldc, alpha, flag, rows, 1<<cols-1)
	case cols > 8:
		gemm8x16mask(k, &a[0], &b[0], &c[0], ldc, alpha, flag, rows, 1<<cols-1)
	default:
		gemm8x8mask(k, &a[0], &b[0], &c[0], ldc, alpha, flag, rows, 1<<cols-1)
	}
}
