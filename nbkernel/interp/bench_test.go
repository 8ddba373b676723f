package interp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"eigenbook/nbkernel/symbols"
)

// mixed are cells of the kinds that a notebook has; %d makes their names differ.
var mixed = []string{
	"x%d := %[1]d * 2\nx%[1]d",
	"type P%d struct{ X, Y float64 }\nfunc (p P%[1]d) Norm() float64 { return math.Hypot(p.X, p.Y) }",
	"s%d := 0\nfor i := range 10 { s%[1]d += i }\nfmt.Sprint(s%[1]d)",
	"func f%d(v []float64) (r float64) { for _, x := range v { r += x }; return }\nf%[1]d([]float64{1, 2, %[1]d})",
	"m%d := mat.NewDense(2, 2, []float64{1, 2, 3, %[1]d})\nmat.Det(m%[1]d)",
	"var e%d error = fmt.Errorf(\"cell %%d\", %[1]d)\nswitch v := any(e%[1]d).(type) {\ncase fmt.Stringer:\n_ = v.String()\ncase error:\n_ = v.Error()\n}",
	"func g%d[T any](x []T, f func(T) string) (r []string) { for _, v := range x { r = append(r, f(v)) }; return }\ng%[1]d([]int{1, 2}, func(i int) string { return fmt.Sprint(i) })",
	"func d%d() (r int) { defer func() { r++ }(); return %[1]d }\nd%[1]d()",
}

// BenchmarkCell is the time of one more cell in a session that has run some.
func BenchmarkCell(b *testing.B) {
	s := session(b)
	run := func(i int) {
		if _, err := s.Run(b.Context(), fmt.Sprintf(mixed[i%len(mixed)], i), i); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 2 * len(mixed) {
		run(i)
	}
	b.ReportAllocs()
	n := 2 * len(mixed)
	for b.Loop() {
		run(n)
		n++
	}
}

// BenchmarkSession is the time of a new session and its first cell.
func BenchmarkSession(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := session(b).Run(b.Context(), "1 + 1", 1); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstImport is the time of the first cell that imports a package, and of the slowest
// of all packages that there are.
func BenchmarkFirstImport(b *testing.B) {
	paths := symbols.Paths()
	var slowest time.Duration
	for b.Loop() {
		for _, path := range paths {
			b.StopTimer()
			s := session(b)
			if _, err := s.Run(b.Context(), "1 + 1", 1); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			begin := time.Now()
			if _, err := s.Run(b.Context(), fmt.Sprintf("import _ %q", path), 2); err != nil {
				b.Fatal(err)
			}
			slowest = max(slowest, time.Since(begin))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(paths)), "us/import")
	b.ReportMetric(float64(slowest.Microseconds()), "us-slowest")
}

// BenchmarkLongCell is the time of a cell of n statements.
func BenchmarkLongCell(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			s := session(b)
			source := "x := 0\n" + strings.Repeat("x++\n", n)
			for b.Loop() {
				if _, err := s.Run(b.Context(), source, 1); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "us/statement")
		})
	}
}

// BenchmarkBoxes is the time of lowered code that prints, compares and switches on values
// whose types a cell declares.
func BenchmarkBoxes(b *testing.B) {
	s := session(b)
	if _, err := s.Run(b.Context(), "type C struct{ N int }\nfunc (c C) String() string { return \"C\" }\n"+
		"func boxes() (n int) {\n\tfor i := range 100 {\n\t\tvar v any = C{i}\n\t\tswitch v.(type) {\n\t\tcase error:\n\t\t\tn = -1\n\t\tcase C:\n\t\t\tn++\n\t\t}\n"+
		"\t\tif v == any(C{3}) { n++ }\n\t\tn += len(fmt.Sprint(v.(fmt.Stringer).String(), []C{{1}, {2}}))\n\t}\n\treturn\n}", 1); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Run(b.Context(), "boxes();", 2); err != nil {
			b.Fatal(err)
		}
	}
}
