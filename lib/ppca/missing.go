package ppca

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"
)

// A MissingFit is the result of FitMissing.
type MissingFit struct {
	// Model is the fitted model with D = d. Its Eigenvalues are N times those of its covariance, its
	// LogLikelihood that of the observed entries.
	Model *Model
	// Imputed is the data with missing entries replaced by their conditional means given the row's
	// observed ones, N×d; observed entries as they were.
	Imputed *mat.Dense
	// Latents are the posterior means of the latents given the observed entries, N×q.
	Latents   *mat.Dense
	Missing   int       // number of missing entries
	Trace     []float64 // log-likelihood of the observed entries: start, and after each iteration
	Converged bool      // whether Tol was reached within MaxIter
}

// FitMissing returns the maximum-likelihood primal model of x, an N×d matrix in which NaN marks a
// missing entry, by EM over the latents with the missing entries integrated out (Tipping & Bishop
// 1999, on the observed blocks). With o the observed entries of row i,
//
//	E step   M_i = W_oᵀW_o + σ²I,  E h = M_i⁻¹W_oᵀ(x_o − μ_o),  cov h = σ²M_i⁻¹
//	M step   (w_j, μ_j) from the regression of the observed x_ij on (h_i, 1),  σ² the mean squared rest
//
// with the latents' law as an additional parameter (PX-EM: Liu, Rubin & Wu 1998), which saves
// most of the iterations. The log-likelihood of the observed entries never falls. Entries are
// assumed missing at random. The columns' scale matters, as for any PPCA, and D is d. Without
// missing entries the result is FitPrimal's with Explicit(d).
//
// The error wraps ErrMissing if a row or column has no observed entry, naming it; ErrConfig if
// Latent is not 1 to min(N, d)−1; ErrNoVariance; gram.ErrShape; gram.ErrNotFinite for Inf;
// ErrDiverged if σ² falls to zero (too few entries for so many latents); and ctx.Err(). x is
// neither modified nor retained.
func FitMissing(ctx context.Context, x mat.Matrix, cfg EMConfig) (*MissingFit, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.NoiseDim != 0 || cfg.Uncentred {
		return nil, fmt.Errorf("%w: NoiseDim and Uncentred are not for data with missing entries", ErrConfig)
	}
	e, err := newMissing(x, cfg.Latent)
	if err != nil {
		return nil, err
	}
	if err := e.start(cfg); err != nil {
		return nil, err
	}
	first, err := e.expect()
	if err != nil {
		return nil, err
	}
	fit := &MissingFit{Missing: e.n*e.d - e.count}
	fit.Trace, fit.Converged, err = cfg.ascend(ctx, first, func() (float64, error) {
		if err := e.maximize(); err != nil {
			return 0, err
		}
		return e.expect()
	})
	if err != nil {
		return nil, err
	}
	last := fit.Trace[len(fit.Trace)-1]
	if fit.Model, err = modelOf(e.n, e.mu, e.w, e.sigma2, fit.Converged); err != nil {
		return nil, err
	}
	fit.Model.observed = &last
	e.finish(fit)
	return fit, nil
}

// missing is the state of the iteration.
type missing struct {
	n, d, q int
	x       *mat.Dense // NaN where missing
	columns [][]int    // observed columns of each row
	count   int        // observed entries
	scale   float64    // mean variance of the observed entries

	mu     []float64
	w      *mat.Dense // d×q
	sigma2 float64
	h      *mat.Dense      // N×q, posterior means
	cov    []*mat.SymDense // posterior covariances
}

func newMissing(x mat.Matrix, q int) (*missing, error) {
	data, err := holed("x", x)
	if err != nil {
		return nil, err
	}
	e := &missing{x: data, q: q}
	e.n, e.d = e.x.Dims()
	if limit := min(e.n, e.d) - 1; q > limit {
		return nil, fmt.Errorf("%w: Latent is %d, want 1 to %d for %d×%d data", ErrConfig, q, limit, e.n, e.d)
	}
	e.mu = make([]float64, e.d)
	seen := make([]int, e.d)
	for i := range e.n {
		var columns []int
		for j, v := range e.x.RawRowView(i) {
			if !math.IsNaN(v) {
				columns = append(columns, j)
				seen[j]++
				e.mu[j] += v
			}
		}
		if len(columns) == 0 {
			return nil, fmt.Errorf("%w: row %d has no observed entry, want at least 1 of %d", ErrMissing, i, e.d)
		}
		e.columns = append(e.columns, columns)
		e.count += len(columns)
	}
	for j, c := range seen {
		if c == 0 {
			return nil, fmt.Errorf("%w: column %d has no observed entry, want at least 1 of %d", ErrMissing, j, e.n)
		}
		e.mu[j] /= float64(c)
	}
	size := maxMagnitude(e.mu)
	for i, columns := range e.columns {
		for _, j := range columns {
			r := e.x.At(i, j) - e.mu[j]
			e.scale += r * r / float64(e.count)
		}
	}
	if math.IsInf(e.scale, 0) {
		return nil, fmt.Errorf("%w: the sum of squares overflows", gram.ErrNotFinite)
	}
	if e.scale <= 16*epsilon*epsilon*size*size {
		return nil, fmt.Errorf("%w: mean square about the column means is %.3g", ErrNoVariance, e.scale)
	}
	return e, nil
}

// start takes the model of the data with missing entries at their column means, with noise added to
// the loadings so that no saddle point is met.
func (e *missing) start(cfg EMConfig) error {
	filled := mat.DenseCopyOf(e.x)
	for i := range e.n {
		for j, v := range filled.RawRowView(i) {
			if math.IsNaN(v) {
				filled.Set(i, j, e.mu[j])
			}
		}
	}
	e.sigma2 = e.scale / 2
	e.w = normals(e.d, e.q, generator(cfg.Src))
	e.w.Scale(math.Sqrt(e.scale)/10, e.w)
	m, err := FitPrimal(filled, Config{Latent: e.q, Noise: Explicit(e.d)})
	if err != nil {
		return nil // too few directions vary in the filled data: the random start is good enough
	}
	e.w.Scale(0.01, e.w)
	e.w.Add(e.w, m.Loadings())
	e.sigma2 = math.Max(m.sigma2, 1e-3*e.scale)
	return nil
}

// expect computes the posteriors of all rows and returns the log-likelihood of the observed
// entries.
func (e *missing) expect() (float64, error) {
	e.h = mat.NewDense(e.n, e.q, nil)
	e.cov = make([]*mat.SymDense, e.n)
	terms := make([]float64, e.n)
	for i, columns := range e.columns {
		inner := mat.NewSymDense(e.q, nil)
		b := mat.NewVecDense(e.q, nil)
		norm := 0.0
		for _, j := range columns {
			row := e.w.RowView(j)
			inner.SymRankOne(inner, 1, row)
			r := e.x.At(i, j) - e.mu[j]
			b.AddScaledVec(b, r, row)
			norm += r * r
		}
		for p := range e.q {
			inner.SetSym(p, p, inner.At(p, p)+e.sigma2)
		}
		var chol mat.Cholesky
		if !chol.Factorize(inner) {
			return 0, fmt.Errorf("%w: W_oᵀW_o + σ²I of row %d is not positive definite, σ² = %.3g", ErrDiverged, i, e.sigma2)
		}
		h := mat.NewVecDense(e.q, e.h.RawRowView(i))
		_ = chol.SolveVecTo(h, b)
		cov := mat.NewSymDense(e.q, nil)
		_ = chol.InverseTo(cov)
		cov.ScaleSym(e.sigma2, cov)
		e.cov[i] = cov
		o := float64(len(columns))
		terms[i] = -0.5 * (o*math.Log(2*math.Pi) + (o-float64(e.q))*math.Log(e.sigma2) + chol.LogDet() +
			(norm-mat.Dot(b, h))/e.sigma2)
	}
	return sum(terms), nil
}

// maximize solves the regression of every column, and takes σ² from what is left.
func (e *missing) maximize() error {
	moments := make([]*mat.SymDense, e.d) // Σ E[(h,1)(h,1)ᵀ] over the rows with this column
	sides := make([]*mat.VecDense, e.d)   // Σ x E[(h,1)]
	for j := range e.d {
		moments[j] = mat.NewSymDense(e.q+1, nil)
		sides[j] = mat.NewVecDense(e.q+1, nil)
	}
	extended := mat.NewVecDense(e.q+1, nil)
	extended.SetVec(e.q, 1)
	for i, columns := range e.columns {
		copy(extended.RawVector().Data, e.h.RawRowView(i))
		second := mat.NewSymDense(e.q+1, nil)
		for p := range e.q {
			for r := p; r < e.q; r++ {
				second.SetSym(p, r, e.cov[i].At(p, r))
			}
		}
		second.SymRankOne(second, 1, extended)
		for _, j := range columns {
			moments[j].AddSym(moments[j], second)
			// x is taken about the present mean, so that an offset costs no digits.
			sides[j].AddScaledVec(sides[j], e.x.At(i, j)-e.mu[j], extended)
		}
	}
	var chol mat.Cholesky
	for j := range e.d {
		if !chol.Factorize(moments[j]) {
			return fmt.Errorf("%w: the moments of column %d are singular", ErrDiverged, j)
		}
		var b mat.VecDense
		_ = chol.SolveVecTo(&b, sides[j])
		copy(e.w.RawRowView(j), b.RawVector().Data[:e.q])
		e.mu[j] += b.AtVec(e.q)
	}
	var terms []float64
	for i, columns := range e.columns {
		h := e.h.RowView(i)
		for _, j := range columns {
			w := e.w.RowView(j)
			r := e.x.At(i, j) - e.mu[j] - mat.Dot(w, h)
			terms = append(terms, r*r+mat.Inner(w, e.cov[i], w))
		}
	}
	e.sigma2 = sum(terms) / float64(e.count)
	if !(e.sigma2 > 1e-14*e.scale) {
		return fmt.Errorf("%w: noise variance fell to %.3g of the data's %.3g: %d latents explain the %d observed entries, want fewer",
			ErrDiverged, e.sigma2, e.scale, e.q, e.count)
	}
	return e.reduce()
}

// reduce is the second half of the parameter-expanded M step: the latents' law is estimated too,
// as N(m, Ψ) with m and Ψ the mean and second moment of the posteriors, and moved into the
// parameters, μ ← μ + W m, W ← W Ψ^½, which the likelihood does not notice.
func (e *missing) reduce() error {
	m := columnMeans(e.h)
	c := mat.DenseCopyOf(e.h)
	subtract(c, m)
	psi := product(c, c)
	for _, cov := range e.cov {
		psi.AddSym(psi, cov)
	}
	psi.ScaleSym(1/float64(e.n), psi)
	var chol mat.Cholesky
	if !chol.Factorize(psi) {
		return fmt.Errorf("%w: the second moment of the latents is singular", ErrDiverged)
	}
	var shift mat.VecDense
	shift.MulVec(e.w, mat.NewVecDense(e.q, m))
	for j := range e.mu {
		e.mu[j] += shift.AtVec(j)
	}
	var l mat.TriDense
	chol.LTo(&l)
	var w mat.Dense
	w.Mul(e.w, &l)
	e.w = &w
	return nil
}

// finish fills in the imputed data and the latents in the axes of the model.
func (e *missing) finish(fit *MissingFit) {
	fit.Imputed = mat.DenseCopyOf(e.x)
	var mean mat.Dense
	mean.Mul(e.h, e.w.T())
	for i := range e.n {
		row := fit.Imputed.RawRowView(i)
		for j, v := range row {
			if math.IsNaN(v) {
				row[j] = e.mu[j] + mean.At(i, j)
			}
		}
	}
	// W = W_model T, so h in the model's axes is T h with T = (W_modelᵀW_model)⁻¹ W_modelᵀ W.
	w := fit.Model.Loadings()
	var t mat.Dense
	t.Mul(w.T(), e.w)
	for p, g := range fit.Model.gain() {
		row := t.RawRowView(p)
		for r := range row {
			row[r] /= math.Max(g*g, math.SmallestNonzeroFloat64)
		}
	}
	fit.Latents = new(mat.Dense)
	fit.Latents.Mul(e.h, t.T())
}

// modelOf returns the model with the given parameters for n observations: eigenvalues of WWᵀ +
// σ²I times n.
func modelOf(n int, mean []float64, w *mat.Dense, sigma2 float64, converged bool) (*Model, error) {
	d, q := w.Dims()
	var svd mat.SVD
	if !svd.Factorize(w, mat.SVDThin) {
		return nil, fmt.Errorf("%w: singular values of the loadings", ErrDiverged)
	}
	v := new(mat.Dense)
	svd.UTo(v)
	eigen.FixSigns(v)
	values := make([]float64, d)
	for p, s := range append(svd.Values(nil), make([]float64, d-q)...) {
		values[p] = float64(n) * (s*s + sigma2)
	}
	m := &Model{mean: slices.Clone(mean), directions: v}
	m.solution = solution{
		n: n, values: values, all: true, trace: sum(values), centred: true, rank: d, numeric: q, tolerance: epsilon * float64(d),
		rankSource: "given", noise: Explicit(d), dim: d, q: q, sigma2: sigma2, converged: converged,
	}
	return m, nil
}
