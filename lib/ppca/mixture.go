package ppca

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"
)

// MixtureConfig holds the settings of FitMixture. Components must be set, and Latent or Isotropic.
type MixtureConfig struct {
	Components int  // number of components, at least 1
	Latent     int  // q of each, 1 to d−1
	Isotropic  bool // q = 0: a mixture of spherical Gaussians

	MaxIter  int     // 0 means 500
	Tol      float64 // stop when the log-likelihood rises by at most Tol·max(1, |LL|); 0 means 1e-8
	Restarts int     // runs, of which the best counts; 0 means 5
	// Floor bounds every σ² from below by Floor times the mean variance of the data, so that no
	// component shrinks to a point; 0 means 1e-6.
	Floor float64

	// Src draws the starts (k-means++). Nil means rand.NewPCG(1, 1), so that equal calls give equal
	// results.
	Src rand.Source

	// Progress, if not nil, is called after every iteration on the goroutine that called FitMixture.
	// Returning false stops the run and the restarts, which is not an error.
	Progress func(MixtureStep) bool
}

// A MixtureStep is what Progress is told.
type MixtureStep struct {
	Run           int // from 1
	Iteration     int // from 1
	LogLikelihood float64
}

// A Mixture is a fitted mixture of probabilistic PCA models. It does not change after FitMixture
// and is safe for concurrent use.
type Mixture struct {
	weights   []float64
	models    []*Model
	trace     []float64
	converged bool
	n         int
}

func (c MixtureConfig) check(n, d int) (MixtureConfig, error) {
	switch {
	case c.Components < 1 || c.Components > n:
		return c, fmt.Errorf("%w: Components is %d, want 1 to the %d rows", ErrConfig, c.Components, n)
	case c.Latent < 0 || c.Latent >= d:
		return c, fmt.Errorf("%w: Latent is %d, want 1 to %d for %d columns", ErrConfig, c.Latent, d-1, d)
	case (c.Latent == 0) != c.Isotropic:
		return c, fmt.Errorf("%w: Latent is %d and Isotropic is %v, want just one of them set", ErrConfig, c.Latent, c.Isotropic)
	case c.MaxIter < 0 || c.Restarts < 0:
		return c, fmt.Errorf("%w: MaxIter is %d and Restarts is %d, want 0 or more", ErrConfig, c.MaxIter, c.Restarts)
	case !(c.Tol >= 0 && c.Tol < 1) || !(c.Floor >= 0 && c.Floor < 1):
		return c, fmt.Errorf("%w: Tol is %v and Floor is %v, want 0 to below 1", ErrConfig, c.Tol, c.Floor)
	}
	for _, setting := range []struct {
		v    *int
		zero int
	}{{&c.MaxIter, 500}, {&c.Restarts, 5}} {
		if *setting.v == 0 {
			*setting.v = setting.zero
		}
	}
	if c.Tol == 0 {
		c.Tol = 1e-8
	}
	if c.Floor == 0 {
		c.Floor = 1e-6
	}
	return c, nil
}

// FitMixture returns the mixture Σ π_k N(μ_k, W_kW_kᵀ + σ²_kI) of x, an N×d matrix, by EM
// (Tipping & Bishop 1999b). Responsibilities come from full densities in one common space of D =
// d dimensions, so they can be compared; for a mixture in a feature space give the Nyström or
// Fourier features of package gram as x, one map for all components. Each M step takes the
// weighted mean and the eigenpairs of the weighted covariance. With σ² held above the floor the
// log-likelihood never falls.
//
// The best of cfg.Restarts runs is returned; runs in which a component lost all rows do not
// count. The error wraps ErrConfig, ErrNoVariance, gram.ErrShape, gram.ErrNotFinite, ErrDiverged
// if no run succeeded, and ctx.Err(). x is neither modified nor retained.
func FitMixture(ctx context.Context, x mat.Matrix, cfg MixtureConfig) (*Mixture, error) {
	rows, err := checked("x", x)
	if err != nil {
		return nil, err
	}
	n, d := rows.Dims()
	if cfg, err = cfg.check(n, d); err != nil {
		return nil, err
	}
	mean := columnMeans(rows)
	centred := mat.DenseCopyOf(rows)
	subtract(centred, mean)
	variance := sum(squaredNorms(centred)) / float64(n*d)
	size := maxAbs(rows)
	if !(variance <= math.MaxFloat64) {
		return nil, fmt.Errorf("%w: the sum of squares overflows: largest entry is %.3g, want below 1e150", gram.ErrNotFinite, size)
	}
	if n == 1 || variance <= 16*epsilon*epsilon*size*size {
		return nil, fmt.Errorf("%w: mean variance of the %d×%d data is %.3g", ErrNoVariance, n, d, variance)
	}
	rng := generator(cfg.Src)
	var top *Mixture
	var failed error
	for run := 1; run <= cfg.Restarts; run++ {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("ppca: mixture stopped before run %d: %w", run, err)
		}
		r := &mixtureRun{x: centred, cfg: cfg, floor: cfg.Floor * variance, run: run}
		m, stopped, err := r.fit(ctx, rng)
		if err != nil && ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			failed = err
		} else if top == nil || m.LogLikelihood() > top.LogLikelihood() {
			top = m
		}
		if stopped {
			break
		}
	}
	if top == nil {
		return nil, failed
	}
	for _, m := range top.models {
		for j := range m.mean {
			m.mean[j] += mean[j]
		}
	}
	return top, nil
}

// mixtureRun is one run of EM on centred data.
type mixtureRun struct {
	x     *mat.Dense
	cfg   MixtureConfig
	floor float64
	run   int
}

func (r *mixtureRun) fit(ctx context.Context, rng *rand.Rand) (m *Mixture, stopped bool, err error) {
	if m, err = r.maximize(kmeans(r.x, r.cfg.Components, rng)); err != nil {
		return nil, false, err
	}
	resp, ll := m.posterior(r.x)
	m.trace = []float64{ll}
	for i := 1; i <= r.cfg.MaxIter; i++ {
		if err := ctx.Err(); err != nil {
			return nil, true, fmt.Errorf("ppca: mixture stopped in run %d at iteration %d: %w", r.run, i, err)
		}
		next, err := r.maximize(resp)
		if err != nil {
			return nil, false, fmt.Errorf("%w in run %d at iteration %d", err, r.run, i)
		}
		before := ll
		resp, ll = next.posterior(r.x)
		if math.IsNaN(ll) || math.IsInf(ll, 0) {
			return nil, false, fmt.Errorf("%w: log-likelihood is %v in run %d at iteration %d", ErrDiverged, ll, r.run, i)
		}
		next.trace = append(m.trace, ll)
		m = next
		if r.cfg.Progress != nil && !r.cfg.Progress(MixtureStep{Run: r.run, Iteration: i, LogLikelihood: ll}) {
			return m, true, nil
		}
		if ll-before <= r.cfg.Tol*math.Max(1, math.Abs(ll)) {
			m.converged = true
			break
		}
	}
	return m, false, nil
}

// maximize returns the mixture for the responsibilities resp (N×K).
func (r *mixtureRun) maximize(resp *mat.Dense) (*Mixture, error) {
	n, _ := r.x.Dims()
	m := &Mixture{n: n}
	for k := range r.cfg.Components {
		weights := mat.Col(nil, k, resp)
		total := sum(weights)
		if !(total > 1e-3) {
			return nil, fmt.Errorf("%w: component %d has the weight of %.3g rows", ErrDiverged, k, total)
		}
		model, err := weighted(r.x, weights, total, r.cfg.Latent, r.floor)
		if err != nil {
			return nil, err
		}
		m.weights = append(m.weights, total/float64(n))
		m.models = append(m.models, model)
	}
	return m, nil
}

// weighted returns the model of weighted rows, with variances of at least floor.
func weighted(x *mat.Dense, weights []float64, total float64, q int, floor float64) (*Model, error) {
	n, d := x.Dims()
	mean := make([]float64, d)
	for i, w := range weights {
		for j, v := range x.RawRowView(i) {
			mean[j] += w / total * v
		}
	}
	c := mat.DenseCopyOf(x)
	subtract(c, mean)
	for i, w := range weights {
		row := c.RawRowView(i)
		for j := range row {
			row[j] *= math.Sqrt(w / total)
		}
	}
	var cov mat.SymDense
	cov.SymOuterK(1, c.T())
	pairs, err := eigen.Symmetric(&cov)
	if err != nil {
		return nil, fmt.Errorf("ppca: %w", err)
	}
	for p, v := range pairs.Values {
		if p >= q {
			v = math.Max(v, 0)
		} else {
			v = math.Max(v, floor)
		}
		pairs.Values[p] = v * float64(n)
	}
	sigma2 := math.Max(floor, sum(pairs.Values[q:])/float64(n*(d-q)))
	return component(n, q, mean, pairs.Values, pairs.Vectors, sigma2), nil
}

// component returns the model of n observations with all d eigenvalues and eigenvectors v.
func component(n, q int, mean, values []float64, v *mat.Dense, sigma2 float64) *Model {
	d := len(mean)
	return &Model{mean: mean, directions: v, solution: solution{
		n: n, values: values, all: true, trace: sum(values), centred: true, rank: d, numeric: d, tolerance: epsilon * float64(d),
		rankSource: "given", noise: Explicit(d), dim: d, q: q, sigma2: sigma2, converged: true,
	}}
}

// posterior returns the responsibilities of the rows of x and the log-likelihood.
func (m *Mixture) posterior(x *mat.Dense) (*mat.Dense, float64) {
	resp := m.joint(x)
	n, _ := resp.Dims()
	terms := make([]float64, n)
	for i := range n {
		row := resp.RawRowView(i)
		terms[i] = logSum(row)
		for k := range row {
			row[k] = math.Exp(row[k] - terms[i])
		}
	}
	return resp, sum(terms)
}

// joint returns ln π_k + ln p_k(xᵢ), N×K.
func (m *Mixture) joint(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	out := mat.NewDense(n, len(m.models), nil)
	for k, model := range m.models {
		c := mat.DenseCopyOf(x)
		subtract(c, model.mean)
		t := model.project(c, model.q)
		for i, v := range model.density(t, model.away(c, t), model.dim) {
			out.Set(i, k, math.Log(m.weights[k])+v)
		}
	}
	return out
}

// logSum returns ln Σ exp v.
func logSum(v []float64) float64 {
	top := slices.Max(v)
	if math.IsInf(top, 0) {
		return top
	}
	s := 0.0
	for _, x := range v {
		s += math.Exp(x - top)
	}
	return top + math.Log(s)
}
