package display_test

import (
	"fmt"

	"eigenbook/display"

	"gonum.org/v1/gonum/mat"
)

// A figure is a value: its summary can be printed and its picture saved or shown.
func Example() {
	lambda := []float64{19.38, 5.02, 3.51, 2.48, 0.63, 0.31}
	fig := display.Spectrum(lambda, display.SpectrumOptions{Kept: 3, NoiseVariance: 0.0011})
	fmt.Println(fig)
	bundle, err := display.Render(fig)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(bundle.PNG()) > 1000)
	// Output:
	// Spectrum: 6 eigenvalues 19.38 … 0.31, noise floor σ² = 0.0011 from 4, explained 0.8908 at q = 3
	// true
}

// In a script Show prints the text form; pictures become files.
func ExampleShow() {
	display.Show("the bandwidth is", 2.5)
	display.Show(mat.NewVecDense(2, []float64{0.5, 0.25}))
	// Output:
	// the bandwidth is
	// 2.5
	// VecDense, 2×1
	//       0
	// 0  0.50
	// 1  0.25
}

// Bad values are named when the figure is shown; Show would panic with this error.
func Example_invalid() {
	_, err := display.Render(display.Spectrum([]float64{1, 2}))
	fmt.Println(err)
	// Output:
	// display: invalid input: Spectrum: values[1] is 2, want at most values[0] = 1: eigenvalues in descending order
}

func ExampleTable() {
	fmt.Println(display.Table(
		[]string{"q", "σ²"},
		[][]any{{1, 3.45742e-3}, {2, 2.07313e-3}, {10, 9.01061e-6}},
		display.TableOptions{Caption: "Noise variance", Digits: 3}))
	// Output:
	// Noise variance
	//  q        σ²
	//  1   0.00346
	//  2   0.00207
	// 10  9.01e-06
}

func ExampleMatrix() {
	fmt.Println(display.Matrix(mat.NewSymDense(2, []float64{1, 0.25, 0.25, 1})))
	// Output:
	// SymDense, 2×2
	//       0     1
	// 0  1.00  0.25
	// 1  0.25  1.00
}

func ExampleMath() {
	fmt.Println(display.Math(`\sigma^2 = \frac{1}{d-q} \sum_{j>q} \lambda_j`))
	// Output:
	// σ² = 1/(d-q) Σ_(j>q) λⱼ
}

func ExampleEmbedding() {
	z := mat.NewDense(4, 2, []float64{0, 0, 1, 0, 5, 5, 6, 5})
	fmt.Println(display.Embedding(z, display.EmbeddingOptions{
		Labels:     []int{0, 0, 1, 1},
		ClassNames: []string{"near", "far"},
	}))
	// Output:
	// Embedding: 4 points, coordinate 1 in [0, 6], coordinate 2 in [0, 5]
	// 2 classes (near: 2, far: 2)
}
