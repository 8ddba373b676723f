package check_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"eigenbook/lib/check"

	"gonum.org/v1/gonum/mat"
)

var nan, inf = math.NaN(), math.Inf(1)

// run calls claim and returns what it printed and the Failure it panicked with.
func run(t *testing.T, claim func()) (line string, failure *check.Failure) {
	t.Helper()
	var b bytes.Buffer
	previous := check.SetOutput(&b)
	defer check.SetOutput(previous)
	func() {
		defer func() {
			switch v := recover().(type) {
			case nil:
			case check.Failure:
				failure = &v
			default:
				t.Errorf("panicked with %T %v, want a check.Failure", v, v)
			}
		}()
		claim()
	}()
	if (failure == nil) != (b.Len() > 0) {
		t.Errorf("printed %q with failure %v; want a line or a failure", b.String(), failure)
	}
	return b.String(), failure
}

func TestLineOfClaimThatHolds(t *testing.T) {
	third := 1.0 / 3
	for _, tc := range []struct {
		want string
		call func()
	}{
		{"✓ c: 0.8162 = 0.8162 within 1e-12", func() { check.Near("c", 0.8162+1e-16, 0.8162, 1e-12) }},
		{"✓ c: 0.8371 ≈ 0.82 within 0.05", func() { check.Near("c", 0.8371, 0.82, 0.05) }},
		{"✓ c: 0 = 0 within 1e-12", func() { check.Near("c", 3e-17, 0, 1e-12) }},
		{"✓ c: 0 = 0 within 1e-12", func() { check.Near("c", math.Copysign(0, -1), 2e-17, 1e-12) }},
		{"✓ c: 3e-05 ≈ 0 within 0.001", func() { check.Near("c", 3e-5, 0, 1e-3) }},
		{"✓ c: 31.6218 = 31.6218 within 1e-10", func() { check.Near("c", 31.62178339443738, 31.621783394437, 1e-10) }},
		{"✓ c: 1797 = 1797 within 0", func() { check.Near("c", 1797, 1797, 0) }},
		{"✓ c: +Inf = +Inf within 0", func() { check.Near("c", inf, inf, 0) }},
		{"✓ c: 4.18439e-08 ≈ 4.2e-08 within 0.01 of its size", func() { check.Relative("c", 4.18439e-8, 4.2e-8, 0.01) }},
		{"✓ c: 1, 0.333333, 2 values within 1e-12", func() { check.NearAll("c", []float64{1, third}, []float64{1, third}, 1e-12) }},
		{"✓ c: 5, 4, 3, 2, …, 5 values within 0", func() { check.NearAll("c", []float64{5, 4, 3, 2, 1}, []float64{5, 4, 3, 2, 1}, 0) }},
		{"✓ c: 2×3 entries within 1e-12", func() {
			check.Matrix("c", mat.NewDense(2, 3, nil), mat.NewDense(2, 3, nil), 1e-12)
		}},
		{"✓ c: 1 < 2", func() { check.Less("c", 1, 2) }},
		{"✓ c: < 1e-12", func() { check.Less("c", 3.3e-16, 1e-12) }},
		{"✓ c: 0.5 ≤ 0.75", func() { check.AtMost("c", 0.5, 0.75) }},
		{"✓ c: 2 = 2", func() { check.AtMost("c", 2, 2) }},
		{"✓ c: 0.25 in [0, 1]", func() { check.Within("c", 0.25, 0, 1) }},
		{"✓ c: 0 in [-1, 1]", func() { check.Within("c", 1e-17, -1, 1) }},
		{"✓ c", func() { check.True("c", true) }},
		{"✓ c", func() { check.NoError("c", nil) }},
		{"✓ c: 13", func() { check.Equal("c", 13, 13) }},
		{"✓ c: 13", func() { check.Equal("c", uint8(13), int64(13)) }},
		{`✓ c: "setosa"`, func() { check.Equal("c", "setosa", "setosa") }},
		{"✓ c: [1 2]", func() { check.Equal("c", []int{1, 2}, []int{1, 2}) }},
		{"✓ c: wrapped: boom", func() { check.Error("c", fmt.Errorf("wrapped: %w", errBoom), errBoom) }},
		{"✓ c: slope 2 = 2 within 1e-06 over 3 points", func() {
			check.Slope("c", []float64{1, 10, 100}, []float64{3, 300, 30000}, 2, 1e-6)
		}},
	} {
		if line, failure := run(t, tc.call); failure != nil || line != tc.want+"\n" {
			t.Errorf("printed %q, failure %v; want %q", line, failure, tc.want)
		}
	}
}

var errBoom = errors.New("boom")

func TestFailures(t *testing.T) {
	one, two := mat.NewDense(1, 1, []float64{1}), mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	for _, tc := range []struct {
		name string
		want []string // parts of the message
		call func()
	}{
		{"near", []string{"σ²", "0.816201", "0.8173", "0.0011"}, func() { check.Near("σ²", 0.816201, 0.8173, 1e-3) }},
		{"just outside", []string{"allowed 0.001"}, func() { check.Near("c", 1.00101, 1, 1e-3) }},
		{"NaN", []string{"got NaN, want 1"}, func() { check.Near("c", nan, 1, 10) }},
		{"NaN wanted", []string{"want NaN"}, func() { check.Near("c", nan, nan, 10) }},
		{"infinite want", []string{"want +Inf"}, func() { check.Near("c", 1, inf, 1) }},
		{"infinite got", []string{"got +Inf"}, func() { check.Near("c", inf, 1e308, 100) }},
		{"tolerance NaN", []string{"tolerance is NaN"}, func() { check.Near("c", 1, 1, nan) }},
		{"tolerance infinite", []string{"tolerance is +Inf"}, func() { check.Near("c", 1, 2, inf) }},
		{"tolerance negative", []string{"tolerance is -1"}, func() { check.NearAll("c", nil, nil, -1) }},
		{"relative of small", []string{"4.3e-08"}, func() { check.Relative("c", 4.3e-8, 4.2e-8, 0.01) }},
		{"lengths", []string{"got 1 values, want 2"}, func() { check.NearAll("c", make([]float64, 1), make([]float64, 2), 1) }},
		{"nothing", []string{"no values"}, func() { check.NearAll("c", nil, []float64{}, 1) }},
		{"worst value", []string{"[2] of 3", "got 7, want 3"}, func() {
			check.NearAll("c", []float64{1, 2.5, 7}, []float64{1, 2, 3}, 1e-9)
		}},
		{"NaN among values", []string{"[1] of 3", "NaN"}, func() {
			check.NearAll("c", []float64{9, nan, 7}, []float64{1, 2, 3}, 1e-9)
		}},
		{"NaN last", []string{"[1] of 2", "NaN"}, func() { check.NearAll("c", []float64{1, nan}, []float64{1, 2}, 1) }},
		{"matrix shape", []string{"1×1", "2×2"}, func() { check.Matrix("c", one, two, 1) }},
		{"matrix nil", []string{"must be matrices"}, func() { check.Matrix("c", nil, two, 1) }},
		{"matrix empty", []string{"0×0"}, func() { check.Matrix("c", &mat.Dense{}, &mat.Dense{}, 1) }},
		{"matrix entry", []string{"entry (1, 0)", "got 3, want 2"}, func() { check.Matrix("c", two, two.T(), 1e-3) }},
		{"less", []string{"2 is not less than 2"}, func() { check.Less("c", 2, 2) }},
		{"less NaN", []string{"NaN"}, func() { check.Less("c", nan, 2) }},
		{"at most", []string{"3 is more than 2", "= 1"}, func() { check.AtMost("c", 3, 2) }},
		{"at most NaN", []string{"NaN"}, func() { check.AtMost("c", 1, nan) }},
		{"below interval", []string{"below it by 1"}, func() { check.Within("c", 0, 1, 2) }},
		{"above interval", []string{"above it by 1"}, func() { check.Within("c", 3, 1, 2) }},
		{"NaN in interval", []string{"NaN"}, func() { check.Within("c", nan, -inf, inf) }},
		{"empty interval", []string{"empty"}, func() { check.Within("c", 1, 2, 1) }},
		{"NaN bound", []string{"empty"}, func() { check.Within("c", 1, nan, 1) }},
		{"true", []string{"does not hold: c"}, func() { check.True("c", false) }},
		{"no error", []string{"boom"}, func() { check.NoError("c", errBoom) }},
		{"error missing", []string{"no error"}, func() { check.Error("c", nil, nil) }},
		{"other error", []string{"boom", "short"}, func() { check.Error("c", errBoom, errors.New("short")) }},
		{"equal", []string{"got 13, want 14"}, func() { check.Equal("c", 13, 14) }},
		{"equal across sign", []string{"-1"}, func() { check.Equal("c", -1, uint64(math.MaxUint64)) }},
		{"equal types", []string{`"1"`}, func() { check.Equal("c", "1", 1) }},
		{"equal NaN", []string{"NaN"}, func() { v := []float64{nan}; check.Equal("c", v, v) }},
		{"equal NaN in a struct", []string{"NaN"}, func() { v := struct{ V []float64 }{[]float64{nan}}; check.Equal("c", v, v) }},
		{"equal NaN behind a pointer", nil, func() { v := mat.NewDense(1, 1, []float64{nan}); check.Equal("c", v, v) }},
		{"equal NaN among any", []string{"NaN"}, func() { v := []any{1, nan}; check.Equal("c", v, v) }},
		{"equal complex NaN", []string{"NaN"}, func() { v := []complex128{complex(0, nan)}; check.Equal("c", v, v) }},
		{"equal NaN in itself", nil, func() {
			type ring struct {
				next *ring
				v    float64
			}
			r := &ring{v: nan}
			r.next = r
			check.Equal("c", r, r)
		}},
		{"nil matrix", []string{"must be matrices"}, func() { check.Matrix("c", (*mat.Dense)(nil), mat.NewDense(1, 1, nil), 1) }},
		{"equal nil", []string{"<nil>"}, func() { check.Equal("c", nil, 1) }},
		{"slope", []string{"slope 2", "want 3"}, func() { check.Slope("c", []float64{1, 2}, []float64{1, 4}, 3, 0.1) }},
		{"slope of zero", []string{"[1]", "(2, 0)"}, func() { check.Slope("c", []float64{1, 2}, []float64{1, 0}, 3, 0.1) }},
		{"slope of NaN", []string{"[0]"}, func() { check.Slope("c", []float64{nan, 2}, []float64{1, 1}, 3, 0.1) }},
		{"slope of one x", []string{"no slope"}, func() { check.Slope("c", []float64{3, 3, 3}, []float64{1, 2, 3}, 3, 0.1) }},
		{"slope of one point", []string{"at least 2"}, func() { check.Slope("c", []float64{3}, []float64{1}, 3, 0.1) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, failure := run(t, tc.call)
			if failure == nil {
				t.Fatal("the claim passed")
			}
			for _, part := range tc.want {
				if !strings.Contains(failure.Error(), part) {
					t.Errorf("message %q does not contain %q", failure.Error(), part)
				}
			}
		})
	}
}

// TestTextDoesNotShowRounding: the line of a claim is the same when the numbers differ in last bits.
func TestTextDoesNotShowRounding(t *testing.T) {
	for _, want := range []float64{0, 1, 0.81620, -2.5e-7, 1.0 / 3, 31.62178339443738, 123456.5, 6.02e23} {
		first := ""
		for k := -3; k <= 3; k++ {
			got := want + float64(k)*1e-16*math.Max(1, math.Abs(want))
			line, failure := run(t, func() { check.Near("c", got, want, 1e-12) })
			if failure != nil {
				t.Fatal(failure)
			}
			if first == "" {
				first = line
			}
			if line != first {
				t.Errorf("%g: printed %q and %q", want, first, line)
			}
		}
	}
}

func TestFailureIsError(t *testing.T) {
	var err error = check.Failure{Claim: "a", Detail: "b"}
	var f check.Failure
	if !errors.As(fmt.Errorf("cell 3: %w", err), &f) || f.Claim != "a" {
		t.Errorf("errors.As found %v", f)
	}
}

func TestConcurrentLinesStayWhole(t *testing.T) {
	var b bytes.Buffer
	defer check.SetOutput(check.SetOutput(&b))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				check.Near("claim", 1, 1, 0)
			}
		})
	}
	wg.Wait()
	if got, want := b.String(), strings.Repeat("✓ claim: 1 = 1 within 0\n", 400); got != want {
		t.Errorf("400 lines were mixed up: %d bytes, want %d", len(got), len(want))
	}
}
