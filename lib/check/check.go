// Package check makes the claims of a notebook or script checkable where they are made:
//
//	check.Near("σ² is the mean of the discarded eigenvalues", model.NoiseVariance(), want, 1e-12)
//
// prints
//
//	✓ σ² is the mean of the discarded eigenvalues: 0.8162 = 0.8162 within 1e-12
//
// when the claim holds. Otherwise it panics with a [Failure], which is an error whose message names
// the claim, the numbers and the difference; the panic fails the cell, the script or the test. This
// is the one package of the library whose job is to panic and to print.
//
// # Tolerance
//
// One rule serves [Near], [NearAll] and [Matrix]: got is near want when
//
//	|got − want| ≤ tol · max(1, |want|),
//
// an absolute tolerance for numbers below one and a relative one above. [Relative] is for numbers
// that are small by nature: |got − want| ≤ tol · |want|. A tolerance is finite and not negative; with
// 0 the numbers must be equal. NaN is near nothing, not even NaN. An infinity is near only to itself.
// A comparison of nothing (empty slices, empty matrices) fails, for it claims nothing.
//
// # Same text on every run
//
// Stored notebook outputs are compared with new ones, so the line does not show what may change
// with the processor or a library version: numbers have six significant digits, got is written like
// want where the two differ by rounding only, and the difference itself appears only in a failure.
//
// Lines go to standard output, or where [SetOutput] says. All functions may be called from several
// goroutines at once.
package check

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync"
)

// A Failure is the value the functions of this package panic with when a claim does not hold.
// It is an error.
type Failure struct {
	Claim  string // what was claimed, in the caller's words
	Detail string // the numbers, the difference and what was allowed
}

// Error returns the claim and why it does not hold, in one line.
func (f Failure) Error() string {
	if f.Detail == "" {
		return "claim does not hold: " + f.Claim
	}
	return "claim does not hold: " + f.Claim + ": " + f.Detail
}

var output struct {
	sync.Mutex
	w io.Writer // nil means os.Stdout at the time of the call
}

// SetOutput sends the lines of claims that hold to w, and returns the writer set before. Nil, which is
// the initial value, stands for standard output. Errors of w are ignored: a claim holds
// or fails whether or not its line could be written.
func SetOutput(w io.Writer) (previous io.Writer) {
	output.Lock()
	defer output.Unlock()
	previous, output.w = output.w, w
	return previous
}

// True claims that ok is true. For comparisons of numbers the other functions say more.
func True(claim string, ok bool) {
	if !ok {
		fail(claim, "")
	}
	pass(claim, "")
}

// Less claims that a < b.
func Less(claim string, a, b float64) {
	if !(a < b) {
		fail(claim, "%v is not less than %v, a − b = %.3g", a, b, a-b)
	}
	pass(claim, "%s", below(a, "<", b))
}

// AtMost claims that a ≤ b.
func AtMost(claim string, a, b float64) {
	if !(a <= b) {
		fail(claim, "%v is more than %v, a − b = %.3g", a, b, a-b)
	}
	pass(claim, "%s", below(a, "≤", b))
}

// Within claims that low ≤ x ≤ high.
func Within(claim string, x, low, high float64) {
	switch {
	case !(low <= high):
		fail(claim, "the interval from %v to %v is empty", low, high)
	case math.IsNaN(x):
		fail(claim, "NaN is not in [%v, %v]", low, high)
	case x < low:
		fail(claim, "%v is not in [%v, %v], below it by %.3g", x, low, high, low-x)
	case x > high:
		fail(claim, "%v is not in [%v, %v], above it by %.3g", x, low, high, x-high)
	}
	text := number(x)
	if isNoise(x) && (low < 0 || high > 100*x) {
		text = "0"
	}
	pass(claim, "%s in [%s, %s]", text, number(low), number(high))
}

// NoError claims that err is nil.
func NoError(claim string, err error) {
	if err != nil {
		fail(claim, "error %v", err)
	}
	pass(claim, "")
}

// pass prints the line of a claim that holds.
func pass(claim, format string, args ...any) {
	line := "✓ " + claim
	if format != "" {
		line += ": " + fmt.Sprintf(format, args...)
	}
	output.Lock()
	defer output.Unlock()
	w := output.w
	if w == nil {
		w = os.Stdout
	}
	fmt.Fprintln(w, line)
}

// fail panics with the Failure of a claim.
func fail(claim, format string, args ...any) {
	panic(Failure{Claim: claim, Detail: fmt.Sprintf(format, args...)})
}
