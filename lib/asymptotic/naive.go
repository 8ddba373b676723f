package asymptotic

import (
	"context"
	"fmt"
	"math"

	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"

	"gonum.org/v1/gonum/floats"
)

// Naive is Compare as the definitions read: exp, centring, all eigenpairs, differences of
// eigenvalues, and arccos of inner products; repeated eigenvalues are not grouped. It is for
// comparison, costs O(N³), and loses all digits as the bandwidth grows. Errors are those of Compare.
func (a *Analysis) Naive(ctx context.Context, sigma float64) (*Comparison, error) {
	if err := checkBandwidth(sigma); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("asymptotic: bandwidth %v: %w", sigma, err)
	}
	scale := a.Scale(sigma)
	k, err := a.dist.GaussianGram(scale)
	if err != nil {
		return nil, err
	}
	gram.Center(k)
	e, err := eigen.Symmetric(k)
	if err != nil {
		return nil, err
	}
	l := a.cfg.Pairs
	c := &Comparison{
		Sigma: sigma, Scale: scale, Eigenvalues: e.Values, Eigenvectors: columns(e.Vectors, l),
		Sweeps: 1, Converged: true, rho: a.Eccentricity(), mu1: a.mu[0], complete: true,
	}
	floats.Scale(scale*scale, c.Eigenvalues)
	for i, v := range c.Eigenvalues {
		mu := 0.0
		if i < len(a.mu) {
			mu = a.mu[i]
		}
		c.Differences = append(c.Differences, v-mu)
	}
	for i := range l {
		cosine := columnDot(c.Eigenvectors, i, a.w, i)
		if cosine < 0 {
			scaleColumn(c.Eigenvectors, i, -1)
		}
		c.Angles = append(c.Angles, math.Acos(min(math.Abs(cosine), 1)))
		c.groups = append(c.groups, Group{i, i + 1})
		c.reference = append(c.reference, math.Acos(math.Abs(a.w.At(i, i))))
	}
	c.angles = c.Angles
	return c, nil
}

// CentredTrace returns the trace of J K_G J for the bandwidth scale = σ_X, the sum of its
// eigenvalues, (1/N) Σ (1−Kᵢⱼ). It is at most (N−1) (diameter/scale)²/2. The error wraps
// ErrBandwidth.
func (s *Distances) CentredTrace(scale float64) (float64, error) {
	if err := checkBandwidth(scale); err != nil {
		return 0, err
	}
	sum := 0.0
	for i := range s.n {
		row := 0.0
		for _, d := range s.row(i) {
			row -= math.Expm1(-exponent(d, scale))
		}
		sum += row
	}
	return 2 * sum / float64(s.n), nil
}
