package kernel

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"gonum.org/v1/gonum/mat"
)

// ErrData is wrapped by the errors about data from which a length scale cannot be chosen.
var ErrData = errors.New("kernel: unusable data")

// medianRows is the number of rows up to which MedianLengthScale looks at every pair.
const medianRows = 2048

// MedianLengthScale returns the median heuristic for a length scale: the median Euclidean
// distance over all pairs of different rows of x, an N×d matrix whose rows are observations.
// With an even number of pairs it is the mean of the two in the middle. Of more than 2048 rows,
// 2048 evenly spaced ones are used.
//
// The error wraps ErrData if x has fewer than two rows, a value that is not finite, or so many
// repeated rows that the median is 0. x is neither modified nor retained.
func MedianLengthScale(x mat.Matrix) (float64, error) {
	if v := reflect.ValueOf(x); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return 0, fmt.Errorf("%w: the matrix is nil", ErrData)
	}
	n, d := x.Dims()
	if n < 2 {
		return 0, fmt.Errorf("%w: %d rows, want 2 or more", ErrData, n)
	}
	m := min(n, medianRows)
	rows := make([][]float64, m)
	for i := range rows {
		row := make([]float64, d)
		for j := range row {
			row[j] = x.At(i*n/m, j)
			if math.IsNaN(row[j]) || math.IsInf(row[j], 0) {
				return 0, fmt.Errorf("%w: value %v at row %d, column %d, want a finite number",
					ErrData, row[j], i*n/m, j)
			}
		}
		rows[i] = row
	}
	r2 := make([]float64, 0, m*(m-1)/2)
	for i, xi := range rows {
		for _, xj := range rows[:i] {
			r2 = append(r2, SquaredDistance(xi, xj))
		}
	}
	h := len(r2) / 2
	median := math.Sqrt(selectNth(r2, h))
	if len(r2)%2 == 0 {
		below := math.Sqrt(selectNth(r2[:h], h-1))
		median = below + (median-below)/2
	}
	switch {
	case median == 0:
		return 0, fmt.Errorf("%w: more than half of the pairs of rows are equal, so the median distance is 0", ErrData)
	case math.IsInf(median, 1) || math.IsNaN(median):
		return 0, fmt.Errorf("%w: the squared distances overflow; scale the data", ErrData)
	}
	return median, nil
}

// selectNth returns the element of rank k (0 is the smallest) of v and reorders v so that no
// element before position k is larger and none after it smaller.
func selectNth(v []float64, k int) float64 {
	lo, hi := 0, len(v)-1
	for lo < hi {
		a, b, c := v[lo], v[lo+(hi-lo)/2], v[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	return v[k]
}
