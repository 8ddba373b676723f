package nb

import "sync"

var cache = struct {
	sync.Mutex
	entries map[string]*entry
}{entries: map[string]*entry{}}

// An entry is computed once, by the first caller; others wait for it.
type entry struct {
	sync.Mutex
	done  bool
	value any
}

// Cached returns the value that f returned when Cached was first called with this key in this
// process, and calls f if that never happened. Put into the key what f depends on, so that a
// changed input is a changed key:
//
//	key := fmt.Sprintf("digits n=%d gamma=%g", n, gamma)
//	k := nb.Cached(key, func() any { return gramMatrix(n, gamma) }).(*mat.SymDense)
//
// Nothing is stored if f panics. The value is shared and not copied: do not modify it.
func Cached(key string, f func() any) any {
	cache.Lock()
	e := cache.entries[key]
	if e == nil {
		e = &entry{}
		cache.entries[key] = e
	}
	cache.Unlock()

	e.Lock()
	defer e.Unlock()
	if !e.done {
		e.value = f()
		e.done = true
	}
	return e.value
}

// Forget drops the cached values of the keys, or all cached values if no key is given.
func Forget(keys ...string) {
	cache.Lock()
	defer cache.Unlock()
	if len(keys) == 0 {
		clear(cache.entries)
	}
	for _, k := range keys {
		delete(cache.entries, k)
	}
}
