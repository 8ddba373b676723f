package dataset

import (
	"fmt"
	"math"
	"reflect"

	"gonum.org/v1/gonum/mat"
)

// A Scaling maps columns linearly: x becomes (x − Shift) / Scale. It is what [Standardize], [Center] and
// [UnitRange] found in one matrix and serves to treat other rows, such as test data, alike.
type Scaling struct {
	Shift, Scale []float64 // one entry for each column; Scale is not 0
}

// Apply returns the scaled rows of x. The error wraps ErrArgument if the number of columns is another one.
func (s Scaling) Apply(x mat.Matrix) (*mat.Dense, error) {
	return s.each(x, func(v, shift, scale float64) float64 { return (v - shift) / scale })
}

// Invert undoes Apply.
func (s Scaling) Invert(x mat.Matrix) (*mat.Dense, error) {
	return s.each(x, func(v, shift, scale float64) float64 { return v*scale + shift })
}

func (s Scaling) each(x mat.Matrix, f func(v, shift, scale float64) float64) (*mat.Dense, error) {
	n, d, err := shapeOf(x)
	if err != nil {
		return nil, err
	}
	if d != len(s.Shift) || d != len(s.Scale) {
		return nil, fmt.Errorf("%w: %d columns, want the %d that were scaled", ErrArgument, d, len(s.Shift))
	}
	out := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			out.Set(i, j, f(x.At(i, j), s.Shift[j], s.Scale[j]))
		}
	}
	return out, nil
}

// Standardize returns x with columns of mean 0 and variance 1, where the variance is (1/n) Σ (xᵢ − mean)²,
// as in scikit-learn's StandardScaler. A constant column becomes 0 and keeps the scale 1. The error
// wraps ErrNotFinite for a NaN or infinity, and ErrArgument for an empty matrix. x is not modified.
func Standardize(x mat.Matrix) (*mat.Dense, Scaling, error) {
	return scale(x, func(col []float64) (shift, scale float64) {
		shift, largest := mean(col)
		var sum, n float64
		for _, v := range col {
			u := (v - shift) / largest // entries up to 2 in size: no overflow
			sum += u * u
			n++
		}
		sd := math.Sqrt(sum / n)
		if sd <= 1e-15 || sd*largest == 0 {
			return shift, 1 // constant up to rounding of the mean, or to the smallest numbers
		}
		return shift, sd * largest
	})
}

// Center returns x with columns of mean 0. Errors are those of [Standardize].
func Center(x mat.Matrix) (*mat.Dense, Scaling, error) {
	return scale(x, func(col []float64) (shift, scale float64) {
		shift, _ = mean(col)
		return shift, 1
	})
}

// UnitRange returns x with columns from 0 to 1. A constant column becomes 0 and keeps the scale 1. Errors are
// those of [Standardize].
func UnitRange(x mat.Matrix) (*mat.Dense, Scaling, error) {
	return scale(x, func(col []float64) (shift, scale float64) {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range col {
			low, high = math.Min(low, v), math.Max(high, v)
		}
		if low == high {
			return low, 1
		}
		return low, high - low
	})
}

// scale applies what fit finds in each column.
func scale(x mat.Matrix, fit func(col []float64) (shift, scale float64)) (*mat.Dense, Scaling, error) {
	n, d, err := shapeOf(x)
	if err != nil {
		return nil, Scaling{}, err
	}
	s := Scaling{Shift: make([]float64, d), Scale: make([]float64, d)}
	col := make([]float64, n)
	for j := range d {
		for i := range col {
			col[i] = x.At(i, j)
			if math.IsNaN(col[i]) || math.IsInf(col[i], 0) {
				return nil, Scaling{}, fmt.Errorf("%w: entry (%d, %d) is %v", ErrNotFinite, i, j, col[i])
			}
		}
		s.Shift[j], s.Scale[j] = fit(col)
		if math.IsInf(s.Shift[j], 0) || math.IsInf(s.Scale[j], 0) {
			return nil, Scaling{}, fmt.Errorf("%w: the spread of column %d exceeds the range of float64", ErrNotFinite, j)
		}
	}
	z, err := s.Apply(x)
	if err != nil {
		return nil, Scaling{}, err
	}
	for at, v := range z.RawMatrix().Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, Scaling{}, fmt.Errorf("%w: the spread of column %d exceeds the range of float64", ErrNotFinite, at%d)
		}
	}
	return z, s, nil
}

// mean returns the mean of finite numbers and the largest absolute value, or 1 if all are 0. The second pass
// corrects the rounding of the first.
func mean(col []float64) (m, largest float64) {
	for _, v := range col {
		largest = math.Max(largest, math.Abs(v))
	}
	if largest == 0 {
		return 0, 1
	}
	n := float64(len(col))
	for _, v := range col {
		m += v / n
	}
	var rest float64
	for _, v := range col {
		rest += (v - m) / n
	}
	return m + rest, largest
}

// shapeOf returns the size of a matrix with at least one entry.
func shapeOf(x mat.Matrix) (n, d int, err error) {
	if v := reflect.ValueOf(x); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return 0, 0, fmt.Errorf("%w: the matrix is nil", ErrArgument)
	}
	n, d = x.Dims()
	if n == 0 || d == 0 {
		return 0, 0, fmt.Errorf("%w: the matrix is %d×%d, want at least 1×1", ErrArgument, n, d)
	}
	return n, d, nil
}
