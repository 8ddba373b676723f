package blas

import "math"

// tile returns the rows and columns of C that the kernel computes at a time.
func (s set) tile() (rows, cols int) {
	switch s {
	case setAVX512:
		return 8, 24
	case setAVX2:
		return 4, 12
	}
	return 4, 4
}

// width returns how wide a panel of cols columns is packed.
func (s set) width(cols int) int {
	if s == setAVX512 {
		return (cols + 7) &^ 7
	}
	_, w := s.tile()
	return w
}

// maxTile is the size of the largest tile of a kernel that has no masks.
const maxTile = 4 * 12

// edge adds the rows×cols corner of a tile t with w columns to c, with one rounding each, or
// replaces c by it.
func edge(t *[maxTile]float64, w int, c []float64, ldc, rows, cols int, alpha float64, add bool) {
	for i := range rows {
		row := c[i*ldc : i*ldc+cols]
		for j, v := range t[i*w : i*w+cols] {
			if add {
				row[j] = math.FMA(v, alpha, row[j])
			} else {
				row[j] = alpha * v
			}
		}
	}
}

// multiplyPortable is the kernel in plain Go: a has k times 4 numbers and b k times 4, and c holds
// rows×cols, up to 4×4, with stride ldc.
func multiplyPortable(k int, a, b, c []float64, ldc, rows, cols int, alpha float64, add bool) {
	var t [maxTile]float64
	a, b = a[:4*k], b[:4*k]
	for i := 0; i < rows; i += 2 {
		var c00, c01, c02, c03, c10, c11, c12, c13 float64
		for p := 0; p < len(a); p += 4 {
			x, y := a[p+i], a[p+i+1]
			b0, b1, b2, b3 := b[p], b[p+1], b[p+2], b[p+3]
			c00, c01, c02, c03 = math.FMA(x, b0, c00), math.FMA(x, b1, c01), math.FMA(x, b2, c02), math.FMA(x, b3, c03)
			c10, c11, c12, c13 = math.FMA(y, b0, c10), math.FMA(y, b1, c11), math.FMA(y, b2, c12), math.FMA(y, b3, c13)
		}
		copy(t[4*i:], []float64{c00, c01, c02, c03, c10, c11, c12, c13})
	}
	edge(&t, 4, c, ldc, rows, cols, alpha, add)
}
