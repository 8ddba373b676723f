package gram

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// sumBlock is the number of consecutive values that are added up before the sums of blocks are:
// the one summation order of this package, for rows of K and for new rows.
const sumBlock = 64

// Centering has the means of a Gram matrix K that centre new rows as the training rows were.
type Centering struct {
	RowMeans  []float64 // mᵢ = (1/N) Σⱼ Kᵢⱼ, length N
	GrandMean float64   // M = (1/N) Σᵢ mᵢ
}

// Center replaces K by K_c = J K J, in place and in both triangles of the backing array,
//
//	K_c[i,j] = K[i,j] − (mᵢ + mⱼ) + M,
//
// and returns the means. Only the upper triangle of K is read. The result is symmetric bit for
// bit and its rows sum to zero up to rounding. An empty matrix is left alone.
func Center(k *mat.SymDense) Centering {
	raw := k.RawSymmetric()
	n, ld := raw.N, raw.Stride
	if n == 0 {
		return Centering{}
	}
	c := Centering{RowMeans: symmetricRowMeans(raw.Data, n, ld)}
	c.GrandMean = blockSum(c.RowMeans) / float64(n)
	jobs := blocks(n, centerTile)
	mustParallel(jobs, func(job int) {
		var t [centerTile * centerTile]float64
		i0 := job * centerTile
		for j0 := i0; j0 < n; j0 += centerTile {
			c.centerTile(&t, raw.Data, ld, i0, min(i0+centerTile, n), j0, min(j0+centerTile, n))
		}
	})
	return c
}

const centerTile = 64

// centerTile centres rows i0 … i1 and columns j0 … j1 of the upper triangle and mirrors them.
func (c Centering) centerTile(t *[centerTile * centerTile]float64, k []float64, ld, i0, i1, j0, j1 int) {
	means := c.RowMeans[j0:j1]
	for i := i0; i < i1; i++ {
		start := max(0, i-j0)
		row := k[i*ld+j0 : i*ld+j1]
		dst := t[(i-i0)*centerTile : (i-i0)*centerTile+len(row)]
		mi := c.RowMeans[i]
		for j := start; j < len(row); j++ {
			v := row[j] - (mi + means[j]) + c.GrandMean
			row[j], dst[j] = v, v
		}
	}
	for j := j0; j < j1; j++ {
		row := k[j*ld+i0 : j*ld+min(i1, j)]
		for i := range row {
			row[i] = t[i*centerTile+j-j0]
		}
	}
}

// Rows centres new rows of kernel values k(z, xᵢ), an M×N matrix, in place:
// k_c[i] = k[i] − (mean(k) + mᵢ) + M. It panics if k has not N columns.
func (c Centering) Rows(k *mat.Dense) {
	raw := k.RawMatrix()
	c.check(raw.Cols)
	mustParallel(blocks(raw.Rows, sumBlock), func(job int) {
		for i := job * sumBlock; i < min((job+1)*sumBlock, raw.Rows); i++ {
			row := raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols]
			mean := blockSum(row) / float64(len(row))
			for j, m := range c.RowMeans {
				row[j] = row[j] - (mean + m) + c.GrandMean
			}
		}
	})
}

// SquaredNorm returns k_c(z, z) = k(z, z) − 2 mean(k) + M, the squared distance of φ(z) from the
// mean of the training features, from kzz = k(z, z) and the row of k(z, xᵢ) before centring. It
// is never negative. It panics if the row has not N values.
func (c Centering) SquaredNorm(kzz float64, row []float64) float64 {
	c.check(len(row))
	return max(0, kzz-2*(blockSum(row)/float64(len(row)))+c.GrandMean)
}

func (c Centering) check(cols int) {
	if cols != len(c.RowMeans) {
		panic(fmt.Sprintf("gram: a row of %d kernel values for a centring of %d points", cols, len(c.RowMeans)))
	}
}

// mustParallel is parallel for work that neither stops nor fails.
func mustParallel(jobs int, work func(j int)) {
	if err := parallel(context.Background(), jobs, work); err != nil {
		panic(err)
	}
}

// blockSum returns the sum of v: blocks of sumBlock values in order, then their sums in order.
func blockSum(v []float64) float64 {
	var total float64
	for len(v) > 0 {
		n := min(sumBlock, len(v))
		var s float64
		for _, x := range v[:n] {
			s += x
		}
		total += s
		v = v[n:]
	}
	return total
}

// symmetricRowMeans returns the means of the rows of the matrix whose upper triangle is in k,
// reading each entry once and adding in the order of blockSum: sums[b*n+i] is the sum of block b
// of row i.
func symmetricRowMeans(k []float64, n, ld int) []float64 {
	nb := blocks(n, sumBlock)
	sums := make([]float64, nb*n)
	mustParallel(nb, func(bi int) {
		i0 := bi * sumBlock
		i1 := min(i0+sumBlock, n)
		for i := i0; i < i1; i++ { // the block on the diagonal
			var s float64
			for j := i0; j < i1; j++ {
				s += k[min(i, j)*ld+max(i, j)]
			}
			sums[bi*n+i] = s
		}
		for bj := bi + 1; bj < nb; bj++ {
			j0 := bj * sumBlock
			j1 := min(j0+sumBlock, n)
			sumTile(sums[bj*n+i0:bj*n+i1], sums[bi*n+j0:bi*n+j1], k[i0*ld+j0:], ld)
		}
	})
	means := make([]float64, n)
	for i := range means {
		var total float64
		for b := range nb {
			total += sums[b*n+i]
		}
		means[i] = total / float64(n)
	}
	return means
}

// sumTile adds up the rows and the columns of a tile, four rows at a time because each row is
// one chain of additions.
func sumTile(rows, cols, k []float64, ld int) {
	i, n := 0, len(cols)
	for ; i+4 <= len(rows); i += 4 {
		r0, r1 := k[i*ld:][:n], k[(i+1)*ld:][:n]
		r2, r3 := k[(i+2)*ld:][:n], k[(i+3)*ld:][:n]
		var s0, s1, s2, s3 float64
		for j := range cols {
			v0, v1, v2, v3 := r0[j], r1[j], r2[j], r3[j]
			s0 += v0
			s1 += v1
			s2 += v2
			s3 += v3
			cols[j] = cols[j] + v0 + v1 + v2 + v3
		}
		rows[i], rows[i+1], rows[i+2], rows[i+3] = s0, s1, s2, s3
	}
	for ; i < len(rows); i++ {
		var s float64
		for j, v := range k[i*ld:][:n] {
			s += v
			cols[j] += v
		}
		rows[i] = s
	}
}
