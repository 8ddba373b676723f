package display

import (
	"math"
	"strconv"
	"strings"
)

// A tick is a labelled place on an axis.
type tick struct {
	value float64
	label string
}

// A scale maps the values of an axis to 0 … 1. A linear one may run downwards.
type scale struct {
	min, max float64
	log      bool
	whole    bool // ticks at whole numbers only
}

// at returns the place of v. On a logarithmic scale what is not positive lies below 0.
func (s scale) at(v float64) float64 {
	if !s.log {
		return (v - s.min) / (s.max - s.min)
	}
	if v <= 0 {
		return -1
	}
	low := math.Log(s.min)
	return (math.Log(v) - low) / (math.Log(s.max) - low)
}

// ticks returns about n labelled places, and more where that would leave less than two.
func (s scale) ticks(n int) []tick {
	ticks := s.ticksFor(n)
	for more := n + 1; len(ticks) < 2 && more < n+6; more++ {
		ticks = s.ticksFor(more)
	}
	return ticks
}

// ticksFor returns about n labelled places.
func (s scale) ticksFor(n int) []tick {
	if s.log {
		return logTicks(s.min, s.max, n)
	}
	smallest := 0.0
	if s.whole {
		smallest = 1
	}
	return linearTicks(math.Min(s.min, s.max), math.Max(s.min, s.max), n, smallest)
}

// linearTicks returns at most n+1 multiples of 1, 2 or 5 times a power of ten, which is at
// least smallest.
func linearTicks(low, high float64, n int, smallest float64) []tick {
	step := math.Max(smallest, niceStep((high-low)/float64(max(n, 1))))
	first, last := math.Ceil(low/step-1e-9), math.Floor(high/step+1e-9)
	var out []tick
	for i := first; i <= last && len(out) <= 2*n+2; i++ {
		v := i * step
		out = append(out, tick{v, tickLabel(v, step, math.Max(math.Abs(low), math.Abs(high)))})
	}
	return out
}

// niceStep returns the smallest 1, 2 or 5 times a power of ten that is at least v.
func niceStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// tickLabel formats v with the digits that step needs; largest is the greatest value of
// the axis in absolute value and decides whether powers of ten are written.
func tickLabel(v, step, largest float64) string {
	exponent := 0
	if largest >= 1e6 || largest < 1e-3 {
		exponent = int(math.Floor(math.Log10(largest)))
	}
	decimals := max(0, exponent-int(math.Floor(math.Log10(step)+1e-9)))
	unit := math.Pow(10, float64(exponent))
	text := strconv.FormatFloat(v/unit, 'f', min(decimals, 12), 64)
	if exponent != 0 && v != 0 {
		return minus(text) + "×10" + superscript(exponent)
	}
	if v == 0 {
		return "0"
	}
	return minus(text)
}

// logTicks returns powers of ten, thinned to about n, or 1, 2, 5 and so on where the range is
// short.
func logTicks(low, high float64, n int) []tick {
	first, last := math.Ceil(math.Log10(low)-1e-9), math.Floor(math.Log10(high)+1e-9)
	decades := int(last-first) + 1
	if decades >= 3 || decades >= n {
		every := (decades + n) / (n + 1)
		if every < 1 {
			every = 1
		}
		var out []tick
		for e := int(first); e <= int(last); e++ {
			if e%every == 0 {
				out = append(out, tick{math.Pow(10, float64(e)), power(e)})
			}
		}
		return out
	}
	var out []tick
	for e := int(first) - 1; e <= int(last); e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, float64(e))
			if v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				out = append(out, tick{v, smallNumber(v, m, e)})
			}
		}
	}
	if len(out) < 2 {
		return linearTicks(low, high, n, 0)
	}
	return out
}

// power returns 10 to the e as text, plain near 1.
func power(e int) string {
	if e >= -2 && e <= 4 {
		return strconv.FormatFloat(math.Pow(10, float64(e)), 'f', max(0, -e), 64)
	}
	return "10" + superscript(e)
}

// smallNumber returns v = m·10^e as text.
func smallNumber(v, m float64, e int) string {
	if e >= -3 && e <= 4 {
		return strconv.FormatFloat(v, 'f', max(0, -e), 64)
	}
	return strconv.FormatFloat(m, 'f', 0, 64) + "×10" + superscript(e)
}

// superscripts are the raised digits.
var superscripts = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// superscript returns n in raised digits.
func superscript(n int) string { return superscripts.Replace(strconv.Itoa(n)) }

// minus replaces the hyphen of a negative number by a minus sign.
func minus(text string) string { return strings.Replace(text, "-", "−", 1) }

// number formats v with a number of significant digits for text and legends.
func number(v float64, digits int) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "+Inf"
	case math.IsInf(v, -1):
		return "-Inf"
	case v == 0:
		return "0"
	}
	if a := math.Abs(v); a >= 1e-4 && a < math.Max(1e6, math.Pow(10, float64(digits))) {
		decimals := max(0, digits-1-int(math.Floor(math.Log10(a))))
		text := strconv.FormatFloat(v, 'f', decimals, 64)
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return text
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits-1, 64), "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return mantissa + "e" + exponent
}

// settle returns 0 for what is rounding error beside the reference, whose digits differ
// from machine to machine.
func settle(v, reference float64) float64 {
	if math.Abs(v) < 1e-12*math.Abs(reference) {
		return 0
	}
	return v
}
