package interp

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"
)

// TestMemoryOfCells holds what a cell leaves behind, when its values are gone, to a few KB.
func TestMemoryOfCells(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector has its own memory")
	}
	const cells = 150
	s := session(t)
	run := func(source string, i int) { _, _ = s.Run(t.Context(), fmt.Sprintf(source, i), i) }
	for _, tc := range []struct {
		source string
		most   float64 // KB for a cell
	}{
		{"1 + %d", 0.5},
		{"x := %d\nfmt.Sprint(x)", 1.5},
		{"var v float64 = %d\nw := v / 3\nw", 2.5},
		{"for i := range 3 { _ = i + %d }", 0.5},
		{"func() { _ = %d }()", 6},
		{"panic(%d)", 1.5},
		{"wrong = %d", 0.5},
		{"big := make([]float64, 1<<15)\n_ = %d", 3},
		{"func f() int { return %d }", 13},
		{"m := mat.NewDense(2, 2, []float64{1, 2, 3, %d})\nmat.Det(m)", 5},
	} {
		for i := range 20 {
			run(tc.source, i)
		}
		before := liveKB()
		for i := range cells {
			run(tc.source, i)
		}
		got := (liveKB() - before) / cells
		t.Logf("%5.2f KB a cell: %q", got, tc.source)
		if got > tc.most {
			t.Errorf("%q: %.1f KB stay for each cell, want at most %g", tc.source, got, tc.most)
		}
	}
	runtime.KeepAlive(s)
}

func liveKB() float64 {
	runtime.GC()
	runtime.GC() // what finalizers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1024
}

// TestLaterCellsCostTheSame compares what a cell allocates early and after 500 others: whatever
// looks at all earlier cells makes the later ones dearer.
func TestLaterCellsCostTheSame(t *testing.T) {
	s := session(t)
	n := 0
	cost := func(rounds int) (count, bytes float64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range rounds * len(mixed) {
			n++
			if _, err := s.Run(t.Context(), fmt.Sprintf(mixed[n%len(mixed)], n), n); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		return float64(after.Mallocs-before.Mallocs) / float64(rounds), float64(after.TotalAlloc-before.TotalAlloc) / float64(rounds)
	}
	cost(3)
	count, bytes := cost(5)
	cost(63)
	laterCount, laterBytes := cost(5)
	t.Logf("%d cells: %.0f allocations of %.0f KB, later %.0f of %.0f KB", len(mixed), count, bytes/1024, laterCount, laterBytes/1024)
	if laterCount > 1.1*count || laterBytes > 1.3*bytes {
		t.Errorf("%d cells make %.0f allocations of %.0f bytes, 500 cells later %.0f of %.0f bytes", len(mixed), count, bytes, laterCount, laterBytes)
	}
}

// TestReleasedVariables follows what still names a variable whose name a later cell has taken.
func TestReleasedVariables(t *testing.T) {
	follow(t, []step{
		{"x := 1\nf := func() int { return x }\np := &x", ""},
		{"x := 2\nfmt.Sprint(x, f(), *p)", "2 1 1"},
		{"*p = 5\nx := \"text\"\nfmt.Sprint(x, f(), *p)", "text5 5"},
		{"y := 3\nx := y + 1\nx", "4"},
		{"y := x\nx := y\nfmt.Sprint(x, y)", "4 4"},
		{"x := 7\npanic(\"stop\")\ny := 8", "!stop"},
		{"fmt.Sprint(x, y)", "7 4"},
		{"func generic[T any](t T) int { return x + 1 }", ""},
		{"x := \"text\"", ""},
		{"generic(0)", "8"},
		{"x := []int{1}\ndefer func() { x[0]++ }()", ""},
		{"q := &x[0]\nx := []int{9}\nfmt.Sprint(*q, x)", "2 [9]"},
	})
	if raceDetector {
		t.Skip("yaegi puts its variables into a new slice while a goroutine of an earlier cell reads one: to the detector a race, though either slice has the same variable")
	}
	follow(t, []step{
		{"done := make(chan int)\nrest := make(chan int)\ngo func() { <-done; rest <- 3 }()", ""},
		{"old := done\ndone := 1", ""},
		{"close(old)\n<-rest", "3"},
	})
}

// TestFirstCellStops interrupts the first cell of a session where it waits for a channel: yaegi
// compiles that for an evaluation with a context only when it has seen one.
func TestFirstCellStops(t *testing.T) {
	s := session(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := s.Run(ctx, "func wait() { <-make(chan int) }\nwait()", 1)
	var e *Error
	if !errors.As(err, &e) || e.Kind != Interrupted {
		t.Fatalf("error %v, want Interrupted", err)
	}
	select {
	case <-s.ended:
	default:
		t.Error("the cell still waits")
	}
}
