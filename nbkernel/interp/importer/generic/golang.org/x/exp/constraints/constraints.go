// Package constraints is the source that cells get for the package of this name, whose
// constraints bound the type parameters of many generic functions.
package constraints

import "cmp"

// Signed is satisfied by all signed integer types.
type Signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

// Unsigned is satisfied by all unsigned integer types.
type Unsigned interface {
	~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Integer is satisfied by all integer types.
type Integer interface {
	Signed | Unsigned
}

// Float is satisfied by all floating-point types.
type Float interface {
	~float32 | ~float64
}

// Complex is satisfied by all complex types.
type Complex interface {
	~complex64 | ~complex128
}

// Ordered is satisfied by all types with an order.
type Ordered = cmp.Ordered
