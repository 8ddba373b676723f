package kpca

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
)

// Config holds the settings of a fit. The zero value keeps every axis with variance.
type Config struct {
	// Latent is q, the number of axes; 0 means the numerical rank, which takes a full
	// decomposition.
	Latent int

	Uncentred bool // measure features from the origin instead of their mean
	Full      bool // compute all N eigenvalues, also where only q are needed

	// RankTolerance is the eigenvalue, relative to λ₁, up to which one counts as zero; 0 means
	// N·2⁻⁵².
	RankTolerance float64

	// Src draws the start vectors of the eigensolver. Nil means rand.NewPCG(1, 1), so that
	// equal calls give equal results, whatever GOMAXPROCS is.
	Src rand.Source

	// Progress, if not nil, is told of the eigensolver's progress on the goroutine that called
	// Fit. Returning false stops early, which is not an error: see Model.Converged.
	Progress func(eigen.Step) bool
}

const (
	// fullLimit is the largest N that is decomposed in full without being asked to.
	fullLimit = 300
	// negativeLimit is the negative eigenvalue, relative to the largest magnitude, from which a
	// matrix is refused as indefinite. Smaller ones count as zero.
	negativeLimit = 1e-8
	// equalLimit is the gap at the cut, relative to λ₁, below which two eigenvalues count as
	// equal: ten times the residual of the eigensolver.
	equalLimit = 1e-9
	epsilon    = 0x1p-52
)

// Fit returns kernel PCA of x, an N×d matrix whose rows are observations, under k. The linear
// kernel is centred before the product, so that an offset of the data costs no digits. Up to N =
// 300 all eigenpairs are computed, above that the q+1 leading ones, by Lanczos, unless cfg.Full
// is set or q is a large part of N.
//
// Errors wrap ErrConfig if Latent is out of range, and name the range: at most the rank of K_c,
// structural where the kernel tells it (gram.StructuralRank), numerical otherwise; ErrNoVariance
// if all rows have one image (also for N = 1); gram.ErrNotPSD if an eigenvalue is below −1e-8 of
// the largest magnitude; those of gram.ComputeCentered for unusable data; and ctx.Err() after
// cancellation. x is neither modified nor retained.
func Fit(ctx context.Context, x mat.Matrix, k kernel.Kernel, cfg Config) (*Model, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	var kc *mat.SymDense
	var centering gram.Centering
	var err error
	if cfg.Uncentred {
		kc, err = gram.Compute(ctx, k, x)
	} else {
		kc, centering, err = gram.ComputeCentered(ctx, k, x)
	}
	if err != nil {
		return nil, err
	}
	largest, err := largestDiagonal(k, x)
	if err != nil {
		return nil, err
	}
	if isLinear(k) { // centred before the product: an offset leaves no rounding
		largest = 0
	}
	structural, known := gram.StructuralRank(k, x, !cfg.Uncentred)
	if !known {
		structural = 0
	}
	m := &Model{kernel: k, x: mat.DenseCopyOf(x), centering: centering}
	if err := m.fit(ctx, kc, largest, structural, kernel.PositiveSemidefinite(k), cfg); err != nil {
		return nil, err
	}
	return m, nil
}

// FitGram returns kernel PCA of the Gram matrix k, N×N, symmetric to 1e-8 of its largest entry.
// The model has no kernel and no training rows: TransformRows and CentreRows take kernel rows,
// and Transform and Rows return ErrNoKernel. Errors are as for Fit, and wrap gram.ErrNotSymmetric
// and gram.ErrShape. k is neither modified nor retained.
func FitGram(ctx context.Context, k mat.Matrix, cfg Config) (*Model, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	kc, err := gram.Precomputed(k)
	if err != nil {
		return nil, err
	}
	largest := largestEntry(kc)
	m := &Model{}
	if !cfg.Uncentred {
		m.centering = gram.Center(kc)
	}
	if err := m.fit(ctx, kc, largest, 0, false, cfg); err != nil {
		return nil, err
	}
	return m, nil
}

// check refuses settings that are wrong whatever the data are.
func (cfg Config) check() error {
	if cfg.Latent < 0 {
		return fmt.Errorf("%w: Latent is %d, want 1 to the rank, or 0 for the rank", ErrConfig, cfg.Latent)
	}
	if !(cfg.RankTolerance >= 0 && cfg.RankTolerance < 1) {
		return fmt.Errorf("%w: RankTolerance is %v, want 0 (for N·2⁻⁵²) to below 1", ErrConfig, cfg.RankTolerance)
	}
	return nil
}

// traceLimit bounds the trace, sums of which with eigenvalues must not overflow.
const traceLimit = 1e300

// fit decomposes kc, centred or not as cfg says. largest is the largest entry of K before
// centring, structural the rank of kc if it is known, else 0, and psd whether kc must be positive
// semi-definite.
func (m *Model) fit(ctx context.Context, kc *mat.SymDense, largest float64, structural int, psd bool, cfg Config) error {
	m.n = kc.SymmetricDim()
	m.centred = !cfg.Uncentred
	for i := range m.n {
		m.trace += kc.At(i, i)
	}
	if !(math.Abs(m.trace) <= traceLimit) {
		return fmt.Errorf("%w: the trace of the Gram matrix is %.3g, want at most %g; scale the data or the kernel",
			gram.ErrNotFinite, m.trace, traceLimit)
	}
	spread := largestOnDiagonal(kc)
	if !psd {
		spread = largestEntry(kc)
	}
	if spread == 0 || spread <= 16*epsilon*largest {
		return fmt.Errorf("%w: the %d rows have one image in feature space (entries of the centred Gram matrix are at most %.3g)",
			ErrNoVariance, m.n, spread)
	}
	m.tolerance = cfg.RankTolerance
	if m.tolerance == 0 {
		m.tolerance = float64(m.n) * epsilon
	}
	limit := m.n
	if m.centred {
		limit--
	}
	if structural > 0 {
		limit = min(limit, structural)
	}
	if cfg.Latent > limit {
		return fmt.Errorf("%w: Latent is %d, want 1 to %d, the largest possible rank of the Gram matrix of %d rows",
			ErrConfig, cfg.Latent, limit, m.n)
	}

	pairs, err := m.decompose(ctx, kc, psd, cfg)
	if err != nil {
		return err
	}
	m.converged = pairs.Converged
	m.spectrum = m.clip(pairs.Values)
	if m.spectrum[0] == 0 || m.trace <= 0 {
		return fmt.Errorf("%w: trace %.3g, largest eigenvalue %.3g", ErrNoVariance, m.trace, pairs.Values[0])
	}
	q := cfg.Latent
	rank := m.Rank()
	if q == 0 {
		q = min(rank, limit)
	}
	if q > rank && structural == 0 {
		return fmt.Errorf("%w: Latent is %d, want 1 to %d, the number of eigenvalues above %.3g·λ₁ (λ₁ = %.6g)",
			ErrConfig, q, rank, m.tolerance, m.spectrum[0])
	}
	m.values = slices.Clone(m.spectrum[:q])
	m.vectors = mat.DenseCopyOf(pairs.Vectors.Slice(0, m.n, 0, q))
	m.setOffsets()
	m.warn(rank)
	return nil
}

// decompose returns all eigenpairs of kc or the q+1 leading ones, and refuses indefinite
// matrices.
func (m *Model) decompose(ctx context.Context, kc *mat.SymDense, psd bool, cfg Config) (*eigen.Pairs, error) {
	if m.n <= fullLimit || cfg.Full || cfg.Latent == 0 || cfg.Latent > m.n/3 {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("kpca: not decomposed: %w", err)
		}
		pairs, err := eigen.Symmetric(kc)
		if err != nil {
			return nil, err
		}
		return pairs, checkPSD(pairs.Values[m.n-1], pairs.Values[0])
	}
	op := eigen.Dense(kc)
	pairs, err := eigen.Leading(ctx, op, cfg.Latent+1, eigen.Config{Src: cfg.Src, Progress: cfg.Progress})
	if err != nil {
		return nil, err
	}
	if len(pairs.Values) <= cfg.Latent {
		return nil, fmt.Errorf("%w: stopped after %d products, before there were %d eigenpairs", ErrConfig, pairs.Products, cfg.Latent)
	}
	if psd {
		return pairs, nil
	}
	negative := eigen.Func{N: m.n, F: func(dst, x []float64) {
		op.Apply(dst, x)
		for i := range dst {
			dst[i] = -dst[i]
		}
	}}
	lowest, err := eigen.Leading(ctx, negative, 1, eigen.Config{Tol: negativeLimit / 10, Src: cfg.Src})
	if err != nil {
		return nil, err
	}
	return pairs, checkPSD(-lowest.Values[0], pairs.Values[0])
}

// checkPSD refuses a spectrum that reaches too far below zero.
func checkPSD(lowest, highest float64) error {
	scale := math.Max(math.Abs(lowest), math.Abs(highest))
	if lowest < -negativeLimit*scale {
		return fmt.Errorf("%w: smallest eigenvalue %.6g beside a largest of %.6g, want at least %.3g",
			gram.ErrNotPSD, lowest, highest, -negativeLimit*scale)
	}
	return nil
}

// clip returns values with all that is at most tolerance·λ₁ replaced by 0.
func (m *Model) clip(values []float64) []float64 {
	clipped := slices.Clone(values)
	for p, v := range clipped {
		if v <= m.tolerance*values[0] {
			clipped[p] = 0
		}
	}
	return clipped
}

// setOffsets computes b_p = m·ε_p/√λ_p, the coordinates of the mean feature.
func (m *Model) setOffsets() {
	m.offsets = make([]float64, len(m.values))
	if !m.centred {
		return
	}
	for p, v := range m.values {
		if v == 0 {
			continue
		}
		sum := 0.0
		for i, mean := range m.centering.RowMeans {
			sum += mean * m.vectors.At(i, p)
		}
		m.offsets[p] = sum / math.Sqrt(v)
	}
}

// warn collects the warnings.
func (m *Model) warn(rank int) {
	q := len(m.values)
	if !m.converged {
		m.warnings = append(m.warnings, fmt.Errorf("kpca: the eigensolver did not converge"))
	}
	if q > rank {
		m.warnings = append(m.warnings, fmt.Errorf("kpca: axes %d to %d have no variance in floating point (at most %.3g·λ₁), their scores are 0",
			rank+1, q, m.tolerance))
	} else if q < len(m.spectrum) && m.values[q-1]-m.spectrum[q] <= equalLimit*m.values[0] {
		m.warnings = append(m.warnings, fmt.Errorf("kpca: eigenvalues %d and %d are equal (%.9g): the last axes, and the subspace, are not unique",
			q, q+1, m.values[q-1]))
	}
}

// largestOnDiagonal returns the largest magnitude on the diagonal of s, which is the largest entry
// if s is positive semi-definite.
func largestOnDiagonal(s *mat.SymDense) float64 {
	largest := 0.0
	for i := range s.SymmetricDim() {
		largest = max(largest, math.Abs(s.At(i, i)))
	}
	return largest
}

// largestEntry returns the largest magnitude in s.
func largestEntry(s *mat.SymDense) float64 {
	raw := s.RawSymmetric()
	largest := 0.0
	for i := range raw.N {
		for _, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N] {
			largest = max(largest, math.Abs(v))
		}
	}
	return largest
}

// largestDiagonal returns the largest k(xᵢ, xᵢ).
func largestDiagonal(k kernel.Kernel, x mat.Matrix) (float64, error) {
	diagonal, err := gram.Diagonal(k, x)
	if err != nil {
		return 0, err
	}
	largest := 0.0
	for _, v := range diagonal {
		largest = max(largest, math.Abs(v))
	}
	return largest, nil
}

// isLinear reports whether k is a multiple of the linear kernel.
func isLinear(k kernel.Kernel) bool {
	switch k := k.(type) {
	case kernel.Linear:
		return true
	case kernel.Scaled:
		return isLinear(k.Kernel)
	}
	return false
}
