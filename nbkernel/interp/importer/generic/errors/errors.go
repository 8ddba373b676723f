// Package errors is the generic part of the standard package of this name.
package errors

import "errors"

// AsType returns the first error in the tree of err that is an E.
func AsType[E error](err error) (E, bool) {
	var target E
	ok := errors.As(err, &target)
	return target, ok
}
