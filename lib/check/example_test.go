package check_test

import (
	"fmt"

	"eigenbook/lib/check"
)

func Example() {
	spectrum := []float64{4, 2, 1, 0.5, 0.3}
	noise := (spectrum[2] + spectrum[3] + spectrum[4]) / 3
	check.Near("σ² is the mean of the discarded eigenvalues", noise, 0.6, 1e-12)
	check.Less("the noise is smaller than the last kept eigenvalue", noise, spectrum[1])

	defer func() { fmt.Println(recover()) }()
	check.Near("σ² is one", noise, 1, 1e-3)
	// Output:
	// ✓ σ² is the mean of the discarded eigenvalues: 0.6 = 0.6 within 1e-12
	// ✓ the noise is smaller than the last kept eigenvalue: 0.6 < 2
	// claim does not hold: σ² is one: got 0.6, want 1, difference 0.4, allowed 0.001
}
