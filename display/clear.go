package display

// A Clearer is a Sink that can take back what was shown.
type Clearer interface {
	// Clear removes all outputs of the cell that runs. With wait they stay until the next
	// output comes, so that a picture that is replaced does not flicker.
	Clear(wait bool) error
}

// Clear removes what the running cell has shown and printed so far; with wait, only when its
// next output comes. Where nothing can be taken back, as in a script, it does nothing.
func Clear(wait bool) {
	place.Lock()
	defer place.Unlock()
	sink, ok := currentSink().(Clearer)
	if !ok {
		return
	}
	if err := sink.Clear(wait); err != nil {
		panic(err)
	}
}
