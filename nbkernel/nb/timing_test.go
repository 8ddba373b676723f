package nb

import (
	"regexp"
	"strconv"
	"testing"
	"time"
)

// A call that sleeps 20 ms is called a few times a round and takes at least that.
func TestTimeit(t *testing.T) {
	calls := 0
	text := Timeit(func() { calls++; time.Sleep(20 * time.Millisecond) })
	m := regexp.MustCompile(`^([\d.]+) ms ± .* a call \(7 rounds of (\d+)\)$`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("Timeit says %q", text)
	}
	mean, err := strconv.ParseFloat(m[1], 64)
	each, err2 := strconv.Atoi(m[2])
	if err != nil || err2 != nil || mean < 20 || each < 2 || each > 60 || calls < rounds*each {
		t.Errorf("Timeit says %q after %d calls", text, calls)
	}
}

func TestShort(t *testing.T) {
	for ns, want := range map[float64]string{0: "0 ns", 25.25: "25.2 ns", 1500: "1.5 µs", 2e6: "2 ms", 3.14159e9: "3.14 s"} {
		if got := short(ns); got != want {
			t.Errorf("short(%g) = %q, want %q", ns, got, want)
		}
	}
}
