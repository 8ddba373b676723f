package ppca

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"eigenbook/lib/gram"
)

// A General is a dual model with any A and σ², not the maximum-likelihood ones: k_c ~ N(0, K_c A
// Aᵀ K_c + σ²K_c).
type General struct {
	n, dim int
	sigma2 float64
	trace  float64
	kc     *mat.SymDense
	a      *mat.Dense // N×q
	ka     *mat.Dense // K_c A
	m      mat.Cholesky
}

// NewGeneral returns the model with the centred Gram matrix kc (N×N), dual loadings a (N×q),
// noise variance sigma2 > 0 and noise dimension dim ≥ q. The error wraps ErrConfig,
// gram.ErrShape, gram.ErrNotFinite or gram.ErrNotSymmetric. The arguments are neither modified
// nor retained.
func NewGeneral(kc, a mat.Matrix, sigma2 float64, dim int) (*General, error) {
	k, err := gram.Precomputed(kc)
	if err != nil {
		return nil, err
	}
	n := k.SymmetricDim()
	load, err := checked("a", a)
	if err != nil {
		return nil, err
	}
	rows, q := load.Dims()
	if rows != n {
		return nil, fmt.Errorf("%w: a is %d×%d, want %d rows as the Gram matrix has", gram.ErrShape, rows, q, n)
	}
	if !(sigma2 > 0) || math.IsInf(sigma2, 0) {
		return nil, fmt.Errorf("%w: noise variance is %v, want a finite number above 0", ErrConfig, sigma2)
	}
	if dim < q {
		return nil, fmt.Errorf("%w: noise dimension is %d, want at least the %d columns of a", ErrConfig, dim, q)
	}
	g := &General{n: n, dim: dim, sigma2: sigma2, trace: mat.Trace(k), kc: k, a: load, ka: new(mat.Dense)}
	g.ka.Mul(k, load)
	inner := product(load, g.ka)
	for p := range q {
		inner.SetSym(p, p, inner.At(p, p)+sigma2)
	}
	if !g.m.Factorize(inner) {
		return nil, fmt.Errorf("%w: AᵀK_cA + σ²I with σ² = %v", gram.ErrNotPSD, sigma2)
	}
	return g, nil
}

// product returns the symmetric part of aᵀb.
func product(a, b *mat.Dense) *mat.SymDense {
	var c mat.Dense
	c.Mul(a.T(), b)
	n, _ := c.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (c.At(i, j)+c.At(j, i))/2)
		}
	}
	return s
}

// LogLikelihood returns the log-likelihood of the training data in D dimensions, in nats, with
// q×q work beyond K_c A:
//
//	−N/2 [D ln 2π + (D−q) ln σ² + ln|M| + (trace K_c − tr M⁻¹AᵀK_c²A)/(Nσ²)],   M = AᵀK_cA + σ²I
func (g *General) LogLikelihood() float64 {
	_, q := g.a.Dims()
	n := float64(g.n)
	var s mat.Dense
	// M is positive definite, so solving cannot fail; a large condition number is no error here.
	_ = g.m.SolveTo(&s, product(g.ka, g.ka))
	logdet := float64(g.dim-q)*math.Log(g.sigma2) + g.m.LogDet()
	return -n / 2 * (float64(g.dim)*math.Log(2*math.Pi) + logdet + (g.trace-mat.Trace(&s))/(n*g.sigma2))
}

// PosteriorCovariance returns σ² (AᵀK_cA + σ²I)⁻¹, q×q.
func (g *General) PosteriorCovariance() *mat.SymDense {
	var inverse mat.SymDense
	_ = g.m.InverseTo(&inverse)
	inverse.ScaleSym(g.sigma2, &inverse)
	return &inverse
}

// TransformRows returns the posterior means (AᵀK_cA + σ²I)⁻¹Aᵀk_c for centred kernel rows kc
// (M×N), an M×q matrix. The error wraps gram.ErrShape and gram.ErrNotFinite.
func (g *General) TransformRows(kc mat.Matrix) (*mat.Dense, error) {
	rows, err := checkedWidth("kc", kc, g.n, "one for each training row")
	if err != nil {
		return nil, err
	}
	var ak, h mat.Dense
	ak.Mul(g.a.T(), rows.T())
	_ = g.m.SolveTo(&h, &ak)
	return mat.DenseCopyOf(h.T()), nil
}

// Covariance returns the N×N covariance K_c A Aᵀ K_c + σ²K_c of k_c.
func (g *General) Covariance() *mat.SymDense {
	var c mat.SymDense
	c.SymOuterK(1, g.ka)
	scaled := mat.NewSymDense(g.n, nil)
	scaled.ScaleSym(g.sigma2, g.kc)
	c.AddSym(&c, scaled)
	return &c
}

// LogLikelihoodAt returns the log-likelihood of the rows of x (N×d) under N(mean, w wᵀ +
// sigma2·I) in d dimensions, for any mean (length d), w (d×q; nil for q = 0) and sigma2 > 0, with
// q×q factorisations only. The error wraps ErrConfig, gram.ErrShape or gram.ErrNotFinite.
func LogLikelihoodAt(x mat.Matrix, mean []float64, w *mat.Dense, sigma2 float64) (float64, error) {
	c, err := checked("x", x)
	if err != nil {
		return 0, err
	}
	n, d := c.Dims()
	if err := checkLength("mean", mean, d); err != nil {
		return 0, err
	}
	if !(sigma2 > 0) || math.IsInf(sigma2, 0) {
		return 0, fmt.Errorf("%w: noise variance is %v, want a finite number above 0", ErrConfig, sigma2)
	}
	subtract(c, mean)
	rest := sum(squaredNorms(c))
	q, logdet := 0, 0.0
	if w != nil {
		load, err := checked("w", w)
		if err != nil {
			return 0, err
		}
		var rows int
		if rows, q = load.Dims(); rows != d {
			return 0, fmt.Errorf("%w: w is %d×%d, want %d rows as x has columns", gram.ErrShape, rows, q, d)
		}
		inner := product(load, load)
		for p := range q {
			inner.SetSym(p, p, inner.At(p, p)+sigma2)
		}
		var chol mat.Cholesky
		if !chol.Factorize(inner) {
			return 0, fmt.Errorf("%w: WᵀW + σ²I with σ² = %v", gram.ErrNotPSD, sigma2)
		}
		var xw, s mat.Dense
		xw.Mul(c, load)
		_ = chol.SolveTo(&s, product(&xw, &xw))
		rest -= mat.Trace(&s)
		logdet = chol.LogDet()
	}
	logdet += float64(d-q) * math.Log(sigma2)
	ll := -0.5 * (float64(n)*(float64(d)*math.Log(2*math.Pi)+logdet) + rest/sigma2)
	if math.IsNaN(ll) || math.IsInf(ll, 0) {
		return 0, fmt.Errorf("%w: the log-likelihood overflows: entries of x less the mean are up to %.3g beside a noise variance of %.3g",
			gram.ErrNotFinite, maxAbs(c), sigma2)
	}
	return ll, nil
}
