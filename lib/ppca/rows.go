package ppca

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
)

// Kernel returns the kernel, nil for a model from FitGram.
func (m *DualModel) Kernel() kernel.Kernel { return m.kernel }

// TrainingRows returns a copy of the N×d training data, nil for a model from FitGram.
func (m *DualModel) TrainingRows() *mat.Dense {
	if m.x == nil {
		return nil
	}
	return mat.DenseCopyOf(m.x)
}

// Centering returns a copy of the row means m and the grand mean M of the uncentred Gram matrix;
// RowMeans is nil for an uncentred model.
func (m *DualModel) Centering() gram.Centering {
	return gram.Centering{RowMeans: slices.Clone(m.centering.RowMeans), GrandMean: m.centering.GrandMean}
}

// Eigenvectors returns the unit eigenvectors ε_p of the (centred) Gram matrix that are at hand,
// in the columns of a matrix with N rows: NumericalRank of them. Nil if there are none.
func (m *DualModel) Eigenvectors() *mat.Dense {
	if m.vectors == nil {
		return nil
	}
	return mat.DenseCopyOf(m.vectors)
}

// String returns kernel, sizes and noise variance in one line.
func (m *DualModel) String() string {
	name := "precomputed"
	if m.kernel != nil {
		name = m.kernel.String()
	} else if m.missing > 0 {
		name = "expected kernel"
	}
	form := ""
	if !m.centred {
		form = ", uncentred"
	}
	return fmt.Sprintf("ppca.DualModel(%s%s, N=%d, q=%d, D=%d, σ²=%.4g)", name, form, m.n, m.q, m.dim, m.sigma2)
}

// Rows returns the kernel rows k_c of the new points z (M×d) against the training rows, an M×N
// matrix centred by the training means (as they are for an uncentred model), and the M squared
// norms k_c(z, z). The error wraps ErrNoKernel for a model from FitGram, and those of
// gram.CrossCentered for unusable data, gram.ErrShape for another width among them.
func (m *DualModel) Rows(ctx context.Context, z mat.Matrix) (kc *mat.Dense, kcSelf []float64, err error) {
	if m.kernel == nil {
		return nil, nil, fmt.Errorf("%w: use CentreRows for kernel rows", ErrNoKernel)
	}
	if _, err := checkedWidth("z", z, m.x.RawMatrix().Cols, "as the training rows have"); err != nil {
		return nil, nil, err
	}
	if m.centred {
		return gram.CrossCentered(ctx, m.kernel, z, m.x, m.centering)
	}
	kc, err = gram.Cross(ctx, m.kernel, z, m.x)
	if err != nil {
		return nil, nil, err
	}
	kcSelf, err = gram.Diagonal(m.kernel, z)
	if err != nil {
		return nil, nil, err
	}
	return kc, kcSelf, nil
}

// CentreRows returns the kernel rows k (M×N, values of new points against the training rows) as
// the model takes them: k_c[i] = k[i] − mean(k) − m_i + M, or a copy if it is uncentred. The
// error wraps gram.ErrShape and gram.ErrNotFinite.
func (m *DualModel) CentreRows(k mat.Matrix) (*mat.Dense, error) {
	rows, err := checkedWidth("k", k, m.n, "one for each training row")
	if err != nil {
		return nil, err
	}
	if m.centred {
		m.centering.Rows(rows)
	}
	return rows, nil
}

// SquaredNorms returns k_c(z, z) = k(z, z) − 2 mean(k) + M for new points with kernel rows k
// (M×N, not centred) and values self = k(z, z), length M. The error wraps gram.ErrShape and
// gram.ErrNotFinite.
func (m *DualModel) SquaredNorms(k mat.Matrix, self []float64) ([]float64, error) {
	rows, err := checkedWidth("k", k, m.n, "one for each training row")
	if err != nil {
		return nil, err
	}
	count, _ := rows.Dims()
	if err := checkLength("self", self, count); err != nil {
		return nil, err
	}
	out := slices.Clone(self)
	if m.centred {
		for i := range out {
			out[i] = m.centering.SquaredNorm(out[i], rows.RawRowView(i))
		}
	}
	return out, nil
}

// checkLength refuses values that are not count finite numbers.
func checkLength(name string, v []float64, count int) error {
	if len(v) != count {
		return fmt.Errorf("%w: %s has %d values, want %d, one for each row", gram.ErrShape, name, len(v), count)
	}
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%w: %s[%d] is %v, want finite numbers", gram.ErrNotFinite, name, i, x)
		}
	}
	return nil
}

// checkRows returns a copy of centred kernel rows.
func (m *DualModel) checkRows(kc mat.Matrix) (*mat.Dense, error) {
	return checkedWidth("kc", kc, m.n, "one for each training row")
}

// project returns τ_p = ε_p·k_c/√λ_p for the first k axes, M×k; nil if k is 0.
func (m *DualModel) project(kc *mat.Dense, k int) *mat.Dense {
	if k == 0 {
		return nil
	}
	var t mat.Dense
	t.Mul(kc, m.vectors.Slice(0, m.n, 0, k))
	scaleColumns(&t, powers(m.values[:k], -0.5))
	return &t
}

// expand returns the kernel rows Σ √λ_p t_p ε_p of points with scores t (M×k); t is changed.
func (m *DualModel) expand(t *mat.Dense) *mat.Dense {
	_, k := t.Dims()
	scaleColumns(t, powers(m.values[:k], 0.5))
	var rows mat.Dense
	rows.Mul(t, m.vectors.Slice(0, m.n, 0, k).T())
	return &rows
}

// powers returns v_p to the given power.
func powers(v []float64, power float64) []float64 {
	out := make([]float64, len(v))
	for p, x := range v {
		if power == 0.5 || power == -0.5 {
			x = math.Sqrt(x)
			if power < 0 {
				x = 1 / x
			}
			out[p] = x
			continue
		}
		out[p] = math.Pow(x, power)
	}
	return out
}
