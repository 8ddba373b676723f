package check

import (
	"fmt"
	"math"
	"strconv"
)

// noise is the size below which a number that is compared with much larger ones is taken for rounding
// error, and not printed.
const noise = 1e-9

func isNoise(x float64) bool { return math.Abs(x) < noise }

// number writes x with six significant digits, integers below 1e9 in full.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e9 {
		return strconv.FormatFloat(x+0, 'f', 0, 64) // x+0 turns −0 into 0
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// same writes a pair that was found near. got is written like want when no more than rounding separates
// them, so that the text does not depend on last bits.
func same(got, want, tol float64) string {
	rounding := math.Max(1e-14, noise*math.Abs(want))
	if isNoise(want) && math.Abs(want) <= tol {
		want, rounding = 0, 1e-6 // what should vanish is often the end of an iteration
	}
	w := number(want)
	if got == want || math.Abs(got-want) <= rounding {
		return w + " = " + w
	}
	if g := number(got); g != w {
		return g + " ≈ " + w
	}
	return w + " = " + w
}

// below writes a < b or a ≤ b without a when a is rounding error beside b.
func below(a float64, relation string, b float64) string {
	if isNoise(a) && (math.Abs(b) > 100*math.Abs(a)) {
		return fmt.Sprintf("%s %s", relation, number(b))
	}
	if a == b {
		return number(a) + " = " + number(b)
	}
	return fmt.Sprintf("%s %s %s", number(a), relation, number(b))
}
