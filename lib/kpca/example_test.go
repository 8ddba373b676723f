package kpca_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
)

// ring returns n points on circles of the given radii in turn.
func ring(n int, radii ...float64) *mat.Dense {
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		radius := radii[i%len(radii)]
		angle := 2 * math.Pi * float64(i) / float64(n)
		x.SetRow(i, []float64{radius * math.Cos(angle), radius * math.Sin(angle)})
	}
	return x
}

// No linear map tells two rings apart. Under a Gaussian kernel the first axis does.
func Example() {
	ctx := context.Background()
	model, err := kpca.Fit(ctx, ring(40, 1, 4), kernel.RBF{LengthScale: 1.5}, kpca.Config{Latent: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model)
	t, err := model.Transform(ctx, mat.NewDense(4, 2, []float64{0, 1, -0.8, 0.6, 4, 0, -2.4, 3.2}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", mat.Col(nil, 0, t))
	// Output:
	// kpca.Model(RBF(ℓ=1.5), N=40, q=1, explained 0.2386)
	// [0.43 0.43 -0.43 -0.43]
}

// Projecting a point that is off the training ring on four axes and going back to the plane moves
// it to the ring: de-noising. Of all points of the plane, the fixed point is nearest in feature
// space.
func ExampleNewFixedPoint() {
	ctx := context.Background()
	x := ring(40, 2)
	model, err := kpca.Fit(ctx, x, kernel.RBF{LengthScale: 1.5}, kpca.Config{Latent: 4})
	if err != nil {
		log.Fatal(err)
	}
	rows, _, err := model.Rows(ctx, mat.NewDense(1, 2, []float64{1.8, 2.4})) // radius 3
	if err != nil {
		log.Fatal(err)
	}
	points, err := model.FeaturePoints(rows)
	if err != nil {
		log.Fatal(err)
	}
	show(ctx, model, points, "fixed point")(kpca.NewFixedPoint(x, model.Kernel(), kpca.FixedPointConfig{}))
	show(ctx, model, points, "smoother")(kpca.NewSmoother(x, kpca.SmootherConfig{Nearest: 5}))
	// Output:
	// fixed point: radius 1.86, distance 0.28
	// smoother: radius 1.95, distance 0.29
}

// show prints the radius of the pre-image of the first point and its error in feature space.
func show(ctx context.Context, model *kpca.Model, points gram.FeaturePoints, name string) func(kpca.PreImage, error) {
	return func(method kpca.PreImage, err error) {
		if err != nil {
			log.Fatal(err)
		}
		images, err := method.PreImages(ctx, points)
		if err != nil {
			log.Fatal(err)
		}
		distances, err := model.PreImageErrors(ctx, images, points)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: radius %.2f, distance %.2f\n", name, mat.Norm(images, 2), distances[0])
	}
}
