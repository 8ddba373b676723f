package kpca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
)

// Rows returns the kernel rows of the new points z (M×d) against the training rows, centred by
// the training means unless the model is uncentred: an M×N matrix, and the M squared norms
// k_c(z, z) in feature space. The error wraps ErrNoKernel for a model from FitGram, and those of
// gram.CrossCentered for unusable data.
func (m *Model) Rows(ctx context.Context, z mat.Matrix) (*mat.Dense, []float64, error) {
	if m.kernel == nil {
		return nil, nil, fmt.Errorf("%w: use CentreRows for kernel rows", ErrNoKernel)
	}
	if m.centred {
		return gram.CrossCentered(ctx, m.kernel, z, m.x, m.centering)
	}
	rows, err := gram.Cross(ctx, m.kernel, z, m.x)
	if err != nil {
		return nil, nil, err
	}
	norms, err := gram.Diagonal(m.kernel, z)
	return rows, norms, err
}

// CentreRows returns the rows of k (M×N, kernel values of new points against the training rows)
// as the model sees them: k_c[i] = k[i] − mean(k) − m_i + M, or a copy if it is uncentred. The
// error wraps gram.ErrShape if k has not N columns and gram.ErrNotFinite. k is not modified.
func (m *Model) CentreRows(k mat.Matrix) (*mat.Dense, error) {
	rows, err := m.checked("k", k, m.n)
	if err != nil {
		return nil, err
	}
	if m.centred {
		m.centering.Rows(rows)
	}
	return rows, nil
}

// Transform returns the scores of the new points z (M×d), an M×q matrix: TransformRows of Rows.
// Errors are those of Rows.
func (m *Model) Transform(ctx context.Context, z mat.Matrix) (*mat.Dense, error) {
	rows, _, err := m.Rows(ctx, z)
	if err != nil {
		return nil, err
	}
	return m.TransformRows(rows)
}

// TransformRows returns the scores t_p = ε_p·k_c/√λ_p of centred kernel rows kc (M×N), an M×q
// matrix. Axes with λ_p = 0 have score 0. The error wraps gram.ErrShape and gram.ErrNotFinite.
func (m *Model) TransformRows(kc mat.Matrix) (*mat.Dense, error) {
	rows, err := m.checked("kc", kc, m.n)
	if err != nil {
		return nil, err
	}
	return m.project(rows), nil
}

// project returns the scores of checked rows.
func (m *Model) project(rows *mat.Dense) *mat.Dense {
	var t mat.Dense
	t.Mul(rows, m.vectors)
	m.scale(&t, -0.5)
	return &t
}

// scale multiplies column p of t by λ_p to the given power, or 0 if λ_p is 0.
func (m *Model) scale(t *mat.Dense, power float64) {
	factors := make([]float64, len(m.values))
	for p, v := range m.values {
		if v > 0 {
			factors[p] = math.Pow(v, power)
		}
	}
	r, _ := t.Dims()
	for i := range r {
		row := t.RawRowView(i)
		for p := range row {
			row[p] *= factors[p]
		}
	}
}

// Reconstruct returns E_q E_qᵀ k_c for each centred kernel row of kc (M×N): the row of the point
// projected on the q axes. Errors are those of TransformRows.
func (m *Model) Reconstruct(kc mat.Matrix) (*mat.Dense, error) {
	t, err := m.TransformRows(kc)
	if err != nil {
		return nil, err
	}
	return m.rowsOf(t), nil
}

// rowsOf returns the centred kernel rows Σ √λ_p t_p ε_p of points on the q axes.
func (m *Model) rowsOf(scores *mat.Dense) *mat.Dense {
	scaled := mat.DenseCopyOf(scores)
	m.scale(scaled, 0.5)
	var rows mat.Dense
	rows.Mul(scaled, m.vectors.T())
	return &rows
}

// FeaturePoints returns the projections on the q axes of the points with centred kernel rows kc
// (M×N), in the form that pre-image methods take. With scores t,
//
//	c = 1/N + Σ_p t_p ε_p/√λ_p                  coefficients, summing to 1
//	K c = m + Σ_p (√λ_p t_p ε_p + b_p t_p)      kernel row, not centred
//
// where b_p = (1/N) 1ᵀK ε_p/√λ_p; an uncentred model has neither 1/N nor m and b. Rows that lie
// in the span of the axes already, as those of Reconstruct, are represented exactly. Errors are
// those of TransformRows.
func (m *Model) FeaturePoints(kc *mat.Dense) (gram.FeaturePoints, error) {
	if kc == nil {
		return gram.FeaturePoints{}, fmt.Errorf("%w: kc is nil", gram.ErrShape)
	}
	t, err := m.TransformRows(kc)
	if err != nil {
		return gram.FeaturePoints{}, err
	}
	return m.points(t), nil
}

// FromScores returns the feature points with the scores t (M×q), for walks along the axes.
// Scores on an axis with λ_p = 0 count as 0. The error wraps gram.ErrShape if t has not q columns
// and gram.ErrNotFinite.
func (m *Model) FromScores(t mat.Matrix) (gram.FeaturePoints, error) {
	scores, err := m.checked("t", t, len(m.values))
	if err != nil {
		return gram.FeaturePoints{}, err
	}
	m.scale(scores, 0)
	return m.points(scores), nil
}

func (m *Model) points(t *mat.Dense) gram.FeaturePoints {
	scaled := mat.DenseCopyOf(t)
	m.scale(scaled, -0.5)
	var c mat.Dense
	c.Mul(scaled, m.vectors.T())
	k := m.rowsOf(t)
	if m.centred {
		r, _ := t.Dims()
		for i := range r {
			shift := 0.0
			for p, b := range m.offsets {
				shift += b * t.At(i, p)
			}
			coefficients, row := c.RawRowView(i), k.RawRowView(i)
			for j, mean := range m.centering.RowMeans {
				coefficients[j] += 1 / float64(m.n)
				row[j] += mean + shift
			}
		}
	}
	return gram.FeaturePoints{Coefficients: &c, Kernel: k, Scores: t}
}

// checked returns a copy of a, which must have the given number of columns and be finite.
func (m *Model) checked(name string, a mat.Matrix, columns int) (*mat.Dense, error) {
	d, err := finiteCopy(name, a)
	if err != nil {
		return nil, err
	}
	if r, c := d.Dims(); c != columns {
		return nil, fmt.Errorf("%w: %s is %d×%d, want %d columns (%d training rows, %d axes)",
			gram.ErrShape, name, r, c, columns, m.n, len(m.values))
	}
	return d, nil
}
