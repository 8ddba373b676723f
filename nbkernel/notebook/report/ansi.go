package report

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// escapes are the control sequences of terminals: CSI sequences (of which those ending in m
// set colours), OSC sequences, and others of two characters.
var escapes = regexp.MustCompile("\x1b\\[([0-9;:?]*)[ -/]*([@-~])|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b[@-Z\\\\-_]")

// ansi renders text with the colours of terminals; other control sequences are dropped.
func ansi(text string) string {
	var b strings.Builder
	var class string
	write := func(s string) {
		s = strings.Map(visible, s)
		if s == "" {
			return
		}
		b.WriteString(span(class, s))
	}
	var state struct {
		bold   bool
		colour int // 1 to 8, 0 is none
	}
	last := 0
	for _, m := range escapes.FindAllStringSubmatchIndex(text, -1) {
		write(text[last:m[0]])
		last = m[1]
		if m[4] < 0 || text[m[4]:m[5]] != "m" {
			continue
		}
		codes := strings.FieldsFunc(text[m[2]:m[3]], func(r rune) bool { return r == ';' || r == ':' })
		if len(codes) == 0 {
			codes = []string{"0"}
		}
	codes:
		for _, code := range codes {
			n, _ := strconv.Atoi(code)
			switch {
			case n == 0:
				state.bold, state.colour = false, 0
			case n == 1:
				state.bold = true
			case n == 22:
				state.bold = false
			case n == 39:
				state.colour = 0
			case n >= 30 && n <= 37:
				state.colour = n - 29
			case n >= 90 && n <= 97:
				state.colour = n - 89
			case n == 38 || n == 48:
				break codes // palette and true colours
			}
		}
		var classes []string
		if state.bold {
			classes = append(classes, "bold")
		}
		if state.colour > 0 {
			classes = append(classes, "ansi"+strconv.Itoa(state.colour-1))
		}
		class = strings.Join(classes, " ")
	}
	write(text[last:])
	return b.String()
}

// plainText returns text without the control sequences of terminals.
func plainText(text string) string { return escapes.ReplaceAllString(text, "") }

// visible drops control characters that HTML must not contain.
func visible(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
		return -1
	}
	return r
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
