package ppca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/eigen"
	"eigenbook/lib/gram"
	"eigenbook/lib/kernel"
)

// A DualModel is a fitted dual model, in terms of kernel rows. It does not change after the fit and
// is safe for concurrent use.
type DualModel struct {
	solution
	vectors  *mat.Dense // E, N×(numerical rank or number of computed pairs); nil if there are none
	rotation *mat.Dense // R, q×q; nil means I

	centering gram.Centering // m and M; zero if uncentred
	offsets   []float64      // b_p = (1/N) 1ᵀK ε_p/√λ_p, one for each column of E; zeros if uncentred

	kernel kernel.Kernel // nil for FitGram
	x      *mat.Dense    // training rows, N×d; nil for FitGram
	gram   *mat.SymDense // K_c of a FitGram model without all pairs, else nil
}

// FitDual returns the maximum-likelihood model of x, an N×d matrix whose rows are observations, in
// the feature space of k:
//
//	σ² = (trace K_c − Σ_{p≤q} λ_p)/(N(D−q)),   A = E_q (I/N − σ² Λ_q⁻¹)^½
//
// (De Plaen & Suykens 2023, eqs 6 and 13). The linear kernel is centred before the product, and
// decomposed through the d×d scatter if d < N; no N×N matrix is formed then. Other kernels
// take one N×N matrix, which is not kept.
//
// The rank r is gram.StructuralRank where that is known, otherwise numerical. Errors wrap ErrConfig
// (naming the range of q or the bound of σ²), ErrNoVariance, gram.ErrNotPSD for an eigenvalue
// below −1e-8 λ₁, those of gram.ComputeCentered for unusable data, and ctx.Err(). x is neither
// modified nor retained.
func FitDual(ctx context.Context, x mat.Matrix, k kernel.Kernel, cfg Config) (*DualModel, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if factor, ok := linear(k); ok {
		return fitLinear(ctx, x, k, factor, cfg)
	}
	diagonal, err := gram.Diagonal(k, x)
	if err != nil {
		return nil, err
	}
	m := &DualModel{kernel: k, x: mat.DenseCopyOf(x)}
	var kc *mat.SymDense
	if cfg.Uncentred {
		kc, err = gram.Compute(ctx, k, x)
	} else {
		kc, m.centering, err = gram.ComputeCentered(ctx, k, x)
	}
	if err != nil {
		return nil, err
	}
	structural, _ := gram.StructuralRank(k, x, !cfg.Uncentred)
	if err := m.fit(ctx, kc, maxMagnitude(diagonal), structural, kernel.PositiveSemidefinite(k), cfg); err != nil {
		return nil, err
	}
	return m, nil
}

// FitGram returns the model of the Gram matrix k, N×N, not centred, symmetric to 1e-8 of its
// largest entry. It has neither kernel nor training rows: Rows and Transform return ErrNoKernel,
// and CentreRows with the methods for kernel rows take their place. r is the numerical rank
// unless cfg.Rank is set; finding it takes all eigenvalues. Errors are as for FitDual, and wrap
// gram.ErrShape and gram.ErrNotSymmetric. k is neither modified nor retained.
func FitGram(ctx context.Context, k mat.Matrix, cfg Config) (*DualModel, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	kc, err := gram.Precomputed(k)
	if err != nil {
		return nil, err
	}
	return fitMatrix(ctx, kc, 0, false, cfg)
}

// fitMatrix returns the model of the Gram matrix kc, not centred, both triangles of which are filled;
// it is centred in place and may be kept. structural and psd are as for fit.
func fitMatrix(ctx context.Context, kc *mat.SymDense, structural int, psd bool, cfg Config) (*DualModel, error) {
	m := &DualModel{}
	largest := 0.0
	raw := kc.RawSymmetric()
	for i := range raw.N {
		largest = math.Max(largest, maxMagnitude(raw.Data[i*raw.Stride:][:raw.N]))
	}
	if !cfg.Uncentred {
		m.centering = gram.Center(kc)
	}
	if err := m.fit(ctx, kc, largest, structural, psd, cfg); err != nil {
		return nil, err
	}
	if !m.all {
		m.gram = kc
	}
	return m, nil
}

// fit decomposes kc, centred or not as cfg says. largest is the largest entry of K before centring,
// structural the rank if it is known, else 0, and psd whether kc must be positive semi-definite.
func (m *DualModel) fit(ctx context.Context, kc *mat.SymDense, largest float64, structural int, psd bool, cfg Config) error {
	m.n, m.centred = kc.SymmetricDim(), !cfg.Uncentred
	diagonal := make([]float64, m.n)
	for i := range diagonal {
		diagonal[i] = kc.At(i, i)
	}
	m.trace = sum(diagonal)
	if err := checkScale(m.trace, maxMagnitude(diagonal)); err != nil {
		return err
	}
	round := float64(m.n) * epsilon * largest
	if spread := maxMagnitude(diagonal); spread <= 16*epsilon*largest || m.trace <= round {
		if off := offDiagonal(kc); off > 16*epsilon*largest {
			return notPSD(-off, off) // a 2×2 minor is negative
		}
		return fmt.Errorf("%w: trace of the %s Gram matrix is %.3g for %d rows, want more than %.3g: all rows have one image",
			ErrNoVariance, centredWord(m.centred), m.trace, m.n, round)
	}
	limit := m.n
	if m.centred {
		limit--
	}
	if structural > 0 {
		limit = min(limit, structural)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("ppca: not decomposed: %w", err)
	}
	problem := eigenproblem{a: kc, structural: structural, limit: limit, tolerance: float64(m.n) * epsilon}
	e, err := solve(ctx, &problem, &m.solution, cfg)
	if err != nil {
		return err
	}
	if !m.all && !psd {
		if err := refuseIndefinite(ctx, kc, m.values[0]); err != nil {
			return err
		}
	}
	m.vectors = e
	if m.centred {
		centreColumns(e)
	}
	m.setOffsets()
	return nil
}

// centreColumns takes the all-ones direction out of unit vectors, in place. It belongs to the
// eigenvalue zero, from which rounding does not separate an eigenvalue near the numerical
// threshold, and centred features have no part in it.
func centreColumns(e *mat.Dense) {
	n, k := e.Dims()
	means, norms := columnMeans(e), make([]float64, k)
	subtract(e, means)
	for i := range n {
		for p, v := range e.RawRowView(i) {
			norms[p] += v * v
		}
	}
	for p, v := range norms {
		norms[p] = 1 / math.Sqrt(v)
	}
	scaleColumns(e, norms)
}

// fitLinear is FitDual for the linear kernel times factor.
func fitLinear(ctx context.Context, x mat.Matrix, k kernel.Kernel, factor float64, cfg Config) (*DualModel, error) {
	if err := k.Validate(); err != nil {
		return nil, err
	}
	rows, err := checked("x", x)
	if err != nil {
		return nil, err
	}
	m := &DualModel{kernel: k, x: mat.DenseCopyOf(rows)}
	mean := prepare(rows, cfg.Uncentred)
	if !cfg.Uncentred {
		m.centering = linearMeans(m.x, mean, factor)
		if !(math.Abs(m.centering.GrandMean) <= math.MaxFloat64) || !(maxMagnitude(m.centering.RowMeans) <= math.MaxFloat64) {
			return nil, fmt.Errorf("%w: the row means of the Gram matrix overflow; scale the data or the kernel", gram.ErrNotFinite)
		}
	}
	if factor != 1 {
		root := math.Sqrt(factor)
		rows.Scale(root, rows)
		for j := range mean {
			mean[j] *= root
		}
	}
	e, err := decompose(ctx, rows, mean, &m.solution, cfg, true)
	if err != nil {
		return nil, err
	}
	if m.centred {
		centreColumns(e)
	}
	eigen.FixSigns(e)
	m.vectors = e
	m.setOffsets()
	return m, nil
}

// linearMeans returns the row means x̄·xᵢ and the grand mean |x̄|² of the Gram matrix of x, times
// factor.
func linearMeans(x *mat.Dense, mean []float64, factor float64) gram.Centering {
	n, _ := x.Dims()
	c := gram.Centering{RowMeans: make([]float64, n), GrandMean: factor * kernel.Dot(mean, mean)}
	for i := range n {
		c.RowMeans[i] = factor * kernel.Dot(x.RawRowView(i), mean)
	}
	return c
}

// setOffsets computes b_p = m·ε_p/√λ_p, the coordinates of the mean feature.
func (m *DualModel) setOffsets() {
	m.offsets = make([]float64, m.pairs())
	if !m.centred || m.vectors == nil {
		return
	}
	b := mat.NewVecDense(len(m.offsets), m.offsets)
	b.MulVec(m.vectors.T(), mat.NewVecDense(m.n, m.centering.RowMeans))
	for p := range m.offsets {
		m.offsets[p] /= math.Sqrt(m.values[p])
	}
}

// pairs returns the number of eigenvectors at hand.
func (m *DualModel) pairs() int {
	if m.vectors == nil {
		return 0
	}
	_, k := m.vectors.Dims()
	return k
}

// refuseIndefinite looks for the most negative eigenvalue of kc.
func refuseIndefinite(ctx context.Context, kc *mat.SymDense, largest float64) error {
	op := eigen.Dense(kc)
	negative := eigen.Func{N: kc.SymmetricDim(), F: func(dst, x []float64) {
		op.Apply(dst, x)
		for i := range dst {
			dst[i] = -dst[i]
		}
	}}
	pairs, err := eigen.Leading(ctx, negative, 1, eigen.Config{Tol: 1e-9})
	if err != nil {
		return fmt.Errorf("ppca: smallest eigenvalue: %w", err)
	}
	if lowest := -pairs.Values[0]; lowest < -1e-8*largest {
		return notPSD(lowest, largest)
	}
	return nil
}

// linear reports whether k is a multiple of the linear kernel, and the factor.
func linear(k kernel.Kernel) (float64, bool) {
	switch k := k.(type) {
	case kernel.Linear:
		return 1, true
	case kernel.Scaled:
		f, ok := linear(k.Kernel)
		return f * k.Factor, ok && k.Factor > 0
	}
	return 0, false
}

func maxMagnitude(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m = math.Max(m, math.Abs(x))
	}
	return m
}

// offDiagonal returns the largest magnitude off the diagonal.
func offDiagonal(a *mat.SymDense) float64 {
	m := 0.0
	for i := range a.SymmetricDim() {
		for j := range i {
			m = math.Max(m, math.Abs(a.At(i, j)))
		}
	}
	return m
}
