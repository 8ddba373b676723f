package eigen_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
)

func ExampleSymmetric() {
	p, err := eigen.Symmetric(mat.NewSymDense(2, []float64{2, 1, 1, 2}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n%.3f\n", p.Values, mat.Formatted(p.Vectors))
	// Output:
	// [3.000 1.000]
	// ⎡ 0.707   0.707⎤
	// ⎣ 0.707  -0.707⎦
}

// The largest values of the second difference on 1000 points, from its products alone.
func ExampleLeading() {
	const n = 1000
	difference := eigen.Func{N: n, F: func(dst, x []float64) {
		for i := range dst {
			dst[i] = 2 * x[i]
			if i > 0 {
				dst[i] -= x[i-1]
			}
			if i < n-1 {
				dst[i] -= x[i+1]
			}
		}
	}}
	p, err := eigen.Leading(context.Background(), difference, 2, eigen.Config{Tol: 1e-9})
	if err != nil {
		log.Fatal(err)
	}
	for j, v := range p.Values {
		fmt.Printf("%.8f, exact %.8f\n", v, 2-2*math.Cos(math.Pi*float64(n-j)/(n+1)))
	}
	fmt.Println(p.Converged, p.Residuals[0] < 4e-9)
	// Output:
	// 3.99999015, exact 3.99999015
	// 3.99996060, exact 3.99996060
	// true true
}

func ExamplePrincipalAngles() {
	plane := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0, 0})
	tilted := mat.NewDense(3, 1, []float64{1, 0, 1e-12})
	angles, err := eigen.PrincipalAngles(plane, tilted)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3g\n", angles)
	// Output:
	// [1e-12]
}
