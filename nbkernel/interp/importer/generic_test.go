package importer_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	ourcmp "eigenbook/nbkernel/interp/importer/generic/cmp"
	ouriter "eigenbook/nbkernel/interp/importer/generic/iter"
	ourmaps "eigenbook/nbkernel/interp/importer/generic/maps"
	ours "eigenbook/nbkernel/interp/importer/generic/slices"
)

// TestSlicesAsStandard compares our package slices with the standard one on random slices
// with spare capacity and on random arguments. The spare elements count too: Delete and its
// like clear them.
func TestSlicesAsStandard(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	even := func(x int) bool { return x%2 == 0 }
	near := func(a, b int) bool { return a/2 == b/2 }
	by := func(a, b int) int { return cmp.Compare(a%5, b%5) }
	for range 3000 {
		x := make([]int, r.IntN(8), 8+r.IntN(4))
		for i := range x[:cap(x)] {
			x[:cap(x)][i] = r.IntN(10)
		}
		y := slices.Clone(x)
		if len(y) > 0 && r.IntN(2) == 0 {
			y[r.IntN(len(y))]++
		}
		i := r.IntN(len(x) + 1)
		j := i + r.IntN(len(x)-i+1)
		v, n := x[i:j], r.IntN(4)
		for _, f := range []struct {
			name      string
			got, want func(s []int) any
		}{
			{"Sort", func(s []int) any { ours.Sort(s); return s }, func(s []int) any { slices.Sort(s); return s }},
			{"SortStableFunc", func(s []int) any { ours.SortStableFunc(s, by); return s }, func(s []int) any { slices.SortStableFunc(s, by); return s }},
			{"Insert", func(s []int) any { return ours.Insert(s, i, v...) }, func(s []int) any { return slices.Insert(s, i, v...) }},
			{"Insert part of itself", func(s []int) any { return ours.Insert(s, i, s[i:j]...) }, func(s []int) any { return slices.Insert(s, i, s[i:j]...) }},
			{"Delete", func(s []int) any { k := ours.Delete(s, i, j); return fmt.Sprint(k, s[:cap(s)]) }, func(s []int) any { k := slices.Delete(s, i, j); return fmt.Sprint(k, s[:cap(s)]) }},
			{"DeleteFunc", func(s []int) any { k := ours.DeleteFunc(s, even); return fmt.Sprint(k, s[:cap(s)]) }, func(s []int) any { k := slices.DeleteFunc(s, even); return fmt.Sprint(k, s[:cap(s)]) }},
			{"Replace", func(s []int) any { return ours.Replace(s, i, j, y...) }, func(s []int) any { return slices.Replace(s, i, j, y...) }},
			{"Replace by part of itself", func(s []int) any { return ours.Replace(s, i, j, s[:n*len(s)/4]...) }, func(s []int) any { return slices.Replace(s, i, j, s[:n*len(s)/4]...) }},
			{"Compact", func(s []int) any { k := ours.Compact(s); return fmt.Sprint(k, s[:cap(s)]) }, func(s []int) any { k := slices.Compact(s); return fmt.Sprint(k, s[:cap(s)]) }},
			{"CompactFunc", func(s []int) any { return ours.CompactFunc(s, near) }, func(s []int) any { return slices.CompactFunc(s, near) }},
			{"Compare", func(s []int) any { return ours.Compare(s, y) }, func(s []int) any { return slices.Compare(s, y) }},
			{"Equal", func(s []int) any { return ours.Equal(s, y) }, func(s []int) any { return slices.Equal(s, y) }},
			{"Index", func(s []int) any { return ours.Index(s, n) }, func(s []int) any { return slices.Index(s, n) }},
			{"ContainsFunc", func(s []int) any { return ours.ContainsFunc(s, even) }, func(s []int) any { return slices.ContainsFunc(s, even) }},
			{"Reverse", func(s []int) any { ours.Reverse(s); return s }, func(s []int) any { slices.Reverse(s); return s }},
			{"Concat", func(s []int) any { return ours.Concat(s, y, nil, s) }, func(s []int) any { return slices.Concat(s, y, nil, s) }},
			{"Repeat", func(s []int) any { return ours.Repeat(s, n) }, func(s []int) any { return slices.Repeat(s, n) }},
			{"Grow", func(s []int) any { g := ours.Grow(s, n*5); return []int{len(g), min(cap(g)-len(g), n*5)} },
				func(s []int) any { g := slices.Grow(s, n*5); return []int{len(g), min(cap(g)-len(g), n*5)} }},
			{"Clip", func(s []int) any { return cap(ours.Clip(s)) }, func(s []int) any { return cap(slices.Clip(s)) }},
			{"BinarySearch", func(s []int) any { slices.Sort(s); a, b := ours.BinarySearch(s, n*3); return fmt.Sprint(a, b) },
				func(s []int) any { slices.Sort(s); a, b := slices.BinarySearch(s, n*3); return fmt.Sprint(a, b) }},
			{"MaxFunc", func(s []int) any { return ours.MaxFunc(append(s, 3), by) }, func(s []int) any { return slices.MaxFunc(append(s, 3), by) }},
			{"MinFunc", func(s []int) any { return ours.MinFunc(append(s, 3), by) }, func(s []int) any { return slices.MinFunc(append(s, 3), by) }},
			{"Chunk", func(s []int) any {
				return fmt.Sprint(slices.Collect(func(y func([]int) bool) { ours.Chunk(s, n+1)(y) }))
			},
				func(s []int) any { return fmt.Sprint(slices.Collect(slices.Chunk(s, n+1))) }},
		} {
			copied := func() []int { return append(make([]int, 0, cap(x)), x[:cap(x)]...)[:len(x)] }
			if got, want := f.got(copied()), f.want(copied()); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s of %v (i=%d, j=%d, n=%d, y=%v) = %v, want %v", f.name, x, i, j, n, y, got, want)
			}
		}
	}
}

func TestFloatsAsStandard(t *testing.T) {
	values := []float64{math.NaN(), math.Inf(-1), -1, math.Copysign(0, -1), 0, 2, math.Inf(1)}
	for _, x := range values {
		for _, y := range values {
			if got, want := ourcmp.Compare(x, y), cmp.Compare(x, y); got != want {
				t.Errorf("Compare(%v, %v) = %d, want %d", x, y, got, want)
			}
			if got, want := ourcmp.Less(x, y), cmp.Less(x, y); got != want {
				t.Errorf("Less(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
	got, want := slices.Clone(values), slices.Clone(values)
	slices.Reverse(got)
	ours.Sort(got)
	slices.Sort(want)
	// the two zeros are equal, so their order is free
	if slices.CompareFunc(got, want, cmp.Compare[float64]) != 0 || !ours.IsSorted(got) || !math.IsNaN(ours.Max(got)) || !math.IsNaN(ours.Min(got)) {
		t.Errorf("sorted %v, want %v; max %v, min %v", got, want, ours.Max(got), ours.Min(got))
	}
}

func TestMapsAsStandard(t *testing.T) {
	m := map[string]int{"a": 1, "b": 2, "c": 3}
	if got := ourmaps.Collect(ourmaps.All(m)); !maps.Equal(got, m) || !ourmaps.Equal(got, m) {
		t.Errorf("collected %v from %v", got, m)
	}
	c := ourmaps.Clone(m)
	ourmaps.DeleteFunc(c, func(_ string, v int) bool { return v > 1 })
	if len(c) != 1 || len(m) != 3 || ourmaps.Clone(map[int]int(nil)) != nil || ourmaps.Equal(c, m) {
		t.Errorf("%v is left of a copy of %v", c, m)
	}
	if keys := ours.Sorted(ourmaps.Keys(m)); fmt.Sprint(keys) != "[a b c]" {
		t.Errorf("keys are %v", keys)
	}
}

// TestPull takes values one by one, stops early, and passes a panic on.
func TestPull(t *testing.T) {
	cleaned := false
	seq := func(yield func(int) bool) {
		defer func() { cleaned = true }()
		for i := 0; yield(i); i++ {
			if i == 5 {
				panic("five")
			}
		}
	}
	next, stop := ouriter.Pull(seq)
	for want := range 3 {
		if v, ok := next(); v != want || !ok {
			t.Fatalf("next = %d, %v, want %d", v, ok, want)
		}
	}
	stop()
	stop()
	if _, ok := next(); ok || !cleaned {
		t.Errorf("after stop next yields: %v, the sequence ended: %v", ok, cleaned)
	}
	next, stop = ouriter.Pull(seq)
	defer stop()
	defer func() {
		if r := recover(); r != "five" {
			t.Errorf("the panic is %v", r)
		}
	}()
	for {
		next()
	}
}
