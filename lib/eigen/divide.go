package eigen

import (
	"math"
	"slices"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"

	"eigenbook/lib/blas"
)

// leaf is the size up to which a tridiagonal problem is solved by QR iteration.
const leaf = 32

// A divider solves a symmetric tridiagonal eigenproblem by divide and conquer (Cuppen 1981; Gu &
// Eisenstat 1995): the matrix is torn into two halves and a matrix of rank one, whose effect on the
// eigenpairs of the halves is a secular equation and a matrix product.
type divider struct {
	n    int
	d, e []float64 // diagonal, eigenvalues in the end; off-diagonal
	// vectors is n×n, row after row. Row i of a solved part is the unit eigenvector of d[i], zero
	// outside the part.
	vectors []float64
	order   []int // the rows of a solved part, by ascending eigenvalue

	combined []float64 // n×n: eigenvectors of the matrix of rank one, in terms of those of the halves
	halves   []float64 // n×n: the halves' eigenvectors, in the order of the product
}

// divide returns the solution of the tridiagonal matrix with diagonal d and off-diagonal e, which
// it overwrites; false if the QR iteration of a leaf fails.
func divide(d, e []float64) (*divider, bool) {
	n := len(d)
	v := &divider{n: n, d: d, e: e, vectors: make([]float64, n*n), order: make([]int, n),
		combined: make([]float64, n*n), halves: make([]float64, n*n)}
	if !v.solve(0, n) {
		return nil, false
	}
	return v, true
}

// row returns columns from … to of row i of the vectors.
func (v *divider) row(i, from, to int) []float64 { return v.vectors[i*v.n+from : i*v.n+to] }

// solve solves the part lo … hi.
func (v *divider) solve(lo, hi int) bool {
	if hi-lo <= leaf {
		return v.solveLeaf(lo, hi)
	}
	mid := (lo + hi) / 2
	coupling := v.e[mid-1]
	v.d[mid-1] -= math.Abs(coupling)
	v.d[mid] -= math.Abs(coupling)
	if !v.solve(lo, mid) || !v.solve(mid, hi) {
		return false
	}
	m := &merge{divider: v, lo: lo, mid: mid, hi: hi}
	m.run(coupling)
	return true
}

func (v *divider) solveLeaf(lo, hi int) bool {
	n := hi - lo
	z := make([]float64, n*n)
	for i := range n {
		z[i*n+i] = 1
	}
	e := make([]float64, max(1, n-1))
	copy(e, v.e[lo:hi-1])
	if !(gonum.Implementation{}).Dsteqr(lapack.EVOrig, n, v.d[lo:hi], e, z, n, make([]float64, max(1, 2*n-2))) {
		return false
	}
	for i := range n {
		row := v.row(lo+i, lo, hi)
		for j := range row {
			row[j] = z[j*n+i]
		}
		v.order[lo+i] = lo + i
	}
	return true
}

// A merge joins the halves lo … mid and mid … hi: the eigenpairs of D + ρ z zᵀ, D the halves'
// eigenvalues and z the last and first entries of their vectors.
type merge struct {
	*divider
	lo, mid, hi int
	rho         float64
	z           []float64 // by row, from lo
	tol         float64   // changes below which are rounding

	kept, deflated []int  // rows, by ascending eigenvalue
	where          []half // by row, from lo: where the vector is not zero
}

type half uint8

const (
	left half = iota
	both
	right
)

func (m *merge) run(coupling float64) {
	sorted := m.sorted()
	m.couple(coupling, sorted)
	if m.rho*maxAbs(m.z) <= m.tol {
		copy(m.order[m.lo:], sorted)
		return
	}
	m.deflate(sorted)
	m.update()
	order := m.order[m.lo:m.hi]
	for i := range order {
		order[i] = m.lo + i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case m.d[a] < m.d[b]:
			return -1
		case m.d[a] > m.d[b]:
			return 1
		}
		return 0
	})
}

// sorted returns the rows of both halves by ascending eigenvalue.
func (m *merge) sorted() []int {
	out := make([]int, 0, m.hi-m.lo)
	a, b := m.order[m.lo:m.mid], m.order[m.mid:m.hi]
	for len(a) > 0 && len(b) > 0 {
		if m.d[a[0]] <= m.d[b[0]] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// couple sets ρ and the unit vector z, ρ above 0.
func (m *merge) couple(coupling float64, sorted []int) {
	n := m.hi - m.lo
	m.z, m.where = make([]float64, n), make([]half, n)
	sign := math.Copysign(1, coupling)
	for i := range n {
		r := m.lo + i
		if r < m.mid {
			m.z[i] = m.row(r, m.mid-1, m.mid)[0] * math.Sqrt2 / 2
		} else {
			m.z[i] = sign * m.row(r, m.mid, m.mid+1)[0] * math.Sqrt2 / 2
			m.where[i] = right
		}
	}
	m.rho = 2 * math.Abs(coupling)
	size := max(math.Abs(m.d[sorted[0]]), math.Abs(m.d[sorted[n-1]]), maxAbs(m.z))
	m.tol = 8 * unit * size
}

// deflate finds the eigenpairs that stay: those that z does not touch, and one of each two that are
// so close that a rotation takes one of them out of z.
func (m *merge) deflate(sorted []int) {
	last := -1 // the row before, not yet decided
	for _, r := range sorted {
		if m.rho*math.Abs(m.z[r-m.lo]) <= m.tol {
			m.deflated = append(m.deflated, r)
			continue
		}
		if last >= 0 && m.rotate(last, r) {
			m.deflated = append(m.deflated, last)
		} else if last >= 0 {
			m.kept = append(m.kept, last)
		}
		last = r
	}
	if last >= 0 {
		m.kept = append(m.kept, last)
	}
}

// rotate takes row p out of z by a rotation with row r, if that leaves the matrix diagonal up to
// rounding, and reports whether it did.
func (m *merge) rotate(p, r int) bool {
	zp, zr := m.z[p-m.lo], m.z[r-m.lo]
	length := math.Hypot(zp, zr)
	c, s := zr/length, -zp/length
	dp, dr := m.d[p], m.d[r]
	if math.Abs((dr-dp)*c*s) > m.tol {
		return false
	}
	m.z[r-m.lo], m.z[p-m.lo] = length, 0
	if m.where[r-m.lo] != m.where[p-m.lo] {
		m.where[r-m.lo] = both
	}
	a, b := m.row(p, m.lo, m.hi), m.row(r, m.lo, m.hi)
	for i, x := range a {
		y := b[i]
		a[i] = c*x + s*y
		b[i] = c*y - s*x
	}
	m.d[p] = dp*c*c + dr*s*s
	m.d[r] = dp*s*s + dr*c*c
	return true
}

// update replaces the kept pairs by those of D + ρ z zᵀ. The rows of the part are then the new
// vectors, and after these the deflated ones.
func (m *merge) update() {
	k, n := len(m.kept), m.hi-m.lo
	columns, count := m.columns()
	values := m.combine(columns)

	// The halves' vectors in the order of the columns: those of the left half and of both, then those
	// of both again and of the right half.
	nl, nr := m.mid-m.lo, m.hi-m.mid
	kl, kr := count[left]+count[both], count[both]+count[right]
	a, b := m.halves[:kl*nl], m.halves[kl*nl:kl*nl+kr*nr]
	for i, r := range m.kept {
		at := columns[i]
		if at < kl {
			copy(a[at*nl:(at+1)*nl], m.row(r, m.lo, m.mid))
		}
		if at -= count[left]; at >= 0 {
			copy(b[at*nr:(at+1)*nr], m.row(r, m.mid, m.hi))
		}
	}
	stay := make([]float64, 0, len(m.deflated)*n)
	stayValues := make([]float64, 0, len(m.deflated))
	for _, r := range m.deflated {
		stay = append(stay, m.row(r, m.lo, m.hi)...)
		stayValues = append(stayValues, m.d[r])
	}
	for i := range k {
		clear(m.row(m.lo+i, m.lo, m.hi))
	}
	out := m.vectors[m.lo*m.n:]
	if kl > 0 {
		multiply(k, nl, kl, m.combined, k, a, nl, out[m.lo:], m.n)
	}
	if kr > 0 {
		multiply(k, nr, kr, m.combined[count[left]:], k, b, nr, out[m.mid:], m.n)
	}
	for i := range m.deflated {
		copy(m.row(m.lo+k+i, m.lo, m.hi), stay[i*n:(i+1)*n])
	}
	copy(m.d[m.lo:], values)
	copy(m.d[m.lo+k:], stayValues)
}

// columns returns for each kept row its place among the columns of combined, which are sorted by
// half so that zeros need not be multiplied, and the number of columns of each half.
func (m *merge) columns() (at []int, count [3]int) {
	for _, r := range m.kept {
		count[m.where[r-m.lo]]++
	}
	next := [3]int{0, count[left], count[left] + count[both]}
	at = make([]int, len(m.kept))
	for i, r := range m.kept {
		h := m.where[r-m.lo]
		at[i] = next[h]
		next[h]++
	}
	return at, count
}

// combine returns the eigenvalues of D + ρ z zᵀ over the kept rows, and sets the rows of combined
// to its eigenvectors. z is computed again from the roots, for which these are then exact roots of a
// nearby equation and the vectors orthogonal (Gu & Eisenstat).
func (m *merge) combine(columns []int) []float64 {
	k := len(m.kept)
	s := &secular{d: make([]float64, k), z: make([]float64, k), rho: m.rho}
	for i, r := range m.kept {
		s.d[i], s.z[i] = m.d[r], m.z[r-m.lo]
	}
	values := make([]float64, k)
	u := m.combined[:k*k]
	for j := range k {
		values[j] = s.root(j, u[j*k:(j+1)*k])
	}
	z := make([]float64, k)
	for i := range z {
		z[i] = u[i*k+i]
	}
	for j := range k {
		for i, delta := range u[j*k : (j+1)*k] {
			if i != j {
				z[i] *= delta / (s.d[i] - s.d[j])
			}
		}
	}
	for i, v := range z {
		z[i] = math.Copysign(math.Sqrt(max(0, -v)), s.z[i])
	}
	w := make([]float64, k)
	for j := range k {
		row := u[j*k : (j+1)*k]
		square := 0.0
		for i, delta := range row {
			t := z[i] / delta
			square += t * t
			w[columns[i]] = t
		}
		length := math.Sqrt(square)
		for i, t := range w {
			row[i] = t / length
		}
	}
	return values
}

// multiply sets c, m×n, to a·b with k terms.
func multiply(m, n, k int, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	blas.Implementation{}.Dgemm(gonumblas.NoTrans, gonumblas.NoTrans, m, n, k, 1, a, lda, b, ldb, 0, c, ldc)
}

func maxAbs(v []float64) float64 {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	return top
}
