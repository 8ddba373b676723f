package kernel_test

import (
	"fmt"

	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

func Example() {
	x, y := []float64{0, 1}, []float64{2, 2}
	for _, k := range []kernel.Kernel{
		kernel.Linear{},
		kernel.RBF{LengthScale: 2},
		kernel.Sum{Kernels: []kernel.Kernel{
			kernel.Polynomial{Degree: 2, Scale: 1, Offset: 1},
			kernel.Scaled{Factor: 10, Kernel: kernel.Laplacian{LengthScale: 3}},
		}},
	} {
		fmt.Printf("%v: %.4f\n", k, k.Eval(x, y))
	}
	// Output:
	// Linear: 2.0000
	// RBF(ℓ=2): 0.5353
	// Sum(Polynomial(degree=2, scale=1, offset=1), Scaled(10, Laplacian(ℓ=3))): 12.6788
}

func ExampleRBFGamma() {
	k := kernel.RBFGamma(0.125) // exp(−0.125 |x−y|²)
	fmt.Println(k)
	fmt.Println(kernel.RBFGamma(-1).Validate())
	// Output:
	// RBF(ℓ=2)
	// kernel: invalid parameter: LengthScale of RBF is NaN, want a finite number above 0
}

func ExampleFunc() {
	k := kernel.Func{Name: "common letters", F: func(x, y []float64) float64 {
		var n float64
		for i := range x {
			n += min(x[i], y[i])
		}
		return n
	}}
	fmt.Println(k, k.Eval([]float64{2, 0, 5}, []float64{1, 3, 4}))
	// Output: common letters 5
}

func ExampleMedianLengthScale() {
	x := mat.NewDense(3, 2, []float64{0, 0, 3, 4, 6, 8})
	l, err := kernel.MedianLengthScale(x)
	fmt.Println(l, err)
	// Output: 5 <nil>
}

func ExampleMarshal() {
	data, _ := kernel.Marshal(kernel.Scaled{Factor: 2, Kernel: kernel.Matern{Nu: 1.5, LengthScale: 3}})
	fmt.Println(string(data))
	k, err := kernel.Unmarshal(data)
	fmt.Println(k, err)
	// Output:
	// {"type":"Scaled","factor":2,"kernels":[{"type":"Matern","lengthScale":3,"nu":1.5}]}
	// Scaled(2, Matern(ν=1.5, ℓ=3)) <nil>
}
