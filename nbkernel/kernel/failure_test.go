package kernel

import (
	"slices"
	"testing"

	"eigenbook/nbkernel/worker"
)

func TestFailuresAreRed(t *testing.T) {
	for _, tc := range []struct {
		name string
		f    worker.Failure
		want []string
	}{
		{"without a traceback", worker.Failure{Name: "panic", Value: "no"}, []string{"\x1b[1;31mpanic\x1b[0m: no"}},
		{"with code", worker.Failure{Name: "compile error", Value: "undefined: x",
			Traceback: []string{"compile error", "1:2: undefined: x", "\tx^2", "\t^"}},
			[]string{"\x1b[1;31mcompile error\x1b[0m", "1:2: undefined: x", "\tx^2", "\t\x1b[1;31m^\x1b[0m"}},
		{"a message that repeats the kind", worker.Failure{Name: "panic", Value: "a\npanic",
			Traceback: []string{"panic: a", "panic"}}, []string{"\x1b[1;31mpanic\x1b[0m: a", "panic"}},
		{"without a name", worker.Failure{Value: "no", Traceback: []string{"no"}}, []string{"no"}},
	} {
		if got := failureContent(&tc.f).Traceback; !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
