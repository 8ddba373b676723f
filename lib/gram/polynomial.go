package gram

import (
	"math"

	"eigenbook/lib/eigen"

	"gonum.org/v1/gonum/mat"
)

// clearGap is how far below the last pivot that counts the first one that does not must be.
const clearGap = 1e-5

// highestDegree is the largest degree of which polynomialRank looks at the rows; beyond, rounding
// hides what they are.
const highestDegree = 16

// polynomialRank returns the dimension of the polynomials of a degree, as functions on the rows,
// which is general for rows in general position and at most that. It is the rank of (1 + z·z′)^g,
// z being the rows whitened, whose pivots do not depend on units.
func (p *points) polynomialRank(rows []int, degree, general int) int {
	if degree == 1 || degree > highestDegree || float64(len(rows))*float64(general)*float64(general+p.d) > 2e8 {
		return general
	}
	z := p.whitened(rows)
	if z == nil {
		return general
	}
	n, _ := z.Dims()
	value := func(i, j int) float64 {
		dot := mat.Dot(z.RowView(i), z.RowView(j))
		return math.Pow(1+dot, float64(degree))
	}
	pivots := cholesky(n, general, value)
	limit := float64(n) * 0x1p-52 * pivots[0]
	for r, pivot := range pivots {
		if pivot <= limit {
			if limit <= clearGap*pivots[r-1] {
				return r
			}
			return general
		}
	}
	return general
}

// whitened returns the chosen rows in coordinates that are uncorrelated and of variance 1; nil if
// all rows are one.
func (p *points) whitened(rows []int) *mat.Dense {
	chosen := &points{n: len(rows), d: p.d, data: make([]float64, len(rows)*p.d)}
	for i, row := range rows {
		copy(chosen.row(i), p.row(row))
	}
	x := mat.NewDense(chosen.n, p.d, unitColumns(chosen.from(chosen.centre())))
	var factor mat.Matrix = x
	if p.d > chosen.n {
		factor = x.T()
	}
	var a mat.SymDense
	a.SymOuterK(1, factor.T())
	pairs, err := eigen.Symmetric(&a)
	if err != nil {
		return nil
	}
	rank := 0
	for rank < len(pairs.Values) && pairs.Values[rank] > float64(max(chosen.n, p.d))*0x1p-52*pairs.Values[0] {
		rank++
	}
	if rank == 0 {
		return nil
	}
	z := mat.DenseCopyOf(pairs.Vectors.Slice(0, len(pairs.Values), 0, rank))
	if p.d <= chosen.n {
		v := z
		z = new(mat.Dense)
		z.Mul(x, v)
	}
	for q, value := range pairs.Values[:rank] {
		scale := math.Sqrt(float64(chosen.n))
		if p.d <= chosen.n {
			scale /= math.Sqrt(value)
		}
		for i := range chosen.n {
			z.Set(i, q, z.At(i, q)*scale)
		}
	}
	return z
}

// cholesky returns up to count pivots, descending, of the Cholesky factorisation with complete
// pivoting of an n×n positive semi-definite matrix, of which it asks the diagonal and those columns.
func cholesky(n, count int, value func(i, j int) float64) []float64 {
	rest := make([]float64, n) // the diagonal that is left
	for i := range rest {
		rest[i] = value(i, i)
	}
	var pivots []float64
	var columns [][]float64
	for range min(count, n) {
		at := 0
		for i, v := range rest {
			if v > rest[at] {
				at = i
			}
		}
		pivot := rest[at]
		pivots = append(pivots, max(0, pivot))
		if pivot <= 0 {
			break
		}
		column := make([]float64, n)
		for i := range column {
			v := value(i, at)
			for _, c := range columns {
				v -= c[i] * c[at]
			}
			column[i] = v / math.Sqrt(pivot)
			rest[i] -= column[i] * column[i]
		}
		rest[at] = 0
		columns = append(columns, column)
	}
	return pivots
}
