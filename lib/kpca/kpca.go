// Package kpca is kernel principal component analysis, and the way back from feature space to
// the space of the data (pre-images).
//
//	model, err := kpca.Fit(ctx, x, kernel.RBF{LengthScale: 2}, kpca.Config{Latent: 3})
//	t, err := model.Transform(ctx, z)            // M×q scores of new rows
//	rows, _, err := model.Rows(ctx, z)           // M×N centred kernel rows
//	points, err := model.FeaturePoints(rows)     // their projections on the q axes
//	smoother, err := kpca.NewSmoother(x, kpca.SmootherConfig{Nearest: 10})
//	images, err := smoother.PreImages(ctx, points)
//
// # The model
//
// With K the N×N Gram matrix of the training rows and K_c = J K J, J = I − 11ᵀ/N, the model is
// the leading eigenpairs K_c ε_p = λ_p ε_p, λ descending, ε of unit length. In feature space the
// axis p is v_p = Φ_c ε_p/√λ_p, with Φ_c the centred features, and a point with centred kernel
// row k_c has
//
//	score           t_p = v_p·(φ − φ_c) = ε_p·k_c / √λ_p
//	reconstruction  k_c ↦ E_q E_qᵀ k_c
//
// Eigenvalues are those of K_c, not divided by N: λ_p/N is a variance. The sign of an axis makes
// the entry of largest magnitude of ε_p positive. An eigenvalue that is zero in floating point
// (at most Config.RankTolerance·λ₁) is reported as 0, and its scores are 0. An uncentred model
// uses K and kernel rows as they are.
//
// Kernel PCA is the limit σ² → 0 of dual probabilistic PCA with q fixed (De Plaen & Suykens
// 2023), whose notation this package follows; for the method itself see Schölkopf, Smola &
// Müller, "Nonlinear component analysis as a kernel eigenvalue problem" (1998).
//
// # Training rows are rows like others
//
// There is no separate formula for training rows: Transform of the training data is the product
// of K_c with E_q Λ_q^−½, as for new data, so scores of a training row and of an equal new row
// have the same bits for kernels that package gram evaluates in blocks.
//
// # Pre-images
//
// A feature point seldom is the image of an input. PreImage methods choose an input by different
// rules: Smoother and Barycentre average training rows, FixedPoint minimises the distance in
// feature space, Ridge learns the map from scores to inputs. Distances tells how far φ(x̂) is
// from the point, for any of them.
package kpca

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
)

// Errors that the functions of this package wrap, besides those of kernel, gram and eigen:
// unusable data give gram.ErrShape, gram.ErrNotFinite, gram.ErrNotSymmetric and gram.ErrNotPSD,
// a bad kernel kernel.ErrParameter or kernel.ErrDomain.
var (
	// ErrConfig reports a setting out of range.
	ErrConfig = errors.New("kpca: invalid config")
	// ErrNoVariance reports rows that are all equal in feature space, or a single row.
	ErrNoVariance = errors.New("kpca: no variance")
	// ErrNoKernel reports a call that needs kernel and training rows, of a model from FitGram.
	ErrNoKernel = errors.New("kpca: the model has no kernel")
	// ErrDenominator reports weights that sum to nearly nothing.
	ErrDenominator = errors.New("kpca: weights cancel")
	// ErrFormat reports a saved model that cannot be read.
	ErrFormat = errors.New("kpca: unreadable model")
)

// A Model is a fitted model. It does not change after Fit and is safe for concurrent use.
type Model struct {
	n         int
	centred   bool
	values    []float64  // λ_1 … λ_q
	vectors   *mat.Dense // E_q, N×q
	spectrum  []float64  // all values computed, at least values
	trace     float64
	tolerance float64 // λ at most tolerance·λ₁ counts as zero
	converged bool
	warnings  []error

	centering gram.Centering // m and M; zero if uncentred
	offsets   []float64      // b_p = (1/N) 1ᵀK ε_p/√λ_p, 0 if uncentred

	kernel kernel.Kernel // nil for FitGram
	x      *mat.Dense    // training rows, N×d; nil for FitGram
}

// Observations returns N.
func (m *Model) Observations() int { return m.n }

// Latent returns q, the number of axes.
func (m *Model) Latent() int { return len(m.values) }

// Centred reports whether features are measured from their mean.
func (m *Model) Centred() bool { return m.centred }

// Eigenvalues returns a copy of λ_1 … λ_q, descending, eigenvalues of K_c (not divided by N).
func (m *Model) Eigenvalues() []float64 { return slices.Clone(m.values) }

// Eigenvectors returns a copy of E_q, the N×q matrix of unit eigenvectors of K_c.
func (m *Model) Eigenvectors() *mat.Dense { return mat.DenseCopyOf(m.vectors) }

// Spectrum returns a copy of the eigenvalues that were computed, descending: all N if Complete,
// otherwise q+1 or so. Values that count as zero are 0.
func (m *Model) Spectrum() []float64 { return slices.Clone(m.spectrum) }

// Complete reports whether Spectrum has all N eigenvalues.
func (m *Model) Complete() bool { return len(m.spectrum) == m.n }

// Rank returns the number of eigenvalues above RankTolerance·λ₁ among those of Spectrum: the
// numerical rank of K_c if Complete, otherwise a lower bound.
func (m *Model) Rank() int {
	rank := 0
	for _, v := range m.spectrum {
		if v > 0 {
			rank++
		}
	}
	return rank
}

// RankTolerance returns the relative threshold below which an eigenvalue counts as zero.
func (m *Model) RankTolerance() float64 { return m.tolerance }

// Trace returns the trace of K_c, the sum of all N eigenvalues, from the diagonal.
func (m *Model) Trace() float64 { return m.trace }

// ExplainedRatios returns λ_p/trace K_c for each axis: the share of the variance in feature
// space.
func (m *Model) ExplainedRatios() []float64 {
	ratios := m.Eigenvalues()
	for p := range ratios {
		ratios[p] /= m.trace
	}
	return ratios
}

// ExplainedRatio returns the share of the variance on the q axes, at most 1.
func (m *Model) ExplainedRatio() float64 {
	sum := 0.0
	for _, v := range m.values {
		sum += v
	}
	return min(1, sum/m.trace)
}

// Converged reports whether the eigensolver reached its tolerance.
func (m *Model) Converged() bool { return m.converged }

// Warnings returns what deserves a look: equal eigenvalues at the cut, axes without variance, a
// solver that did not converge.
func (m *Model) Warnings() []error { return slices.Clone(m.warnings) }

// Kernel returns the kernel, nil for a model from FitGram.
func (m *Model) Kernel() kernel.Kernel { return m.kernel }

// TrainingRows returns a copy of the N×d training data, nil for a model from FitGram.
func (m *Model) TrainingRows() *mat.Dense {
	if m.x == nil {
		return nil
	}
	return mat.DenseCopyOf(m.x)
}

// String returns a summary in one line.
func (m *Model) String() string {
	name := "precomputed"
	if m.kernel != nil {
		name = m.kernel.String()
	}
	form := ""
	if !m.centred {
		form = ", uncentred"
	}
	return fmt.Sprintf("kpca.Model(%s%s, N=%d, q=%d, explained %.4g)", name, form, m.n, len(m.values), m.ExplainedRatio())
}
