package asymptotic

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

// A Median is a convention for the median distance d_X of N points.
type Median int

const (
	// FullMatrix is the median of all N² entries of the distance matrix, with its zero diagonal.
	FullMatrix Median = iota
	// Pairs is the median of the N(N−1)/2 pairs.
	Pairs
	// PositivePairs is the median of the pairs at a distance above zero.
	PositivePairs
)

// String returns the name of the convention.
func (m Median) String() string {
	switch m {
	case FullMatrix:
		return "FullMatrix"
	case Pairs:
		return "Pairs"
	case PositivePairs:
		return "PositivePairs"
	}
	return fmt.Sprintf("Median(%d)", int(m))
}

// Distances are the Euclidean distances of the N rows of a data matrix, N(N−1)/2 numbers of 8
// bytes. They do not change and are safe for concurrent use.
type Distances struct {
	n        int
	d        []float64 // d₀₁ d₀₂ … d₁₂ …
	diameter float64
	smallest float64 // above zero; 0 if all are zero
}

// NewDistances returns the distances of the rows of x, N×d, from differences of the rows, so that
// near rows keep their digits. The error wraps ErrShape for fewer than two rows, ErrNotFinite (also
// if a distance overflows), ErrTooLarge, or ctx.Err(). x is neither modified nor retained.
func NewDistances(ctx context.Context, x mat.Matrix) (*Distances, error) {
	data, err := rowsOf(x)
	if err != nil {
		return nil, err
	}
	n, d := data.Dims()
	if n < 2 {
		return nil, fmt.Errorf("%w: x has %d row, want at least 2", ErrShape, n)
	}
	if bytes := 4 * float64(n) * float64(n-1); bytes > float64(gram.MaxBytes) {
		return nil, fmt.Errorf("%w: the distances of %d rows take %.3g bytes, want at most %d (gram.MaxBytes)",
			ErrTooLarge, n, bytes, gram.MaxBytes)
	}
	s := &Distances{n: n, d: make([]float64, n*(n-1)/2)}
	raw := data.RawMatrix().Data
	largest, smallest := make([]float64, n), make([]float64, n)
	err = parallel(ctx, n-1, func(i int) {
		lo, hi := math.Inf(1), 0.0
		out := s.row(i)
		a := raw[i*d : (i+1)*d]
		for j := range out {
			v := math.Sqrt(kernel.SquaredDistance(a, raw[(i+1+j)*d:(i+2+j)*d]))
			out[j] = v
			hi = max(hi, v)
			if v > 0 {
				lo = min(lo, v)
			}
		}
		largest[i], smallest[i] = hi, lo
	})
	if err != nil {
		return nil, err
	}
	s.diameter, s.smallest = slices.Max(largest), slices.Min(smallest[:n-1])
	if s.diameter == 0 {
		s.smallest = 0
	}
	if !(s.diameter < 1e150) {
		return nil, fmt.Errorf("%w: the diameter is %v, want below 1e150", ErrNotFinite, s.diameter)
	}
	if s.diameter > 0 && s.diameter < 1e-140 {
		return nil, fmt.Errorf("%w: the diameter is %v, want above 1e-140", ErrNoScale, s.diameter)
	}
	return s, nil
}

// rowsOf returns the checked values of x, row after row; x itself if they are.
func rowsOf(x mat.Matrix) (*mat.Dense, error) {
	if x == nil || reflect.ValueOf(x).Kind() == reflect.Pointer && reflect.ValueOf(x).IsNil() {
		return nil, fmt.Errorf("%w: x is nil", ErrShape)
	}
	n, d := x.Dims()
	if n == 0 || d == 0 {
		return nil, fmt.Errorf("%w: x is %d×%d, want at least 2 rows and 1 column", ErrShape, n, d)
	}
	data, ok := x.(*mat.Dense)
	if !ok || data.RawMatrix().Stride != d {
		data = mat.DenseCopyOf(x)
	}
	for at, v := range data.RawMatrix().Data[:n*d] {
		if !isFinite(v) {
			return nil, fmt.Errorf("%w: x has %v at row %d, column %d", ErrNotFinite, v, at/d, at%d)
		}
	}
	return data, nil
}

// row returns the distances of row i to the rows i+1 … N−1.
func (s *Distances) row(i int) []float64 {
	start := i*(s.n-1) - i*(i-1)/2
	return s.d[start : start+s.n-1-i]
}

// N returns the number of rows.
func (s *Distances) N() int { return s.n }

// At returns dᵢⱼ. It panics if i or j is not from 0 to N−1.
func (s *Distances) At(i, j int) float64 {
	if i < 0 || j < 0 || i >= s.n || j >= s.n {
		panic(fmt.Sprintf("asymptotic: distance (%d,%d) of %d rows", i, j, s.n))
	}
	if i == j {
		return 0
	}
	if i > j {
		i, j = j, i
	}
	return s.row(i)[j-i-1]
}

// Matrix returns the N×N distance matrix.
func (s *Distances) Matrix() *mat.SymDense {
	return s.symmetric(0, func(d float64) float64 { return d })
}

// symmetric returns the N×N matrix of f of the distances.
func (s *Distances) symmetric(diagonal float64, f func(d float64) float64) *mat.SymDense {
	m := mat.NewSymDense(s.n, nil)
	s.fill(m.RawSymmetric().Data, diagonal, f)
	return m
}

// Diameter returns the largest distance.
func (s *Distances) Diameter() float64 { return s.diameter }

// SmallestPositive returns the smallest distance above zero, 0 if there is none.
func (s *Distances) SmallestPositive() float64 { return s.smallest }

// Median returns the median distance, by selection in expected time linear in the number of pairs.
// The error wraps ErrNoScale if it is zero and says why.
func (s *Distances) Median(m Median) (float64, error) {
	if s.diameter == 0 {
		return 0, fmt.Errorf("%w: all %d rows are equal, so diameter and median distance are zero", ErrNoScale, s.n)
	}
	var median float64
	switch m {
	case FullMatrix:
		// Sorted, the N² entries are N zeros and then every pair twice.
		pair := func(t int) int { return (t - s.n) / 2 }
		v := slices.Clone(s.d)
		total := s.n * s.n
		if total%2 == 1 {
			median = selectKth(v, pair((total-1)/2))
		} else {
			upper := selectKth(v, pair(total/2))
			switch t := total/2 - 1; {
			case t < s.n:
				median = upper / 2
			case pair(t) == pair(total/2):
				median = upper
			default:
				median = (slices.Max(v[:pair(total/2)]) + upper) / 2
			}
		}
	case Pairs:
		median = middle(slices.Clone(s.d))
	case PositivePairs:
		v := make([]float64, 0, len(s.d))
		for _, d := range s.d {
			if d > 0 {
				v = append(v, d)
			}
		}
		median = middle(v)
	default:
		return 0, fmt.Errorf("%w: %v, want FullMatrix, Pairs or PositivePairs", ErrConfig, m)
	}
	if median == 0 {
		return 0, fmt.Errorf("%w: the median distance (%v) is zero although the diameter is %g: "+
			"so many of the %d rows are repeated; use Pairs or PositivePairs", ErrNoScale, m, s.diameter, s.n)
	}
	return median, nil
}

// Eccentricity returns ρ = diameter/d_X. Errors are those of Median.
func (s *Distances) Eccentricity(m Median) (float64, error) {
	median, err := s.Median(m)
	if err != nil {
		return 0, err
	}
	return s.diameter / median, nil
}

// Spread returns η, the diameter divided by the smallest distance above zero. The error wraps
// ErrNoScale if there is none.
func (s *Distances) Spread() (float64, error) {
	if s.smallest == 0 {
		return 0, fmt.Errorf("%w: all %d rows are equal", ErrNoScale, s.n)
	}
	return s.diameter / s.smallest, nil
}

// Eccentricity returns ρ of the rows of x, with the median over the full distance matrix. It takes
// O(N²d) time. Errors are those of NewDistances and Distances.Median.
func Eccentricity(ctx context.Context, x mat.Matrix) (float64, error) {
	s, err := NewDistances(ctx, x)
	if err != nil {
		return 0, err
	}
	return s.Eccentricity(FullMatrix)
}

// middle returns the median of v, which it permutes.
func middle(v []float64) float64 {
	k := len(v) / 2
	upper := selectKth(v, k)
	if len(v)%2 == 1 {
		return upper
	}
	return (slices.Max(v[:k]) + upper) / 2
}

// selectKth returns the k-th smallest of v, counted from 0, and moves it to v[k], with smaller or
// equal values before it and larger or equal ones after (Hoare's quickselect; the pivot is a median
// of three).
func selectKth(v []float64, k int) float64 {
	lo, hi := 0, len(v)-1
	for lo < hi {
		a, b, c := v[lo], v[lo+(hi-lo)/2], v[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	return v[k]
}
