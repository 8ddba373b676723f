package interp

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestSessionsSideBySide runs the same names with other meanings in sessions at the same time:
// types, interfaces, wrapped values, goroutines that fail and imports of generic packages.
func TestSessionsSideBySide(t *testing.T) {
	cells := []string{
		"type P struct{ X int }\nfunc (p P) String() string { return fmt.Sprintf(\"P%d of ID\", p.X) }",
		"type E struct{ P }\nfunc (e E) Error() string { return \"error of \" + e.P.String() }",
		"func kind(v any) string {\n\tswitch v := v.(type) {\n\tcase error:\n\t\treturn v.Error()\n\tcase fmt.Stringer:\n\t\treturn v.String()\n\t}\n\treturn \"none\"\n}",
		"ps := []P{{3}, {1}}\nslices.SortFunc(ps, func(a, b P) int { return a.X - b.X })",
		"err := fmt.Errorf(\"wrapped %w\", E{ps[0]})\nvar e E\nok := errors.As(err, &e)",
		"func (p P) Twice() int { return 2 * p.X + ID }",
	}
	var wait sync.WaitGroup
	for id := range 3 {
		s := session(t)
		wait.Go(func() {
			run := func(count int, source string) (any, error) {
				got, err := s.Run(t.Context(), source, count)
				return got.Value, err
			}
			for turn := range 3 {
				for i, source := range cells {
					source = strings.ReplaceAll(source, "ID", fmt.Sprint(id))
					if _, err := run(10*turn+i, source); err != nil {
						t.Errorf("session %d, turn %d, cell %d: %v", id, turn, i, err)
					}
				}
				want := fmt.Sprintf("error of P1 of %d|P3 of %d|true|%d|[P1 of %d P3 of %d]", id, id, 2+id, id, id)
				got, err := run(10*turn+6, "fmt.Sprint(kind(err.(interface{ Unwrap() error }).Unwrap()), \"|\", kind(ps[1]), \"|\", ok, \"|\", e.Twice(), \"|\", ps)")
				if err != nil || got != want {
					t.Errorf("session %d, turn %d: %v (%v), want %s", id, turn, got, err, want)
				}
			}
			if _, err := run(100, fmt.Sprintf("go func() { panic(\"session %d\") }()\nselect {}", id)); err == nil || err.Error() != fmt.Sprintf("panic in a goroutine: session %d", id) {
				t.Errorf("session %d: the error is %v, want the panic of its own goroutine", id, err)
			}
		})
	}
	wait.Wait()
}
