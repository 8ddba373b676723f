package asymptotic

import (
	"context"
	"fmt"
	"math"

	"eigenbook/lib/blas"
	"eigenbook/lib/gram"

	gonumblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// Config holds the settings of an analysis. The zero value is usable.
type Config struct {
	Median Median // the convention for d_X

	// Pairs is L, the number of leading eigenpairs that are compared; 0 means 5, or the rank if
	// it is smaller. A group of repeated eigenvalues at the end is completed.
	Pairs int

	// Tau is the relative difference up to which eigenvalues count as repeated; 0 means 1e-6.
	Tau float64

	// DenseLimit is the largest number of rows for which all N pairs of the Gaussian kernel are
	// computed; 0 means 600. Above it an iteration computes the leading ones.
	DenseLimit int

	// MaxSweeps limits the products with the N×N matrix of one bandwidth; 0 means 60. What has not
	// converged then is marked: see Comparison.Converged.
	MaxSweeps int
}

func (c Config) withDefaults() (Config, error) {
	if c.Tau == 0 {
		c.Tau = 1e-6
	}
	if c.DenseLimit == 0 {
		c.DenseLimit = 600
	}
	if c.MaxSweeps == 0 {
		c.MaxSweeps = 60
	}
	switch {
	case !(c.Tau > 0) || math.IsInf(c.Tau, 1):
		return c, fmt.Errorf("%w: Tau is %v, want above 0", ErrConfig, c.Tau)
	case c.DenseLimit < 0:
		return c, fmt.Errorf("%w: DenseLimit is %d, want at least 0", ErrConfig, c.DenseLimit)
	case c.MaxSweeps < 0:
		return c, fmt.Errorf("%w: MaxSweeps is %d, want at least 0", ErrConfig, c.MaxSweeps)
	}
	return c, nil
}

// An Analysis holds what does not depend on the bandwidth: distances, median and linear
// eigenpairs. It does not change after New and is safe for concurrent use.
type Analysis struct {
	cfg    Config
	dist   *Distances
	median float64    // d_X
	mu     []float64  // μ₁ ≥ … ≥ μ_r > 0
	w      *mat.Dense // w₁ … w_r, N×r
	groups []Group    // of the first pairs
}

// New analyses the rows of x, N×d, as they are: nothing is scaled. It takes O(N²d) time and
// keeps the N(N−1)/2 distances.
//
// The error wraps ErrShape, ErrNotFinite, ErrTooLarge, ErrNoScale for a zero median distance,
// ErrConfig (Pairs beyond the rank), or ctx.Err(). x is neither modified nor retained.
func New(ctx context.Context, x mat.Matrix, cfg Config) (*Analysis, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	data, err := rowsOf(x)
	if err != nil {
		return nil, err
	}
	a := &Analysis{cfg: cfg}
	if a.dist, err = NewDistances(ctx, data); err != nil {
		return nil, err
	}
	if a.median, err = a.dist.Median(cfg.Median); err != nil {
		return nil, err
	}
	if a.mu, a.w, err = linearPairs(data); err != nil {
		return nil, err
	}
	if cfg.Pairs < 0 || cfg.Pairs > len(a.mu) {
		return nil, fmt.Errorf("%w: Pairs is %d, want 1 to %d, the rank of the centred data", ErrConfig, cfg.Pairs, len(a.mu))
	}
	if cfg.Pairs == 0 {
		a.cfg.Pairs = min(5, len(a.mu))
	}
	for _, g := range groupsOf(a.mu, cfg.Tau) {
		if g.Start < a.cfg.Pairs {
			a.groups = append(a.groups, g)
		}
	}
	return a, nil
}

// linearPairs returns the eigenpairs of J X Xᵀ J above rounding, from the singular values of the
// column-centred X.
func linearPairs(x *mat.Dense) (mu []float64, w *mat.Dense, err error) {
	n, d := x.Dims()
	c := mat.DenseCopyOf(x)
	removeColumnMeans(c)
	removeColumnMeans(c) // the first means are rounded
	var svd mat.SVD
	if !svd.Factorize(c, mat.SVDThinU) {
		return nil, nil, fmt.Errorf("asymptotic: the singular values of the centred %d×%d data did not converge", n, d)
	}
	s := svd.Values(nil)
	r := 0
	for r < len(s) && s[r] > float64(max(n, d))*epsilon*s[0] {
		mu = append(mu, s[r]*s[r])
		r++
	}
	var u mat.Dense
	svd.UTo(&u)
	w = mat.DenseCopyOf(u.Slice(0, n, 0, r))
	removeColumnMeans(w)
	for k := range r {
		scaleColumn(w, k, 1/columnNorm(w, k))
	}
	return mu, w, nil
}

// N returns the number of rows.
func (a *Analysis) N() int { return a.dist.n }

// Distances returns the distances of the rows.
func (a *Analysis) Distances() *Distances { return a.dist }

// MedianDistance returns d_X.
func (a *Analysis) MedianDistance() float64 { return a.median }

// Eccentricity returns ρ = diameter/d_X.
func (a *Analysis) Eccentricity() float64 { return a.dist.diameter / a.median }

// Scale returns σ_X = d_X σ, the bandwidth in units of the data.
func (a *Analysis) Scale(sigma float64) float64 { return a.median * sigma }

// Rank returns r, the number of linear eigenvalues above rounding.
func (a *Analysis) Rank() int { return len(a.mu) }

// Pairs returns the number of eigenpairs that are compared.
func (a *Analysis) Pairs() int { return a.cfg.Pairs }

// LinearEigenvalues returns a copy of μ₁ … μ_r, descending, the positive eigenvalues of J X Xᵀ J.
func (a *Analysis) LinearEigenvalues() []float64 { return append([]float64(nil), a.mu...) }

// LinearEigenvectors returns a copy of w₁ … w_r, N×r, with unit columns.
func (a *Analysis) LinearEigenvectors() *mat.Dense { return mat.DenseCopyOf(a.w) }

// LinearComponents returns √μₖ wₖ, N×r, the scores of linear PCA.
func (a *Analysis) LinearComponents() *mat.Dense {
	c := mat.DenseCopyOf(a.w)
	for k, m := range a.mu {
		scaleColumn(c, k, math.Sqrt(m))
	}
	return c
}

// Groups returns the groups of repeated eigenvalues among the compared pairs; the last one may reach
// beyond them.
func (a *Analysis) Groups() []Group { return append([]Group(nil), a.groups...) }

// covered is the number of pairs in the groups.
func (a *Analysis) covered() int { return a.groups[len(a.groups)-1].End }

// FirstOrder returns the limits as σ grows of σ_X²(λ′ₖ − μₖ), which is wₖ·Qwₖ with Q = J (dᵢⱼ⁴) J/8,
// and of σ_X² sin ∠(vₖ, wₖ), which is |Σ_{j≠k} wⱼ (wⱼ·Qwₖ)/(μₖ−μⱼ)| over all j, null directions
// included; for k = 1 … Pairs. They have units of length⁴ and length². Where μₖ is repeated the
// second is over the j outside its group, with Q not diagonalised within it.
func (a *Analysis) FirstOrder(ctx context.Context) (eigenvalues, angles []float64, err error) {
	q, err := a.operator(ctx, func(d float64) float64 { return d * d * (d * d / 8) })
	if err != nil {
		return nil, nil, err
	}
	w := columns(a.w, a.covered())
	qw := q.apply(w)
	for _, g := range a.groups {
		for k := g.Start; k < g.End; k++ {
			eigenvalues = append(eigenvalues, columnDot(w, k, qw, k))
			angles = append(angles, vectorNorm(a.residual(qw, k, g, a.mu[k])))
		}
	}
	return eigenvalues[:a.cfg.Pairs], angles[:a.cfg.Pairs], nil
}

// residual returns Σ_{j∉g} wⱼ (wⱼ·y)/(λ−μⱼ) for the k-th column y of dv, null directions with
// μⱼ = 0 included. With dv = Δv and λ = λ′ₖ it is the part of vₖ outside the group.
func (a *Analysis) residual(dv *mat.Dense, k int, g Group, lambda float64) []float64 {
	n, r := a.w.Dims()
	y := make([]float64, n)
	mat.Col(y, k, dv)
	c := make([]float64, r)
	mulT(c, a.w, y)
	raw := a.w.RawMatrix()
	out := make([]float64, n)
	for j := range c {
		if j >= g.Start && j < g.End {
			continue
		}
		c[j] /= lambda - a.mu[j]
	}
	null := make([]float64, r)
	mulT(null, a.w, y)
	for i := range out {
		row := raw.Data[i*raw.Stride : i*raw.Stride+r]
		rest, v := y[i], 0.0
		for j, wij := range row {
			rest -= wij * null[j]
			if j < g.Start || j >= g.End {
				v += wij * c[j]
			}
		}
		out[i] = v + rest/lambda
	}
	return out
}

// An operator is J A J with A the N×N matrix of a function of the distances, in full.
type operator struct {
	n int
	a []float64
}

// operator returns J A J with A = f(dᵢⱼ) and a zero diagonal, for f(0) = 0.
func (a *Analysis) operator(ctx context.Context, f func(d float64) float64) (*operator, error) {
	o, err := a.newOperator()
	if err != nil {
		return nil, err
	}
	return o, a.refill(ctx, o, f)
}

// newOperator returns an operator to refill.
func (a *Analysis) newOperator() (*operator, error) {
	n := a.dist.n
	if gram.Bytes(n, n) > float64(gram.MaxBytes) {
		return nil, fmt.Errorf("%w: a %d×%d matrix takes %.3g bytes, want at most %d (gram.MaxBytes)",
			ErrTooLarge, n, n, gram.Bytes(n, n), gram.MaxBytes)
	}
	return &operator{n: n, a: make([]float64, n*n)}, nil
}

// refill makes o the operator of another function.
func (a *Analysis) refill(ctx context.Context, o *operator, f func(d float64) float64) error {
	return a.dist.fillContext(ctx, o.a, 0, f)
}

// apply returns J A J v for the columns of v, which sum to zero or not.
func (o *operator) apply(v *mat.Dense) *mat.Dense {
	_, m := v.Dims()
	c := mat.DenseCopyOf(v)
	removeColumnMeans(c)
	out := mat.NewDense(o.n, m, nil)
	blas.Implementation{}.Dgemm(gonumblas.NoTrans, gonumblas.NoTrans, o.n, m, o.n, 1, o.a, o.n,
		c.RawMatrix().Data, m, 0, out.RawMatrix().Data, m)
	removeColumnMeans(out)
	return out
}

// frobenius returns the Frobenius norm of J A J: |A|² − (2/N) Σ sᵢ² + (Σ sᵢ)²/N² with s the row sums,
// taken after the mean entry is removed, which J does not see.
func (o *operator) frobenius() float64 {
	n := float64(o.n)
	sums := make([]float64, o.n)
	// The background context never ends, so there is no error.
	_ = parallel(context.Background(), o.n, func(i int) {
		for _, v := range o.a[i*o.n : (i+1)*o.n] {
			sums[i] += v
		}
	})
	total := 0.0
	for _, s := range sums {
		total += s
	}
	squares := make([]float64, o.n)
	_ = parallel(context.Background(), o.n, func(i int) {
		mean := sums[i]/n - total/n/n
		for j, v := range o.a[i*o.n : (i+1)*o.n] {
			c := v - mean - sums[j]/n
			squares[i] += c * c
		}
	})
	sum := 0.0
	for _, s := range squares {
		sum += s
	}
	return math.Sqrt(sum)
}
