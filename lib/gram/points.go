package gram

import (
	"fmt"
	"reflect"

	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

// points are the rows of a data matrix, in the forms that the tiles of a Gram matrix need.
type points struct {
	n, d int
	data []float64 // n×d, row after row, as given

	// if the kernel needs inner products:
	padded []float64 // data, and rows of zeros up to a multiple of 4
	norms  []float64 // |xᵢ|²

	// if the kernel needs distances:
	shifted      []float64 // xᵢ minus a common point, padded
	shiftedNorms []float64 // their squared norms
}

// newPoints reads the rows of x, called name in errors. It copies x unless its rows are
// contiguous already, so the result must not be kept.
func newPoints(name string, x mat.Matrix) (*points, error) {
	if isNil(x) {
		return nil, fmt.Errorf("%w: %s is nil", ErrShape, name)
	}
	n, d := x.Dims()
	if n == 0 || d == 0 {
		return nil, fmt.Errorf("%w: %s is %d×%d, want 1 or more rows and columns", ErrShape, name, n, d)
	}
	p := &points{n: n, d: d}
	if r, ok := x.(mat.RawMatrixer); ok && r.RawMatrix().Stride == d {
		p.data = r.RawMatrix().Data[:n*d]
	} else {
		p.data = make([]float64, n*d)
		for i := range n {
			mat.Row(p.data[i*d:(i+1)*d], i, x)
		}
	}
	if !finite(p.data) {
		at := firstNotFinite(p.data)
		return nil, fmt.Errorf("%w: %s has %v at row %d, column %d", ErrNotFinite, name, p.data[at], at/d, at%d)
	}
	return p, nil
}

// newPair reads new points z and training points x, which must have as many columns.
func newPair(z, x mat.Matrix) (pz, px *points, err error) {
	if px, err = newPoints("x", x); err != nil {
		return nil, nil, err
	}
	if pz, err = newPoints("z", z); err != nil {
		return nil, nil, err
	}
	if pz.d != px.d {
		return nil, nil, fmt.Errorf("%w: z has %d columns, want %d as x has", ErrShape, pz.d, px.d)
	}
	return pz, px, nil
}

// isNil reports whether x is nil or a nil pointer.
func isNil(x mat.Matrix) bool {
	if x == nil {
		return true
	}
	v := reflect.ValueOf(x)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// row returns row i as it was given.
func (p *points) row(i int) []float64 { return p.data[i*p.d : (i+1)*p.d] }

// checkDomain returns an error that names the first row at which k is not defined.
func (p *points) checkDomain(name string, k kernel.Kernel) error {
	for i := range p.n {
		if err := kernel.CheckPoint(k, p.row(i)); err != nil {
			return fmt.Errorf("gram: row %d of %s: %w", i, name, err)
		}
	}
	return nil
}

// mean returns the column means.
func (p *points) mean() []float64 {
	m := make([]float64, p.d)
	for i := range p.n {
		for j, v := range p.row(i) {
			m[j] += v
		}
	}
	for j := range m {
		m[j] /= float64(p.n)
	}
	return m
}

// prepare computes what a kernel with these needs asks for. Distances are taken after origin
// has been subtracted from every row.
func (p *points) prepare(needs kernel.Needs, origin []float64) {
	if needs&kernel.NeedDots != 0 && p.norms == nil {
		p.padded = p.data
		if p.n%4 != 0 {
			p.padded = make([]float64, roundUp4(p.n)*p.d)
			copy(p.padded, p.data)
		}
		p.norms = squaredNorms(p.data, p.n, p.d)
	}
	if needs&kernel.NeedSquaredDistances != 0 && p.shifted == nil {
		p.shifted = p.minus(origin)
		p.shiftedNorms = squaredNorms(p.shifted, p.n, p.d)
	}
}

// minus returns the rows with origin subtracted, and rows of zeros up to a multiple of 4.
func (p *points) minus(origin []float64) []float64 {
	s := make([]float64, roundUp4(p.n)*p.d)
	for i := range p.n {
		dst := s[i*p.d : (i+1)*p.d]
		for j, v := range p.row(i) {
			dst[j] = v - origin[j]
		}
	}
	return s
}

func squaredNorms(data []float64, n, d int) []float64 {
	s := make([]float64, n)
	for i := range s {
		r := data[i*d : (i+1)*d]
		s[i] = kernel.Dot(r, r)
	}
	return s
}
