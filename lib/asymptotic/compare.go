package asymptotic

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Comparison is kernel PCA with the Gaussian kernel at one bandwidth against linear PCA.
type Comparison struct {
	Sigma float64 // σ
	Scale float64 // σ_X = d_X σ

	// Eigenvalues is λ′ = σ_X² λ, descending, one for each compared pair; a comparison by Naive
	// has all N.
	Eigenvalues []float64
	// Differences is λ′ₖ − μₖ, signed.
	Differences []float64
	// Angles is the angle between vₖ and wₖ, or, if μₖ is repeated, the largest principal angle
	// between the spans of its group; radians.
	Angles []float64
	// Eigenvectors is v₁, v₂, …, N×Pairs, unit columns with vₖ·wₖ ≥ 0.
	Eigenvectors *mat.Dense

	// Remainder bounds |λ′ₖ − μₖ| for all pairs that are not compared. While it is below the largest
	// of |Differences|, EigenvalueDiscrepancy is over all k.
	Remainder float64

	Sweeps    int  // products with the N×N matrix
	Converged bool // whether the eigenpairs reached 1e-10 of the largest eigenvalue

	rho, mu1  float64
	rest      float64 // largest |λ′ₖ − μₖ| of the other pairs, if they are known
	complete  bool    // whether they are
	groups    []Group
	angles    []float64 // one for each group
	reference []float64 // the same at σ = 0
}

// MetricDissonance returns the largest |σ_X d_G − d_L| over all pairs of rows, relative to the
// diameter: DissonanceRatio(ρ/σ).
func (c *Comparison) MetricDissonance() float64 { return DissonanceRatio(c.rho / c.Sigma) }

// EigenvalueDiscrepancy returns the largest |λ′ₖ − μₖ| relative to μ₁; see Remainder.
func (c *Comparison) EigenvalueDiscrepancy() float64 {
	largest := c.rest
	for _, d := range c.Differences {
		largest = max(largest, math.Abs(d))
	}
	return largest / c.mu1
}

// EigenvalueCertain reports whether EigenvalueDiscrepancy is known to be over all k.
func (c *Comparison) EigenvalueCertain() bool {
	return c.Remainder <= c.EigenvalueDiscrepancy()*c.mu1*(1+1e-12)
}

// EigenprojectionDissonance returns Algorithm 1 for the first k pairs, a group that k cuts
// included whole: the mean or the largest of its angles, in radians. The error wraps ErrConfig.
func (c *Comparison) EigenprojectionDissonance(k int, by Aggregate) (float64, error) {
	return c.aggregate(c.angles, k, by)
}

// NormalizedEigenprojection returns EigenprojectionDissonance divided by its value at σ = 0,
// the angles between the first coordinate axes and the linear eigenvectors.
func (c *Comparison) NormalizedEigenprojection(k int, by Aggregate) (float64, error) {
	f, err := c.aggregate(c.angles, k, by)
	if err != nil {
		return 0, err
	}
	at0, err := c.aggregate(c.reference, k, by)
	if err != nil {
		return 0, err
	}
	return f / at0, nil
}

func (c *Comparison) aggregate(angles []float64, k int, by Aggregate) (float64, error) {
	if k < 1 || k > len(c.Angles) {
		return 0, fmt.Errorf("%w: %d pairs, want 1 to %d", ErrConfig, k, len(c.Angles))
	}
	count := 0
	for _, g := range c.groups {
		if g.Start < k {
			count++
		}
	}
	return by.of(angles[:count])
}

// Components returns the scaled kernel principal components σ_X √λₖ vₖ, N×Pairs.
func (c *Comparison) Components() *mat.Dense {
	p := mat.DenseCopyOf(c.Eigenvectors)
	_, m := p.Dims()
	for k := range m {
		scaleColumn(p, k, math.Sqrt(max(c.Eigenvalues[k], 0)))
	}
	return p
}

// Compare compares the Gaussian kernel at the standardised bandwidth sigma with the linear one.
//
// The error wraps ErrBandwidth, ErrTooLarge or ctx.Err(). Pairs that did not converge are not an
// error: see Comparison.Converged. That is the rule at σ well below 1, where the leading
// eigenvalues lie close together and every measure is near its value at 0.
func (a *Analysis) Compare(ctx context.Context, sigma float64) (*Comparison, error) {
	c, _, err := a.compare(ctx, sigma, nil, nil)
	return c, err
}

// compare is Compare with eigenvectors to start from, as rows, or nil; and with an operator whose
// memory is used, or nil. It returns the operator.
func (a *Analysis) compare(ctx context.Context, sigma float64, warm *mat.Dense, o *operator) (*Comparison, *operator, error) {
	if err := checkBandwidth(sigma); err != nil {
		return nil, o, err
	}
	scale := a.Scale(sigma)
	s2 := scale * scale
	if !(s2 > 1e-290 && s2 < 1e290) {
		return nil, o, fmt.Errorf("%w: %v times the median distance %v is outside 1e-145 to 1e145", ErrBandwidth, sigma, a.median)
	}
	var err error
	if o == nil {
		if o, err = a.newOperator(); err != nil {
			return nil, nil, err
		}
	}
	delta := func(d float64) float64 { return s2 * phi2(exponent(d, scale)) }
	if err := a.refill(ctx, o, delta); err != nil {
		return nil, o, err
	}
	m := a.covered()
	c := &Comparison{Sigma: sigma, Scale: scale, rho: a.Eccentricity(), mu1: a.mu[0], groups: a.groups}
	if c.reference, err = a.ReferenceAngles(); err != nil {
		return nil, o, err
	}

	norm := o.frobenius()
	near := nearness{a: a, delta: o, x: columns(a.w, m)}
	if norm < a.gap()/4 {
		// By Weyl's inequality the k-th pair of the Gaussian kernel is the one near the k-th linear one.
		near.iterate(c)
	}
	if !c.Converged {
		gaussian := func(d float64) float64 { return s2 * math.Expm1(-exponent(d, scale)) }
		if err := a.refill(ctx, o, gaussian); err != nil {
			return nil, o, err
		}
		leading, err := a.leading(ctx, o, m, warm)
		if err != nil {
			return nil, o, fmt.Errorf("asymptotic: bandwidth %v: %w", sigma, err)
		}
		c.Sweeps, c.Converged = c.Sweeps+leading.sweeps, leading.converged
		if err := a.refill(ctx, o, delta); err != nil {
			return nil, o, err
		}
		if err := near.from(c, leading); err != nil {
			return nil, o, err
		}
	}
	near.bound(c, norm)
	a.trim(c)
	return c, o, nil
}

// trim leaves the compared pairs only.
func (a *Analysis) trim(c *Comparison) {
	l := a.cfg.Pairs
	c.Angles = make([]float64, l)
	for i, g := range a.groups {
		for k := g.Start; k < min(g.End, l); k++ {
			c.Angles[k] = c.angles[i]
		}
	}
	c.Eigenvalues, c.Differences = c.Eigenvalues[:l], c.Differences[:l]
	c.Eigenvectors = columns(c.Eigenvectors, l)
}

// gap returns the smallest distance between eigenvalues of neighbouring groups, that after the
// last included.
func (a *Analysis) gap() float64 {
	gap := math.Inf(1)
	for _, g := range a.groups {
		next := 0.0
		if g.End < len(a.mu) {
			next = a.mu[g.End]
		}
		gap = min(gap, a.mu[g.End-1]-next)
	}
	return gap
}
