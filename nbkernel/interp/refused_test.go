package interp

import (
	"errors"
	"strings"
	"testing"
)

// TestRefusedText checks that a failure of yaegi itself is told in words about the cell, and that
// its own ones stay in the cause.
func TestRefusedText(t *testing.T) {
	for problem, want := range map[string]string{
		"CFG post-order panic: runtime error: invalid memory address or nil pointer dereference": "write it in smaller steps",
		"interface conversion: reflect.Type is nil, not *reflect.rtype":                          "write it in smaller steps",
		"1:28: cannot convert expression of type int to type complex128":                         "cannot convert expression of type int to type complex128",
	} {
		err := refused(errors.New(problem), "x = 1")
		if !strings.Contains(err.Error(), want) {
			t.Errorf("refused(%q) says %q, want %q in it", problem, err, want)
		}
		if cause := errors.Unwrap(err); cause == nil || !strings.Contains(cause.Error(), problem) {
			t.Errorf("refused(%q) has the cause %v, want the problem in it", problem, cause)
		}
	}
}
