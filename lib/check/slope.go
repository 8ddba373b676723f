package check

import "math"

// Slope claims that the curve through the points (x[i], y[i]) is a power law y ∝ xᵖ with p within tol
// of want: p is the slope of the least-squares line through (log x[i], log y[i]). At least
// two points with different x, all coordinates positive and finite, are needed.
func Slope(claim string, x, y []float64, want, tol float64) {
	checkTolerance(claim, tol)
	if len(x) != len(y) || len(x) < 2 {
		fail(claim, "%d abscissae and %d ordinates, want equally many and at least 2", len(x), len(y))
	}
	n := float64(len(x))
	var meanX, meanY float64
	for i := range x {
		if !(x[i] > 0 && y[i] > 0) || math.IsInf(x[i], 1) || math.IsInf(y[i], 1) {
			fail(claim, "point [%d] is (%v, %v), want positive finite coordinates", i, x[i], y[i])
		}
		meanX += math.Log(x[i]) / n
		meanY += math.Log(y[i]) / n
	}
	var sxx, sxy float64
	for i := range x {
		dx := math.Log(x[i]) - meanX
		sxx += dx * dx
		sxy += dx * (math.Log(y[i]) - meanY)
	}
	if sxx <= n*1e-24*math.Max(1, meanX*meanX) {
		fail(claim, "all %d abscissae are %v, so there is no slope", len(x), x[0])
	}
	slope := sxy / sxx
	if !near(slope, want, tol) {
		fail(claim, "slope %v over %d points, want %v, difference %.3g, allowed %.3g",
			slope, len(x), want, math.Abs(slope-want), tol)
	}
	pass(claim, "slope %s within %s over %d points", same(slope, want, tol), number(tol), len(x))
}
