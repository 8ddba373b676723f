package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// DualPPCAToy returns the 60×2 toy data of the dual PPCA notebook, without any randomness: for i = 0 … 59 and
// t = −1 + 2i/59, in radians,
//
//	x₁ = 3t + 0.15 sin(37 i),   x₂ = 2 sin(πt) + 0.15 cos(53 i).
func DualPPCAToy() *mat.Dense {
	x := mat.NewDense(60, 2, nil)
	for i := range 60 {
		k := float64(i)
		t := -1 + 2*k/59
		x.Set(i, 0, 3*t+0.15*math.Sin(37*k))
		x.Set(i, 1, 2*math.Sin(math.Pi*t)+0.15*math.Cos(53*k))
	}
	return x
}

// GaussianMatrix returns an n×d matrix of independent standard normal numbers. The error wraps ErrArgument for a
// size below 1, and ErrTooLarge beyond 2²⁸ values.
func GaussianMatrix(n, d int, seed uint64) (*mat.Dense, error) {
	if err := checkSize(n, d); err != nil {
		return nil, err
	}
	return gaussian(n, d, random(seed)), nil
}

// GaussianBlobs returns n points in d dimensions, in classes whose centres are drawn from N(0, separation² I)
// and whose members are drawn from N(centre, I). Row i belongs to class i mod classes. Errors are
// those of [GaussianMatrix], also for a separation that is negative or above 1e150, and for more classes than rows.
func GaussianBlobs(n, d, classes int, separation float64, seed uint64) (*Set, error) {
	if err := checkSize(n, d); err != nil {
		return nil, err
	}
	if classes < 1 || classes > n {
		return nil, fmt.Errorf("%w: %d classes, want 1 to %d for %d rows", ErrArgument, classes, n, n)
	}
	if err := checkAmount("separation", separation); err != nil {
		return nil, err
	}
	rng := random(seed)
	centres := gaussian(classes, d, rng)
	s := generated("gaussian blobs", gaussian(n, d, rng))
	for i := range n {
		c := i % classes
		s.Labels = append(s.Labels, c)
		for j := range d {
			s.X.Set(i, j, s.X.At(i, j)+separation*centres.At(c, j))
		}
	}
	for c := range classes {
		s.ClassNames = append(s.ClassNames, strconv.Itoa(c))
	}
	return s, nil
}

// SwissRoll returns n points on a rolled-up strip, (t cos t, h, t sin t) with t uniform in [1.5π, 4.5π] and h in [0, 21],
// plus normal noise of the given standard deviation. Target is t. Errors are those of [GaussianMatrix], also for
// noise that is negative or above 1e150.
func SwissRoll(n int, noise float64, seed uint64) (*Set, error) {
	return surface("swiss roll", n, noise, seed, func(rng *rand.Rand) (t, x, y, z float64) {
		t = 1.5 * math.Pi * (1 + 2*rng.Float64())
		return t, t * math.Cos(t), 21 * rng.Float64(), t * math.Sin(t)
	})
}

// SCurve returns n points on a strip bent like an S, (sin t, h, sign(t) (cos t − 1)) with t uniform in
// [−1.5π, 1.5π] and h in [0, 2], plus noise; as [SwissRoll] otherwise.
func SCurve(n int, noise float64, seed uint64) (*Set, error) {
	return surface("s curve", n, noise, seed, func(rng *rand.Rand) (t, x, y, z float64) {
		t = 3 * math.Pi * (rng.Float64() - 0.5)
		return t, math.Sin(t), 2 * rng.Float64(), math.Copysign(1, t) * (math.Cos(t) - 1)
	})
}

// surface draws n points of a surface in three dimensions, whose Target is the parameter t.
func surface(name string, n int, noise float64, seed uint64, point func(*rand.Rand) (t, x, y, z float64)) (*Set, error) {
	if err := checkSize(n, 3); err != nil {
		return nil, err
	}
	if err := checkAmount("noise", noise); err != nil {
		return nil, err
	}
	rng := random(seed)
	s := generated(name, mat.NewDense(n, 3, nil))
	s.TargetName = "t"
	for i := range n {
		t, x, y, z := point(rng)
		s.Target = append(s.Target, t)
		s.X.SetRow(i, []float64{x + noise*rng.NormFloat64(), y + noise*rng.NormFloat64(), z + noise*rng.NormFloat64()})
	}
	return s, nil
}

// TwoMoons returns two interleaved half circles in the plane: class 0 on (cos θ, sin θ) and class 1
// on (1 − cos θ, ½ − sin θ), θ equally spaced over [0, π], ⌈n/2⌉ and ⌊n/2⌋ points, plus normal noise of the
// given standard deviation. The error wraps ErrArgument for n < 2 or noise that is negative or above 1e150.
func TwoMoons(n int, noise float64, seed uint64) (*Set, error) {
	return twoCurves("two moons", n, noise, seed, math.Pi, true, func(class int, a float64) (x, y float64) {
		if class == 0 {
			return math.Cos(a), math.Sin(a)
		}
		return 1 - math.Cos(a), 0.5 - math.Sin(a)
	})
}

// Circles returns two concentric circles in the plane: class 0 of radius 1 and class 1 of radius factor, with
// equally spaced points, ⌈n/2⌉ and ⌊n/2⌋, plus noise as [TwoMoons]. The error wraps ErrArgument also
// unless 0 ≤ factor < 1.
func Circles(n int, factor, noise float64, seed uint64) (*Set, error) {
	if !(factor >= 0 && factor < 1) {
		return nil, fmt.Errorf("%w: factor is %v, want 0 or more and less than 1", ErrArgument, factor)
	}
	return twoCurves("circles", n, noise, seed, 2*math.Pi, false, func(class int, a float64) (x, y float64) {
		r := 1.0
		if class == 1 {
			r = factor
		}
		return r * math.Cos(a), r * math.Sin(a)
	})
}

// twoCurves places points at equal steps of an angle from 0 to end on two curves; closed curves leave out the end.
func twoCurves(name string, n int, noise float64, seed uint64, end float64, withEnd bool, curve func(class int, a float64) (x, y float64)) (*Set, error) {
	if err := checkSize(n, 2); err != nil {
		return nil, err
	}
	if n < 2 {
		return nil, fmt.Errorf("%w: %d points on two curves, want at least 2", ErrArgument, n)
	}
	if err := checkAmount("noise", noise); err != nil {
		return nil, err
	}
	rng := random(seed)
	s := generated(name, mat.NewDense(n, 2, nil))
	s.ClassNames = []string{"0", "1"}
	sizes := [2]int{(n + 1) / 2, n / 2}
	i := 0
	for class, size := range sizes {
		steps := size
		if withEnd {
			steps = max(size-1, 1)
		}
		for k := range size {
			x, y := curve(class, end*float64(k)/float64(steps))
			s.X.SetRow(i, []float64{x + noise*rng.NormFloat64(), y + noise*rng.NormFloat64()})
			s.Labels = append(s.Labels, class)
			i++
		}
	}
	return s, nil
}

// Factors is a sample of the factor model x = W z + μ + σ ε together with the truth behind it.
type Factors struct {
	X             *mat.Dense // n×d, one observation per row
	Loadings      *mat.Dense // W, d×q
	Scores        *mat.Dense // z, n×q
	Mean          []float64  // μ, length d
	NoiseVariance float64    // σ²
}

// LowRankGaussian draws n observations of the factor model x = W z + μ + σ ε of probabilistic PCA, with z ~ N(0, I_q),
// ε ~ N(0, I_d), and W and μ of independent standard normal numbers. The covariance of x is WWᵀ + σ² I.
// The error wraps ErrArgument unless 1 ≤ q ≤ d and noiseVariance ≥ 0 is finite, and ErrTooLarge beyond 2²⁸
// values.
func LowRankGaussian(n, d, q int, noiseVariance float64, seed uint64) (*Factors, error) {
	if err := checkSize(n, d); err != nil {
		return nil, err
	}
	if q < 1 || q > d {
		return nil, fmt.Errorf("%w: %d factors, want 1 to %d for %d dimensions", ErrArgument, q, d, d)
	}
	if err := checkAmount("noiseVariance", noiseVariance); err != nil {
		return nil, err
	}
	if err := checkSize(d, q); err != nil {
		return nil, err
	}
	rng := random(seed)
	f := &Factors{NoiseVariance: noiseVariance, Loadings: gaussian(d, q, rng)}
	f.Mean = gaussian(1, d, rng).RawRowView(0)
	f.Scores = gaussian(n, q, rng)
	f.X = gaussian(n, d, rng)
	f.X.Scale(math.Sqrt(noiseVariance), f.X)
	for i := range n {
		row, z := f.X.RawRowView(i), f.Scores.RawRowView(i)
		for j := range row {
			row[j] += f.Mean[j]
			for k, w := range f.Loadings.RawRowView(j) {
				row[j] += w * z[k]
			}
		}
	}
	return f, nil
}

func gaussian(n, d int, rng *rand.Rand) *mat.Dense {
	data := make([]float64, n*d)
	for i := range data {
		data[i] = rng.NormFloat64()
	}
	return mat.NewDense(n, d, data)
}

func generated(name string, x *mat.Dense) *Set {
	_, d := x.Dims()
	return &Set{Name: name, X: x, FeatureNames: featureNames(0, 0, d), Source: "generated", Licence: "none needed"}
}

func checkSize(n, d int) error {
	if n < 1 || d < 1 {
		return fmt.Errorf("%w: size %d×%d, want at least 1×1", ErrArgument, n, d)
	}
	if n > maxValues/d {
		return fmt.Errorf("%w: size %d×%d, want at most %d values", ErrTooLarge, n, d, maxValues)
	}
	return nil
}

func checkAmount(name string, v float64) error {
	const most = 1e150 // squares of the data stay finite
	if !(v >= 0 && v <= most) {
		return fmt.Errorf("%w: %s is %v, want 0 to %g", ErrArgument, name, v, most)
	}
	return nil
}
