package display

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// lightness returns the perceived lightness (CIE L*) of a colour, which is its grey in print.
func lightness(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	y := 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	if y > 0.008856 {
		return 116*math.Cbrt(y) - 16
	}
	return 903.3 * y
}

// The order of values survives grey print, in even steps: no step of the map is a jump.
func TestColorMapsAreOrdered(t *testing.T) {
	for i := 1; i < 256; i++ {
		if d := lightness(sequential[i]) - lightness(sequential[i-1]); d < -0.3 || d > 1 {
			t.Errorf("sequential: step %d changes the lightness by %.2f", i, d)
		}
	}
	if d := lightness(sequential[255]) - lightness(sequential[0]); d < 70 {
		t.Errorf("sequential spans %.0f of lightness, want at least 70", d)
	}
	for i := range 128 {
		low, high := lightness(diverging[i]), lightness(diverging[255-i])
		if math.Abs(low-high) > 4 {
			t.Errorf("diverging: %d and %d differ by %.1f in lightness", i, 255-i, low-high)
		}
	}
	for _, m := range []*colorMap{sequential, diverging} {
		for i := 1; i < 256; i++ {
			a, b := m[i-1], m[i]
			if d := abs(int(a.R)-int(b.R)) + abs(int(a.G)-int(b.G)) + abs(int(a.B)-int(b.B)); d > 16 {
				t.Errorf("step %d of a map changes the colour by %d: %v to %v", i, d, a, b)
			}
		}
	}
}

// Known colours of OKLab (Ottosson): white, and the blue of sRGB.
func TestOklab(t *testing.T) {
	for _, tc := range []struct {
		l, a, b float64
		want    color.RGBA
	}{
		{1, 0, 0, color.RGBA{255, 255, 255, 255}},
		{0, 0, 0, color.RGBA{0, 0, 0, 255}},
		{0.452014, -0.032457, -0.311528, color.RGBA{0, 0, 255, 255}},
		{0.627955, 0.224863, 0.125846, color.RGBA{255, 0, 0, 255}},
	} {
		if got, _ := oklab(tc.l, tc.a, tc.b); got != tc.want {
			t.Errorf("oklab(%v, %v, %v) = %v, want %v", tc.l, tc.a, tc.b, got, tc.want)
		}
	}
}

// Two classes never look the same before the shapes and the colours have both repeated.
func TestClassesDiffer(t *testing.T) {
	type looks struct {
		c color.RGBA
		s int
	}
	seen := map[looks]int{}
	for class := range 70 {
		k := looks{classColor(class), class % len(shapes)}
		if other, taken := seen[k]; taken {
			t.Errorf("classes %d and %d look the same", other, class)
		}
		seen[k] = class
	}
	if classColor(-3) != unknownColor || classShape(-3) == nil {
		t.Error("an unknown class has no looks")
	}
}

func TestTicks(t *testing.T) {
	labels := func(ticks []tick) (out []string) {
		for _, t := range ticks {
			out = append(out, t.label)
		}
		return out
	}
	for _, tc := range []struct {
		s    scale
		n    int
		want []string
	}{
		{scale{min: 0, max: 1}, 5, []string{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
		{scale{min: -3.1, max: 3.1}, 4, []string{"−2", "0", "2"}},
		{scale{min: 0.5, max: 3.5, whole: true}, 8, []string{"1", "2", "3"}},
		{scale{min: 10, max: 0}, 2, []string{"0", "5", "10"}},
		{scale{min: 0, max: 2e7}, 2, []string{"0", "1×10⁷", "2×10⁷"}},
		{scale{min: 0, max: 2e-5}, 4, []string{"0", "0.5×10⁻⁵", "1.0×10⁻⁵", "1.5×10⁻⁵", "2.0×10⁻⁵"}},
		{scale{min: 1e-6, max: 1, log: true}, 4, []string{"10⁻⁶", "10⁻⁴", "0.01", "1"}},
		{scale{min: 0.9, max: 11, log: true}, 5, []string{"1", "2", "5", "10"}},
		{scale{min: 4.1, max: 4.3, log: true}, 2, []string{"4.1", "4.2", "4.3"}},
		{scale{min: 0.94, max: 1.06}, 2, []string{"0.95", "1.00", "1.05"}},
	} {
		got := labels(tc.s.ticks(tc.n))
		if len(got) != len(tc.want) {
			t.Errorf("%+v: ticks %q, want %q", tc.s, got, tc.want)
			continue
		}
		for i := range got {
			if got[i] != tc.want[i] {
				t.Errorf("%+v: ticks %q, want %q", tc.s, got, tc.want)
				break
			}
		}
	}
}

// Whatever the range, an axis has between two and a few ticks, inside it.
func TestTicksForAnyRange(t *testing.T) {
	for _, width := range []float64{1e-200, 1e-9, 3e-3, 0.7, 1, 12, 4e5, 7e120} {
		for _, low := range []float64{0, 1, -1, 1e3} {
			s := linearScale(low*width, low*width+width, 0.05)
			for n := 2; n < 12; n++ {
				ticks := s.ticks(n)
				if len(ticks) < 2 || len(ticks) > 2*n+2 {
					t.Fatalf("%+v: %d ticks for %d", s, len(ticks), n)
				}
				for _, tick := range ticks {
					if p := s.at(tick.value); p < -1e-6 || p > 1+1e-6 {
						t.Fatalf("%+v: tick %v lies outside", s, tick)
					}
				}
			}
		}
	}
}

func TestNumber(t *testing.T) {
	for _, tc := range []struct {
		v      float64
		digits int
		want   string
	}{
		{0, 4, "0"}, {1, 4, "1"}, {1234.5678, 4, "1235"}, {0.000123456, 3, "0.000123"}, {1e-12, 4, "1e-12"},
		{-2.5e-7, 3, "-2.5e-07"}, {123456789, 3, "1.23e+08"}, {0.5, 3, "0.5"}, {math.NaN(), 3, "NaN"}, {math.Inf(1), 3, "+Inf"}, {9.9996, 4, "10"},
	} {
		if got := number(tc.v, tc.digits); got != tc.want {
			t.Errorf("number(%v, %d) = %q, want %q", tc.v, tc.digits, got, tc.want)
		}
	}
}

func TestWrapAndShorten(t *testing.T) {
	k := labelInk
	for _, width := range []float64{30, 80, 200} {
		for _, text := range []string{"several short words in a row", "Donaudampfschifffahrtsgesellschaft", "σ² = 3 × 10⁻⁴ and λ₁"} {
			for _, line := range wrap(k, text, width) {
				if w := textWidth(k, line); w > width {
					t.Errorf("line %q is %.0f wide, want at most %.0f", line, w, width)
				}
			}
		}
	}
	if got := shorten(k, "as it is", 500); got != "as it is" {
		t.Errorf("shorten changed a text that fits to %q", got)
	}
}

// Raised and lowered characters are drawn: some are not in the font.
func TestRuns(t *testing.T) {
	got := runs("10⁻⁹ λ₁ᵢ")
	want := []run{{"10", 0}, {"−9", 1}, {" λ", 0}, {"1i", -1}}
	if len(got) != len(want) {
		t.Fatalf("runs %v, want %v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("run %d is %v, want %v", i, got[i], want[i])
		}
	}
}

func TestClip(t *testing.T) {
	r := rect{0, 0, 10, 10}
	for _, tc := range []struct {
		from, to, wantFrom, wantTo [2]float64
		visible                    bool
	}{
		{[2]float64{-5, 5}, [2]float64{15, 5}, [2]float64{0, 5}, [2]float64{10, 5}, true},
		{[2]float64{1, 1}, [2]float64{9, 9}, [2]float64{1, 1}, [2]float64{9, 9}, true},
		{[2]float64{-1, 2}, [2]float64{-1, 8}, [2]float64{}, [2]float64{}, false},
		{[2]float64{5, 5}, [2]float64{5, 50}, [2]float64{5, 5}, [2]float64{5, 10}, true},
		{[2]float64{20, 0}, [2]float64{0, 21}, [2]float64{}, [2]float64{}, false},
		{[2]float64{math.NaN(), 0}, [2]float64{5, 5}, [2]float64{}, [2]float64{}, false},
	} {
		a0, b0, a1, b1, visible := clip(r, tc.from[0], tc.from[1], tc.to[0], tc.to[1])
		if visible != tc.visible || visible && ([2]float64{a0, b0} != tc.wantFrom || [2]float64{a1, b1} != tc.wantTo) {
			t.Errorf("%v to %v: (%v,%v) to (%v,%v) %t", tc.from, tc.to, a0, b0, a1, b1, visible)
		}
	}
}

func TestScatteredVisitsAll(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 7, 100, 1797} {
		seen := make([]bool, n)
		scattered(n, func(i int) {
			if seen[i] {
				t.Fatalf("n = %d: %d twice", n, i)
			}
			seen[i] = true
		})
		for i, ok := range seen {
			if !ok {
				t.Errorf("n = %d: %d not visited", n, i)
			}
		}
	}
}

// A palette keeps few colours exactly and many closely.
func TestCompact(t *testing.T) {
	s := newSurface(130, 130, 1)
	for y := range 130 {
		for x := range 130 {
			s.img.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), 128, 255})
		}
	}
	out := s.compact().(*image.Paletted)
	if len(out.Palette) > 256 {
		t.Fatalf("palette of %d colours", len(out.Palette))
	}
	worst := 0
	for y := range 130 {
		for x := range 130 {
			c := out.Palette[out.ColorIndexAt(x, y)].(color.RGBA)
			worst = max(worst, abs(int(c.R)-x), abs(int(c.G)-y))
		}
	}
	if worst > 16 { // 224 boxes of about 9×9 colours, some cut once less
		t.Errorf("a colour is off by %d of 255", worst)
	}
	few := newSurface(20, 20, 1)
	few.img.SetRGBA(3, 3, color.RGBA{1, 2, 3, 255})
	exact := few.compact().(*image.Paletted)
	if exact.At(3, 3) != (color.RGBA{1, 2, 3, 255}) || exact.At(0, 0) != whiteColor || len(exact.Palette) != 2 {
		t.Errorf("two colours became %v", exact.Palette)
	}
	if !bytes.Equal(s.compact().(*image.Paletted).Pix, out.Pix) {
		t.Error("the palette differs from call to call")
	}
}

// Points that overlap along a curve do not paint each other white.
func TestDensePointsOfACurveKeepTheirColour(t *testing.T) {
	dark := func(n int) float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i) / float64(n-1)
		}
		img := Curves([]Curve{{X: x, Y: make([]float64, n), NoLine: true}}, CurvesOptions{Width: 400, Height: 200}).draw(1)
		full, b := 0, img.Bounds()
		for y := range b.Dy() {
			for x := range b.Dx() {
				r, _, blue, _ := img.At(x, y).RGBA()
				if blue > r+0x4000 && r < 0x3000 {
					full++
				}
			}
		}
		return float64(full)
	}
	if few, many := dark(30), dark(300); many < 1.2*few {
		t.Errorf("300 points colour %.0f pixels, 30 points %.0f: the rims cover their neighbours", many, few)
	}
}

func TestUnpairedImagesAreNotCompared(t *testing.T) {
	x := mat.NewDense(2, 4, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	for unpaired, want := range map[bool]bool{false: true, true: false} {
		f := Images([]ImageRow{{Name: "a", Images: x}, {Name: "b", Images: x, Unpaired: unpaired}}, 2, 2)
		if got := strings.Contains(f.String(), "difference from the first row"); got != want {
			t.Errorf("Unpaired %v: %q", unpaired, f)
		}
	}
}
