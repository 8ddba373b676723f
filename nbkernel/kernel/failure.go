package kernel

import (
	"strings"

	"eigenbook/nbkernel/wire"
	"eigenbook/nbkernel/worker"
)

// What terminals and notebooks show in bold red, and back to what was before.
const (
	red   = "\x1b[1;31m"
	plain = "\x1b[0m"
)

// failureContent returns the content of the error message for f. The traceback is not nil;
// the kind of failure and the carets below code are red in it, as front ends draw an error
// like any other text.
func failureContent(f *worker.Failure) wire.Failure {
	lines := f.Traceback
	if len(lines) == 0 {
		lines = []string{f.Name + ": " + f.Value}
	}
	coloured := make([]string, len(lines))
	for i, line := range lines {
		coloured[i] = line
		if rest, ok := strings.CutPrefix(line, f.Name); ok && i == 0 && f.Name != "" {
			coloured[i] = red + f.Name + plain + rest
		}
		if indent, ok := strings.CutSuffix(line, "^"); ok && strings.TrimSpace(indent) == "" {
			coloured[i] = indent + red + "^" + plain
		}
	}
	return wire.Failure{EName: f.Name, EValue: f.Value, Traceback: coloured}
}
