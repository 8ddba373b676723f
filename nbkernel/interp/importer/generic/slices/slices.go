// Package slices is the source that cells get for the standard package of this name. Sorting
// is left to package sort, which is compiled.
package slices

import "cmp"

// Equal reports whether the slices have the same elements.
func Equal[S ~[]E, E comparable](s1, s2 S) bool {
	return EqualFunc(s1, s2, func(a, b E) bool { return a == b })
}

// EqualFunc is Equal with elements compared by eq.
func EqualFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, eq func(E1, E2) bool) bool {
	if len(s1) != len(s2) {
		return false
	}
	for i, v := range s1 {
		if !eq(v, s2[i]) {
			return false
		}
	}
	return true
}

// Compare compares the slices element by element.
func Compare[S ~[]E, E cmp.Ordered](s1, s2 S) int { return CompareFunc(s1, s2, cmp.Compare[E]) }

// CompareFunc is Compare with elements compared by compare.
func CompareFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](s1 S1, s2 S2, compare func(E1, E2) int) int {
	for i := range min(len(s1), len(s2)) {
		if c := compare(s1[i], s2[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(s1), len(s2))
}

// Index returns the index of the first v in s, or −1.
func Index[S ~[]E, E comparable](s S, v E) int {
	for i := range s {
		if s[i] == v {
			return i
		}
	}
	return -1
}

// IndexFunc returns the index of the first element that f accepts, or −1.
func IndexFunc[S ~[]E, E any](s S, f func(E) bool) int {
	for i := range s {
		if f(s[i]) {
			return i
		}
	}
	return -1
}

// Contains reports whether v is in s.
func Contains[S ~[]E, E comparable](s S, v E) bool { return Index(s, v) >= 0 }

// ContainsFunc reports whether f accepts an element of s.
func ContainsFunc[S ~[]E, E any](s S, f func(E) bool) bool { return IndexFunc(s, f) >= 0 }

// Insert puts v before s[i].
func Insert[S ~[]E, E any](s S, i int, v ...E) S {
	tail := s[i:]
	if len(v) == 0 {
		return s
	}
	n := len(s) + len(v)
	if n > cap(s) {
		r := append(s[:i:i], v...)
		return append(r, tail...)
	}
	added := append(S(nil), v...) // v may be part of s
	s = s[:n]
	copy(s[i+len(added):], tail)
	copy(s[i:], added)
	return s
}

// Delete removes s[i:j] and clears what it leaves free.
func Delete[S ~[]E, E any](s S, i, j int) S {
	_ = s[i:j:len(s)]
	if i == j {
		return s
	}
	n := len(s)
	s = append(s[:i], s[j:]...)
	clear(s[len(s):n])
	return s
}

// DeleteFunc removes the elements that del accepts.
func DeleteFunc[S ~[]E, E any](s S, del func(E) bool) S {
	kept := 0
	for _, v := range s {
		if !del(v) {
			s[kept] = v
			kept++
		}
	}
	clear(s[kept:])
	return s[:kept]
}

// Replace puts v in the place of s[i:j].
func Replace[S ~[]E, E any](s S, i, j int, v ...E) S {
	tail := Clone(s[j:])
	added := append(S(nil), v...)
	n := len(s)
	r := append(append(s[:i], added...), tail...)
	if len(r) < n {
		clear(s[len(r):n])
	}
	return r
}

// Clone returns a copy of s, nil if s is.
func Clone[S ~[]E, E any](s S) S {
	if s == nil {
		return nil
	}
	return append(S{}, s...)
}

// Compact keeps one of equal neighbours.
func Compact[S ~[]E, E comparable](s S) S {
	return CompactFunc(s, func(a, b E) bool { return a == b })
}

// CompactFunc is Compact with elements compared by eq.
func CompactFunc[S ~[]E, E any](s S, eq func(E, E) bool) S {
	if len(s) < 2 {
		return s
	}
	kept := 1
	for i := 1; i < len(s); i++ {
		if !eq(s[i], s[i-1]) {
			if kept != i {
				s[kept] = s[i]
			}
			kept++
		}
	}
	clear(s[kept:])
	return s[:kept]
}

// Grow makes room for n more elements.
func Grow[S ~[]E, E any](s S, n int) S {
	if n < 0 {
		panic("cannot be negative")
	}
	if n -= cap(s) - len(s); n > 0 {
		s = append(s[:cap(s)], make([]E, n)...)[:len(s)]
	}
	return s
}

// Clip drops the capacity beyond the length.
func Clip[S ~[]E, E any](s S) S { return s[:len(s):len(s)] }

// Reverse reverses s.
func Reverse[S ~[]E, E any](s S) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

// Concat returns the elements of all slices in a new one.
func Concat[S ~[]E, E any](slices ...S) S {
	var all S
	for _, s := range slices {
		all = append(all, s...)
	}
	return all
}

// Repeat returns s count times in a new slice.
func Repeat[S ~[]E, E any](x S, count int) S {
	if count < 0 {
		panic("cannot be negative")
	}
	all := make(S, 0, len(x)*count)
	for range count {
		all = append(all, x...)
	}
	return all
}
