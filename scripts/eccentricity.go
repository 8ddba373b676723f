//go:build ignore

// Measures the eccentricity ρ of a data set, and says from which bandwidth on a Gaussian kernel
// on it is as good as a linear one. The data are a set by name or a CSV file of yours; categorical
// columns become one column of 0 and 1 for each level.
//
//	go run ./nbkernel run scripts/eccentricity.go -data wine
//	go run scripts/eccentricity.go -data mine.csv -delimiter ';' -header first -target price -missing median
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"eigenbook/lib/asymptotic"
	"eigenbook/lib/dataset"
	"eigenbook/nbkernel/nb"

	"gonum.org/v1/gonum/mat"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("eccentricity: ")
	data := flag.String("data", "wine", "data set by name (iris, wine, credit-g, …), or a CSV file")
	delimiter := flag.String("delimiter", ",", "of the file: one character, or tab")
	header := flag.String("header", "auto", "first line of the file: auto, first (has names) or absent")
	target := flag.String("target", "", "column of the file that is no attribute, by name; last is the last one")
	ignore := flag.String("ignore", "", "columns of the file to leave out, with commas between")
	categorical := flag.String("categorical", "", "columns that are categorical although they hold numbers, with commas between")
	missing := flag.String("missing", "error", "what to do about missing values of the file: error, drop (the row) or median")
	median := flag.String("median", "full", "median distance: full (all N² entries), pairs or positive")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags only", flag.Arg(0))
	}

	convention, err := choose("-median", *median, map[string]int{
		"full": int(asymptotic.FullMatrix), "pairs": int(asymptotic.Pairs), "positive": int(asymptotic.PositivePairs)})
	if err != nil {
		log.Fatal(err)
	}
	options, err := csvOptions(*delimiter, *header, *target, *ignore, *categorical, *missing)
	if err != nil {
		log.Fatal(err)
	}
	ctx := nb.Context()
	set, err := load(ctx, *data, options)
	if err != nil {
		log.Fatal(err)
	}
	hot, err := set.OneHot()
	if err != nil {
		log.Fatalf("-data %s: %v", *data, err)
	}
	n, d := hot.X.Dims()
	_, attributes := set.X.Dims()
	fmt.Printf("%s: %d rows, %d attributes, %d columns one-hot\n", set.Name, n, attributes, d)
	if err := report(ctx, hot.X, asymptotic.Median(convention)); err != nil {
		log.Fatalf("-data %s: %v", *data, err)
	}
}

// load reads a file if there is one of that name, else the data set.
func load(ctx context.Context, name string, options dataset.CSVOptions) (*dataset.Set, error) {
	if _, err := os.Stat(name); err == nil || strings.ContainsAny(name, "./\\") {
		set, err := dataset.LoadCSV(name, options)
		if err != nil {
			return nil, fmt.Errorf("-data %s: %w", name, err)
		}
		return set, nil
	}
	set, err := dataset.Load(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("-data %s is neither a file nor a data set: %w", name, err)
	}
	return set, nil
}

// report prints ρ and what follows from it.
func report(ctx context.Context, x *mat.Dense, convention asymptotic.Median) error {
	s, err := asymptotic.NewDistances(ctx, x)
	if err != nil {
		return err
	}
	median, err := s.Median(convention)
	if err != nil {
		return err
	}
	rho := s.Diameter() / median
	fmt.Printf("diameter %.5g, median distance d_X = %.5g, eccentricity ρ = %.2f\n", s.Diameter(), median, rho)

	fmt.Println("\nGaussian kernel exp(−d²/(2σ_X²)), σ_X = d_X σ: how far distances are from Euclidean")
	fmt.Println("       σ        σ_X   largest error, share of the diameter")
	for p := -2.0; p <= 8; p++ {
		sigma := math.Exp2(p)
		fmt.Printf("%8g %10.4g   %.3g\n", sigma, median*sigma, asymptotic.DissonanceRatio(rho/sigma))
	}

	onset, err := metricOnset(rho)
	if err != nil {
		return err
	}
	limit := onset.Sigma()
	fmt.Println()
	if onset.Reached {
		fmt.Printf("Convergence onset σ = %v: from there on the kernel is linear up to a factor,\n", onset)
		fmt.Println("and four times closer to it with each doubling.")
	} else {
		fmt.Printf("No convergence onset up to σ = %g: few far points decide the diameter.\n", limit)
	}
	fmt.Printf("For a kernel that sees more than a linear one, search σ from %g to %g, that is σ_X\n", 1/4.0, limit)
	fmt.Printf("from %.4g to %.4g, or γ = 1/(2σ_X²) from %.3g to %.3g.\n",
		median/4, median*limit, gamma(median*limit), gamma(median/4))
	return nil
}

func gamma(scale float64) float64 { return 1 / (2 * scale * scale) }

// metricOnset applies the onset rule to the closed form of the metric dissonance.
func metricOnset(rho float64) (asymptotic.Onset, error) {
	var powers, curve []float64
	for p := -4.0; p <= 8; p++ {
		powers = append(powers, p)
		curve = append(curve, math.Log2(asymptotic.DissonanceRatio(rho/math.Exp2(p))))
	}
	return asymptotic.ConvergenceOnset(powers, curve, asymptotic.OnsetConfig{})
}

func csvOptions(delimiter, header, target, ignore, categorical, missing string) (dataset.CSVOptions, error) {
	o := dataset.CSVOptions{Target: target, Ignore: names(ignore), Categorical: names(categorical)}
	if delimiter == "tab" {
		delimiter = "\t"
	}
	comma := []rune(delimiter)
	if len(comma) != 1 {
		return o, fmt.Errorf("-delimiter is %q, want one character, or tab", delimiter)
	}
	o.Comma = comma[0]
	h, err := choose("-header", header, map[string]int{
		"auto": int(dataset.HeaderAuto), "first": int(dataset.HeaderFirst), "absent": int(dataset.HeaderAbsent)})
	if err != nil {
		return o, err
	}
	m, err := choose("-missing", missing, map[string]int{
		"error": int(dataset.MissingError), "drop": int(dataset.MissingDropRow), "median": int(dataset.MissingMedian)})
	o.Header, o.Missing = dataset.Header(h), dataset.Missing(m)
	return o, err
}

// choose returns the value of a word.
func choose(name, word string, values map[string]int) (int, error) {
	v, ok := values[word]
	if !ok {
		words := slices.Sorted(maps.Keys(values))
		return 0, fmt.Errorf("%s is %q, want one of %s", name, word, strings.Join(words, ", "))
	}
	return v, nil
}

// names splits a list at its commas.
func names(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// Output:
// wine: 178 rows, 13 attributes, 13 columns one-hot
// diameter 1402.2, median distance d_X = 280.24, eccentricity ρ = 5.00
//
// Gaussian kernel exp(−d²/(2σ_X²)), σ_X = d_X σ: how far distances are from Euclidean
//        σ        σ_X   largest error, share of the diameter
//     0.25      70.06   0.929
//      0.5      140.1   0.859
//        1      280.2   0.717
//        2      560.5   0.447
//        4       1121   0.167
//        8       2242   0.047
//       16       4484   0.0121
//       32       8968   0.00305
//       64  1.794e+04   0.000764
//      128  3.587e+04   0.000191
//      256  7.174e+04   4.77e-05
//
// Convergence onset σ = 4: from there on the kernel is linear up to a factor,
// and four times closer to it with each doubling.
// For a kernel that sees more than a linear one, search σ from 0.25 to 4, that is σ_X
// from 70.06 to 1121, or γ = 1/(2σ_X²) from 3.98e-07 to 0.000102.
