package ppca

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Scores returns the principal component scores t_p = v_p·(x−μ), p ≤ q, of the rows of x (M×d),
// an M×q matrix; R plays no part. The error wraps gram.ErrShape, also if q = 0, and
// gram.ErrNotFinite.
func (m *Model) Scores(x mat.Matrix) (*mat.Dense, error) {
	if err := m.noLatent(); err != nil {
		return nil, err
	}
	c, err := m.centredRows("x", x)
	if err != nil {
		return nil, err
	}
	return m.project(c, m.q), nil
}

// Transform returns the posterior means Σ Wᵀ(x−μ) of the latents of the rows of x (M×d), an M×q
// matrix (eq. 8). All share PosteriorCovariance. Errors are those of Scores.
func (m *Model) Transform(x mat.Matrix) (*mat.Dense, error) {
	t, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	return m.latents(t, m.rotation), nil
}

// PosteriorCovariance returns σ² Σ = N σ² R Λ_q⁻¹ Rᵀ, the q×q covariance that the latents of all
// observations share; nil if q = 0.
func (m *Model) PosteriorCovariance() *mat.SymDense { return m.posteriorCovariance(m.rotation) }

// Reconstruct returns the MAP features W h + μ of the rows of x (M×d): the projection on the q
// axes, shrunk towards μ by 1 − Nσ²/λ_p (eq. 10). For q = 0 it is μ. The error wraps
// gram.ErrShape and gram.ErrNotFinite.
func (m *Model) Reconstruct(x mat.Matrix) (*mat.Dense, error) {
	return m.reconstruct(x, m.contraction())
}

// Project returns the least-squares reconstruction μ + V_q V_qᵀ(x−μ) of the rows of x (M×d),
// which is not shrunk. Errors are those of Reconstruct.
func (m *Model) Project(x mat.Matrix) (*mat.Dense, error) { return m.reconstruct(x, ones(m.q)) }

func (m *Model) reconstruct(x mat.Matrix, factors []float64) (*mat.Dense, error) {
	c, err := m.centredRows("x", x)
	if err != nil {
		return nil, err
	}
	t := m.project(c, m.q)
	if t != nil {
		scaleColumns(t, factors)
	}
	rows, _ := c.Dims()
	return m.expand(t, rows), nil
}

// expand returns μ + V_q t for scores t (rows×q, nil if q = 0).
func (m *Model) expand(t *mat.Dense, rows int) *mat.Dense {
	out := mat.NewDense(rows, len(m.mean), nil)
	if t != nil {
		out.Mul(t, m.directions.Slice(0, len(m.mean), 0, m.q).T())
	}
	addRow(out, m.mean)
	return out
}

// Decode returns W h + μ for latents h (M×q), an M×d matrix. The error wraps gram.ErrShape and
// gram.ErrNotFinite.
func (m *Model) Decode(h mat.Matrix) (*mat.Dense, error) {
	t, err := m.checkLatent(h, m.rotation)
	if err != nil {
		return nil, err
	}
	scaleColumns(t, m.gain())
	rows, _ := t.Dims()
	return m.expand(t, rows), nil
}

// Covariance returns the marginal covariance WWᵀ + σ²P, d×d, of the observations, with P the
// identity if the noise has D ≥ d dimensions and otherwise the projector on the span of the
// training data.
func (m *Model) Covariance() *mat.SymDense {
	d := len(m.mean)
	c := mat.NewSymDense(d, nil)
	if m.dim >= d {
		for j := range d {
			c.SetSym(j, j, m.sigma2)
		}
	} else if m.directions != nil {
		c.SymOuterK(m.sigma2, m.directions)
	}
	if m.q > 0 {
		w := m.Directions()
		scaleColumns(w, m.gain())
		var ww mat.SymDense
		ww.SymOuterK(1, w)
		c.AddSym(c, &ww)
	}
	return c
}

// SampleLatent draws n latents from N(0, I), an n×q matrix. A nil src is rand.NewPCG(1, 1). The
// error wraps gram.ErrShape if n < 1 or q = 0.
func (s *solution) SampleLatent(n int, src rand.Source) (*mat.Dense, error) {
	if err := checkCount(n); err != nil {
		return nil, err
	}
	if err := s.noLatent(); err != nil {
		return nil, err
	}
	return normals(n, s.q, generator(src)), nil
}

// Sample draws n observations from N(μ, WWᵀ + σ²P), P as for Covariance, an n×d matrix. A nil src
// is rand.NewPCG(1, 1). The error wraps gram.ErrShape if n < 1.
func (m *Model) Sample(n int, src rand.Source) (*mat.Dense, error) {
	if err := checkCount(n); err != nil {
		return nil, err
	}
	rng := generator(src)
	var t *mat.Dense
	if m.q > 0 {
		t = normals(n, m.q, rng)
		scaleColumns(t, m.gain())
	}
	return m.addNoise(m.expand(t, n), rng), nil
}

// SampleGiven draws one observation from N(W h + μ, σ²P) for each row of h (M×q), an M×d matrix.
// A nil src is rand.NewPCG(1, 1). Errors are those of Decode.
func (m *Model) SampleGiven(h mat.Matrix, src rand.Source) (*mat.Dense, error) {
	x, err := m.Decode(h)
	if err != nil {
		return nil, err
	}
	return m.addNoise(x, generator(src)), nil
}

// addNoise adds σ times noise to x, in place.
func (m *Model) addNoise(x *mat.Dense, rng *rand.Rand) *mat.Dense {
	n, d := x.Dims()
	if m.sigma2 == 0 {
		return x
	}
	sigma := math.Sqrt(m.sigma2)
	noise := new(mat.Dense)
	if m.dim >= d {
		noise = normals(n, d, rng)
	} else {
		_, k := m.directions.Dims()
		noise.Mul(normals(n, k, rng), m.directions.T())
	}
	for i := range n {
		row := x.RawRowView(i)
		for j, v := range noise.RawRowView(i) {
			row[j] += sigma * v
		}
	}
	return x
}

// generator returns the source's random numbers.
func generator(src rand.Source) *rand.Rand {
	if src == nil {
		src = rand.NewPCG(1, 1)
	}
	return rand.New(src)
}

// normals draws a matrix of standard normal numbers, row after row.
func normals(rows, cols int, rng *rand.Rand) *mat.Dense {
	z := make([]float64, rows*cols)
	for i := range z {
		z[i] = rng.NormFloat64()
	}
	return mat.NewDense(rows, cols, z)
}
