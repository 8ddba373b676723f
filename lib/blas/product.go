package blas

// The blocks of a product. A block of up to blockK terms of the sums is packed at a time: the left
// factor in panels of mr rows and the right one in panels of nr columns, so that the kernel reads
// both one number after another. A job multiplies some panels of the left factor with a chunk of
// about chunkColumns columns of the right one, which stays in the second-level cache.
const (
	blockK       = 256
	chunkColumns = 240
	jobRows      = 128
	outer        = 4096         // rows and columns at a time, which bounds the buffers
	sequential   = 48 * 48 * 48 // multiplications below which one goroutine does all
)

// An operand is a matrix whose panels are packed: its element (i, k) is data[i*ld+k], or
// data[k*ld+i] if it is across.
type operand struct {
	data   []float64
	ld     int
	across bool
}

// A product is C = alpha·A·Bᵀ, or added to C, with rows of both factors counted along C's sides.
type product struct {
	m, n, k   int
	alpha     float64
	a, b      operand
	c         []float64
	ldc       int
	overwrite bool // C = …, not C += …
}

// run computes the product.
func (p *product) run() {
	// Blocks of even size, a function of k alone.
	count := (p.k + blockK - 1) / blockK
	size := ((p.k+count-1)/count + 3) &^ 3
	for i0 := 0; i0 < p.m; i0 += outer {
		for j0 := 0; j0 < p.n; j0 += outer {
			b := block{product: p, kern: active, i0: i0, j0: j0, rows: min(outer, p.m-i0), cols: min(outer, p.n-j0)}
			b.run(size)
		}
	}
}

// A block is the part of a product that is packed at a time.
type block struct {
	*product
	kern           set
	i0, j0         int
	rows, cols     int
	k0, kc         int // the terms packed
	left, right    []float64
	add            bool
	mr, nr         int
	panelsA        int // panels of mr rows
	panelsB        int
	perJob, chunks int // panels of A in a job; chunks of B
	perChunk       int // panels of B in a chunk
}

func (b *block) run(size int) {
	b.mr, b.nr = b.kern.tile()
	b.panelsA, b.panelsB = ceil(b.rows, b.mr), ceil(b.cols, b.nr)
	b.chunks = ceil(b.panelsB, max(1, chunkColumns/b.nr))
	b.perChunk = ceil(b.panelsB, b.chunks)
	b.perJob = jobRows / b.mr
	if jobs := ceil(b.panelsA, b.perJob) * b.chunks; jobs < 8 {
		b.perJob = max(1, ceil(b.panelsA, ceil(8, b.chunks)))
	}
	each := parallel
	if float64(b.rows)*float64(b.cols)*float64(b.k) < sequential {
		each = inOrder
	}
	left, right := getBuffer(b.panelsA*b.mr*size), getBuffer(b.panelsB*b.nr*size)
	defer putBuffer(left)
	defer putBuffer(right)
	b.left, b.right = *left, *right
	for b.k0 = 0; b.k0 < b.k; b.k0 += size {
		b.kc = min(size, b.k-b.k0)
		b.add = b.k0 > 0 || !b.overwrite
		// Panels are packed in 16 jobs each, so that a job is not too small.
		groupA, groupB := ceil(b.panelsA, 16), ceil(b.panelsB, 16)
		jobsA := ceil(b.panelsA, groupA)
		each(jobsA+ceil(b.panelsB, groupB), func(job int) {
			if job < jobsA {
				for p := job * groupA; p < min(b.panelsA, (job+1)*groupA); p++ {
					b.a.pack(b.left[p*b.mr*b.kc:], b.mr, b.i0+p*b.mr, min(b.mr, b.rows-p*b.mr), b.k0, b.kc)
				}
				return
			}
			job -= jobsA
			for p := job * groupB; p < min(b.panelsB, (job+1)*groupB); p++ {
				have := min(b.nr, b.cols-p*b.nr)
				b.b.pack(b.right[p*b.nr*b.kc:], b.kern.width(have), b.j0+p*b.nr, have, b.k0, b.kc)
			}
		})
		groups := ceil(b.panelsA, b.perJob)
		each(groups*b.chunks, func(job int) { b.multiply(job%groups, job/groups) })
	}
}

// multiply is one job: a group of panels of A with a chunk of panels of B.
func (b *block) multiply(group, chunk int) {
	for p := group * b.perJob; p < min(b.panelsA, (group+1)*b.perJob); p++ {
		i := b.i0 + p*b.mr
		rows := min(b.mr, b.rows-p*b.mr)
		left := b.left[p*b.mr*b.kc:][:b.mr*b.kc]
		for q := chunk * b.perChunk; q < min(b.panelsB, (chunk+1)*b.perChunk); q++ {
			cols := min(b.nr, b.cols-q*b.nr)
			right := b.right[q*b.nr*b.kc:][:b.kern.width(cols)*b.kc]
			at := i*b.ldc + b.j0 + q*b.nr
			b.kern.multiply(b.kc, left, right, b.c[at:at+(rows-1)*b.ldc+cols], b.ldc, rows, cols, b.alpha, b.add)
		}
	}
}

// pack writes rows r0 … r0+rows of the operand, terms k0 … k0+kc, to dst: term after term, w numbers
// for each, zeros beyond the rows.
func (o operand) pack(dst []float64, w, r0, rows, k0, kc int) {
	dst = dst[:w*kc]
	if o.across {
		for k := range kc {
			at := (k0+k)*o.ld + r0
			d := dst[k*w : k*w+w]
			copy(d, o.data[at:at+rows])
			clear(d[rows:])
		}
		return
	}
	i := 0
	for ; i+4 <= rows; i += 4 {
		at := (r0+i)*o.ld + k0
		s0, s1 := o.data[at:at+kc], o.data[at+o.ld:][:kc]
		s2, s3 := o.data[at+2*o.ld:][:kc], o.data[at+3*o.ld:][:kc]
		d := dst[i:]
		for k, v := range s0 {
			t := d[k*w : k*w+4 : k*w+4]
			t[0], t[1], t[2], t[3] = v, s1[k], s2[k], s3[k]
		}
	}
	for ; i < rows; i++ {
		at := (r0+i)*o.ld + k0
		for k, v := range o.data[at : at+kc] {
			dst[k*w+i] = v
		}
	}
	if rows < w {
		for k := range kc {
			clear(dst[k*w+rows : (k+1)*w])
		}
	}
}

func ceil(a, b int) int { return (a + b - 1) / b }
