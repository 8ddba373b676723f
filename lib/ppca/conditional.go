package ppca

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
)

// Conditional returns the law of the missing entries of one observation z (length d), marked by
// NaN, given the others. With o the observed entries, u the missing ones and M = W_oᵀW_o + σ²I, it
// is normal with
//
//	mean  μ_u + W_u M⁻¹ W_oᵀ (z_o − μ_o)
//	cov   σ² (I + W_u M⁻¹ W_uᵀ)
//
// missing has the indices u, ascending; all three are nil if no entry is missing. If all are, the
// law is that of the model.
//
// The error wraps gram.ErrShape, gram.ErrNotFinite for Inf, ErrSingular if σ² = 0, and ErrConfig
// if the noise does not fill the d dimensions (fit with Explicit(d), or FitMissing).
func (m *Model) Conditional(z []float64) (missing []int, mean []float64, cov *mat.SymDense, err error) {
	law, err := m.law()
	if err != nil {
		return nil, nil, nil, err
	}
	if len(z) != len(m.mean) {
		return nil, nil, nil, fmt.Errorf("%w: z has %d entries, want %d", gram.ErrShape, len(z), len(m.mean))
	}
	for j, v := range z {
		if math.IsInf(v, 0) {
			return nil, nil, nil, fmt.Errorf("%w: z[%d] is %v, want finite numbers, or NaN where missing", gram.ErrNotFinite, j, v)
		}
	}
	row, err := law.of(z)
	if err != nil || row.missing == nil {
		return nil, nil, nil, err
	}
	for _, j := range row.missing {
		mean = append(mean, row.mean[j])
	}
	return row.missing, mean, row.cov, nil
}

// A law is a normal law N(μ, WWᵀ + σ²I).
type law struct {
	mean   []float64
	w      *mat.Dense // d×q
	sigma2 float64
}

// uncertain is a row of which some entries are known by their law only.
type uncertain struct {
	mean    []float64     // length d, the observed entries and the means of the missing ones
	missing []int         // ascending
	cov     *mat.SymDense // of the missing entries; nil if there are none
}

func (m *Model) law() (*law, error) {
	if err := m.singular(); err != nil {
		return nil, err
	}
	if d := len(m.mean); m.dim < d {
		return nil, fmt.Errorf("%w: the noise dimension is %d, want at least the %d columns", ErrConfig, m.dim, d)
	}
	return &law{mean: m.mean, w: m.Loadings(), sigma2: m.sigma2}, nil
}

// of returns z with its missing entries, marked by NaN, replaced by their law.
func (l *law) of(z []float64) (*uncertain, error) {
	out := &uncertain{mean: make([]float64, len(z))}
	var observed []int
	for j, v := range z {
		if math.IsNaN(v) {
			out.missing = append(out.missing, j)
			v = l.mean[j]
		} else {
			observed = append(observed, j)
		}
		out.mean[j] = v
	}
	u := len(out.missing)
	if u == 0 {
		return out, nil
	}
	out.cov = mat.NewSymDense(u, nil)
	if l.w != nil {
		_, q := l.w.Dims()
		inner, b := mat.NewSymDense(q, nil), mat.NewVecDense(q, nil)
		for _, j := range observed {
			inner.SymRankOne(inner, 1, l.w.RowView(j))
			b.AddScaledVec(b, z[j]-l.mean[j], l.w.RowView(j))
		}
		for p := range q {
			inner.SetSym(p, p, inner.At(p, p)+l.sigma2)
		}
		var chol mat.Cholesky
		if !chol.Factorize(inner) {
			return nil, fmt.Errorf("%w: W_oᵀW_o + σ²I is not positive definite, σ² = %.3g", ErrDiverged, l.sigma2)
		}
		wu := mat.NewDense(u, q, nil)
		for a, j := range out.missing {
			wu.SetRow(a, l.w.RawRowView(j))
		}
		// M is positive definite, so solving cannot fail; a large condition number is no error here.
		var h mat.VecDense
		_ = chol.SolveVecTo(&h, b)
		var s mat.Dense
		_ = chol.SolveTo(&s, wu.T())
		s.Scale(l.sigma2, &s)
		out.cov = product(mat.DenseCopyOf(wu.T()), &s)
		for a, j := range out.missing {
			out.mean[j] += mat.Dot(wu.RowView(a), &h)
		}
	}
	for a := range u {
		out.cov.SetSym(a, a, out.cov.At(a, a)+l.sigma2)
	}
	return out, nil
}
