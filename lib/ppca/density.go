package ppca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
)

// needAll returns the error of a call that needs all eigenpairs.
func (s *solution) needAll(what string) error {
	if s.all {
		return nil
	}
	return fmt.Errorf("%w: %s needs all, the model has %d of up to %d; fit with Solver: Full", ErrPartial, what, len(s.values), s.rank)
}

// density returns the log density in D dimensions of points with scores t (M×q, nil if q = 0) and
// squared distances norms from the mean.
func (s *solution) density(t *mat.Dense, norms []float64) []float64 {
	constant := s.logConstant(s.dim)
	out := make([]float64, len(norms))
	for i, norm := range norms {
		kept, scaled := s.split(t, i)
		out[i] = -0.5 * (constant + scaled + math.Max(0, norm-kept)/s.sigma2)
	}
	return out
}

// split returns Σ_{p≤q} t_p² and Σ_{p≤q} N t_p²/λ_p of row i.
func (s *solution) split(t *mat.Dense, i int) (kept, scaled float64) {
	if t == nil {
		return 0, 0
	}
	for p, v := range t.RawRowView(i)[:s.q] {
		kept += v * v
		scaled += float64(s.n) * v * v / s.values[p]
	}
	return kept, scaled
}

// LogDensity returns the log density of the features of each new point z (M×d) in the D-dimensional
// space, in nats, the full form
//
//	−½ [D ln 2π + Σ_{p≤q} ln(λ_p/N) + (D−q) ln σ² + Σ_{p≤q} N t_p²/λ_p + (k_c(z,z) − Σ_{p≤q} t_p²)/σ²]
//
// which counts what lies outside the span of the training features as noise. The error wraps
// ErrSingular if σ² = 0, and those of Rows.
func (m *DualModel) LogDensity(ctx context.Context, z mat.Matrix) ([]float64, error) {
	if err := m.singular(); err != nil {
		return nil, err
	}
	kc, self, err := m.Rows(ctx, z)
	if err != nil {
		return nil, err
	}
	return m.density(m.project(kc, m.q), self), nil
}

// LogDensityRows is LogDensity for centred kernel rows kc (M×N) and squared norms kcSelf = k_c(z,
// z). The error also wraps gram.ErrShape and gram.ErrNotFinite.
func (m *DualModel) LogDensityRows(kc mat.Matrix, kcSelf []float64) ([]float64, error) {
	if err := m.singular(); err != nil {
		return nil, err
	}
	rows, err := m.checkRows(kc)
	if err != nil {
		return nil, err
	}
	count, _ := rows.Dims()
	if err := checkLength("kcSelf", kcSelf, count); err != nil {
		return nil, err
	}
	return m.density(m.project(rows, m.q), kcSelf), nil
}

// InSpanLogDensity returns the log density of the projections of new points z (M×d) on the span
// of the training features, r dimensions,
//
//	−½ [r ln 2π + Σ_{p≤q} ln(λ_p/N) + (r−q) ln σ² + Σ_{p≤q} N t_p²/λ_p + Σ_{q<p≤r} t_p²/σ²]
//
// It does not see what lies outside the span, so LogDensity is the better score of novelty. The
// error wraps ErrSingular if σ² = 0, ErrPartial if not all eigenpairs were computed, and those of
// Rows.
func (m *DualModel) InSpanLogDensity(ctx context.Context, z mat.Matrix) ([]float64, error) {
	kc, _, err := m.Rows(ctx, z)
	if err != nil {
		return nil, err
	}
	return m.InSpanLogDensityRows(kc)
}

// InSpanLogDensityRows is InSpanLogDensity for centred kernel rows kc (M×N).
func (m *DualModel) InSpanLogDensityRows(kc mat.Matrix) ([]float64, error) {
	if err := m.singular(); err != nil {
		return nil, err
	}
	if err := m.needAll("the in-span density"); err != nil {
		return nil, err
	}
	rows, err := m.checkRows(kc)
	if err != nil {
		return nil, err
	}
	t := m.project(rows, m.pairs())
	constant := m.logConstant(m.rank)
	count, _ := rows.Dims()
	out := make([]float64, count)
	for i := range out {
		_, scaled := m.split(t, i)
		rest := 0.0
		for _, v := range t.RawRowView(i)[m.q:] {
			rest += v * v
		}
		out[i] = -0.5 * (constant + scaled + rest/m.sigma2)
	}
	return out, nil
}

// HeldOutLogLikelihood returns the sum of LogDensity over the rows of z, which were not used in
// the fit.
func (m *DualModel) HeldOutLogLikelihood(ctx context.Context, z mat.Matrix) (float64, error) {
	d, err := m.LogDensity(ctx, z)
	return sum(d), err
}

// DualLogLikelihood returns the log-likelihood of the training kernel rows with respect to Lebesgue
// measure on the range of K_c, with the pseudo-determinant of S_k,
//
//	−N/2 [r ln 2π + Σ_{p≤q} ln(λ_p²/N) + Σ_{q<p≤r} ln(σ²λ_p) + q + (trace − Σ_{p≤q} λ_p)/(Nσ²)]
//
// over the numerical rank r. It differs from LogLikelihood in r dimensions by −N/2 Σ ln λ_p,
// whatever q and σ² are, but needs every eigenvalue and hangs on the tiny ones: it is for study.
// The error wraps ErrSingular if σ² = 0 and ErrPartial if not all eigenvalues were computed.
func (m *DualModel) DualLogLikelihood() (float64, error) {
	if err := m.singular(); err != nil {
		return 0, err
	}
	if err := m.needAll("the dual likelihood"); err != nil {
		return 0, err
	}
	n := float64(m.n)
	c := float64(m.numeric)*math.Log(2*math.Pi) + float64(m.q)
	for p, v := range m.values[:m.numeric] {
		if p < m.q {
			c += math.Log(v * v / n)
		} else {
			c += math.Log(m.sigma2 * v)
		}
	}
	return -n / 2 * (c + math.Max(0, m.trace-m.kept(m.q))/(n*m.sigma2)), nil
}

// scores returns the coordinates V_qᵀ(x−μ) of the rows of x and their squared distances from μ.
func (m *Model) scores(name string, x mat.Matrix) (t *mat.Dense, norms []float64, err error) {
	c, err := checkedWidth(name, x, len(m.mean), "as the training data have")
	if err != nil {
		return nil, nil, err
	}
	subtract(c, m.mean)
	norms = squaredNorms(c)
	for i, v := range norms {
		if math.IsInf(v, 0) {
			return nil, nil, fmt.Errorf("%w: the squared length of row %d of %s overflows", gram.ErrNotFinite, i, name)
		}
	}
	if m.q == 0 {
		return nil, norms, nil
	}
	t = new(mat.Dense)
	t.Mul(c, m.directions.Slice(0, len(m.mean), 0, m.q))
	return t, norms, nil
}

// LogDensity returns the log density of each row of z (M×d) in nats,
//
//	−½ [D ln 2π + Σ_{p≤q} ln(λ_p/N) + (D−q) ln σ² + Σ_{p≤q} N t_p²/λ_p + (|z−μ|² − Σ_{p≤q} t_p²)/σ²],
//
// t = V_qᵀ(z−μ), which is N(μ, WWᵀ + σ²I) if D = d. The error wraps ErrSingular if σ² = 0,
// gram.ErrShape and gram.ErrNotFinite.
func (m *Model) LogDensity(z mat.Matrix) ([]float64, error) {
	if err := m.singular(); err != nil {
		return nil, err
	}
	t, norms, err := m.scores("z", z)
	if err != nil {
		return nil, err
	}
	return m.density(t, norms), nil
}

// HeldOutLogLikelihood returns the sum of LogDensity over the rows of z, which were not used in
// the fit.
func (m *Model) HeldOutLogLikelihood(z mat.Matrix) (float64, error) {
	d, err := m.LogDensity(z)
	return sum(d), err
}
