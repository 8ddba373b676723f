// Package ppca is probabilistic principal component analysis, in the input space and, through a
// kernel, in a feature space that is never formed.
//
//	model, err := ppca.FitPrimal(x, ppca.Config{Latent: 2})                          // d×d
//	dual, err := ppca.FitDual(ctx, x, kernel.RBF{LengthScale: 2}, ppca.Config{Latent: 2}) // N×N
//	h, err := dual.Transform(ctx, z)             // M×q latent means of new rows
//	kc, self, err := dual.Rows(ctx, z)           // M×N centred kernel rows, M squared norms
//	back, err := dual.Reconstruct(kc)            // M×N, the MAP kernel rows
//	points, err := dual.FeaturePoints(back)      // what the pre-image methods of package kpca take
//	samples, err := dual.Sample(100, rand.NewPCG(1, 1))
//
// # The model
//
// An observation is φ = W h + μ + ζ with h ~ N(0, I_q) and ζ ~ N(0, σ² I) in D dimensions. With
// λ_p, v_p the eigenpairs of the scatter matrix C_c = Σ (φᵢ−μ)(φᵢ−μ)ᵀ, descending and not divided
// by N, the maximum-likelihood solution is
//
//	μ = mean,   σ² = (trace C_c − Σ_{p≤q} λ_p)/(N(D−q)),   W = V_q (Λ_q/N − σ² I)^½ Rᵀ
//
// (Tipping & Bishop 1999), R any rotation, here the identity unless Rotated is called. The centred
// Gram matrix K_c = J K J has the same non-zero λ_p, and unit eigenvectors ε_p with
// v_p = Φ_c ε_p/√λ_p. So all can be said with kernel rows k_c (De Plaen & Suykens 2023):
//
//	W = Φ_c A,   A = E_q (I/N − σ² Λ_q⁻¹)^½ Rᵀ
//	h | k_c      has mean Σ Aᵀk_c and covariance σ² Σ,  Σ = N R Λ_q⁻¹ Rᵀ
//	MAP          k_c ↦ Σ_{p≤q} (1 − Nσ²/λ_p) ε_p ε_pᵀ k_c       (Reconstruct)
//	k_c          ~ N(0, Σ_{p≤q} λ_p²/N ε_p ε_pᵀ + Σ_{q<p≤r} σ² λ_p ε_p ε_pᵀ)   (Covariance, Sample)
//
// With σ² = 0 (Config.Noiseless) this is kernel PCA. Divisors are N, logarithms natural; axes are
// signed so that the entry of largest magnitude of ε_p (dual) or v_p (primal) is positive.
//
// # Where the noise lives
//
// σ² is the mean of the D−q discarded variances, zeros included, so D matters: Range (default) is
// the rank r of the centred data, Samples is the number of rows, as the paper has it, Explicit(d)
// is the whole input space. For kernels whose rank is known by structure r is that, because a
// numerical rank of a smooth kernel depends on its threshold; but nothing is ever divided by an
// eigenvalue below the numerical threshold.
//
// # How much is computed
//
// Up to 800 rows (or columns, for linear kernels) all eigenpairs are computed, above that the q+1
// leading ones by Lanczos iteration. Fit, latents, MAP, LogLikelihood and LogDensity need only
// those and the trace; Sample, Covariance, InSpanLogDensity and DualLogLikelihood need all
// (Config.Solver = Full), and say so with ErrPartial. SampleLeading samples from the leading
// pairs. A complete fit of data as they are knows small variances as a singular value decomposition
// would: columns may be in units that differ by 10⁷.
//
// # Beyond
//
// WithLatent, Candidates and Evidence compare latent dimensions, FitEM is the dual EM iteration for study,
// FitMissing fits data with holes, and FitMissingApprox approximately in a feature space, FitMixture
// fits mixtures, General evaluates any (not
// maximum-likelihood) model. Nyström or Fourier features of package gram given to FitPrimal are the
// way to many rows. Save writes a model, and LoadPrimal, LoadDual and LoadMixture read it.
//
// # References
//
//   - M. Tipping and C. Bishop, "Probabilistic principal component analysis", J. R. Stat. Soc. B 61
//     (1999); "Mixtures of probabilistic principal component analysers", Neural Comput. 11 (1999).
//   - T. Minka, "Automatic choice of dimensionality for PCA", NIPS 13 (2000).
//   - H. De Plaen and J. Suykens, "A dual formulation for probabilistic principal component
//     analysis" (2023). Its printed posterior covariance and covariance of k_c need correction;
//     see PosteriorCovariance and Covariance.
package ppca

import "errors"

// Errors of this package; messages that wrap them name the value, the place and the valid range.
// Unusable data give gram.ErrShape, gram.ErrNotFinite, gram.ErrNotSymmetric and gram.ErrNotPSD, a
// bad kernel kernel.ErrParameter or kernel.ErrDomain.
var (
	// ErrConfig reports a setting out of range.
	ErrConfig = errors.New("ppca: invalid config")
	// ErrNoVariance reports rows that are all equal, or a single row.
	ErrNoVariance = errors.New("ppca: no variance")
	// ErrSingular reports a density asked of a model with σ² = 0.
	ErrSingular = errors.New("ppca: singular model")
	// ErrPartial reports a call that needs all eigenpairs where only the leading ones were computed.
	ErrPartial = errors.New("ppca: needs eigenpairs that were not computed")
	// ErrNoKernel reports a call that needs kernel and training rows, of a model from FitGram or
	// FitMissingApprox.
	ErrNoKernel = errors.New("ppca: the model has no kernel")
	// ErrFormat reports a saved model that cannot be read.
	ErrFormat = errors.New("ppca: not a saved model")
	// ErrMissing reports a row or column without any observed entry.
	ErrMissing = errors.New("ppca: too many entries missing")
	// ErrDiverged reports an iteration that came to numbers that are not finite.
	ErrDiverged = errors.New("ppca: iteration failed")
)

// Warnings: results that are usable but deserve a look.
var (
	// ErrRepeatedEigenvalue reports a cut between equal eigenvalues.
	ErrRepeatedEigenvalue = errors.New("ppca: repeated eigenvalue at the cut")
	// ErrClippedEigenvalue reports a negative eigenvalue that counts as zero.
	ErrClippedEigenvalue = errors.New("ppca: negative eigenvalue counted as zero")
	// ErrApproximate marks a model of FitMissingApprox.
	ErrApproximate = errors.New("ppca: approximation")
)
