package display

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

var (
	update = flag.Bool("update", false, "rewrite the expected texts in testdata")
	save   = flag.String("save", "", "folder to which the gallery's pictures are written")
)

func TestFigures(t *testing.T) {
	for _, item := range gallery() {
		t.Run(item.name, func(t *testing.T) {
			f := item.make(0)
			b, err := f.Bundle()
			if err != nil {
				t.Fatal(err)
			}
			picture := b.PNG()
			img, err := png.Decode(bytes.NewReader(picture))
			if err != nil {
				t.Fatalf("the PNG does not decode: %v", err)
			}
			size := img.Bounds().Size()
			if item.width > 0 && size.X != item.width || item.height > 0 && size.Y != item.height {
				t.Errorf("picture is %d×%d, want %d×%d", size.X, size.Y, item.width, item.height)
			}
			meta := b.Metadata[MIMEPNG].(map[string]any)
			if meta["width"].(int) > 900 || size.X%meta["width"].(int) != 0 {
				t.Errorf("width is %d device pixels at %v CSS pixels, want a multiple, at most 900", size.X, meta["width"])
			}
			if len(picture) > 200<<10 {
				t.Errorf("picture has %d bytes, want at most 200 kB", len(picture))
			}
			if share := inked(img); share < 0.005 {
				t.Errorf("%.2f%% of the picture is not white: blank", 100*share)
			}
			small := pixels(t, f)
			if !bytes.Equal(small, pixels(t, item.make(0))) {
				t.Error("a second figure of the same data has other bytes")
			}
			if bytes.Equal(small, pixels(t, item.make(1))) {
				t.Error("the picture does not change with the data")
			}
			if *save != "" {
				if err := os.WriteFile(filepath.Join(*save, item.name+".png"), picture, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden(t, item.name+".txt", b.Plain())
		})
	}
}

// pixels returns the PNG of a figure at half resolution, which is quicker.
func pixels(t *testing.T, f *Figure) []byte {
	t.Helper()
	if f.err != nil {
		t.Fatal(f.err)
	}
	picture, err := encodePNG(f.draw(1))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// inked returns the share of pixels that are not white.
func inked(img image.Image) float64 {
	r := img.Bounds()
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y += 3 {
		for x := r.Min.X; x < r.Max.X; x += 3 {
			if red, green, blue, _ := img.At(x, y).RGBA(); red+green+blue < 3*0xf000 {
				n++
			}
		}
	}
	return 9 * float64(n) / float64(r.Dx()*r.Dy())
}

// golden compares text with a file of testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text+"\n" != string(want) {
		t.Errorf("%s:\ngot  %s\nwant %s", name, text, want)
	}
}

func TestSpectrumSummary(t *testing.T) {
	got := Spectrum(toySpectrum, SpectrumOptions{Kept: 3, NoiseVariance: 0.00108443}).String()
	want := "Spectrum: 6 eigenvalues 19.38 … 0.3144, noise floor σ² = 0.001084 from 4, explained 0.8909 at q = 3"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Pixels of a Gram matrix have the colours of its entries: a wrong orientation, order or
// scale would show here.
func TestGramPixels(t *testing.T) {
	k := mat.NewDense(2, 3, []float64{0, 1, 2, 3, 4, 5})
	picture, err := Gram(k).PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	// The area of the cells, found by its first and last column with the colour of an entry.
	for i := range 2 {
		for j := range 3 {
			want := sequential.at(k.At(i, j) / 5)
			x, y := 230+j*295, 237+i*420
			r, g, b, _ := img.At(x, y).RGBA()
			if d := abs(int(r>>8)-int(want.R)) + abs(int(g>>8)-int(want.G)) + abs(int(b>>8)-int(want.B)); d > 12 {
				t.Errorf("cell (%d,%d) at (%d,%d) is %v, want %v", i, j, x, y, img.At(x, y), want)
			}
		}
	}
}

func abs(v int) int { return max(v, -v) }

func TestGramOrder(t *testing.T) {
	x, labels := blobs(30, 3)
	sorted := pixels(t, Gram(rbf(x, 1), GramOptions{Labels: labels}))
	// The same rows in another order make the same picture once ordered by class.
	shuffled := mat.NewDense(30, 2, nil)
	mixed := make([]int, 30)
	for i := range 30 {
		place := i/10 + 3*(i%10)
		shuffled.SetRow(place, x.RawRowView(i))
		mixed[place] = labels[i]
	}
	again := pixels(t, Gram(rbf(shuffled, 1), GramOptions{Labels: mixed}))
	if !bytes.Equal(sorted, again) {
		t.Error("ordering by class depends on the order of the rows")
	}
}

func TestFiguresDoNotFollowLaterChanges(t *testing.T) {
	z, labels := blobs(50, 2)
	values := append([]float64(nil), toySpectrum...)
	figures := []*Figure{Embedding(z, EmbeddingOptions{Labels: labels}), Spectrum(values)}
	var before [][]byte
	for _, f := range figures {
		before = append(before, pixels(t, f))
	}
	z.Zero()
	labels[0], values[0] = 1, 1e6
	for i, f := range figures {
		if !bytes.Equal(before[i], pixels(t, f)) {
			t.Errorf("figure %d changed with the caller's data", i)
		}
	}
}

func TestInteractiveIsBounded(t *testing.T) {
	z, labels := blobs(maxInteractive+1, 5)
	f := Embedding(z.Slice(0, maxInteractive, 0, 2), EmbeddingOptions{Labels: labels[1:], Interactive: true})
	spec := f.extra[MIMEVegaLite].(map[string]any)
	if n := len(spec["data"].(map[string]any)["values"].([]any)); n != maxInteractive {
		t.Errorf("the Vega-Lite form has %d points, want %d", n, maxInteractive)
	}
	text, err := json.Marshal(spec)
	if err != nil || len(text) > 400<<10 {
		t.Errorf("the Vega-Lite form has %d bytes (%v), want at most 400 kB", len(text), err)
	}
	if f := Embedding(z, EmbeddingOptions{Labels: labels, Interactive: true}); f.extra != nil {
		t.Errorf("a Vega-Lite form of %d points, want none", maxInteractive+1)
	}
}

// A large embedding stays small and quick enough for a notebook.
func TestLargeEmbedding(t *testing.T) {
	z, labels := blobs(50_000, 30)
	picture, err := Embedding(z, EmbeddingOptions{Labels: labels}).PNG()
	if err != nil {
		t.Fatal(err)
	}
	if len(picture) > 200<<10 {
		t.Errorf("50,000 points take %d bytes, want at most 200 kB", len(picture))
	}
}

// Every figure is drawn at any size that is allowed, however little room that leaves.
func TestSizes(t *testing.T) {
	long := strings.Repeat("a rather long title ", 8) + strings.Repeat("x", 300)
	z, labels := blobs(40, 8)
	names := make([]string, 8)
	for i := range names {
		names[i] = fmt.Sprintf("a long name of class %d %s", i, strings.Repeat("y", 80))
	}
	for _, size := range [][2]int{{120, 120}, {120, 400}, {500, 120}} {
		w, h := size[0], size[1]
		for _, f := range []*Figure{
			Spectrum(toySpectrum, SpectrumOptions{Title: long, Kept: 2, NoiseVariance: 0.1, Log: true, Width: w, Height: h}),
			Gram(rbf(z, 1), GramOptions{Title: long, Labels: labels, ClassNames: names, Width: w, Height: h}),
			Embedding(z, EmbeddingOptions{Title: long, Labels: labels, ClassNames: names, XLabel: long, YLabel: long, Density: true, Width: w, Height: h}),
			Curves([]Curve{{Name: long, X: []float64{1, 2}, Y: []float64{1, 3}}}, CurvesOptions{Title: long, Marks: []Mark{{long, 1.5}}, Levels: []Level{{long, 2}}, Width: w, Height: h}),
			Scatter([]PointSet{{Name: long, Points: z}}, ScatterOptions{Title: long, EqualAspect: true, Width: w, Height: h}),
			Images([]ImageRow{{Name: long, Images: z}}, 1, 2, ImagesOptions{Title: long, Width: w}),
		} {
			if _, err := f.PNG(); err != nil {
				t.Errorf("%d×%d: %v", w, h, err)
			}
		}
	}
}

func TestRow(t *testing.T) {
	a := Spectrum(toySpectrum)
	f := Row(a, a)
	if f.String() != a.String()+"\n"+a.String() {
		t.Errorf("summary of a row is %q", f)
	}
	if _, err := f.PNG(); err != nil {
		t.Error(err)
	}
	if _, err := Row(a, nil).PNG(); err == nil {
		t.Error("a row with nil is drawn, want an error")
	}
	if _, err := Row(a, Spectrum(nil)).PNG(); err == nil || !strings.Contains(err.Error(), "figure 2 of 2") {
		t.Errorf("a row with a failed figure: %v, want an error that names it", err)
	}
}
