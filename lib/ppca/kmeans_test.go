package ppca

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Of clusters far from each other, k-means++ starts in each, whatever the draw.
func TestKmeans(t *testing.T) {
	x := mat.NewDense(30, 1, nil)
	for i := range 30 {
		x.Set(i, 0, 1e6*float64(i%3)+float64(i)/30)
	}
	for seed := range uint64(50) {
		resp := kmeans(x, 3, rand.New(rand.NewPCG(seed, 1)))
		for i := range 30 {
			for j := range 30 {
				if together := mat.Dot(resp.RowView(i), resp.RowView(j)); together == 1 != (i%3 == j%3) {
					t.Fatalf("seed %d: rows %d and %d: responsibilities %v and %v", seed, i, j, resp.RawRowView(i), resp.RawRowView(j))
				}
			}
		}
	}
}
