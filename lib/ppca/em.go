package ppca

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
)

// EMConfig holds the settings of the iterations FitEM and FitMissing. Latent must be set.
type EMConfig struct {
	Latent    int  // q, at least 1
	NoiseDim  int  // D of FitEM; 0 means N−1, N if uncentred. FitMissing takes d
	Uncentred bool // FitEM: μ = 0 prescribed

	MaxIter int     // 0 means 5000
	Tol     float64 // stop when the log-likelihood rises by at most Tol·max(1, |LL|); 0 means 1e-10

	// Src draws the start. Nil means rand.NewPCG(1, 1), so that equal calls give equal results.
	Src rand.Source

	// Progress, if not nil, is called after every iteration on the goroutine that called. Returning
	// false stops early, which is not an error.
	Progress func(Step) bool
}

// A Step is what Progress is told.
type Step struct {
	Iteration     int // from 1
	LogLikelihood float64
}

func (c EMConfig) withDefaults() (EMConfig, error) {
	switch {
	case c.Latent < 1:
		return c, fmt.Errorf("%w: Latent is %d, want at least 1", ErrConfig, c.Latent)
	case c.MaxIter < 0:
		return c, fmt.Errorf("%w: MaxIter is %d, want 0 (for 5000) or more", ErrConfig, c.MaxIter)
	case !(c.Tol >= 0 && c.Tol < 1):
		return c, fmt.Errorf("%w: Tol is %v, want 0 (for 1e-10) to below 1", ErrConfig, c.Tol)
	}
	if c.MaxIter == 0 {
		c.MaxIter = 5000
	}
	if c.Tol == 0 {
		c.Tol = 1e-10
	}
	return c, nil
}

// ascend runs step, which returns the log-likelihood after it, until cfg says enough, and returns
// the trace, which begins with first.
func (c EMConfig) ascend(ctx context.Context, first float64, step func() (float64, error)) (trace []float64, converged bool, err error) {
	trace = append(trace, first)
	for i := 1; i <= c.MaxIter; i++ {
		if err := ctx.Err(); err != nil {
			return nil, false, fmt.Errorf("ppca: EM stopped at iteration %d: %w", i, err)
		}
		ll, err := step()
		if err != nil {
			return nil, false, fmt.Errorf("%w at iteration %d", err, i)
		}
		if math.IsNaN(ll) || math.IsInf(ll, 0) {
			return nil, false, fmt.Errorf("%w: log-likelihood is %v at iteration %d", ErrDiverged, ll, i)
		}
		before := trace[i-1]
		trace = append(trace, ll)
		if c.Progress != nil && !c.Progress(Step{Iteration: i, LogLikelihood: ll}) {
			return trace, false, nil
		}
		if ll-before <= c.Tol*math.Max(1, math.Abs(ll)) {
			return trace, true, nil
		}
	}
	return trace, false, nil
}

// An EMResult is where FitEM ended.
type EMResult struct {
	Loadings      *mat.Dense // A, N×q, up to a rotation of the latent axes
	NoiseVariance float64    // σ²
	Trace         []float64  // log-likelihood of the start and after each iteration, never falling
	Converged     bool       // whether Tol was reached within MaxIter
}

// FitEM runs the dual EM iteration on the Gram matrix k (N×N, not centred), which needs no
// eigensolver:
//
//	M = AᵀK_cA + σ²I,  G = AᵀK_c²A/N
//	A ← (K_cA/N)(σ²I + M⁻¹G)⁻¹,   σ² ← (tr K_c − tr M⁻¹A_newᵀK_c²A)/(ND)
//
// It comes to the maximum-likelihood solution at a linear rate of about λ_{q+1}/λ_q: a study aid,
// not the way to fit (FitGram). Errors wrap ErrConfig, ErrNoVariance, ErrDiverged, those of
// gram.Precomputed, and ctx.Err(). k is neither modified nor retained.
func FitEM(ctx context.Context, k mat.Matrix, cfg EMConfig) (*EMResult, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	kc, err := gram.Precomputed(k)
	if err != nil {
		return nil, err
	}
	n := kc.SymmetricDim()
	limit := n
	largest := mat.Max(kc)
	if !cfg.Uncentred {
		gram.Center(kc)
		limit--
	}
	if cfg.NoiseDim == 0 {
		cfg.NoiseDim = limit
	}
	if cfg.Latent >= cfg.NoiseDim || cfg.Latent > limit {
		return nil, fmt.Errorf("%w: Latent is %d, want 1 to %d and below the noise dimension %d", ErrConfig, cfg.Latent, limit, cfg.NoiseDim)
	}
	trace := mat.Trace(kc)
	if err := checkScale(trace, mat.Max(kc)); err != nil {
		return nil, err
	}
	if trace <= float64(n)*epsilon*largest {
		return nil, fmt.Errorf("%w: trace of the Gram matrix is %.3g", ErrNoVariance, trace)
	}
	sigma2 := trace / float64(n*cfg.NoiseDim)
	a := normals(n, cfg.Latent, generator(cfg.Src))
	if !cfg.Uncentred {
		subtract(a, columnMeans(a))
	}
	var ka mat.Dense
	ka.Mul(kc, a)
	// Scaled so that the latent part has a tenth of the noise's variance.
	a.Scale(math.Sqrt(0.1*sigma2*float64(cfg.Latent)/math.Max(mat.Trace(product(a, &ka)), epsilon*trace)), a)

	first, err := NewGeneral(kc, a, sigma2, cfg.NoiseDim)
	if err != nil {
		return nil, err
	}
	current := first
	out := &EMResult{}
	out.Trace, out.Converged, err = cfg.ascend(ctx, first.LogLikelihood(), func() (float64, error) {
		next, err := current.improved()
		if err != nil {
			return 0, err
		}
		current = next
		return current.LogLikelihood(), nil
	})
	if err != nil {
		return nil, err
	}
	out.Loadings, out.NoiseVariance = current.a, current.sigma2
	return out, nil
}

// improved returns the model after one EM iteration.
func (g *General) improved() (*General, error) {
	_, q := g.a.Dims()
	n := float64(g.n)
	kka := product(g.ka, g.ka) // AᵀK_c²A
	var s mat.Dense
	_ = g.m.SolveTo(&s, kka)
	s.Scale(1/n, &s)
	for p := range q {
		s.Set(p, p, s.At(p, p)+g.sigma2)
	}
	// A_new (σ²I + M⁻¹G) = K_cA/N
	var at mat.Dense
	if err := at.Solve(s.T(), g.ka.T()); err != nil {
		if _, ill := err.(mat.Condition); !ill {
			return nil, fmt.Errorf("%w: %w", ErrDiverged, err)
		}
	}
	a := mat.DenseCopyOf(at.T())
	a.Scale(1/n, a)
	next := &General{n: g.n, dim: g.dim, trace: g.trace, kc: g.kc, a: a, ka: new(mat.Dense)}
	next.ka.Mul(g.kc, a)
	var cross, solved mat.Dense
	cross.Mul(next.ka.T(), g.ka)
	_ = g.m.SolveTo(&solved, &cross)
	next.sigma2 = (g.trace - mat.Trace(&solved)) / (n * float64(g.dim))
	if !(next.sigma2 > 0) {
		return nil, fmt.Errorf("%w: noise variance is %v", ErrDiverged, next.sigma2)
	}
	inner := product(a, next.ka)
	for p := range q {
		inner.SetSym(p, p, inner.At(p, p)+next.sigma2)
	}
	if !next.m.Factorize(inner) {
		return nil, fmt.Errorf("%w: AᵀK_cA + σ²I is not positive definite", ErrDiverged)
	}
	return next, nil
}
