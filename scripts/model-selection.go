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
	data := flag.String("data", "iris", "data set: toy, iris, wine (standardised) or digits")
	most := flag.Int("max", 25, "largest latent dimension")
	share := flag.Float64("test", 0.3, "share of the rows that are held out")
	seed := flag.Uint64("seed", 1, "seed of the split")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags only", flag.Arg(0))
	}
	if *most < 1 {
		log.Fatalf("-max is %d, want at least 1", *most)
	}

	set, err := load(*data)
	if err != nil {
		log.Fatal(err)
	}
	train, test, err := set.Split(*share, *seed)
	if err != nil {
		log.Fatalf("-test %v: %v", *share, err)
	}
	if *data == "wine" {
		if err := standardize(train, test); err != nil {
			log.Fatal(err)
		}
	}
	median, err := kernel.MedianLengthScale(train.X)
	if err != nil {
		log.Fatalf("-test %v: %v", *share, err)
	}
	ctx := nb.Context()
	m, err := ppca.FitDual(ctx, train.X, kernel.RBF{LengthScale: median}, ppca.Config{Latent: *most})
	if err != nil {
		log.Fatalf("-max %d: %v", *most, err)
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
	fmt.Printf("%s: %d rows to fit, %d held out\n", set.Name, m.Observations(), test.X.RawMatrix().Rows)
	display.Show(display.Table([]string{"q", "σ²", "explained", "log-likelihood", "BIC", "held out"}, rows))
	display.Show(display.Curves([]display.Curve{{Name: "held out", X: q, Y: heldOut, Points: true}},
		display.CurvesOptions{Title: "Likelihood of rows not seen", XLabel: "q", YLabel: "nats"}))
	last := candidates[len(candidates)-1].Latent
	for _, choice := range []struct {
		by string
		q  int
	}{
		{"BIC", ppca.ByBIC(candidates).Latent},
		{"held-out likelihood", ppca.ByHeldOut(candidates).Latent},
	} {
		note := ""
		if choice.q == last {
			note = ", the last one tried: no optimum yet"
		}
		fmt.Printf("%s chooses q = %d%s\n", choice.by, choice.q, note)
	}
}

func load(name string) (*dataset.Set, error) {
	switch name {
	case "toy":
		return &dataset.Set{Name: "toy", X: dataset.DualPPCAToy()}, nil
	case "iris":
		return dataset.Iris(), nil
	case "wine":
		return dataset.Wine(), nil
	case "digits":
		return dataset.Digits(), nil
	}
	return nil, fmt.Errorf("-data is %q, want toy, iris, wine or digits", name)
}

// standardize scales both parts by what is known when the model is fitted: train.
func standardize(train, test *dataset.Set) error {
	x, scaling, err := dataset.Standardize(train.X)
	if err != nil {
		return err
	}
	train.X = x
	test.X, err = scaling.Apply(test.X)
	return err
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
// 11   3.31e-05      0.993           37305  -69109     14661
// 12  2.422e-05      0.995           38628  -71326     14884
// 13  1.892e-05     0.9961           39634  -72915     14951
// 14  1.398e-05     0.9972           40881  -74991     15406
// 15  1.062e-05     0.9979           41990  -76794     15322
// 16  8.568e-06     0.9983           42818  -78041     15623
// 17  7.079e-06     0.9986           43535  -79069     15712
// 18  5.896e-06     0.9989           44208  -80015     15638
// 19  4.865e-06     0.9991           44911  -81025     15449
// 20  4.015e-06     0.9992           45603  -82020     15104
// 21  3.324e-06     0.9994           46274  -82974     15368
// 22  2.706e-06     0.9995           47002  -84050     14762
// 23  2.167e-06     0.9996           47788  -85245     14306
// 24  1.729e-06     0.9997           48576  -86447     12998
// 25   1.31e-06     0.9998           49556  -88041     11941
// Curves: nats over q
// held out: 26 points from (0, 5953) to (25, 11941), least (0, 5953), greatest (17, 15712)
// Likelihood of rows not seen
// BIC chooses q = 25, the last one tried: no optimum yet
// held-out likelihood chooses q = 17
