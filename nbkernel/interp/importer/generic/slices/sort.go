package slices

import (
	"cmp"
	"sort"
)

// Sort sorts x; NaNs come first.
func Sort[S ~[]E, E cmp.Ordered](x S) {
	switch y := any(x).(type) {
	case []int:
		sort.Ints(y)
	case []float64:
		sort.Float64s(y)
	case []string:
		sort.Strings(y)
	default:
		sort.Slice(x, func(i, j int) bool { return cmp.Less(x[i], x[j]) })
	}
}

// SortFunc sorts x by compare.
func SortFunc[S ~[]E, E any](x S, compare func(a, b E) int) { SortStableFunc(x, compare) }

// SortStableFunc sorts x by compare and keeps the order of equal elements.
func SortStableFunc[S ~[]E, E any](x S, compare func(a, b E) int) {
	sort.SliceStable(x, func(i, j int) bool { return compare(x[i], x[j]) < 0 })
}

// IsSorted reports whether x is sorted.
func IsSorted[S ~[]E, E cmp.Ordered](x S) bool { return IsSortedFunc(x, cmp.Compare[E]) }

// IsSortedFunc reports whether x is sorted by compare.
func IsSortedFunc[S ~[]E, E any](x S, compare func(a, b E) int) bool {
	for i := 1; i < len(x); i++ {
		if compare(x[i], x[i-1]) < 0 {
			return false
		}
	}
	return true
}

// Min returns the smallest element; it is NaN if one is.
func Min[S ~[]E, E cmp.Ordered](x S) E {
	if len(x) == 0 {
		panic("slices.Min: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		m = min(m, v)
	}
	return m
}

// MinFunc returns the first of the smallest elements by compare.
func MinFunc[S ~[]E, E any](x S, compare func(a, b E) int) E {
	if len(x) == 0 {
		panic("slices.MinFunc: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		if compare(v, m) < 0 {
			m = v
		}
	}
	return m
}

// Max returns the largest element; it is NaN if one is.
func Max[S ~[]E, E cmp.Ordered](x S) E {
	if len(x) == 0 {
		panic("slices.Max: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		m = max(m, v)
	}
	return m
}

// MaxFunc returns the first of the largest elements by compare.
func MaxFunc[S ~[]E, E any](x S, compare func(a, b E) int) E {
	if len(x) == 0 {
		panic("slices.MaxFunc: empty list")
	}
	m := x[0]
	for _, v := range x[1:] {
		if compare(v, m) > 0 {
			m = v
		}
	}
	return m
}

// BinarySearch returns where target is in the sorted x, or belongs, and whether it is there.
func BinarySearch[S ~[]E, E cmp.Ordered](x S, target E) (int, bool) {
	return BinarySearchFunc(x, target, cmp.Compare[E])
}

// BinarySearchFunc is BinarySearch in what compare sorted.
func BinarySearchFunc[S ~[]E, E, T any](x S, target T, compare func(E, T) int) (int, bool) {
	low, high := 0, len(x)
	for low < high {
		middle := low + (high-low)/2
		if compare(x[middle], target) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(x) && compare(x[low], target) == 0
}
