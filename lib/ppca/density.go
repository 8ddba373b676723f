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

// density returns the log density in dim dimensions of points with scores t (M×k, k ≥ q; nil if k
// is 0) and squared distances outside from the space of those k axes.
func (s *solution) density(t *mat.Dense, outside []float64, dim int) []float64 {
	constant := s.logConstant(dim)
	out := make([]float64, len(outside))
	for i, rest := range outside {
		scaled := 0.0
		if t != nil {
			row := t.RawRowView(i)
			for p, v := range row[:s.q] {
				scaled += float64(s.n) * v * v / s.values[p]
			}
			for _, v := range row[s.q:] {
				rest += v * v
			}
		}
		out[i] = -0.5 * (constant + scaled + rest/s.sigma2)
	}
	return out
}

// checkDensities refuses log densities outside the range of float64, of points too far from the data for
// their noise.
func checkDensities(d []float64) ([]float64, error) {
	for i, v := range d {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w: the log density of row %d overflows: it is too far from the data", gram.ErrNotFinite, i)
		}
	}
	return d, nil
}

// outside returns what the scores t (M×k; nil if k is 0) leave of the squared norms.
func outside(norms []float64, t *mat.Dense) []float64 {
	if t == nil {
		return norms
	}
	out := squaredNorms(t)
	for i, kept := range out {
		out[i] = math.Max(0, norms[i]-kept)
	}
	return out
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
	t := m.project(kc, m.q)
	return checkDensities(m.density(t, outside(self, t), m.dim))
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
	t := m.project(rows, m.q)
	return checkDensities(m.density(t, outside(kcSelf, t), m.dim))
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
	count, _ := rows.Dims()
	return checkDensities(m.density(m.project(rows, m.pairs()), make([]float64, count), m.rank))
}

// HeldOutLogLikelihood returns the sum of LogDensity over the rows of z, which were not used in
// the fit. It chooses q, not the kernel (see LogLikelihood).
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
	return -n / 2 * (c + m.rest(m.q)/(n*m.sigma2)), nil
}

// centredRows returns x−μ for the rows of x.
func (m *Model) centredRows(name string, x mat.Matrix) (*mat.Dense, error) {
	c, err := checkedWidth(name, x, len(m.mean), "as the training data have")
	if err != nil {
		return nil, err
	}
	subtract(c, m.mean)
	for i, v := range squaredNorms(c) {
		if math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w: the squared length of row %d of %s overflows", gram.ErrNotFinite, i, name)
		}
	}
	return c, nil
}

// project returns the scores V_kᵀ c of centred rows c on the first k axes; nil if k is 0.
func (m *Model) project(c *mat.Dense, k int) *mat.Dense {
	if k == 0 {
		return nil
	}
	t := new(mat.Dense)
	t.Mul(c, m.directions.Slice(0, len(m.mean), 0, k))
	return t
}

// away returns the squared distances |c − V_k t|² of centred rows from the space of k axes. Their
// lengths minus those of the scores would lose a small noise under a large spread.
func (m *Model) away(c, t *mat.Dense) []float64 {
	if t == nil {
		return squaredNorms(c)
	}
	_, k := t.Dims()
	var rest mat.Dense
	rest.Mul(t, m.directions.Slice(0, len(m.mean), 0, k).T())
	rest.Sub(c, &rest)
	return squaredNorms(&rest)
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
	c, err := m.centredRows("z", z)
	if err != nil {
		return nil, err
	}
	t := m.project(c, m.q)
	return checkDensities(m.density(t, m.away(c, t), m.dim))
}

// HeldOutLogLikelihood returns the sum of LogDensity over the rows of z, which were not used in
// the fit.
func (m *Model) HeldOutLogLikelihood(z mat.Matrix) (float64, error) {
	d, err := m.LogDensity(z)
	return sum(d), err
}
