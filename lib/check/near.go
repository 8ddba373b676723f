package check

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Near claims that |got − want| ≤ tol · max(1, |want|).
func Near(claim string, got, want, tol float64) {
	checkTolerance(claim, tol)
	if limit := tol * math.Max(1, math.Abs(want)); !near(got, want, limit) {
		fail(claim, "%s", differ(got, want, limit))
	}
	pass(claim, "%s within %s", same(got, want, tol), number(tol))
}

// Relative claims that |got − want| ≤ tol · |want|, for numbers that are small by nature. With
// want = 0 only 0 passes.
func Relative(claim string, got, want, tol float64) {
	checkTolerance(claim, tol)
	if limit := tol * math.Abs(want); !near(got, want, limit) {
		fail(claim, "%s", differ(got, want, limit))
	}
	pass(claim, "%s within %s of its size", same(got, want, tol*math.Abs(want)), number(tol))
}

// NearAll claims that got and want have the same length, at least 1, and that each pair of entries is
// near as in [Near]. A failure names the entry that exceeds its limit most.
func NearAll(claim string, got, want []float64, tol float64) {
	checkTolerance(claim, tol)
	if len(got) != len(want) {
		fail(claim, "got %d values, want %d", len(got), len(want))
	}
	if len(want) == 0 {
		fail(claim, "there are no values to compare")
	}
	at := worst(len(want), tol, func(i int) (float64, float64) { return got[i], want[i] })
	if at >= 0 {
		fail(claim, "value [%d] of %d: %s", at, len(want),
			differ(got[at], want[at], tol*math.Max(1, math.Abs(want[at]))))
	}
	pass(claim, "%s, %s within %s", list(want), count(len(want), "value"), number(tol))
}

// Matrix claims that got and want have the same shape, with at least one entry, and that each pair of
// entries is near as in [Near]. A failure names the entry that exceeds its limit most.
func Matrix(claim string, got, want mat.Matrix, tol float64) {
	checkTolerance(claim, tol)
	if isNil(got) || isNil(want) {
		fail(claim, "got %T, want %T: both must be matrices", got, want)
	}
	r, c := want.Dims()
	if gr, gc := got.Dims(); gr != r || gc != c {
		fail(claim, "got a %d×%d matrix, want %d×%d", gr, gc, r, c)
	}
	if r == 0 || c == 0 {
		fail(claim, "a %d×%d matrix has no entries to compare", r, c)
	}
	at := worst(r*c, tol, func(i int) (float64, float64) { return got.At(i/c, i%c), want.At(i/c, i%c) })
	if at >= 0 {
		g, w := got.At(at/c, at%c), want.At(at/c, at%c)
		fail(claim, "entry (%d, %d) of %d×%d: %s", at/c, at%c, r, c,
			differ(g, w, tol*math.Max(1, math.Abs(w))))
	}
	pass(claim, "%d×%d entries within %s", r, c, number(tol))
}

// isNil reports whether m is nil or a nil pointer, whose methods would fault.
func isNil(m mat.Matrix) bool {
	v := reflect.ValueOf(m)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// checkTolerance fails the claim when tol is not a tolerance.
func checkTolerance(claim string, tol float64) {
	if !(tol >= 0) || math.IsInf(tol, 1) {
		fail(claim, "the tolerance is %v, want a finite number ≥ 0", tol)
	}
}

// near reports |got − want| ≤ limit, where infinities are near only to themselves.
func near(got, want, limit float64) bool {
	if got == want {
		return true
	}
	d := math.Abs(got - want)
	return d <= limit && !math.IsInf(d, 1)
}

// worst returns the index of the pair that exceeds its limit by the largest factor, NaN and
// infinities first, or −1 if all n pairs are near.
func worst(n int, tol float64, pair func(i int) (got, want float64)) int {
	at, most := -1, 0.0
	for i := range n {
		got, want := pair(i)
		scale := math.Max(1, math.Abs(want))
		if near(got, want, tol*scale) {
			continue
		}
		excess := math.Abs(got-want) / scale
		if math.IsNaN(excess) {
			excess = math.Inf(1)
		}
		if at < 0 || excess > most {
			at, most = i, excess
		}
	}
	return at
}

// differ says how far got is from want, with all digits.
func differ(got, want, limit float64) string {
	return fmt.Sprintf("got %v, want %v, difference %.3g, allowed %.3g", got, want, math.Abs(got-want), limit)
}

// count returns "1 value" or "3 values".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// list writes the first values.
func list(v []float64) string {
	const shown = 4
	var b strings.Builder
	for i, x := range v {
		if i == shown {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if isNoise(x) {
			x = 0
		}
		b.WriteString(number(x))
	}
	return b.String()
}
