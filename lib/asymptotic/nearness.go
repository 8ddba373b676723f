package asymptotic

import (
	"math"

	"eigenbook/lib/eigen"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// nearness finds the eigenspaces of M + Δ near those of M = J X Xᵀ J in the form W_g + Y_g, with
// Y_g orthogonal to W_g. With X = W_g + Y_g and B = W_gᵀ (M+Δ) X the equation (M+Δ) X = X B gives
//
//	wⱼ·Y_g (B − μⱼI) = wⱼ·ΔX   for all j not in g,
//
// null directions with μⱼ = 0 included. The eigenvalues of B are the λ′ of the group, and the
// singular values of Y_g are the tangents of its principal angles.
type nearness struct {
	a     *Analysis
	delta *operator
	x     *mat.Dense // W + Y, N×m
}

// step returns the right sides of the equations solved for Y with the present X, and B − μ I
// of each group, μ being that of its first member.
func (s *nearness) step() (y *mat.Dense, shifted []*mat.Dense) {
	a := s.a
	n, r := a.w.Dims()
	_, m := s.x.Dims()
	d := s.delta.apply(s.x)
	c := mat.NewDense(r, m, nil)
	c.Mul(a.w.T(), d)
	null := mat.NewDense(n, m, nil)
	null.Mul(a.w, c)
	null.Sub(d, null)

	within := mat.NewDense(r, m, nil) // Wᵀ Y
	y = mat.NewDense(n, m, nil)
	for _, g := range a.groups {
		size := g.End - g.Start
		b := mat.DenseCopyOf(c.Slice(g.Start, g.End, g.Start, g.End))
		for k := range size {
			b.Set(k, k, b.At(k, k)+(a.mu[g.Start+k]-a.mu[g.Start]))
		}
		shifted = append(shifted, b)
		for j := range r {
			if j < g.Start || j >= g.End {
				row := within.Slice(j, j+1, g.Start, g.End).(*mat.Dense)
				divideRight(row, c.Slice(j, j+1, g.Start, g.End), b, a.mu[g.Start]-a.mu[j])
			}
		}
		part := y.Slice(0, n, g.Start, g.End).(*mat.Dense)
		divideRight(part, null.Slice(0, n, g.Start, g.End), b, a.mu[g.Start])
	}
	var inside mat.Dense
	inside.Mul(a.w, within)
	y.Add(y, &inside)
	for _, g := range a.groups {
		for k := g.Start; k < g.End; k++ {
			if outsideGroup(c, null, g, k) <= 16*epsilon*columnNorm(d, k) {
				scaleColumn(y, k, 0) // rounding of an image within the group
			}
		}
	}
	return y, shifted
}

// outsideGroup returns the norm of the part outside a group of the k-th column of an image with
// coefficients c and null part null.
func outsideGroup(c, null *mat.Dense, g Group, k int) float64 {
	v := column(c, k)
	for j := g.Start; j < g.End; j++ {
		v[j] = 0
	}
	return math.Hypot(vectorNorm(v), columnNorm(null, k))
}

// divideRight sets dst to v (b + shift I)⁻¹.
func divideRight(dst *mat.Dense, v mat.Matrix, b *mat.Dense, shift float64) {
	g, _ := b.Dims()
	if g == 1 {
		dst.Scale(1/(b.At(0, 0)+shift), v)
		return
	}
	full := mat.DenseCopyOf(b)
	for k := range g {
		full.Set(k, k, full.At(k, k)+shift)
	}
	var solved mat.Dense
	// A matrix near singular gives a large Y, which is then not used.
	_ = solved.Solve(full.T(), v.T())
	dst.Copy(solved.T())
}

// maxSteps limits the iteration, which at least halves the error at each step.
const maxSteps = 60

// iterate repeats step from X = W until Y no longer changes, and fills c if that happens.
func (s *nearness) iterate(c *Comparison) {
	n, m := s.x.Dims()
	w := columns(s.a.w, m)
	y := mat.NewDense(n, m, nil)
	last := math.Inf(1)
	for range maxSteps {
		next, shifted := s.step()
		c.Sweeps++
		change := relativeChange(next, y)
		y = next
		s.x.Add(w, y)
		if change < 1e-13 || change >= last/2 && change < 1e-10 {
			// The last B belongs to the X before the last, whose change is below rounding.
			c.Converged = s.fill(c, y, shifted)
			return
		}
		if change >= last {
			return
		}
		last = change
	}
}

// relativeChange returns the largest |yₖ − zₖ|/|yₖ| over the columns.
func relativeChange(y, z *mat.Dense) float64 {
	_, m := y.Dims()
	change := 0.0
	for k := range m {
		a, b := column(y, k), column(z, k)
		size := vectorNorm(a)
		floats.Sub(a, b)
		if d := vectorNorm(a); d > 0 {
			change = max(change, d/size)
		}
	}
	return change
}

// fill sets the results of c from Y and B, and reports whether they are usable.
func (s *nearness) fill(c *Comparison, y *mat.Dense, shifted []*mat.Dense) bool {
	a := s.a
	n, m := y.Dims()
	c.Eigenvalues, c.Differences = make([]float64, m), make([]float64, m)
	c.Eigenvectors = mat.NewDense(n, m, nil)
	c.angles = nil
	for i, g := range a.groups {
		e, err := eigenpairs(s.x.Slice(0, n, g.Start, g.End), shifted[i])
		if err != nil {
			return false
		}
		for k := g.Start; k < g.End; k++ {
			c.Eigenvalues[k] = a.mu[g.Start] + e.values[k-g.Start]
			c.Differences[k] = e.values[k-g.Start] + (a.mu[g.Start] - a.mu[k])
		}
		c.Eigenvectors.Slice(0, n, g.Start, g.End).(*mat.Dense).Copy(e.vectors)
		tangent, err := largestSingular(y.Slice(0, n, g.Start, g.End))
		if err != nil {
			return false
		}
		c.angles = append(c.angles, math.Atan(tangent))
	}
	s.orient(c)
	return true
}

// orient gives the eigenvectors the signs of the linear ones.
func (s *nearness) orient(c *Comparison) {
	_, m := c.Eigenvectors.Dims()
	for k := range m {
		if columnDot(c.Eigenvectors, k, s.a.w, k) < 0 {
			scaleColumn(c.Eigenvectors, k, -1)
		}
	}
}

// from fills c from eigenpairs that a solver has found.
func (s *nearness) from(c *Comparison, l *leadingPairs) error {
	a := s.a
	n, _ := a.w.Dims()
	m := a.covered()
	c.Eigenvalues = append([]float64(nil), l.values[:m]...)
	c.Differences = make([]float64, m)
	c.Eigenvectors = columns(l.vectors, m)
	s.orient(c)
	c.angles = nil
	w := columns(a.w, m)
	s.x = mat.NewDense(n, m, nil)
	near := make([]bool, len(a.groups))
	for i, g := range a.groups {
		largest, err := groupAngle(c.Eigenvectors, w, g)
		if err != nil {
			return err
		}
		c.angles = append(c.angles, largest)
		near[i] = largest < 1.4
		for k := g.Start; k < g.End; k++ {
			c.Differences[k] = c.Eigenvalues[k] - a.mu[k]
		}
		x := s.x.Slice(0, n, g.Start, g.End).(*mat.Dense)
		v := c.Eigenvectors.Slice(0, n, g.Start, g.End)
		if near[i] {
			var overlap mat.Dense
			overlap.Mul(w.Slice(0, n, g.Start, g.End).T(), v)
			divideRight(x, v, &overlap, 0)
		} else {
			x.Copy(v)
		}
	}
	y, shifted := s.step()
	c.Sweeps++
	for i, g := range a.groups {
		if !near[i] {
			continue
		}
		e, err := eigenpairs(s.x.Slice(0, n, g.Start, g.End), shifted[i])
		if err != nil {
			return err
		}
		for k := g.Start; k < g.End; k++ {
			c.Differences[k] = e.values[k-g.Start] + (a.mu[g.Start] - a.mu[k])
		}
		if c.angles[i] < 0.1 {
			// A small angle is better known from the identity than from the vectors.
			tangent, err := largestSingular(y.Slice(0, n, g.Start, g.End))
			if err != nil {
				return err
			}
			if refined := math.Atan(tangent); math.Abs(refined-c.angles[i]) < 1e-6 {
				c.angles[i] = refined
			}
		}
	}
	for k := m; k < len(l.values) && l.complete; k++ {
		mu := 0.0
		if k < len(a.mu) {
			mu = a.mu[k]
		}
		c.rest = max(c.rest, math.Abs(l.values[k]-mu))
	}
	c.complete = l.complete
	return nil
}

// bound sets c.Remainder. With P the projector on the complement of the first m linear
// eigenvectors, the λ′ beyond m are at least μₖ − |PΔP| by the interlacing of the eigenvalues of
// P(M+Δ)P, and with the complement of the first m Gaussian eigenvectors they are at most μₖ + |PΔP|;
// Frobenius norms are used. Both λ′ₖ and μₖ being at least 0, the larger of the next ones is a bound,
// too.
func (s *nearness) bound(c *Comparison, norm float64) {
	if c.complete {
		c.Remainder = c.rest
		return
	}
	a := s.a
	m := a.covered()
	next := c.Eigenvalues[m-1]
	if m < len(a.mu) {
		next = max(next, a.mu[m])
	}
	outside := max(s.outside(columns(a.w, m), norm), s.outside(orthonormalized(c.Eigenvectors), norm))
	c.Remainder = min(next, outside)
}

// outside returns the Frobenius norm of PΔP, P = I − VVᵀ, from that of Δ.
func (s *nearness) outside(v *mat.Dense, norm float64) float64 {
	d := s.delta.apply(v)
	var inner mat.Dense
	inner.Mul(v.T(), d)
	dv, vv := mat.Norm(d, 2), mat.Norm(&inner, 2)
	return math.Sqrt(max(norm*norm-2*dv*dv+vv*vv, 0))
}

// pairs are eigenpairs within a group, values descending.
type pairs struct {
	values  []float64
	vectors *mat.Dense
}

// eigenpairs returns the eigenpairs of an operator on the span of the columns of x, which it maps
// to x·b.
func eigenpairs(x mat.Matrix, b *mat.Dense) (*pairs, error) {
	_, g := x.Dims()
	vectors := mat.DenseCopyOf(x)
	if g == 1 {
		scaleColumn(vectors, 0, 1/columnNorm(vectors, 0))
		return &pairs{[]float64{b.At(0, 0)}, vectors}, nil
	}
	var products, image mat.Dense
	products.Mul(x.T(), x)
	image.Mul(&products, b)
	left, right := mat.NewSymDense(g, nil), mat.NewSymDense(g, nil)
	for i := range g {
		for j := i; j < g; j++ {
			left.SetSym(i, j, (image.At(i, j)+image.At(j, i))/2)
			right.SetSym(i, j, products.At(i, j))
		}
	}
	e, err := eigen.Generalized(left, right)
	if err != nil {
		return nil, err
	}
	vectors.Mul(x, e.Vectors)
	return &pairs{e.Values, vectors}, nil
}

// largestSingular returns the largest singular value of y, n×g.
func largestSingular(y mat.Matrix) (float64, error) {
	_, g := y.Dims()
	if g == 1 {
		return vectorNorm(mat.Col(nil, 0, y)), nil
	}
	size := mat.Norm(y, 2)
	if size == 0 {
		return 0, nil
	}
	scaled := mat.DenseCopyOf(y) // squares of tiny values would underflow
	scaled.Scale(1/size, scaled)
	var svd mat.SVD
	if !svd.Factorize(scaled, mat.SVDNone) {
		return 0, eigen.ErrNoConvergence
	}
	return size * svd.Values(nil)[0], nil
}
