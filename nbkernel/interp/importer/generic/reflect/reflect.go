// Package reflect is the generic part of the standard package of this name.
package reflect

import "reflect"

// TypeFor returns the type that T is to the interpreter.
func TypeFor[T any]() reflect.Type {
	var p *T
	return reflect.TypeOf(p).Elem()
}
