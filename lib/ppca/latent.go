package ppca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
)

// noLatent is the error of a call that has nothing to return for q = 0.
func (s *solution) noLatent() error {
	if s.q > 0 {
		return nil
	}
	return fmt.Errorf("%w: the model has no latent dimensions (q = 0)", gram.ErrShape)
}

// DualLoadings returns A = E_q (I/N − σ² Λ_q⁻¹)^½ Rᵀ, N×q, with W = Φ_c A; nil if q = 0.
func (m *DualModel) DualLoadings() *mat.Dense {
	if m.q == 0 {
		return nil
	}
	a := mat.DenseCopyOf(m.vectors.Slice(0, m.n, 0, m.q))
	f := m.contraction()
	for p := range f {
		f[p] = math.Sqrt(f[p] / float64(m.n))
	}
	scaleColumns(a, f)
	return rotateRows(a, m.rotation)
}

// Rotated returns the model with latent axes r, a q×q orthogonal matrix: A becomes A Rᵀ and
// latents h become R h. Likelihood, reconstructions and samples of k_c keep their law. The error
// wraps gram.ErrShape, or ErrConfig if r is not orthogonal to 1e-8.
func (m *DualModel) Rotated(r mat.Matrix) (*DualModel, error) {
	rot, err := m.rotated(r, m.rotation)
	if err != nil {
		return nil, err
	}
	c := *m
	c.rotation = rot
	return &c, nil
}

// Transform returns the posterior means of the latents of new points z (M×d), an M×q matrix,
// which are also their MAP values; TransformRows of Rows. All share PosteriorCovariance. Errors
// are those of Rows, and gram.ErrShape if q = 0.
func (m *DualModel) Transform(ctx context.Context, z mat.Matrix) (*mat.Dense, error) {
	kc, _, err := m.Rows(ctx, z)
	if err != nil {
		return nil, err
	}
	return m.TransformRows(kc)
}

// TransformRows returns h = Σ Aᵀ k_c (eq. 16) for centred kernel rows kc (M×N), an M×q matrix;
// for R = I it is h_p = (N/λ_p) √(1/N − σ²/λ_p) ε_p·k_c. The error wraps gram.ErrShape and
// gram.ErrNotFinite.
func (m *DualModel) TransformRows(kc mat.Matrix) (*mat.Dense, error) {
	t, err := m.Scores(kc)
	if err != nil {
		return nil, err
	}
	return m.latents(t, m.rotation), nil
}

// TrainingLatents returns the latents of the training rows, N √(1/N − σ²/λ_p) ε_p[i] for R = I,
// an N×q matrix; nil if q = 0.
func (m *DualModel) TrainingLatents() *mat.Dense {
	a := m.DualLoadings()
	if a != nil {
		a.Scale(float64(m.n), a)
	}
	return a
}

// PosteriorCovariance returns σ² Σ = N σ² R Λ_q⁻¹ Rᵀ, the q×q covariance that the latents of all
// observations share; nil if q = 0. (The paper prints σ² Σ⁻¹ with Σ inverted already.)
func (m *DualModel) PosteriorCovariance() *mat.SymDense { return m.posteriorCovariance(m.rotation) }

// Scores returns the kernel-PCA scores t_p = ε_p·k_c/√λ_p = v_p·(φ − φ_c) of centred kernel rows
// kc (M×N), an M×q matrix; R plays no part. The error wraps gram.ErrShape, also if q = 0, and
// gram.ErrNotFinite.
func (m *DualModel) Scores(kc mat.Matrix) (*mat.Dense, error) {
	if err := m.noLatent(); err != nil {
		return nil, err
	}
	rows, err := m.checkRows(kc)
	if err != nil {
		return nil, err
	}
	return m.project(rows, m.q), nil
}

// Reconstruct returns the MAP kernel rows Σ_{p≤q} (1 − Nσ²/λ_p) ε_p ε_p·k_c (eq. 17) of centred
// kernel rows kc (M×N), centred rows again: the projection on the q axes, shrunk towards the
// mean. Zero rows, the mean, for q = 0. The error wraps gram.ErrShape and gram.ErrNotFinite.
func (m *DualModel) Reconstruct(kc mat.Matrix) (*mat.Dense, error) {
	return m.reconstruct(kc, m.contraction())
}

// Project returns E_q E_qᵀ k_c for centred kernel rows kc (M×N): the least-squares reconstruction
// W (WᵀW)⁻¹ Σ⁻¹ h, not shrunk, which is kernel PCA's. Errors are those of Reconstruct.
func (m *DualModel) Project(kc mat.Matrix) (*mat.Dense, error) {
	return m.reconstruct(kc, ones(m.q))
}

func (m *DualModel) reconstruct(kc mat.Matrix, factors []float64) (*mat.Dense, error) {
	rows, err := m.checkRows(kc)
	if err != nil {
		return nil, err
	}
	if m.q == 0 {
		rows.Zero()
		return rows, nil
	}
	t := m.project(rows, m.q)
	scaleColumns(t, factors)
	return m.expand(t), nil
}

// RowsGiven returns the mean K_c A h of the kernel rows given latents h (M×q), an M×N matrix (eq.
// 14). The error wraps gram.ErrShape and gram.ErrNotFinite.
func (m *DualModel) RowsGiven(h mat.Matrix) (*mat.Dense, error) {
	t, err := m.checkLatent(h, m.rotation)
	if err != nil {
		return nil, err
	}
	scaleColumns(t, m.gain())
	return m.expand(t), nil
}

func ones(k int) []float64 {
	f := make([]float64, k)
	for i := range f {
		f[i] = 1
	}
	return f
}

// FeaturePoints returns the points of feature space whose centred kernel rows are kc (M×N), as
// Reconstruct, Project and Sample give them, in the form that pre-image methods take. With τ_p =
// ε_p·k_c/√λ_p,
//
//	c   = 1/N + Σ_p τ_p ε_p/√λ_p                   coefficients, summing to 1
//	K c = m + k_c + β 1,   β = Σ_p b_p τ_p         kernel row, not centred
//
// with b_p = (1/N) 1ᵀK ε_p/√λ_p; an uncentred model has neither 1/N, m nor β. The sums run over
// all eigenpairs at hand (NumericalRank), without components that rounding in kc explains. Where
// only the leading pairs were computed, points are projected on these. The scores are τ_p for p ≤
// q. The error wraps gram.ErrShape and gram.ErrNotFinite.
func (m *DualModel) FeaturePoints(kc mat.Matrix) (gram.FeaturePoints, error) {
	rows, err := m.checkRows(kc)
	if err != nil {
		return gram.FeaturePoints{}, err
	}
	count, _ := rows.Dims()
	k := m.pairs()
	tau := m.project(rows, k)
	c := mat.NewDense(count, m.n, nil)
	p := gram.FeaturePoints{Coefficients: c, Kernel: rows}
	if tau != nil {
		m.dropRounding(tau, rows)
		if !m.all {
			p.Kernel = m.expand(mat.DenseCopyOf(tau))
		}
		scaled := mat.DenseCopyOf(tau)
		scaleColumns(scaled, powers(m.values[:k], -0.5))
		c.Mul(scaled, m.vectors.T())
		if m.q > 0 {
			p.Scores = mat.DenseCopyOf(tau.Slice(0, count, 0, m.q))
		}
	}
	if !m.centred {
		return p, nil
	}
	for i := range count {
		beta := 0.0
		for j, b := range m.offsets {
			beta += b * tau.At(i, j)
		}
		coefficients, row := c.RawRowView(i), p.Kernel.RawRowView(i)
		for j, mean := range m.centering.RowMeans {
			coefficients[j] += 1 / float64(m.n)
			row[j] += mean + beta
		}
	}
	return p, nil
}

// dropRounding sets those components of tau to zero that rounding in rows explains: a share of the
// row's length of up to √N·2⁻⁵⁰, which division by a small λ_p would blow up.
func (m *DualModel) dropRounding(tau, rows *mat.Dense) {
	roots := powers(m.values[:m.pairs()], 0.5)
	limit := math.Sqrt(float64(m.n)) * 4 * epsilon
	for i, norm := range squaredNorms(rows) {
		row := tau.RawRowView(i)
		for p := range row {
			if math.Abs(row[p])*roots[p] <= limit*math.Sqrt(norm) {
				row[p] = 0
			}
		}
	}
}
