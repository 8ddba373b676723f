package compare

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var number = regexp.MustCompile(`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`)

// texts describes the first line that differs, or returns "".
func texts(stored, got string, tolerance float64) string {
	if stored == got {
		return ""
	}
	a, b := lines(stored), lines(got)
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(b):
			return fmt.Sprintf("line %d is missing, %s is stored", i+1, short(a[i]))
		case i >= len(a):
			return fmt.Sprintf("line %d is %s, nothing is stored there", i+1, short(b[i]))
		}
		if near(a[i], b[i], tolerance) {
			continue
		}
		return fmt.Sprintf("line %d is %s, %s is stored", i+1, short(b[i]), short(a[i]))
	}
	return ""
}

// lines splits a text; one that ends with a newline has no empty last line.
func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// near reports whether two lines are equal but for numbers within the tolerance.
func near(a, b string, tolerance float64) bool {
	if a == b {
		return true
	}
	x, y := number.FindAllStringIndex(a, -1), number.FindAllStringIndex(b, -1)
	if tolerance <= 0 || len(x) != len(y) {
		return false
	}
	endA, endB := 0, 0
	for i := range x {
		if a[endA:x[i][0]] != b[endB:y[i][0]] {
			return false
		}
		endA, endB = x[i][1], y[i][1]
		p, errP := strconv.ParseFloat(a[x[i][0]:endA], 64)
		q, errQ := strconv.ParseFloat(b[y[i][0]:endB], 64)
		if errP != nil || errQ != nil {
			if a[x[i][0]:endA] != b[y[i][0]:endB] {
				return false
			}
			continue
		}
		if math.Abs(p-q) > tolerance*max(1, math.Abs(p), math.Abs(q)) {
			return false
		}
	}
	return a[endA:] == b[endB:]
}

// short quotes a text for a message.
func short(s string) string {
	const limit = 120
	if r := []rune(s); len(r) > limit {
		s = string(r[:limit]) + "…"
	}
	return strconv.Quote(s)
}
