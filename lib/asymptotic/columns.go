package asymptotic

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// columns returns a copy of the first m columns of v.
func columns(v *mat.Dense, m int) *mat.Dense {
	n, _ := v.Dims()
	return mat.DenseCopyOf(v.Slice(0, n, 0, m))
}

// column returns a copy of column k of v.
func column(v *mat.Dense, k int) []float64 { return mat.Col(nil, k, v) }

func columnDot(a *mat.Dense, j int, b *mat.Dense, k int) float64 {
	return floats.Dot(column(a, j), column(b, k))
}

func columnNorm(v *mat.Dense, k int) float64 { return vectorNorm(column(v, k)) }

func vectorNorm(v []float64) float64 { return blas64.Nrm2(blas64.Vector{N: len(v), Inc: 1, Data: v}) }

func scaleColumn(v *mat.Dense, k int, s float64) {
	raw := v.RawMatrix()
	for i := range raw.Rows {
		raw.Data[i*raw.Stride+k] *= s
	}
}

// mulT sets dst to Aᵀ y.
func mulT(dst []float64, a *mat.Dense, y []float64) {
	mat.NewVecDense(len(dst), dst).MulVec(a.T(), mat.NewVecDense(len(y), y))
}

// removeColumnMeans subtracts from each column of v its mean.
func removeColumnMeans(v *mat.Dense) {
	raw := v.RawMatrix()
	means := make([]float64, raw.Cols)
	for i := range raw.Rows {
		floats.Add(means, raw.Data[i*raw.Stride:i*raw.Stride+raw.Cols])
	}
	floats.Scale(1/float64(raw.Rows), means)
	for i := range raw.Rows {
		floats.Sub(raw.Data[i*raw.Stride:i*raw.Stride+raw.Cols], means)
	}
}

// angle returns the angle between the lines of two unit vectors, from 0 to π/2, accurate for tiny
// ones.
func angle(v, w []float64) float64 {
	c := floats.Dot(v, w)
	rest := append([]float64(nil), v...)
	floats.AddScaled(rest, -c, w)
	return math.Atan2(vectorNorm(rest), math.Abs(c))
}
