package display

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Limits on what a figure takes. Beyond them a picture says less than a sample would.
const (
	maxPoints   = 2_000_000 // points of a scatter or curve
	maxMatrix   = 400_000_000
	maxDrawable = 1e300 // so that ranges and their margins stay finite
)

// checkValue reports a value that no axis can show.
func checkValue(v float64, name string, place ...any) error {
	if math.IsNaN(v) || math.Abs(v) > maxDrawable {
		where := fmt.Sprintf(name, place...)
		return fmt.Errorf("%w: %s is %v, want a finite number of magnitude up to %g", ErrInput, where, v, maxDrawable)
	}
	return nil
}

// checkValues reports the first value that cannot be drawn.
func checkValues(name string, values []float64) error {
	for i, v := range values {
		if err := checkValue(v, "%s[%d]", name, i); err != nil {
			return err
		}
	}
	return nil
}

// checkMatrix reports an empty, nil or huge matrix.
func checkMatrix(name string, m mat.Matrix) (rows, cols int, err error) {
	if m == nil || isNilPointer(m) {
		return 0, 0, fmt.Errorf("%w: %s is nil, want a matrix", ErrInput, name)
	}
	rows, cols = m.Dims()
	if rows == 0 || cols == 0 {
		return 0, 0, fmt.Errorf("%w: %s is %d×%d, want at least one row and column", ErrInput, name, rows, cols)
	}
	if rows > maxMatrix/cols {
		return 0, 0, fmt.Errorf("%w: %s is %d×%d, want at most %d entries", ErrInput, name, rows, cols, maxMatrix)
	}
	return rows, cols, nil
}

// checkLength reports a list that does not have one entry for each of n things; an empty list
// is allowed.
func checkLength(name string, length, n int, of string) error {
	if length != 0 && length != n {
		return fmt.Errorf("%w: %s has %d entries, want %d, one for each %s", ErrInput, name, length, n, of)
	}
	return nil
}

// column returns column j of m, which must be finite.
func column(name string, m mat.Matrix, j int) ([]float64, error) {
	rows, _ := m.Dims()
	out := make([]float64, rows)
	for i := range out {
		out[i] = m.At(i, j)
		if err := checkValue(out[i], "%s(%d,%d)", name, i, j); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// bounds returns the smallest and the largest value of all lists.
func bounds(lists ...[]float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, list := range lists {
		for _, v := range list {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	return low, high
}

// linearScale returns a scale from low to high with a margin on both sides.
func linearScale(low, high, margin float64) scale {
	width := high - low
	if low == 0 && high == 0 {
		return scale{min: -1, max: 1}
	}
	if width <= 1e-12*math.Max(math.Abs(low), math.Abs(high)) {
		width = math.Max(math.Abs(low), math.Abs(high))
		return scale{min: low - width/2, max: high + width/2}
	}
	return scale{min: low - margin*width, max: high + margin*width}
}

// logScale returns a logarithmic scale over the positive values from low to high with a
// margin on both sides.
func logScale(low, high, margin float64) scale {
	low, high = math.Max(low, 1e-300), math.Max(high, 1e-300)
	width := math.Log(high / low)
	if width < 1e-9 {
		return scale{min: low / 3, max: high * 3, log: true}
	}
	factor := math.Exp(margin * width)
	return scale{min: low / factor, max: high * factor, log: true}
}
