//go:build ignore

// Fits dual probabilistic PCA to a data set with a Gaussian kernel, shows its spectrum with
// the noise floor, and draws samples that a smoother turns into pre-images.
//
//	go run ./nbkernel run scripts/dual-ppca.go -data digits -q 20
//	go run scripts/dual-ppca.go
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"eigenbook/display"
	"eigenbook/lib/dataset"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
	"eigenbook/lib/ppca"
	"eigenbook/nbkernel/nb"

	"gonum.org/v1/gonum/mat"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("dual-ppca: ")
	data := flag.String("data", "toy", "data set: toy, iris, wine (standardised) or digits")
	q := flag.Int("q", 3, "latent dimensions")
	gamma := flag.Float64("gamma", 0, "length scale γ of exp(−‖x−y‖²/(2γ²)); 0 means 2 for the toy, else 0.4 of the median distance")
	samples := flag.Int("samples", 200, "number of samples")
	seed := flag.Uint64("seed", 1, "seed of the samples")
	flag.Parse()

	const most = 100000
	switch {
	case flag.NArg() > 0:
		log.Fatalf("argument %q, want flags only", flag.Arg(0))
	case *q < 1:
		log.Fatalf("-q is %d, want at least 1", *q)
	case !(*gamma >= 0) || math.IsInf(*gamma, 1):
		log.Fatalf("-gamma is %v, want a finite number ≥ 0", *gamma)
	case *samples < 1 || *samples > most:
		log.Fatalf("-samples is %d, want 1 to %d", *samples, most)
	}
	set, err := load(*data)
	if err != nil {
		log.Fatal(err)
	}
	x := set.X
	if *gamma == 0 {
		if *gamma, err = defaultScale(*data, x); err != nil {
			log.Fatal(err)
		}
	}
	ctx := nb.Context()
	m, err := ppca.FitDual(ctx, x, kernel.RBF{LengthScale: *gamma}, ppca.Config{Latent: *q})
	if errors.Is(err, ppca.ErrConfig) {
		log.Fatalf("-q %d: %v", *q, err)
	}
	if err != nil {
		log.Fatalf("-gamma %g: %v", *gamma, err)
	}
	fmt.Println(m)
	fmt.Printf("explained %.4f of the variance, rank %d (%s), noise in %d dimensions\n",
		m.ExplainedRatio(), m.Rank(), m.RankSource(), m.NoiseDim())
	ll, err := m.LogLikelihood()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("log-likelihood %.2f nats\n", ll)
	display.Show(display.Spectrum(m.Eigenvalues(), display.SpectrumOptions{
		Title: "Spectrum of " + *data, Kept: *q, Log: true,
		NoiseVariance: m.NoiseVariance(), Observations: m.Observations(), Total: m.Trace(),
	}))

	rows, _, err := m.SampleLeading(ctx, *samples, rand.NewPCG(*seed, 1))
	if err != nil {
		log.Fatal(err)
	}
	points, err := m.FeaturePoints(rows)
	if err != nil {
		log.Fatal(err)
	}
	smoother, err := kpca.NewSmoother(x, kpca.SmootherConfig{Nearest: 10, NearestRow: true})
	if err != nil {
		log.Fatal(err)
	}
	images, err := smoother.PreImages(ctx, points)
	if err != nil {
		log.Fatal(err)
	}
	if height, width := set.ImageHeight, set.ImageWidth; height > 0 {
		count := min(*samples, 20)
		display.Show(display.Images([]display.ImageRow{
			{Name: "data", Images: x.Slice(0, count, 0, height*width)},
			{Name: "samples", Images: images.Slice(0, count, 0, height*width)},
		}, height, width, display.ImagesOptions{Columns: 10, DarkIsHigh: true}))
		return
	}
	display.Show(display.Scatter([]display.PointSet{
		{Name: "samples", Points: images, Faint: true},
		{Name: "data", Points: x},
	}, display.ScatterOptions{Title: fmt.Sprintf("Samples of %s, q = %d", *data, *q),
		XLabel: set.FeatureNames[0], YLabel: set.FeatureNames[1]}))
}

// load returns a data set; wine, whose attributes have very different scales, is standardised.
func load(name string) (*dataset.Set, error) {
	switch name {
	case "toy":
		return &dataset.Set{X: dataset.DualPPCAToy(), FeatureNames: []string{"x₁", "x₂"}}, nil
	case "iris":
		return dataset.Iris(), nil
	case "wine":
		set := dataset.Wine()
		x, _, err := dataset.Standardize(set.X)
		if err != nil {
			return nil, err
		}
		set.X = x
		for j := range set.FeatureNames {
			set.FeatureNames[j] += " (standardised)"
		}
		return set, nil
	case "digits":
		return dataset.Digits(), nil
	}
	return nil, fmt.Errorf("-data is %q, want toy, iris, wine or digits", name)
}

func defaultScale(name string, x *mat.Dense) (float64, error) {
	if name == "toy" {
		return 2, nil
	}
	median, err := kernel.MedianLengthScale(x)
	return 0.4 * median, err
}

// Output:
// ppca.DualModel(RBF(ℓ=2), N=60, q=3, D=59, σ²=0.001104)
// explained 0.8827 of the variance, rank 59 (structural), noise in 59 dimensions
// log-likelihood 6609.58 nats
// Spectrum: 60 eigenvalues 19.38 … 0, noise floor σ² = 0.001104 (N σ² = 0.06623) from 4, explained 0.8827 at q = 3
// Spectrum of toy
// Scatter: samples (200) in [-2.57, 2.55] × [-1.9, 1.9]; data (60) in [-3, 3.06] × [-2.15, 2.11]
// Samples of toy, q = 3
