package ppca

import (
	"fmt"
	"math"
)

// A NoiseDimension says in how many dimensions the isotropic noise lives: the D of the
// maximum-likelihood noise variance σ² = (trace − Σ_{p≤q} λ_p)/(N(D−q)). It is Range,
// Samples or Explicit(D).
type NoiseDimension int

const (
	// Range is the default: D = r, the rank of the centred data or Gram matrix. It is
	// the only space that kernel rows can see, and it is Tipping and Bishop's model
	// when the data span all d dimensions.
	Range NoiseDimension = 0
	// Samples is the literal formula of De Plaen and Suykens: D = N. Centred data
	// always have a zero eigenvalue, which this counts as noise.
	Samples NoiseDimension = -1
)

// Explicit is noise in dim dimensions, at least the rank. Explicit(d) for data of d columns is
// Tipping and Bishop's model in the whole input space, also when N ≤ d.
func Explicit(dim int) NoiseDimension {
	if dim < 1 {
		return NoiseDimension(dim) - 2 // kept for the error message, never valid
	}
	return NoiseDimension(dim)
}

// String returns "range", "samples" or "explicit(D)".
func (d NoiseDimension) String() string {
	switch {
	case d == Range:
		return "range"
	case d == Samples:
		return "samples"
	case d < Samples:
		return fmt.Sprintf("explicit(%d)", int(d)+2)
	}
	return fmt.Sprintf("explicit(%d)", int(d))
}

// A Rule says which q belongs to a prescribed noise variance.
type Rule int

const (
	// Likelihood takes q = #{p : λ_p/N > σ²}, which maximises the likelihood at that σ².
	Likelihood Rule = iota
	// Estimator takes the smallest q whose maximum-likelihood noise variance does not
	// exceed σ². It never keeps more directions than Likelihood does.
	Estimator
)

// String returns "likelihood" or "estimator".
func (r Rule) String() string {
	switch r {
	case Likelihood:
		return "likelihood"
	case Estimator:
		return "estimator"
	}
	return fmt.Sprintf("Rule(%d)", int(r))
}

// A Solver says how many eigenpairs a fit computes.
type Solver int

const (
	// Auto computes all eigenpairs of small problems and the leading ones of large ones.
	Auto Solver = iota
	// Full computes all eigenpairs, which the dual likelihood, the in-span density and
	// the square roots of the covariance need.
	Full
	// Leading computes the q+1 leading pairs only, by Lanczos iteration.
	Leading
)

// String returns "auto", "full" or "leading".
func (s Solver) String() string {
	switch s {
	case Auto:
		return "auto"
	case Full:
		return "full"
	case Leading:
		return "leading"
	}
	return fmt.Sprintf("Solver(%d)", int(s))
}

// Config holds the settings of a fit. What to fit is said in one of these ways; the zero
// Config says nothing and is an error:
//
//	Config{Latent: 2}                           q = 2, σ² by maximum likelihood
//	Config{Isotropic: true}                     q = 0: no latent, noise only
//	Config{NoiseVariance: 0.1}                  σ² = 0.1, q by Rule
//	Config{Latent: 2, NoiseVariance: 0.1}       both; an error if σ² > λ_q/N
//	Config{Latent: 2, Noiseless: true}          σ² = 0: the limit, (kernel) PCA
//
// A count of zero cannot say both "none" and "not given", hence the two flags Isotropic and
// Noiseless, which are the only way to prescribe q = 0 and σ² = 0.
type Config struct {
	Latent        int     // q, 1 to the rank; 0 means not given
	Isotropic     bool    // q = 0; Latent must then be 0
	NoiseVariance float64 // σ² > 0; 0 means not given
	Noiseless     bool    // σ² = 0; NoiseVariance must then be 0
	Rule          Rule    // which q when only σ² is given; the zero value is Likelihood

	Noise     NoiseDimension // where the noise lives; the zero value is Range
	Uncentred bool           // prescribes μ = 0 instead of estimating the mean

	// Rank prescribes r. 0 means: the structural rank where the kernel tells it, otherwise
	// the number of eigenvalues above RankTolerance·λ₁.
	Rank int
	// RankTolerance is the threshold of the numerical rank, relative to λ₁. 0 means N·2⁻⁵² for
	// kernels and (max(N, d)·2⁻⁵²)² for data as they are (FitPrimal, kernel.Linear), whose small
	// eigenvalues are known better, but at least the rounding of the data; where only the leading
	// pairs are computed it is max(N, d)·2⁻⁵² for those too. Another value also replaces the
	// structural rank.
	RankTolerance float64

	Solver Solver // the zero value is Auto
}

// check refuses settings that are wrong whatever the data are.
func (c Config) check() error {
	switch {
	case c.Latent < 0:
		return fmt.Errorf("%w: Latent is %d, want 1 to the rank, or 0 with Isotropic or a noise variance", ErrConfig, c.Latent)
	case c.Isotropic && c.Latent != 0:
		return fmt.Errorf("%w: Isotropic means Latent 0, but Latent is %d", ErrConfig, c.Latent)
	case math.IsNaN(c.NoiseVariance) || math.IsInf(c.NoiseVariance, 0) || c.NoiseVariance < 0:
		return fmt.Errorf("%w: NoiseVariance is %v, want a finite number ≥ 0", ErrConfig, c.NoiseVariance)
	case c.Noiseless && c.NoiseVariance != 0:
		return fmt.Errorf("%w: Noiseless means NoiseVariance 0, but it is %v", ErrConfig, c.NoiseVariance)
	case c.Latent == 0 && !c.Isotropic && c.NoiseVariance == 0 && !c.Noiseless:
		return fmt.Errorf("%w: neither Latent, Isotropic, NoiseVariance nor Noiseless is set", ErrConfig)
	case c.Rule != Likelihood && c.Rule != Estimator:
		return fmt.Errorf("%w: Rule is %d, want Likelihood or Estimator", ErrConfig, c.Rule)
	case c.Noise < Samples:
		return fmt.Errorf("%w: noise dimension is %v, want at least 1", ErrConfig, c.Noise)
	case c.Rank < 0:
		return fmt.Errorf("%w: Rank is %d, want 0 (determine it) or more", ErrConfig, c.Rank)
	case math.IsNaN(c.RankTolerance) || c.RankTolerance < 0 || c.RankTolerance >= 1:
		return fmt.Errorf("%w: RankTolerance is %v, want 0 (default) or a number below 1", ErrConfig, c.RankTolerance)
	case c.Solver < Auto || c.Solver > Leading:
		return fmt.Errorf("%w: Solver is %d, want Auto, Full or Leading", ErrConfig, c.Solver)
	}
	return nil
}

// latentGiven reports whether q is prescribed, and noiseGiven whether σ² is.
func (c Config) latentGiven() bool { return c.Latent > 0 || c.Isotropic }
func (c Config) noiseGiven() bool  { return c.NoiseVariance > 0 || c.Noiseless }
