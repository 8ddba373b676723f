// Package cmp is the source that cells get for the standard package of this name.
package cmp

// Ordered is any type whose values < orders.
type Ordered interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64 | ~string
}

// Less reports whether x comes before y; a NaN comes first.
func Less[T Ordered](x, y T) bool { return x < y || isNaN(x) && !isNaN(y) }

// Compare returns −1, 0 or +1 as x comes before y, is equal to it or comes after it.
func Compare[T Ordered](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return +1
	case x == y || isNaN(x) && isNaN(y):
		return 0
	case isNaN(x):
		return -1
	}
	return +1
}

func isNaN[T Ordered](x T) bool { return !(x == x) }

// Or returns the first value that is not zero.
func Or[T comparable](vals ...T) T {
	var zero T
	for _, v := range vals {
		if v != zero {
			return v
		}
	}
	return zero
}
