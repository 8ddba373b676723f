package ppca

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
)

// ApproxConfig holds the settings of FitMissingApprox. Model must say what to fit, and Law.Latent
// must be set.
type ApproxConfig struct {
	Model Config   // of the dual model
	Law   EMConfig // of FitMissing, whose model says what the missing entries are likely to be
	Draws int      // data sets drawn where the expected kernel has no closed form; 0 means 64

	// Src draws these. Nil means rand.NewPCG(1, 1), so that equal calls give equal results.
	Src rand.Source
}

// A MissingApprox is the result of FitMissingApprox, an approximation.
type MissingApprox struct {
	// Model is the dual model of Expected. It has no kernel: Rows below takes the place of its own.
	// If an entry was missing, its Warnings have one that wraps ErrApproximate.
	Model *DualModel
	// Law is the primal model of the same data, with the law of the missing entries.
	Law *MissingFit
	// Expected is E K, N×N, not centred.
	Expected *mat.SymDense
	// Draws is the number of data sets that the expectation was taken over, 0 for a closed form.
	Draws int

	kernel kernel.Kernel
	closed expectation // nil if there is no closed form
	law    *law
	rows   []*uncertain
	drawn  []*mat.Dense // training rows, a data set each; one if nothing is missing
	seed   [2]uint64    // of the draws of new rows
}

// FitMissingApprox returns a dual model of x, an N×d matrix in which NaN marks a missing entry, for
// any kernel, by the expected kernel: an approximation. The law of the missing entries given the
// observed ones is taken from a primal model (FitMissing with cfg.Law), and the dual model is that
// of the mean of the Gram matrix under this law,
//
//	(E K)_ij = E k(xᵢ, xⱼ), xᵢ and xⱼ independent;   (E K)_ii = E k(xᵢ, xᵢ)
//
// which is positive semi-definite when k is. For linear and RBF kernels, multiples and sums of
// these it is a closed form, for RBF
//
//	E exp(−|x−y|²/(2ℓ²)) = |I + C/ℓ²|^−½ exp(−½ δᵀ(ℓ²I + C)⁻¹δ),   x − y ~ N(δ, C)
//
// and for other kernels the mean over cfg.Draws drawn data sets, at as many times the work.
//
// What is approximate: the law knows the data's linear structure only, not the kernel; the
// entries are averaged over before the fit, not after; LogLikelihood is that of E K, not of the
// observed entries. The uncertainty of a row lies on the diagonal, as variance in a direction of
// its own, and so raises σ². For linear kernels FitMissing is exact. Without missing entries
// the result is FitDual's.
//
// The rank is structural for strictly positive definite kernels, a row with missing entries being
// unlike any other, and numerical otherwise. Errors are those of FitMissing and FitDual, and
// ErrConfig for a negative Draws. x is neither modified nor retained.
func FitMissingApprox(ctx context.Context, x mat.Matrix, k kernel.Kernel, cfg ApproxConfig) (*MissingApprox, error) {
	if err := cfg.Model.check(); err != nil {
		return nil, err
	}
	if cfg.Draws < 0 {
		return nil, fmt.Errorf("%w: Draws is %d, want 0 (for 64) or more", ErrConfig, cfg.Draws)
	}
	if cfg.Draws == 0 {
		cfg.Draws = 64
	}
	if k == nil {
		return nil, fmt.Errorf("%w: the kernel is nil", kernel.ErrParameter)
	}
	if err := k.Validate(); err != nil {
		return nil, err
	}
	fit, err := FitMissing(ctx, x, cfg.Law)
	if err != nil {
		return nil, err
	}
	a := &MissingApprox{Law: fit, kernel: k}
	if a.law, err = fit.Model.law(); err != nil {
		return nil, err
	}
	if a.rows, err = a.law.rows(mat.DenseCopyOf(x)); err != nil {
		return nil, err
	}
	if e, ok := closedForm(k); ok {
		a.closed = e
	} else {
		a.Draws = cfg.Draws
		a.draw(cfg)
	}
	if a.Expected, err = a.expected(ctx); err != nil {
		return nil, err
	}
	if a.Model, err = a.model(ctx, cfg.Model); err != nil {
		return nil, err
	}
	return a, nil
}

// rows returns the rows of x with the laws of their missing entries.
func (l *law) rows(x *mat.Dense) ([]*uncertain, error) {
	n, _ := x.Dims()
	rows := make([]*uncertain, n)
	for i := range rows {
		row, err := l.of(x.RawRowView(i))
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		rows[i] = row
	}
	return rows, nil
}

// means returns the rows with missing entries at their means.
func means(rows []*uncertain) *mat.Dense {
	x := mat.NewDense(len(rows), len(rows[0].mean), nil)
	for i, r := range rows {
		x.SetRow(i, r.mean)
	}
	return x
}

// sample replaces the missing entries in dst by a draw from their law.
func (r *uncertain) sample(dst []float64, rng *rand.Rand) {
	copy(dst, r.mean)
	if r.cov == nil {
		return
	}
	var chol mat.Cholesky
	if !chol.Factorize(r.cov) {
		return // a variance below rounding: the mean
	}
	var l mat.TriDense
	chol.LTo(&l)
	z := make([]float64, len(r.missing))
	for a := range z {
		z[a] = rng.NormFloat64()
		for b := range a + 1 {
			dst[r.missing[a]] += l.At(a, b) * z[b]
		}
	}
}

// draw draws the training data sets, and the seed of those of new rows.
func (a *MissingApprox) draw(cfg ApproxConfig) {
	rng := generator(cfg.Src)
	count := a.Draws
	if a.Law.Missing == 0 {
		count = 1
	}
	for range count {
		x := mat.NewDense(len(a.rows), len(a.rows[0].mean), nil)
		for i, r := range a.rows {
			r.sample(x.RawRowView(i), rng)
		}
		a.drawn = append(a.drawn, x)
	}
	a.seed = [2]uint64{rng.Uint64(), rng.Uint64()}
}

// expected returns E K.
func (a *MissingApprox) expected(ctx context.Context) (*mat.SymDense, error) {
	if a.drawn != nil {
		total := mat.NewSymDense(len(a.rows), nil)
		for l, x := range a.drawn {
			k, err := gram.Compute(ctx, a.kernel, x)
			if err != nil {
				return nil, fmt.Errorf("data set %d: %w", l, err)
			}
			total.AddSym(total, k)
		}
		total.ScaleSym(1/float64(len(a.drawn)), total)
		return total, nil
	}
	k, err := gram.Compute(ctx, a.kernel, means(a.rows))
	if err != nil {
		return nil, err
	}
	for i, x := range a.rows {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("ppca: expected kernel stopped at row %d: %w", i, err)
		}
		for j, y := range a.rows[:i+1] {
			if x.cov == nil && y.cov == nil {
				continue
			}
			if i == j {
				k.SetSym(i, i, a.closed.self(x))
			} else {
				k.SetSym(j, i, a.closed.pair(x, y))
			}
		}
	}
	return k, nil
}

// model returns the dual model of the expected Gram matrix.
func (a *MissingApprox) model(ctx context.Context, cfg Config) (*DualModel, error) {
	structural := 0
	if a.Law.Missing == 0 || kernel.StrictlyPositiveDefinite(a.kernel) {
		// One more column tells rows with missing entries from all others.
		x := means(a.rows)
		marked := mat.DenseCopyOf(x)
		if a.Law.Missing > 0 {
			n, d := x.Dims()
			marked = mat.NewDense(n, d+1, nil)
			marked.Slice(0, n, 0, d).(*mat.Dense).Copy(x)
			for i, r := range a.rows {
				if r.cov != nil {
					marked.Set(i, d, float64(i+1))
				}
			}
		}
		structural, _ = gram.StructuralRank(a.kernel, marked, !cfg.Uncentred)
	}
	kc, err := gram.Precomputed(a.Expected)
	if err != nil {
		return nil, err
	}
	m, err := fitMatrix(ctx, kc, structural, kernel.PositiveSemidefinite(a.kernel), cfg)
	if err != nil {
		return nil, err
	}
	m.missing = a.Law.Missing
	m.warnings = nil
	m.warn()
	return m, nil
}

// Rows returns the expected kernel rows of new points z (M×d, NaN where an entry is missing)
// against the training rows, centred as the model takes them (M×N), and the M expected squared
// norms: what TransformRows, Reconstruct, LogDensityRows and the other methods of Model for
// kernel rows take. The law of missing entries is that of Law.Model. Where the expectation has no
// closed form, every row is drawn Draws times from one seed, so a row's result does not depend on
// the others. The error wraps gram.ErrShape, gram.ErrNotFinite for Inf, that of the kernel, and
// ctx.Err().
func (a *MissingApprox) Rows(ctx context.Context, z mat.Matrix) (kc *mat.Dense, kcSelf []float64, err error) {
	rows, err := a.newRows(z)
	if err != nil {
		return nil, nil, err
	}
	cross, self, err := a.cross(ctx, rows)
	if err != nil {
		return nil, nil, err
	}
	if kcSelf, err = a.Model.SquaredNorms(cross, self); err != nil {
		return nil, nil, err
	}
	if kc, err = a.Model.CentreRows(cross); err != nil {
		return nil, nil, err
	}
	return kc, kcSelf, nil
}

// newRows returns the rows of z with the laws of their missing entries.
func (a *MissingApprox) newRows(z mat.Matrix) ([]*uncertain, error) {
	x, err := holed("z", z)
	if err != nil {
		return nil, err
	}
	if n, d := x.Dims(); d != len(a.law.mean) {
		return nil, fmt.Errorf("%w: dimension mismatch: z is %d×%d, want %d columns, as the training data have", gram.ErrShape, n, d, len(a.law.mean))
	}
	return a.law.rows(x)
}

// cross returns E k(z, xᵢ) and E k(z, z).
func (a *MissingApprox) cross(ctx context.Context, rows []*uncertain) (*mat.Dense, []float64, error) {
	if a.drawn != nil {
		return a.crossDrawn(ctx, rows)
	}
	z := means(rows)
	k, err := gram.Cross(ctx, a.kernel, z, means(a.rows))
	if err != nil {
		return nil, nil, err
	}
	self, err := gram.Diagonal(a.kernel, z)
	if err != nil {
		return nil, nil, err
	}
	for i, x := range rows {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("ppca: expected kernel stopped at row %d: %w", i, err)
		}
		if x.cov != nil {
			self[i] = a.closed.self(x)
		}
		for j, y := range a.rows {
			if x.cov != nil || y.cov != nil {
				k.Set(i, j, a.closed.pair(x, y))
			}
		}
	}
	return k, self, nil
}

// crossDrawn is cross by the drawn data sets.
func (a *MissingApprox) crossDrawn(ctx context.Context, rows []*uncertain) (*mat.Dense, []float64, error) {
	n, d := len(rows), len(a.law.mean)
	rngs := make([]*rand.Rand, n)
	count := len(a.drawn)
	for i, r := range rows {
		rngs[i] = rand.New(rand.NewPCG(a.seed[0], a.seed[1]))
		if r.cov != nil {
			count = a.Draws
		}
	}
	total, self := mat.NewDense(n, len(a.rows), nil), make([]float64, n)
	z := mat.NewDense(n, d, nil)
	for l := range count {
		x := a.drawn[l%len(a.drawn)]
		for i, r := range rows {
			r.sample(z.RawRowView(i), rngs[i])
		}
		k, err := gram.Cross(ctx, a.kernel, z, x)
		if err != nil {
			return nil, nil, fmt.Errorf("data set %d: %w", l, err)
		}
		diagonal, err := gram.Diagonal(a.kernel, z)
		if err != nil {
			return nil, nil, fmt.Errorf("data set %d: %w", l, err)
		}
		total.Add(total, k)
		for i, v := range diagonal {
			self[i] += v / float64(count)
		}
	}
	total.Scale(1/float64(count), total)
	return total, self, nil
}
