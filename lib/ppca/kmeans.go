package ppca

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/kernel"
)

// kmeansRounds is how often k-means assigns rows before EM takes over.
const kmeansRounds = 10

// kmeans returns 0/1 responsibilities (N×k) from a k-means++ start and a few rounds of k-means.
// Clusters may end up empty.
func kmeans(x *mat.Dense, k int, rng *rand.Rand) *mat.Dense {
	n, d := x.Dims()
	centres := seeds(x, k, rng)
	labels := make([]int, n)
	for range kmeansRounds {
		for i := range n {
			labels[i], _ = nearest(x.RawRowView(i), centres)
		}
		next, counts := mat.NewDense(k, d, nil), make([]float64, k)
		for i, c := range labels {
			counts[c]++
			row := next.RawRowView(c)
			for j, v := range x.RawRowView(i) {
				row[j] += v
			}
		}
		for c, count := range counts {
			row := next.RawRowView(c)
			for j := range row {
				if count > 0 {
					row[j] /= count
				} else {
					row[j] = centres.At(c, j)
				}
			}
		}
		centres = next
	}
	resp := mat.NewDense(n, k, nil)
	for i, c := range labels {
		resp.Set(i, c, 1)
	}
	return resp
}

// seeds draws rows as centres, each with probability proportional to the squared distance from
// those before it (Arthur & Vassilvitskii 2007).
func seeds(x *mat.Dense, k int, rng *rand.Rand) *mat.Dense {
	n, d := x.Dims()
	centres := mat.NewDense(k, d, nil)
	centres.SetRow(0, x.RawRowView(rng.IntN(n)))
	distances := make([]float64, n)
	for c := 1; c < k; c++ {
		for i := range distances {
			_, distances[i] = nearest(x.RawRowView(i), centres.Slice(0, c, 0, d).(*mat.Dense))
		}
		at := rng.Float64() * sum(distances)
		pick := n - 1
		for i, v := range distances {
			if at -= v; at < 0 {
				pick = i
				break
			}
		}
		centres.SetRow(c, x.RawRowView(pick))
	}
	return centres
}

// nearest returns the centre nearest to v and its squared distance.
func nearest(v []float64, centres *mat.Dense) (label int, distance float64) {
	k, _ := centres.Dims()
	for c := range k {
		if r := kernel.SquaredDistance(v, centres.RawRowView(c)); c == 0 || r < distance {
			label, distance = c, r
		}
	}
	return label, distance
}
