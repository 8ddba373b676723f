package ppca_test

import (
	"fmt"
	"math"
	"testing"

	"eigenbook/lib/kernel"
	"eigenbook/lib/ppca"
)

func BenchmarkFitDual(b *testing.B) {
	for _, size := range [][2]int{{300, 10}, {1797, 64}, {5000, 50}} {
		n, d := size[0], size[1]
		x := gaussian(n, d, 1)
		for _, k := range []kernel.Kernel{kernel.RBF{LengthScale: math.Sqrt(2 * float64(d))}, kernel.Linear{}} {
			b.Run(fmt.Sprintf("%T/n=%d/d=%d/q=9", k, n, d), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					dual(b, x, k, ppca.Config{Latent: 9})
				}
			})
		}
	}
}

func BenchmarkFitPrimal(b *testing.B) {
	for _, size := range [][2]int{{1000, 50}, {10000, 50}, {50, 5000}} {
		x := gaussian(size[0], size[1], 1)
		b.Run(fmt.Sprintf("n=%d/d=%d/q=10", size[0], size[1]), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				primal(b, x, ppca.Config{Latent: 10})
			}
		})
	}
}

func BenchmarkTransform(b *testing.B) {
	x, z := gaussian(2000, 50, 1), gaussian(1000, 50, 2)
	m := dual(b, x, kernel.RBF{LengthScale: 10}, ppca.Config{Latent: 10})
	b.Run("n=2000/m=1000/d=50/q=10", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			matrix(b)(m.Transform(ctx, z))
		}
	})
}

func BenchmarkSample(b *testing.B) {
	m := dual(b, gaussian(500, 10, 1), kernel.RBF{LengthScale: 4}, ppca.Config{Latent: 10})
	b.Run("n=500/samples=100", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			matrix(b)(m.Sample(100, nil))
		}
	})
}

func BenchmarkFitMixture(b *testing.B) {
	x, _ := clusters(1500, 1)
	b.Run("n=1500/d=3/K=3/restarts=1", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ppca.FitMixture(ctx, x, ppca.MixtureConfig{Components: 3, Latent: 1, Restarts: 1}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
