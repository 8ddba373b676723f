package gram_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

func gaussian(n, d int, seed uint64) *mat.Dense {
	rnd := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n*d)
	for i := range x {
		x[i] = rnd.NormFloat64()
	}
	return mat.NewDense(n, d, x)
}

var shapes = []struct{ n, d int }{{2000, 50}, {5000, 50}, {1797, 64}}

func BenchmarkCompute(b *testing.B) {
	for _, k := range []kernel.Kernel{
		kernel.RBF{LengthScale: 5},
		kernel.Polynomial{Degree: 3, Scale: 0.02, Offset: 1},
		kernel.Matern{Nu: 1.5, LengthScale: 5},
		kernel.Laplacian{LengthScale: 50},
	} {
		for _, s := range shapes {
			b.Run(fmt.Sprintf("%T/n=%d/d=%d", k, s.n, s.d), func(b *testing.B) {
				x := gaussian(s.n, s.d, 1)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := gram.Compute(context.Background(), k, x); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkCross(b *testing.B) {
	k := kernel.RBF{LengthScale: 5}
	for _, s := range shapes {
		b.Run(fmt.Sprintf("n=%d/d=%d", s.n, s.d), func(b *testing.B) {
			x, z := gaussian(s.n, s.d, 1), gaussian(500, s.d, 2)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := gram.Cross(context.Background(), k, z, x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCenter(b *testing.B) {
	for _, s := range shapes {
		b.Run(fmt.Sprintf("n=%d/d=%d", s.n, s.d), func(b *testing.B) {
			k, err := gram.Compute(context.Background(), kernel.RBF{LengthScale: 5}, gaussian(s.n, s.d, 1))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				gram.Center(k)
			}
		})
	}
}

func BenchmarkNystrom(b *testing.B) {
	x := gaussian(5000, 50, 1)
	b.Run("n=5000/d=50/m=200", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ny, err := gram.FitNystrom(context.Background(), kernel.RBF{LengthScale: 5}, x, gram.NystromConfig{Landmarks: 200})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := ny.Features(context.Background(), x); err != nil {
				b.Fatal(err)
			}
		}
	})
}
