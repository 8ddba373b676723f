package gram

import (
	"math"
	"slices"

	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// StructuralRank returns the rank of the Gram matrix of x in exact arithmetic, centred or not,
// and whether it is known. With N_u the number of distinct rows and c = 1 if centred, else 0:
//
//   - N_u − c for strictly positive definite kernels (kernel.StrictlyPositiveDefinite);
//   - min(N_u − c, p) for the linear kernel, with p the rank of the (centred) columns of x;
//   - for a polynomial kernel of degree g with a positive offset, the dimension of the polynomials of
//     degree g on the rows, less c: min(N_u − c, binom(p+g, g) − c), with p the rank of the centred
//     columns, for rows in general position, and less for rows on a circle, of zeros and ones, …;
//   - the rank of k for a multiple of k; unknown (0, false) for other kernels, and for an x that
//     is empty or not finite.
//
// The eigenvalues of smooth kernels fall below rounding long before this rank, so a numerical
// rank depends on a threshold and this one does not. p is found by a pivoted Cholesky
// factorisation of the columns (of the rows, if there are fewer), scaled to length 1; where that
// would take more than 10⁹ multiplications, p = min(N_u − c, d) is assumed. Rows are found not to be
// in general position for polynomials by another such factorisation, of whitened rows; they are
// assumed to be if it is too large or not clear.
func StructuralRank(k kernel.Kernel, x mat.Matrix, centered bool) (rank int, known bool) {
	if validate(k) != nil {
		return 0, false
	}
	p, err := newPoints("x", x)
	if err != nil {
		return 0, false
	}
	c := 0
	if centered {
		c = 1
	}
	if kernel.StrictlyPositiveDefinite(k) {
		return len(p.distinctRows()) - c, true
	}
	switch k := k.(type) {
	case kernel.Scaled:
		return StructuralRank(k.Kernel, x, centered)
	case kernel.Linear:
		return min(len(p.distinctRows())-c, p.columnRank(centered)), true
	case kernel.Polynomial:
		if k.Offset > 0 {
			distinct := p.distinctRows()
			general := min(len(distinct), binomial(p.columnRank(true)+k.Degree, k.Degree))
			return p.polynomialRank(distinct, k.Degree, general) - c, true
		}
	}
	return 0, false
}

// distinctRows returns the first of each set of equal rows, in ascending order.
func (p *points) distinctRows() []int {
	order := make([]int, p.n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(p.row(a), p.row(b)) })
	first := slices.CompactFunc(order, func(a, b int) bool { return slices.Equal(p.row(a), p.row(b)) })
	slices.Sort(first)
	return first
}

// columnRank returns the rank of the matrix of points, or of its centred columns.
func (p *points) columnRank(centered bool) int {
	q := p
	if centered {
		q = p.from(p.centre()) // constant columns are 0 now: what the first mean leaves has few bits
	}
	limit := min(p.n, p.d)
	if float64(p.n)*float64(p.d)*float64(limit) > 1e9 {
		if centered && p.n <= p.d {
			return p.n - 1
		}
		return limit
	}
	data, trans := unitColumns(q), blas.Trans
	if p.n < p.d {
		trans = blas.NoTrans
	}
	s := blas64.Symmetric{N: limit, Stride: limit, Uplo: blas.Upper, Data: make([]float64, limit*limit)}
	blas64.Syrk(trans, 1, blas64.General{Rows: p.n, Cols: p.d, Stride: p.d, Data: data}, 0, s)
	scaleToUnitDiagonal(s)
	const eps = 0x1p-52
	_, rank, _ := lapack64.Pstrf(s, make([]int, limit), float64(max(p.n, p.d))*eps, make([]float64, 2*limit))
	return rank
}

// unitColumns returns a copy of the data with columns of length 1 (or 0).
func unitColumns(p *points) []float64 {
	data := make([]float64, len(p.data))
	for j := range p.d {
		var largest float64
		for i := range p.n {
			largest = max(largest, math.Abs(p.data[i*p.d+j]))
		}
		if largest == 0 {
			continue
		}
		var s float64
		for i := range p.n {
			v := p.data[i*p.d+j] / largest
			s += v * v
		}
		length := math.Sqrt(s)
		for i := range p.n {
			data[i*p.d+j] = p.data[i*p.d+j] / largest / length
		}
	}
	return data
}

func scaleToUnitDiagonal(s blas64.Symmetric) {
	scale := make([]float64, s.N)
	for i := range scale {
		if v := s.Data[i*s.Stride+i]; v > 0 {
			scale[i] = 1 / math.Sqrt(v)
		}
	}
	for i := range scale {
		for j := i; j < s.N; j++ {
			s.Data[i*s.Stride+j] *= scale[i] * scale[j]
		}
	}
}

// binomial returns n over k, or the largest int32 if it is above that.
func binomial(n, k int) int {
	b := 1.0
	k = min(k, n-k)
	for i := 1; i <= k; i++ {
		b = b * float64(n-k+i) / float64(i)
		if b > math.MaxInt32 {
			return math.MaxInt32
		}
	}
	return int(math.Round(b))
}
