package eigen_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
)

// gaussianGram is the uncentred Gram matrix exp(−|x−y|²/(2ℓ²)) of n standard normal points of
// R^50, ℓ the typical distance: a flat spectrum, which is hard for Lanczos.
func gaussianGram(n int) *mat.SymDense {
	const d = 50
	rng := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	k := mat.NewSymDense(n, nil)
	k.SymOuterK(1, x)
	norms := make([]float64, n)
	for i := range n {
		norms[i] = k.At(i, i)
	}
	raw := k.RawSymmetric()
	for i := range n {
		for j := i; j < n; j++ {
			raw.Data[i*raw.Stride+j] = math.Exp(-(norms[i] + norms[j] - 2*raw.Data[i*raw.Stride+j]) / (4 * d))
		}
	}
	return k
}

func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

func BenchmarkLeading(b *testing.B) {
	for _, n := range []int{500, 1797, 5000} {
		k := gaussianGram(n)
		op := eigen.Dense(k)
		for _, pairs := range []int{2, 10, 50} {
			b.Run(fmt.Sprintf("n=%d/k=%d", n, pairs), func(b *testing.B) {
				b.ReportAllocs()
				var p *eigen.Pairs
				for b.Loop() {
					var err error
					p, err = eigen.Leading(context.Background(), op, pairs, eigen.Config{Deflate: [][]float64{ones(n)}})
					if err != nil || !p.Converged {
						b.Fatal(err, p)
					}
				}
				worst := 0.0
				for _, r := range p.Residuals {
					worst = max(worst, r/p.Values[0])
				}
				b.ReportMetric(float64(p.Products), "products")
				b.ReportMetric(worst*1e10, "residual/1e-10")
			})
		}
	}
}

func BenchmarkDense(b *testing.B) {
	for _, n := range []int{200, 1000, 5000} {
		op := eigen.Dense(gaussianGram(n))
		x, y := ones(n), make([]float64, n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				op.Apply(y, x)
			}
		})
	}
}

func BenchmarkSymmetric(b *testing.B) {
	for _, n := range []int{100, 300} {
		k := gaussianGram(n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := eigen.Symmetric(k); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
