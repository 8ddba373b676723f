package ppca

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
)

// A Model is a fitted primal model, φ = W h + μ + ζ with h ~ N(0, I_q) and ζ ~ N(0, σ² I). It
// does not change after the fit and is safe for concurrent use.
type Model struct {
	solution
	mean       []float64  // μ, length d
	directions *mat.Dense // v_p in columns, d×(numerical rank or number of computed pairs)
	rotation   *mat.Dense // R, q×q; nil means I
}

// FitPrimal returns the maximum-likelihood model of x, an N×d matrix whose rows are observations.
// With λ_p, v_p the eigenpairs of the scatter C_c = Σ (xᵢ−μ)(xᵢ−μ)ᵀ,
//
//	μ = mean of x,   σ² = (trace C_c − Σ_{p≤q} λ_p)/(N(D−q)),   W = V_q (Λ_q/N − σ² I)^½
//
// (Tipping & Bishop 1999, eqs 7 and 8, with R = I). Each v_p is signed so that its entry of largest
// magnitude is positive. D is the rank r of the centred data unless cfg.Noise says otherwise;
// data with constant or dependent columns and data with N ≤ d have r < d, and Explicit(d) then
// gives the noise the whole input space. q = r is allowed and leaves σ² = 0.
//
// Of the two matrices d×d and N×N the smaller one is decomposed. The error wraps ErrConfig,
// gram.ErrShape, gram.ErrNotFinite or ErrNoVariance. x is neither modified nor retained.
func FitPrimal(x mat.Matrix, cfg Config) (*Model, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	xc, err := checked("x", x)
	if err != nil {
		return nil, err
	}
	m := &Model{mean: prepare(xc, cfg.Uncentred)}
	v, err := decompose(context.Background(), xc, m.mean, &m.solution, cfg, false)
	if err != nil {
		return nil, err
	}
	m.directions = v
	return m, nil
}

// prepare subtracts the column means of x in place and returns them; for uncentred models it
// returns zeros.
func prepare(x *mat.Dense, uncentred bool) []float64 {
	_, d := x.Dims()
	if uncentred {
		return make([]float64, d)
	}
	mean := columnMeans(x)
	subtract(x, mean)
	return mean
}

// decompose fits s to the prepared rows xc and returns the unit eigenvectors v_p of xcᵀ xc (d×k), or,
// if dual, ε_p of xc xcᵀ (N×k), by the sign rule. The smaller of the two matrices is decomposed, and
// xc = V Λ^½ Eᵀ gives the vectors of the other.
func decompose(ctx context.Context, xc *mat.Dense, mean []float64, s *solution, cfg Config, dual bool) (*mat.Dense, error) {
	n, d := xc.Dims()
	s.n, s.centred = n, !cfg.Uncentred
	norms := squaredNorms(xc)
	s.trace = sum(norms)
	if err := checkScale(s.trace, maxMagnitude(norms)); err != nil {
		return nil, err
	}
	size := maxAbs(xc)
	for _, v := range mean {
		size = math.Max(size, math.Abs(v))
	}
	if round := 4 * epsilon * size; n == 1 && s.centred || s.trace <= float64(n*d)*round*round {
		return nil, fmt.Errorf("%w: trace of the %s scatter is %.3g for %d×%d data: all rows are equal up to rounding",
			ErrNoVariance, centredWord(s.centred), s.trace, n, d)
	}
	limit := min(n, d)
	if s.centred {
		limit = min(n-1, d)
	}
	structural := 0
	if cfg.Solver == Leading || cfg.Solver == Auto && min(n, d) > fullLimit {
		structural, _ = gram.StructuralRank(kernel.Linear{}, xc, s.centred)
		structural = min(limit, structural)
	}
	problem := eigenproblem{
		a: new(mat.SymDense), factor: xc, structural: structural, limit: limit, tolerance: float64(max(n, d)) * epsilon,
		// The entries are rounded to 2⁻⁵³ of their size before the mean is subtracted.
		rounding: 4 * float64(max(n, d)) * epsilon * epsilon * size * size,
	}
	if d > n {
		problem.factor = xc.T()
	}
	problem.a.SymOuterK(1, problem.factor.T())
	u, err := solve(ctx, &problem, s, cfg)
	if err != nil || u == nil || dual == (d > n) {
		return u, err
	}
	other := problem.image
	if other == nil {
		other = new(mat.Dense)
		other.Mul(problem.factor, u)
	}
	scaleColumns(other, powers(s.values[:s.numeric], -0.5))
	eigen.FixSigns(other)
	return other, nil
}

// Dim returns d, the number of columns of the training data.
func (m *Model) Dim() int { return len(m.mean) }

// Mean returns a copy of μ, length d; zeros for an uncentred model.
func (m *Model) Mean() []float64 { return slices.Clone(m.mean) }

// Directions returns the unit vectors v_1..v_q in the columns of a d×q matrix; nil if q = 0.
func (m *Model) Directions() *mat.Dense {
	if m.q == 0 {
		return nil
	}
	return mat.DenseCopyOf(m.directions.Slice(0, len(m.mean), 0, m.q))
}

// Loadings returns W = V_q (Λ_q/N − σ² I)^½ Rᵀ, d×q; nil if q = 0.
func (m *Model) Loadings() *mat.Dense {
	if m.q == 0 {
		return nil
	}
	w := m.Directions()
	scaleColumns(w, m.gain())
	return rotateRows(w, m.rotation)
}

// Rotated returns the model with latent axes r, a q×q orthogonal matrix: W becomes W Rᵀ and latents
// h become R h. The likelihood, reconstructions and covariance do not change. The error wraps
// gram.ErrShape or ErrConfig if r is not q×q or not orthogonal to 1e-8.
func (m *Model) Rotated(r mat.Matrix) (*Model, error) {
	rot, err := m.rotated(r, m.rotation)
	if err != nil {
		return nil, err
	}
	c := *m
	c.rotation = rot
	return &c, nil
}

// String returns the sizes and the noise variance, as ppca.Model(N=100, d=5, q=2, σ²=0.8162).
func (m *Model) String() string {
	return fmt.Sprintf("ppca.Model(N=%d, d=%d, q=%d, σ²=%.4g)", m.n, len(m.mean), m.q, m.sigma2)
}
