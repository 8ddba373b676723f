package display

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// gaussian returns an n×len(sd) matrix of normal numbers with the given deviations.
func gaussian(n int, seed uint64, sd ...float64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := mat.NewDense(n, len(sd), nil)
	for i := range n {
		for j, s := range sd {
			m.Set(i, j, s*rng.NormFloat64())
		}
	}
	return m
}

// blobs returns n points in c classes, sorted by class.
func blobs(n, c int) (*mat.Dense, []int) {
	z := gaussian(n, 7, 1, 1)
	labels := make([]int, n)
	for i := range labels {
		labels[i] = i * c / n
		z.Set(i, 0, z.At(i, 0)+4*float64(labels[i]%4))
		z.Set(i, 1, z.At(i, 1)+4*float64(labels[i]/4))
	}
	return z, labels
}

// rbf returns the Gram matrix of the rows of x for length scale ell.
func rbf(x *mat.Dense, ell float64) *mat.SymDense {
	n, d := x.Dims()
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s := 0.0
			for c := range d {
				s += (x.At(i, c) - x.At(j, c)) * (x.At(i, c) - x.At(j, c))
			}
			k.SetSym(i, j, math.Exp(-s/(2*ell*ell)))
		}
	}
	return k
}

// toySpectrum are the leading eigenvalues of the seed-free toy with an RBF kernel.
var toySpectrum = []float64{19.38252859, 5.02474993, 3.50576711, 2.47857385, 0.62688272, 0.31436873}

// A picture of the gallery has a name, a maker whose argument changes the data a little, and
// the size it must have.
type galleryItem struct {
	name          string
	make          func(change float64) *Figure
	width, height int // device pixels; 0: not fixed
}

// gallery has every figure with realistic data.
func gallery() []galleryItem {
	return []galleryItem{
		{"spectrum", func(c float64) *Figure {
			values := append([]float64{toySpectrum[0] + c}, toySpectrum[1:]...)
			return Spectrum(values, SpectrumOptions{Kept: 3, NoiseVariance: 1.08443e-3, Observations: 60, Title: "Toy, γ = 2", Total: 31.6218 + c})
		}, 1600, 680},
		{"spectrum-log", func(c float64) *Figure {
			values := make([]float64, 40)
			for i := range values {
				values[i] = (600 + c) * math.Exp(-float64(i))
			}
			values[38], values[39] = 0, -1e-15
			return Spectrum(values, SpectrumOptions{Kept: 5, NoiseVariance: 0.4, Log: true, Height: 300})
		}, 1600, 600},
		{"gram", func(c float64) *Figure {
			x, labels := blobs(60, 3)
			x.Set(0, 0, x.At(0, 0)+c)
			return Gram(rbf(x, 2), GramOptions{Labels: labels, ClassNames: []string{"red", "green", "blue"}, Title: "Gram matrix"})
		}, 1120, 960},
		{"gram-signed", func(c float64) *Figure {
			x := gaussian(500, 3, 1)
			x.Set(0, 0, x.At(0, 0)+c)
			var k mat.Dense
			k.Mul(x, x.T())
			return Gram(&k, GramOptions{Label: "x·y"})
		}, 0, 0},
		{"kernel-samples", func(c float64) *Figure {
			training := gaussian(20, 4, 1, 0.6, 0.4, 0.2)
			training.Set(0, 0, training.At(0, 0)+c)
			return KernelSamples(training, []PointSet{
				{Name: "PPCA samples", Points: gaussian(2000, 5, 1, 0.6, 0.3, 0.2), Rank: 19},
				{Name: "KPCA samples", Points: gaussian(2000, 6, 1, 0.6, 0, 0), Rank: 2},
			}, KernelSamplesOptions{Kept: 2, Title: "Sampled kernel representations"})
		}, 1600, 800},
		{"scatter", func(c float64) *Figure {
			x := gaussian(80, 8, 1+c, 1)
			return Scatter([]PointSet{{Name: "samples", Points: gaussian(300, 9, 1, 1), Faint: true}, {Name: "data", Points: x}, {Name: "path", Points: x, Lines: true}},
				ScatterOptions{XLabel: "x₁", YLabel: "x₂", EqualAspect: true})
		}, 1120, 880},
		{"embedding", func(c float64) *Figure {
			z, labels := blobs(600, 12)
			z.Set(0, 0, z.At(0, 0)+c)
			return Embedding(z, EmbeddingOptions{Labels: labels, Density: true, Interactive: true, Title: "Twelve classes"})
		}, 1440, 1040},
		{"embedding-strip", func(c float64) *Figure {
			z, labels := blobs(150, 3)
			z.Set(0, 0, z.At(0, 0)+c)
			return Embedding(z.Slice(0, 150, 0, 1), EmbeddingOptions{Labels: labels, ClassNames: []string{"a", "b", "c"}})
		}, 1440, 384},
		{"embedding-thumbnails", func(c float64) *Figure {
			z, labels := blobs(200, 2)
			images := gaussian(200, 11, make([]float64, 64)...)
			for i := range 200 {
				for j := range 64 {
					images.Set(i, j, math.Sin(float64(j)*(1+c)/float64(1+labels[i])))
				}
			}
			return Embedding(z, EmbeddingOptions{Labels: labels, Images: images, ImageHeight: 8, ImageWidth: 8})
		}, 1440, 1040},
		{"embedding-values", func(c float64) *Figure {
			z, _ := blobs(300, 4)
			values := mat.Col(nil, 0, z)
			values[0] += c
			return Embedding(z, EmbeddingOptions{Values: values, ValueName: "first coordinate", EqualAspect: true})
		}, 1440, 1040},
		{"curves", func(c float64) *Figure {
			var x, y, low, high []float64
			for i := range 30 {
				v := math.Pow(10, -1+float64(i)/8)
				x, y = append(x, v), append(y, (1+c)/(1+v*v))
				low, high = append(low, 0.7*y[i]), append(high, 1.4*y[i])
			}
			return Curves([]Curve{{Name: "exact", X: x, Y: y, Lower: low, Upper: high}, {Name: "limit", X: x, Y: low, Dashed: true, Points: true}},
				CurvesOptions{LogX: true, LogY: true, XLabel: "bandwidth ℓ", YLabel: "relative error", Title: "Large-bandwidth limit",
					Slopes: []Slope{{Exponent: -2}}, Marks: []Mark{{"onset", 2}, {"diameter of the data", 3}}, Levels: []Level{{"tolerance", 1e-3}}})
		}, 1440, 800},
		{"images", func(c float64) *Figure {
			x := gaussian(8, 12, make([]float64, 64)...)
			for i := range 8 {
				for j := range 64 {
					x.Set(i, j, math.Cos(float64(i+1)*float64(j%8)/8)+c*float64(j%2))
				}
			}
			return Images([]ImageRow{{Name: "originals", Images: x}, {Name: "reconstructions", Images: x}}, 8, 8, ImagesOptions{Title: "Waves", ColumnTitles: []string{"1", "2"}})
		}, 0, 0},
		{"grid", func(c float64) *Figure {
			var panels []*Figure
			for q := range 3 {
				panels = append(panels, Scatter([]PointSet{{Name: "data", Points: gaussian(60, uint64(q), 1+c, 1)}}, ScatterOptions{Title: fmt.Sprintf("q = %d", q)}))
			}
			return Grid(panels, GridOptions{Title: "Three panels"})
		}, 1720, 0},
		{"picture", func(c float64) *Figure {
			img := image.NewGray(image.Rect(0, 0, 10, 10))
			for i := range img.Pix {
				img.Pix[i] = uint8(float64(2*i) + 20*c)
			}
			return Picture(img)
		}, 160, 160},
		{"plot", func(c float64) *Figure {
			p := plot.New()
			line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 3 + c}, {X: 2, Y: 1}})
			if err != nil {
				return failed(err)
			}
			p.Add(line)
			p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "A plot", "x", "y"
			return Plot(p)
		}, 1280, 800},
	}
}
