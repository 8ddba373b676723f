// Package asymptotic measures how near the Gaussian kernel's feature space is to Euclidean space.
// As the bandwidth grows, kernel PCA with the Gaussian kernel becomes linear PCA, with an error of
// order (ρ/σ)², and one number of the data, the eccentricity
//
//	ρ = diameter / median distance,
//
// tells from which bandwidth on the kernel is "just linear".
//
//	rho, err := asymptotic.Eccentricity(ctx, x)        // 5.0 for wine
//	a, err := asymptotic.New(ctx, x, asymptotic.Config{})
//	c, err := a.Compare(ctx, 16)                       // Gaussian against linear at σ = 16
//	fmt.Println(c.MetricDissonance(), c.EigenvalueDiscrepancy())
//	t, err := asymptotic.Run(ctx, x, asymptotic.ProtocolConfig{}) // curves and onsets
//
// # Notation
//
// X is N×d with one observation per row, dᵢⱼ the Euclidean distance of rows i and j, d_X their
// median, σ the standardised bandwidth and σ_X = d_X σ the bandwidth in units of the data. The
// Gaussian Gram matrix has entries exp(−uᵢⱼ), uᵢⱼ = dᵢⱼ²/(2σ_X²); J = I − 11ᵀ/N centres. λₖ, vₖ are
// the eigenpairs of J K_G J, and λ′ₖ = σ_X² λₖ; μₖ, wₖ are those of J X Xᵀ J, r of them not zero. By
// default d_X is the median over all N² entries of the distance matrix, the N zeros of its diagonal
// included: only that gives the published eccentricities. Config.Median has the other conventions.
//
// # Accuracy
//
// Every measure keeps about 14 digits at any bandwidth, because the small signal is never a
// difference of numbers near one. With φ₂(u) = e⁻ᵘ − 1 + u,
//
//	Δ = σ_X² J K_G J − J X Xᵀ J = σ_X² J φ₂(u) J
//
// is computed from φ₂ directly, and with it, exactly,
//
//	λ′ₖ − μₖ = vₖ·Δwₖ / vₖ·wₖ,   wⱼ·vₖ = wⱼ·Δvₖ / (λ′ₖ − μⱼ)  (j ≠ k).
//
// The relative metric dissonance has a closed form, a function of ρ/σ alone: see DissonanceRatio.
// Subtraction, which loses everything beyond σ = 2¹⁵ or so, is in Analysis.Naive for comparison.
//
// # References
//
// The measures and the protocol are those of "Data eccentricity, asymptotics of Gaussian RBF
// reproducing kernel Hilbert space, and kernel PCA". The closed form, the identities and bandwidths
// beyond 2⁸ are additions.
package asymptotic

import (
	"errors"
	"math"
)

// Errors that the functions of this package wrap.
var (
	// ErrShape reports too few rows, or sizes that do not fit together.
	ErrShape = errors.New("asymptotic: unusable shape")
	// ErrNotFinite reports NaN or Inf in an argument.
	ErrNotFinite = errors.New("asymptotic: value is not finite")
	// ErrNoScale reports data whose diameter or median distance is zero.
	ErrNoScale = errors.New("asymptotic: no scale")
	// ErrBandwidth reports a bandwidth that is not positive, or out of the range of float64.
	ErrBandwidth = errors.New("asymptotic: invalid bandwidth")
	// ErrConfig reports a setting out of range.
	ErrConfig = errors.New("asymptotic: invalid config")
	// ErrCurve reports a curve without logarithm, or without its anchor.
	ErrCurve = errors.New("asymptotic: unusable curve")
	// ErrTooLarge reports data whose distances would take more than gram.MaxBytes.
	ErrTooLarge = errors.New("asymptotic: too large")
)

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52

func isFinite(v float64) bool { return v-v == 0 && !math.IsNaN(v) }
