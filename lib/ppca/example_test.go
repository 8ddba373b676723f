package ppca_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
	"eigenbook/lib/ppca"
)

// waves returns n points of a curve in five dimensions.
func waves(n int) *mat.Dense {
	x := mat.NewDense(n, 5, nil)
	for i := range n {
		s := 2 * math.Pi * float64(i) / float64(n)
		x.SetRow(i, []float64{3 * math.Cos(s), 2 * math.Sin(s), math.Cos(s) + 0.1*math.Sin(5*s), 0.2 * math.Cos(3*s), 0.1 * math.Sin(7*s)})
	}
	return x
}

// The primal model: two latent dimensions explain nearly all, and the rest is noise.
func ExampleFitPrimal() {
	model, err := ppca.FitPrimal(waves(50), ppca.Config{Latent: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model)
	fmt.Printf("explained %.4f\n", model.ExplainedRatio())
	h, err := model.Transform(mat.NewDense(1, 5, []float64{3, 1, 1, 0.2, 0}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("latent %.2f\n", mat.Row(nil, 0, h))
	// Output:
	// ppca.Model(N=50, d=5, q=2, σ²=0.009833)
	// explained 0.9958
	// latent [1.41 0.71]
}

// The dual model with a linear kernel is the primal one, seen through kernel rows.
func ExampleFitDual() {
	ctx := context.Background()
	x := waves(50)
	dual, err := ppca.FitDual(ctx, x, kernel.Linear{}, ppca.Config{Latent: 2})
	if err != nil {
		log.Fatal(err)
	}
	primal, err := ppca.FitPrimal(x, ppca.Config{Latent: 2})
	if err != nil {
		log.Fatal(err)
	}
	a, _ := dual.LogLikelihood()
	b, _ := primal.LogLikelihood()
	fmt.Printf("σ² %.6f and %.6f\nlog-likelihood %.4f and %.4f\n", dual.NoiseVariance(), primal.NoiseVariance(), a, b)
	// Output:
	// σ² 0.009833 and 0.009833
	// log-likelihood -65.6523 and -65.6523
}

// Sampling in the kernel space of a circle, and back to the plane by a kernel smoother.
func ExampleDualModel_Sample() {
	ctx := context.Background()
	x := mat.DenseCopyOf(waves(50).Slice(0, 50, 0, 2))
	model, err := ppca.FitDual(ctx, x, kernel.RBF{LengthScale: 1}, ppca.Config{Latent: 4})
	if err != nil {
		log.Fatal(err)
	}
	kc, err := model.Sample(3, rand.NewPCG(1, 2))
	if err != nil {
		log.Fatal(err)
	}
	points, err := model.FeaturePoints(kc)
	if err != nil {
		log.Fatal(err)
	}
	smoother, err := kpca.NewSmoother(x, kpca.SmootherConfig{Nearest: 5})
	if err != nil {
		log.Fatal(err)
	}
	images, err := smoother.PreImages(ctx, points)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 3 {
		fmt.Printf("%.1f\n", mat.Row(nil, i, images))
	}
	// Output:
	// [-1.5 0.8]
	// [0.8 0.0]
	// [0.5 -1.9]
}

// Which latent dimension? The likelihood alone always says more.
func ExampleModel_Candidates() {
	model, err := ppca.FitPrimal(waves(50), ppca.Config{Isotropic: true})
	if err != nil {
		log.Fatal(err)
	}
	table, err := model.Candidates(3, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range table {
		fmt.Printf("q=%d σ²=%.4f LL=%.1f BIC=%.1f evidence=%.1f\n", c.Latent, c.NoiseVariance, c.LogLikelihood, c.BIC, c.Evidence)
	}
	fmt.Println("best by BIC:", ppca.ByBIC(table).Latent, "and by evidence:", ppca.ByEvidence(table).Latent)
	// Output:
	// q=0 σ²=1.4060 LL=-397.3 BIC=818.1 evidence=-42.6
	// q=1 σ²=0.5074 LL=-327.1 BIC=697.3 evidence=15.1
	// q=2 σ²=0.0098 LL=-65.7 BIC=190.0 evidence=256.2
	// q=3 σ²=0.0047 LL=-47.0 BIC=164.5 evidence=267.6
	// best by BIC: 3 and by evidence: 3
}

// Entries that are missing are marked by NaN.
func ExampleFitMissing() {
	x := waves(50)
	want := x.At(10, 0)
	x.Set(10, 0, math.NaN())
	fit, err := ppca.FitMissing(context.Background(), x, ppca.EMConfig{Latent: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("imputed %.2f, was %.2f\n", fit.Imputed.At(10, 0), want)
	// Output:
	// imputed 0.91, was 0.93
}

// Missing entries under a kernel that is not linear: an approximation, which the model says.
func ExampleFitMissingApprox() {
	x := waves(50)
	x.Set(10, 0, math.NaN())
	x.Set(31, 2, math.NaN())
	ctx := context.Background()
	fit, err := ppca.FitMissingApprox(ctx, x, kernel.RBF{LengthScale: 3}, ppca.ApproxConfig{
		Model: ppca.Config{Latent: 3},
		Law:   ppca.EMConfig{Latent: 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fit.Model)
	fmt.Println(fit.Model.Warnings()[0])
	kc, _, err := fit.Rows(ctx, mat.NewDense(1, 5, []float64{3, 1, math.NaN(), 0.2, 0}))
	if err != nil {
		log.Fatal(err)
	}
	h, err := fit.Model.TransformRows(kc)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("latent %.2f\n", mat.Row(nil, 0, h))
	// Output:
	// ppca.DualModel(expected kernel, N=50, q=3, D=49, σ²=0.0009464)
	// ppca: approximation: the model is that of the expected Gram matrix, over 2 missing entries
	// latent [1.27 0.56 -1.17]
}
