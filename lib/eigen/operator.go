package eigen

import "gonum.org/v1/gonum/mat"

// An Operator is a symmetric linear map of R^n that is known by its products.
type Operator interface {
	// Dim returns n.
	Dim() int
	// Apply writes A x to dst. Both have length n and do not overlap; x must not be changed.
	Apply(dst, x []float64)
}

// Func is the Operator of a function, for products that no matrix stands for.
type Func struct {
	N int                    // dimension n
	F func(dst, x []float64) // writes A x to dst
}

// Dim returns f.N.
func (f Func) Dim() int { return f.N }

// Apply calls f.F.
func (f Func) Apply(dst, x []float64) { f.F(dst, x) }

// Gram returns the n×n operator X Xᵀ of the n×d matrix x, the Gram matrix of the linear kernel,
// without forming it: two passes over x for a product. x must not change while it is in use.
// Its products, like those of Scatter, must not run concurrently.
func Gram(x *mat.Dense) Operator {
	n, d := x.Dims()
	return newProduct(n, d, x, x.T())
}

// Scatter returns the d×d operator Xᵀ X of the n×d matrix x without forming it.
func Scatter(x *mat.Dense) Operator {
	n, d := x.Dims()
	return newProduct(d, n, x.T(), x)
}

// product is the operator left·right, where left is the transpose of right.
type product struct {
	n           int
	left, right mat.Matrix
	middle      *mat.VecDense
}

func newProduct(n, middle int, left, right mat.Matrix) *product {
	return &product{n: n, left: left, right: right, middle: mat.NewVecDense(middle, nil)}
}

func (p *product) Dim() int { return p.n }

func (p *product) Apply(dst, x []float64) {
	p.middle.MulVec(p.right, mat.NewVecDense(p.n, x))
	mat.NewVecDense(p.n, dst).MulVec(p.left, p.middle)
}
