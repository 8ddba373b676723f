package kernel

import (
	"fmt"
	"regexp"
	"strings"

	"eigenbook/nbkernel/wire"
)

// historySession is the number of the one session that is remembered.
const historySession = 1

// maxHistory bounds the number of cells that are remembered.
const maxHistory = 10_000

// A history remembers the cells of this kernel's life. It is used by the shell loop only.
type history struct {
	entries []entry
}

type entry struct {
	line   int
	input  string
	output any // text of the result, or nil
}

func (h *history) add(line int, input string, output any) {
	if len(h.entries) == maxHistory {
		h.entries = append(h.entries[:0], h.entries[maxHistory/10:]...)
	}
	h.entries = append(h.entries, entry{line, input, output})
}

// find returns what a request asks for, in the order in which the cells ran.
func (h *history) find(r wire.HistoryRequest) ([][3]any, error) {
	var found []entry
	switch r.HistAccessType {
	case "tail", "":
		found = last(h.entries, r.N)
	case "range":
		if r.Session != 0 && r.Session != historySession {
			break // of other sessions nothing is known
		}
		for _, e := range h.entries {
			if e.line >= r.Start && (r.Stop <= 0 || e.line < r.Stop) {
				found = append(found, e)
			}
		}
	case "search":
		pattern, err := glob(r.Pattern)
		if err != nil {
			return nil, fmt.Errorf("history_request: %w", err)
		}
		newest := map[string]int{} // input → its last place
		for i, e := range h.entries {
			newest[e.input] = i
		}
		for i, e := range h.entries {
			if pattern.MatchString(e.input) && (!r.Unique || newest[e.input] == i) {
				found = append(found, e)
			}
		}
		found = last(found, r.N)
	default:
		return nil, fmt.Errorf("history_request: hist_access_type is %q, want tail, range or search", r.HistAccessType)
	}
	out := make([][3]any, 0, len(found))
	for _, e := range found {
		var text any = e.input
		if r.Output {
			text = [2]any{e.input, e.output}
		}
		out = append(out, [3]any{historySession, e.line, text})
	}
	return out, nil
}

// last returns the last n entries, all for n ≤ 0.
func last(entries []entry, n int) []entry {
	if n <= 0 || n > len(entries) {
		return entries
	}
	return entries[len(entries)-n:]
}

// glob translates a pattern in which * stands for any text and ? for any character.
func glob(pattern string) (*regexp.Regexp, error) {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for _, r := range pattern {
		switch r {
		case '*':
			b.WriteString(".*")
		case '?':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	b.WriteString(`\z`)
	return regexp.Compile(b.String())
}
