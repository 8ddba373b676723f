package asymptotic_test

import (
	"context"
	"fmt"
	"log"

	"eigenbook/lib/asymptotic"
	"eigenbook/lib/dataset"
)

func ExampleEccentricity() {
	rho, err := asymptotic.Eccentricity(context.Background(), dataset.Wine().X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ρ = %.2f\n", rho)
	fmt.Printf("metric dissonance at σ = 16: %.4f\n", asymptotic.DissonanceRatio(rho/16))
	// Output:
	// ρ = 5.00
	// metric dissonance at σ = 16: 0.0121
}

// At a bandwidth of 2²⁰ medians, the eigenvalues agree to 12 digits, and the difference is known
// to 12 digits more.
func ExampleAnalysis_Compare() {
	a, err := asymptotic.New(context.Background(), dataset.Iris().X, asymptotic.Config{})
	if err != nil {
		log.Fatal(err)
	}
	for _, sigma := range []float64{8, 1 << 20} {
		c, err := a.Compare(context.Background(), sigma)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("σ = %g: eigenvalues differ by %.3g, first axes by %.3g rad\n",
			sigma, c.EigenvalueDiscrepancy(), c.Angles[0])
	}
	// Output:
	// σ = 8: eigenvalues differ by 0.0199, first axes by 0.0049 rad
	// σ = 1.048576e+06: eigenvalues differ by 1.17e-12, first axes by 2.86e-13 rad
}

func ExampleRun() {
	t, err := asymptotic.Run(context.Background(), dataset.Wine().X, asymptotic.ProtocolConfig{
		Config: asymptotic.Config{Pairs: 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("onset of the metric", t.Metric.Onset)
	fmt.Println("onset of the eigenvalues", t.Eigenvalue.Onset)
	fmt.Println("onset of the first axis", t.Projection[0].Onset)
	fmt.Println("onset of the first two axes", t.Projection[1].Onset)
	// Output:
	// onset of the metric 4
	// onset of the eigenvalues 4
	// onset of the first axis 4
	// onset of the first two axes 64
}
