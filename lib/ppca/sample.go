package ppca

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
)

// A Root says which square root of a covariance is meant: B with B Bᵀ = S.
type Root int

const (
	// Canonical is B = E diag(s), not symmetric.
	Canonical Root = iota
	// SymmetricRoot is B = E diag(s) Eᵀ, symmetric and positive semi-definite.
	SymmetricRoot
)

// SpreadFactors returns the standard deviations s_p of k_c along the ε_p, descending in each part:
// λ_p/√N for p ≤ q and σ√λ_p for q < p ≤ NumericalRank. The error wraps ErrPartial if not all
// eigenpairs were computed.
func (m *DualModel) SpreadFactors() ([]float64, error) {
	if err := m.needAll("the law of k_c"); err != nil {
		return nil, err
	}
	return m.spread(), nil
}

func (m *DualModel) spread() []float64 {
	s := make([]float64, m.pairs())
	for p := range s {
		if p < m.q {
			s[p] = m.values[p] / math.Sqrt(float64(m.n))
		} else {
			s[p] = math.Sqrt(m.sigma2 * m.values[p])
		}
	}
	return s
}

// spreadGiven returns the factors σ√λ_p of the law of k_c given the latent.
func (m *DualModel) spreadGiven() []float64 {
	s := powers(m.values[:m.pairs()], 0.5)
	for p := range s {
		s[p] *= math.Sqrt(m.sigma2)
	}
	return s
}

// Covariance returns the N×N covariance of k_c (eq. 18),
//
//	S_k = K_c A Aᵀ K_c + σ² K_c = Σ_{p≤q} λ_p²/N ε_p ε_pᵀ + Σ_{q<p≤r} σ² λ_p ε_p ε_pᵀ
//
// (the paper prints that of the coefficients K_c⁺k_c). The error wraps ErrPartial.
func (m *DualModel) Covariance() (*mat.SymDense, error) {
	s, err := m.SpreadFactors()
	if err != nil {
		return nil, err
	}
	return m.outer(s), nil
}

// CovarianceGiven returns σ² K_c, the N×N covariance of k_c given the latent (eq. 14). The error
// wraps ErrPartial.
func (m *DualModel) CovarianceGiven() (*mat.SymDense, error) {
	if err := m.needAll("the covariance of k_c"); err != nil {
		return nil, err
	}
	return m.outer(m.spreadGiven()), nil
}

// SquareRoot returns an N×N matrix B with B Bᵀ = Covariance. The error wraps ErrPartial, or
// ErrConfig for an unknown kind.
func (m *DualModel) SquareRoot(kind Root) (*mat.Dense, error) {
	s, err := m.SpreadFactors()
	if err != nil {
		return nil, err
	}
	return m.root(kind, s)
}

// SquareRootGiven returns an N×N matrix B with B Bᵀ = CovarianceGiven. Errors are those of
// SquareRoot.
func (m *DualModel) SquareRootGiven(kind Root) (*mat.Dense, error) {
	if err := m.needAll("the covariance of k_c"); err != nil {
		return nil, err
	}
	return m.root(kind, m.spreadGiven())
}

// scaled returns E diag(s), N×pairs.
func (m *DualModel) scaled(s []float64) *mat.Dense {
	b := mat.DenseCopyOf(m.vectors)
	scaleColumns(b, s)
	return b
}

func (m *DualModel) outer(s []float64) *mat.SymDense {
	var c mat.SymDense
	c.SymOuterK(1, m.scaled(s))
	return &c
}

func (m *DualModel) root(kind Root, s []float64) (*mat.Dense, error) {
	switch kind {
	case Canonical:
		b := mat.NewDense(m.n, m.n, nil)
		b.Slice(0, m.n, 0, len(s)).(*mat.Dense).Copy(m.scaled(s))
		return b, nil
	case SymmetricRoot:
		roots := make([]float64, len(s))
		for p, v := range s {
			roots[p] = math.Sqrt(v)
		}
		return mat.DenseCopyOf(m.outer(roots)), nil
	}
	return nil, fmt.Errorf("%w: root is %d, want Canonical or SymmetricRoot", ErrConfig, kind)
}

// Sample draws n centred kernel rows from N(0, S_k), an n×N matrix: E (s∘z) with one normal
// number for each of the r axes. Training rows that are equal have equal entries. A nil src is
// rand.NewPCG(1, 1). The error wraps gram.ErrShape if n < 1, and ErrPartial if not all eigenpairs
// were computed; SampleLeading does without.
func (m *DualModel) Sample(n int, src rand.Source) (*mat.Dense, error) {
	if err := checkCount(n); err != nil {
		return nil, err
	}
	s, err := m.SpreadFactors()
	if err != nil {
		return nil, err
	}
	return m.draw(n, s, generator(src)), nil
}

// SampleGiven draws one centred kernel row from N(K_c A h, σ² K_c) for each row of h (M×q), an
// M×N matrix (eq. 14). A nil src is rand.NewPCG(1, 1). The error wraps ErrPartial, gram.ErrShape
// and gram.ErrNotFinite.
func (m *DualModel) SampleGiven(h mat.Matrix, src rand.Source) (*mat.Dense, error) {
	if err := m.needAll("a sample of k_c"); err != nil {
		return nil, err
	}
	mean, err := m.RowsGiven(h)
	if err != nil {
		return nil, err
	}
	rows, _ := mean.Dims()
	mean.Add(mean, m.draw(rows, m.spreadGiven(), generator(src)))
	return mean, nil
}

// draw returns n rows E (s∘z).
func (m *DualModel) draw(n int, s []float64, rng *rand.Rand) *mat.Dense {
	var k mat.Dense
	k.Mul(normals(n, len(s), rng), m.scaled(s).T())
	return &k
}

// SampleLeading draws n centred kernel rows from N(0, S_k), an n×N matrix, from the q leading
// pairs only:
//
//	k_c = E_q (√(λ_p²/N − σ²λ_p) ∘ z) + σ F g,   F Fᵀ = K_c
//
// F is the centred data for a linear kernel; otherwise J L with L Lᵀ the Cholesky factorisation
// of K, or of K plus the returned jitter on the diagonal, the smallest that works of 0 and
// 10⁻¹⁴…10⁻⁸ times its mean diagonal. That is computed again, N²·d + N³/3 operations and N²
// numbers; for σ² = 0 there is no F. A nil src is rand.NewPCG(1, 1). The error wraps
// gram.ErrShape if n < 1, gram.ErrNotPSD if no jitter works, ErrNoKernel for a loaded model
// without kernel, and ctx.Err().
func (m *DualModel) SampleLeading(ctx context.Context, n int, src rand.Source) (rows *mat.Dense, jitter float64, err error) {
	if err := checkCount(n); err != nil {
		return nil, 0, err
	}
	rng := generator(src)
	rows = mat.NewDense(n, m.n, nil)
	if m.q > 0 {
		z := normals(n, m.q, rng)
		scaleColumns(z, m.gain())
		rows = m.expand(z)
	}
	if m.sigma2 == 0 {
		return rows, 0, nil
	}
	noise, jitter, err := m.noiseRows(ctx, n, rng)
	if err != nil {
		return nil, 0, err
	}
	noise.Scale(math.Sqrt(m.sigma2), noise)
	rows.Add(rows, noise)
	return rows, jitter, nil
}

// noiseRows draws n rows from N(0, K_c).
func (m *DualModel) noiseRows(ctx context.Context, n int, rng *rand.Rand) (*mat.Dense, float64, error) {
	if m.kernel == nil && m.all {
		return m.draw(n, powers(m.values[:m.pairs()], 0.5), rng), 0, nil
	}
	if factor, ok := linear(m.kernel); ok {
		x := mat.DenseCopyOf(m.x)
		_, d := x.Dims()
		prepare(x, !m.centred)
		var f mat.Dense
		f.Mul(normals(n, d, rng), x.T())
		f.Scale(math.Sqrt(factor), &f)
		return &f, 0, nil
	}
	k := m.gram
	if k == nil && m.kernel == nil {
		return nil, 0, fmt.Errorf("%w: the Gram matrix that noise needs was not saved", ErrNoKernel)
	}
	if k == nil {
		var err error
		if k, err = gram.Compute(ctx, m.kernel, m.x); err != nil {
			return nil, 0, err
		}
	}
	var chol mat.Cholesky
	jitter, err := factorize(ctx, &chol, k)
	if err != nil {
		return nil, 0, err
	}
	var l mat.TriDense
	chol.LTo(&l)
	var f mat.Dense
	f.Mul(normals(n, m.n, rng), l.T())
	if m.centred {
		for i := range n {
			row := f.RawRowView(i)
			mean := sum(row) / float64(m.n)
			for j := range row {
				row[j] -= mean
			}
		}
	}
	return &f, jitter, nil
}

// factorize sets chol to the factorisation of k plus the returned jitter on its diagonal.
func factorize(ctx context.Context, chol *mat.Cholesky, k *mat.SymDense) (float64, error) {
	n := k.SymmetricDim()
	mean := mat.Trace(k) / float64(n)
	var shifted *mat.SymDense
	for relative := 0.0; relative <= 2e-8; relative = math.Max(1e-14, relative*10) {
		if err := ctx.Err(); err != nil {
			return 0, fmt.Errorf("ppca: Cholesky factorisation with jitter %.1g: %w", relative, err)
		}
		jitter := relative * mean
		a := k
		if jitter > 0 {
			if shifted == nil {
				shifted = mat.NewSymDense(n, nil)
			}
			shifted.CopySym(k)
			for i := range n {
				shifted.SetSym(i, i, k.At(i, i)+jitter)
			}
			a = shifted
		}
		if chol.Factorize(a) {
			return jitter, nil
		}
	}
	return 0, fmt.Errorf("%w: no Cholesky factor of the %d×%d Gram matrix with jitter up to 1e-8 of its mean diagonal %.3g",
		gram.ErrNotPSD, n, n, mean)
}
