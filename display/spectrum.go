package display

import (
	"fmt"
	"math"
)

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

// spectrum is what the figure draws.
type spectrum struct {
	SpectrumOptions
	values []float64 // all of them
	share  []float64 // cumulative share of the total; nil if the total is zero
	shown  int       // values drawn
	floor  float64
	low    float64 // smallest value that a logarithmic axis shows
	hidden int     // drawn values at or below the lower edge of a logarithmic axis
}

// maxDrawnValues is the number of eigenvalues that are drawn in less than a second.
const maxDrawnValues = 100_000

// Spectrum draws a scree of eigenvalues in descending order, with the noise floor, and the
// cumulative explained share beside it. Values that a logarithmic axis cannot show, zero and
// below or less than 10⁻¹⁸ of the first, are drawn at its lower edge and counted.
func Spectrum(values []float64, opts ...SpectrumOptions) *Figure {
	o, err := only("Spectrum", opts)
	if err == nil {
		err = o.check(values)
	}
	if err != nil {
		return failed(err)
	}
	p := newSpectrum(append([]float64(nil), values...), o)
	return newFigure("Spectrum", o.Width, o.Height, defaultWidth, 340, p.String(), p.paint)
}

// check reports values and options that do not make a spectrum.
func (o SpectrumOptions) check(values []float64) error {
	if len(values) == 0 {
		return fmt.Errorf("%w: Spectrum: no values, want at least 1", ErrInput)
	}
	if len(values) > maxPoints {
		return fmt.Errorf("%w: Spectrum: %d values, want at most %d", ErrInput, len(values), maxPoints)
	}
	if err := checkValues("Spectrum: values", values); err != nil {
		return err
	}
	sum := 0.0
	for i, v := range values {
		if i > 0 && v > values[i-1]+1e-9*math.Abs(values[0]) {
			return fmt.Errorf("%w: Spectrum: values[%d] is %v, want at most values[%d] = %v: eigenvalues in descending order",
				ErrInput, i, v, i-1, values[i-1])
		}
		sum += math.Max(0, v)
	}
	switch {
	case o.Kept < 0 || o.Kept > len(values):
		return fmt.Errorf("%w: Spectrum: Kept is %d, want 0 to %d for %d values", ErrInput, o.Kept, len(values), len(values))
	case o.Max < 0 || o.Max > maxDrawnValues:
		return fmt.Errorf("%w: Spectrum: Max is %d, want 0 to %d", ErrInput, o.Max, maxDrawnValues)
	case o.Observations < 0:
		return fmt.Errorf("%w: Spectrum: Observations is %d, want 0 or more", ErrInput, o.Observations)
	case !(o.NoiseVariance >= 0 && o.NoiseVariance <= maxDrawable):
		return fmt.Errorf("%w: Spectrum: NoiseVariance is %v, want a finite number, 0 or more", ErrInput, o.NoiseVariance)
	case o.Total != 0 && !(o.Total >= sum*(1-1e-6) && o.Total <= maxDrawable):
		return fmt.Errorf("%w: Spectrum: Total is %v, want at least the sum of the values, %v", ErrInput, o.Total, sum)
	}
	return nil
}

// newSpectrum computes shares, floor and range.
func newSpectrum(values []float64, o SpectrumOptions) *spectrum {
	if o.Max == 0 {
		o.Max = 60
	}
	if o.YLabel == "" {
		o.YLabel = "eigenvalue"
	}
	p := &spectrum{SpectrumOptions: o, values: values, shown: min(o.Max, len(values))}
	p.floor = o.NoiseVariance * float64(max(1, o.Observations))
	sum := 0.0
	for _, v := range values {
		sum += math.Max(0, v)
		p.share = append(p.share, sum)
	}
	total := math.Max(o.Total, sum)
	for i := range p.share {
		p.share[i] /= total
	}
	if total == 0 {
		p.share = nil
	}
	p.low = math.Inf(1)
	for _, v := range values[:p.shown] {
		if v > 0 && v >= 1e-18*values[0] {
			p.low = math.Min(p.low, v)
		} else {
			p.hidden++
		}
	}
	return p
}

// String is the figure's text form.
func (p *spectrum) String() string {
	last := settle(p.values[len(p.values)-1], p.values[0])
	text := fmt.Sprintf("Spectrum: %d eigenvalues %s … %s", len(p.values), number(p.values[0], 4), number(last, 4))
	if len(p.values) == 1 {
		text = fmt.Sprintf("Spectrum: 1 eigenvalue %s", number(p.values[0], 4))
	}
	if p.NoiseVariance > 0 {
		text += fmt.Sprintf(", noise floor σ² = %s", number(p.NoiseVariance, 4))
		if p.Observations > 0 {
			text += fmt.Sprintf(" (N σ² = %s)", number(p.floor, 4))
		}
		if p.Kept > 0 && p.Kept < len(p.values) {
			text += fmt.Sprintf(" from %d", p.Kept+1)
		}
	}
	if p.share != nil && p.Kept > 0 {
		text += fmt.Sprintf(", explained %s at q = %d", number(p.share[p.Kept-1], 4), p.Kept)
	}
	return join("\n", text, p.Title)
}

// paint draws the scree and the shares side by side.
func (p *spectrum) paint(s *surface, r rect) {
	r = r.inset(8, 8, 8, 8)
	if p.Title != "" {
		r.y0 = s.paragraph(titleInk, r, p.Title) + 2
	}
	if p.logarithmic() && p.hidden > 0 {
		r.y1 = s.footnote(r, fmt.Sprintf("%d of %d values at or below zero (or 10⁻¹⁸ of the first) stand at the lower edge.", p.hidden, p.shown))
	}
	if p.share == nil {
		p.paintScree(s, r)
		return
	}
	cut := r.x0 + 0.6*r.w()
	p.paintScree(s, rect{r.x0, r.y0, cut - 10, r.y1})
	p.paintShare(s, rect{cut + 10, r.y0, r.x1, r.y1})
}

// paintScree draws the eigenvalues.
func (p *spectrum) paintScree(s *surface, r rect) {
	a := axes{xLabel: "index", yLabel: p.YLabel, x: p.indices()}
	size := 1.0
	if p.shown > 30 {
		size = 0.75
	}
	keptMark, restMark := s.newMarker(shapes[0], 3.6*size, 0.8), s.newMarker(shapes[1], 3.2*size, 0.8)
	kept, rest := classColors[0], classColors[3]
	low, high := math.Min(0, p.values[p.shown-1]), math.Max(p.values[0], p.floor)
	a.y = linearScale(low, high, 0.05)
	if low == 0 && high > 0 {
		a.y.min = 0
	}
	if p.logarithmic() {
		low = p.low
		if p.floor > 0 {
			low = math.Min(low, p.floor)
		}
		a.y = logScale(low, high, 0.05)
	}
	if p.Kept > 0 {
		a.legend = append(a.legend, legendItem{name: fmt.Sprintf("kept (q = %d)", p.Kept), mark: shapes[0], color: kept})
		if p.Kept < len(p.values) {
			a.legend = append(a.legend, legendItem{name: "discarded", mark: shapes[1], color: rest})
		}
	}
	floorLine := stroke{color: classColors[1], width: 1.6, dashes: []float64{6, 4}}
	if p.floor > 0 {
		name := "noise floor σ² = " + number(p.NoiseVariance, 3)
		if p.Observations > 0 {
			name = "noise floor N σ² = " + number(p.floor, 3)
		}
		a.legend = append(a.legend, legendItem{name: name, line: &floorLine})
	}
	a.draw(s, r, func(f *frame) {
		if p.floor > 0 {
			f.curve(floorLine, []float64{a.x.min, a.x.max}, []float64{p.floor, p.floor})
		}
		var xs, ys []float64
		for i, v := range p.values[:p.shown] {
			if p.logarithmic() && v < p.low {
				v = a.y.min
			}
			xs, ys = append(xs, float64(i+1)), append(ys, v)
		}
		f.curve(stroke{color: axisColor, width: 1}, xs, ys)
		for i := range xs {
			mark, c := keptMark, kept
			if p.Kept > 0 && i >= p.Kept {
				mark, c = restMark, rest
			}
			x, y := f.at(xs[i], ys[i])
			f.stamp(mark, c, 1, x, y)
		}
	})
}

// paintShare draws the cumulative explained share.
func (p *spectrum) paintShare(s *surface, r rect) {
	a := axes{xLabel: "components", yLabel: "explained share", x: p.indices(), y: scale{min: 0, max: 1.03}}
	cut := stroke{color: faintColor, width: 1.2, dashes: []float64{3, 3}}
	if p.Kept > 0 {
		a.legend = []legendItem{{name: fmt.Sprintf("%s at q = %d", number(p.share[p.Kept-1], 3), p.Kept), line: &cut}}
	}
	a.draw(s, r, func(f *frame) {
		if p.Kept > 0 && p.Kept <= p.shown {
			at := p.share[p.Kept-1]
			f.curve(cut, []float64{float64(p.Kept), float64(p.Kept), a.x.min}, []float64{0, at, at})
		}
		var xs []float64
		for i := range p.shown {
			xs = append(xs, float64(i+1))
		}
		f.curve(stroke{color: classColors[0], width: 1.8}, xs, p.share[:p.shown])
		mark := s.newMarker(shapes[0], 2.6, 0.6)
		for i, v := range p.share[:p.shown] {
			x, y := f.at(xs[i], v)
			f.stamp(mark, classColors[0], 1, x, y)
		}
	})
}

// indices returns the scale of the index axis.
func (p *spectrum) indices() scale {
	return scale{min: 0.4, max: float64(p.shown) + 0.6, whole: true}
}

// logarithmic reports whether the axis is; without a positive value it cannot be.
func (p *spectrum) logarithmic() bool { return p.Log && !math.IsInf(p.low, 1) }
