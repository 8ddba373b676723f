//go:build !race

package interp

const raceDetector = false
