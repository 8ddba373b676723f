package display

// A Bar is a progress display that is updated in place.
type Bar struct{}

// Progress starts a progress display for total steps; total 0 means that their number
// is not known.
func Progress(name string, total int) *Bar { return &Bar{} }

// Set says that done steps are done. It is cheap: most calls show nothing.
func (b *Bar) Set(done int) {}

// Add says that n more steps are done.
func (b *Bar) Add(n int) {}

// Note sets a short text that is shown behind the count.
func (b *Bar) Note(text string) {}

// Finish shows the final state. Later calls do nothing.
func (b *Bar) Finish() {}
