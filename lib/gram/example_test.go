package gram_test

import (
	"context"
	"fmt"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

func Example() {
	ctx := context.Background()
	x := mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 2}) // three observations
	z := mat.NewDense(1, 2, []float64{1, 1})             // a new one
	rbf := kernel.RBF{LengthScale: 1}

	k, err := gram.Compute(ctx, rbf, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("K   = %.4f\n", mat.Formatted(k, mat.Prefix("      ")))
	centering := gram.Center(k)
	fmt.Printf("K_c = %.4f\n", mat.Formatted(k, mat.Prefix("      ")))

	rows, err := gram.Cross(ctx, rbf, z, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("squared norm of the new point, centred: %.4f\n", centering.SquaredNorm(1, rows.RawRowView(0)))
	centering.Rows(rows)
	fmt.Printf("k_c = %.4f\n", mat.Formatted(rows))
	// Output:
	// K   = ⎡1.0000  0.6065  0.1353⎤
	//       ⎢0.6065  1.0000  0.0821⎥
	//       ⎣0.1353  0.0821  1.0000⎦
	// K_c = ⎡ 0.3552  -0.0205  -0.3347⎤
	//       ⎢-0.0205   0.3907  -0.3702⎥
	//       ⎣-0.3347  -0.3702   0.7048⎦
	// squared norm of the new point, centred: 0.6216
	// k_c = [-0.1437   0.1127   0.0311]
}

func ExampleComputeCentered() {
	// three points on a line, a million away from the origin
	x := mat.NewDense(3, 1, []float64{1e6 - 1, 1e6, 1e6 + 1})
	k, _, err := gram.ComputeCentered(context.Background(), kernel.Linear{}, x)
	fmt.Println(mat.Formatted(k), err)
	// Output:
	// ⎡ 1   0  -1⎤
	// ⎢ 0   0   0⎥
	// ⎣-1   0   1⎦ <nil>
}

func ExampleStructuralRank() {
	x := mat.NewDense(4, 2, []float64{0, 0, 1, 0, 0, 2, 1, 0}) // the last row repeats the second
	fmt.Println(gram.StructuralRank(kernel.RBF{LengthScale: 1}, x, true))
	fmt.Println(gram.StructuralRank(kernel.Linear{}, x, true))
	fmt.Println(gram.StructuralRank(kernel.Cosine{}, x, true))
	// Output:
	// 2 true
	// 2 true
	// 0 false
}

func ExampleFitNystrom() {
	ctx := context.Background()
	x := gaussian(500, 3, 1)
	k := kernel.RBF{LengthScale: 2}
	ny, err := gram.FitNystrom(ctx, k, x, gram.NystromConfig{Landmarks: 60})
	if err != nil {
		fmt.Println(err)
		return
	}
	z, err := ny.Features(ctx, x) // 500×60, in the place of a 500×500 matrix
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ny)
	fmt.Printf("k = %.4f, z·z = %.4f\n", k.Eval(x.RawRowView(0), x.RawRowView(1)), mat.Dot(z.RowView(0), z.RowView(1)))
	// Output:
	// gram.Nystrom(RBF(ℓ=2), m=60, r=60, jitter=0)
	// k = 0.9507, z·z = 0.9507
}

func ExamplePrecomputed() {
	_, err := gram.Precomputed(mat.NewDense(2, 2, []float64{1, 0.5, 0.4, 1}))
	fmt.Println(err)
	// Output:
	// gram: matrix is not symmetric: entry (0, 1) is 0.5 but (1, 0) is 0.4; they may differ by 1e-08, 1e-8 of the largest entry
}
