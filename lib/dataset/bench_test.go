package dataset_test

import (
	"bytes"
	"os"
	"testing"

	"eigenbook/lib/dataset"
)

func BenchmarkDecode(b *testing.B) {
	for name, file := range map[string]string{"iris": "iris.csv.gz", "digits": "digits.csv.gz", "spambase": "spambase.csv.gz"} {
		content, err := os.ReadFile("data/" + file)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := dataset.ReadCSV(bytes.NewReader(content), dataset.CSVOptions{Target: "last"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	images, err := os.ReadFile("data/mnist-images.idx.gz")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("mnist-sample", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := dataset.ReadIDX(bytes.NewReader(images), 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCopy is what a call costs after the first.
func BenchmarkCopy(b *testing.B) {
	for name, get := range map[string]func() *dataset.Set{"iris": dataset.Iris, "spambase": dataset.Spambase, "mnist-sample": dataset.MNISTSample} {
		get()
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				get()
			}
		})
	}
}
