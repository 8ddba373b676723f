//go:build ignore

//nbkernel:notebook {"metadata":{"kernelspec":{"display_name":"Eigenbook","language":"go","name":"eigenbook"},"language_info":{"codemirror_mode":"go","file_extension":".go","mimetype":"text/x-go","name":"go","nbconvert_exporter":"script","pygments_lexer":"go","version":"1.26.8"}},"nbformat_minor":5}

package main

// %% [markdown] id="4d862754"

// # A tour in five minutes: digits, their Gram matrix, and a model that draws new ones
//
// *Eigenbook* computes with kernels: functions $k(x, y)$ that say how alike two observations are. This notebook takes
// 600 handwritten digits and a toy curve through the whole library: data, Gram matrix, spectrum, embedding, and sampling
// from a probabilistic model. The surprising part comes last: a model that only sees how alike the training digits are
// makes up new ones, and pixels come back only when one wants to look at them.
//
// The same notebook runs in **nbkernel** (values stay in memory, a cell answers in about a millisecond) and in **GoNB**
// (each cell is compiled). Cells with declarations come first; a cell that starts with `%%` does something.

// %% id="be2688c5"

import (
	"fmt"
	"math/rand/v2"

	"eigenbook/display"
	"eigenbook/lib/check"
	"eigenbook/lib/dataset"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
	"eigenbook/lib/ppca"
	"eigenbook/nbkernel/nb"
	"gonum.org/v1/gonum/mat"
)

// %% [markdown] id="033397c2"

// ## Data
//
// The digits are 8 × 8 pictures with grey values 0 to 16, one in each row of a matrix: $N = 600$ observations with
// $d = 64$ numbers.

// %% id="d78cd357"

// orFail ends the cell if something went wrong.
func orFail(err error) {
	if err != nil {
		panic(err)
	}
}

func loadDigits() *dataset.Set {
	set, err := dataset.Digits().Sample(600, 1)
	orFail(err)
	return set
}

var digits = loadDigits()

// %% id="bd671e28"

func _() {
	//gonb:%%
	fmt.Println(digits)
	display.Show(display.Images([]display.ImageRow{
		{Name: "digits", Images: digits.X.Slice(0, 24, 0, 64)},
	}, 8, 8, display.ImagesOptions{Title: "The first 24 of 600 digits", Columns: 12, DarkIsHigh: true}))
}

// %% [markdown] id="bcb11048"

// ## How alike are they?
//
// The Gaussian kernel $k(x, y) = \exp\left(-\frac{\|x-y\|^2}{2\ell^2}\right)$ is 1 for equal pictures and falls towards 0 over
// a length $\ell$. A usual first choice is the median distance. A shorter length separates the classes better, so 0.4 of it is taken here; the cell below
// compares both.

// %% id="60c2ab2c"

func medianLength() float64 {
	median, err := kernel.MedianLengthScale(digits.X)
	orFail(err)
	return median
}

var rbf = kernel.RBF{LengthScale: 0.4 * medianLength()}

// contrast returns the mean kernel value of two digits of one class over that of two digits of
// different classes.
func contrast(k *mat.SymDense) float64 {
	var sum, count [2]float64 // different, same
	for i, a := range digits.Labels {
		for j, b := range digits.Labels[:i] {
			same := 0
			if a == b {
				same = 1
			}
			sum[same] += k.At(i, j)
			count[same]++
		}
	}
	return sum[1] / count[1] * count[0] / sum[0]
}

// %% id="1715c26f"

func _() {
	//gonb:%%
	k, err := gram.Compute(nb.Context(), rbf, digits.X)
	orFail(err)
	fmt.Println(rbf)
	display.Show(display.Gram(k, display.GramOptions{
		Title: "Gram matrix of 600 digits, ordered by class", Labels: digits.Labels, ClassNames: digits.ClassNames,
	}))
	check.Near("every digit is entirely like itself", mat.Trace(k), 600, 1e-15)
	wide, err := gram.Compute(nb.Context(), kernel.RBF{LengthScale: medianLength()}, digits.X)
	orFail(err)
	check.Less("a digit is four times as alike to its own class as to the others", 4, contrast(k))
	check.Less("with the median distance not even 1.3 times", contrast(wide), 1.3)
}

// %% [markdown] id="c546580d"

// The bright blocks on the diagonal are the classes: digits resemble their own kind.
//
// ## Spectrum and embedding
//
// Kernel PCA takes the leading eigenvectors of the centred Gram matrix. The scree shows how much of the variance each of
// them carries.

// %% id="affeac83"

func fitKPCA() *kpca.Model {
	m, err := kpca.Fit(nb.Context(), digits.X, rbf, kpca.Config{Latent: 20})
	orFail(err)
	return m
}

// %% id="94a22d27"

func _() {
	//gonb:%%
	pca := fitKPCA()
	fmt.Println(pca)
	display.Show(display.Spectrum(pca.Eigenvalues(), display.SpectrumOptions{
		Title: "Spectrum of the centred Gram matrix", Total: pca.Trace(), Kept: 2,
	}))
	scores, err := pca.Transform(nb.Context(), digits.X)
	orFail(err)
	display.Show(display.Embedding(scores, display.EmbeddingOptions{
		Title: "Kernel PCA of the digits", Labels: digits.Labels, ClassNames: digits.ClassNames,
		Images: digits.X, ImageHeight: 8, ImageWidth: 8, Thumbnails: 20,
		XLabel: "first axis", YLabel: "second axis",
	}))
	ratios := pca.ExplainedRatios()
	check.Less("the two axes of the picture explain less than a tenth of the variance", ratios[0]+ratios[1], 0.1)
}

// %% [markdown] id="456407b7"

// Zeros, sixes, threes and nines already stand apart, although the two axes carry less than a tenth of the variance; most of
// what tells the others apart is in the axes that are not drawn.
//
// ## A probability for all of it
//
// Probabilistic PCA says where the picture comes from: a few latent numbers $h \sim N(0, I_q)$, a linear map, and noise of
// variance $\sigma^2$ in every direction. Its *dual* form does this in the feature space of the kernel with nothing but the
// Gram matrix. The fit is closed: eigenvalues in, $\sigma^2$ out.

// %% id="71fd7357"

func fitPPCA(q int) *ppca.DualModel {
	m, err := ppca.FitDual(nb.Context(), digits.X, rbf, ppca.Config{Latent: q})
	orFail(err)
	return m
}

// %% id="99cf8ef1"

func _() {
	//gonb:%%
	var qs, noise, explained []float64
	largest := fitPPCA(100)
	for _, q := range []int{1, 2, 5, 10, 20, 50, 100} {
		m, err := largest.WithLatent(q) // from the same eigenpairs
		orFail(err)
		qs = append(qs, float64(q))
		noise = append(noise, m.NoiseVariance())
		explained = append(explained, m.ExplainedRatio())
	}
	display.Show(display.Curves([]display.Curve{
		{Name: "explained share", X: qs, Y: explained, Points: true},
	}, display.CurvesOptions{Title: "What q latent dimensions explain", XLabel: "q", YLabel: "share of the variance", LogX: true, Height: 300}))
	check.Less("more latent dimensions leave less noise", noise[len(noise)-1], noise[0])
}

// %% [markdown] id="2f261d96"

// ## Digits that nobody wrote
//
// A sample of the model is a vector of kernel values: how alike the new, unseen digit is to each training digit. A *pre-image*
// turns it into a picture. Here it is the mean of the training pictures weighted by these likenesses, over the ten largest. So some samples are clear
// and some are blurred: a blurred one lies between several kinds of digit.

// %% id="77945323"

func _() {
	//gonb:%%
	model := fitPPCA(50)
	kc, _, err := model.SampleLeading(nb.Context(), 12, rand.NewPCG(3, 1))
	orFail(err)
	points, err := model.FeaturePoints(kc)
	orFail(err)
	smoother, err := kpca.NewSmoother(digits.X, kpca.SmootherConfig{Nearest: 10})
	orFail(err)
	pictures, err := smoother.PreImages(nb.Context(), points)
	orFail(err)
	display.Show(display.Images([]display.ImageRow{
		{Name: "digits", Images: digits.X.Slice(0, 12, 0, 64)},
		{Name: "samples", Images: pictures, Unpaired: true},
	}, 8, 8, display.ImagesOptions{Title: "Twelve training digits, and twelve samples with q = 50", DarkIsHigh: true, Min: 0, Max: 16}))
	n, d := pictures.Dims()
	check.True("twelve pictures of 64 pixels", n == 12 && d == 64)
	check.Within("their grey values stay in range", mat.Max(pictures), 0, 16)
}

// %% [markdown] id="7aa44c8c"

// ## A toy, to see the whole of it
//
// In the plane one can look at everything at once: 60 points along a wave (fixed by a formula, so that every reader has the
// same), and pre-images of 200 samples of models with two and with ten latent dimensions. Each pre-image is a weighted mean of
// five training points, which keeps most of them at the wave. They leave its ends alone with $q = 2$ and reach further with
// $q = 10$; the few between its arms are means of points that are not neighbours, where the feature space has no image of
// the plane to offer.

// %% id="4d86bd08"

func toyFigure(q int) *display.Figure {
	x := dataset.DualPPCAToy()
	m, err := ppca.FitDual(nb.Context(), x, kernel.RBF{LengthScale: 2}, ppca.Config{Latent: q})
	orFail(err)
	smoother, err := kpca.NewSmoother(x, kpca.SmootherConfig{Nearest: 5})
	orFail(err)
	kc, err := m.Sample(200, rand.NewPCG(1, 1))
	orFail(err)
	points, err := m.FeaturePoints(kc)
	orFail(err)
	samples, err := smoother.PreImages(nb.Context(), points)
	orFail(err)
	return display.Scatter([]display.PointSet{
		{Name: "samples", Points: samples, Faint: true},
		{Name: "data", Points: x, Lines: true},
	}, display.ScatterOptions{Title: fmt.Sprintf("q = %d", q), XLabel: "x₁", YLabel: "x₂"})
}

// %% id="65696f73"

func _() {
	//gonb:%%
	display.Show(display.Row(toyFigure(2), toyFigure(10)))
	m, err := ppca.FitDual(nb.Context(), dataset.DualPPCAToy(), kernel.RBF{LengthScale: 2}, ppca.Config{Latent: 3, Noise: ppca.Samples})
	orFail(err)
	check.Near("σ² of the toy for q = 3, noise in N dimensions", m.NoiseVariance(), 1.08443e-3, 1e-8)
}

// %% [markdown] id="7ef29890"

// ## Where to go on
//
// `01-dual-ppca.ipynb` derives the model equation by equation, checks each one both ways, and shows what the printed paper got
// wrong. The same code runs as a script: `go run ./nbkernel run scripts/dual-ppca.go`.
