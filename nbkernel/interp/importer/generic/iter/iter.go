// Package iter is the source that cells get for the standard package of this name.
package iter

// Seq yields values.
type Seq[V any] func(yield func(V) bool)

// Seq2 yields pairs.
type Seq2[K, V any] func(yield func(K, V) bool)

// Pull returns functions that take the values of seq one by one and that end it.
func Pull[V any](seq Seq[V]) (next func() (V, bool), stop func()) {
	pair, stop := Pull2(func(yield func(V, struct{}) bool) {
		seq(func(v V) bool { return yield(v, struct{}{}) })
	})
	next = func() (V, bool) {
		v, _, ok := pair()
		return v, ok
	}
	return next, stop
}

// Pull2 is Pull for pairs. The sequence runs on a goroutine that moves only while a call of
// next or stop waits for it; what it panics with, that call panics with.
func Pull2[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	type item struct {
		k     K
		v     V
		ok    bool
		panic any
	}
	goOn, items := make(chan bool), make(chan item)
	started, ended := false, false
	run := func() {
		last := item{}
		defer func() {
			last.panic = recover()
			items <- last
		}()
		seq(func(k K, v V) bool {
			items <- item{k: k, v: v, ok: true}
			return <-goOn
		})
	}
	receive := func() item {
		i := <-items
		ended = !i.ok
		if i.panic != nil {
			panic(i.panic)
		}
		return i
	}
	next = func() (K, V, bool) {
		var none item
		switch {
		case ended:
			return none.k, none.v, false
		case !started:
			started = true
			go run()
		default:
			goOn <- true
		}
		i := receive()
		return i.k, i.v, i.ok
	}
	stop = func() {
		switch {
		case ended:
		case !started:
			started, ended = true, true
		default:
			goOn <- false
			receive()
			ended = true
		}
	}
	return next, stop
}
