package display

import (
	"math"
	"sort"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// An ink is how text is drawn.
type ink struct {
	size    float64 // CSS pixels
	bold    bool
	faint   bool    // grey instead of near black
	white   bool    // white, as the rim of text over data
	align   float64 // 0 starts at x, 0.5 is centred on it, 1 ends there
	upwards bool    // turned a quarter to the left
}

// Inks of the parts of a figure.
var (
	titleInk  = ink{size: 14, bold: true}
	labelInk  = ink{size: 12.5}
	tickInk   = ink{size: 11.5, faint: true}
	legendInk = ink{size: 12}
	noteInk   = ink{size: 11, faint: true}
)

// face returns the font of the ink, scaled.
func (k ink) face(scale float64) font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: font.Length(k.size * scale)}
	if k.bold {
		f.Weight = xfont.WeightBold
	}
	return plot.DefaultTextHandler.Cache().Lookup(f, f.Size)
}

// A run is a piece of text on the line, above it or below it.
type run struct {
	text  string
	level int // 1 raised, -1 lowered
}

// raised and lowered characters are drawn from their plain forms: the font lacks some of them.
var (
	raised  = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "⁻", "−", "⁺", "+", "ᵀ", "T", "ⁿ", "n")
	lowered = strings.NewReplacer("₀", "0", "₁", "1", "₂", "2", "₃", "3", "₄", "4", "₅", "5", "₆", "6", "₇", "7", "₈", "8", "₉", "9", "ᵢ", "i", "ⱼ", "j", "ₖ", "k", "ₙ", "n", "ₚ", "p")
	// others replaces what the font has no glyph for.
	others = strings.NewReplacer("≪", "<<", "≫", ">>", "\t", " ", "\n", " ", "\r", " ")
)

// scriptScale is the size of raised and lowered text.
const scriptScale = 0.72

// runs splits text where it rises above the line or sinks below it.
func runs(text string) []run {
	var out []run
	for _, r := range others.Replace(clean(text)) {
		next := run{text: string(r)}
		if s := raised.Replace(next.text); s != next.text {
			next = run{s, 1}
		} else if s := lowered.Replace(next.text); s != next.text {
			next = run{s, -1}
		}
		if n := len(out); n > 0 && out[n-1].level == next.level {
			out[n-1].text += next.text
			continue
		}
		out = append(out, next)
	}
	return out
}

// runWidth returns the width of one run and its font.
func runWidth(k ink, r run) (font.Face, float64) {
	scale := 1.0
	if r.level != 0 {
		scale = scriptScale
	}
	face := k.face(scale)
	return face, float64(face.Width(r.text))
}

// textWidth returns the width of text in CSS pixels.
func textWidth(k ink, text string) float64 {
	total := 0.0
	for _, r := range runs(text) {
		_, w := runWidth(k, r)
		total += w
	}
	return total
}

// text draws one line with its baseline at y.
func (s *surface) text(k ink, x, y float64, text string) {
	switch {
	case k.white:
		s.canvas.SetColor(whiteColor)
	case k.faint:
		s.canvas.SetColor(faintColor)
	default:
		s.canvas.SetColor(textColor)
	}
	shift := k.align * textWidth(k, text)
	origin := s.point(x-shift, y)
	if k.upwards {
		origin = s.point(x, y+shift)
		s.canvas.Push()
		defer s.canvas.Pop()
		s.canvas.Translate(origin)
		s.canvas.Rotate(math.Pi / 2)
		s.canvas.Translate(vg.Point{X: -origin.X, Y: -origin.Y})
	}
	for _, r := range runs(text) {
		face, w := runWidth(k, r)
		lift := 0.36
		if r.level < 0 {
			lift = 0.16
		}
		s.canvas.FillString(face, vg.Point{X: origin.X, Y: origin.Y + vg.Length(float64(r.level)*lift*k.size)}, r.text)
		origin.X += vg.Length(w)
	}
}

// maxLines is the number of lines of a title or note, which must leave room for what it is about.
const maxLines = 4

// wrap breaks text into lines no wider than width, at blanks; what is too long without a
// blank is shortened in its middle, and the last of maxLines lines if there is more to come.
func wrap(k ink, text string, width float64) []string {
	var lines []string
	words := strings.Fields(text)
	for i, word := range words {
		word = shorten(k, word, width)
		n := len(lines)
		switch {
		case n > 0 && textWidth(k, lines[n-1]+" "+word) <= width:
			lines[n-1] += " " + word
		case n == maxLines:
			lines[n-1] = shorten(k, lines[n-1]+" "+strings.Join(words[i:], " "), width)
			return lines
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// shorten returns text no wider than width: the middle gives way to an ellipsis.
func shorten(k ink, text string, width float64) string {
	letters := []rune(text)
	if len(letters) <= 400 && textWidth(k, text) <= width {
		return text
	}
	keep := func(n int) string {
		head := (n + 1) / 2
		return string(letters[:head]) + "…" + string(letters[len(letters)-(n-head):])
	}
	tooLong := sort.Search(min(len(letters), 400), func(n int) bool { return textWidth(k, keep(n)) > width })
	return keep(max(0, tooLong-1))
}

// paragraph draws wrapped text from the top edge of r and returns the y below it.
func (s *surface) paragraph(k ink, r rect, text string) float64 {
	y := r.y0
	x := r.x0 + k.align*r.w()
	for _, line := range wrap(k, text, r.w()) {
		s.text(k, x, y+k.size, line)
		y += k.size * 1.3
	}
	return y
}

// footnote draws small wrapped text at the bottom of r and returns the y above it.
func (s *surface) footnote(r rect, text string) float64 {
	lines := len(wrap(noteInk, text, r.w()))
	r.y0 = r.y1 - float64(lines)*noteInk.size*1.3
	s.paragraph(noteInk, r, text)
	return r.y0 - 3
}
