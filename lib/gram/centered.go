package gram

import (
	"context"
	"fmt"

	"eigenbook/lib/kernel"

	"gonum.org/v1/gonum/mat"
)

// ComputeCentered returns the centred Gram matrix K_c of the rows of x, and the means of the
// uncentred one, with which Centering.Rows centres the rows of Cross.
//
// For sums of linear and stationary kernels the column means of x are subtracted first, which
// changes K but not K_c: with a linear kernel and data far from the origin, centring afterwards
// would lose the digits of the squared offset. Errors are as for Compute.
func ComputeCentered(ctx context.Context, k kernel.Kernel, x mat.Matrix) (*mat.SymDense, Centering, error) {
	if err := validate(k); err != nil {
		return nil, Centering{}, err
	}
	p, err := newPoints("x", x)
	if err != nil {
		return nil, Centering{}, err
	}
	form := formOf(k)
	if !form.shiftable || form.linear == 0 {
		g, err := compute(ctx, k, p)
		if err != nil {
			return nil, Centering{}, err
		}
		return checkCentered(g, Center(g))
	}
	o := p.centre()
	g, err := compute(ctx, k, p.from(o))
	if err != nil {
		return nil, Centering{}, err
	}
	if !form.stationary { // K_c already
		return checkCentered(g, o.means(p, form.linear, Centering{RowMeans: make([]float64, p.n)}))
	}
	return checkCentered(g, o.means(p, form.linear, Center(g)))
}

// checkCentered refuses means, or a diagonal, that left the range of float64 when the kernel's values were
// added up.
func checkCentered(g *mat.SymDense, c Centering) (*mat.SymDense, Centering, error) {
	for i, m := range c.RowMeans {
		if v := g.At(i, i); !isFinite(m) || !isFinite(v) {
			return nil, Centering{}, fmt.Errorf("%w: the sum of row %d of the kernel matrix overflows; scale the data or the kernel", ErrNotFinite, i)
		}
	}
	if !isFinite(c.GrandMean) {
		return nil, Centering{}, fmt.Errorf("%w: the sum of the kernel matrix overflows; scale the data or the kernel", ErrNotFinite)
	}
	return g, c, nil
}

// CrossCentered returns the centred kernel rows of the new points z against the training points
// x, an M×N matrix, and the M squared norms k_c(z, z). c is the Centering of x. The result is
// that of Cross, Centering.SquaredNorm and Centering.Rows, but for the kernels that ComputeCentered
// names it is as accurate far from the origin. For a linear part beside a stationary one, far from
// the origin, that takes the Gram matrix of x anew at each call. Without the two beside each other,
// a row of z that equals a row of x gets the bits of that row of ComputeCentered. Errors are as
// for Cross, and wrap ErrShape if c is not for as many points as x has.
func CrossCentered(ctx context.Context, k kernel.Kernel, z, x mat.Matrix, c Centering) (*mat.Dense, []float64, error) {
	if err := validate(k); err != nil {
		return nil, nil, err
	}
	pz, px, err := newPair(z, x)
	if err != nil {
		return nil, nil, err
	}
	if len(c.RowMeans) != px.n {
		return nil, nil, fmt.Errorf("%w: the centring is for %d points, x has %d", ErrShape, len(c.RowMeans), px.n)
	}
	form := formOf(k)
	linear := form.shiftable && form.linear != 0 && !form.stationary
	if form.shiftable && form.linear != 0 {
		if o := px.centre(); linear || o.far(k, form.linear, px) {
			pz, px = pz.from(o), px.from(o)
			if !linear {
				g, err := compute(ctx, k, px)
				if err != nil {
					return nil, nil, err
				}
				c = Center(g) // the means of c are of another size, and so is their rounding
			}
		}
	}
	rows, err := cross(ctx, k, pz, px)
	if err != nil {
		return nil, nil, err
	}
	norms, err := diagonal(k, pz, "z")
	if err != nil || linear {
		return rows, norms, err
	}
	for i := range norms {
		norms[i] = c.SquaredNorm(norms[i], rows.RawRowView(i))
	}
	c.Rows(rows)
	return rows, norms, nil
}

// An origin is the mean of data, as a sum of two vectors: the mean as computed, and the mean of
// what is left when it is subtracted, which is not negligible beside data with a large offset.
type origin [2][]float64

func (p *points) centre() origin {
	o := origin{p.mean(), nil}
	o[1] = (&points{n: p.n, d: p.d, data: p.minus(o[0])[:p.n*p.d]}).mean()
	return o
}

// from returns the points as seen from o.
func (p *points) from(o origin) *points {
	q := &points{n: p.n, d: p.d, data: p.minus(o[0])}
	q.data = q.minus(o[1])[:p.n*p.d]
	return q
}

// far reports whether the linear part, of weight w, of the points' mean makes up nearly all of k(x, x).
func (o origin) far(k kernel.Kernel, w float64, p *points) bool {
	var spread, mean float64
	near := p.from(o)
	for i := range near.n {
		spread += k.Eval(near.row(i), near.row(i)) / float64(near.n)
	}
	for j, v := range o[0] {
		mean += (v + o[1][j]) * (v + o[1][j])
	}
	return w*mean > 1e3*spread
}

// means returns the means of K from the means c of the matrix K′ of the points seen from o. With
// w the weight of the linear part, Kᵢⱼ = K′ᵢⱼ + w (xᵢ·o + xⱼ·o − |o|²), where o is the mean of x.
func (o origin) means(p *points, w float64, c Centering) Centering {
	mean := make([]float64, p.d)
	for j := range mean {
		mean[j] = o[0][j] + o[1][j]
	}
	for i := range c.RowMeans {
		c.RowMeans[i] += w * kernel.Dot(p.row(i), mean)
	}
	c.GrandMean += w * kernel.Dot(mean, mean)
	return c
}

// A form says whether k(x, y) = w x·y + s(x−y), so that moving the origin changes K only by
// terms that centring removes.
type form struct {
	shiftable  bool
	linear     float64 // w
	stationary bool    // s is not 0
}

func formOf(k kernel.Kernel) form {
	switch k := k.(type) {
	case kernel.Linear:
		return form{shiftable: true, linear: 1}
	case kernel.RBF, kernel.Laplacian, kernel.Matern, kernel.InverseMultiquadric:
		return form{shiftable: true, stationary: true}
	case kernel.Scaled:
		f := formOf(k.Kernel)
		f.linear *= k.Factor
		return f
	case kernel.Sum:
		sum := form{shiftable: true}
		for _, p := range k.Kernels {
			f := formOf(p)
			sum.shiftable = sum.shiftable && f.shiftable
			sum.stationary = sum.stationary || f.stationary
			sum.linear += f.linear
		}
		return sum
	case kernel.Product:
		product := form{shiftable: true, stationary: true}
		for _, p := range k.Kernels {
			f := formOf(p)
			product.shiftable = product.shiftable && f.shiftable && f.linear == 0
		}
		return product
	}
	return form{}
}
