// Package cache is the source that cells get for GoNB's package of this name. Values are kept
// as they are, in memory, as long as the process that runs cells lives; GoNB keeps them in
// files.
package cache

import (
	"fmt"

	"eigenbook/nbkernel/nb"
)

const prefix = "gonb/cache: "

// Cache returns the value that fn returned when Cache was first called with this key, and calls
// fn if that never happened. It panics if the value has another type.
func Cache[T any](key string, fn func() T) T {
	value := nb.Cached(prefix+key, func() any { return fn() })
	v, ok := value.(T)
	if !ok && value != nil {
		panic(fmt.Sprintf("cache: the value of %q is a %T; cache.ResetKey(%q) forgets it", key, value, key))
	}
	return v
}

// ResetKey forgets the value of a key.
func ResetKey(key string) error {
	nb.Forget(prefix + key)
	return nil
}

// Reset forgets all values, those of nb.Cached with them.
func Reset() error {
	nb.Forget()
	return nil
}
