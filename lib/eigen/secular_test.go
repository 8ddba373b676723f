package eigen

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// Each root is where the equation changes its sign, in arithmetic of 400 bits, to what rounding of the
// equation's terms can do, which is the accuracy that makes eigenvectors orthogonal.
func TestSecularRoots(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	exact := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	for name, make := range map[string]func(k int) (d, z []float64){
		"random": func(k int) (d, z []float64) {
			for range k {
				d, z = append(d, rng.NormFloat64()), append(z, rng.NormFloat64())
			}
			return d, z
		},
		"tiny weights": func(k int) (d, z []float64) {
			for i := range k {
				d, z = append(d, float64(i)/float64(k)), append(z, math.Pow(10, -12*rng.Float64()))
			}
			return d, z
		},
		"close poles": func(k int) (d, z []float64) {
			for i := range k {
				d, z = append(d, float64(i/4)+1e-12*float64(i%4+1)), append(z, rng.NormFloat64())
			}
			return d, z
		},
	} {
		for _, k := range []int{1, 2, 3, 10, 60} {
			d, z := make(k)
			slices.Sort(d)
			length := 0.0
			for _, v := range z {
				length += v * v
			}
			for i := range z {
				z[i] /= math.Sqrt(length)
			}
			s := &secular{d: d, z: z, rho: 0.5}
			delta := slices.Repeat([]float64{0}, k)
			for j := range k {
				root := s.root(j, delta)
				if root < d[j] || j < k-1 && root > d[j+1] {
					t.Errorf("%s, k=%d: root %d is %v, not beyond pole %v", name, k, j, root, d[j:min(k, j+2)])
				}
				nearest := 0
				for i := range delta {
					if math.Abs(delta[i]) < math.Abs(delta[nearest]) {
						nearest = i
					}
				}
				sign := func(off float64) int {
					lambda := exact(d[nearest])
					lambda.Sub(lambda, exact(delta[nearest]))
					lambda.Add(lambda, exact(off))
					f := exact(1 / s.rho)
					for i := range d {
						below := exact(d[i])
						below.Sub(below, lambda)
						term := exact(z[i])
						term.Mul(term, term)
						f.Add(f, term.Quo(term, below))
					}
					return f.Sign()
				}
				terms, slope := 1/s.rho, 0.0
				for i := range d {
					terms += math.Abs(z[i] * z[i] / delta[i])
					slope += z[i] * z[i] / delta[i] / delta[i]
				}
				width := unit * (float64(16+k)*terms/slope + 4*math.Abs(delta[nearest]))
				if sign(-width) != -1 || sign(width) != 1 {
					t.Errorf("%s, k=%d: root %d is not within %.2g of %.17g", name, k, j, width, root)
				}
			}
		}
	}
}
