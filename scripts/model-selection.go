//go:build ignore

// Compares latent dimensions of dual probabilistic PCA: noise variance, likelihood, BIC and
// the likelihood of rows that the fit has not seen.
//
//	go run ./nbkernel run scripts/model-selection.go -data wine -max 20
//	go run scripts/model-selection.go
package main

import (
	"flag"
	"fmt"
	"log"

	"eigenbook/display"
	"eigenbook/lib/dataset"
	"eigenbook/lib/kernel"
	"eigenbook/lib/ppca"
	"eigenbook/nbkernel/nb"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("model-selection: ")
	data := flag.String("data", "iris", "data set: iris, wine or digits")
	most := flag.Int("max", 10, "largest latent dimension")
	share := flag.Float64("test", 0.3, "share of the rows that are held out")
	seed := flag.Uint64("seed", 1, "seed of the split")
	flag.Parse()

	var set *dataset.Set
	switch *data {
	case "iris":
		set = dataset.Iris()
	case "wine":
		set = dataset.Wine()
	case "digits":
		set = dataset.Digits()
	default:
		log.Fatalf("data set is %q, want iris, wine or digits", *data)
	}
	train, test, err := set.Split(*share, *seed)
	if err != nil {
		log.Fatal(err)
	}
	median, err := kernel.MedianLengthScale(train.X)
	if err != nil {
		log.Fatal(err)
	}
	ctx := nb.Context()
	m, err := ppca.FitDual(ctx, train.X, kernel.RBF{LengthScale: median}, ppca.Config{Latent: *most})
	if err != nil {
		log.Fatal(err)
	}
	candidates, err := m.Candidates(ctx, *most, test.X)
	if err != nil {
		log.Fatal(err)
	}
	var rows [][]any
	var q, heldOut []float64
	for _, c := range candidates {
		rows = append(rows, []any{c.Latent, c.NoiseVariance, c.ExplainedRatio, c.LogLikelihood, c.BIC, c.HeldOut})
		q = append(q, float64(c.Latent))
		heldOut = append(heldOut, c.HeldOut)
	}
	fmt.Printf("%s: %d rows to fit, %d held out\n", set.Name, m.Observations(), len(test.Labels))
	display.Show(display.Table([]string{"q", "σ²", "explained", "log-likelihood", "BIC", "held out"}, rows))
	display.Show(display.Curves([]display.Curve{{Name: "held out", X: q, Y: heldOut, Points: true}},
		display.CurvesOptions{Title: "Likelihood of rows not seen", XLabel: "q", YLabel: "nats"}))
	fmt.Printf("BIC chooses q = %d, held-out likelihood q = %d\n",
		ppca.ByBIC(candidates).Latent, ppca.ByHeldOut(candidates).Latent)
}

// Output:
// iris: 105 rows to fit, 45 held out
//  q         σ²  explained  log-likelihood     BIC  held out
//  0   0.004239          0           14197  -27911      5953
//  1    0.00128     0.7009           20384  -39805      8034
//  2  0.0005745     0.8671           24421  -47405      9968
//  3  0.0003987     0.9087           26157  -50406     10367
//  4  0.0002827     0.9359           27768  -53162     11063
//  5  0.0002019     0.9547           29321  -55808     12203
//  6  0.0001288     0.9714           31423  -59555     12926
//  7  9.406e-05     0.9793           32834  -61926     13370
//  8  7.413e-05     0.9839           33861  -63534     13659
//  9  5.723e-05     0.9877           34975  -65319     14088
// 10  4.326e-05     0.9908           36175  -67283     14476
// Curves: nats over q
// held out: 11 points from (0, 5953) to (10, 14476), least (0, 5953), greatest (10, 14476)
// Likelihood of rows not seen
// BIC chooses q = 10, held-out likelihood q = 10
