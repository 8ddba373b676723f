package gram

import (
	"context"
	"sync/atomic"

	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// A matrix is computed in tiles: the inner products of tileRows points with tileCols points by
// one matrix product, then the kernel row by row. The block of tileCols points stays in the
// first-level cache for some 64 dimensions, the tile in the second. gonum multiplies tiles of
// this size without starting goroutines.
const (
	tileRows = 192
	tileCols = 64
)

// nearRatio is the ratio r²/(|a|²+|b|²) under which r² = |a−b|² is computed from the differences
// instead of |a|²+|b|²−2a·b, which loses log₂(1/ratio) bits to cancellation.
const nearRatio = 1.0 / 64

// A filler evaluates a RowKernel tile by tile.
type filler struct {
	kernel kernel.RowKernel
	needs  kernel.Needs
	a, b   *points   // rows and columns of the matrix
	out    []float64 // a.n×b.n
	bad    atomic.Bool
}

// tile is the scratch space of one goroutine.
type tile struct {
	dots, squared, values [tileRows * tileCols]float64
}

func newFiller(k kernel.RowKernel, a, b *points, out []float64) *filler {
	f := &filler{kernel: k, needs: k.Needs(), a: a, b: b, out: out}
	var origin []float64
	if f.needs&kernel.NeedSquaredDistances != 0 {
		origin = b.mean()
	}
	a.prepare(f.needs, origin)
	b.prepare(f.needs, origin)
	return f
}

// fillSymmetric fills the p.n×p.n matrix out with the values of k. Rows of blocks are jobs; the
// longest start first.
func fillSymmetric(ctx context.Context, k kernel.RowKernel, p *points, out []float64) error {
	f := newFiller(k, p, p, out)
	jobs := blocks(p.n, tileRows)
	err := parallel(ctx, jobs, func(job int) {
		t := new(tile)
		i0 := (jobs - 1 - job) * tileRows
		i1 := min(i0+tileRows, p.n)
		for j0 := 0; j0 < i1 && ctx.Err() == nil; j0 += tileCols {
			j1 := min(j0+tileCols, i1)
			f.evaluate(t, i0, i1, j0, j1, true)
			f.mirror(t, i0, i1, j0, j1)
		}
	})
	return f.finish(err)
}

// fill fills the z.n×x.n matrix out with the values of k.
func fill(ctx context.Context, k kernel.RowKernel, z, x *points, out []float64) error {
	f := newFiller(k, z, x, out)
	err := parallel(ctx, blocks(z.n, tileRows), func(job int) {
		t := new(tile)
		i0 := job * tileRows
		i1 := min(i0+tileRows, z.n)
		for j0 := 0; j0 < x.n && ctx.Err() == nil; j0 += tileCols {
			f.evaluate(t, i0, i1, j0, min(j0+tileCols, x.n), false)
		}
	})
	return f.finish(err)
}

func (f *filler) finish(err error) error {
	if err == nil && f.bad.Load() {
		return checkValues(f.kernel, f.out, f.b.n)
	}
	return err
}

// evaluate computes rows i0 … i1 and columns j0 … j1 into out and into t.values; of a symmetric
// matrix only the entries on and below the diagonal.
func (f *filler) evaluate(t *tile, i0, i1, j0, j1 int, lower bool) {
	d, n := f.b.d, f.b.n
	if f.needs&kernel.NeedDots != 0 {
		multiply(t.dots[:], f.a.data[i0*d:i1*d], f.b.data[j0*d:j1*d], d)
	}
	if f.needs&kernel.NeedSquaredDistances != 0 {
		multiply(t.squared[:], f.a.shifted[i0*d:i1*d], f.b.shifted[j0*d:j1*d], d)
	}
	for i := i0; i < i1; i++ {
		end := j1
		if lower {
			end = min(j1, i+1)
		}
		if end <= j0 {
			continue
		}
		m := end - j0
		at := (i - i0) * tileCols
		r := kernel.Row{X: f.a.row(i), Y: f.b.data[j0*d : end*d]}
		if f.needs&kernel.NeedDots != 0 {
			r.Dots = t.dots[at : at+m]
			r.SquaredNorm = f.a.norms[i]
			r.SquaredNorms = f.b.norms[j0:end]
		}
		if f.needs&kernel.NeedSquaredDistances != 0 {
			r.SquaredDistances = t.squared[at : at+m]
			f.distances(r.SquaredDistances, i, j0)
		}
		dst := t.values[at : at+m]
		f.kernel.EvalRow(dst, r)
		if !finite(dst) {
			f.bad.Store(true)
		}
		copy(f.out[i*n+j0:], dst)
	}
}

// multiply sets c, with rows of length tileCols, to the inner products of the rows of a with
// the rows of b.
func multiply(c, a, b []float64, d int) {
	m, n := len(a)/d, len(b)/d
	blas64.Gemm(blas.NoTrans, blas.Trans, 1,
		blas64.General{Rows: m, Cols: d, Stride: d, Data: a},
		blas64.General{Rows: n, Cols: d, Stride: d, Data: b},
		0, blas64.General{Rows: m, Cols: n, Stride: tileCols, Data: c})
}

// distances turns the inner products g of shifted row i with the rows from j0 on into squared
// distances.
func (f *filler) distances(g []float64, i, j0 int) {
	ni, nj := f.a.shiftedNorms[i], f.b.shiftedNorms[j0:]
	for j, v := range g {
		sum := ni + nj[j]
		r2 := sum - float64(2*v)
		if !(r2 >= nearRatio*sum) { // near, or an overflow made it NaN
			r2 = kernel.SquaredDistance(f.a.row(i), f.b.row(j0+j))
		}
		g[j] = r2
	}
}

// mirror copies the values of a tile to the other side of the diagonal, eight columns of the
// tile, one line of the cache, at a time.
func (f *filler) mirror(t *tile, i0, i1, j0, j1 int) {
	n := f.b.n
	for j := j0; j < j1; j += 8 {
		width := min(8, j1-j)
		start := max(i0, j)
		for i := start; i < i1; i++ {
			v := t.values[(i-i0)*tileCols+j-j0:]
			v = v[:min(width, i-j)]
			for c, x := range v {
				f.out[(j+c)*n+i] = x
			}
		}
	}
}
