// Package display turns numbers into figures, tables and text that can be read in a
// notebook, a terminal, a report and a test.
//
// A figure is a value; showing it is a second step:
//
//	fig := display.Spectrum(lambda, display.SpectrumOptions{Kept: 3, Log: true})
//	display.Show(fig)
//
// Each constructor returns one value. It takes slices and gonum matrices, knows no model, and
// reads what it needs before it returns, so that later changes of the data change no
// figure. Options are a struct whose zero value is usable and which may be left out:
// display.Spectrum(lambda) alone is a figure. Options given twice are an error.
//
// Show finds out where it runs:
//
//   - in nbkernel and in tests a Sink is registered with SetSink and receives the bundle;
//   - in GoNB the bundle goes through gonbui, all MIME types in one message;
//   - elsewhere, in a script, pictures are written as PNG files to the folder named by the
//     environment variable EIGENBOOK_SHOW, or to a new temporary folder, and the path is
//     printed on standard error; terminals that can show pictures (kitty, iTerm2, WezTerm,
//     Ghostty) show them in place. The text form is printed on standard output, which
//     therefore is the same on every run.
//
// Each result is one Bundle: image/png for figures, text/plain always. The text of a figure
// is a summary with its main numbers, for a screen reader and for a comparison by text. Equal
// input gives equal bytes.
//
// # Input that cannot be drawn
//
// NaN, infinities, empty and ragged input, wrong lengths and sizes beyond a figure's limit
// are reported by Bundle, Render and PNG as an error that wraps ErrInput and names the
// value, its place and the valid range. Show panics with that error, so that the cell or the
// script fails. Values that only an axis cannot show (zero on a logarithmic axis) are drawn
// at its edge and counted in the caption.
//
// # Colours
//
// Continuous values use a perceptually ordered map from dark to light, which keeps its order
// in grey print; signed values one from blue to red with white at zero. Classes use the
// palette of Okabe and Ito, told apart by colour-blind readers, and differ in marker shape
// as well.
package display

import (
	"errors"
	"fmt"
	"strings"
)

// ErrInput is wrapped by every error about values that cannot be drawn.
var ErrInput = errors.New("display: invalid input")

// only returns the options a constructor was given: none means the zero value.
func only[T any](name string, opts []T) (T, error) {
	var zero T
	switch len(opts) {
	case 0:
		return zero, nil
	case 1:
		return opts[0], nil
	}
	return zero, fmt.Errorf("%w: %s got %d options values, want at most 1", ErrInput, name, len(opts))
}

// join returns the non-empty parts with sep between them.
func join(sep string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}
