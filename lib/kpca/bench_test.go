package kpca_test

import (
	"fmt"
	"math"
	"testing"

	"eigenbook/lib/kernel"
	"eigenbook/lib/kpca"
)

func BenchmarkFit(b *testing.B) {
	for _, size := range [][2]int{{300, 10}, {1797, 64}, {5000, 50}} {
		n, d := size[0], size[1]
		x := gaussian(n, d, 1)
		k := kernel.RBF{LengthScale: math.Sqrt(2 * float64(d))}
		b.Run(fmt.Sprintf("n=%d/d=%d/q=10", n, d), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				fit(b, x, k, kpca.Config{Latent: 10})
			}
		})
	}
}

func BenchmarkTransform(b *testing.B) {
	x, z := gaussian(2000, 50, 1), gaussian(1000, 50, 2)
	m := fit(b, x, kernel.RBF{LengthScale: 10}, kpca.Config{Latent: 10})
	b.Run("n=2000/m=1000/d=50/q=10", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			transform(b, m, z)
		}
	})
}
