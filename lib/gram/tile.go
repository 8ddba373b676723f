package gram

import (
	"context"
	"sync/atomic"

	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// A matrix is computed in tiles of tileRows rows and up to maxTileCols columns. The points of
// the columns stay in the first-level cache while the rows pass by, and the values of a tile stay
// in the second until they are mirrored.
//
// Inner products come from one matrix-vector product a row, which gonum does at almost twice the
// speed of its matrix product. Its kernel takes four rows of the matrix at a time and treats a
// remainder otherwise, so the points of the columns are padded to a multiple of four: every inner
// product then is added up in the same order, wherever it stands.
const (
	tileRows    = 192
	maxTileCols = 256
	cacheValues = 4096 // 32 KB
)

// tileColumns returns the number of columns of a tile for points of d dimensions, a multiple of 8.
func tileColumns(d int) int { return max(32, min(maxTileCols, cacheValues/d&^7)) }

// nearRatio is the ratio r²/(|a|²+|b|²) under which r² = |a−b|² is computed from the differences
// instead of |a|²+|b|²−2a·b, which loses log₂(1/ratio) bits to cancellation.
const nearRatio = 1.0 / 64

// A filler evaluates a RowKernel tile by tile.
type filler struct {
	kernel kernel.RowKernel
	needs  kernel.Needs
	a, b   *points   // rows and columns of the matrix
	out    []float64 // a.n×b.n
	cols   int       // of a tile
	bad    atomic.Bool
}

// tile is the scratch space of one goroutine.
type tile struct {
	dots, squared []float64 // a row
	values        []float64 // tileRows×cols
}

func newFiller(k kernel.RowKernel, a, b *points, out []float64) *filler {
	f := &filler{kernel: k, needs: k.Needs(), a: a, b: b, out: out, cols: tileColumns(b.d)}
	var origin []float64
	if f.needs&kernel.NeedSquaredDistances != 0 {
		origin = b.mean()
	}
	a.prepare(f.needs, origin)
	b.prepare(f.needs, origin)
	return f
}

func (f *filler) newTile() *tile {
	return &tile{
		dots:    make([]float64, f.cols),
		squared: make([]float64, f.cols),
		values:  make([]float64, tileRows*f.cols),
	}
}

// fillSymmetric fills the p.n×p.n matrix out with the values of k. Rows of blocks are jobs; the
// longest start first.
func fillSymmetric(ctx context.Context, k kernel.RowKernel, p *points, out []float64) error {
	f := newFiller(k, p, p, out)
	jobs := blocks(p.n, tileRows)
	err := parallel(ctx, jobs, func(job int) {
		t := f.newTile()
		i0 := (jobs - 1 - job) * tileRows
		i1 := min(i0+tileRows, p.n)
		for j0 := 0; j0 < i1 && ctx.Err() == nil; j0 += f.cols {
			j1 := min(j0+f.cols, i1)
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
		t := f.newTile()
		i0 := job * tileRows
		i1 := min(i0+tileRows, z.n)
		for j0 := 0; j0 < x.n && ctx.Err() == nil; j0 += f.cols {
			f.evaluate(t, i0, i1, j0, min(j0+f.cols, x.n), false)
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
	if lower {
		i0 = max(i0, j0)
	}
	for i := i0; i < i1; i++ {
		end := j1
		if lower {
			end = min(j1, i+1)
		}
		m := end - j0
		r := kernel.Row{X: f.a.row(i), Y: f.b.data[j0*d : end*d]}
		if f.needs&kernel.NeedDots != 0 {
			multiply(t.dots, f.b.padded[j0*d:], r.X, m)
			r.Dots = t.dots[:m]
			r.SquaredNorm = f.a.norms[i]
			r.SquaredNorms = f.b.norms[j0:end]
		}
		if f.needs&kernel.NeedSquaredDistances != 0 {
			multiply(t.squared, f.b.shifted[j0*d:], f.a.shifted[i*d:(i+1)*d], m)
			r.SquaredDistances = t.squared[:m]
			f.distances(r.SquaredDistances, i, j0)
		}
		dst := t.values[i%tileRows*f.cols:][:m]
		f.kernel.EvalRow(dst, r)
		if !finite(dst) {
			f.bad.Store(true)
		}
		copy(f.out[i*n+j0:], dst)
	}
}

// multiply sets dst to the inner products of x with the first m points of y, rounded up to a
// multiple of four.
func multiply(dst, y, x []float64, m int) {
	d := len(x)
	m = roundUp4(m)
	blas64.Gemv(blas.NoTrans, 1, blas64.General{Rows: m, Cols: d, Stride: d, Data: y[:m*d]},
		blas64.Vector{N: d, Inc: 1, Data: x}, 0, blas64.Vector{N: m, Inc: 1, Data: dst})
}

func roundUp4(n int) int { return (n + 3) &^ 3 }

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
		start := max(i0, min(j+8, j1)) // rows from here on have all the columns
		for i := max(i0, j+1); i < start; i++ {
			for c, x := range t.values[i%tileRows*f.cols+j-j0:][:min(i, j1)-j] {
				f.out[(j+c)*n+i] = x
			}
		}
		if j+8 > j1 {
			for i := start; i < i1; i++ {
				for c, x := range t.values[i%tileRows*f.cols+j-j0:][:j1-j] {
					f.out[(j+c)*n+i] = x
				}
			}
			continue
		}
		mirror8(f.out[j*n:], n, t.values[j-j0:], f.cols, start, i1)
	}
}

// mirror8 copies the first 8 values of the rows start … end to columns of out.
func mirror8(out []float64, n int, values []float64, cols, start, end int) {
	o0, o1, o2, o3 := out[:end], out[n:][:end], out[2*n:][:end], out[3*n:][:end]
	o4, o5, o6, o7 := out[4*n:][:end], out[5*n:][:end], out[6*n:][:end], out[7*n:][:end]
	for i := start; i < end; i++ {
		v := values[i%tileRows*cols:][:8]
		o0[i], o1[i], o2[i], o3[i] = v[0], v[1], v[2], v[3]
		o4[i], o5[i], o6[i], o7[i] = v[4], v[5], v[6], v[7]
	}
}
