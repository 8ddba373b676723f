package ppca

import (
	"fmt"
	"math"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
)

// checked returns a copy of x that is not empty and has finite entries only. name is what the
// messages call it.
func checked(name string, x mat.Matrix) (*mat.Dense, error) {
	return copied(name, x, "want finite numbers", func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// holed is checked for a matrix in which NaN marks a missing entry.
func holed(name string, x mat.Matrix) (*mat.Dense, error) {
	return copied(name, x, "want finite numbers, or NaN where missing", func(v float64) bool { return math.IsInf(v, 0) })
}

// copied returns a copy of x, which must not be empty nor have an entry that is bad.
func copied(name string, x mat.Matrix, want string, bad func(float64) bool) (*mat.Dense, error) {
	if v := reflect.ValueOf(x); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fmt.Errorf("%w: %s is nil", gram.ErrShape, name)
	}
	n, d := x.Dims()
	if n == 0 || d == 0 {
		return nil, fmt.Errorf("%w: %s is %d×%d, want at least one row and one column", gram.ErrShape, name, n, d)
	}
	c := mat.DenseCopyOf(x)
	for i := range n {
		for j, v := range c.RawRowView(i) {
			if bad(v) {
				return nil, fmt.Errorf("%w: %s[%d,%d] is %v, %s", gram.ErrNotFinite, name, i, j, v, want)
			}
		}
	}
	return c, nil
}

// checkedWidth is checked for a matrix that must have the given number of columns.
func checkedWidth(name string, x mat.Matrix, width int, what string) (*mat.Dense, error) {
	c, err := checked(name, x)
	if err != nil {
		return nil, err
	}
	if n, d := c.Dims(); d != width {
		return nil, fmt.Errorf("%w: dimension mismatch: %s is %d×%d, want %d columns, %s", gram.ErrShape, name, n, d, width, what)
	}
	return c, nil
}

// checkCount refuses a number of samples below 1.
func checkCount(n int) error {
	if n < 1 {
		return fmt.Errorf("%w: number of samples is %d, want at least 1", gram.ErrShape, n)
	}
	return nil
}

// scaleLimit bounds the trace of a scatter or Gram matrix, whose eigenvalues are squared and divided by, and
// 1/scaleLimit its diagonal.
const scaleLimit = 1e140

// checkScale refuses a matrix so large or so small that squares of its eigenvalues leave the range of float64.
// largest is the largest entry of its diagonal, 0 if it has no variance.
func checkScale(trace, largest float64) error {
	if !(math.Abs(trace) <= scaleLimit) || !(largest <= scaleLimit) {
		return fmt.Errorf("%w: the square of the trace overflows: it is %.3g, want at most %g; scale the data or the kernel",
			gram.ErrNotFinite, trace, scaleLimit)
	}
	if largest > 0 && largest < 1/scaleLimit {
		return fmt.Errorf("%w: the square of the trace vanishes: it is %.3g, want %g or more; scale the data or the kernel",
			ErrNoVariance, trace, 1/scaleLimit)
	}
	return nil
}

// columnMeans returns the mean of each column. The second pass removes the rounding of the
// first, so that columns of equal entries give exactly that entry.
func columnMeans(x *mat.Dense) []float64 {
	n, d := x.Dims()
	mean := make([]float64, d)
	for range 2 {
		rest := make([]float64, d)
		for i := range n {
			for j, v := range x.RawRowView(i) {
				rest[j] += v - mean[j]
			}
		}
		for j := range mean {
			mean[j] += rest[j] / float64(n)
		}
	}
	return mean
}

// subtract takes mean from every row of x, in place.
func subtract(x *mat.Dense, mean []float64) {
	n, _ := x.Dims()
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] -= mean[j]
		}
	}
}

// addRow adds row to every row of x, in place.
func addRow(x *mat.Dense, row []float64) {
	n, _ := x.Dims()
	for i := range n {
		r := x.RawRowView(i)
		for j := range r {
			r[j] += row[j]
		}
	}
}

// scaleColumns multiplies column j of x by f[j], in place.
func scaleColumns(x *mat.Dense, f []float64) {
	n, _ := x.Dims()
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] *= f[j]
		}
	}
}

// squaredNorms returns the squared length of each row.
func squaredNorms(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	out := make([]float64, n)
	for i := range out {
		for _, v := range x.RawRowView(i) {
			out[i] += v * v
		}
	}
	return out
}

// maxAbs returns the largest magnitude in x.
func maxAbs(x *mat.Dense) float64 {
	n, _ := x.Dims()
	m := 0.0
	for i := range n {
		for _, v := range x.RawRowView(i) {
			m = math.Max(m, math.Abs(v))
		}
	}
	return m
}
